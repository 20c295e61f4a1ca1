"""R̂ and effective sizes of chains: by a plain program of the article's formulas, and by what is known of chains."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from cogkit.stats import convergence


def rhat(sequences: np.ndarray) -> float:
    """Bayesian Data Analysis, § 11.4, term by term, of sequences that are split already."""
    n = sequences.shape[1]
    b = n * sequences.mean(axis=1).var(ddof=1)
    w = sequences.var(axis=1, ddof=1).mean()
    return math.sqrt(((n - 1) / n * w + b / n) / w)


def normalised(values: np.ndarray) -> np.ndarray:
    """Vehtari et al. 2021, equation 14: normal scores of the ranks of all draws."""
    ranks = stats.rankdata(values).reshape(values.shape)
    return stats.norm.ppf((ranks - 3 / 8) / (values.size + 1 / 4))


def article(draws: np.ndarray) -> float:
    """The larger one of R̂ of the ranks and R̂ of the ranks of distances from the median."""
    half = draws.shape[1] // 2
    split = np.concatenate([draws[:, :half], draws[:, -half:]])
    return max(rhat(normalised(split)), rhat(normalised(np.abs(split - np.median(split)))))


def test_it_is_the_articles_formula():
    for chains, n in ((2, 6), (7, 20), (3, 50)):
        draws = np.random.default_rng(n).normal(size=(chains, n)).cumsum(axis=1)
        assert convergence(draws).rhat == pytest.approx(article(draws), rel=1e-9)


def test_chains_of_one_distribution_are_near_one_and_others_are_not():
    noise = np.random.default_rng(0).normal(size=(4, 2000))
    alike = convergence(noise)
    # var(mean) / var = 1/1000 in expectation, and (N - 1)/N = 1 - 1/1000: R̂ is 1 up to chance.
    assert alike.rhat == pytest.approx(1, abs=0.005)
    assert 0.8 * noise.size < alike.ess_bulk < 1.25 * noise.size and alike.ess_tail > 0.7 * noise.size
    assert convergence(noise + np.arange(4)[:, None]).rhat > 1.5
    assert convergence(noise + np.linspace(0, 10, 2000)).rhat > 1.5  # all alike, and yet not settled
    wider = convergence(noise * np.array([[4], [1], [1], [1]]))  # one chain has four times the spread
    assert wider.rhat > 1.15 and wider.ess_tail < 100


def test_draws_that_repeat_count_as_fewer():
    noise = np.random.default_rng(1).normal(size=(4, 500))
    held = convergence(np.repeat(noise, 8, axis=1))
    assert 0.6 * noise.size < held.ess_bulk < 1.5 * noise.size


def test_too_few_draws_and_draws_that_never_differ_have_none():
    assert all(map(math.isnan, convergence(np.zeros((5, 3))))) and all(map(math.isnan, convergence(np.zeros((5, 0)))))
    assert math.isnan(convergence(np.ones((5, 10))).rhat)
    assert convergence([[0, 0, 0, 0], [1, 1, 1, 1]]).rhat == math.inf
