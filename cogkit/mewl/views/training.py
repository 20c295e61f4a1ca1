"""The panel in which a network learns words: its curves, and what it would answer in some episodes meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import traitlets

from cogkit.contracts import InputError
from cogkit.mewl.episodes import OPTIONS, Episode
from cogkit.mewl.views import pictures
from cogkit.plots import live, panel
from cogkit.widgets import files

if TYPE_CHECKING:  # at run time torch would come along, and most notebooks need none
    from cogkit.learning import Fit

_BETTER = "Share right (better ↑)"
_SERIES = {"accuracy": "in training", "validation": "validation"}
_LOSS = "Loss in nats (better ↓)"
_NUMBERS = {"validation": "Right, validation", "accuracy": "Right, last batch", "loss": "Loss"}
_WIDTH = 144  # pixels, shown at half as many: sharp on every screen
MOST = 3  # episodes that fit beside the curves
_script = partial(files.script, Path(__file__).parent / "static")


class TrainPanel(panel.TrainPanel):
    """Train a network while you watch what it would answer: see `plots.panel.TrainPanel` for the buttons.

    Parameters
    ----------
    fit : learning.Fit or callable
        A training run as `training.agent_fit` makes it, or a function without arguments that makes one when it is first
        started. Drawn are ``accuracy``, ``validation`` and ``loss``, and, as its view, what the network now answers in
        the episodes watched: (k, 5), how likely it holds each option to be.
    watched : sequence of Episode
        At most `MOST`; none if the run has no view.
    floors, observers : mapping of str to float, optional
        Shares right on the validation episodes, by name: levels drawn beside the curves.

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

    _esm = live.SCRIPT + _script("training.js")
    _css = live.STYLE + _script("training.css")
    still = traitlets.List().tag(sync=True)  # what never changes: the picture asked about and the names it may have

    def __init__(
        self, fit: Fit | Callable[[], Fit], watched: Sequence[Episode] = (),
        floors: Mapping[str, float] | None = None, observers: Mapping[str, float] | None = None,
    ) -> None:  # fmt: skip
        if len(watched) > MOST:
            raise InputError(f"{len(watched)} episodes to watch", f"at most {MOST}, which fit beside the curves")
        self._watched, self._chances = tuple(watched), np.full((len(watched), OPTIONS), np.nan)
        levels = {"floor": floors or {}, "observer": observers or {}}
        lines = [live.Line(kind, name, value) for kind, named in levels.items() for name, value in named.items()]
        super().__init__(fit, {_BETTER: _SERIES, _LOSS: "loss"}, {"validation": lines})
        self.still = [
            {
                "picture": pictures.uri(pictures.shown(episode.asked.query, width=_WIDTH)),
                "options": episode.asked.options,
                "answer": episode.answer,
            }
            for episode in self._watched
        ]

    def _scene(self, status: str) -> dict:
        if self._watched and self._progress and self._progress.view:
            self._chances = np.asarray(self._progress.view(), float)
        said = [_said(*pair) for pair in zip(self._watched, self._chances, strict=True)]
        return super()._scene(status) | {"said": said, "numbers": self._newest(_NUMBERS, 3)}


def _said(episode: Episode, chances: np.ndarray) -> list[dict]:
    """Return what is shown of each option: how far its bar goes, the number beside it, whether it is the likeliest."""
    if np.isnan(chances).any():
        return [{"chance": 0, "text": "–", "most": False, "told": f"{name}: not asked yet"}
                for name in episode.asked.options]  # fmt: skip
    found, highest = [], float(chances.max())
    for place, (name, chance) in enumerate(zip(episode.asked.options, chances.tolist(), strict=True)):
        most, right = chance == highest, ", the right name" * (place == episode.answer)
        told = f"{name}{right}: chance {chance:.2f}{', its choice' * most}"
        found.append({"chance": round(chance, 3), "text": f"{chance:.2f}", "most": most, "told": told})
    return found
