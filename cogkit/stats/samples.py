"""What the tests need to know about a group of scores: number, mean and standard deviation."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cogkit.core.errors import InputError, some


@dataclass(frozen=True)
class Sample:
    """A group of scores, as its sufficient statistics under a normal model.

    Attributes
    ----------
    n : int
        Number of scores, 1 or more.
    sd : float
        Their standard deviation with the divisor n - 1; 0 when n is 1.

    Examples
    --------
    >>> Sample.of([1.0, 2.0, 3.0])
    Sample(n=3, mean=2.0, sd=1.0)
    """

    n: int
    mean: float
    sd: float

    def __post_init__(self) -> None:
        if not (self.n >= 1 and self.n == int(self.n) and math.isfinite(self.mean) and 0 <= self.sd < math.inf):
            got = f"n = {self.n}, mean = {self.mean}, sd = {self.sd}"
            raise InputError(got, "at least one score, all finite, and sd ≥ 0")

    @classmethod
    def of(cls, values) -> Sample:
        """Return the `Sample` of a vector of scores; a `Sample` is returned unchanged."""
        if isinstance(values, Sample):
            return values
        values = as_scores(values)
        return cls(values.size, float(values.mean()), float(values.std(ddof=1)) if values.size > 1 else 0.0)

    @classmethod
    def combine(cls, samples: Iterable[Sample]) -> Sample:
        """Return the `Sample` of all scores of several groups taken together, exactly.

        Notes
        -----
        ``(N - 1) sd² = Σ (n_i - 1) sd_i² + Σ n_i (mean_i - mean)²``.

        Examples
        --------
        >>> Sample.combine([Sample.of([1.0, 2.0]), Sample.of([3.0])])
        Sample(n=3, mean=2.0, sd=1.0)
        """
        groups = list(samples)
        n = sum(group.n for group in groups)
        mean = sum(group.n * group.mean for group in groups) / n
        squares = sum((group.n - 1) * group.sd**2 + group.n * (group.mean - mean) ** 2 for group in groups)
        return cls(n, mean, math.sqrt(squares / (n - 1)) if n > 1 else 0.0)


def as_columns(frame: pd.DataFrame, names: Iterable[str]) -> None:
    """Raise `InputError` for the first name that is no column of a table."""
    for name in names:
        if name not in frame.columns:
            raise InputError(f"columns {some(frame.columns)}", f"a column {name}")


def as_labels(labels, n: int, what: str, wanted: str) -> np.ndarray | None:
    """Return one label for each of n units, or None for None; an error says ``what`` came and is ``wanted``."""
    if labels is None:
        return None
    names = np.asarray(list(labels))
    if names.size != n:
        raise InputError(f"{names.size} {what}", wanted)
    return names


def as_pairs(first, second) -> tuple[np.ndarray, np.ndarray]:
    """Return two scores of each of some units, in one order."""
    x, y = as_scores(first), as_scores(second)
    if x.size != y.size:
        raise InputError(f"{x.size} and {y.size} scores", "pairs: two vectors of one length, in one order")
    return x, y


def as_scores(values) -> np.ndarray:
    """Return scores as a vector of finite floats, or raise `InputError`."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{type(values).__name__} that is not numbers", "a vector of finite numbers") from None
    if array.ndim != 1 or array.size == 0 or not np.isfinite(array).all():
        bad = f"{int((~np.isfinite(array)).sum())} values that are not finite" if array.size else "no values"
        got = bad if array.ndim == 1 else f"an array of shape {array.shape}"
        raise InputError(got, "a vector of finite numbers", "drop or impute what is missing first")
    return array
