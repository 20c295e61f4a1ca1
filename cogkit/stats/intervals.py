"""Intervals for proportions and means, and the highest proportion that chance explains."""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy
from scipy import special  # quantiles without scipy.stats, which takes 50 MB

from cogkit.core.errors import InputError
from cogkit.stats.samples import Sample


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
