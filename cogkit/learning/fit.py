"""The training loop of all learners: it yields reports, stops after a complete step, and resumes exactly."""

from __future__ import annotations

import asyncio
import atexit
import inspect
import math
import time
import weakref
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

import pandas as pd
import torch

from cogkit.core.errors import InputError
from cogkit.core.identity import plain
from cogkit.core.memory import give_back
from cogkit.core.records import Progress
from cogkit.core.seeding import item_key, stream
from cogkit.data import readers
from cogkit.learning import checkpoints
from cogkit.learning.checkpoints import State
from cogkit.learning.context import interrupts_wait, lent_generators, one_thread

_INTERVAL = 0.1  # seconds between reports
_loops: weakref.WeakSet[Generator] = weakref.WeakSet()  # those that may not have come to their end
Own = TypeVar("Own", bound=State)  # a learner's own state


@dataclass(frozen=True)
class Result(Generic[Own]):
    """The state of a fit after a complete step.

    Attributes
    ----------
    state : State
        The learner's state itself, not a copy: further training changes it.
    log : DataFrame
        Column ``step`` and one column per metric; NaN where a metric was not measured.
    seconds : float
        Time by the clock spent in steps and evaluations, including earlier runs of the same checkpoint.
    cpu_seconds : float
        CPU-seconds of this process in the same steps, and of what was trained before them.
    """

    state: Own
    log: pd.DataFrame
    stopped: bool
    steps: int
    seconds: float
    cpu_seconds: float
    config: Any
    seed: int


