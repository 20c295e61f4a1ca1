"""What networks could know is read off the cells and presets of result rows."""

from __future__ import annotations

import pandas as pd
import pytest
from scipy import stats

from cogkit.tiles.paper.ceilings import ceilings


def row(agent: str, task: str, value: float, preset: str = "lab", seed: int = 0, **other) -> dict:
    cell = f"tiles/{agent}/{task}"
    made = {"cell": cell, "task": task, "preset": preset, "seed": seed, "kind": "model", "metric": "skill"}
    return made | {"value": value, "profile": "verified"} | other


def test_skill_stands_by_architecture_rule_teaching_and_clicks():
    table = ceilings(pd.DataFrame([
        row("lstm", "copy/abstract", 0.1),  # 6,000 updates of 256 boards and 6 clicks
        row("lstm", "copy/abstract", 0.2, "paper"),  # 16,000 updates
        row("lstm-2m", "copy/abstract", 0.3), row("supervised-lstm-2m", "copy/abstract", 0.4),
        row("supervised-corelnet-colour", "zigzag/abstract", 0.5, "quick"),
    ]))  # fmt: skip
    assert list(table) == ["who", "rule", "taught", "clicks", "value", "low", "high", "n"]
    assert table.drop(columns=["low", "high"]).values.tolist() == [
        ["LSTM", "copy", "points", 9_216_000, 0.1, 1], ["LSTM", "copy", "points", 24_576_000, 0.2, 1],
        ["LSTM", "copy", "points", 2_000_000, 0.3, 1], ["LSTM", "copy", "boards", 2_000_000, 0.4, 1],
        ["CoRelNet, colour", "zigzag", "boards", 199_680, 0.5, 1],  # 312 whole updates of 640 clicks
    ]  # fmt: skip
    assert table.low.isna().all() and table.high.isna().all()


def test_seeds_make_a_mean_and_an_interval():
    values = [0.5, 0.6, 0.8]
    table = ceilings(pd.DataFrame([row("epn", "tree/abstract", v, seed=k) for k, v in enumerate(values)]))
    test = stats.ttest_1samp(values, 0).confidence_interval()
    assert table[["value", "low", "high", "n"]].values.tolist() == [pytest.approx([1.9 / 3, test.low, test.high, 3])]


def test_other_rows_do_not_count():
    rows = [
        row("epn", "mixture/abstract", 0.5) | {"task": "tree/abstract"}, row("epn", "tree/metamer", 0.5, metric="z"),
        row("bayes-greedy", "tree/abstract", 1.0, kind="observer"), row("never-heard-of", "tree/abstract", 1.0),
    ]  # fmt: skip
    assert ceilings(pd.DataFrame(rows)).empty
