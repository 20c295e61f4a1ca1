"""Correlations against scipy, statsmodels and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats as scipy_stats

from cogkit.core.contracts import InputError
from cogkit.stats import draw_counts, partial_correlation, spearman

RNG = np.random.default_rng(12)
X = RNG.normal(size=40)
Y = 0.5 * X + RNG.normal(size=40)
CONTROLS = np.column_stack([X + RNG.normal(size=40), Y - X + RNG.normal(size=40), RNG.normal(size=40)])
TIED = RNG.integers(0, 5, 40).astype(float)


@pytest.mark.parametrize("x, y", [(X, Y), (TIED, Y), (TIED, (TIED + X).round())])
def test_rho_and_p_are_scipys(x, y):
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


def test_strata_that_explain_all_leave_less_spread():
    """Between strata x and y move together, within they do not: fixing the strata fixes most of rho."""
    strata = np.repeat([0.0, 10.0], 20)
    wide, narrow = (
        spearman(X + strata, Y + strata, np.random.default_rng(0), strata=s).iloc[0] for s in (None, strata)
    )
    assert wide.rho == narrow.rho and narrow.high - narrow.low < wide.high - wide.low


def test_resamples_without_rho_are_left_out_and_counted():
    x = np.array([0.0, 0, 0, 0, 1])
    row = spearman(x, np.arange(5.0), np.random.default_rng(1), resamples=20_000).iloc[0]
    share = 0.8**5 + 0.2**5  # the odd unit is never drawn, or always
    assert row.undefined == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 20_000))
    assert np.isfinite([row.low, row.high]).all()


def test_constant_has_no_rho():
    row = spearman(np.ones(6), np.arange(6.0), np.random.default_rng(1)).iloc[0]
    assert np.isnan([row.rho, row.p, row.low, row.high]).all() and row.undefined == 1


@pytest.mark.parametrize("method, score", [("linear", np.asarray), ("rank", scipy_stats.rankdata)])
def test_one_control_in_closed_form(method, score):
    x, y, z = score(TIED), score(Y), score(CONTROLS[:, 0])
    xy, xz, yz = (np.corrcoef(pair)[0, 1] for pair in ((x, y), (x, z), (y, z)))
    expected = (xy - xz * yz) / np.sqrt((1 - xz**2) * (1 - yz**2))
    for control in (CONTROLS[:, 0], CONTROLS[:, [0]]):
        row = partial_correlation(TIED, Y, control, method).iloc[0]
        assert row.r == pytest.approx(expected, rel=1e-10)
        assert (row.n, row.given, row.df, row.method) == (40, 1, 37, method)


@pytest.mark.parametrize("method", ["linear", "rank"])
def test_several_controls_are_those_of_a_regression(method):
    x, y, controls = X, Y, CONTROLS
    if method == "rank":
        x, y, controls = (scipy_stats.rankdata(values, axis=0) for values in (X, Y, CONTROLS))
    row = partial_correlation(X, Y, CONTROLS, method).iloc[0]
    rest = [sm.OLS(values, sm.add_constant(controls)).fit().resid for values in (x, y)]
    assert row.r == pytest.approx(scipy_stats.pearsonr(*rest).statistic, rel=1e-9)
    inverse = np.linalg.inv(np.corrcoef(np.column_stack([x, y, controls]).T))
    assert row.r == pytest.approx(-inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1]), rel=1e-9)
    # The t test of a partial correlation is that of the coefficient in the regression.
    fit = sm.OLS(y, sm.add_constant(np.column_stack([x, controls]))).fit()
    assert row.p == pytest.approx(fit.pvalues[1], rel=1e-9) and row.df == fit.df_resid


def test_units_of_the_controls_do_not_matter():
    far = CONTROLS * np.array([1e9, 1e-9, 1.0]) + np.array([1e12, 0, 5])
    expected, r = (partial_correlation(X, Y, c, "linear").r.item() for c in (CONTROLS, far))
    assert r == pytest.approx(expected, rel=1e-4)  # 1e12 + 1e9 x keeps twelve digits fewer of x


@pytest.mark.parametrize("method", ["linear", "rank"])
def test_nothing_left_is_not_applicable(method):
    row = partial_correlation(X, Y, 3 * X + 1, method).iloc[0]
    assert np.isnan([row.r, row.p]).all()
    assert partial_correlation(X, 2 * X, Y, method).iloc[0][["r", "p"]].tolist() == pytest.approx([1, 0], abs=1e-12)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: spearman(X, Y[:9]), "two vectors of one length"),
        (lambda: spearman([1.0, 2.0], [1.0, 2.0]), "at least three pairs"),
        (lambda: spearman([1.0, 2.0, np.nan], [1.0, 2.0, 3.0]), "not finite"),
        (lambda: spearman(X, Y, np.random.default_rng(0), strata=[1]), "one stratum a unit"),
        (lambda: spearman(X, Y, np.random.default_rng(0), resamples=1), "at least two"),
        (lambda: spearman(X, Y, level=95), "between 0 and 1"),
        (lambda: partial_correlation(X, Y, CONTROLS, "ranks"), "did you mean 'rank'"),
        (lambda: partial_correlation(X, Y, CONTROLS[:9]), "a vector of 40"),
        (lambda: partial_correlation(X[:5], Y[:5], CONTROLS[:5]), "at least 6 units"),
        (lambda: partial_correlation(X, Y, np.where(X > 0, np.nan, X)), "missing in the controls"),
        (lambda: partial_correlation(X, Y, np.ones(40)), "constant"),
        (lambda: partial_correlation(X, Y, CONTROLS @ [[1, 0, 1], [0, 1, 1], [0, 0, 0]], "linear"), "a sum of"),
    ],
)
def test_bad_input_is_one_sentence(call, message):
    with pytest.raises(InputError, match=message) as error:
        call()
    assert "\n" not in str(error.value)
