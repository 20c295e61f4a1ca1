"""Intervals: of proportions, of means, of the mean of several runs; and the highest proportion that chance explains.

Runs that answer the same items share the luck of those items, so more runs do not make it smaller. Runs and items are
crossed random effects: a score is a mean, and what is due to its run, to its item, and to the two together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy
from scipy import special  # quantiles without scipy.stats, which takes 50 MB

from cogkit.core.errors import InputError
from cogkit.stats.samples import Sample

_Z = special.ndtri(0.975)
_WORDS = {"sample": "{} runs and items", "own": "{} runs, each with its own items", "fixed": "{} runs, items fixed"}


def wilson(successes, n):
    """Return (low, high), Wilson's 95 % score interval of a proportion; floats, or arrays for arrays.

    Dependent trials count as fewer. Their effective number, and the matching number of successes, need not be whole
    (Korn & Graubard 1998).

    Notes
    -----
    With p = k/n and z the normal quantile:
    ``(p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)`` (Wilson 1927).

    Examples
    --------
    >>> [round(float(limit), 4) for limit in wilson(81, 263)]
    [0.2553, 0.3662]
    """
    k, n = np.broadcast_arrays(np.asarray(successes, dtype=float), np.asarray(n, dtype=float))
    if not ((k >= 0) & (k <= n) & (n >= 1)).all():
        raise InputError(f"{successes} successes in {n} trials", "numbers with 0 ≤ successes ≤ n and n ≥ 1")
    z, p = special.ndtri(0.975), k / n
    centre = p + z**2 / (2 * n)
    half = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    low, high = (centre - half) / (1 + z**2 / n), (centre + half) / (1 + z**2 / n)
    # The formula gives 0 and 1 at the ends, except for rounding errors; the limits must stay in [0, 1].
    return np.where(k == 0, 0.0, low)[()], np.where(k == n, 1.0, high)[()]


def chance_limit(n: int, chance: float = 0.5) -> float:
    """Return the smallest proportion correct that is significantly above chance in n trials (exact,
    one-sided).

    Notes
    -----
    The smallest k/n with P(X ≥ k) ≤ .05, X ~ Binomial(n, chance). NaN if even n of n is not enough.

    Examples
    --------
    >>> chance_limit(10, 0.5)
    0.9
    """
    k = np.arange(int(n) + 1)
    enough = scipy.stats.binom.sf(k - 1, n, chance) <= 0.05
    return float(k[enough][0] / n) if enough.any() else float("nan")


def next_run(mean, sd, runs, among=None):
    """Return (low, high), the 95 % limits for one more run, from the mean of some runs; NaN for fewer than two.

    Parameters
    ----------
    mean, sd : float or array
        Mean of the runs, and their standard deviation.
    runs : int or array
        The number of runs behind ``sd``.
    among : int or array, optional
        The number of runs behind ``mean``; the same by default.

    Notes
    -----
    ``mean ± t(runs - 1) · sd · √(1 + 1/among)``.

    Examples
    --------
    >>> [round(float(limit), 3) for limit in next_run(0.5, 0.01, 3)]
    [0.45, 0.55]
    """
    several = np.where(np.asarray(runs) > 1, runs, np.nan)
    among = several if among is None else among
    half = special.stdtrit(several - 1, 0.975) * sd * np.sqrt(1 + 1 / among)
    return mean - half, mean + half


def within(printed: pd.Series, low: pd.Series, high: pd.Series, digit: float = 1e-3) -> pd.Series:
    """Return whether printed numbers, rounded to ``digit``, lie between two limits; missing without limits."""
    inside = printed.between(low - digit / 2, high + digit / 2)
    return inside.astype("boolean").mask(low.isna())


def mean_interval(values) -> tuple[float, float]:
    """Return (low, high), Student's 95 % t interval of a mean, from scores or from a `Sample`.

    One score alone has no interval: (nan, nan).

    Notes
    -----
    ``mean ± t(.975; n - 1) · sd / √n``.

    Examples
    --------
    >>> [round(limit, 3) for limit in mean_interval([1.0, 2.0, 3.0])]
    [-0.484, 4.484]
    """
    sample = Sample.of(values)
    if sample.n == 1:
        return float("nan"), float("nan")
    half = special.stdtrit(sample.n - 1, 0.975) * sample.sd / np.sqrt(sample.n)
    return float(sample.mean - half), float(sample.mean + half)


class RunsMean(NamedTuple):
    """The mean of some runs, its 95 % limits, the number of runs, and what the interval is over, in words."""

    value: float
    low: float
    high: float
    runs: int
    interval: str


def mean_over_runs(values, n=None, *, se=None, items: str = "sample") -> RunsMean:
    """Return the mean over runs and its 95 % interval.

    Parameters
    ----------
    values : (runs,) or (runs, items) array
        One score a run, or the score of each run on each of the items that all of them share. Booleans are answers,
        right or not.
    n : int or (runs,) array, optional
        The number of answers behind each score, if scores are shares of right answers.
    se : float or (runs,) array, optional
        The standard error of each score over its items, if scores are no shares.
    items : {"sample", "own", "fixed"}
        Whether all runs share items that stand for others (most do), each run has items of its own, or the items are
        all that the mean is about.

    Returns
    -------
    RunsMean
        One run has an interval over its items alone, and ``interval`` says so. Limits that nothing is known of are NaN.

    Notes
    -----
    With the answers to each item, the variance of the mean of R runs on I items is (MS_runs + MS_items − MS_rest) / RI,
    from the mean squares of a two-way table (Searle, Casella & McCulloch 1992, § 4.3), and at least what the larger of
    the first two gives. With one score a run it is s²/R + SE², as if all runs were wrong on the same items: more is not
    known, so that this interval is too wide rather than too narrow. For items of its own, or fixed ones, it is s²/R.
    Degrees of freedom are Satterthwaite's. Limits of shares are taken on the logit scale, with half an answer more on
    each side and a variance that is at least that of as many independent answers. The nightly tests of this folder
    measure how often such intervals hold the truth.

    Examples
    --------
    >>> mean = mean_over_runs([0.90, 0.95, 1.00], 600)
    >>> round(mean.value, 2), mean.low < 0.90 < 0.98 < mean.high < 1, mean.interval
    (0.95, True, '95% over 3 runs and items')
    >>> mean_over_runs([0.9], 600).interval
    '95% over items, one run'
    """
    table = np.asarray(values)
    if table.ndim == 2 and table.dtype == bool:
        n = table.shape[1]
    table = table.astype(float)
    runs, answers = len(table), table if table.ndim == 2 else None
    scores = table if answers is None else answers.mean(axis=1)
    value = float(scores.mean())
    sizes = None if n is None else np.broadcast_to(np.asarray(n, dtype=float), runs)
    errors = np.broadcast_to(0.0 if se is None else np.asarray(se, dtype=float), runs)
    if runs == 1:
        low, high = _of_one(value, answers, sizes, errors)
        return RunsMean(value, low, high, 1, "95% over items, one run")
    between, total = scores.var(ddof=1) / runs, None if sizes is None else sizes.sum()
    if items != "sample":
        variance, df = between, runs - 1.0
    elif answers is not None:
        variance, df = _crossed(answers)
    elif sizes is not None:
        total = sizes.mean()
        p = _shrunk(value, total)
        variance, df = _sum([between, p * (1 - p) / total], [runs - 1, total - 1])
    else:
        variance, df = _sum([between, np.square(errors).mean()], [runs - 1, np.inf])
    limits = _limits(value, variance, df, total)
    return RunsMean(value, *limits, runs, f"95% over {_WORDS[items].format(runs)}")


def mean_of_rows(rows: pd.DataFrame, items: str = "sample") -> RunsMean:
    """Return the mean of result rows of one player, one row a run; see `mean_over_runs`.

    What a run's items tell is read from its own interval: from Wilson's how many independent answers it counts, from
    any other a standard error.

    Examples
    --------
    >>> row = {"value": 0.9, "low": 0.873, "high": 0.922, "interval": "95% Wilson"}
    >>> mean_of_rows(pd.DataFrame([row, row | {"value": 0.92, "low": 0.896, "high": 0.939}])).interval
    '95% over 2 runs and items'
    """
    value, width = rows.value.to_numpy(float), (rows.high - rows.low).to_numpy(float)
    if len(rows) == 1 and np.isfinite(width).all():
        low, high = float(rows.low.iloc[0]), float(rows.high.iloc[0])
        return RunsMean(float(value[0]), low, high, 1, "95% over items, one run")
    if rows.interval.str.contains("Wilson").all() and (width > 0).all():
        return mean_over_runs(value, _counts(value, width), items=items)
    return mean_over_runs(value, se=np.nan_to_num(width) / (2 * _Z), items=items)


def _counts(p: np.ndarray, width: np.ndarray) -> np.ndarray:
    """Return the number of answers for which Wilson's interval of a share is so wide: its formula solved for 1/n."""
    square = (width / (2 * _Z)) ** 2
    a, b = square * _Z**4 - _Z**2 / 4, 2 * square * _Z**2 - p * (1 - p)
    return 2 * a / (-b - np.sqrt(b**2 - 4 * a * square))


