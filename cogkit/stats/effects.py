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


def standard_error(first: Sample, second: Sample, variances: str) -> tuple[float, float]:
    """Return (standard error, degrees of freedom) of the difference of two means.

    Notes
    -----
    pooled: ``√(s² (1/n₁ + 1/n₂))``, ``s² = ((n₁-1) s₁² + (n₂-1) s₂²) / (n₁+n₂-2)``, df = n₁+n₂-2.
    welch: ``√(v₁ + v₂)``, ``v = s²/n``, df = ``(v₁+v₂)² / (v₁²/(n₁-1) + v₂²/(n₂-1))``.
    """

    presets.choose(variances, ("pooled", "welch"), "kind of variance")
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


def t_test(first, second, variances: str = "pooled") -> pd.DataFrame:
    """Return the two-sample t test of a difference of means, two-sided, one row.

    Parameters
    ----------
    first, second : array of float, or Sample
        The two groups; the difference is first minus second.
    variances : {"pooled", "welch"}
        Student's test with one variance, or Welch's with two (see `standard_error`).

    Returns
    -------
    DataFrame
        Columns test, difference, se, t, df, p, low, high (95 %), n_first, n_second. t is NaN for two groups without any
        spread.

    Examples
    --------
    >>> t_test([1.0, 2.0, 3.0], Sample(3, 4.0, 1.0)).t.round(3).item()
    -2.449
    """
    first, second = Sample.of(first), Sample.of(second)
    se, df = standard_error(first, second, variances)
    row = {"test": variances} | _t_row(first.mean - second.mean, se, df)
    return pd.DataFrame([row | {"n_first": first.n, "n_second": second.n}])


def _t_row(difference: float, se: float, df: float) -> dict:
    t, half = difference / se if se > 0 else float("nan"), scipy.special.stdtrit(df, 0.975) * se
    return {
        "difference": difference, "se": se, "t": t, "df": df, "p": float(2 * scipy.special.stdtr(df, -abs(t))),
        "low": float(difference - half), "high": float(difference + half),
    }  # fmt: skip


def paired_t(first, second) -> pd.DataFrame:
    """Return the paired t test of two vectors of the same units, one row.

    Returns
    -------
    DataFrame
        Columns test, difference, se, t, df, p (two-sided), low, high (95 %), n, dz (mean over sd of the differences).

    Examples
    --------
    >>> paired_t([1.0, 2.0, 4.0], [0.0, 0.0, 1.0]).t.round(3).item()
    3.464
    """
    sample = Sample.of(np.asarray(first, dtype=float) - np.asarray(second, dtype=float))
    row = _t_row(sample.mean, sample.sd / math.sqrt(sample.n), sample.n - 1)
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
    test, positive = scipy.stats.wilcoxon(d), scipy.stats.wilcoxon(d, alternative="greater").statistic
    row = {"test": "wilcoxon", "statistic": float(test.statistic), "p": float(test.pvalue), "n": d.size}
    return pd.DataFrame([row | {"rank_biserial": float(4 * positive / (d.size * (d.size + 1)) - 1)}])


def standardised_difference(first, second) -> pd.DataFrame:
    """Return Cohen's d and Hedges' g of two groups with exact intervals, one row each.

    Parameters
    ----------
    first, second : array of float, or Sample
        The two groups, whose scores vary; the difference is first minus second.

    Returns
    -------
    DataFrame
        Columns measure ("Cohen's d", "Hedges' g"), value, low, high (95 %), n_first, n_second.

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
    low, high = (_noncentrality(t, df, share) * root for share in (0.975, 0.025))
    j = math.exp(scipy.special.gammaln(df / 2) - scipy.special.gammaln((df - 1) / 2)) / math.sqrt(df / 2)
    rows = [
        {"measure": name, "value": factor * t * root, "low": factor * low, "high": factor * high}
        for name, factor in (("Cohen's d", 1.0), ("Hedges' g", j))
    ]
    return pd.DataFrame(rows).assign(n_first=first.n, n_second=second.n)


def _noncentrality(t: float, df: float, share: float) -> float:
    """Return the noncentrality at which the probability of a t this large or smaller is ``share``."""
    start = scipy.special.nctdtrinc(df, share, t)  # right to five digits
    return scipy.optimize.newton(lambda nc: scipy.stats.nct.cdf(t, df, nc) - share, start, tol=1e-12)


def tost(first, second, *, low: float, high: float, variances: str = "welch") -> pd.DataFrame:
    """Return the two one-sided t tests of whether a difference of means lies between two bounds, one row.

    Parameters
    ----------
    first, second : array of float, or Sample
        The two groups; the difference is first minus second.
    low, high : float
        The bounds of what counts as no difference, in the unit of the scores, fixed beforehand.
    variances : {"welch", "pooled"}
        As in `t_test`.

    Returns
    -------
    DataFrame
        Columns difference, se, df, t_low, p_low (above the lower bound), t_high, p_high (below the upper one), p (the
        larger), equivalent (p is at most .05), low, high (the 90 % interval, inside the bounds exactly when
        equivalent).

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
    half = float(scipy.stats.t.ppf(0.95, df)) * se
    p = max(p_low, p_high)
    return pd.DataFrame([{
        "difference": difference, "se": se, "df": df, "t_low": t_low, "p_low": p_low, "t_high": t_high,
        "p_high": p_high, "p": p, "equivalent": p <= 0.05, "low": difference - half, "high": difference + half,
    }])  # fmt: skip


def median(values, rng: np.random.Generator, *, resamples: int = 2000) -> pd.DataFrame:
    """Return the median of a group with its bootstrap percentile interval, one row.

    Returns
    -------
    DataFrame
        Columns estimate, low, high, se, n.

    Examples
    --------
    >>> median([1.0, 2.0, 9.0], np.random.default_rng(0)).estimate.item()
    2.0
    """
    clusters = np.arange(len(values))
    return cluster_bootstrap(weighted_median(values), clusters, rng, within=False, resamples=resamples)
