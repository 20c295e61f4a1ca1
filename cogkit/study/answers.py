"""What every instrument's ``scoring`` shares: a learner's answers, their checks, and their rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from cogkit.core import presets
from cogkit.core.records import KINDS, SUPERVISION, TRIAL_COLUMNS, result_row
from cogkit.data.readers import faults
from cogkit.data.rows import table

NO_ANSWER = "no answer"  # the metric for answers that did not come
OUTCOMES = ("answered", "refused", "unparsed", "truncated", "failed")
"""What became of a question to a language model; only *answered* can be right.

- *answered*: the model named one option.
- *refused*: it said that it will not or cannot answer.
- *unparsed*: it said something, and no single option can be found in it.
- *truncated*: its answer was cut off before it named an option.
- *failed*: no answer came.
"""


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers:
    """The answers of one learner to the items of one task, in compact form; each instrument adds its own arrays.

    An instrument's class names its ``instrument``, says which answers are ``missing``, and yields its ``_trials``.

    Attributes
    ----------
    who, kind, inputs : str
        Name, kind and inputs of the learner, from `described`.
    task : str
        Name of the items in rows.
    items : Items or None
        The items that were answered, one for each answer in turn unless an instrument says otherwise; None for answers
        that were read from trial rows.
    profile : str
        The rules by which the answers are judged.
    seed : int
        Seed of draws and ties.
    source : str
        Source of the answers, as rows give it.
    supervision : str
        What the learner was taught from, from `described`.
    replies : array of objects, optional
        For a language model the reply behind each answer, in the shape of the answers (`lm.replies.Reply`).
    """

    instrument: ClassVar[str]
    who: str
    kind: str
    inputs: str
    task: str
    items: Any = None
    profile: str = "verified"
    seed: int = 0
    source: str = "cogkit"
    supervision: str = ""
    replies: np.ndarray | None = None

    def __post_init__(self) -> None:
        presets.choose(self.kind, KINDS, "kind of learner")

    @property
    def player(self) -> dict[str, str]:
        """Who answered, as result rows have it: who, kind, inputs and supervision."""
        return {name: getattr(self, name) for name in ("who", "kind", "inputs", "supervision")}

    @property
    def missing(self) -> np.ndarray:
        """Which answers are missing (refused, not understood, cut off), bool; a missing answer is never right."""
        return np.zeros(1, bool)

    def _trials(self) -> Iterator[dict[str, Any]]:
        """Yield what differs between trials: item, response, correct (0 or 1), extra, and other fields that vary."""
        raise NotImplementedError

    def to_trials(self, limit: int = 10_000) -> pd.DataFrame:
        """Return at most ``limit`` trial rows (``TRIAL_COLUMNS``), in the same form as people's answers."""
        names = ("who", "kind", "instrument", "task", "seed", "profile", "source")
        common: dict[str, Any] = {name: getattr(self, name) for name in names}
        common |= {"sitting": f"{self.who}-{self.seed}", "at": None, "rt_s": None, "preset": None}
        origin = {} if self.items is None else {"items": self.items.hash}
        rows = [
            common | {"order": k, "score": float(trial["correct"])} | trial | {"extra": trial["extra"] | origin}
            for k, trial in enumerate(islice(self._trials(), limit))
        ]
        trials = pd.DataFrame(rows, columns=list(TRIAL_COLUMNS))
        responses = pd.Series([row["response"] for row in rows], dtype=object)  # whole numbers stay so beside None
        return trials.assign(response=responses)

    def row(
        self, metric: str, value: Any, n: int, limits: Iterable[Any] | None = None, interval: str = "", task: str = ""
    ) -> dict[str, Any]:
        """Return a result row: the ``RESULT_COLUMNS`` without those that the runner fills in.

        ``limits`` are low and high of the interval, and ``interval`` its kind, such as ``95% Wilson``; ``n`` is the
        sample size, and ``task`` by default that of the answers.
        """
        return result_row(self.player, task or self.task, metric, value, n, limits, interval, self.source)

    def table(self, rows: list[dict]) -> pd.DataFrame:
        """Return result rows of these answers as a DataFrame with all columns; they are of no cell and no preset."""
        return table(rows, cell="", instrument=self.instrument, profile=self.profile, preset="", seed=self.seed)

    def unanswered(self, rule: str = "", task: str = "") -> list[dict[str, Any]]:
        """Return a result row with the share of missing answers; an empty list if none is missing.

        ``rule`` follows ``no answer`` in the name of the metric, such as ``, as published``. A language model has a
        row for each way in which a question may stay unanswered too, such as ``refused``.
        """
        missing, shares = self.missing, {}
        if self.replies is not None:
            outcomes = [reply.outcome for reply in self.replies.ravel() if reply is not None]
            n = len(outcomes)
            shares = {outcome: (outcomes.count(outcome) / max(n, 1), n) for outcome in OUTCOMES[1:]}
        elif missing.any():
            shares = {NO_ANSWER + rule: (missing.mean(), missing.size)}
        return [self.row(name, share, n, task=task) for name, (share, n) in shares.items()]

    def reply_record(self, *place: int) -> dict[str, Any]:
        """Return what ``extra`` keeps of the reply behind the answer in this place; nothing if there is none."""
        reply = None if self.replies is None else self.replies[place]
        return {} if reply is None else reply.record()


