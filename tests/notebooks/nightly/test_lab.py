"""Notebooks at the preset of a class, `lab`, with their exercises solved: one a night, in turn."""

from __future__ import annotations

import json
from datetime import date

import pytest
import solving

from cogkit.app import notebooks
from cogkit.app.pages import row
from cogkit.extras.classroom import notes

PATHS = notebooks.find()
LAB_MB = 1200  # for machines of 2 GB


@pytest.mark.timeout(3600)
def test_tonights_notebook_runs_at_lab_in_the_memory_that_it_names(tmp_path, record_property):
    path = PATHS[date.today().toordinal() % len(PATHS)]
    env = {"COGKIT_HOME": str(tmp_path / "home"), "OMP_NUM_THREADS": "1"}
    run = solving.execute(path, tmp_path / path.name, {"preset": "lab", "hands_free": True}, notes.read(path.stem), env)
    record_property("notebook cost", row(run))
    assert run.ok, f"{path.stem}: {run.error}"
    cost = json.loads(path.read_text(encoding="utf-8"))["metadata"]["cogkit"]["cost"]["lab"]["mb"]
    assert run.peak_mb <= min(1.3 * cost, LAB_MB), f"{path.stem}: {run.peak_mb} MB, and it names {cost}"
