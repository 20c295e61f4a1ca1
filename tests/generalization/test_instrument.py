"""The instrument as the house finds it: its cells, and what they give to the store."""

from __future__ import annotations

import pandas as pd
import pytest

from cogkit.app import experiments
from cogkit.core.identity import config_hash
from cogkit.core.instruments import Cell
from cogkit.core.presets import PRESETS
from cogkit.data import results
from cogkit.generalization import instrument
from cogkit.generalization.instrument import INSTRUMENT
from cogkit.generalization.learners import groups, rows, training
from cogkit.generalization.suites import PLAYERS, FitConfig, Suite, side


def test_the_house_finds_seven_cells_with_three_presets():
    cells = {cell.id: cell for cell in experiments.cells("generalization/*")}
    names = ("repro62", "shuffled", "spurious", "shift", "continual", "multiverse", "errors")
    assert set(cells) == {f"generalization/{name}" for name in names} == {cell.id for cell in INSTRUMENT.cells()}
    for cell in cells.values():
        assert tuple(cell.configs) == PRESETS and len({config_hash(c) for c in cell.configs.values()}) >= 2
    paper, shuffled = (cells[f"generalization/{name}"].configs["paper"] for name in names[:2])
    assert len(paper.suite.names) == 62 and len(paper.players) == 6 and not paper.components
    assert shuffled == FitConfig(labels="shuffled", players=side("model")) and shuffled.suite == paper.suite


def test_a_quick_run_of_a_curve_is_rows_that_the_store_takes(lightly, tmp_path):
    store = results.Store(tmp_path)
    (cell,) = experiments.cells("generalization/shift")
    experiments.run_cell(cell, "verified", "quick", 0, store)
    table, metrics = store.load(cell=cell.id), {"A_c", "P"}
    assert set(table.metric) == metrics and len(table) == 6 * 2 * len(metrics)
    assert set(table.kind) == {"proxy", "model"} and (table.n == 2).all() and set(table.inputs) == {"columns"}
    assert ((table.low <= table.value) & (table.value <= table.high)).all()
    assert experiments.verify(cell.id, root=tmp_path).word == "same"  # run again it is the same


@pytest.mark.usefixtures("lightly", "home")
def test_a_suite_gives_scores_of_both_sides_and_components_of_every_player(tmp_path):
    config, store = FitConfig(Suite(1, ("Moons", "Iris"))), results.Store(tmp_path)
    cell = Cell("generalization/tiny", instrument.suite, dict.fromkeys(PRESETS, config))
    experiments.run_cell(cell, "as_published", "quick", 0, store)
    back = rows.scores(store.load())
    expected = groups.score(training.fit_now(config, 0))
    pd.testing.assert_frame_equal(back[list(expected)], expected, check_dtype=False)
    assert store.load(metric="GR*").set_index("task").n.to_dict() == {"Moons 0": 180, "Iris 0": 45}
    experiments.run_cell(cell, "verified", "quick", 0, store)
    table = store.load(profile="verified")
    assert set(table.who) == set(PLAYERS) and dict(zip(table.who, table.kind, strict=True)) == PLAYERS
    assert {"A_c", "P", "S"} == set(table.metric)  # neither has five columns of a known recipe
    assert set(table[table.who == "recipe"].task) == {"Moons", "all"}
