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
CONTROLS = np.column_stack([X + RNG.normal(size=40), Y - X + RNG.normal(size=40), RNG.normal(size=40)])
TIED = RNG.integers(0, 5, 40).astype(float)


def test_rho_and_p_are_scipys():
    for x, y in ((X, Y), (TIED, Y), (TIED, (TIED + X).round())):
        row = spearman(x, y).iloc[0]
        expected = scipy_stats.spearmanr(x, y)
        assert (row.rho, row.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)
        assert np.isnan([row.low, row.high, row.undefined]).all() and (row.n, row.resamples) == (40, 0)


@pytest.mark.parametrize("strata", [None, np.repeat(["a", "b"], [13, 27])])
def test_interval_is_that_of_gathered_resamples(strata):
    """The same draws, gathered unit by unit and ranked by scipy."""
    result = spearman(TIED, Y, np.random.default_rng(3), strata=strata, resamples=300, level=0.9).iloc[0]
    counts = draw_counts(np.zeros(40), np.random.default_rng(3), 300, strata=strata)
    naive = [scipy_stats.spearmanr(np.repeat(TIED, row), np.repeat(Y, row)).statistic for row in counts]
    assert (result.low, result.high) == pytest.approx(tuple(np.quantile(naive, [0.05, 0.95])), rel=1e-9)
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


def test_one_control_in_closed_form():
    for method, score in (("linear", np.asarray), ("rank", scipy_stats.rankdata)):
        x, y, z = score(TIED), score(Y), score(CONTROLS[:, 0])
        xy, xz, yz = (np.corrcoef(pair)[0, 1] for pair in ((x, y), (x, z), (y, z)))
        row = partial_correlation(TIED, Y, CONTROLS[:, 0], method).iloc[0]
        assert row.r == pytest.approx((xy - xz * yz) / np.sqrt((1 - xz**2) * (1 - yz**2)), rel=1e-10)
        assert (row.n, row.given, row.df, row.method) == (40, 1, 37, method)


def test_several_controls_are_those_of_a_regression():
    for method, score in (("linear", np.asarray), ("rank", lambda values: scipy_stats.rankdata(values, axis=0))):
        x, y, controls = map(score, (X, Y, CONTROLS))
        row = partial_correlation(X, Y, CONTROLS, method).iloc[0]
        rest = [sm.OLS(values, sm.add_constant(controls)).fit().resid for values in (x, y)]
        assert row.r == pytest.approx(scipy_stats.pearsonr(*rest).statistic, rel=1e-9)
        # The t test of a partial correlation is that of the coefficient in the regression.
        fit = sm.OLS(y, sm.add_constant(np.column_stack([x, controls]))).fit()
        assert row.p == pytest.approx(fit.pvalues[1], rel=1e-9) and row.df == fit.df_resid


def test_nothing_left_is_not_applicable():
    for method in ("linear", "rank"):
        row = partial_correlation(X, Y, 3 * X + 1, method).iloc[0]
        assert np.isnan([row.r, row.p]).all()
        row = partial_correlation(X, 2 * X, Y, method).iloc[0]
        assert (row.r, row.p) == pytest.approx((1, 0), abs=1e-12)
