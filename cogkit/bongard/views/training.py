"""The panel in which a network learns to tell sides apart: its curves, and what it says of some problems meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import traitlets

from cogkit.bongard.problems import KINDS, SIDES, SUPPORT, Problem
from cogkit.bongard.views import look
from cogkit.contracts import InputError
from cogkit.plots import live, panel

if TYPE_CHECKING:  # at run time torch would come along, and most notebooks need none
    from cogkit.learning import Fit

_BETTER = "Share right (better ↑)"
_SERIES = {"accuracy": "in training", "validation": "validation"}
_LOSS = "Loss in nats (better ↓)"
_NUMBERS = {"validation": "Right, validation", "accuracy": "Right, last batch", "loss": "Loss"}
_SIZE = 128  # pixels a side, shown at half as many: sharp on every screen
MOST = 4  # problems that fit beside the curves


class TrainPanel(panel.TrainPanel):
    """Train a network while you watch what it says of some problems: see `plots.panel.TrainPanel` for the buttons.

    Parameters
    ----------
    fit : learning.Fit or callable
        A training run as `training.agent_fit` makes it, or a function without arguments that makes one when it is first
        started. Drawn are ``accuracy``, ``validation`` and ``loss``, and, as its view, what the network now says of the
        problems watched: (k, 2), the probability that the seventh positive, and the seventh negative, is a positive.
    watched : sequence of Problem
        At most `MOST`; none if the run has no view.
    floors : mapping of str to float, optional
        Shares right on the validation problems, by the floor's name: levels drawn beside the curves.

    Examples
    --------
    >>> import asyncio
    >>> from cogkit.learning import Fit, State
    >>> def setup(config, rng): return State(rng)
    >>> def step(state): return {"accuracy": state.rng.random()}
    >>> panel = TrainPanel(Fit(setup, step, {}, steps=20, seed=0))
    >>> asyncio.run(panel.train()).steps
    20
    """

    _esm = live.SCRIPT + look.script("training.js")
    _css = live.STYLE + look.script("training.css")
    still = traitlets.List().tag(sync=True)  # what never changes: the two queries of each problem

    def __init__(
        self, fit: Fit | Callable[[], Fit], watched: Sequence[Problem] = (), floors: Mapping[str, float] | None = None
    ) -> None:  # fmt: skip
        if len(watched) > MOST:
            raise InputError(f"{len(watched)} problems to watch", f"at most {MOST}, which fit beside the curves")
        self._watched, self._chances = tuple(watched), np.full((len(watched), len(SIDES)), np.nan)
        lines = [live.Line("floor", name, value) for name, value in (floors or {}).items()]
        super().__init__(fit, {_BETTER: _SERIES, _LOSS: "loss"}, {"validation": lines})
        self.still = [
            {
                "title": f"{KINDS[problem.kind].capitalize()}: {_parts(problem)}",
                "pictures": [look.uri(side[SUPPORT], _SIZE) for side in problem.sides],
            }
            for problem in self._watched
        ]

    def _scene(self, status: str) -> dict:
        if self._watched and self._progress and self._progress.view:
            self._chances = np.asarray(self._progress.view(), float)
        said = [[_said(side, chance) for side, chance in enumerate(pair)] for pair in self._chances.tolist()]
        return super()._scene(status) | {"said": said, "numbers": self._newest(_NUMBERS, 3)}


def _said(side: int, chance: float) -> dict:
    """Return what is shown of one query: how far the bar goes, the words beside it, and whether it is right."""
    if np.isnan(chance):
        return {"chance": 0, "text": "–", "told": f"{SIDES[side]} query: not asked yet"}
    right = "half" if chance == 0.5 else "right" if (chance > 0.5) == (side == 0) else "wrong"
    sign = {"right": "✓", "wrong": "✗", "half": "="}[right]
    told = f"{SIDES[side]} query: chance of a positive {chance:.2f}, {right}"
    return {"chance": round(chance, 3), "text": f"{chance:.2f} {sign}", "told": told}


def _parts(problem: Problem) -> str:
    """Return a concept in words beside the type of its problem."""
    return " and ".join(look.condition(problem.kind, name) for name in problem.concept)
