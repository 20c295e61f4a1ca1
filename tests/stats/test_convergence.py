"""Split-R̂: by hand, by a plain loop, and by what is known of chains."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cogkit.stats import split_rhat


def naive_rhat(chains: list[list[float]]) -> float:
    """Bayesian Data Analysis, § 11.4, term by term."""
    n = len(chains[0]) // 2
    halves = [half for chain in chains for half in (chain[:n], chain[len(chain) - n :])]
    mean = [sum(half) / n for half in halves]
    grand = sum(mean) / len(mean)
    b = n / (len(halves) - 1) * sum((value - grand) ** 2 for value in mean)
    s2 = [sum((x - m) ** 2 for x in half) / (n - 1) for half, m in zip(halves, mean, strict=True)]
    w = sum(s2) / len(s2)
    return math.sqrt(((n - 1) / n * w + b / n) / w)


def test_it_is_the_plain_loop():
    for chains, n in ((1, 4), (2, 5), (7, 20), (3, 51)):
        draws = np.random.default_rng(n).normal(size=(chains, n)).cumsum(axis=1)
        assert split_rhat(draws) == pytest.approx(naive_rhat(draws.tolist()), rel=1e-12)


def test_chains_of_one_distribution_are_near_one_and_drifting_or_separate_ones_are_not():
    noise = np.random.default_rng(0).normal(size=(40, 500))
    # var(mean) / var = 1/250 in expectation, and (N - 1)/N = 1 - 1/250: R̂ is 1 up to chance.
    assert split_rhat(noise) == pytest.approx(1, abs=0.005)
    assert split_rhat(noise + np.arange(40)[:, None]) > 5
    assert split_rhat(noise + np.linspace(0, 10, 500)) > 1.5  # all alike, and yet not settled


def test_too_few_draws_and_draws_that_never_differ_have_none():
    assert math.isnan(split_rhat(np.zeros((5, 3)))) and math.isnan(split_rhat(np.zeros((5, 0))))
    assert math.isnan(split_rhat(np.ones((5, 10))))
    assert split_rhat([[0, 0, 0, 0], [1, 1, 1, 1]]) == math.inf