class Fit(Generic[Own]):
    """A training run. Iterating it, also with ``async for``, gives `Progress`: at most ten a second, and the last one.

    ``stop()``, a keyboard interrupt or leaving the loop ends the run after a complete step. Iterating again continues
    from there. So does a new `Fit` with the same config, seed and checkpoint, bit for bit on one machine. A step and
    its evaluation run on one torch thread. During setup and steps, torch's default generators (CPU and CUDA: initial
    weights and dropout draw from them) use the fit's own stream. Afterwards threads and generators are restored.

    Parameters
    ----------
    setup : callable
        ``setup(config, rng) -> State``, fresh.
    step : callable
        ``step(state) -> dict of float``, one complete step of training.
    steps : int
        The last step, counted from the start of the first run; it may grow from run to run.
    evaluate : callable, optional
        ``evaluate(state) -> dict of float``. Its random draws do not affect the training.
    evaluate_every, log_every, save_every : int
        Number of steps between evaluations, between log entries, and between checkpoints.
    view : callable, optional
        ``view(state)``, the value that `Progress.view` returns.
    checkpoint : str or Path, optional
        A file to resume from if it exists; it is also written when the loop ends.
    data : mapping, optional
        What training depends on beside its config, such as ``{"examples": 400}``; a checkpoint must agree with it.
    spent : float, optional
        CPU-seconds of what was trained before this run, and for it.

    Raises
    ------
    InputError
        The checkpoint is truncated, from another program, or of another config or seed.

    Examples
    --------
    >>> def setup(config, rng): return State(rng, scalars={"at": config["start"]})
    >>> def step(state): state.scalars["at"] += state.rng.normal(); return {"at": state.scalars["at"]}
    >>> run(Fit(setup, step, {"start": 0.0}, steps=3, seed=0)).log.shape
    (3, 2)
    """

    def __init__(
        self, setup: Callable[[Any, Any], Own], step: Callable[[Own], Mapping[str, float]], config: Any,
        *, steps: int, seed: int, evaluate: Callable[[Own], Mapping[str, float]] | None = None,
        evaluate_every: int = 100, log_every: int = 1, view: Callable[[Own], Any] | None = None,
        checkpoint=None, save_every: int = 100, data: Mapping[str, Any] | None = None, spent: float = 0.0,
    ) -> None:  # fmt: skip
        if steps < 1:
            raise InputError(f"{steps} steps", "one step or more")
        self.config, self.steps, self.seed, self._data = config, steps, seed, dict(data or {})
        self._step, self._evaluate, self._view = step, evaluate, view
        self._evaluate_every, self._log_every, self._save_every = evaluate_every, log_every, save_every
        self._path = Path(checkpoint) if checkpoint else None
        self._stop, self._whole, self._saved = False, True, 0
        self._count, self._seconds, self._cpu_seconds, self._spent = 0, 0.0, 0.0, spent
        self._log, self._latest = [], {}
        self._torch = []
        with lent_generators(self._torch):
            torch.manual_seed(int(item_key(seed, "fit/torch")))
            self._state = setup(config, stream(seed, "fit"))
        if self._path and self._path.exists():
            self._resume()

    def stop(self) -> None:
        """End the loop after the current step is complete."""
        self._stop = True

    @property
    def result(self) -> Result[Own]:
        """The result so far. After a step that failed half-way there is none, only the last checkpoint."""
        self._refuse_if_torn()
        log = pd.DataFrame(self._log, columns=None if self._log else ["step"])
        times = self._seconds, self._spent + self._cpu_seconds
        return Result(self._state, log, self._count < self.steps, self._count, *times, self.config, self.seed)

    def __iter__(self) -> Iterator[Progress]:
        self._stop = False
        return (report for report in self._loop() if report)

    def __aiter__(self) -> AsyncIterator[Progress]:
        self._stop = False
        return self._async_turns()

    async def _async_turns(self) -> AsyncIterator[Progress]:
        with closing(self._loop()) as turns:
            for report in turns:
                if report:
                    yield report
                await asyncio.sleep(0)  # at every step, so that a Stop button takes effect within one step

    def _loop(self) -> Generator[Progress | None]:
        """Return the loop, which leaves a checkpoint even if the program ends before it does."""
        loop = self._turns()
        _loops.add(loop)
        return loop

    def _turns(self) -> Generator[Progress | None]:
        """Yield after every complete step: a report if one is due, else None."""
        self._refuse_if_torn()
        last_time, last_step = float("-inf"), None
        try:
            while self._count < self.steps and not self._stop:
                with interrupts_wait(self.stop), one_thread():
                    self._take_step()
                due = time.monotonic() - last_time >= _INTERVAL
                if due:
                    last_time, last_step = time.monotonic(), self._count
                yield self._report() if due else None
        except KeyboardInterrupt:
            if not self._whole:
                raise
        finally:
            with interrupts_wait(self.stop):
                self._save()
            give_back()
        if last_step != self._count:
            yield self._report()

    def _take_step(self) -> None:
        """Take one step with its log entry, evaluation and checkpoint."""
        self._whole, start, cpu_start = False, time.perf_counter(), time.process_time()
        with lent_generators(self._torch):
            metrics = dict(self._step(self._state))
        number = self._count + 1
        entry = metrics if number % self._log_every == 0 else {}
        if self._evaluate and number % self._evaluate_every == 0:
            entry = entry | self._evaluation(self._evaluate)
        if entry:
            self._log.append({"step": number} | {name: float(value) for name, value in entry.items()})
        self._latest |= metrics | entry
        self._seconds += time.perf_counter() - start
        self._cpu_seconds += time.process_time() - cpu_start
        self._count, self._whole = number, True
        if number % self._save_every == 0:
            self._save()

    def _evaluation(self, evaluate: Callable[[Own], Mapping[str, float]]) -> dict[str, float]:
        before = self._state.rng.bit_generator.state
        with lent_generators(list(self._torch)):
            metrics = dict(evaluate(self._state))
        self._state.rng.bit_generator.state = before
        return metrics

    def _report(self) -> Progress:
        view = partial(self._view, self._state) if self._view else None
        return Progress(self._count, self.steps, {k: float(v) for k, v in self._latest.items()}, view)

    def _refuse_if_torn(self) -> None:
        if not self._whole:
            raise RuntimeError(f"step {self._count + 1} broke off half-way: go on from the last checkpoint")

    def _save(self) -> None:
        if not self._path or not self._whole or self._saved == self._count:
            return
        log = self.result.log
        extra = {f"torch/{place}": state for place, state in enumerate(self._torch)}
        extra["log"] = torch.tensor(log.to_numpy(dtype="float64"))
        facts = {
            "step": self._count, "seconds": self._seconds, "cpu_seconds": self._cpu_seconds, "seed": self.seed,
            "config": self._data | plain(self.config), "log": list(log),
            # JSON knows finite numbers alone
            "latest": {name: float(value) if math.isfinite(value) else None for name, value in self._latest.items()},
        }  # fmt: skip
        checkpoints.write(self._path, self._state, extra, facts)
        self._saved = self._count

    def _resume(self) -> None:
        """Replace the fresh state by the checkpoint's."""
        checkpoint = checkpoints.read(self._path)
        facts = checkpoint.facts
        ours, theirs = _settings(self.seed, self._data | plain(self.config)), _settings(facts.seed, facts.config)
        if conflicts := [name for name in sorted(ours.keys() | theirs.keys()) if ours.get(name) != theirs.get(name)]:
            got, wanted = (", ".join(f"{name} {run.get(name)!r}" for name in conflicts) for run in (theirs, ours))
            raise InputError(f"{got} in {self._path}", wanted, "give each config and seed its own checkpoint")
        nothing = torch.empty(0)
        log = checkpoint.tensors.get("log", nothing)
        saved = [checkpoint.tensors.get(f"torch/{place}", nothing) for place in range(len(self._torch))]
        whole = log.shape[1:] == (len(facts.log),) and bool(log[:, :1].isfinite().all())
        with readers.faults(self._path, "a whole checkpoint", "delete it to start again"):
            if not whole or not all(map(_alike, self._torch, saved)):
                raise ValueError("without its log, or the states of its generators")
            with lent_generators(saved):  # which tells of a state that is none
                pass
        checkpoints.restore(self._state, checkpoint, self._path)
        self._torch = saved
        self._log = [dict(zip(facts.log, row, strict=True)) | {"step": int(row[0])} for row in log.tolist()]
        self._count = self._saved = facts.step
        self._seconds, self._cpu_seconds = facts.seconds, facts.cpu_seconds
        self._latest = {name: math.nan if value is None else value for name, value in facts.latest.items()}


def run(fit: Fit[Own]) -> Result[Own]:
    """Run a fit to its end, or to a keyboard interrupt, and return the result."""
    try:
        for _ in fit:
            pass
    except KeyboardInterrupt:
        if not fit._whole:
            raise
    return fit.result


@atexit.register
def _end_loops() -> None:
    """End loops that nobody ended while their checkpoints can still be written; Python's own end is too late."""
    for loop in list(_loops):
        if inspect.getgeneratorstate(loop) != inspect.GEN_RUNNING:  # one that runs in another thread ends with it
            loop.close()


def _settings(seed: int, config: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a checkpoint and its run must agree in, each under the name that an error gives it."""
    return {"seed": seed} | {f"config.{name}": value for name, value in config.items()}


def _alike(ours: torch.Tensor, theirs: torch.Tensor) -> bool:
    return (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
