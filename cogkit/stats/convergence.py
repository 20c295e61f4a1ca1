"""Whether several chains have reached the same distribution, and how many independent draws they are worth."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

_TAILS = 0.05, 0.95


class Convergence(NamedTuple):
    """What several chains of one statistic tell of each other; see `convergence`."""

    rhat: float
    ess_bulk: float
    ess_tail: float


def convergence(draws) -> Convergence:
    """Return R̂ and the effective sample sizes of several chains of one statistic (Vehtari et al. 2021).

    Parameters
    ----------
    draws : (chains, n) array of float
        One row per chain, in the order of its draws.

    Returns
    -------
    Convergence
        ``rhat``, the rank-normalised, folded split-R̂: near 1 if the chains have the same place and the same spread.
        ``ess_bulk`` and ``ess_tail``, the number of independent draws that tell as much about the middle, and about
        the 5 % and 95 % quantiles. All NaN with fewer than four draws per chain; ``rhat`` is NaN too if all draws are
        equal, and infinite if the half chains differ but none of them varies.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> alike = rng.normal(size=(4, 1000))
    >>> convergence(alike).rhat < 1.01 < convergence(alike * [[1], [1], [1], [4]]).rhat
    True
    """
    from arviz_stats.base.array import array_stats  # brings scipy.stats, which takes 50 MB

    draws = np.asarray(draws, float)
    if draws.shape[0] == 0 or draws.shape[1] < 4:
        return Convergence(float("nan"), float("nan"), float("nan"))
    known: Any = array_stats  # its types say less than it does
    with np.errstate(divide="ignore", invalid="ignore"):
        rhat = known.rhat(draws, chain_axis=0, draw_axis=1)
        bulk = known.ess(draws, chain_axis=0, draw_axis=1, method="bulk")
        tail = known.ess(draws, chain_axis=0, draw_axis=1, method="tail", prob=_TAILS)
    return Convergence(float(rhat), float(bulk), float(tail))
