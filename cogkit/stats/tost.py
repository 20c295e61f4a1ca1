"""Equivalence by two one-sided tests (Schuirmann 1987)."""

from __future__ import annotations

import math

import pandas as pd
from scipy import stats

from cogkit.core.contracts import InputError
from cogkit.stats.effects import standard_error
from cogkit.stats.samples import Sample


def tost(first, second=None, *, low: float, high: float, variances: str = "welch", alpha: float = 0.05) -> pd.DataFrame:
    """Return the two one-sided t tests of whether a mean, or a difference of means, lies between two bounds;
    one row.

    Parameters
    ----------
    first, second : array of float, or Sample
        Two groups (the difference is first minus second), or one group of paired differences to test against the
        bounds.
    low, high : float
        The bounds of what counts as no difference, in the unit of the scores, fixed beforehand.
    variances : {"welch", "pooled"}
        As in `t_test`; has no effect for one group.
    alpha : float
        Level of each one-sided test.

    Returns
    -------
    DataFrame
        Columns difference, se, df, t_low, p_low (above the lower bound), t_high, p_high (below the upper
        one), p (the larger), equivalent, low, high (the 1 - 2 alpha interval, inside the bounds exactly when
        equivalent), bound_low, bound_high, alpha.

    Examples
    --------
    >>> tost(Sample(50, 0.0, 1.0), Sample(50, 0.1, 1.0), low=-0.5, high=0.5).p.round(3).item()
    0.024
    """
    if not low < high:
        raise InputError(f"bounds {low} and {high}", "a lower bound below the upper one")
    if not 0 < alpha < 0.5:
        raise InputError(f"alpha {alpha}", "alpha between 0 and 0.5")
    sample = Sample.of(first)
    if second is None:
        if sample.n < 2:
            raise InputError("one score", "at least two scores")
        difference, se, df = sample.mean, sample.sd / math.sqrt(sample.n), float(sample.n - 1)
    else:
        second_sample = Sample.of(second)
        difference = sample.mean - second_sample.mean
        se, df = standard_error(sample, second_sample, variances)
    if se == 0:
        raise InputError("scores without any spread", "scores that vary", "report the difference itself")
    t_low, t_high = (difference - low) / se, (difference - high) / se
    p_low, p_high = float(stats.t.sf(t_low, df)), float(stats.t.cdf(t_high, df))
    half = float(stats.t.ppf(1 - alpha, df)) * se
    p = max(p_low, p_high)
    row = {
        "difference": difference, "se": se, "df": df, "t_low": t_low, "p_low": p_low, "t_high": t_high,
        "p_high": p_high, "p": p, "equivalent": p <= alpha, "low": difference - half, "high": difference +
        half, "bound_low": low, "bound_high": high, "alpha": alpha,
    }  # fmt: skip
    return pd.DataFrame([row])