def _of_one(value: float, answers, sizes, errors) -> tuple[float, float]:
    """Return the limits of a single run."""
    if sizes is not None:
        low, high = wilson(value * sizes[0], sizes[0])
        return float(low), float(high)
    if answers is not None:
        return mean_interval(answers[0])
    half = float(_Z * errors[0]) if errors[0] else float("nan")
    return value - half, value + half


def _crossed(answers: np.ndarray) -> tuple[float, float]:
    """Return the variance of the mean of a two-way table, and its degrees of freedom."""
    runs, items = answers.shape
    by_run, by_item = items * answers.mean(axis=1).var(ddof=1), runs * answers.mean(axis=0).var(ddof=1)
    rest = answers.var() * answers.size - by_run * (runs - 1) - by_item * (items - 1)
    squares = np.array([by_run, by_item, -max(rest, 0.0) / ((runs - 1) * (items - 1))])
    _, df = _sum(squares, [runs - 1, items - 1, (runs - 1) * (items - 1)])
    total = max(squares.sum(), by_run, by_item)
    larger = total / squares.sum() if squares.sum() > 0 else 1.0
    return total / answers.size, df * larger**2


def _sum(parts, dfs) -> tuple[float, float]:
    """Return a sum of estimated variances, and its degrees of freedom by Satterthwaite."""
    parts, total = np.asarray(parts, dtype=float), float(np.sum(parts))
    spread = (parts**2 / np.asarray(dfs, dtype=float)).sum()
    return total, max(1.0, total**2 / spread) if spread else np.inf


def _shrunk(share: float, n: float) -> float:
    """Return a share with half an answer more on each side."""
    return (share * n + 0.5) / (n + 1)


def _limits(value: float, variance: float, df: float, n: float | None) -> tuple[float, float]:
    """Return the limits of a mean, or of a share of n answers."""
    t = special.stdtrit(df, 0.975) if np.isfinite(df) else _Z
    if n is None:
        half = float(t * np.sqrt(variance))
        return value - half, value + half
    p = _shrunk(value, n)
    half = t * np.sqrt(max(variance, p * (1 - p) / n)) / (p * (1 - p))
    centre = special.logit(p)
    return min(value, float(special.expit(centre - half))), max(value, float(special.expit(centre + half)))
