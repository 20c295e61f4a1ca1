"""The cluster bootstrap against closed forms, a naive generator and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from cogkit.stats import cluster_bootstrap, draw_counts, weighted_mean

RNG = np.random.default_rng(4)
CLUSTERS = np.repeat(np.arange(6), 5)
SCORES = np.repeat(RNG.normal(size=6), 5) + RNG.normal(size=30)


def test_variance_of_a_mean_is_the_closed_form():
    """Var* = between / C + mean within / (C m), both variances with n below the line."""
    groups, resamples = SCORES.reshape(6, 5), 40_000
    between, within = groups.mean(axis=1).var() / 6, groups.var(axis=1).mean() / 30
    for inside, expected in ((True, between + within), (False, between)):
        rng = np.random.default_rng(1)
        table = cluster_bootstrap(weighted_mean(SCORES), CLUSTERS, rng, within=inside, resamples=resamples)
        assert table.estimate.item() == pytest.approx(SCORES.mean())
        # A variance from B normal draws has relative standard error √(2/B); the draws are near enough normal.
        assert table.se.item() ** 2 == pytest.approx(expected, rel=4 * np.sqrt(2 / resamples) * 1.2)


def test_counts_are_those_of_a_naive_generator():
    """Unequal clusters with strata: mean and covariance of the counts, against drawing units one by one."""
    clusters = np.array(list("aaaabbbcc"))
    strata = np.array(list("xxyyxxyxy"))
    resamples = 20_000
    counts = draw_counts(clusters, np.random.default_rng(2), resamples, strata=strata)
    rng = np.random.default_rng(3)
    naive = np.zeros_like(counts)
    for row in naive:
        for c in rng.choice(["a", "b", "c"], 3):
            for s in ("x", "y"):
                units = np.flatnonzero((clusters == c) & (strata == s))
                np.add.at(row, rng.choice(units, units.size), 1)
    spread = 4 * np.sqrt(2 / resamples)
    assert np.abs(counts.mean(0) - naive.mean(0)).max() < spread * counts.std(0).max()
    assert np.abs(np.cov(counts.T) - np.cov(naive.T)).max() < 2 * spread * counts.var(0).max()
    # Strata of a drawn cluster keep their sizes.
    for c, s in (("a", "x"), ("b", "x")):
        size = ((clusters == c) & (strata == s)).sum()
        assert (counts[:, (clusters == c) & (strata == s)].sum(axis=1) % size == 0).all()


def test_single_units_are_scipys_bootstrap():
    scores, resamples = np.random.default_rng(6).exponential(size=40), 40_000
    table = cluster_bootstrap(weighted_mean(scores), range(40), np.random.default_rng(0), resamples=resamples)
    options = {"n_resamples": resamples, "method": "percentile", "rng": np.random.default_rng(1)}
    expected = scipy_stats.bootstrap((scores,), np.mean, **options)
    # The standard error of a .025 quantile is about √(p (1-p) / B) / density, density about .058 / se.
    slack = 4 * np.sqrt(2) * np.sqrt(0.025 * 0.975 / resamples) / 0.058 * expected.standard_error
    assert table.low.item() == pytest.approx(expected.confidence_interval.low, abs=slack)
    assert table.high.item() == pytest.approx(expected.confidence_interval.high, abs=slack)
    assert slack < 0.1 * expected.standard_error
