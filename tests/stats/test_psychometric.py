"""Psychometric curves against a search over a grid, and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom

from cogkit.stats import psychometric

LEVELS = np.array([1.0, 2.0, 4.0, 5.0, 7.0])
N = np.array([30, 40, 35, 25, 50])
K = np.array([3, 9, 20, 18, 46])


def curve(x, threshold, slope, lapse, chance):
    return chance + (1 - chance - lapse) * expit(slope * (x - threshold))


def by_name(table):
    return table.set_index("parameter").value.to_dict()


@pytest.mark.parametrize("sign", [1, -1])
def test_lapse_and_chance_by_brute_force(sign):
    """No point of a fine grid is likelier than the fit, and the likeliest point lies beside it."""
    x, chance, n = np.arange(7.0), 0.25, 120
    k = np.round(n * curve(x, 3.1, sign * 1.2, 0.06, chance) + np.array([2, -3, 1, 3, -2, -1, 1])).astype(int)
    fit = psychometric(x, k, np.full(7, n), chance)
    value = by_name(fit)
    axes = [np.arange(2, 4, 0.02), sign * np.arange(0.5, 3, 0.02), np.arange(0, 0.2, 0.005)]
    t, s, lapse = np.meshgrid(*axes, indexing="ij")

    def log_likelihood(t, s, lapse):
        return sum(binom.logpmf(k[i], n, curve(x[i], t, s, lapse, chance)) for i in range(7))

    grid = log_likelihood(t, s, lapse)
    top = np.unravel_index(grid.argmax(), grid.shape)
    assert log_likelihood(*value.values()) >= grid.max()
    assert [value["threshold"], value["slope"], value["lapse"]] == pytest.approx([t[top], s[top], lapse[top]], abs=0.08)
    of_shares = binom.logpmf(k, n, k / n).sum()  # a model with a share for each level
    assert fit.deviance.to_numpy() == pytest.approx(2 * (of_shares - log_likelihood(*value.values())), abs=1e-6)


def test_parameters_come_back():
    """Within four standard errors, those of the expected information by finite differences."""
    x, n, chance, true = np.linspace(0, 8, 9), 4000, 0.2, np.array([3.5, -0.9, 0.08])
    resamples = 200
    p = curve(x, *true, chance)
    slopes = np.array([
        (curve(x, *(true + h), chance) - curve(x, *(true - h), chance)) / 2e-5 for h in np.eye(3) * 1e-5
    ])  # fmt: skip
    se = np.sqrt(np.diag(np.linalg.inv((slopes * n / (p * (1 - p))) @ slopes.T)))
    k = np.random.default_rng(3).binomial(n, p)
    table = psychometric(x, k, np.full(9, n), chance, np.random.default_rng(4), resamples=resamples)
    assert np.abs((table.value - true) / se).max() < 4
    # The bootstrap's intervals are as wide as such errors say: a quantile of so many draws has a standard error of
    # √(.025 · .975 / resamples) / .058 sd, and a width has two.
    slack = 4 * np.sqrt(2) * np.sqrt(0.025 * 0.975 / resamples) / 0.058 / (2 * 1.96)
    assert (table.high - table.low).to_numpy() / (2 * 1.96 * se) == pytest.approx(1, abs=slack)
    assert table.undefined.eq(0).all() and table.converged.all()


def test_resamples_without_curve_are_left_out_and_counted():
    x, resamples = np.arange(4.0), 400
    table = psychometric(x, [1, 0, 1, 1], [1] * 4, 0.0, np.random.default_rng(0), resamples=resamples)
    p = curve(x, *table.value, 0.0)
    share = p.prod() + (1 - p).prod()
    assert table.undefined[0] == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / resamples))


def test_what_the_answers_do_not_fix_is_said_and_not_given():
    cases = (
        ([10, 10, 10, 0], 0.0, "a step fits as well"),
        ([10, 10, 4, 0], 0.0, "a step fits as well"),
        ([5, 5, 5, 5], 0.5, "no curve fits better"),
        ([2, 3, 3, 2], 0.5, "no curve fits better"),  # below chance everywhere
    )
    for correct, chance, note in cases:
        rng = np.random.default_rng(0)
        table = psychometric([0, 1, 2, 3], correct, [10] * 4, chance, rng, resamples=10)
        assert not table.identified.any() and table.note[0].startswith(note)
        assert table[["value", "low", "high"]].isna().all(axis=None)


def test_a_threshold_beyond_the_levels_and_a_lapse_at_its_limit_are_said():
    table = psychometric([0, 1, 2], [95, 90, 80], [100] * 3, 0.0)
    assert table.identified.all() and table.note[0] == "the threshold lies beyond the levels tested"
    assert by_name(table)["threshold"] > 2
    x = np.arange(8.0)
    table = psychometric(x, np.round(400 * curve(x, 3, 2, 0.7, 0.0)).astype(int), np.full(8, 400), 0.0)
    assert by_name(table)["lapse"] == pytest.approx(0.5) and "lapse rate is at its limit" in table.note[0]
