"""What the package ships of this instrument is what its own code gives: weights asked again, every floor run again."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from shipping import CLEAN, files_of, named, result_at, result_of

from cogkit import stats
from cogkit.app import experiments
from cogkit.data import results
from cogkit.learning.lifecycle import Lifecycle
from cogkit.mewl import scoring
from cogkit.mewl.learners import agents, floors, monet, taught_eyes, training
from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import TASKS

SHIPPED = results.shipped_folder("mewl")
FILES = files_of(SHIPPED)
WEIGHTS = sorted(SHIPPED.glob("*.safetensors"))
RESULTS = [path for path in FILES if path.suffix == ".json"]
NEAR = 2 / 600  # an episode may tip over on another processor, which sums in another order


def life_of(path) -> Lifecycle:
    name = path.stem.split("-lab-")[0]
    eyes = dict.fromkeys(agents.EYES, taught_eyes.LIFE) | {"monet": monet.LIFE}
    return eyes.get(name, training.LIFE)


def test_there_are_results_and_weights():
    assert {path.suffix for path in FILES} == {".json", ".safetensors"} and WEIGHTS and RESULTS


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
    if life is training.LIFE:  # without the training episodes: half of the pictures would be drawn for them
        rows = [row for row in rows if not row["task"].startswith("train/")]
        rules = {"profile": manifest.profile, "seed": manifest.seed, "n": agent.config.tested}
        fresh = scoring.assess(agent, agent.tasks, draw=agent.draw, **rules)
    else:
        fresh = life.assess(agent, manifest.profile, manifest.seed)
    fresh += life.curve(agent)
    assert len(fresh) == len(rows) >= 3  # two of the test, and one or more of the training log
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
    best = rows[rows.kind == "floor"].high.max()
    assert set(part.seed) == {0, 1, 2} and set(part.n) == {600} and set(part.supervision) == {"answers"}
    assert part.low.min() >= WANTED[task] and part.low.min() > best
    _, low, _ = stats.share_of_runs(part.value, part.n, np.random.default_rng(0))
    assert low >= WANTED[task] and low > best


# Lower bounds of a word learner that looks at pictures.
SEEN = {"color": 0.95, "material": 0.95, "shape": 0.9, "number": 0.9}


def test_who_looks_learns_words_as_wanted():
    rows = results.shipped("mewl").query("metric == 'accuracy'")
    rows = rows[(rows.cell == "mewl/cnn-word-learner/" + rows.task) & rows.task.isin(TASKS)]
    assert set(rows.n) == {240} and set(rows.supervision) == {"answers and attributes"}
    for task in TASKS:
        runs = rows[rows.task == task]
        _, low, _ = stats.share_of_runs(runs.value, runs.n, np.random.default_rng(0))
        assert set(runs.seed) == {0, 1, 2} and low >= SEEN.get(task, 0), (task, low)
    assert rows.groupby("seed").value.mean().min() > 0.7


@pytest.mark.parametrize("task", ["color", "material", "number", "object", "composite"])
def test_over_slots_that_nobody_named_words_are_surely_above_every_floor(task):
    rows = results.shipped("mewl").query("task == @task and metric == 'accuracy'")
    runs = rows[rows.cell == f"mewl/monet-word-learner/{task}"]
    _, low, _ = stats.share_of_runs(runs.value, runs.n, np.random.default_rng(0))
    assert set(runs.seed) == {0, 1, 2} and set(runs.n) == {600}
    assert low > rows[rows.kind == "floor"].value.max()


@pytest.mark.parametrize(("name", "task"), [("caption", "number"), ("cnn", "color")])
def test_words_behind_shipped_eyes_answer_as_their_rows_say(name, task):
    """Their words and their eyes come in two files, so that no file of weights is theirs."""
    agent = training.load(f"{name}-word-learner", set="together")
    answers = scoring.judge(agent, making.episodes_of(task, n=agent.config.tested), draw=agent.draw)
    rows = results.shipped("mewl").query(f"cell == 'mewl/{name}-word-learner/together' and metric == 'accuracy'")
    (row,) = rows[(rows.task == task) & (rows.seed == 0)].itertuples()
    assert row.n == agent.config.tested
    assert answers.score.mean() == pytest.approx(row.value, abs=1.5 / row.n)  # one may tip over, as with `NEAR`


@pytest.mark.parametrize("task", WANTED)
def test_who_reads_names_as_well_as_who_is_told(task):
    rows = results.shipped("mewl").query("task == @task and metric == 'accuracy'")
    told, read = (
        rows[rows.cell == f"mewl/{name}-word-learner/{task}"].set_index("seed").value for name in ("slot", "caption")
    )
    assert set(told.index) == set(read.index) == {0, 1, 2}
    assert (told - read).max() <= 0.05


def test_one_word_learner_for_all_nine_tasks_is_right_in_four_of_five():
    rows = results.shipped("mewl").query("cell == 'mewl/slot-word-learner/together' and metric == 'accuracy'")
    means = rows[(rows.profile == "verified") & rows.task.isin(TASKS)].groupby("seed").value.mean()
    _, low, _ = stats.share_of_runs(means, [600 * len(TASKS)] * len(means), np.random.default_rng(0))
    assert set(means.index) == {0, 1, 2} and means.min() > 0.8 and low > 0.8


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
