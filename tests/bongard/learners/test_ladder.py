"""What stands beside a learner on a split, the rows of it, and the table of a staircase."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cogkit import bongard
from cogkit.app import experiments
from cogkit.bongard import scoring
from cogkit.bongard.learners import ladder, memory, observers
from cogkit.bongard.problems import sets, splits
from cogkit.data import rows

NAME, TASK = "abstract, new shapes", "new-shapes/AB"


@pytest.fixture(scope="module")
def parts():
    """The split with the first 40 training problems and the first 30 of the test."""
    whole = splits.split(NAME)
    return replace(whole, train=whole.train[:40], test=whole.test[:30])


@pytest.fixture
def small(parts, monkeypatch):
    """The same in place of the split."""
    monkeypatch.setattr(splits, "split", lambda name, profile="verified": {NAME: parts}[name])
    ladder.references.cache_clear()
    yield ladder.references(NAME)
    ladder.references.cache_clear()


@pytest.fixture
def results(small):
    """The rows of the split's floors and observers, as a table."""
    return experiments.compare(f"bongard/memory/{TASK}")


def test_rows_are_those_of_every_floor_and_both_observers(small, parts, results):
    skill = results[results.metric == "skill"]
    assert skill.groupby("kind").who.nunique().to_dict() == {"floor": 10, "observer": 2}
    assert {*results.split} == {NAME} and {*results.rung} == {"interpolation"} and {*results.task} == {TASK}
    ideal = scoring.judge(observers.REFERENCES["attribute-oracle"](64, "verified"), parts.test).score.mean()
    problems = [sets.problem(spec) for spec in parts.train]
    for floor in (memory.LabelMean(), memory.Memory(problems, "concepts").nearest(1), memory.Memory(problems)):
        expected = (scoring.judge(floor, parts.test).score.mean() - 0.5) / (ideal - 0.5)
        assert skill[skill.who == floor.name].value.item() == pytest.approx(expected), floor.name
    floors = skill[skill.kind == "floor"].value
    assert floors.is_monotonic_decreasing and ladder.summary(NAME)["floor"] == pytest.approx(floors.iloc[0])
    assert results[results.metric == "accuracy"].value.item() == pytest.approx(ideal)
    assert skill[skill.who == "attribute-table oracle"].value.item() == 1


def test_the_ideal_observer_is_at_1_above_memory_and_the_best_floor_at_0(small, parts):
    oracle, mean = observers.REFERENCES["attribute-oracle"](64, "verified"), memory.LabelMean()
    assert small.floors.who[0] == mean.name
    for player, value in ((oracle, 1), (mean, 0)):
        row = ladder.above_row(scoring.judge(player, parts.test), NAME)
        assert row["metric"] == "above memory" and row["value"] == pytest.approx(value) and row["n"] == 30


def test_a_learner_that_was_asked_some_problems_is_compared_on_these(small, parts):
    floor = observers.REFERENCES["hu-prototype"](64, "verified")
    answers = scoring.judge(floor, parts.test[:24])
    x, best, ideal = (score[:24].mean() for score in (answers.score, small.floors.scores[0], small.ideal))
    row = ladder.above_row(answers, NAME)
    assert row["value"] == pytest.approx((x - best) / (ideal - best)) and row["n"] == 24
    assert row["low"] < row["value"] < row["high"]


def test_everybody_is_on_one_scale_in_the_table_of_a_staircase(results):
    oracle = results[results.metric == "accuracy"].iloc[0]
    learner = {"kind": "model", "who": "net", "metric": "accuracy", "low": None, "high": None, "interval": ""}
    learner["cell"] = "bongard/net/new-shapes"
    cells = [{**oracle, **learner, "seed": k, "value": v} for k, v in enumerate((0.8, 0.7))]
    cells.append({**oracle, "cell": "bongard/attribute-oracle", "task": TASK, "value": 0.9})  # it has its own already
    cells.append({**cells[0], "task": f"{TASK}/with convex"})
    table = ladder.table(rows.table([*results.to_dict("records"), *cells]))
    assert table.groupby("who").size().max() == 1 and {*table.split} == {NAME}
    net = table[table.who == "net"].iloc[0]
    assert net.value == pytest.approx((0.75 - 0.5) / (oracle.value - 0.5)) and net.n == 2
    assert table[table.who == "attribute-table oracle"].value.item() == 1
    assert ladder.table(rows.table(cells)).empty  # nothing stands beside it
    figure = bongard.figures.staircase(table, title="t")
    assert "net 0.5" in figure.layout.meta["alt"] and NAME in figure.layout.meta["alt"]


def test_rows_of_memory_and_of_new_shapes_stand_apart():
    cells = {cell.id for cell in bongard.instrument.INSTRUMENT.cells()}
    assert {f"bongard/memory/{task}" for task in splits.TESTS} <= cells
    shipped = bongard.results()
    assert not shipped.cell.str.contains("memory/|new-shapes").any() and np.isin(sets.TESTS, shipped.task).all()
