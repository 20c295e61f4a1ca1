"""The panel that trains an agent while you watch: it adds Start and Go on to `live.RunPanel`."""

from __future__ import annotations

import asyncio
import copy
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets

from cogkit.core.errors import InputError
from cogkit.core.records import Progress
from cogkit.ui import live

if TYPE_CHECKING:  # at run time torch would come along, and most notebooks need none
    from cogkit.learning import Fit, Result

_BETTER = "Share right (better ↑)"
_SERIES = {"accuracy": "in training", "validation": "validation"}
_LOSS = "Loss in nats (better ↓)"
_NUMBERS = {"validation": "Right, validation", "accuracy": "Right, last batch", "loss": "Loss"}


class TrainPanel(live.RunPanel):
    """Train an agent while you watch: start, stop and continue; other cells can run at the same time.

    Training is a task on the kernel's event loop, which is free between two steps. The buttons call `start`, `stop` and
    `restart`; `learner` returns what the next cells use. Each instrument draws its own view of the learner beside the
    curves.

    Parameters
    ----------
    fit : learning.Fit or callable
        A training run, or a function without arguments that makes one when it is first started.
    checkpoint : path, optional
        The file of the fit. If a run is stored there, the panel shows it from the start.

    Examples
    --------
    >>> from cogkit.learning import Fit, State
    >>> def setup(config, rng): return State(rng)
    >>> def step(state): return {"accuracy": state.rng.random()}
    >>> panel = TrainPanel(Fit(setup, step, {}, steps=20, seed=0))
    >>> asyncio.run(panel.train()).steps
    20
    """

    again = "Start goes on from there."

    def __init__(
        self, fit: Fit | Callable[[], Fit], metrics: live.Metrics = None,
        references: Mapping[str, Sequence[live.Line]] | None = None, *, checkpoint: str | Path | None = None, **state,
    ) -> None:  # fmt: skip
        self._make = fit if callable(fit) else None
        self._task: asyncio.Task | None = None
        self._torn = self._sure = False
        self._path = Path(checkpoint) if checkpoint else None
        super().__init__(None if callable(fit) else fit, metrics, references, **state)
        if self._path and self._path.exists():
            self._show_stored()

    def _show_stored(self) -> None:
        """Show the run in the checkpoint; a file that cannot be read is told, and *Start over* deletes it."""
        try:
            fit = self.fit = self.fit or (self._make or self._begun)()
        except InputError as error:
            self._torn = True
            self._draw(f"Your run was not read: {error}")
            return
        self._result = result = fit.result
        self._progress = Progress(result.steps, fit.steps, dict(result.log.iloc[-1]) if len(result.log) else {})
        self._draw(f"You trained this network for {result.steps:,} of {fit.steps:,} steps. It is kept.")

    @property
    def result(self) -> Result:
        """The result so far, at any time after the start."""
        return self._begun().result

    @property
    def trained(self) -> bool:
        """Whether the reader has trained for a step at least."""
        return self.fit is not None and self._progress is not None and self.fit.result.steps > 0

    @property
    def kind(self) -> str:
        """The mark in figures for the learner of `learner`: ``yours``, or ``model`` for a shipped one."""
        return "yours" if self.trained else "model"

    async def learner(
        self, to_agent: Callable[[Result], Any], shipped: Callable[[], Any], hands_free: bool = False
    ) -> Any:
        """Return the reader's own learner, or else the shipped one, and print one sentence that says which.

        ``shipped()`` gives None if no learner with these settings is shipped: the reader's own is then trained at once.
        Hands free, it trains to the end first, as runs without a reader do.
        """
        if not hands_free and not self.trained:
            if (ours := shipped()) is not None:
                print("The cells below use a network that we trained. Press Start above to train one of your own.")
                return ours
            print("We have trained no network with these settings, so yours is trained now.")
        if hands_free or not self.trained:
            await self.train()
        mine = copy.copy(to_agent(self.result))
        mine.name = f"your {mine.name}"
        steps, total = self.result.steps, self._begun().steps
        print(f"The cells below use your network, after {steps:,} of {total:,} steps of training.")
        return mine

    def start(self) -> asyncio.Task:
        """Begin or continue training, as the button does; return the task, or the current task if it is running."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._train())
            # The panel shows an error; unless somebody asks for it, asyncio would print it again.
            self._task.add_done_callback(lambda task: task.cancelled() or task.exception())
        return self._task

    async def train(self) -> Result:
        """Train to the end, or until stopped or the cell is interrupted, and return the result.

        Raises
        ------
        Exception
            The error that ended the run; the panel shows it too.
        """
        task = self.start()
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            self.stop()
            await asyncio.wait([task])
            raise

    def restart(self) -> None:
        """Delete the run, also its checkpoint, as the second press of *Start over* does."""
        if self._make is None or self.running:
            raise InputError("a run that cannot start over", "one that has stopped, made by a function")
        if self._path:
            for file in self._path.parent.glob(f"{self._path.name}*"):  # a part of a learner may have a file of its own
                file.unlink()
        self.fit = self._progress = self._result = None
        self._torn = self._sure = False
        self._draw("Your run is deleted. Press Start to begin again.")

    async def _train(self) -> Result:
        self._sure = False
        if self.fit is None:
            self._draw("Preparing.")
            try:
                self.fit = (self._make or self._begun)()
            except Exception as error:
                self._draw(f"Could not begin: {error}")
                raise
        fit = self.fit
        try:
            async for _ in self.watch():
                await asyncio.sleep(0.002)  # several turns of the loop for another cell, without a step
        except Exception:
            # a step failed half-way: the next start makes a new fit if it can, from the last checkpoint if there is one
            self.fit, self._torn = None, self._make is None
            self._draw(self.scene["status"])
            raise
        return fit.result

    def _receive(self, _, message, __) -> None:
        if message.get("press") == "start":
            self.start()
        elif message.get("press") == "over" and not self._sure:
            self._sure = True
            self._draw("Press again to delete your run.")
        elif message.get("press") == "over":
            self.restart()
        else:
            super()._receive(_, message, __)

    def _newest(self, names: Mapping[str, str], digits: int) -> list[tuple[str, str]]:
        """Return the name in words and the newest value, as text, of each metric that has a value."""
        metrics = self._progress.metrics if self._progress else {}
        values = {label: metrics.get(name, math.nan) for name, label in names.items()}
        return [(label, f"{value:.{digits}f}") for label, value in values.items() if math.isfinite(value)]

    def _buttons(self) -> list[dict]:
        is_done = self._progress is not None and self._progress.step == self._progress.total
        why = "training already" if self.running else "done" if is_done else "broke off" if self._torn else ""
        start = {"press": "start", "label": "Go on" if self._progress else "Start", "why": why}
        if self._make is None or not (self._progress or self._torn):
            return [start, *super()._buttons()]
        label = "Yes, delete it" if self._sure else "Start over"
        over = {"press": "over", "label": label, "why": "training now" if self.running else ""}
        return [start, *super()._buttons(), over]


class AnswerPanel(TrainPanel):
    """Train an agent that chooses among answers while you watch its chances of each answer to a few questions.

    An instrument defines the name of its questions, how many fit beside the curves, how many answers each one has, and
    what is drawn for a question and for its chances.

    Parameters
    ----------
    fit : learning.Fit or callable
        As for `TrainPanel`. The panel draws ``accuracy``, ``validation`` and ``loss``, and the chances that the network
        gives now, (k, answers), which are the view of the fit.
    watched : sequence
        At most `most` questions; none if the run has no view.
    floors, observers : mapping of str to float, optional
        Shares of right answers to the validation questions, by name; drawn as levels.

    Raises
    ------
    InputError
        There are more questions than fit.
    """

    still = traitlets.List().tag(sync=True)  # what never changes: the questions
    noun, most, answers = "questions", 0, 0

    def __init__(
        self, fit: Fit | Callable[[], Fit], watched: Sequence[Any] = (), floors: Mapping[str, float] | None = None,
        observers: Mapping[str, float] | None = None, *, checkpoint: str | Path | None = None,
    ) -> None:  # fmt: skip
        if len(watched) > self.most:
            got = f"{len(watched)} {self.noun} to watch"
            raise InputError(got, f"at most {self.most}, which fit beside the curves")
        self._watched, self._chances = tuple(watched), np.full((len(watched), self.answers), np.nan)
        levels = {"floor": floors or {}, "observer": observers or {}}
        lines = [live.Line(kind, *level) for kind, shares in levels.items() for level in shares.items()]
        questions = [self._question_view(question) for question in watched]
        super().__init__(
            fit, {_BETTER: _SERIES, _LOSS: "loss"}, {"validation": lines}, still=questions, checkpoint=checkpoint
        )

    def _question_view(self, question: Any) -> dict:
        """Return what the page always draws for a question."""
        raise NotImplementedError

    def _answer_views(self, question: Any, chances: np.ndarray) -> list[dict]:
        """Return what the page draws for each answer; chances are NaN before the first report."""
        raise NotImplementedError

    def _scene(self, status: str) -> dict:
        if self._watched and self._progress and self._progress.view:
            self._chances = np.asarray(self._progress.view(), float)
        answers = [self._answer_views(*pair) for pair in zip(self._watched, self._chances, strict=True)]
        return super()._scene(status) | {"said": answers, "numbers": self._newest(_NUMBERS, 3)}
