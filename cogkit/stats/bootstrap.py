"""The cluster bootstrap: resample whole clusters, then units within them.

A resample is a row of counts: how often each unit was drawn. A statistic of all resamples is then one matrix
product, and no resample is copied. See Davison & Hinkley (1997, § 3.8) for the two-stage scheme.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy import stats

from cogkit.core import presets
from cogkit.core.contracts import InputError
from cogkit.stats.limits import as_level
from cogkit.stats.samples import as_scores

_CHUNK = 2**22  # counts held at once: 32 MB


def weighted_mean(values) -> Callable[[np.ndarray], np.ndarray]:
    """Return a statistic for `cluster_bootstrap`: the mean of ``values`` under counts.

    Examples
    --------
    >>> weighted_mean([1.0, 5.0])(np.array([[1, 1], [2, 0]]))
    array([3., 1.])
    """
    scores = as_scores(values)
    return lambda counts: (counts @ scores) / counts.sum(axis=1)


def weighted_median(values) -> Callable[[np.ndarray], np.ndarray]:
    """Return a statistic for `cluster_bootstrap`: the median of ``values`` under counts.

    Examples
    --------
    >>> weighted_median([1.0, 5.0, 9.0])(np.array([[1, 1, 1], [2, 0, 2]]))
    array([5., 5.])
    """
    scores = as_scores(values)
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
    rng : numpy.random.Generator
        Source of the draws.
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


def cluster_bootstrap(
    statistic: Callable[[np.ndarray], np.ndarray],
    clusters,
    rng: np.random.Generator,
    *,
    strata=None,
    within: bool = True,
    resamples: int = 2000,
    level: float = 0.95,
    method: str = "percentile",
) -> pd.DataFrame:
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
    level : float
        Confidence level.
    method : {"percentile", "bca"}
        Percentile interval, or bias-corrected and accelerated (Efron 1987), the acceleration from leaving
        out one cluster at a time. Both are too short with fewer than about ten clusters; reports should say so.

    Returns
    -------
    DataFrame
        Columns estimate, low, high, se, level, method, resamples, clusters, n.

    Notes
    -----
    Percentile: quantiles (1 ∓ level)/2 of the resampled statistics. BCa: quantiles
    ``Φ(z0 + (z0 ± z) / (1 - a (z0 ± z)))``, z0 = Φ⁻¹(share of resamples below the estimate),
    ``a = Σ d³ / 6 (Σ d²)^1.5`` with d the mean leave-one-cluster-out estimate minus each.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> cluster_bootstrap(weighted_mean([1.0, 2.0, 3.0, 4.0]), "aabb", rng).estimate.item()
    2.5
    """
    names = np.asarray(list(clusters))
    presets.choose(method, ("percentile", "bca"), "bootstrap interval")
    if names.size == 0 or np.unique(names).size < 2:
        raise InputError(f"{np.unique(names).size} clusters", "at least two clusters to resample")
    if resamples < 2:
        raise InputError(f"{resamples} resamples", "at least two", "2,000 is usual for an interval")
    step = max(1, _CHUNK // names.size)
    chunks = [
        _columns(statistic(draw_counts(names, rng, min(step, resamples - start), within=within, strata=strata)))
        for start in range(0, resamples, step)
    ]
    draws = np.concatenate(chunks)
    estimate = _columns(statistic(np.ones((1, names.size), np.int64)))[0]
    tails = np.array([(1 - as_level(level)) / 2, (1 + level) / 2])
    quantiles = np.repeat(tails[:, None], estimate.size, axis=1)
    if method == "bca":
        quantiles = _bca(draws, estimate, _columns(statistic(_leave_one_out(names))), tails)
    limits = [np.quantile(draws[:, j], quantiles[:, j]) for j in range(estimate.size)]
    return pd.DataFrame({
        "estimate": estimate,
        "low": [float(low) for low, _ in limits],
        "high": [float(high) for _, high in limits],
        "se": draws.std(axis=0, ddof=1),
        "level": level,
        "method": method,
        "resamples": resamples,
        "clusters": np.unique(names).size,
        "n": names.size,
    })  # fmt: skip


def _columns(values) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    return values.reshape(values.shape[0], -1)


def _leave_one_out(clusters: np.ndarray) -> np.ndarray:
    return (clusters != np.unique(clusters)[:, None]).astype(np.int64)


def _bca(draws: np.ndarray, estimate: np.ndarray, left_out: np.ndarray, tails: np.ndarray) -> np.ndarray:
    """Return the quantiles, (2, k), at which BCa cuts the resampled statistics."""
    below = ((draws < estimate).mean(axis=0) + (draws <= estimate).mean(axis=0)) / 2
    z0 = stats.norm.ppf(np.clip(below, 0.5 / len(draws), 1 - 0.5 / len(draws)))
    d = left_out.mean(axis=0) - left_out
    spread = (d**2).sum(axis=0)
    a = np.divide((d**3).sum(axis=0), 6 * spread**1.5, out=np.zeros_like(spread), where=spread > 0)
    z = z0 + stats.norm.ppf(tails)[:, None]
    return stats.norm.cdf(z0 + z / (1 - a * z))
