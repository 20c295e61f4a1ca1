"""Every notebook of the project, once: stub, mistakes, solution, and a check of each. Four train nightly alone."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pandas as pd
import pytest
import solving
from torch import version

from cogkit.app import notebooks
from cogkit.app.pages import headline, row
from cogkit.core.records import result_row
from cogkit.data import results
from cogkit.extras.classroom import notes

PATHS = notebooks.find()
SIZE_KB = 1000
PEAK_MB = 800  # so that any two that are open at once take less than 1,600
CUDA_MB = 0 if version.cuda is None else 200  # its libraries take more; what is told holds for the CPU build
STUDENTS, SHOW_PEOPLE = "thirty of our students", ("04", "07", "09", "11")
SHOWN = (
    ("tiles/copy/abstract", "z", -1.2), ("tiles/copy/abstract", "skill", 0.6), ("mewl/shape", "accuracy", 0.7),
    ("equivalence/LS/select-reject/standard/symmetry", "accuracy, forced choice", 0.8),
)  # fmt: skip
TRAIN_LONG = ("02", "03", "06", "09")  # and nightly: here the networks that we trained take part
NO_NETWORK = ("00", "01", "05", "07", "11", "12", "13")  # torch takes 200 MB, and in these nothing learns


@pytest.fixture(scope="module")
def folder(tmp_path_factory, warm) -> Path:
    """One folder and one COGKIT_HOME for all: a later notebook finds what was played in an earlier one.

    The loops are compiled before, as on Binder: a kernel that compiles them itself keeps up to 150 MB.
    """
    folder = tmp_path_factory.mktemp("notebooks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COGKIT_HOME", str(folder / "home"))
        results.show_people(people(), STUDENTS)
    return folder


def people() -> pd.DataFrame:
    """Return result rows of collected people, as ``cogkit collect`` has them."""
    rows = []
    for task, metric, value in SHOWN:
        instrument, _, own = task.partition("/")
        who = {"who": "people, collected", "kind": "person", "inputs": "board", "supervision": ""}
        limits = (value - 0.05, value + 0.05)
        row = result_row(who, own, metric, value, 30, limits, "95% t, people", "web")
        rows.append(row | {"cell": f"{instrument}/collected/{own}", "instrument": instrument})
    return results.table(rows, profile="verified", preset="lab", seed=0)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_notebook_runs_within_its_budget(path, folder, allowed_cpu_s, record_property):
    env = {"COGKIT_HOME": str(folder / "home"), "OMP_NUM_THREADS": "1"}  # the cost of a notebook is told for one core
    values = {"preset": "quick", "hands_free": not path.stem.startswith(TRAIN_LONG)}
    last = "import sys\n\nprint('torch' in sys.modules)"
    run = solving.execute(path, folder / path.name, values, notes.read(path.stem), env, last)
    record_property("notebook cost", row(run))
    assert run.ok, run.error
    assert run.cpu_s <= allowed_cpu_s
    assert run.peak_mb <= PEAK_MB + CUDA_MB, f"{run.peak_mb} MB"
    assert run.size_kb <= SIZE_KB, f"{run.size_kb} kB"
    output = nbformat.read(folder / path.name, as_version=4).cells[-1].outputs[0].text
    assert output == f"{not path.stem.startswith(NO_NETWORK)}\n"
    if path.stem.startswith(SHOW_PEOPLE):  # people that somebody has collected stand beside all others
        assert STUDENTS in (folder / path.name).read_text(encoding="utf-8")
    if path != PATHS[0]:  # 00 asks which notebook to open: it has nothing to find out
        assert 3 < len(headline(folder / path.name).split()) <= 40
    told_mb = json.loads(path.read_text(encoding="utf-8"))["metadata"]["cogkit"]["cost"]["quick"]["mb"]
    assert run.peak_mb <= 1.3 * told_mb + CUDA_MB, f"{run.peak_mb} MB, and the notebook says {told_mb}"
