"""Intervals of proportions and means: values in print, and brute force."""

from __future__ import annotations

from fractions import Fraction
from math import comb, isnan

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint

from cogkit.core.errors import InputError
from cogkit.stats import Sample, chance_limit, mean_interval, wilson


def test_proportions_as_printed():
    """Newcombe 1998, Statistics in Medicine 17: 857-872, table I: score interval (3)."""
    printed = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0000, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for counts, limits in printed.items():
        assert wilson(*counts) == pytest.approx(limits, abs=5e-5)


def test_proportions_as_statsmodels_for_arrays():
    k, n = np.arange(1, 40), 40
    low, high = wilson(k, n)
    expected = proportion_confint(k, n, method="wilson")
    np.testing.assert_allclose([low, high], expected, rtol=1e-10)
    assert wilson(40, 40)[1] == 1 and wilson(0, 40)[0] == 0


def test_an_effective_number_of_trials_need_not_be_whole():
    """Wilson's limits are the roots of (p̂ - p)² = z² p(1 - p) / n, whatever n is."""
    share, n = 0.61, 512.75
    z = scipy_stats.norm.ppf(0.975)
    for limit in wilson(share * n, n):
        assert (share - limit) ** 2 == pytest.approx(z**2 * limit * (1 - limit) / n, rel=1e-9)


def test_chance_limit_by_exact_sums():
    for n, chance in ((8, 0.5), (25, 0.2), (60, 0.5), (141, 0.25)):
        c, alpha = Fraction(chance).limit_denominator(100), Fraction(1, 20)
        tail = [sum(comb(n, j) * c**j * (1 - c) ** (n - j) for j in range(k, n + 1)) for k in range(n + 2)]
        assert chance_limit(n, chance) == next(k for k in range(n + 2) if tail[k] <= alpha) / n
    assert isnan(chance_limit(3, 0.5))  # even 3 of 3 has chance 1/8


def test_mean_interval_is_scipys():
    scores = np.random.default_rng(0).normal(3, 2, 12)
    expected = tuple(scipy_stats.ttest_1samp(scores, 0).confidence_interval())
    for values in (scores, Sample.of(scores)):
        assert mean_interval(values) == pytest.approx(expected, rel=1e-10)
    assert mean_interval([2.0, 2.0]) == (2.0, 2.0)
    assert all(isnan(limit) for limit in mean_interval([2.0]))


def test_more_successes_than_trials_are_refused():
    with pytest.raises(InputError, match="0 ≤ successes ≤ n and n ≥ 1, got 5 successes"):
        wilson(5, 4)
