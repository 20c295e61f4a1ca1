"""The instrument as the house sees it: every cell runs and gives rows, and its dataset is made and audited."""

from __future__ import annotations

import json

import pytest

from cogkit.app import cli, experiments
from cogkit.core.records import INPUTS, KINDS
from cogkit.data import results
from cogkit.mewl.learners import agents, floors
from cogkit.mewl.problems.episodes import TASKS


def test_there_is_a_cell_for_each_reference_and_each_agent_on_each_set():
    ids = {cell.id for cell in experiments.cells("mewl/*")}
    others = {"sight", "reading", "monet", "errors"}
    others |= set(floors.REFERENCES) | {f"{agent}/{tasks}" for agent in agents.NAMES for tasks in ("together", *TASKS)}
    assert ids == {f"mewl/{name}" for name in others}
    for cell in experiments.cells("mewl/*"):
        assert set(cell.configs) == {"quick", "lab", "paper"}


def test_every_reference_runs_at_quick_and_is_shipped_on_every_test_episode():
    shipped = results.shipped("mewl")
    for name in floors.REFERENCES:
        (cell,) = experiments.cells(f"mewl/{name}")
        manifest, rows = experiments.run_cell(cell, "verified", "quick", 0)
        assert dict(manifest.config) == {"class": "ReferenceConfig", "version": 1, "reference": name, "episodes": 40}
        tasks = set(getattr(floors.reference(name), "tasks", TASKS))
        assert {row["task"] for row in rows if row["metric"] == "accuracy" and "/" not in row["task"]} == tasks
        for row in rows:
            assert row["kind"] in KINDS and row["inputs"] in INPUTS and row["n"] == 40 and row["low"] <= row["value"]
        part = shipped[(shipped.cell == cell.id) & (shipped.metric == "accuracy") & shipped.task.isin(TASKS)]
        assert set(part.task) == tasks and set(part.n) == {600}


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
