"""The mean over runs against tables of statsmodels, scipy's t, numbers by hand, and the stored table of coverage."""

from __future__ import annotations

import coverages
import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from scipy.special import expit, logit
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from cogkit.app import one_scale
from cogkit.data.facts import facts
from cogkit.stats import mean_of_rows, mean_over_runs, wilson

RNG = np.random.default_rng(7)
T = scipy_stats.t(2).ppf(0.975)


def test_runs_and_items_are_crossed_as_in_a_two_way_table():
    """Variance and degrees of freedom from the mean squares of statsmodels; scores that are no shares."""
    scores = 3 + RNG.normal(0, 0.5, (4, 1)) + RNG.normal(0, 1, (1, 30)) + RNG.normal(0, 1, (4, 30))
    long = pd.DataFrame([(r, i, scores[r, i]) for r in range(4) for i in range(30)], columns=["run", "item", "score"])
    table = anova_lm(ols("score ~ C(run) + C(item)", long).fit())
    run, item, rest = table.sum_sq / table.df
    total = run + item - rest
    df = total**2 / (run**2 / 3 + item**2 / 29 + rest**2 / 87)
    half = scipy_stats.t(df).ppf(0.975) * np.sqrt(total / scores.size)
    mean = mean_over_runs(scores)
    assert min(run, item) > rest and mean.interval == "95% over 4 runs and items"
    assert (mean.low, mean.high) == pytest.approx((scores.mean() - half, scores.mean() + half))


def test_shares_have_limits_on_the_logit_scale_as_if_all_runs_erred_on_the_same_items():
    shares, n = np.array([0.90, 0.94, 0.98]), 400
    p = (shares.mean() * n + 0.5) / (n + 1)
    runs, items = shares.var(ddof=1) / 3, p * (1 - p) / n
    df = (runs + items) ** 2 / (runs**2 / 2 + items**2 / (n - 1))
    half = scipy_stats.t(df).ppf(0.975) * np.sqrt(runs + items) / (p * (1 - p))
    mean = mean_over_runs(shares, n)
    assert (mean.low, mean.high) == pytest.approx((expit(logit(p) - half), expit(logit(p) + half)))
    rows = pd.DataFrame([
        {"value": share, "low": low, "high": high, "interval": "95% Wilson"}
        for share in shares for low, high in [wilson(share * n, n)]
    ])  # fmt: skip
    assert mean_of_rows(rows)[:3] == pytest.approx(mean[:3])


def test_fixed_items_and_items_of_its_own_leave_what_runs_differ_by():
    values = [1.0, 1.4, 2.1]
    half = T * np.std(values, ddof=1) / np.sqrt(3)
    for items in ("own", "fixed"):
        mean = mean_over_runs(values, items=items)
        assert (mean.low, mean.high) == pytest.approx((1.5 - half, 1.5 + half))
    runs = np.var(values, ddof=1) / 3
    df = (runs + 0.3**2) ** 2 / (runs**2 / 2)  # the standard error over items is known, and has none to lose
    half = scipy_stats.t(df).ppf(0.975) * np.sqrt(runs + 0.3**2)
    assert mean_over_runs(values, se=0.3)[1:3] == pytest.approx((1.5 - half, 1.5 + half))


def test_one_run_says_so():
    assert mean_over_runs([0.9], 100)[1:] == (*map(float, wilson(90, 100)), 1, "95% over items, one run")
    assert mean_over_runs([1.0], se=0.5).low == pytest.approx(1 - 0.98, abs=1e-3)
    assert np.isnan(mean_over_runs([1.0]).low)
    right = RNG.random((1, 50)) < 0.7
    assert mean_over_runs(right)[:4] == pytest.approx((right.mean(), *wilson(right.sum(), 50), 1))


def test_runs_that_are_always_right_have_an_interval():
    for items in ("sample", "own", "fixed"):
        mean = mean_over_runs([1.0] * 3, 600, items=items)
        assert 0.85 < mean.low < mean.high == 1, items
    assert mean_over_runs(np.ones((3, 600), bool)).low > 0.99


def test_the_stored_intervals_hold_the_truth_as_often_as_they_say():
    """Of 2,000 repetitions; two standard errors are allowed for, among some hundred cells."""
    table = facts(one_scale.__file__, "coverage")
    assert len(table) == len([*coverages.cells()]) and (table.repetitions == 2000).all()
    ours = table[table.rule.str.contains("shared items|own|fixed|difference")]
    least = np.where((ours.p >= 0.99) | ((ours.runs == 3) & (ours.run_spread >= 0.6)), 0.90, 0.93)
    short = ours[ours.coverage < least - 2 * ours.se]
    assert short.empty, short.to_string()
    best = table[(table.rule == "best of five learners") & (table.run_spread == 0)]
    assert best.bias.min() > 0  # why the best of several has no interval
