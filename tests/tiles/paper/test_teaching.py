"""What networks learn from points and from boards is read off the cells and presets of result rows."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from scipy import stats

import cogkit
from cogkit.data.results import shipped
from cogkit.tiles.paper.teaching import pairs, teaching


def row(agent: str, task: str, value: float, preset: str = "lab", seed: int = 0, **other) -> dict:
    cell = f"tiles/{agent}/{task}"
    made = {"cell": cell, "task": task, "preset": preset, "seed": seed, "kind": "model", "metric": "skill"}
    return made | {"value": value, "profile": "verified"} | other


def test_skill_stands_by_architecture_rule_teaching_and_clicks():
    table = teaching(pd.DataFrame([
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
    table = teaching(pd.DataFrame([row("epn", "tree/abstract", v, seed=k) for k, v in enumerate(values)]))
    test = stats.ttest_1samp(values, 0).confidence_interval()
    assert table[["value", "low", "high", "n"]].values.tolist() == [pytest.approx([1.9 / 3, test.low, test.high, 3])]


def test_other_rows_do_not_count():
    rows = [
        row("epn", "mixture/abstract", 0.5) | {"task": "tree/abstract"}, row("epn", "tree/metamer", 0.5, metric="z"),
        row("bayes-greedy", "tree/abstract", 1.0, kind="observer"), row("never-heard-of", "tree/abstract", 1.0),
    ]  # fmt: skip
    assert teaching(pd.DataFrame(rows)).empty


def test_pairs_are_of_the_same_network_rule_and_clicks():
    table = teaching(pd.DataFrame([
        row("epn", "tree/abstract", 0.5), row("epn", "tree/abstract", 0.6, seed=1),
        row("supervised-epn", "tree/abstract", 0.5), row("supervised-epn", "copy/abstract", 0.1),
        row("lstm", "tree/abstract", 0.9),  # with more clicks
        row("supervised-lstm-2m", "tree/abstract", 0.2), row("lstm-2m", "tree/abstract", 0.1),
    ]))  # fmt: skip
    assert pairs(table).values.tolist() == [["EPN", "tree", 0.55, 0.5, True], ["LSTM", "tree", 0.1, 0.2, False]]


def test_of_the_networks_that_ship_a_third_are_below_those_taught_by_points():
    """So no text may say that a network taught by boards bounds what the other could do."""
    skill = shipped("tiles").query("kind == 'model' and metric == 'skill' and not cell.str.contains('mixture')")
    skill = skill[skill.task.str.endswith("/abstract")]  # the paper's tasks, no families
    mean = skill.groupby([skill.cell.str.split("/").str[1].rename("agent"), "task"]).value.mean().unstack("agent")
    names = [name for name in mean if str(name).startswith("supervised-")]
    below = [(mean[name] < mean[str(name).removeprefix("supervised-")]).sum() for name in names]
    both = pairs(teaching(shipped("tiles")))
    assert len(both) == mean[names].notna().sum().sum() and both.below.sum() == sum(below) > 0.1 * len(both)


WORDS = re.compile(r"ceiling|can hold|could hold|could (each )?(network )?know|\btwins?\b", re.IGNORECASE)
ROOT = Path(cogkit.__file__).parents[1]


def test_no_text_calls_a_network_taught_by_boards_a_ceiling():
    texts = [path for path in (ROOT / "cogkit" / "tiles").rglob("*.*") if path.suffix in (".py", ".js")]
    texts += [ROOT / "notebooks" / f"{name}.ipynb" for name in ("03_tile_agents", "04_people_and_agents")]
    assert len(texts) > 60
    assert {path.name: words for path in texts if (words := WORDS.findall(path.read_text("utf-8")))} == {}
