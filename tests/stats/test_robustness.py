"""The worst group and the line of accuracies, against statsmodels, closed forms and simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.special import expit, logit
from statsmodels.stats.proportion import proportion_confint

from cogkit.stats import effective_robustness, worst_group

RNG = np.random.default_rng(5)


def models(m: int = 14, seed: int = 1) -> pd.DataFrame:
    r = np.random.default_rng(seed)
    z = r.normal(1, 0.8, m)
    return pd.DataFrame({"near": expit(z), "far": expit(0.7 * z - 0.6 + r.normal(0, 0.15, m))})


def test_groups_by_hand_and_by_statsmodels():
    groups = np.array(list("bbbaaaaacc"))
    correct = np.array([1, 1, 0, 1, 1, 1, 1, 0, 1, 0], bool)
    table = worst_group(correct, groups)
    assert table.group.tolist() == ["b", "a", "c"]
    assert table[["n", "correct"]].values.tolist() == [[3, 2], [5, 4], [2, 1]]
    assert table.accuracy.tolist() == pytest.approx([2 / 3, 0.8, 0.5])
    assert table.gap.tolist() == pytest.approx([0.7 - 2 / 3, -0.1, 0.2])
    assert table.worst.tolist() == [False, False, True]
    low, high = proportion_confint(table.correct, table.n, method="wilson")
    assert np.allclose(table.low, low) and np.allclose(table.high, high)


def test_line_and_interval_are_statsmodels():
    frame, base = models(), models()[:12]
    table = effective_robustness(frame, "near", "far", np.arange(14) < 12)
    fit = sm.OLS(logit(base.far), sm.add_constant(logit(base.near))).fit()
    forecast = fit.get_prediction(sm.add_constant(logit(frame.near))).summary_frame()
    names = ["mean", "obs_ci_lower", "obs_ci_upper"]
    assert np.allclose(table[["expected", "expected_low", "expected_high"]], expit(forecast[names]), rtol=1e-9)
    assert np.allclose(table.effective, frame.far - expit(forecast["mean"]), atol=1e-12)
    first = table.iloc[0]
    assert (first.intercept, first.slope) == pytest.approx(tuple(fit.params), rel=1e-9)
    assert (first.models, first.note, table.baseline.sum()) == (12, "", 12)
    few = effective_robustness(frame, "near", "far", np.arange(14) < 4)
    assert few.note.unique().tolist() == ["the line rests on 4 models only"]
