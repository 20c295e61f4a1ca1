"""Differences between groups, against scipy, statsmodels, tables in print and brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW, ttost_ind

from cogkit.stats import Sample, paired_t, standardised_difference, t_test, tost, weighted_median, wilcoxon

RNG = np.random.default_rng(20231)
KINDS = {"pooled": "pooled", "welch": "unequal"}  # of variances, and what statsmodels calls them
FIRST, SECOND = RNG.normal(0, 1, 17), RNG.normal(0.6, 2.5, 29)


def test_t_is_scipys_from_scores_and_from_samples():
    for variances, usevar in KINDS.items():
        expected = scipy_stats.ttest_ind(FIRST, SECOND, equal_var=variances == "pooled")
        interval = CompareMeans(DescrStatsW(FIRST), DescrStatsW(SECOND)).tconfint_diff(usevar=usevar)
        for first, second in product((FIRST, Sample.of(FIRST)), (SECOND, Sample.of(SECOND))):
            row = t_test(first, second, variances).iloc[0]
            statistics = (expected.statistic, expected.df, expected.pvalue)
            assert (row.t, row.df, row.p) == pytest.approx(statistics, rel=1e-10)
            assert (row.low, row.high) == pytest.approx(interval, rel=1e-9)
            assert (row.n_first, row.n_second) == (17, 29)


def test_samples_combine_to_the_sample_of_all():
    sample = Sample.of(np.concatenate([FIRST, SECOND, [4.0]]))
    parts = Sample.combine([Sample.of(FIRST), Sample.of(SECOND), Sample.of([4.0])])
    assert (parts.n, parts.mean, parts.sd) == pytest.approx((sample.n, sample.mean, sample.sd), rel=1e-12)


def test_constant_groups_have_no_t():
    row = t_test([1.0, 1.0], [3.0, 3.0], "welch").iloc[0]
    assert row.difference == -2 and np.isnan(row.t) and np.isnan(row.p)
    one_sided = t_test([1.0, 1.0, 1.0], [3.0, 4.0], "welch").iloc[0]
    assert one_sided.df == pytest.approx(1)


def test_paired_t_is_scipys():
    other = FIRST + RNG.normal(0.3, 1, 17)
    expected = scipy_stats.ttest_rel(FIRST, other)
    row = paired_t(FIRST, other).iloc[0]
    assert (row.t, row.df, row.p) == pytest.approx((expected.statistic, 16, expected.pvalue), rel=1e-10)
    assert (row.low, row.high) == pytest.approx(tuple(expected.confidence_interval()), rel=1e-9)
    assert row.dz == pytest.approx(row.t / np.sqrt(17))


def test_wilcoxon_by_all_sign_patterns():
    d = np.array([0.3, -1.2, 2.5, 0.9, 1.7, -0.1, 2.2])
    ranks = np.abs(d).argsort().argsort() + 1
    observed = ranks[d > 0].sum()
    patterns = (np.arange(2**7)[:, None] >> np.arange(7)) & 1
    sums = patterns @ ranks
    centre = ranks.sum() / 2
    brute = (np.abs(sums - centre) >= abs(observed - centre)).mean()
    row = wilcoxon(d).iloc[0]
    assert row.p == pytest.approx(brute)
    assert row.rank_biserial == pytest.approx((2 * observed - ranks.sum()) / ranks.sum())
    assert wilcoxon(np.append(d, 0.0)).n.item() == 7


def test_hedges_correction_in_closed_form():
    """Gamma functions of halves: Γ(1/2) = √π, Γ(3/2) = √π/2, Γ(9/2) = 105 √π / 16."""
    corrections = {2: 1 / np.sqrt(np.pi), 4: np.sqrt(2 / np.pi), 10: 24 / (np.sqrt(5 * np.pi) * 105 / 16)}
    for df, j in corrections.items():
        n = df // 2 + 1
        d, g = standardised_difference(Sample(n, 1.0, 1.0), Sample(n, 0.0, 1.0)).value
        assert (d, g) == pytest.approx((1.0, j), rel=1e-12)


def test_limits_of_d_by_simulation():
    """At its lower limit a d this large or larger has chance .025, at its upper one this small or smaller."""
    n1, n2, d, draws = 8, 14, 0.9, 200_000
    row = standardised_difference(Sample(n1, d, 1.0), Sample(n2, 0.0, 1.0)).iloc[0]
    assert row.value == pytest.approx(d)
    rng = np.random.default_rng(5)
    root = np.sqrt(1 / n1 + 1 / n2)
    difference = rng.normal(0, root, draws)
    sd = np.sqrt(rng.chisquare(n1 + n2 - 2, draws) / (n1 + n2 - 2))
    se = np.sqrt(0.025 * 0.975 / draws)
    assert ((difference + row.low) / sd >= d).mean() == pytest.approx(0.025, abs=4 * se)
    assert ((difference + row.high) / sd <= d).mean() == pytest.approx(0.025, abs=4 * se)


def test_weighted_median_is_that_of_repeated_scores():
    rng = np.random.default_rng(3)
    values = rng.integers(0, 6, 9).astype(float)
    counts = rng.multinomial(9, np.full(9, 1 / 9), size=200)
    counts[::2, 0] += 1  # odd and even totals
    expected = [np.median(np.repeat(values, row)) for row in counts]
    assert weighted_median(values)(counts).tolist() == expected


def test_tost_is_statsmodels():
    for variances, usevar in KINDS.items():
        p, (t_low, p_low, _), (t_high, p_high, _) = ttost_ind(FIRST, SECOND, -1.5, 1.5, usevar=usevar)
        for first in (FIRST, Sample.of(FIRST)):
            row = tost(first, SECOND, low=-1.5, high=1.5, variances=variances).iloc[0]
            assert (row.p, row.t_low, row.p_low) == pytest.approx((p, t_low, p_low), rel=1e-9)
            assert (row.t_high, row.p_high) == pytest.approx((t_high, p_high), rel=1e-9)
            assert row.equivalent == (-1.5 < row.low and row.high < 1.5) == (p <= 0.05)
