"""Mixed models against the closed forms of balanced designs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cogkit.stats import mixed_model


def balanced(groups: int = 12, each: int = 10, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"g": np.repeat(np.arange(groups), each), "x": np.tile([-0.5, 0.5], groups * each // 2)})
    shift, slope = np.repeat(rng.normal(0, 2, groups), each), np.repeat(rng.normal(1, 1.5, groups), each)
    return frame.assign(y=shift + slope * frame.x + rng.normal(size=groups * each))


def test_random_intercept_is_the_anova_estimator():
    frame = balanced()
    means = frame.groupby("g").y.mean()
    msb = 10 * means.var(ddof=1)
    msw = ((frame.y - frame.g.map(means)) ** 2).sum() / (120 - 12)
    table = mixed_model(frame, "y ~ 1", "g")
    assert table.part.tolist() == ["fixed", "random", "residual"]
    fixed, between, residual = table.itertuples()
    assert fixed.estimate == pytest.approx(frame.y.mean(), rel=1e-6)
    assert fixed.se == pytest.approx(np.sqrt(msb / 120), rel=1e-4)
    assert between.estimate == pytest.approx(np.sqrt((msb - msw) / 10), rel=1e-4)
    assert residual.estimate == pytest.approx(np.sqrt(msw), rel=1e-4)
    assert table.converged.all() and (table.warnings == "").all()


def test_random_slope_has_the_error_of_the_groups_slopes():
    frame = balanced()
    slopes = frame[frame.x > 0].groupby("g").y.mean() - frame[frame.x < 0].groupby("g").y.mean()
    table = mixed_model(frame, "y ~ x", "g", "1 + x").set_index(["part", "term"])
    fixed = table.loc[("fixed", "x")]
    assert fixed.estimate == pytest.approx(slopes.mean(), rel=1e-6)
    assert fixed.se == pytest.approx(slopes.std(ddof=1) / np.sqrt(12), rel=1e-4)
    means = frame.groupby("g").y.mean()
    assert table.loc[("fixed", "Intercept")].se == pytest.approx(means.std(ddof=1) / np.sqrt(12), rel=1e-4)
    assert -1 <= table.loc[("random", "Intercept ~ x")].estimate <= 1


def test_singular_fit_is_said_in_the_table_and_nowhere_else(recwarn, capsys):
    frame = balanced(groups=3, seed=1)
    frame["y"] -= frame.groupby("g").y.transform("mean")  # no spread between groups at all
    table = mixed_model(frame, "y ~ x", "g")
    assert "singular" in table.warnings[0] and "\n" not in table.warnings[0]
    assert table[table.part == "random"].estimate.item() == pytest.approx(0, abs=1e-3)
    assert len(recwarn) == 0 and capsys.readouterr().err == ""
