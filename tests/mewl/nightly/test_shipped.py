"""What the package ships of this instrument is what its own code gives: weights asked again, every floor run again."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import case
from shipping import TABLES, check, files_of, named, result_of, runs_of

from cogkit import stats
from cogkit.app import experiments
from cogkit.data import results
from cogkit.learning.lifecycle import Lifecycle
from cogkit.mewl import scoring
from cogkit.mewl.learners import agents, floors, ladder, perception, training
from cogkit.mewl.problems import making, splits
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.problems.families import FAMILIES

SHIPPED = results.shipped_folder("mewl")
FILES = files_of(SHIPPED)
WEIGHTS = sorted(SHIPPED.glob("*.safetensors"))
NEAR = 2 / 600  # an episode may tip over on another processor, which sums in another order


def registry_of(path) -> Lifecycle:
    name = path.stem.split("-lab-")[0]
    eyes = dict.fromkeys(agents.EYES, perception.REGISTRY)
    return eyes.get(name, training.REGISTRY)


def test_there_are_results_and_weights():
    assert {path.name for path in FILES} == {path.name for path in WEIGHTS} | TABLES and WEIGHTS


def test_results_are_those_of_cells_and_say_how_they_were_made():
    for run in runs_of(SHIPPED):
        with case(named(run)):
            check(run)
            _, rows = run
            assert all(row["n"] > 0 and row["value"] <= 1 for row in rows)


@pytest.mark.parametrize("name", floors.REFERENCES)
def test_a_reference_run_again_gives_what_is_shipped(name):
    (cell,) = experiments.cells(f"mewl/{name}")
    for profile in ("verified", "as_published"):
        _, rows = results.Shipped(SHIPPED).read(cell.id, profile, "lab", 0)
        _, fresh = experiments.run_cell(cell, profile, "lab", 0)
        assert experiments.differences(rows, fresh) == []


@pytest.mark.parametrize("path", WEIGHTS, ids=lambda path: path.stem)
def test_shipped_weights_give_their_shipped_rows(path, one_thread):
    (manifest, rows), registry = result_of(path, SHIPPED), registry_of(path)
    agent = registry.read(path)
    config = agent.config
    sets = {"set": config.set} if hasattr(config, "set") else {}
    assert registry.load(config.agent, **sets).config == config == registry.config(config.agent, "lab", **sets)
    if registry is training.REGISTRY:  # without the training episodes: half of the pictures would be drawn for them
        rows = [row for row in rows if not row["task"].startswith("train/")]
        rules = {"profile": manifest.profile, "seed": manifest.seed, "n": agent.config.tested}
        fresh = scoring.assess(agent, agent.tasks, draw=agent.draw, **rules)
        if config.set in FAMILIES:
            episodes = splits.items(config.set, n=config.tested, profile=manifest.profile)
            fresh.append(ladder.above_row(scoring.judge(agent, episodes, seed=manifest.seed, draw=agent.draw)))
    else:
        fresh = registry.assess(agent, manifest.profile, manifest.seed)
    fresh += registry.curve(agent)
    assert len(fresh) == len(rows) >= 3  # two of the test, and one or more of the training log
    for new, old in zip(fresh, rows, strict=True):
        assert all(
            new[name] == old[name]
            for name in ("task", "metric", "kind", "who", "inputs", "n", "interval", "supervision")
        )
        values = [(new[name], old[name]) for name in ("value", "low", "high")]
        assert all(a is b is None or np.isclose(a, b, atol=NEAR) for a, b in values), (new, old)


# What the shares must surely be


def runs(cell: str, task: str) -> pd.DataFrame:
    """Return the rows of accuracy on a task of three seeds."""
    rows = results.shipped("mewl").query("task == @task and metric == 'accuracy'")
    rows = rows[rows.cell == f"mewl/{cell}"]
    assert set(rows.seed) == {0, 1, 2}, (cell, task)
    return rows


def surely(rows: pd.DataFrame) -> float:
    """Return the lower end of an interval that counts runs and episodes."""
    return stats.mean_of_rows(rows).low


def best_floor(task: str, which: str = "high") -> float:
    rows = results.shipped("mewl").query("task == @task and metric == 'accuracy' and kind == 'floor'")
    return rows[which].max()


# Lower bounds of a word learner over true slots, and of one that looks at pictures.
WANTED = {"shape": 0.97, "color": 0.97, "material": 0.97, "number": 0.97, "object": 0.9, "composite": 0.9,
          "bootstrap": 0.8, "relation": 0.8, "pragmatic": 0.7}  # fmt: skip
SEEN = {"color": 0.95, "material": 0.95, "shape": 0.9, "number": 0.85}


def test_the_slot_word_learner_is_surely_above_every_shortcut():
    for task, wanted in WANTED.items():
        with case(task):
            rows = runs(f"slot-word-learner/{task}", task)
            assert set(rows.n) == {600} and set(rows.supervision) == {"answers"}
            least = min(rows.low.min(), surely(rows))
            assert least >= wanted and least > best_floor(task)
            read = runs(f"caption-word-learner/{task}", task)  # who reads names as well as who is told
            assert (rows.set_index("seed").value - read.set_index("seed").value).max() <= 0.05


def test_who_looks_learns_words_as_wanted():
    rows = pd.concat([runs(f"cnn-word-learner/{task}", task) for task in TASKS])
    assert set(rows.n) == {240} and set(rows.supervision) == {"answers and attributes"}
    for task in TASKS:
        assert surely(rows[rows.task == task]) >= SEEN.get(task, 0), task
    assert rows.groupby("seed").value.mean().min() > 0.7


def test_others_are_surely_above_elimination_or_every_floor():
    for task in ("shape", "color", "material"):
        with case(task):
            rows = runs(f"cnn-transformer/{task}", task)
            assert set(rows.n) == {600} and set(rows.inputs) == {"pixels"}
            assert rows.low.min() > best_floor(task) > 1 / 3  # elimination
    assert runs("slot-transformer/shape", "shape").low.min() > best_floor("shape")
    for task in ("color", "number", "object", "composite"):  # over slots that nobody named
        with case(task):
            assert surely(runs(f"monet-word-learner/{task}", task)) > best_floor(task, "value")


def test_one_word_learner_for_all_nine_tasks_is_right_in_four_of_five():
    rows = pd.concat([runs("slot-word-learner/together", task).query("profile == 'verified'") for task in TASKS])
    means = rows.groupby("seed").value.mean()
    low = stats.mean_over_runs(means, 600 * len(TASKS)).low
    assert set(means.index) == {0, 1, 2} and means.min() > 0.8 and low > 0.8


@pytest.mark.parametrize(("name", "task"), [("caption", "number"), ("cnn", "color")])
def test_words_behind_shipped_eyes_answer_as_their_rows_say(name, task):
    """Their words and their eyes come in two files, so that no file of weights is theirs."""
    agent = training.load(f"{name}-word-learner", set="together")
    answers = scoring.judge(agent, making.episodes_of(task, n=agent.config.tested), draw=agent.draw)
    rows = results.shipped("mewl").query(f"cell == 'mewl/{name}-word-learner/together' and metric == 'accuracy'")
    (row,) = rows[(rows.task == task) & (rows.seed == 0)].itertuples()
    assert row.n == agent.config.tested
    assert answers.score.mean() == pytest.approx(row.value, abs=1.5 / row.n)  # one may tip over, as with `NEAR`


def test_what_one_renderer_teaches_holds_for_the_other():
    rows = results.shipped("mewl")
    rows = rows[rows.cell.str.startswith("mewl/renderers/")]
    assert len(rows) == 16 and set(rows.n) == {182}
    for _, part in rows.groupby(["cell", "task"]):
        first, second = part.itertuples()
        assert max(first.low, second.low) < min(first.high, second.high)  # intervals overlap
