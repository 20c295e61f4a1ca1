"""Do two players err on the same items, and how alike are people: error consistency and human ceilings.

Accuracies alone make two players agree on some items; error consistency (Geirhos, Meding & Wichmann 2020) is
the agreement beyond that. A ceiling says how well any predictor of people's scores could do, given how far
people agree with one another.
"""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
from scipy import stats

from cogkit.core.contracts import InputError
from cogkit.stats.correlation import percentiles, resampled
from cogkit.stats.limits import as_level

_CHUNK = 2**22  # values held at once


def error_consistency(
    first, second, rng: np.random.Generator, *, clusters=None, resamples: int = 2000, level: float = 0.95
) -> pd.DataFrame:
    """Return how far two players are right and wrong on the same items, one row.

    Parameters
    ----------
    first, second : (n,) array of bool
        Whether each was right, on the same items in the same order; 0 and 1 will do.
    rng : numpy.random.Generator
        Source of the bootstrap.
    clusters : (n,) array, optional
        The cluster of each item, such as the problem that several items were made from. Whole clusters are
        then resampled; with fewer than about ten the interval is too short.
    resamples : int
        Number of resamples.
    level : float
        Confidence level.

    Returns
    -------
    DataFrame
        Columns n, first_accuracy, second_accuracy, observed (share of items on which both are right or both
        wrong), expected (the share were their errors independent), kappa, kappa_min, kappa_max (what kappa could
        have been, given the two accuracies), low, high (percentile bootstrap interval of kappa), undefined (share
        of resamples that have no kappa; they are left out), p (Fisher's exact test that the errors are
        independent, two-sided; clustered items would make it too sure, so it is NaN with clusters), level,
        resamples, clusters. Two players who are always right, or always wrong, have no kappa: NaN, not 0.

    Notes
    -----
    With accuracies a₁ and a₂: expected = ``a₁ a₂ + (1 - a₁)(1 - a₂)``, kappa = ``(observed - expected) / (1 -
    expected)``; observed lies between ``|a₁ + a₂ - 1|`` and ``1 - |a₁ - a₂|``. Accuracies are those of the resample,
    not fixed. The interval speaks of items like these, met by these two players (Klein et al. 2025).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> error_consistency([1, 1, 1, 0, 0, 1, 1, 1], [1, 1, 0, 0, 0, 1, 1, 1], rng).kappa.round(3).item()
    0.714
    """
    first, second = _answers(first, "first"), _answers(second, "second")
    if np.isnan(first).any() or np.isnan(second).any():
        raise InputError("an item without an answer", "items that both answered", "leave the others out")
    if first.size != second.size:
        raise InputError(f"{first.size} and {second.size} answers", "answers to the same items in the same order")
    names = _clusters(clusters, first.size)
    units = first.size if names is None else np.unique(names).size
    if units < 2:
        raise InputError(f"{units} {'items' if names is None else 'clusters'}", "at least two to resample")
    return pd.DataFrame([_consistency(first, second, names, rng, resamples, level)])


def error_consistency_table(
    correct: pd.DataFrame, rng: np.random.Generator, *, clusters=None, resamples: int = 2000, level: float = 0.95
) -> pd.DataFrame:
    """Return the error consistency of every pair of players, one row a pair.

    Parameters
    ----------
    correct : DataFrame
        One row an item, one column a player: whether it was right, NaN where it did not answer.
    rng : numpy.random.Generator
        Source of the bootstrap.
    clusters : (items,) array, optional
        The cluster of each item.
    resamples, level
        As in `error_consistency`.

    Returns
    -------
    DataFrame
        Columns first, second (names of the players), and those of `error_consistency`, over the items that both
        answered. Fewer than two shared items, or clusters of them, leave what needs more at NaN.

    Examples
    --------
    >>> correct = pd.DataFrame({"a": [1, 0, 1, 0], "b": [1, 0, 1, 1], "c": [1, 1, None, None]})
    >>> error_consistency_table(correct, np.random.default_rng(0))[["first", "second", "n"]].values.tolist()
    [['a', 'b', 4], ['a', 'c', 2], ['b', 'c', 2]]
    """
    if correct.shape[1] < 2:
        raise InputError(f"{correct.shape[1]} players", "at least two columns, one a player")
    if not correct.columns.is_unique:
        raise InputError("two players of one name", "a name for each column")
    answers = {name: _answers(correct[name], str(name)) for name in correct.columns}
    names = _clusters(clusters, len(correct))
    rows = []
    for one, two in itertools.combinations(answers, 2):
        shared = ~(np.isnan(answers[one]) | np.isnan(answers[two]))
        among = None if names is None else names[shared]
        row = _consistency(answers[one][shared], answers[two][shared], among, rng, resamples, level)
        rows.append({"first": one, "second": two} | row)
    return pd.DataFrame(rows)


