"""What the package ships of this instrument is what its own code gives: weights asked again, cheap cells run again."""

from __future__ import annotations

import re

import numpy as np
import pytest
from cases import case
from shipping import CLEAN, named, result_at, result_of

from cogkit.app import experiments
from cogkit.bongard import instrument, scoring
from cogkit.bongard.learners import agents, training
from cogkit.bongard.problems import sets
from cogkit.bongard.shapes import inventory
from cogkit.data import results

SHIPPED = results.shipped_folder("bongard")
WEIGHTS = sorted(SHIPPED.glob("*.safetensors"))
RESULTS = sorted(SHIPPED.rglob("*.json"))
FLOORS = ("hu-prototype", "ink-amount", "majority", "pixel-prototype")
ASKED = ("BA", "NV")  # half of the test problems, so that this takes seconds
NEAR = 0.01  # of a hundred answers one may fall otherwise on another processor, which sums in another order


def test_there_are_results_and_weights():
    files = [path for path in SHIPPED.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".json", ".safetensors"} and WEIGHTS and RESULTS


def test_results_lie_where_their_cells_look_for_them_and_say_how_they_were_made():
    for path in RESULTS:
        with case(named(path)):
            manifest, rows = result_at(path, SHIPPED)
            assert CLEAN.fullmatch(manifest.commit)
            assert all(0 <= row["value"] <= 1 and row["n"] > 0 for row in rows)
            trained = any(row["kind"] == "model" for row in rows)
            assert all(
                not trained or re.search(r"cogkit, 64 px, α = \d+, (float32|new pictures|new shapes)", row["source"])
                for row in rows
            )


def test_every_agent_is_there_beside_every_floor_on_whole_tests():
    rows = results.shipped("bongard")
    shares = rows[(rows.metric == "accuracy") & rows.task.isin(sets.TESTS)]
    tests = {test: 2 * len(sets.task_specs(test)) for test in sets.TESTS}
    for name in agents.NAMES.values():
        runs = shares[shares.who == name]
        assert {test: set(part.n) for test, part in runs.groupby("task")} == {test: {n} for test, n in tests.items()}
        assert set(runs.seed) == set(rows[(rows.who == name) & (rows.task == "train")].seed)
    names = {instrument.learner(name).name for name in instrument.REFERENCES}
    assert names <= set(shares.who)
    counts = shares[shares.who.isin(names)].groupby(["who", "task"]).n.agg(set)
    assert all(n == {tests[task]} for (_, task), n in counts.items())


def test_every_agent_is_there_three_times_and_trained_on_free_form_problems_alone():
    rows = results.shipped("bongard").query("metric == 'accuracy'")
    for name in agents.NAMES.values():
        runs = rows[rows.who == name]
        for test in sets.TESTS:
            assert sorted(runs[runs.task == test].seed) == [0, 1, 2]
        alone = runs[runs.task == f"{sets.ABLATION}/FF"]  # all 2,000 problems of Table 2, two answers each
        assert len(alone) >= 1 and set(alone.n) == {4000}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_small_protonet_is_surely_above_every_floor_on_basic_problems(seed):
    rows = results.shipped("bongard").query("task == 'BA' and metric == 'accuracy'")
    (protonet,) = rows[(rows.who == "ProtoNet") & (rows.seed == seed)].itertuples()
    floors = [instrument.learner(name).name for name in FLOORS]
    assert protonet.n >= 800 and protonet.interval == "95% Wilson, problems"
    assert protonet.low > rows[rows.who.isin(floors)].value.max()


@pytest.mark.parametrize("path", WEIGHTS, ids=lambda path: path.stem)
def test_shipped_weights_give_their_shipped_rows(path, mirror):
    manifest, rows = result_of(path, SHIPPED)
    agent = training.read(path)
    problems = {test: sets.problems(test, profile=manifest.profile) for test in ASKED}
    fresh = scoring.assess(agent, problems, profile=manifest.profile, seed=manifest.seed, shapes=inventory.available())
    fresh += training.curve(agent)
    expected = [row for row in rows if row["task"].split("/")[0] in (*ASKED, "val")]
    assert len(fresh) == len(expected) > 50
    for new, old in zip(fresh, expected, strict=True):
        assert all(
            new[name] == old[name]
            for name in ("task", "metric", "kind", "who", "inputs", "n", "interval", "supervision")
        )
        values = [(new[name], old[name]) for name in ("value", "low", "high")]
        near = NEAR if old["n"] > 200 else 4 / old["n"]  # of few answers two are more
        assert all(a is b is None or abs(a - b) <= near for a, b in values), (new, old)


@pytest.mark.parametrize("path", WEIGHTS, ids=lambda path: path.stem)
def test_shipped_weights_are_found_by_name(path):
    config = training.read(path).config
    agent = training.load(config.agent)
    assert agent.config == config == agents.config(config.agent, "lab")
    assert list(agent.log)[:1] == ["step"] and np.isclose(agent.log.step.iloc[-1], config.steps)


@pytest.mark.parametrize("name", ["ink-amount", "program-oracle"])
def test_a_cheap_cell_run_again_gives_what_is_shipped(name, mirror):
    (cell,) = experiments.cells(f"bongard/{name}")
    expected = results.read(results.Store(SHIPPED).path(cell.id, "verified", "lab", 0, cell.configs["lab"]))[1]
    _, fresh = experiments.run_cell(cell, "verified", "lab", 0)
    assert [(row["task"], row["n"]) for row in fresh] == [(row["task"], row["n"]) for row in expected]
    assert all(abs(new["value"] - old["value"]) <= 2 / old["n"] for new, old in zip(fresh, expected, strict=True))
