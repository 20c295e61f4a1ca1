"""A test of whether one score is an outlier."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import scipy


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
