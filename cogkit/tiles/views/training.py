"""The panel in which an agent learns: Start, Stop, its learning curve, and the boards it is playing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from cogkit.contracts import InputError
from cogkit.plots import live
from cogkit.tiles.views import scene as words

if TYPE_CHECKING:  # at run time torch would come along, and most notebooks need none
    from cogkit.learning import Fit, Result

BOARDS = 6
_BETTER = "Blue tiles a board (fewer is better ↓)"
_SERIES = {"blue": "in training", "validation": "validation"}
_NAMES = {"floor": "nearest neighbour", "observer": "ideal player"}
_NUMBERS = {
    "blue": "Blue tiles a board",
    "validation": "On validation boards",
    "entropy": "Entropy",
    "saturation": "Mean |h|",
}


class TrainPanel(live.RunPanel):
    """Train an agent while you watch: start it, stop it, go on; other cells can run meanwhile.

    Training is a task on the kernel's own event loop, which is free between two steps. `start` and `stop` are what the
    buttons call; ``await panel.train()`` is for a cell that waits until the agent is trained, or the cell interrupted.

    Parameters
    ----------
    fit : learning.Fit or callable
        A training run, or a function without arguments that makes one when it is first started. Drawn are the metrics
        ``blue``, ``validation``, ``entropy``, ``saturation`` and ``clicks`` as far as it has them, and, as its view,
        the boards being played: (k, 49) int8, -1 covered, 0 blue, 1 red.
    references : mapping, optional
        Blue tiles a board of the ``floor`` (nearest neighbour) and of the ``observer`` (ideal player).

    Examples
    --------
    >>> from cogkit.learning import Fit, State
    >>> def setup(config, rng): return State(rng)
    >>> def step(state): return {"blue": state.rng.integers(5, 9)}
    >>> panel = TrainPanel(Fit(setup, step, {}, steps=20, seed=0))
    >>> asyncio.run(panel.train()).steps
    20
    """

    _esm = (live.STATIC / "live.js").read_text() + words.script("training.js")
    _css = (live.STATIC / "live.css").read_text() + words.script("board.css", "training.css")
    again = "Start goes on from there."

    def __init__(self, fit: Fit | Callable[[], Fit], references: Mapping[str, float] | None = None) -> None:
        lines = [live.Line(kind, _NAMES[kind], value) for kind, value in (references or {}).items()]
        self._make = fit if callable(fit) else None
        self._task: asyncio.Task | None = None
        self._boards: list[str] = []
        self._since, self._rate = (0.0, np.nan), np.nan  # when so many clicks were done, and clicks a second since
        self._torn = False
        super().__init__(None if callable(fit) else fit, {_BETTER: _SERIES}, {"blue": lines})

    @property
    def result(self) -> Result:
        """What training has come to, at any time after its start."""
        if self.fit is None:
            raise InputError("a panel without an agent yet", "one that was started", "press Start, or await train()")
        return self.fit.result

    def start(self) -> asyncio.Task:
        """Begin or go on, as the button does; return the task, the one under way if there is one."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._train())
            self._task.add_done_callback(_seen)
        return self._task

    async def train(self) -> Result:
        """Return the result of training to the end, or until it was stopped or the cell interrupted.

        Raises
        ------
        Exception
            What the run broke off with; the panel says it too.
        """
        task = self.start()
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            self.stop()
            await asyncio.wait([task])
            raise

    async def _train(self) -> Result:
        if self.fit is None:
            self._draw("Preparing.")
            try:
                self.fit = self._make()
            except Exception as error:
                self._draw(f"Could not begin: {error}")
                raise
        self._since, fit = (time.monotonic(), np.nan), self.fit
        try:
            async for _ in self.watch():
                await asyncio.sleep(0.002)  # a cell needs several turns of the loop: here it gets them without a step
        except Exception:
            # a step broke off half-way: what can make a fit makes another, from the last checkpoint if it has one
            self.fit, self._torn = None, self._make is None
            self._draw(self.scene["status"])
            raise
        return fit.result

    def _receive(self, _, message, __) -> None:
        if message.get("press") == "start":
            self.start()
        else:
            super()._receive(_, message, __)

    def _buttons(self) -> list[dict]:
        done = self._progress is not None and self._progress.step == self._progress.total
        why = "training already" if self.running else "done" if done else "broke off" if self._torn else ""
        start = {"press": "start", "label": "Go on" if self._progress else "Start", "why": why}
        return [start, *super()._buttons()]

    def _scene(self, status: str) -> dict:
        if self._progress and self._progress.view:
            self._boards = [words.shown_word(board) for board in self._progress.view()[:BOARDS]]
        return super()._scene(status) | {"boards": self._boards, "numbers": self._numbers()}

    def _numbers(self) -> list[tuple[str, str]]:
        """Return the newest of each number, as it is printed."""
        metrics = self._progress.metrics if self._progress else {}
        newest = {label: metrics.get(name, np.nan) for name, label in _NUMBERS.items()}
        numbers = [(label, f"{value:.2f}") for label, value in newest.items() if np.isfinite(value)]
        (then, before), now, clicks = self._since, time.monotonic(), metrics.get("clicks", np.nan)
        if self.running and (np.isnan(before) or now - then >= 1):
            self._rate = self._rate if np.isnan(before) else (clicks - before) / (now - then)
            self._since = now, clicks
        return numbers if np.isnan(self._rate) else [*numbers, ("Clicks a second", f"{self._rate:,.0f}")]


def _seen(task: asyncio.Task) -> None:
    """Take note of a task's error, which the panel has told already: asyncio would print it a second time."""
    if not task.cancelled():
        task.exception()
