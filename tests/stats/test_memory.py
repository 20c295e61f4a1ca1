"""How far a learner is above memory: against formulas worked by hand, and the words for it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cogkit.stats import mean_over_runs
from cogkit.stats.memory import above_memory, climbed, highest, learnt


def test_the_part_is_a_ratio_of_means_with_the_interval_of_its_residuals():
    rng = np.random.default_rng(0)
    floor, ideal = rng.uniform(0, 0.4, 50), rng.uniform(0.6, 1, 50)
    scores = floor + 0.7 * (ideal - floor) + rng.normal(0, 0.1, (3, 50))
    part = above_memory(scores, floor, ideal, 0.0)
    by_hand = (scores.mean() - floor.mean()) / (ideal.mean() - floor.mean())
    assert part.value == pytest.approx(by_hand) and part.low < by_hand < part.high and part.runs == 3
    residuals = scores - floor - by_hand * (ideal - floor)
    half = mean_over_runs(residuals)
    room = (ideal - floor).mean()
    assert (part.low, part.high) == pytest.approx((by_hand + half.low / room, by_hand + half.high / room))


def test_a_floor_that_is_the_same_everywhere_changes_nothing_but_the_scale():
    scores = np.random.default_rng(1).uniform(0, 1, (4, 30))
    part, mean = above_memory(scores, 0.2, 0.7, 0.0), mean_over_runs(scores)
    assert [part.value, part.low, part.high] == pytest.approx([(x - 0.2) / 0.5 for x in mean[:3]])


def test_the_ideal_is_1_and_the_floor_0():
    floor, ideal = np.array([0.1, 0.3, 0.2]), np.array([0.9, 1.0, 0.8])
    assert above_memory(ideal, floor, ideal, 0.0)[:3] == pytest.approx((1, 1, 1))
    assert above_memory(floor, floor, ideal, 0.0)[:3] == pytest.approx((0, 0, 0))


def test_nothing_is_said_where_memory_is_nearly_the_ideal():
    part = above_memory(np.ones((3, 4)), 0.9, 1.0, 0.4)
    assert np.isnan(part[:3]).all() and part.interval == "memory has 0.83 of the ideal"
    assert learnt(part.value, part.low, "rule") == "not shown"
    assert np.isfinite(above_memory(np.ones((3, 4)), 0.88, 1.0, 0.4).value)  # .8 itself is not too much


@pytest.mark.parametrize(("part", "low", "rung", "word"), [
    (0.5, 0.01, "interpolation", "learnt"), (0.49, 0.4, "rule", "partly"), (0.9, 0.0, "composition", "not shown"),
    (1.0, 0.9, "iid", "not shown"), (1.0, 0.9, "orbit", "not shown"), (0.7, np.nan, "extrapolation", "not shown"),
])  # fmt: skip
def test_a_rule_is_learnt_from_half_of_the_way_on(part, low, rung, word):
    assert learnt(part, low, rung) == word


def test_the_highest_rung_has_the_runs_of_the_test_that_is_learnt_there():
    row = {"instrument": "tiles", "kind": "model", "who": "net", "metric": "above memory", "low": 0.1}
    row |= {"interval": "95% over items, one run"}
    low, high = (row | {"split": rung, "rung": rung} for rung in ("interpolation", "rule"))
    one = low | {"split": "another", "value": 0.1, "low": -0.1, "high": 0.3}
    learnt = [low | {"value": v, "high": 0.9} for v in (0.7, 0.75, 0.8)]
    (top,) = highest(pd.DataFrame([*learnt, one])).itertuples()
    assert (top.tests, top.rung, top.runs, top.on) == (2, "interpolation", 3, ["interpolation"])
    (top,) = highest(pd.DataFrame([*learnt, one, high | {"value": 0.6, "high": 0.8}])).itertuples()
    assert (top.rung, top.runs) == ("rule", 1)
    (top,) = highest(pd.DataFrame([one])).itertuples()
    assert (top.rung, top.runs) == ("none", 1)


def test_runs_of_a_learner_are_one_row_with_a_verdict():
    place = {"instrument": "tiles", "kind": "model", "who": "net", "split": "cross, diagonal", "rung": "extrapolation"}
    row = place | {"metric": "above memory", "interval": "95% over items, one run"}
    runs = [row | {"value": v, "low": v - 0.1, "high": v + 0.1} for v in (0.6, 0.7, 0.8)]
    others = [row | {"who": "rule", "kind": "observer", "value": 1.0}, row | {"metric": "skill", "value": 9.0}]
    one = row | {"instrument": "mewl", "value": 0.3, "low": 0.1, "high": 0.5}
    table = climbed(pd.DataFrame([*runs, *others, one])).set_index("instrument")
    assert table.value.to_dict() == pytest.approx({"tiles": 0.7, "mewl": 0.3}) and table.n.to_dict()["tiles"] == 3
    assert 0 < table.low["tiles"] < 0.7 - 1.96 * 0.1 / np.sqrt(3)  # runs differ by .1, and there are few of them
    assert table.verdict.to_dict() == {"tiles": "learnt", "mewl": "partly"}
