"""Whether two players err on the same items: error consistency (Geirhos, Meding & Wichmann 2020) and its ceiling.

Two accurate players agree on many items by chance. Error consistency is the agreement beyond that.
"""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

from cogkit.stats.bootstrap import resampled
from cogkit.stats.correlation import percentiles


def error_consistency_table(
    correct: pd.DataFrame, rng: np.random.Generator, *, clusters=None, resamples: int = 2000
) -> pd.DataFrame:
    """Return the error consistency of every pair of players, one row per pair.

    Parameters
    ----------
    correct : DataFrame
        One row per item, one column per player: whether the player was right, NaN if it did not answer.
    rng : numpy.random.Generator
        Source of the bootstrap.
    clusters : (items,) array, optional
        The cluster of each item, such as the problem that several items were made from. Whole clusters are
        then resampled; with fewer than about ten the interval is too short.
    resamples : int
        Number of resamples.

    Returns
    -------
    DataFrame
        Over the items that both players answered: columns first, second (names of the players), n, first_accuracy,
        second_accuracy, observed (share of items on which both are right or both wrong), expected (that share if the
        errors were independent), kappa, kappa_min, kappa_max (the range of kappa that the two accuracies allow), low,
        high (95 %, percentile bootstrap of kappa), undefined (share of resamples without a kappa; they are left
        out), clusters. Kappa is NaN, not 0, for two players who are always right or always wrong. With fewer than two
        shared items or clusters, values that need more are NaN.

    Notes
    -----
    With accuracies a₁ and a₂: expected = ``a₁ a₂ + (1 - a₁)(1 - a₂)``, kappa = ``(observed - expected) / (1 -
    expected)``; observed lies between ``|a₁ + a₂ - 1|`` and ``1 - |a₁ - a₂|``. Each resample
    has its own accuracies. The interval is about other items of this kind and the same two players (Klein et al. 2025).

    Examples
    --------
    >>> correct = pd.DataFrame({"a": [1, 0, 1, 0], "b": [1, 0, 1, 1], "c": [1, 1, None, None]})
    >>> error_consistency_table(correct, np.random.default_rng(0))[["first", "second", "n"]].values.tolist()
    [['a', 'b', 4], ['a', 'c', 2], ['b', 'c', 2]]
    """
    answers = {name: correct[name].to_numpy(float, na_value=np.nan) for name in correct.columns}
    names = None if clusters is None else np.asarray(list(clusters))
    rows = []
    for first, second in itertools.combinations(answers, 2):
        overlap = ~(np.isnan(answers[first]) | np.isnan(answers[second]))
        among = None if names is None else names[overlap]
        row = _consistency(answers[first][overlap], answers[second][overlap], among, rng, resamples)
        rows.append({"first": first, "second": second} | row)
    return pd.DataFrame(rows)


def _consistency(first, second, names, rng, resamples: int) -> dict:
    """Return the row of two players; ``first`` and ``second`` hold 0 and 1, without gaps."""
    cells = np.column_stack([first * second, first * (1 - second), (1 - first) * second, (1 - first) * (1 - second)])
    n, clusters = len(cells), len(cells) if names is None else np.unique(names).size
    low = high = undefined = np.nan
    if clusters > 1:
        if names is None:
            # Items in one cell are alike, so drawing n of n items means drawing the count in each cell.
            draws = _kappa(rng.multinomial(n, cells.sum(axis=0) / n, size=resamples))[0]
        else:
            sums = np.zeros((clusters, 4))
            np.add.at(sums, np.unique(names, return_inverse=True)[1], cells)
            draws = resampled(lambda k: _kappa(k @ sums)[0], np.arange(clusters), rng, resamples, within=False)
        low, high, undefined = percentiles(draws)
    with np.errstate(invalid="ignore", divide="ignore"):
        kappa, a, b, observed, expected = (float(v[0]) for v in _kappa(cells.sum(axis=0)[None]))
        bounds = [(share - expected) / (1 - expected) if expected < 1 else np.nan
                  for share in (abs(a + b - 1), 1 - abs(a - b))]  # fmt: skip

    return {
        "n": n, "first_accuracy": a, "second_accuracy": b, "observed": observed, "expected": expected,
        "kappa": kappa, "kappa_min": bounds[0], "kappa_max": bounds[1], "low": low, "high": high,
        "undefined": undefined, "clusters": clusters,
    }  # fmt: skip


def _kappa(cells: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return kappa, the accuracies, observed and expected of rows of counts: both right, only the first, only
    the second, neither."""
    with np.errstate(invalid="ignore", divide="ignore"):
        both, only_first, only_second, neither = (cells / cells.sum(axis=1, keepdims=True)).T
        a, b, observed = both + only_first, both + only_second, both + neither
        # The same as (observed - expected) / (1 - expected), and exactly 0 / 0 where expected is 1.
        scale = a * (only_first + neither) + b * (only_second + neither)
        kappa = 2 * (both * neither - only_first * only_second) / scale
    return kappa, a, b, observed, a * b + (only_second + neither) * (only_first + neither)
