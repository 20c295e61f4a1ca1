"""Correlations: by ranks with a bootstrap interval, and with other variables held constant."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import scipy

from cogkit.stats.bootstrap import resampled


def spearman(
    x, y, rng: np.random.Generator | None = None, *, strata=None, resamples: int = 2000, level: float = 0.95
) -> pd.DataFrame:
    """Return Spearman's rank correlation of two vectors of the same units, one row.

    Parameters
    ----------
    x, y : array of float
        Two scores of each unit.
    rng : numpy.random.Generator, optional
        Source of the bootstrap; without it there is no interval.
    strata : (n,) array, optional
        Units are resampled inside their stratum, so that each stratum keeps its size. The correlation is always over
        all units together.
    resamples : int
        Number of resamples.
    level : float
        Confidence level.

    Returns
    -------
    DataFrame
        Columns rho, p (two-sided; t with n - 2 degrees of freedom, not for small n), n, low, high (percentile
        bootstrap over units), undefined (share of resamples in which a vector has no spread; they are
        left out), level, resamples. The correlation is NaN for a vector without spread.

    Notes
    -----
    Pearson's correlation of the ranks, ties sharing their mean rank. Each resample is ranked anew.

    Examples
    --------
    >>> spearman([1.0, 2.0, 3.0, 4.0], [1.0, 4.0, 9.0, 2.0]).rho.round(3).item()
    0.4
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    row = {"rho": _rho(x, y)(np.ones((1, x.size), np.int64)).item(), "p": np.nan, "n": x.size}
    if np.isfinite(row["rho"]):
        row["p"] = float(scipy.stats.spearmanr(x, y).pvalue)
    low = high = undefined = np.nan
    if rng is not None:
        cluster = np.zeros(x.size, int)  # one cluster, always drawn once: only units within strata are resampled
        draws = resampled(_rho(x, y), cluster, rng, resamples, within=True, strata=strata)
        low, high, undefined = percentiles(draws, level)
    row |= {"low": low, "high": high, "undefined": undefined, "level": level}
    return pd.DataFrame([row | {"resamples": 0 if rng is None else resamples}])


def partial_correlation(x, y, covariates, method: str = "rank") -> pd.DataFrame:
    """Return the correlation of two vectors with others held constant, one row.

    Parameters
    ----------
    x, y : array of float
        Two scores of each unit.
    covariates : array of float
        The controls, held constant: (n,), or (n, k) for k controls.
    method : {"rank", "linear"}
        Correlate the ranks of all variables (Spearman's), or the variables themselves (Pearson's).

    Returns
    -------
    DataFrame
        Columns r, p (two-sided), df, n, given (number of controls), method. r is NaN if the controls explain x
        or y completely.

    Notes
    -----
    Pearson's correlation of the residuals of x and of y, each regressed on the controls and a constant;
    ``t = r √(df / (1 - r²))``, df = n - 2 - k, which for ranks is approximate. One control:
    ``r = (r_xy - r_xz r_yz) / √((1 - r_xz²)(1 - r_yz²))``.

    Examples
    --------
    >>> x, y, covariates = [1.0, 2.0, 4.0, 3.0], [1.0, 3.0, 4.0, 2.0], [1.0, 2.0, 3.0, 4.0]
    >>> partial_correlation(x, y, covariates, "linear").r.round(3).item()
    0.873
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    controls = np.asarray(covariates, dtype=float)
    controls = controls[:, None] if controls.ndim == 1 else controls
    k = controls.shape[1]
    df = x.size - 2 - k
    if method == "rank":
        x, y, controls = (scipy.stats.rankdata(values, axis=0) for values in (x, y, controls))
    deviations = controls - controls.mean(axis=0)
    basis = np.linalg.qr(deviations / deviations.std(axis=0))[0]
    residuals = [values - values.mean() - basis @ (basis.T @ values) for values in (x, y)]
    # A residual this small is rounding error: the controls explain the variable completely.
    if any(np.linalg.norm(r) <= 1e-10 * np.linalg.norm(v - v.mean()) for r, v in zip(residuals, (x, y), strict=True)):
        r = p = np.nan
    else:
        a, b = residuals
        r = float(np.clip(a @ b / np.linalg.norm(a) / np.linalg.norm(b), -1, 1))
        p = float(2 * scipy.stats.t.sf(abs(r) * np.sqrt(df / (1 - r**2)), df)) if abs(r) < 1 else 0.0
    return pd.DataFrame([{"r": r, "p": p, "df": df, "n": x.size, "given": k, "method": method}])


def percentiles(draws: np.ndarray, level: float) -> tuple[float, float, float]:
    """Return low and high of the percentile interval of the draws without NaN, and the share of draws that are NaN."""
    values = draws[~np.isnan(draws)]
    if values.size == 0:
        return np.nan, np.nan, 1.0
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
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
