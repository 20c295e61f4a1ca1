"""Correlations: by ranks with a bootstrap interval, and with other variables held constant."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import scipy

from cogkit.stats.bootstrap import ENDS, resampled


def spearman(x, y, rng: np.random.Generator, *, strata=None, resamples: int = 2000) -> pd.DataFrame:
    """Return Spearman's rank correlation of two vectors of the same units, one row.

    Parameters
    ----------
    x, y : array of float
        Two scores of each unit.
    rng : numpy.random.Generator
        Source of the bootstrap.
    strata : (n,) array, optional
        Units are resampled inside their stratum, so that each stratum keeps its size. The correlation is always over
        all units together.
    resamples : int
        Number of resamples.

    Returns
    -------
    DataFrame
        Columns rho, p (two-sided; t with n - 2 degrees of freedom, not for small n), n, low, high (95 %, percentile
        bootstrap over units), undefined (share of resamples in which a vector has no spread; they are left out). The
        correlation is NaN for a vector without spread.

    Notes
    -----
    Pearson's correlation of the ranks, ties sharing their mean rank. Each resample is ranked anew.

    Examples
    --------
    >>> spearman([1.0, 2.0, 3.0, 4.0], [1.0, 4.0, 9.0, 2.0], np.random.default_rng(0)).rho.round(3).item()
    0.4
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    has_spread = np.ptp(x) > 0 and np.ptp(y) > 0
    rho, p = map(float, scipy.stats.spearmanr(x, y)) if has_spread else (np.nan, np.nan)
    cluster = np.zeros(x.size, int)  # one cluster, always drawn once: only units within strata are resampled
    limits = percentiles(resampled(_rho(x, y), cluster, rng, resamples, within=True, strata=strata))
    return pd.DataFrame([(rho, p, x.size, *limits)], columns=["rho", "p", "n", "low", "high", "undefined"])


def partial_correlation(x, y, covariates, method: str = "rank") -> pd.DataFrame:
    """Return the correlation of two vectors with others held constant, one row.

    Parameters
    ----------
    x, y : array of float
        Two scores of each unit.
    covariates : array of float
        The control, held constant.
    method : {"rank", "linear"}
        Correlate the ranks of all variables (Spearman's), or the variables themselves (Pearson's).

    Returns
    -------
    DataFrame
        Columns r, n, method. r is NaN if the control explains x or y completely.

    Notes
    -----
    Pearson's correlation of the residuals of x and of y, each regressed on the control z and a constant:
    ``r = (r_xy - r_xz r_yz) / √((1 - r_xz²)(1 - r_yz²))``.

    Examples
    --------
    >>> x, y, covariates = [1.0, 2.0, 4.0, 3.0], [1.0, 3.0, 4.0, 2.0], [1.0, 2.0, 3.0, 4.0]
    >>> partial_correlation(x, y, covariates, "linear").r.round(3).item()
    0.873
    """
    table = np.array([x, y, covariates], dtype=float)
    table = scipy.stats.rankdata(table, axis=1) if method == "rank" else table
    (_, xy, xz), (_, _, yz), _ = np.corrcoef(table)
    rest = (1 - xz**2) * (1 - yz**2)
    # A rest this small is rounding error: the control explains a variable completely.
    r = float((xy - xz * yz) / np.sqrt(rest)) if rest > 1e-14 else np.nan
    return pd.DataFrame([{"r": r, "n": table.shape[1], "method": method}])


def percentiles(draws: np.ndarray) -> tuple[float, float, float]:
    """Return the 95 % percentile interval of the draws without NaN, and the share of draws that are NaN."""
    values = draws[~np.isnan(draws)]
    low, high = np.quantile(values, ENDS) if values.size else (np.nan, np.nan)
    return float(low), float(high), float(1 - values.size / draws.size)


def _rho(x: np.ndarray, y: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Return a statistic of counts: Spearman's correlation."""
    ranks_x, ranks_y = _ranks(x), _ranks(y)

    def statistic(counts: np.ndarray) -> np.ndarray:
        # Midranks always average to (n + 1) / 2.
        centre = (counts.sum(axis=1, keepdims=True) + 1) / 2
        a, b = ranks_x(counts) - centre, ranks_y(counts) - centre
        covariance, va, vb = ((counts * product).sum(axis=1) for product in (a * b, a * a, b * b))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where((va > 0) & (vb > 0), covariance / np.sqrt(va * vb), np.nan)

    return statistic


def _ranks(values: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Return a statistic of counts (b, n): the midrank of each unit among those present, (b, n)."""
    distinct, place = np.unique(values, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(distinct.size))

    def ranks(counts: np.ndarray) -> np.ndarray:
        repeats = np.add.reduceat(counts[:, order], starts, axis=1)  # how often each value is present
        return (repeats.cumsum(axis=1) - (repeats - 1) / 2)[:, place]

    return ranks


def correlations(rows: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Return Pearson's correlation of each row, (b, d), with one reference, (d,); NaN where either does not vary.

    Examples
    --------
    >>> correlations(np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]), np.array([0.0, 0.0, 1.0])).round(3)
    array([0.866,   nan])
    """
    rows = rows - rows.mean(axis=1, keepdims=True)
    deviations = reference - np.mean(reference)
    lengths = np.sqrt((rows**2).sum(axis=1) * (deviations**2).sum())
    return np.divide(rows @ deviations, lengths, out=np.full(len(rows), np.nan), where=lengths > 1e-12)
