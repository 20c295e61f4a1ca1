"""The instrument as the house finds it: its cells, and what they give to the store."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import pandas as pd
import pytest

from cogkit.app import experiments
from cogkit.core.contracts import Cell
from cogkit.core.identity import config_hash
from cogkit.core.presets import PRESETS
from cogkit.data import results
from cogkit.generalization import instrument
from cogkit.generalization.instrument import INSTRUMENT
from cogkit.generalization.learners import groups, rows, training
from cogkit.generalization.suites import PLAYERS, FitConfig, StressConfig, Suite, side


def test_the_house_finds_six_cells_with_three_presets():
    cells = {cell.id: cell for cell in experiments.cells("generalization/*")}
    assert set(cells) == {
        f"generalization/{name}" for name in ("repro62", "shuffled", "spurious", "shift", "continual", "errors")
    }
    assert INSTRUMENT.name == "generalization" and {cell.id for cell in INSTRUMENT.cells()} == set(cells)
    for cell in cells.values():
        assert tuple(cell.configs) == PRESETS and len({config_hash(c) for c in cell.configs.values()}) >= 2
    paper = cells["generalization/repro62"].configs["paper"]
    assert len(paper.suite.names) == 62 and len(paper.players) == 6 and not paper.components
    shuffled = cells["generalization/shuffled"].configs["paper"]
    assert shuffled.labels == "shuffled" and shuffled.players == side("model") and shuffled.suite == paper.suite
    assert cells["generalization/shift"].configs["quick"] == StressConfig("shift", 2)


def test_a_quick_run_of_a_curve_is_rows_that_the_store_takes(light, tmp_path):
    store = results.Store(tmp_path)
    (cell,) = experiments.cells("generalization/shift")
    for profile, metrics in (
        ("as_published", {"GR*", "accuracy", "f(accuracy)", "D_align"}),
        ("verified", {"A_c", "P"}),
    ):
        experiments.run_cell(cell, profile, "quick", 0, store)
        table = store.load(cell=cell.id, profile=profile)
        assert set(table.metric) == metrics and len(table) == 6 * 2 * len(metrics)
        assert set(table.kind) == {"proxy", "model"} and (table.n == 2).all() and set(table.inputs) == {"columns"}
        assert ((table.low <= table.value) & (table.value <= table.high)).all()
    assert experiments.verify(cell.id, root=tmp_path).word == "same"  # run again it is the same


TINY = FitConfig(Suite(1, ("Moons", "Iris")))


@pytest.mark.usefixtures("light", "home")
def test_a_suite_gives_scores_of_both_sides(tmp_path):
    cell = Cell("generalization/tiny", instrument.suite, dict.fromkeys(PRESETS, TINY))
    store = results.Store(tmp_path)
    experiments.run_cell(cell, "as_published", "quick", 0, store)
    back = rows.scores(store.load())
    expected = groups.score(training.fit_suite(TINY, 0))
    pd.testing.assert_frame_equal(back[list(expected)], expected, check_dtype=False)
    assert store.load(metric="GR*").set_index("task").n.to_dict() == {"Moons 0": 180, "Iris 0": 45}


@pytest.mark.usefixtures("light", "home")
def test_a_suite_gives_components_of_every_player(tmp_path):
    cell = Cell("generalization/tiny", instrument.suite, dict.fromkeys(PRESETS, TINY))
    store = results.Store(tmp_path)
    experiments.run_cell(cell, "verified", "quick", 0, store)
    table = store.load()
    assert set(table.who) == set(PLAYERS) and dict(zip(table.who, table.kind, strict=True)) == PLAYERS
    assert set(table.inputs) == {"columns"} and set(table.task) == {"Moons", "Iris", "all"}
    assert {"A_c", "P", "S"} == set(table.metric)  # neither has five columns of a known recipe
    assert set(table[table.who == "recipe"].task) == {"Moons", "all"}


@pytest.mark.usefixtures("light", "home")
def test_shuffled_labels_leave_the_machines_at_chance(tmp_path):
    config = dataclasses.replace(TINY, labels="shuffled", players=side("model"))
    cell = Cell("generalization/tiny", instrument.suite, dict.fromkeys(PRESETS, config))
    for profile in ("as_published", "verified"):
        _, lines = experiments.run_cell(cell, profile, "quick", 0)
        table = pd.DataFrame(lines)
        assert set(table.kind) == {"model"}
        top = table[table.metric.isin(["accuracy", "A_c"])].groupby("metric").value.max()
        assert (top < 0.7).all()
    assert set(table.who) == set(side("model"))


def test_naming_the_cells_loads_no_heavy_library():
    heavy = "{'sklearn', 'torch', 'plotly', 'ipywidgets', 'scipy'} & set(sys.modules)"
    code = f"import sys; from cogkit.generalization import instrument; instrument.cells(); print({heavy} or 'none')"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "none"
