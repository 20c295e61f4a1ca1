"""The panel in which an agent learns: its learning curve, and the boards it is playing."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cogkit.core.records import Progress
from cogkit.tiles.views import scene
from cogkit.ui import live, panel
from cogkit.ui.files import script

if TYPE_CHECKING:  # at run time torch would come along, and most notebooks need none
    from cogkit.learning import Fit

BOARDS = 6
_BETTER = "Blue tiles a board (fewer is better ↓)"
_SERIES = {"blue": "in training", "validation": "validation", "held out": "held out"}
LEVELS = {"floor": "nearest neighbour", "observer": "ideal observer", "person": "people"}
_NUMBERS = {
    "blue": "Blue tiles a board",
    "validation": "On validation boards",
    "held out": "On boards of the kind held out",
    "entropy": "Entropy",
    "saturation": "Mean |h|",
}


class BoardPanel(panel.TrainPanel):
    """A panel that shows the first boards of the fit's view, (k, 49), beside its curves."""

    _esm = live.SCRIPT + script(__file__, "training.js")
    _css = live.STYLE + script(__file__, "board.css", "training.css")
    _boards: Sequence[str] = ()

    def _scene(self, status: str) -> dict:
        if self._progress and self._progress.view:
            self._boards = [scene.shown_word(board) for board in self._progress.view()[:BOARDS]]
        return super()._scene(status) | {"boards": list(self._boards), "numbers": self._numbers()}

    def _numbers(self) -> list[tuple[str, str]]:
        """Return the newest of each number, as it is printed."""
        raise NotImplementedError


class TrainPanel(BoardPanel):
    """Train an agent while you watch its curve and its boards: see `ui.panel.TrainPanel` for what its buttons do.

    Parameters
    ----------
    fit : learning.Fit or callable
        Drawn are its metrics ``blue``, ``validation``, ``held out``, ``entropy``, ``saturation`` and ``clicks``, if it
        has them, and its view, the boards being played: (k, 49) int8, -1 covered, 0 blue, 1 red.
    references : mapping, optional
        Blue tiles a board of players, by their kind: `LEVELS` names them.
    """

    def __init__(
        self, fit: Fit | Callable[[], Fit], references: Mapping[str, float] | None = None, *,
        checkpoint: str | Path | None = None,
    ) -> None:  # fmt: skip
        lines = [live.Line(kind, LEVELS[kind], value) for kind, value in (references or {}).items()]
        self._since, self._rate = (0.0, np.nan), np.nan  # time and number of clicks at the last measurement
        super().__init__(fit, {_BETTER: _SERIES}, {"blue": lines}, checkpoint=checkpoint)

    async def watch(self) -> AsyncIterator[Progress]:
        """Run the fit, or go on with it, and yield what it reports; the panel shows it meanwhile."""
        self._since = time.monotonic(), np.nan
        async for progress in super().watch():
            yield progress

    def _numbers(self) -> list[tuple[str, str]]:
        numbers, metrics = self._newest(_NUMBERS, 2), self._progress.metrics if self._progress else {}
        (then, before), now, clicks = self._since, time.monotonic(), metrics.get("clicks", np.nan)
        if self.running and (np.isnan(before) or now - then >= 1):
            self._rate = self._rate if np.isnan(before) else (clicks - before) / (now - then)
            self._since = now, clicks
        return numbers if np.isnan(self._rate) else [*numbers, ("Clicks a second", f"{self._rate:,.0f}")]
