"""What every instrument's ``scoring`` shares: a learner's answers, checked, and their way into rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from cogkit.core import presets
from cogkit.core.contracts import KINDS, TRIAL_COLUMNS, InputError

NO_ANSWER = "no answer"  # the metric of what did not come


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers:
    """What one learner answered to the items of one task, compact; each instrument adds its own arrays.

    An instrument's class names its ``instrument``, says which answers are ``missing``, and yields its ``_trials``.

    Attributes
    ----------
    who, kind, inputs : str
        Of the learner, as `described` gives them.
    task : str
        What rows call the items.
    profile : str
        The rules that the answers are judged by.
    seed : int
        Seed of draws and ties.
    source : str
        What rows say of where the answers come from.
    """

    instrument: ClassVar[str]
    who: str
    kind: str
    inputs: str
    task: str
    profile: str = "verified"
    seed: int = 0
    source: str = "cogkit"

    @property
    def missing(self) -> np.ndarray:
        """Which answers did not come (refused, not understood, cut off), bool; such an answer is never right."""
        return np.zeros(1, bool)

    def _trials(self) -> Iterator[dict[str, Any]]:
        """Yield what is particular to each trial: item, response, correct (0 or 1), extra, and what differs else."""
        raise NotImplementedError

    def to_trials(self, limit: int = 10_000) -> pd.DataFrame:
        """Return at most ``limit`` trial rows (``TRIAL_COLUMNS``), in the schema that people's answers have."""
        names = ("who", "kind", "instrument", "task", "seed", "profile", "source")
        common: dict[str, Any] = {name: getattr(self, name) for name in names}
        common |= {"sitting": f"{self.who}-{self.seed}", "at": None, "rt_s": None, "preset": None}
        trials = enumerate(islice(self._trials(), limit))
        rows = [common | {"order": k, "score": float(trial["correct"])} | trial for k, trial in trials]
        return pd.DataFrame(rows, columns=list(TRIAL_COLUMNS))

    def row(
        self, metric: str, value: Any, n: int, limits: Iterable[float] | None = None, interval: str = "", task: str = ""
    ) -> dict[str, Any]:
        """Return a result row: the ``RESULT_COLUMNS`` less those that the runner knows.

        Parameters
        ----------
        metric : str
        value : float or None
            None where there is none.
        n : int
            Size of the sample behind it.
        limits : (float, float), optional
            Of the interval; without them there is none.
        interval : str
            What kind of interval, such as ``95% Wilson``.
        task : str, optional
            By default that of the answers.
        """
        low, high = (None, None) if limits is None else map(float, limits)
        return {
            "task": task or self.task, "kind": self.kind, "who": self.who, "inputs": self.inputs, "metric": metric,
            "value": None if value is None else float(value), "low": low, "high": high,
            "interval": "" if limits is None else interval, "n": int(n), "source": self.source,
        }  # fmt: skip

    def unanswered(self, rule: str = "", task: str = "") -> list[dict[str, Any]]:
        """Return a result row with the share of answers that did not come; none where all came.

        ``rule`` is what its metric says after ``no answer``, such as ``, as published``.
        """
        missing = self.missing
        return [self.row(NO_ANSWER + rule, missing.mean(), missing.size, task=task)] if missing.any() else []


def sourced(rows: list[dict], source: str) -> list[dict]:
    """Return result rows that say a source of their own; as they are where it is empty."""
    return [row | {"source": source} for row in rows] if source else rows


def described(learner, inputs: str, known: Collection[str] = ()) -> dict[str, str]:
    """Return ``who``, ``kind`` and ``inputs`` of a learner (`contracts.Learner`), with defaults for what it leaves out.

    Parameters
    ----------
    learner : object
    inputs : str
        What the instrument shows by default.
    known : collection of str
        All that it can show.

    Raises
    ------
    InputError
        A kind that is none, or inputs that the instrument cannot show.

    Examples
    --------
    >>> described(object(), "pixels")
    {'who': 'object', 'kind': 'model', 'inputs': 'pixels'}
    """
    kind = presets.choose(getattr(learner, "kind", "model"), KINDS, "kind of learner")
    if known:
        inputs = presets.choose(getattr(learner, "inputs", inputs), known, "kind of input of this instrument")
    return {"who": getattr(learner, "name", type(learner).__name__), "kind": kind, "inputs": inputs}


def abstains(learner) -> bool:
    """Return whether a learner may leave items unanswered: it says so, and gives a row of NaN for each of them."""
    return bool(getattr(learner, "abstains", False))


def checked(
    values, shape: tuple[int, ...], what: str, wanted: str, *, wider: bool = False, finite: bool = True,
    over: float | None = None, missing: bool = False,
) -> np.ndarray:  # fmt: skip
    """Return what a learner gave as an array of numbers.

    Parameters
    ----------
    values : array-like
    shape : tuple of int
        Wanted.
    what, wanted : str
        What they are (``scores``), and the words for their shape, for the error.
    wider : bool
        Whether there may be more columns.
    finite : bool
        Whether all must be finite.
    over : float, optional
        They are chances, and this is how far rounding may bring them above 1.
    missing : bool
        Whether a row of NaN stands for an answer that did not come.

    Raises
    ------
    InputError
        Rows of different lengths, no numbers, another shape, or values out of range.

    Examples
    --------
    >>> checked([0.5, 2.0, 1.0], (2,), "scores", "one an option")
    Traceback (most recent call last):
    cogkit.core.contracts.InputError: wanted one an option, got scores of shape (3,)
    """
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"{what} in rows of different lengths", wanted) from None
    if array.dtype.kind not in "fiub":
        raise InputError(f"{what} of type {array.dtype}", "numbers")
    least = array.shape[:-1] + shape[-1:] if wider and array.shape[-1:] >= shape[-1:] else array.shape
    if least != shape:
        raise InputError(f"{what} of shape {array.shape}", wanted)
    present = array[~np.isnan(array).reshape(len(array), -1).all(axis=1)] if missing else array
    if over is not None and not ((present >= 0) & (present <= 1 + over)).all():
        raise InputError(f"{what} that are negative or not finite, or above 1", "numbers from 0 to 1")
    if finite and not np.isfinite(present).all():
        raise InputError(f"{what} that are not finite", "numbers")
    return array


def shares(best: np.ndarray) -> np.ndarray:
    """Return what each column of a row counts when all that tie for the best share it, (n, k); 0 in a row of none.

    Examples
    --------
    >>> shares(np.array([[True, True, False], [False, True, False]])).tolist()
    [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0]]
    """
    return best / np.maximum(best.sum(axis=1, keepdims=True), 1)


def drawn(best: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return one of the columns that tie for the best in each row, (n,), each as likely.

    Examples
    --------
    >>> drawn(np.array([[False, True, False]]), np.random.default_rng(0)).tolist()
    [1]
    """
    return np.where(best, rng.random(best.shape), -1.0).argmax(axis=1)
