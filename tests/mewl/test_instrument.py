"""The instrument as the house sees it: every cell runs and gives rows, and its dataset is made and audited."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from cogkit.app import cli, experiments
from cogkit.app.experiments import compare
from cogkit.core.contracts import INPUTS, KINDS, InputError
from cogkit.mewl import instrument
from cogkit.mewl.learners import agents, floors, training
from cogkit.mewl.problems.episodes import TASKS


def test_there_is_a_cell_for_each_reference_and_each_agent_on_each_set():
    ids = {cell.id for cell in experiments.cells("mewl/*")}
    assert ids == {f"mewl/{name}" for name in floors.REFERENCES} | {
        f"mewl/{agent}/{tasks}" for agent in agents.NAMES for tasks in ("together", *TASKS)
    } | {"mewl/renderers/tracer", "mewl/renderers/cycles", "mewl/sight", "mewl/reading", "mewl/monet"} | {
        "mewl/parts/architecture", "mewl/parts/data", "mewl/parts/budget", "mewl/errors"
    }  # fmt: skip
    for cell in experiments.cells("mewl/*"):
        assert set(cell.configs) == {"quick", "lab", "paper"}


@pytest.mark.parametrize("name", floors.REFERENCES)
def test_a_reference_runs_at_quick(name):
    (cell,) = experiments.cells(f"mewl/{name}")
    manifest, rows = experiments.run_cell(cell, "verified", "quick", 0)
    assert dict(manifest.config) == {"class": "ReferenceConfig", "version": 1, "reference": name, "episodes": 40}
    reference = floors.reference(name)
    tasks = {row["task"] for row in rows if row["metric"] == "accuracy" and "/" not in row["task"]}
    assert tasks == set(getattr(reference, "tasks", TASKS))
    for row in rows:
        assert row["kind"] in KINDS and row["inputs"] in INPUTS and row["n"] == 40 and row["low"] <= row["value"]


def test_an_agent_runs_at_quick(one_thread):
    (cell,) = experiments.cells("mewl/slot-transformer/number")
    _, rows = experiments.run_cell(cell, "verified", "quick", 0)
    assert {row["task"] for row in rows} == {"number", "train/number", "val/number"}
    assert all(row["who"] == "slot transformer" and row["inputs"] == "true slots" for row in rows)


@pytest.mark.parametrize("preset", ["quick", "lab", "paper"])
def test_each_part_changes_one_thing_of_the_word_learner(preset):
    whole = vars(agents.config("slot-word-learner", preset))
    architecture, data, budget = (vars(agents.part_config(name, preset).learner) for name in agents.CHANGES)
    assert {name for name in whole if data[name] != whole[name]} == {"episodes"}
    assert {name for name in whole if budget[name] != whole[name]} == {"steps"}
    assert architecture["agent"] == "slot-transformer"
    assert all(architecture[name] == whole[name] for name in ("set", "episodes", "validated", "steps", "batch"))


def test_a_part_runs_and_says_what_was_changed(one_thread):
    config = agents.part_config("data", "quick")
    tiny = {"steps": 2, "episodes": 4, "validated": 1, "tested": 2, "looks": 1, "width": 16}
    rows = training.part(replace(config, learner=replace(config.learner, **tiny)), "verified", 0)
    assert {row["who"] for row in rows} == {"slot word learner, all tasks, a tenth of the episodes"}
    assert {row["task"] for row in rows if row["metric"] == "accuracy"} >= {*TASKS}


def test_the_table_of_references_holds_floors_and_the_ideal_learner():
    table = compare("mewl/text-alone", "mewl/ideal-learner", episodes=20)
    accuracy = table[table.metric == "accuracy"].set_index(["who", "task"]).value
    for task in TASKS:
        assert accuracy["ideal learner", task] == 1 > accuracy["text alone", task]
    with pytest.raises(InputError, match="learner that needs no training"):
        instrument.learner("oracle")


def test_a_set_is_made_and_audited_from_the_command_line(tmp_path, capsys):
    make = ["make", "mewl", "--n", "9", "--jobs", "1", "--out", str(tmp_path / "set")]
    assert cli.main([*make, "--images", "browse", "--only", "shape", "--n", "1"]) == 0
    manifest = json.loads((tmp_path / "set" / "MEWL_Release_V1" / "manifest.json").read_text())
    assert manifest["config"]["images"] == "browse" and manifest["parts"] == {"train/shape": 1}
    assert len(list((tmp_path / "set").rglob("*.png"))) == 7
    assert cli.main(["audit", str(tmp_path / "set")]) == 0
    info = next((tmp_path / "set").rglob("info.json"))
    info.write_text(info.read_text().replace('"answer":"', '"answer":"un'))
    capsys.readouterr()
    assert cli.main(["audit", str(tmp_path / "set")]) == 1
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "sha256" not in line]
    assert line.startswith(f"{info}: question, answer: ") and "un" in line
    with pytest.raises(SystemExit, match="2"):
        cli.main(["make", "mewl", "--size", "64", "--out", str(tmp_path / "other")])
    assert "unknown: --size 64" in capsys.readouterr().err
