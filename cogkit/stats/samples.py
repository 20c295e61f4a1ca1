"""What the tests need to know about a group of scores: number, mean and standard deviation."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np


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

    @classmethod
    def of(cls, values) -> Sample:
        """Return the `Sample` of a vector of scores; a `Sample` is returned unchanged."""
        if isinstance(values, Sample):
            return values
        values = np.asarray(values, dtype=float)
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
