"""Whether one score lies too far from the others."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from scipy import stats

from cogkit.core.contracts import InputError
from cogkit.stats.samples import as_scores


def grubbs(values, alpha: float = 0.05) -> pd.DataFrame:
    """Return Grubbs' test of whether the score farthest from the mean is an outlier, one row.

    Parameters
    ----------
    values : array of float
        Three scores or more.
    alpha : float
        Chance of calling a score an outlier where all are of one normal distribution; of either side.

    Returns
    -------
    DataFrame
        Columns place (of the farthest score in ``values``, the first of several as far), score, g, critical, p, outlier
        (g is above critical), alpha, n. Scores without any spread have no g: NaN, and no outlier.

    Notes
    -----
    ``G = max |x - mean| / sd``; with t the upper alpha / 2n point of Student's t of n - 2 degrees of freedom, critical
    is ``(n - 1) / √n · √(t² / (n - 2 + t²))`` (Grubbs 1969). p is the alpha at which the score is just one, at most 1.
    One outlier is looked for, once: two of them hide one another.

    Examples
    --------
    >>> grubbs([0.9, 1.0, 0.8, 0.9, 1.0, 0.9, 0.1]).outlier.item()
    True
    """
    scores, n = as_scores(values), np.size(values)
    if n < 3:
        raise InputError(f"{n} score{'s' * (n > 1)}", "three scores or more")
    if not 0 < alpha < 1:
        raise InputError(f"an alpha of {alpha}", "a chance between 0 and 1", "0.05 is usual")
    away = np.abs(scores - scores.mean())
    place, t = int(away.argmax()), float(stats.t.isf(alpha / (2 * n), n - 2))
    critical = (n - 1) / math.sqrt(n) * math.sqrt(t * t / (n - 2 + t * t))
    g = float(away[place] / scores.std(ddof=1)) if np.ptp(scores) > 0 else float("nan")
    row = {"place": place, "score": float(scores[place]), "g": g, "critical": critical, "p": _p(g, n)}
    return pd.DataFrame([row | {"outlier": g > critical, "alpha": alpha, "n": n}])


def _p(g: float, n: int) -> float:
    """Return the alpha whose critical value is ``g``."""
    margin = (n - 1) ** 2 - n * g * g
    if margin <= 0:  # as far as one of n scores can be, all others being alike
        return 0.0
    return min(1.0, float(2 * n * stats.t.sf(g * math.sqrt(n * (n - 2) / margin), n - 2)))
