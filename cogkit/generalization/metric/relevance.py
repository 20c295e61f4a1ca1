"""How much each column says about the label, how evenly this is spread, and how it follows a template."""

from __future__ import annotations

import numpy as np
from sklearn.feature_selection import mutual_info_classif

from cogkit.stats import correlations

DIRECTIONS = ("decreasing", "increasing")
MAPS = ("half", "clip")
_FLAT = 1e-12  # a centred vector shorter than this has no direction


def mutual_information(x: np.ndarray, y: np.ndarray, seed: int = 0) -> np.ndarray:
    """Return the mutual information of each column with the class, (d,) nats, from three nearest neighbours.

    A constant column has 0. ``seed`` is for the tiny noise that separates equal values (Ross 2014).

    Examples
    --------
    >>> x = np.array([[0.0, 5.0], [0.1, 5.0], [0.2, 5.0], [1.0, 5.0], [1.1, 5.0], [1.2, 5.0]] * 5)
    >>> mutual_information(x, np.array([0, 0, 0, 1, 1, 1] * 5)).round(1)
    array([0.7, 0. ])
    """
    bits = mutual_info_classif(x, y, n_neighbors=3, random_state=seed)
    return np.where(np.ptp(x, axis=0) > 0, bits, 0.0)


def correlation(x: np.ndarray, y: np.ndarray, seed: int = 0) -> np.ndarray:
    """Return the absolute correlation of each column with the class, (d,); with several classes the mean of one
    against the rest.

    A constant column has 0. Nothing is random; ``seed`` is an argument so that all sources have the same signature.

    Examples
    --------
    >>> correlation(np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]), np.array([0, 0, 1])).round(3)
    array([0.866, 0.   ])
    """
    kinds = np.unique(y)
    indicators = (y == kind for kind in (kinds[1:] if len(kinds) == 2 else kinds))
    return np.mean([np.abs(np.nan_to_num(correlations(x.T, indicator))) for indicator in indicators], axis=0)


SOURCES = {"mutual information": mutual_information, "correlation": correlation}


def shares(relevance: np.ndarray) -> np.ndarray:
    """Return relevance as shares of its sum, (..., d). Shares are equal if all relevance is 0.

    NaN after the last column of a row is padding for rows of different lengths, and stays NaN.

    Examples
    --------
    >>> shares(np.array([[1.0, 3.0], [0.0, 0.0]]))
    array([[0.25, 0.75],
           [0.5 , 0.5 ]])
    """
    relevance = np.asarray(relevance, dtype=float)
    mask = ~np.isnan(relevance)
    total = np.nansum(relevance, axis=-1, keepdims=True)
    equal = np.where(mask, 1 / mask.sum(axis=-1, keepdims=True), np.nan)
    return np.where(total > 0, relevance / np.where(total > 0, total, 1), equal)


def entropy(relevance: np.ndarray) -> np.ndarray:
    """Return the entropy of relevance over its maximum, (...,), from 0, all in one column, to 1, spread evenly.

    A single column gives 1. This is the paper's D̃, its "abstraction cost" (Table 1): -Σ p ln p / ln d.

    Examples
    --------
    >>> entropy(np.array([[1.0, 1.0], [1.0, 0.0]]))
    array([1., 0.])
    """
    p = shares(relevance)
    d = (~np.isnan(p)).sum(axis=-1)
    spread = np.nansum(np.where(p > 0, -p * np.log(np.where(p > 0, p, 1)), 0.0), axis=-1)
    return np.where(d > 1, spread / np.log(np.maximum(d, 2)), 1.0)


def alignment(relevance: np.ndarray, direction: str = "decreasing", onto: str = "half") -> np.ndarray:
    """Return how relevance follows a straight line over the column number, (...,) in [0, 1]: the paper's D_align.

    It is the centred cosine of the shares and the template, 0 if either is flat, mapped by (1 + cos) / 2 or max(0,
    cos). With two columns it can only be 0, 1 or, if both columns have the same relevance, one half.

    Parameters
    ----------
    direction : {"decreasing", "increasing"}
        Direction of the template. "Decreasing", and the use of the column number instead of the rank, are inferred: the
        printed partial correlations exclude a template over sorted relevance.

    Examples
    --------
    >>> alignment(np.array([[3.0, 1.0], [1.0, 3.0], [2.0, 2.0]]))
    array([1. , 0. , 0.5])
    """
    p = shares(relevance)
    mask = ~np.isnan(p)
    d = mask.sum(axis=-1, keepdims=True)
    template = np.where(mask, np.arange(p.shape[-1], dtype=float) * np.ones_like(p), np.nan)
    p, t = (np.nan_to_num(part - np.nansum(part, axis=-1, keepdims=True) / d) for part in (p, template))
    lengths = np.sqrt((p**2).sum(axis=-1) * (t**2).sum(axis=-1))
    cosine = np.divide((p * t).sum(axis=-1), lengths, out=np.zeros_like(lengths), where=lengths > _FLAT)
    cosine = cosine if direction == "increasing" else -cosine
    return (1 + cosine) / 2 if onto == "half" else np.maximum(cosine, 0.0)
