"""Agreement on right and wrong, and people's ceilings, against statsmodels, enumeration and closed forms."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import case
from statsmodels.stats.inter_rater import cohens_kappa

from cogkit.stats import cluster_bootstrap, error_consistency_table


def error_consistency(first, second, **options) -> pd.Series:
    """The row of two players alone."""
    return error_consistency_table(pd.DataFrame({"first": first, "second": second}), rng(), **options).iloc[0]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def answers(n: int, seed: int = 0, copy: float = 0.4) -> tuple[np.ndarray, np.ndarray]:
    """Two players, of which the second copies the first on a share of the items."""
    r = rng(seed)
    first, second = r.random(n) < 0.7, r.random(n) < 0.8
    return first, np.where(r.random(n) < copy, first, second)


def test_kappa_is_cohens_of_right_and_wrong():
    first, second = answers(150)
    row = error_consistency(first, second)
    expected = cohens_kappa(pd.crosstab(first, second).to_numpy())
    assert row.kappa == pytest.approx(expected.kappa, rel=1e-12)
    assert row.observed == pytest.approx((first == second).mean())
    assert (row.first_accuracy, row.second_accuracy) == pytest.approx((first.mean(), second.mean()))
    assert row.kappa == pytest.approx((row.observed - row.expected) / (1 - row.expected))
    assert (row.n, row.clusters, row.undefined) == (150, 150, 0)


def test_bounds_are_the_extremes_of_all_overlaps():
    for a, b in ((7, 4), (9, 9), (2, 5), (10, 6), (1, 0)):
        first = np.arange(10) < a
        kappas = []
        for both in range(max(0, a + b - 10), min(a, b) + 1):
            second = np.r_[np.arange(a) < both, np.arange(10 - a) < b - both]
            row = error_consistency(first, second, resamples=2)
            kappas.append(row.kappa)
        with case((a, b)):
            assert (row.first_accuracy, row.second_accuracy) == pytest.approx((a / 10, b / 10))
            assert (row.kappa_min, row.kappa_max) == pytest.approx((min(kappas), max(kappas)), abs=1e-12)


def test_interval_has_the_width_of_the_large_sample_error():
    first, second = answers(4000, seed=1)
    resamples = 20_000
    row = error_consistency(first, second, resamples=resamples)
    expected = cohens_kappa(pd.crosstab(first, second).to_numpy())  # Fleiss, Cohen & Everitt (1969)
    # Each limit's standard error is √(p (1 - p) / B) / density; the density of a normal at its .025 point is .058.
    slack = 4 * np.sqrt(0.025 * 0.975 / resamples) / 0.058 * expected.std_kappa
    for limit, z in ((row.low, -1.96), (row.high, 1.96)):
        # n = 4000 leaves a skew of the order 1/√n in each limit.
        assert limit == pytest.approx(expected.kappa + z * expected.std_kappa, abs=slack + 0.05 * expected.std_kappa)


def test_clusters_are_those_of_the_cluster_bootstrap():
    first, second = answers(60, seed=2)
    clusters = np.repeat(np.arange(12), 5)

    def kappa(counts):
        n = counts.sum(axis=1)
        a, b, same = ((counts @ v.astype(float)) / n for v in (first, second, first == second))
        expected = a * b + (1 - a) * (1 - b)
        return (same - expected) / (1 - expected)

    reference = cluster_bootstrap(kappa, clusters, rng(), within=False, resamples=500).iloc[0]
    row = error_consistency(first, second, clusters=clusters, resamples=500)
    expected = (reference.estimate, reference.low, reference.high)
    assert (row.kappa, row.low, row.high) == pytest.approx(expected, rel=1e-9)
    assert row.clusters == 12


def test_resamples_without_kappa_are_left_out_and_counted():
    first = np.arange(20) > 0
    row = error_consistency(first, first, resamples=20_000)
    share = (19 / 20) ** 20  # the one item that both miss is not drawn
    assert row.undefined == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 20_000))
    assert (row.kappa, row.low, row.high) == (1, 1, 1)


def test_always_alike_is_not_applicable():
    for value in (0, 1):
        row = error_consistency(np.full(9, value), np.full(9, value))
        assert row[["kappa", "kappa_min", "kappa_max", "low", "high"]].isna().all()
        assert (row.observed, row.expected, row.undefined) == (1, 1, 1)


def test_table_uses_shared_items_only():
    first, second = answers(30, seed=4)
    table = pd.DataFrame({"a": first, "b": second}).astype(object)
    table["c"] = [None] * 25 + [True, False, True, True, False]
    table["d"] = [1.0] * 25 + [np.nan] * 5
    result = error_consistency_table(table, rng(), resamples=200).set_index(["first", "second"])
    assert list(result.index) == [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
    alone = error_consistency(first[25:], table.c[25:].astype(bool), resamples=200)
    same = ["n", "kappa", "kappa_min", "kappa_max", "first_accuracy", "expected"]
    assert result.loc[("a", "c"), same].astype(float).tolist() == pytest.approx(alone[same].astype(float).tolist())
    nothing = result.loc[("c", "d")]
    assert nothing.n == 0 and nothing[["kappa", "low", "high", "observed"]].isna().all()
    clustered = error_consistency_table(table, rng(), clusters=np.repeat(np.arange(10), 3), resamples=200)
    assert clustered.clusters.tolist() == [10, 2, 9, 2, 9, 0]