def rules_of(items: Any, profile: str | None, seed: int | None) -> dict[str, Any]:
    """Return profile and seed of answers to items: by default those of the items."""
    return {
        "profile": presets.profile(getattr(items, "profile", "verified") if profile is None else profile),
        "seed": int(getattr(items, "seed", 0) if seed is None else seed),
    }


def sourced(rows: list[dict], source: str) -> list[dict]:
    """Return result rows with another source; unchanged if ``source`` is empty."""
    return [row | {"source": source} for row in rows] if source else rows


def described(learner, inputs: str, known: Collection[str] = ()) -> dict[str, str]:
    """Return ``who``, ``kind``, ``inputs`` and ``supervision`` of a learner (a `BaseLearner`), or their defaults.

    Parameters
    ----------
    learner : object
    inputs : str
        The input that the instrument shows by default.
    known : collection of str
        All inputs that the instrument can show.

    Raises
    ------
    InputError
        The kind or the supervision is unknown, or the instrument cannot show the inputs.

    Examples
    --------
    >>> described(object(), "pixels")
    {'who': 'object', 'kind': 'model', 'inputs': 'pixels', 'supervision': ''}
    """
    kind = presets.choose(getattr(learner, "kind", "model"), KINDS, "kind of learner")
    if known:
        inputs = presets.choose(getattr(learner, "inputs", inputs), known, "kind of input of this instrument")
    supervision = presets.choose(getattr(learner, "supervision", ""), SUPERVISION, "kind of supervision")
    name = getattr(learner, "name", type(learner).__name__)
    return {"who": name, "kind": kind, "inputs": inputs, "supervision": supervision}


def abstains(learner) -> bool:
    """Return whether a learner says that it may leave items unanswered, with a row of NaN for each."""
    return bool(getattr(learner, "abstains", False))


def replies(learner, n: int) -> np.ndarray | None:
    """Return the ``n`` replies behind the last answers of a language model, (n,) of objects; None for other learners.

    Examples
    --------
    >>> replies(object(), 3) is None
    True
    """
    if (reply_list := getattr(learner, "replies", None)) is None:
        return None
    array = np.empty(n, object)
    array[:] = reply_list
    return array


def joined(parts: Iterable[np.ndarray | None]) -> np.ndarray | None:
    """Return the replies of several calls one after another; None if the learner gave none.

    Examples
    --------
    >>> joined([None, None]) is None
    True
    """
    arrays = [part for part in parts if part is not None]
    return np.concatenate(arrays) if arrays else None


def checked(
    values, shape: tuple[int, ...], what: str, wanted: str, *, wider: bool = False, finite: bool = True,
    over: float | None = None, missing: bool = False,
) -> np.ndarray:  # fmt: skip
    """Return the output of a learner as an array of numbers, after checks.

    Parameters
    ----------
    what, wanted : str
        What the values are (``scores``), and a description of their shape, for the error.
    wider : bool
        Whether more columns are allowed.
    finite : bool
        Whether all values must be finite.
    over : float, optional
        For chances: how far above 1 rounding may bring them.
    missing : bool
        Whether a row of NaN stands for a missing answer.

    Raises
    ------
    InputError
        Rows have different lengths, values are no numbers, the shape is wrong, or values are out of range.

    Examples
    --------
    >>> checked([0.5, 2.0, 1.0], (2,), "scores", "one an option")
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted one an option, got scores (of shape (3,))
    """
    with faults(what, wanted):
        array = np.asarray(values)
        if array.dtype.kind not in "fiub":
            raise ValueError(f"of type {array.dtype}, and no numbers")
        least = array.shape[:-1] + shape[-1:] if wider and array.shape[-1:] >= shape[-1:] else array.shape
        if least != shape:
            raise ValueError(f"of shape {array.shape}")
        present = array[~np.isnan(array).reshape(len(array), -1).all(axis=1)] if missing else array
        # minimum and maximum, which are NaN if a number is: an array of comparisons can take 20 MB
        if over is not None and not (present.min(initial=0) >= 0 and present.max(initial=0) <= 1 + over):
            raise ValueError("some are negative or not finite, or above 1")
        if finite and not np.isfinite(present).all():
            raise ValueError("some are not finite")
        return array


def shares(best: np.ndarray) -> np.ndarray:
    """Return the share of each column if the tied best columns of a row share 1, (n, k); 0 in a row without any.

    Examples
    --------
    >>> shares(np.array([[True, True, False], [False, True, False]])).tolist()
    [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0]]
    """
    return best / np.maximum(best.sum(axis=1, keepdims=True), 1)


def drawn(best: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return in each row one of the tied best columns, (n,), drawn with equal chances.

    Examples
    --------
    >>> drawn(np.array([[False, True, False]]), np.random.default_rng(0)).tolist()
    [1]
    """
    return np.where(best, rng.random(best.shape), -1.0).argmax(axis=1)
