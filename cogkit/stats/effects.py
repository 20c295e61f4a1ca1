"""Differences between groups: t tests, equivalence (Schuirmann 1987), effect sizes, medians, paired and rank tests.

For tests with a normal model, a group may be its scores or a `Sample` (n, mean, sd); the result is the same.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import scipy

from cogkit.core import presets
from cogkit.core.errors import InputError
from cogkit.stats.bootstrap import cluster_bootstrap, weighted_median
from cogkit.stats.samples import Sample

VARIANCES = ("pooled", "welch")


def standard_error(first: Sample, second: Sample, variances: str) -> tuple[float, float]:
    """Return (standard error, degrees of freedom) of the difference of two means.

    Notes
    -----
    pooled: ``√(s² (1/n₁ + 1/n₂))``, ``s² = ((n₁-1) s₁² + (n₂-1) s₂²) / (n₁+n₂-2)``, df = n₁+n₂-2.
    welch: ``√(v₁ + v₂)``, ``v = s²/n``, df = ``(v₁+v₂)² / (v₁²/(n₁-1) + v₂²/(n₂-1))``.
    """
    presets.choose(variances, VARIANCES, "kind of variance")
    if min(first.n, second.n) < 2:
        raise InputError(f"groups of {first.n} and {second.n}", "at least two scores in each group")
    v1, v2 = first.sd**2 / first.n, second.sd**2 / second.n
    if variances == "welch":
        if v1 + v2 == 0:
            return 0.0, float("nan")
        return math.sqrt(v1 + v2), (v1 + v2) ** 2 / (v1**2 / (first.n - 1) + v2**2 / (second.n - 1))
    df = first.n + second.n - 2
    variance = ((first.n - 1) * first.sd**2 + (second.n - 1) * second.sd**2) / df
    return math.sqrt(variance * (1 / first.n + 1 / second.n)), float(df)


def t_test(
    first, second, variances: str = "pooled", level: float = 0.95, alternative: str = "two-sided"
) -> pd.DataFrame:
    """Return the two-sample t test of a difference of means, one row.

    Parameters
    ----------
    first, second : array of float, or Sample
        The two groups; the difference is first minus second.
    variances : {"pooled", "welch"}
        Student's test with one variance, or Welch's with two (see `standard_error`).
    level : float
        Confidence level of the interval.
    alternative : {"two-sided", "greater", "less"}
        The alternative hypothesis: the means differ, the first is greater, or the first is less.

    Returns
    -------
    DataFrame
        Columns test, difference, se, t, df, p, low, high (always two-sided), level, n_first,
        n_second. t is NaN for two groups without any spread.

    Examples
    --------
    >>> t_test([1.0, 2.0, 3.0], Sample(3, 4.0, 1.0)).t.round(3).item()
    -2.449
    """
    first, second = Sample.of(first), Sample.of(second)
    se, df = standard_error(first, second, variances)
    row = {"test": variances} | _t_row(first.mean - second.mean, se, df, level)
    if alternative != "two-sided":
        row["p"] = float(scipy.stats.t.sf(row["t"] * (1 if alternative == "greater" else -1), df))
    return pd.DataFrame([row | {"n_first": first.n, "n_second": second.n}])


def _t_row(difference: float, se: float, df: float, level: float) -> dict:
    t = difference / se if se > 0 else float("nan")
    half = scipy.stats.t.ppf((1 + level) / 2, df) * se
    return {
        "difference": difference, "se": se, "t": t, "df": df, "p": float(2 * scipy.stats.t.sf(abs(t), df)),
        "low": float(difference - half), "high": float(difference + half), "level": level,
    }  # fmt: skip


def paired_t(first, second, level: float = 0.95) -> pd.DataFrame:
    """Return the paired t test of two vectors of the same units, one row.

    Returns
    -------
    DataFrame
        Columns test, difference, se, t, df, p (two-sided), low, high, level, n, dz (mean over sd of the
        differences).

    Examples
    --------
    >>> paired_t([1.0, 2.0, 4.0], [0.0, 0.0, 1.0]).t.round(3).item()
    3.464
    """
    sample = Sample.of(np.asarray(first, dtype=float) - np.asarray(second, dtype=float))
    row = _t_row(sample.mean, sample.sd / math.sqrt(sample.n), sample.n - 1, level)
    dz = sample.mean / sample.sd if sample.sd > 0 else float("nan")
    return pd.DataFrame([{"test": "paired"} | row | {"n": sample.n, "dz": dz}])


def wilcoxon(differences) -> pd.DataFrame:
    """Return Wilcoxon's signed-rank test of differences from zero, one row.

    Parameters
    ----------
    differences : array of float
        One difference for each unit.

    Returns
    -------
    DataFrame
        Columns test, statistic (the smaller rank sum), p (two-sided; exact up to 50 pairs without ties or
        zeros), n (pairs that differ), rank_biserial ((positive - negative rank sum) / total).

    Examples
    --------
    >>> wilcoxon([1.0, 2.0, 3.0, 4.0, 5.0]).p.item()
    0.0625
    """
    d = np.asarray(differences, dtype=float)
    d = d[d != 0]
    ranks = scipy.stats.rankdata(np.abs(d))
    positive, negative = ranks[d > 0].sum(), ranks[d < 0].sum()
    row = {"test": "wilcoxon", "statistic": float(min(positive, negative)), "p": float(scipy.stats.wilcoxon(d).pvalue)}
    return pd.DataFrame([row | {"n": d.size, "rank_biserial": float((positive - negative) / ranks.sum())}])


def standardised_difference(first, second, level: float = 0.95) -> pd.DataFrame:
    """Return Cohen's d and Hedges' g of two groups with exact intervals, one row each.

    Parameters
    ----------
    first, second : array of float, or Sample
        The two groups; the difference is first minus second.
    level : float
        Confidence level.

    Returns
    -------
    DataFrame
        Columns measure ("Cohen's d", "Hedges' g"), value, low, high, level, n_first, n_second.

    Notes
    -----
    d = difference / pooled sd; g = J d, ``J = Γ(m/2) / (√(m/2) Γ((m-1)/2))``, m = n₁+n₂-2 (Hedges 1981). The
    interval of d inverts the noncentral t distribution of ``d / √(1/n₁ + 1/n₂)``; that of g is J times it.

    Examples
    --------
    >>> standardised_difference([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]).value.round(3).tolist()
    [-3.0, -2.394]
    """
    first, second = Sample.of(first), Sample.of(second)
    se, df = standard_error(first, second, "pooled")
    if se == 0:
        raise InputError("two groups without any spread", "groups whose scores vary", "report the difference itself")
    root = math.sqrt(1 / first.n + 1 / second.n)
    t = (first.mean - second.mean) / se
    tail = (1 - level) / 2
    low, high = (_noncentrality(t, df, share) * root for share in (1 - tail, tail))
    j = math.exp(scipy.special.gammaln(df / 2) - scipy.special.gammaln((df - 1) / 2)) / math.sqrt(df / 2)
    rows = [
        {"measure": name, "value": factor * t * root, "low": factor * low, "high": factor * high}
        for name, factor in (("Cohen's d", 1.0), ("Hedges' g", j))
    ]
    return pd.DataFrame(rows).assign(level=level, n_first=first.n, n_second=second.n)


def _noncentrality(t: float, df: float, share: float) -> float:
    """Return the noncentrality at which the probability of a t this large or smaller is ``share``."""

    def excess(nc: float) -> float:
        return scipy.stats.nct.cdf(t, df, nc) - share

    # The probability falls as the noncentrality grows. The bracket widens in small steps, because scipy's noncentral
    # t is NaN far out in the tail.
    step, near, far = (1.0 if excess(t) > 0 else -1.0), t, t
    while np.sign(excess(far)) == np.sign(excess(t)):
        near, far = far, far + step
    return scipy.optimize.brentq(excess, min(near, far), max(near, far), xtol=1e-10)


def tost(first, second, *, low: float, high: float, variances: str = "welch", alpha: float = 0.05) -> pd.DataFrame:
    """Return the two one-sided t tests of whether a difference of means lies between two bounds, one row.

    Parameters
    ----------
    first, second : array of float, or Sample
        The two groups; the difference is first minus second.
    low, high : float
        The bounds of what counts as no difference, in the unit of the scores, fixed beforehand.
    variances : {"welch", "pooled"}
        As in `t_test`.
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
    first, second = Sample.of(first), Sample.of(second)
    difference = first.mean - second.mean
    se, df = standard_error(first, second, variances)
    t_low, t_high = (difference - low) / se, (difference - high) / se
    p_low, p_high = float(scipy.stats.t.sf(t_low, df)), float(scipy.stats.t.cdf(t_high, df))
    half = float(scipy.stats.t.ppf(1 - alpha, df)) * se
    p = max(p_low, p_high)
    row = {
        "difference": difference, "se": se, "df": df, "t_low": t_low, "p_low": p_low, "t_high": t_high,
        "p_high": p_high, "p": p, "equivalent": p <= alpha, "low": difference - half, "high": difference + half,
        "bound_low": low, "bound_high": high, "alpha": alpha,
    }  # fmt: skip
    return pd.DataFrame([row])


def median(values, rng: np.random.Generator, *, resamples: int = 2000, level: float = 0.95) -> pd.DataFrame:
    """Return the median of a group with its bootstrap percentile interval, one row.

    Returns
    -------
    DataFrame
        Columns estimate, low, high, se, level, method, resamples, n.

    Examples
    --------
    >>> median([1.0, 2.0, 9.0], np.random.default_rng(0)).estimate.item()
    2.0
    """
    scores = np.asarray(values, dtype=float)
    table = cluster_bootstrap(
        weighted_median(scores), np.arange(scores.size), rng, within=False, resamples=resamples, level=level
    )
    return table.drop(columns="clusters")
