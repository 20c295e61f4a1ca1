"""A group of scores: number, mean and standard deviation, which tests need; and whether one score is an outlier."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy


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


def grubbs(values, alpha: float = 0.05) -> pd.DataFrame:
    """Return Grubbs' test of whether the score farthest from the mean is an outlier, one row.

    Parameters
    ----------
    values : array of float
        Three scores or more.
    alpha : float
        Probability of calling a score an outlier if all scores come from one normal distribution; two-sided.

    Returns
    -------
    DataFrame
        Columns place (index of the farthest score in ``values``, the first if several tie), score, g, critical, p,
        outlier (g is above critical), alpha, n. g is NaN for scores without spread; there is then no outlier.

    Notes
    -----
    ``G = max |x - mean| / sd``; with t the upper alpha / 2n point of Student's t of n - 2 degrees of freedom, critical
    is ``(n - 1) / √n · √(t² / (n - 2 + t²))`` (Grubbs 1969). p is the alpha at which the score is just an outlier, at
    most 1. The test looks for one outlier; two outliers can mask each other.

    Examples
    --------
    >>> grubbs([0.9, 1.0, 0.8, 0.9, 1.0, 0.9, 0.1]).outlier.item()
    True
    """
    scores, n = np.asarray(values, dtype=float), np.size(values)
    away = np.abs(scores - scores.mean())
    place, t = int(away.argmax()), float(scipy.stats.t.isf(alpha / (2 * n), n - 2))
    critical = (n - 1) / math.sqrt(n) * math.sqrt(t * t / (n - 2 + t * t))
    g = float(away[place] / scores.std(ddof=1)) if np.ptp(scores) > 0 else float("nan")
    margin = max((n - 1) ** 2 - n * g * g, 1e-300)  # none at the largest possible distance: all other scores are equal
    p = min(1.0, float(2 * n * scipy.stats.t.sf(g * math.sqrt(n * (n - 2) / margin), n - 2)))
    row = {"place": place, "score": float(scores[place]), "g": g, "critical": critical, "p": p}
    return pd.DataFrame([row | {"outlier": g > critical, "alpha": alpha, "n": n}])