def spearman_brown(r, times: float = 2.0):
    """Return the reliability of a measure made ``times`` as long; a float, or an array for an array.

    Notes
    -----
    ``times · r / (1 + (times - 1) · r)`` (Spearman 1910; Brown 1910). With times = 2, the reliability of the whole
    from the correlation of its halves. NaN where the denominator is not above 0.

    Examples
    --------
    >>> round(float(spearman_brown(0.6)), 4)
    0.75
    """
    if not times > 0:
        raise InputError(f"a length of {times}", "a number above 0")
    r = np.asarray(r, dtype=float)
    if (np.abs(r) > 1).any():
        raise InputError(f"a correlation of {r[np.abs(r) > 1].flat[0]:g}", "correlations between -1 and 1")
    below = 1 + (times - 1) * r
    return np.divide(times * r, below, out=np.full_like(below, np.nan), where=below > 0)[()]


def split_half(scores, rng: np.random.Generator, splits: int = 1000, level: float = 0.95) -> pd.DataFrame:
    """Return how reliable the items' mean scores are, by random halves of the people, one row.

    Parameters
    ----------
    scores : DataFrame or array
        One row a person, one column an item; NaN where a person has no score.
    rng : numpy.random.Generator
        Source of the splits.
    splits : int
        Number of random splits.
    level : float
        Share of the splits inside low and high.

    Returns
    -------
    DataFrame
        Columns r (correlation of the two halves' item means, mean over splits), ceiling (r corrected to all people
        by `spearman_brown`), low, high (quantiles of the corrected correlation over splits), undefined (share of
        splits without a correlation; they are left out), people, items, splits, level.

    Notes
    -----
    Halves are as equal as can be. Items that one half lacks are dropped in that split; fewer than three items left,
    or a half whose item means are all alike, have no correlation. The ceiling estimates the squared correlation of
    these item means with those of endlessly many such people, so a perfect predictor would correlate with
    them by about its root. **low and high are no confidence interval**: they show how much the chance of the split
    matters, not what other people or other items would have given. For that, resample people or items and call
    this afresh.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores = np.arange(6.0) + rng.normal(size=(20, 6))
    >>> split_half(scores, rng, splits=100).ceiling.round(2).item()
    0.99
    """
    table, _ = _people(scores)
    if splits < 1:
        raise InputError(f"{splits} splits", "at least one", "1,000 is usual")
    as_level(level)
    people, items = table.shape
    order = rng.permuted(np.tile(np.arange(people), (splits, 1)), axis=1)
    halves = order < people // 2  # a random half, one row a split
    there = ~np.isnan(table)
    filled = np.where(there, table, 0.0)
    step = max(1, _CHUNK // items)
    r = np.concatenate([_half_correlation(halves[i : i + step], filled, there) for i in range(0, splits, step)])
    low, high, undefined = percentiles(spearman_brown(r), level)
    mean = float(np.nanmean(r)) if undefined < 1 else np.nan
    row = {"r": mean, "ceiling": float(spearman_brown(mean)), "low": low, "high": high, "undefined": undefined}
    return pd.DataFrame([row | {"people": people, "items": items, "splits": splits, "level": level}])


def leave_one_out(scores) -> pd.DataFrame:
    """Return how well each person's scores agree with the mean of the others, one row a person.

    Parameters
    ----------
    scores : DataFrame or array
        One row a person, one column an item; NaN where a person has no score.

    Returns
    -------
    DataFrame
        Columns person (the row's name), r (correlation over items with the others' item means), items (those
        that the person and at least one other have). Fewer than three items, or scores all alike: NaN.

    Notes
    -----
    The mean of r over people is a human-human ceiling on the scale of single people: set beside it a model's
    mean correlation with the same single people, not one with their mean.

    Examples
    --------
    >>> leave_one_out([[1, 2, 3], [1, 2, 3], [3, 2, 1]]).r.tolist()
    [nan, nan, -1.0]
    """
    table, names = _people(scores)
    there = ~np.isnan(table)
    filled = np.where(there, table, 0.0)
    rows = []
    for i, name in enumerate(names):
        others = there.sum(axis=0) - there[i]
        both = there[i] & (others > 0)
        mean = (filled.sum(axis=0) - filled[i])[both] / others[both]
        r = _pearson(table[i][both][None], mean[None], np.ones((1, int(both.sum())), bool)).item()
        rows.append({"person": name, "r": r, "items": int(both.sum())})
    return pd.DataFrame(rows)


def _consistency(first, second, names, rng, resamples: int, level: float) -> dict:
    """Return the row of two players; ``first`` and ``second`` are 0 and 1, without gaps."""
    as_level(level)
    cells = np.column_stack([first * second, first * (1 - second), (1 - first) * second, (1 - first) * (1 - second)])
    n, clusters = len(cells), len(cells) if names is None else np.unique(names).size
    low = high = undefined = p = np.nan
    if clusters > 1:
        if names is None:
            # Items of one cell are alike, so drawing n of n items is drawing how many fall in each cell.
            if resamples < 2:
                raise InputError(f"{resamples} resamples", "at least two", "2,000 is usual for an interval")
            draws = _kappa(rng.multinomial(n, cells.sum(axis=0) / n, size=resamples))[0]
        else:
            sums = np.zeros((clusters, 4))
            np.add.at(sums, np.unique(names, return_inverse=True)[1], cells)
            draws = resampled(lambda k: _kappa(k @ sums)[0], np.arange(clusters), rng, resamples, within=False)
        low, high, undefined = percentiles(draws, level)
    with np.errstate(invalid="ignore", divide="ignore"):
        kappa, a, b, observed, expected = (float(v[0]) for v in _kappa(cells.sum(axis=0)[None]))
        bounds = [(share - expected) / (1 - expected) if expected < 1 else np.nan
                  for share in (abs(a + b - 1), 1 - abs(a - b))]  # fmt: skip
    if names is None and n and expected < 1:
        p = float(stats.fisher_exact(cells.sum(axis=0).astype(int).reshape(2, 2)).pvalue)
    return {
        "n": n, "first_accuracy": a, "second_accuracy": b, "observed": observed, "expected": expected,
        "kappa": kappa, "kappa_min": bounds[0], "kappa_max": bounds[1], "low": low, "high": high,
        "undefined": undefined, "p": p, "level": level, "resamples": resamples, "clusters": clusters,
    }  # fmt: skip


def _kappa(cells: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return kappa, the accuracies, observed and expected of rows of counts: both right, only the first, only
    the second, neither."""
    with np.errstate(invalid="ignore", divide="ignore"):
        both, one, two, neither = (cells / cells.sum(axis=1, keepdims=True)).T
        a, b, observed = both + one, both + two, both + neither
        # The same as (observed - expected) / (1 - expected), and exactly 0 / 0 where expected is 1.
        kappa = 2 * (both * neither - one * two) / (a * (one + neither) + b * (two + neither))
    return kappa, a, b, observed, a * b + (two + neither) * (one + neither)


def _answers(values, name: str) -> np.ndarray:
    """Return right and wrong as 1.0, 0.0 and NaN."""
    wanted = "right or wrong: True and False, or 1 and 0"
    if np.ndim(values) != 1:
        raise InputError(f"{name} of shape {np.shape(values)}", "one answer an item, in one row")
    try:
        array = np.array([np.nan if pd.isna(value) else float(value) for value in values])
    except (TypeError, ValueError):
        raise InputError(f"{name} that is not numbers", wanted) from None
    odd = ~np.isnan(array) & ~np.isin(array, [0, 1])
    if odd.any():
        raise InputError(f"{array[odd][0]:g} in {name}", wanted)
    return array


def _clusters(clusters, n: int) -> np.ndarray | None:
    if clusters is None:
        return None
    names = np.asarray(list(clusters))
    if names.size != n:
        raise InputError(f"{names.size} clusters for {n} items", "one cluster an item")
    return names


def _people(scores) -> tuple[np.ndarray, list]:
    names = list(scores.index) if isinstance(scores, pd.DataFrame) else None
    try:
        table = np.asarray(scores, dtype=float)
    except (TypeError, ValueError):
        raise InputError("scores that are not numbers", "people × items of numbers, NaN where there is none") from None
    if table.ndim != 2 or table.shape[0] < 3 or table.shape[1] < 3:
        raise InputError(f"scores of shape {table.shape}", "people × items, at least three of each")
    if np.isinf(table).any():
        raise InputError("a score that is infinite", "finite scores, NaN where there is none")
    return table, names if names is not None else list(range(len(table)))


def _half_correlation(halves: np.ndarray, filled: np.ndarray, there: np.ndarray) -> np.ndarray:
    counts = [half.astype(float) @ there for half in (halves, ~halves)]
    sums = [half.astype(float) @ filled for half in (halves, ~halves)]
    both = (counts[0] > 0) & (counts[1] > 0)
    means = [np.divide(total, count, out=np.zeros_like(total), where=both)
             for total, count in zip(sums, counts, strict=True)]  # fmt: skip
    return _pearson(means[0], means[1], both)


def _pearson(first: np.ndarray, second: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Return the correlation of each row over the places that are there; NaN under three, or without spread."""
    n = there.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        a, b = (np.where(there, v - (v * there).sum(axis=1, keepdims=True) / n, 0.0) for v in (first, second))
        va, vb = (a**2).sum(axis=1), (b**2).sum(axis=1)
        r = (a * b).sum(axis=1) / np.sqrt(va * vb)
    # Rounding leaves a trace of spread in scores that are all alike.
    floor = [1e-24 * n[:, 0] * np.abs(v).max(axis=1, initial=0) ** 2 for v in (first, second)]
    return np.where((n[:, 0] >= 3) & (va > floor[0]) & (vb > floor[1]), np.clip(r, -1, 1), np.nan)
