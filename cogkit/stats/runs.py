"""The mean of several runs, with one rule for its interval.

Runs that answer the same items share the luck of those items, so more runs do not make it smaller. Runs and items are
crossed random effects: a score is a mean, and what is due to its run, to its item, and to the two together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special  # quantiles without scipy.stats, which takes 50 MB

from cogkit.stats.intervals import mean_interval, wilson

_Z = special.ndtri(0.975)
_WORDS = {"sample": "{} runs and items", "own": "{} runs, each with its own items", "fixed": "{} runs, items fixed"}


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
        One score a run, or the score of each run on each of the items that all of them share.
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
    table = np.asarray(values, dtype=float)
    runs, answers = len(table), table if table.ndim == 2 else None
    scores = table if answers is None else answers.mean(axis=1)
    value = float(scores.mean())
    if answers is not None and 0 <= answers.min() and answers.max() <= 1:
        n = answers.shape[1]
    sizes = None if n is None else np.broadcast_to(np.asarray(n, dtype=float), runs)
    errors = np.broadcast_to(0.0 if se is None else np.asarray(se, dtype=float), runs)
    if runs == 1:
        return RunsMean(value, *_of_one(value, answers, sizes, errors), 1, "95% over items, one run")
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
        return RunsMean(*rows[["value", "low", "high"]].to_numpy(float)[0].tolist(), 1, "95% over items, one run")
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
    return total / answers.size, df * (total / squares.sum()) ** 2 if squares.sum() else df


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
