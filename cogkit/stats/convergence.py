"""Whether several chains have reached the same distribution."""

from __future__ import annotations

import math

import numpy as np


def split_rhat(draws) -> float:
    """Return split-R̂ of several chains of one statistic; it is near 1 if the chains have the same distribution.

    Parameters
    ----------
    draws : (chains, n) array of float
        One row per chain, in the order of its draws.

    Returns
    -------
    float
        NaN with fewer than four draws per chain, or if all draws are equal; infinite if the half chains differ but none
        of them varies.

    Notes
    -----
    Each chain is cut into its first and last ⌊n/2⌋ draws, which makes J sequences of N. B is the variance of their
    means times N, and W the mean of their variances, both with the divisor n - 1.
    ``R̂ = √(((N - 1)/N · W + B/N) / W)`` (Gelman et al. 2013, *Bayesian Data Analysis*, § 11.4), without the rank
    normalisation of Vehtari et al. 2021.

    Examples
    --------
    >>> round(split_rhat([[0.0, 2.0, 1.0, 3.0], [1.0, 3.0, 0.0, 2.0]]), 4)
    0.8165
    """
    draws = np.asarray(draws, float)
    half = draws.shape[1] // 2
    if half < 2 or draws.shape[0] == 0:
        return math.nan
    sequences = np.concatenate([draws[:, :half], draws[:, -half:]])
    within = sequences.var(axis=1, ddof=1).mean()
    between = sequences.mean(axis=1).var(ddof=1)  # B / N
    if within == 0:
        return math.inf if between > 0 else math.nan
    return math.sqrt((half - 1) / half + between / within)
