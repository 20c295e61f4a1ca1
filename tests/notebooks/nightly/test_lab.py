"""Notebooks that train long, and one a night, in turn, at the preset of a class, `lab`. Exercises are solved."""

from __future__ import annotations

import json
from datetime import date

import pytest
import solving

from cogkit.app import notebooks
from cogkit.app.pages import row
from cogkit.extras.classroom import notes

PATHS = notebooks.find()
QUICK_MB, LAB_MB = 800, 1200  # for machines of 1 and 2 GB


@pytest.mark.timeout(3600)
def test_tonights_notebook_runs_at_lab_in_the_memory_that_it_names(tmp_path, record_property):
    path = PATHS[date.today().toordinal() % len(PATHS)]
    env = {"COGKIT_HOME": str(tmp_path / "home"), "OMP_NUM_THREADS": "1"}
    run = solving.execute(path, tmp_path / path.name, {"preset": "lab", "hands_free": True}, notes.read(path.stem), env)
    record_property("notebook cost", row(run))
    assert run.ok, f"{path.stem}: {run.error}"
    cost = json.loads(path.read_text(encoding="utf-8"))["metadata"]["cogkit"]["cost"]["lab"]["mb"]
    assert run.peak_mb <= min(1.3 * cost, LAB_MB), f"{path.stem}: {run.peak_mb} MB, and it names {cost}"


@pytest.mark.parametrize("number", ["02", "03", "06", "09"])
def test_a_notebook_trains_at_quick_within_its_budget(number, tmp_path, allowed_cpu_s, record_property):
    (path,) = (path for path in PATHS if path.stem.startswith(number))
    env = {"COGKIT_HOME": str(tmp_path / "home"), "OMP_NUM_THREADS": "1"}
    values = {"preset": "quick", "hands_free": True}
    run = solving.execute(path, tmp_path / path.name, values, notes.read(path.stem), env)
    record_property("notebook cost", row(run))
    assert run.ok, run.error
    assert run.cpu_s <= allowed_cpu_s
    cost = json.loads(path.read_text(encoding="utf-8"))["metadata"]["cogkit"]["cost"]["quick"]["mb"]
    assert run.peak_mb <= min(1.3 * cost, QUICK_MB), f"{run.peak_mb} MB, and it names {cost}"
