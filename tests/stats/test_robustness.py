"""The worst group and the line of accuracies, against statsmodels, closed forms and simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint

from cogkit.stats import effective_robustness, worst_group

RNG = np.random.default_rng(5)
LINKS = {
    "logit": (lambda p: np.log(p / (1 - p)), lambda z: 1 / (1 + np.exp(-z))),
    "probit": (scipy_stats.norm.ppf, scipy_stats.norm.cdf),
    "linear": (lambda p: p, lambda z: z),
}


def models(m: int = 14, seed: int = 1) -> pd.DataFrame:
    r = np.random.default_rng(seed)
    z = r.normal(1, 0.8, m)
    forth, back = LINKS["logit"]
    frame = pd.DataFrame({"near": back(z), "far": back(0.7 * z - 0.6 + r.normal(0, 0.15, m))})
    return frame.set_axis([f"m{i}" for i in range(m)]).assign(plain=np.arange(m) < m - 2)


def test_groups_by_hand_and_by_statsmodels():
    groups = np.array(list("bbbaaaaacc"))
    correct = np.array([1, 1, 0, 1, 1, 1, 1, 0, 1, 0], bool)
    table = worst_group(correct, groups, level=0.9)
    assert table.group.tolist() == ["b", "a", "c"]
    assert table[["n", "correct"]].values.tolist() == [[3, 2], [5, 4], [2, 1]]
    assert table.accuracy.tolist() == pytest.approx([2 / 3, 0.8, 0.5])
    assert table.gap.tolist() == pytest.approx([0.7 - 2 / 3, -0.1, 0.2])
    assert table.worst.tolist() == [False, False, True]
    low, high = proportion_confint(table.correct, table.n, alpha=0.1, method="wilson")
    assert np.allclose(table.low, low) and np.allclose(table.high, high)


def test_ties_are_all_worst_and_gaps_even_out():
    table = worst_group([1, 0, 1, 0, 1, 1, 1], [9, 9, 4, 4, 1, 1, 1])
    assert table.worst.tolist() == [True, True, False] and table.group.tolist() == [9, 4, 1]
    assert (table.n * table.gap).sum() == pytest.approx(0, abs=1e-12)


def test_line_and_interval_are_statsmodels():
    frame = models()
    base = frame[frame.plain]
    for axis, (forth, back) in LINKS.items():
        table = effective_robustness(frame, "near", "far", "plain", axis, level=0.9)
        fit = sm.OLS(forth(base.far), sm.add_constant(forth(base.near))).fit()
        forecast = fit.get_prediction(sm.add_constant(forth(frame.near))).summary_frame(alpha=0.1)
        names = ["mean", "obs_ci_lower", "obs_ci_upper"]
        assert np.allclose(table[["expected", "expected_low", "expected_high"]], back(forecast[names]), rtol=1e-9)
        assert np.allclose(table.effective, frame.far - back(forecast["mean"]), atol=1e-12)
        first = table.iloc[0]
        assert (first.intercept, first.slope, first.r2) == pytest.approx((*fit.params, fit.rsquared), rel=1e-9)
        assert table.model.tolist() == frame.index.tolist() and table.baseline.tolist() == frame.plain.tolist()
        assert (first.models, first.axis, first.note) == (12, axis, "")


def test_a_baseline_is_a_column_a_vector_or_everybody():
    frame = models()
    first, second = (effective_robustness(frame, "near", "far", b) for b in ("plain", frame.plain.to_numpy()))
    pd.testing.assert_frame_equal(first, second)
    whole = effective_robustness(frame, "near", "far")
    assert whole.baseline.all() and whole.models.iloc[0] == 14 and whole.slope[0] != first.slope[0]
    few = effective_robustness(frame, "near", "far", np.arange(14) < 4)
    assert few.note.unique().tolist() == ["the line rests on 4 models only"]


def test_interval_holds_one_more_model_as_often_as_it_says():
    trials, inside = 600, 0
    for seed in range(trials):
        frame = models(9, seed=seed).assign(plain=np.arange(9) < 8)
        last = effective_robustness(frame, "near", "far", "plain", level=0.8).iloc[-1]
        inside += last.expected_low <= last.shifted <= last.expected_high
    assert inside / trials == pytest.approx(0.8, abs=4 * np.sqrt(0.8 * 0.2 / trials))


def test_bad_input_is_one_sentence(refused):
    frame = models()
    calls = {
        "exactly 0 or 1 .m0.: leave": lambda: effective_robustness(frame.assign(far=1.0), "near", "far"),
    }
    refused(calls)
