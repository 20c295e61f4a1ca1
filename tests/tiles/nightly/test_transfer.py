"""The shipped agents carry over what their rows say: on their own tasks, without masks, and in the shipped matrix."""

from __future__ import annotations

import numpy as np

from cogkit.data import results
from cogkit.tiles import scoring
from cogkit.tiles.learners import training
from cogkit.tiles.learners import transfer as carried
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import heuristic


def test_on_its_own_task_an_agent_does_as_its_shipped_row_says(use_mirror):
    tasks, passes = ["copy/abstract", "tree/metamer"], 40
    table = carried.matrix("lstm", passes, tasks=tasks).set_index(["trained", "tested"])
    rows = results.shipped("tiles", who="LSTM").query("seed == 0 and metric == 'z'")
    for task in tasks:
        shipped = rows[rows.task == task].value.item()
        agent, items = training.load("lstm", task=task), records.items(task)
        games = scoring.z_scores(scoring.judge(agent, items, passes=passes), heuristic(items))
        se = np.sqrt(2 * (games.var(axis=0, ddof=1) / passes).sum()) / len(items)  # two runs of the same boards
        assert abs(table.value[task, task] - shipped) <= 4 * se


def test_networks_that_learnt_with_masks_are_pinned_without_them_and_no_others(use_mirror):
    task = "pyramid/abstract"
    masked, unmasked = (
        carried.blocking(training.load("lstm", task=task, profile=profile), records.items(task), passes=2).set_index(
            "profile"
        )
        for profile in ("verified", "as_published")
    )
    assert masked.loc["as_published", "pinned passes"] == 2 and masked.loc["as_published", "boards reached"] == 1
    assert masked.loc["verified", "finished"] == 1 and masked.loc["verified", "z"] < masked.loc["as_published", "z"] - 5
    assert (unmasked["pinned passes"] == 0).all() and (unmasked["boards reached"] == 25).all()
    assert abs(unmasked.loc["as_published", "z"] - unmasked.loc["verified", "z"]) < 2


def test_a_stored_matrix_is_the_one_that_was_played(use_mirror):
    """Its rows as result rows and back; and the shipped one holds what two of its agents do when they play again."""
    table = carried.stored(results.shipped("tiles"))
    assert len(table) == 16 * 16 and not table.duplicated(["trained", "tested"]).any()
    manifest = next(results.Shipped(results.shipped_folder("tiles")).runs(cell="tiles/transfer/lstm"))[0]
    again = carried.matrix("lstm", manifest.config["games"], manifest.seed)
    joined = table.merge(again, on=["who", "trained", "tested", "n"], suffixes=("", "_now"))
    assert len(joined) == 256
    # On another processor sums differ, so that a close choice may fall otherwise: games are few, their means are not.
    assert (joined.value.between(joined.low_now, joined.high_now)).all()
    assert abs(joined.value - joined.value_now).mean() < 0.05
