"""What agents carry over: across boards, against games judged one by one; across profiles, against the pinned cells."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.tiles import scoring
from cogkit.tiles.learners import floors, training
from cogkit.tiles.learners import transfer as carried
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import heuristic_blue
from cogkit.tiles.rules.boards import Items


def test_transfer_is_each_agent_on_each_kind_of_boards(use_mirror):
    table = carried.transfer(["tree", "zigzag"], passes=2, seed=5)
    assert list(table) == ["rule", "trained", "tested", "value", "low", "high", "n"] and len(table) == 8
    assert not table.duplicated(["rule", "trained", "tested"]).any() and set(table.n) == {25}
    for row in table.itertuples():
        items = records.items(f"{row.rule}/{row.tested}", "published")
        runs = heuristic_blue(items, seed=5)
        answers = scoring.judge(training.load("lstm", task=f"{row.rule}/{row.trained}"), items, passes=2, seed=5)
        z = (answers.blue.mean(axis=0) - runs.mean(axis=1)) / runs.std(axis=1, ddof=1)
        assert row.value == pytest.approx(z.mean()) and row.low < row.value < row.high


# The four cells that repeat one constant, and what it is (facts § 5.2, first column).
PINNED = {"connected/abstract": 8.853, "copy/abstract": 6.194, "pyramid/abstract": 15.553, "cross/metamer": 8.814}


@pytest.mark.parametrize("task", PINNED)
def test_a_player_that_never_finishes_is_pinned_and_only_as_published(use_mirror, task):
    table = carried.blocking(floors.NeverFinishes(), records.items(task), passes=4).set_index("profile")
    published, verified = table.loc["as_published"], table.loc["verified"]
    assert published["pinned z"] == verified["pinned z"] == pytest.approx(PINNED[task], abs=0.15)
    assert published.z == pytest.approx(published["pinned z"]) and published.finished == 0
    assert (published["boards reached"], published["pinned passes"]) == (1, 4)
    assert (verified["boards reached"], verified["pinned passes"], verified.finished) == (25, 0, 1)
    assert verified.z < published.z


class FinishesOnlyTheFirst:
    """Opens every tile in turn on the board it is given first, and nothing but its start tile on any other."""

    name, kind, inputs, choose = "first board only", "model", ("board",), "argmax"

    def __init__(self, start: int) -> None:
        self.start = start

    def act(self, view, state):
        first = (view.board[:, self.start] == 1)[:, None]
        turn = np.where(view.board == -1, -np.arange(49.0), -100.0)
        return np.where(first, turn, np.where(view.board != -1, 100.0, 0.0)), None


def test_one_board_that_is_never_solved_holds_up_all_that_follow():
    boards = np.zeros((3, 7, 7), int)
    boards[0, 0, :3] = boards[1, 6, :3] = boards[2, 6, 2:5] = 1
    items = Items(boards, [0, 42, 44], "mine/abstract", "test")
    table = carried.blocking(FinishesOnlyTheFirst(0), items, passes=5).set_index("profile").loc["as_published"]
    assert table["boards reached"] == 2  # the second is played again and again, the third never
    assert table.finished == pytest.approx(1 / 15) and table["pinned passes"] == 4
    assert table.blue == pytest.approx((0 + 14 * 46) / 15)  # the first three tiles of the first board are its reds


@pytest.mark.parametrize("task", ["pyramid/abstract", "connected/abstract"])
def test_networks_that_learnt_with_masks_are_pinned_without_them_and_no_others(use_mirror, task):
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
