"""The cluster bootstrap: resample whole clusters, then units within them.

A resample is a row of counts: how often each unit was drawn. A statistic of all resamples is then one matrix
product, and no resample is copied. See Davison & Hinkley (1997, § 3.8) for the two-stage scheme.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

ENDS = 0.025, 0.975  # the shares of resamples below the limits of an interval
_AT_ONCE = 2**22  # counts that `cluster_bootstrap` holds at once: 32 MB


def weighted_mean(values) -> Callable[[np.ndarray], np.ndarray]:
    """Return a statistic for `cluster_bootstrap`: the mean of ``values`` under counts.

    Examples
    --------
    >>> weighted_mean([1.0, 5.0])(np.array([[1, 1], [2, 0]]))
    array([3., 1.])
    """
    scores = np.asarray(values, dtype=float)
    return lambda counts: (counts @ scores) / counts.sum(axis=1)


def weighted_median(values) -> Callable[[np.ndarray], np.ndarray]:
    """Return a statistic for `cluster_bootstrap`: the median of ``values`` under counts.

    Examples
    --------
    >>> weighted_median([1.0, 5.0, 9.0])(np.array([[1, 1, 1], [2, 0, 2]]))
    array([5., 5.])
    """
    scores = np.asarray(values, dtype=float)
    order = np.argsort(scores, kind="stable")
    ascending = scores[order]

    def statistic(counts: np.ndarray) -> np.ndarray:
        below = counts[:, order].cumsum(axis=1)
        total = below[:, -1:]
        lower = (below >= (total + 1) // 2).argmax(axis=1)
        upper = (below >= total // 2 + 1).argmax(axis=1)
        return (ascending[lower] + ascending[upper]) / 2

    return statistic


def draw_counts(clusters, rng: np.random.Generator, resamples: int, *, within: bool = True, strata=None) -> np.ndarray:
    """Return how often each unit is drawn in each resample, (resamples, n) int64.

    Parameters
    ----------
    clusters : (n,) array
        The cluster of each unit.
    resamples : int
        Number of rows.
    within : bool
        Also resample units inside each drawn cluster; False keeps a drawn cluster whole.
    strata : (n,) array, optional
        Units are resampled inside their stratum of the cluster, so that each stratum keeps its size.

    Notes
    -----
    C clusters are drawn from C with equal chances. A cluster drawn k times gives, for each of its groups
    (its strata, or the whole cluster) of m units, k · m units drawn from those m: a multinomial given k.
    """
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    k = rng.multinomial(cluster.max() + 1, np.full(cluster.max() + 1, 1 / (cluster.max() + 1)), size=resamples)
    if not within:
        return k[:, cluster]
    layer = np.zeros_like(cluster) if strata is None else np.unique(np.asarray(strata), return_inverse=True)[1]
    counts = np.empty((resamples, cluster.size), np.int64)
    for c, s in sorted(set(zip(cluster.tolist(), layer.tolist(), strict=True))):
        units = np.flatnonzero((cluster == c) & (layer == s))
        counts[:, units] = rng.multinomial(k[:, c] * units.size, np.full(units.size, 1 / units.size))
    return counts


def resampled(
    statistic: Callable[[np.ndarray], np.ndarray], clusters, rng: np.random.Generator, resamples: int, *,
    within: bool, strata=None, at_once: int = 2**21,
) -> np.ndarray:  # fmt: skip
    """Return a statistic of every resample of `draw_counts`, in rows.

    ``at_once`` counts are held at once; another number gives other draws.
    """
    step, parts = max(1, at_once // len(clusters)), []
    for start in range(0, resamples, step):
        counts = draw_counts(clusters, rng, min(step, resamples - start), within=within, strata=strata)
        # a few rows at a time, since numpy makes a copy of whole numbers that it multiplies with others
        parts += [statistic(rows) for rows in np.array_split(counts, min(16, len(counts)))]
    return np.concatenate(parts)


def cluster_bootstrap(
    statistic: Callable[[np.ndarray], np.ndarray], clusters, rng: np.random.Generator, *,
    strata=None, within: bool = True, resamples: int = 2000,
) -> pd.DataFrame:  # fmt: skip
    """Return the bootstrap interval of a statistic, one row per statistic.

    Parameters
    ----------
    statistic : callable
        ``statistic(counts (b, n)) -> (b,) or (b, k)``: the statistic when unit i is present ``counts[:, i]``
        times, such as the result of `weighted_mean`. It must not depend on the order of units.
    clusters : (n,) array
        The cluster of each unit; ``range(n)`` is the ordinary bootstrap, with ``within`` true or false.
    rng : numpy.random.Generator
        Source of the draws; the same state gives the same table.
    strata, within
        As in `draw_counts`.
    resamples : int
        Number of resamples.

    Returns
    -------
    DataFrame
        Columns estimate, low, high, se, n.

    Notes
    -----
    Low and high are the quantiles .025 and .975 of the resampled statistics. With fewer than about ten clusters the
    interval is too short; reports should say so.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> cluster_bootstrap(weighted_mean([1.0, 2.0, 3.0, 4.0]), "aabb", rng).estimate.item()
    2.5
    """
    names = np.asarray(list(clusters))
    draws = _columns(resampled(statistic, names, rng, resamples, within=within, strata=strata, at_once=_AT_ONCE))
    low, high = np.quantile(draws, ENDS, axis=0)
    estimate = _columns(statistic(np.ones((1, names.size), np.int64)))[0]
    table = {"estimate": estimate, "low": low, "high": high, "se": draws.std(axis=0, ddof=1), "n": names.size}
    return pd.DataFrame(table)


def _columns(values) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    return values.reshape(values.shape[0], -1)
