"""What stands beside a learner on a split, and the row that says how far it is above memory."""

from __future__ import annotations

import pandas as pd
import pytest

from cogkit import mewl
from cogkit.app import experiments
from cogkit.core.presets import changed
from cogkit.data.results import shipped
from cogkit.data.rows import table
from cogkit.mewl import scoring
from cogkit.mewl.instrument import agent
from cogkit.mewl.learners import agents, floors, ladder
from cogkit.mewl.learners.memory import NearestEpisode
from cogkit.mewl.problems import making

NAME, TASK = "number, 5-6", "number/5-6"
NEAREST, TEXT, IDEAL = "nearest training episode", "text alone", "ideal learner"


@pytest.fixture(scope="module")
def right():
    """The score of each player on each test episode."""
    test = mewl.items(TASK)
    players = [NearestEpisode(making.episodes_of(TASK, "train"))]
    players += [floors.reference(name) for name in ("text-alone", "ideal-learner")]
    return {player.name: scoring.judge(player, test).score for player in players}


def test_the_rows_of_a_split_are_its_floors_and_the_ideal_learner(right):
    rows = experiments.compare(f"mewl/memory/{TASK}").set_index("who")
    assert dict(rows.kind) == {NEAREST: "floor", TEXT: "floor", IDEAL: "observer"} and {*rows.metric} == {"skill"}
    assert {*rows.split} == {NAME} and {*rows.rung} == {"extrapolation"} and {*rows.task} == {TASK}
    for who, score in right.items():
        assert rows.value[who] == pytest.approx((score.mean() - 0.2) / 0.8), who
    assert (rows.low <= rows.value).all() and (rows.value <= rows.high).all() and (rows.n == 600).all()
    assert ladder.summary(NAME)["best floor"] == rows.value.drop(IDEAL).idxmax()


def test_a_network_of_a_family_has_a_row_that_says_how_far_it_is_above_memory(right):
    settings = {"steps": 1, "batch": 8, "episodes": 16, "validated": 8, "tested": 40}
    config = changed(agents.config("slot-word-learner", "quick", set=TASK), **settings)
    (cell,) = experiments.cells(f"mewl/slot-word-learner/{TASK}")
    rows = table(experiments.complete(agent(config, "verified", 0), cell, "verified", "quick", 0))
    test = rows[rows.task == TASK].set_index("metric")
    floor = right[ladder.summary(NAME)["best floor"]][:40].mean()
    assert test.value["above memory"] == pytest.approx((test.value["accuracy"] - floor) / (1 - floor))
    assert {*test.split} == {NAME} and {*test.rung} == {"extrapolation"} and {*test.n} == {40}
    assert {*rows.task} >= {TASK, f"train/{TASK}", f"val/{TASK}"} and {*rows[rows.task != TASK].rung} == {""}
    assert {*rows[rows.task == f"train/{TASK}"].n} == {16}


def test_who_is_right_as_the_best_floor_is_at_0_and_who_is_always_right_at_1():
    test = mewl.items(TASK)
    for player, value in (NearestEpisode(making.episodes_of(TASK, "train")), 0), (floors.reference("ideal-learner"), 1):
        assert ladder.above_row(scoring.judge(player, test))["value"] == pytest.approx(value)


def test_a_staircase_has_the_floors_of_each_split_and_the_skill_of_networks_of_its_own():
    ours, levels = shipped("mewl", tasks=["number"]), experiments.compare(f"mewl/memory/{TASK}")
    network = ours.query("cell == 'mewl/slot-word-learner/number' and metric == 'accuracy'")
    further = network.assign(cell=f"mewl/slot-word-learner/{TASK}", task=TASK, split=NAME, rung="extrapolation")
    steps = ladder.table(pd.concat([levels, ours, further]), "number")
    learner = steps[steps.who == "slot word learner"]
    assert learner.value.tolist() == pytest.approx([(network.value.mean() - 0.2) / 0.8] * 2)
    assert learner.n.tolist() == [3, 3] and {*learner.rung} == {"iid", "extrapolation"}
    assert not steps.who.str.contains("all tasks").any() and steps.groupby(["split", "who"]).size().max() == 1
    text = mewl.figures.staircase(steps, title="t").layout.meta["alt"]
    assert text.startswith("number, new episodes (iid): ") and f"{NAME} (extrapolation): {NEAREST} 0.09" in text


def test_results_at_the_front_door_are_of_the_nine_tasks_alone():
    rows = mewl.results()
    assert not rows.cell.str.contains("memory").any() and not rows.task.str.contains("5-6").any()
