"""Correlations against scipy, statsmodels and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats as scipy_stats

from cogkit.stats import draw_counts, partial_correlation, spearman

RNG = np.random.default_rng(12)
X = RNG.normal(size=40)
Y = 0.5 * X + RNG.normal(size=40)
CONTROL = X + RNG.normal(size=40)
TIED = RNG.integers(0, 5, 40).astype(float)


def test_rho_and_p_are_scipys():
    for x, y in ((X, Y), (TIED, Y), (TIED, (TIED + X).round())):
        row = spearman(x, y, np.random.default_rng(0), resamples=2).iloc[0]
        expected = scipy_stats.spearmanr(x, y)
        assert (row.rho, row.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)
        assert row.n == 40


@pytest.mark.parametrize("strata", [None, np.repeat(["a", "b"], [13, 27])])
def test_interval_is_that_of_gathered_resamples(strata):
    """The same draws, gathered unit by unit and ranked by scipy."""
    result = spearman(TIED, Y, np.random.default_rng(3), strata=strata, resamples=300).iloc[0]
    counts = draw_counts(np.zeros(40), np.random.default_rng(3), 300, strata=strata)
    naive = [scipy_stats.spearmanr(np.repeat(TIED, row), np.repeat(Y, row)).statistic for row in counts]
    assert (result.low, result.high) == pytest.approx(tuple(np.quantile(naive, [0.025, 0.975])), rel=1e-9)
    if strata is not None:
        assert (counts[:, strata == "a"].sum(axis=1) == 13).all()


def test_resamples_without_rho_are_left_out_and_counted():
    x = np.array([0.0, 0, 0, 0, 1])
    row = spearman(x, np.arange(5.0), np.random.default_rng(1), resamples=20_000).iloc[0]
    share = 0.8**5 + 0.2**5  # the odd unit is never drawn, or always
    assert row.undefined == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 20_000))
    assert np.isfinite([row.low, row.high]).all()


def test_constant_has_no_rho():
    row = spearman(np.ones(6), np.arange(6.0), np.random.default_rng(1)).iloc[0]
    assert np.isnan([row.rho, row.p, row.low, row.high]).all() and row.undefined == 1


def test_a_control_is_held_constant_by_a_regression():
    for method, score in (("linear", np.asarray), ("rank", scipy_stats.rankdata)):
        x, y, control = map(score, (TIED, Y, CONTROL))
        row = partial_correlation(TIED, Y, CONTROL, method).iloc[0]
        rest = [sm.OLS(values, sm.add_constant(control)).fit().resid for values in (x, y)]
        assert row.r == pytest.approx(scipy_stats.pearsonr(*rest).statistic, rel=1e-9)
        assert (row.n, row.method) == (40, method)
        assert np.isnan(partial_correlation(X, Y, 3 * X + 1, method).r.item())  # nothing is left
        assert partial_correlation(X, 2 * X, Y, method).r.item() == pytest.approx(1, abs=1e-12)
