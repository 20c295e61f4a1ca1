"""What the package ships of this instrument is what its own code gives: weights asked again, every floor run again."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from shipping import CLEAN, named, result_at, result_of

from cogkit.app import experiments
from cogkit.data import results
from cogkit.learning.lifecycle import Lifecycle
from cogkit.mewl.learners import agents, floors, taught_eyes, training
from cogkit.mewl.problems.episodes import TASKS

SHIPPED = results.shipped_folder("mewl")
WEIGHTS = sorted(SHIPPED.glob("*.safetensors"))
RESULTS = sorted(SHIPPED.rglob("*.json"))
NEAR = 2 / 600  # an episode may tip over on another processor, which sums in another order


def life_of(path) -> Lifecycle:
    return taught_eyes.LIFE if path.stem.split("-lab-")[0] in agents.EYES else training.LIFE


def test_there_are_results_and_weights():
    files = [path for path in SHIPPED.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".json", ".safetensors"} and WEIGHTS and RESULTS


def test_results_lie_where_their_cells_look_for_them_and_say_how_they_were_made():
    for path in RESULTS:
        with case(named(path)):
            manifest, rows = result_at(path, SHIPPED)
            assert CLEAN.fullmatch(manifest.commit)
            assert all(row["n"] > 0 and row["value"] <= 1 for row in rows)


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_every_reference_is_there_on_every_test_episode(profile):
    rows = results.shipped("mewl", profile=profile)
    for name in floors.REFERENCES:
        reference = floors.reference(name)
        part = rows[(rows.who == reference.name) & (rows.metric == "accuracy") & rows.task.isin(TASKS)]
        assert set(part.task) == set(getattr(reference, "tasks", TASKS)) and set(part.n) == {600}


@pytest.mark.parametrize("name", floors.REFERENCES)
def test_a_reference_run_again_gives_what_is_shipped(name):
    (cell,) = experiments.cells(f"mewl/{name}")
    for profile in ("verified", "as_published"):
        rows = results.read(results.Store(SHIPPED).path(cell.id, profile, "lab", 0, cell.configs["lab"]))[1]
        _, fresh = experiments.run_cell(cell, profile, "lab", 0)
        assert experiments.differences(rows, fresh) == []


@pytest.mark.parametrize("path", WEIGHTS, ids=lambda path: path.stem)
def test_shipped_weights_give_their_shipped_rows(path, one_thread):
    (manifest, rows), life = result_of(path, SHIPPED), life_of(path)
    agent = life.read(path)
    fresh = life.assess(agent, manifest.profile, manifest.seed) + life.curve(agent)
    assert len(fresh) == len(rows) > 8
    for new, old in zip(fresh, rows, strict=True):
        assert all(
            new[name] == old[name]
            for name in ("task", "metric", "kind", "who", "inputs", "n", "interval", "supervision")
        )
        values = [(new[name], old[name]) for name in ("value", "low", "high")]
        assert all(a is b is None or np.isclose(a, b, atol=NEAR) for a, b in values), (new, old)


@pytest.mark.parametrize("path", WEIGHTS, ids=lambda path: path.stem)
def test_shipped_weights_are_found_by_name(path):
    life = life_of(path)
    config = life.read(path).config
    sets = {"set": config.set} if hasattr(config, "set") else {}
    assert life.load(config.agent, **sets).config == config == life.config(config.agent, "lab", **sets)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_slot_transformer_is_surely_above_elimination_on_shape(seed):
    rows = results.shipped("mewl").query("task == 'shape' and metric == 'accuracy'")
    (agent,) = rows[(rows.who == "slot transformer") & (rows.seed == seed)].itertuples()
    (floor,) = rows[rows.who == "elimination"].itertuples()
    assert agent.n == 600 and agent.interval == "95% Wilson" and agent.low > floor.high > 1 / 3


# Lower bounds that every run of a word learner over true slots is held to.
WANTED = {"shape": 0.97, "color": 0.97, "material": 0.97, "number": 0.97, "object": 0.9, "composite": 0.9,
          "bootstrap": 0.8, "relation": 0.8, "pragmatic": 0.7}  # fmt: skip


@pytest.mark.parametrize("task", WANTED)
def test_the_slot_word_learner_is_surely_above_every_shortcut(task):
    rows = results.shipped("mewl").query("task == @task and metric == 'accuracy'")
    part = rows[rows.cell == f"mewl/slot-word-learner/{task}"]
    floors_of_task = rows[rows.kind == "floor"]
    assert 0 in set(part.seed) and set(part.n) == {600} and set(part.supervision) == {"answers"}
    assert part.low.min() >= WANTED[task] and part.low.min() > floors_of_task.high.max()


@pytest.mark.parametrize("task", WANTED)
def test_who_reads_names_as_well_as_who_is_told(task):
    rows = results.shipped("mewl").query("task == @task and metric == 'accuracy' and seed == 0")
    told, read = (rows[rows.cell == f"mewl/{name}-word-learner/{task}"].value.item() for name in ("slot", "caption"))
    assert abs(told - read) <= 0.05


def test_one_word_learner_for_all_nine_tasks_is_right_in_four_of_five():
    rows = results.shipped("mewl").query("cell == 'mewl/slot-word-learner/together' and metric == 'accuracy'")
    assert rows[rows.task.isin(TASKS)].groupby("seed").value.mean().min() > 0.8


@pytest.mark.parametrize("task", ["shape", "color", "material"])
def test_who_looks_at_pictures_is_surely_above_elimination(task):
    rows = results.shipped("mewl").query("task == @task and metric == 'accuracy'")
    part = rows[rows.who == "CNN transformer"]
    (floor,) = rows[rows.who == "elimination"].itertuples()
    assert set(part.seed) == {0, 1, 2} and set(part.n) == {600} and set(part.inputs) == {"pixels"}
    assert part.low.min() > floor.high > 1 / 3


def test_what_one_renderer_teaches_holds_for_the_other():
    rows = results.shipped("mewl")
    rows = rows[rows.cell.str.startswith("mewl/renderers/")]
    assert len(rows) == 16 and set(rows.n) == {182}
    for _, part in rows.groupby(["cell", "task"]):
        first, second = part.itertuples()
        assert max(first.low, second.low) < min(first.high, second.high)  # intervals overlap
