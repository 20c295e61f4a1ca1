"""ANOVA from cells against scipy, against least squares written out, and against statsmodels on the scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import case
from raw_anova import anova
from scipy import stats as scipy_stats

from cogkit.stats import anova_from_cells


def unbalanced(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = []
    for a in ("x", "y"):
        for b in ("1", "2", "3"):
            for c in ("p", "q"):
                n = int(rng.integers(2, 9))
                mean = rng.normal()
                rows += [(a, b, c, score) for score in rng.normal(mean, 1 + rng.random(), n)]
    return pd.DataFrame(rows, columns=["a b", "group", "C", "score"])


def as_cells(frame: pd.DataFrame, factors: list[str]) -> pd.DataFrame:
    return frame.groupby(factors).score.agg(n="size", mean="mean", sd="std").reset_index()


def rss(y: np.ndarray, *columns: np.ndarray) -> float:
    design = np.column_stack([np.ones(len(y)), *columns])
    return float(((y - design @ np.linalg.lstsq(design, y, rcond=None)[0]) ** 2).sum())


def test_one_factor_is_scipys_f_oneway():
    rng = np.random.default_rng(1)
    groups = {"a": rng.normal(0, 1, 5), "b": rng.normal(1, 1, 9), "c": rng.normal(0, 2, 4)}
    frame = pd.DataFrame([(g, s) for g, scores in groups.items() for s in scores], columns=["g", "score"])
    expected = scipy_stats.f_oneway(*groups.values())
    table = anova_from_cells(as_cells(frame, ["g"]), ["g"])
    assert table.term.tolist() == ["g", "residual"]
    assert table.f[0] == pytest.approx(expected.statistic, rel=1e-10)
    assert table.p[0] == pytest.approx(expected.pvalue, rel=1e-10)
    assert (table.df[0], table.df_resid[0]) == (2, 15)


def test_type_two_written_out():
    """Two unbalanced factors: each main effect after the other, the interaction last."""
    frame = unbalanced(2)
    a = (frame["a b"] == "y").to_numpy(float)
    b = pd.get_dummies(frame.group).to_numpy(float)[:, 1:].T
    y = frame.score.to_numpy()
    both, full = rss(y, a, *b), rss(y, a, *b, *(a * b))
    expected = [rss(y, *b) - both, rss(y, a) - both, both - full, full]
    table = anova_from_cells(as_cells(frame, ["a b", "group"]), ["a b", "group"])
    assert table.term.tolist() == ["a b", "group", "a b:group", "residual"]
    assert table.ss.to_numpy() == pytest.approx(expected, rel=1e-9)
    assert table.df.tolist() == [1, 2, 2, len(frame) - 6]
    assert table.partial_eta2[1] == pytest.approx(expected[1] / (expected[1] + full))
    assert table.iloc[-1][["f", "p", "partial_eta2"]].isna().all()


def test_cells_alone_give_the_whole_table():
    factors = ["C", "a b", "group"]
    for seed in range(3):
        frame = unbalanced(seed)
        cells = as_cells(frame, factors).sample(frac=1, random_state=seed)
        with case(seed):
            expected = anova(frame, "score", factors, 2)
            pd.testing.assert_frame_equal(anova_from_cells(cells, factors), expected, rtol=1e-8)


def test_cells_of_one_score_add_nothing_within():
    cells = pd.DataFrame({"g": ["a", "b"], "n": [1, 3], "mean": [0.0, 2.0], "sd": [float("nan"), 1.0]})
    table = anova_from_cells(cells, ["g"])
    assert table.ss.tolist() == pytest.approx([1 * 3 / 4 * 2.0**2, 2.0])
