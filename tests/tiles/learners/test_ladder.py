"""What stands beside a learner on a split of boards, and the row that says how far it is above memory."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from cogkit.app import experiments
from cogkit.core.presets import changed
from cogkit.data.results import shipped
from cogkit.data.rows import table
from cogkit.learning import run
from cogkit.tiles.instrument import agent
from cogkit.tiles.learners import agents, ladder, training
from cogkit.tiles.learners.observers import BayesGreedy
from cogkit.tiles.problems import splits
from cogkit.tiles.rules.boards import to_bits

NAME, TASK = "tree, beyond a chain", "tree/beyond-a-chain"


@pytest.fixture(scope="module")
def beside():
    return ladder.references(NAME)


def test_every_floor_is_known_to_a_hundredth_and_the_best_comes_first(beside):
    assert beside.floors.skill.is_monotonic_decreasing and beside.floors.se.max() <= 2 * ladder.ERROR
    assert len(beside.floors) == 15 and beside.floors.skill[beside.floors.who == ladder.NEAREST].item() == 0
    scores = np.stack(beside.floors.scores)
    by_hand = (scores - beside.zero).sum(axis=1) / (beside.ideal - beside.zero).sum()
    assert beside.floors.skill.to_numpy() == pytest.approx(by_hand, abs=1e-9)


def test_who_knows_the_family_is_no_worse_than_who_knows_the_rule(beside):
    family = beside.observers.set_index("who").scores["Bayes-greedy of the family"]
    assert family.mean() >= beside.ideal.mean() - 0.1


def test_the_ideal_observer_is_at_1_and_the_best_floor_at_0(beside):
    parts, best = splits.split(NAME), beside.floors.scores[0]
    *_, row = ladder.assess(BayesGreedy.of("tree"), parts.test, "verified", 8, 0)
    assert row["metric"] == "above memory" and row["value"] == pytest.approx(1) and row["n"] == len(parts.test)
    assert beside.above(best).value == pytest.approx(0)


def test_the_rows_of_a_split_are_its_floors_and_both_observers(beside):
    rows = experiments.compare(f"tiles/memory/{TASK}")
    kinds = rows.groupby("kind").who.nunique()
    assert kinds.to_dict() == {"floor": 15, "observer": 2} and {*rows.metric} == {"skill"}
    assert {*rows.split} == {NAME} and {*rows.rung} == {"extrapolation"}
    values = rows.set_index("who").value
    assert (values[ladder.NEAREST], values["Bayes-greedy"]) == pytest.approx((0, 1))
    assert values[beside.floors.who[0]] == pytest.approx(beside.floors.skill[0])


def test_an_agent_of_a_family_has_a_row_that_says_how_far_it_is_above_memory():
    config = changed(agents.config("lstm-2m", "quick", task=TASK), steps=1, batch=8)
    (cell,) = experiments.cells(f"tiles/lstm-2m/{TASK}")
    rows = table(experiments.complete(agent(config, "verified", 0), cell, "verified", "quick", 0)).set_index("metric")
    best = ladder.references(NAME).floors.skill[0]
    expected = (rows.value["skill"] - best) / (1 - best)
    assert rows.value["above memory"] == pytest.approx(expected, abs=0.02)  # the ideal plays 8 or 40 games a board
    assert rows.low["above memory"] < rows.value["above memory"] < rows.high["above memory"] < 0.5
    assert rows.rung["skill"] == "extrapolation" and rows.task["skill"] == TASK


def test_a_staircase_has_the_learners_of_a_rule_on_its_own_boards_alone():
    rows = ladder.table(shipped("tiles"), "rectangle")
    assert {"LSTM", "convolutional", "Bayes-greedy"} <= {*rows.who} and {*rows.rung} >= {"orbit"}
    lstm = rows[(rows.who == "LSTM") & (rows.rung == "orbit")].iloc[0]
    by_seed = shipped("tiles", tasks=["rectangle/abstract"], who="LSTM").query("metric == 'skill'")
    own = by_seed[by_seed.cell == "tiles/lstm/rectangle/abstract"]
    assert lstm.value == pytest.approx(own.value.mean()) and lstm.n == len(own)
    assert rows.groupby(["split", "who"]).size().max() == 1 and (rows[rows.kind != "model"].n == 1).all()
    assert {*rows.split} >= {"rectangle, published boards", "rectangle, short side 3"}


def test_a_run_without_a_family_also_tells_how_the_family_goes_and_is_the_same_run(monkeypatch):
    config = changed(agents.config("lstm-2m", "quick", task=TASK), steps=4, batch=8)
    watched = splits.watched(TASK)
    assert not np.isin(to_bits(watched.boards), splits.split(NAME).train.bits).any()
    own = run(training.train(config, 0, evaluate_every=2))
    assert own.log["held out"].notna().sum() == 2 and own.log["held out"].dropna().gt(0).all()
    monkeypatch.setattr(splits, "watched", lambda task: None)
    alone = run(training.train(config, 0, evaluate_every=2))
    assert "held out" not in alone.log and alone.log.validation.equals(own.log.validation)
    for name, weights in own.state.modules["policy"].state_dict().items():
        assert torch.equal(weights, alone.state.modules["policy"].state_dict()[name]), name
