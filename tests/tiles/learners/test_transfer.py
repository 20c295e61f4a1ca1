"""What agents carry over: across boards, against games judged one by one; across profiles, against the pinned cells."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, floors, memory, training
from cogkit.tiles.learners import transfer as carried
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import heuristic_blue
from cogkit.tiles.rules.boards import Items, to_bits


def by_hand(task: str, tests: list[str], passes: int, seed: int, player=None) -> list[np.ndarray]:
    """Return the z of each board of some tests that the LSTM of a task, or who plays for it, has not met."""
    rule = task.partition("/")[0]
    apart = [records.items(f"{rule}/{kind}", source).boards for kind in records.KINDS for source in records.SOURCES]
    may_meet = set(records.support(rule).bits.tolist()) - set(to_bits(np.vstack(apart)).tolist())
    parts = []
    for items in (records.items(test, "published") for test in tests):
        new = [word not in may_meet for word in to_bits(items.boards).tolist()]
        parts.append(Items(items.boards[new], items.starts[new], items.task, items.source))
    every = Items(np.vstack([i.boards for i in parts]), np.hstack([i.starts for i in parts]), "every/task", "published")
    blue = scoring.judge(player or training.load("lstm", task=task), every, passes=passes, seed=seed).blue.mean(axis=0)
    runs = np.vstack([heuristic_blue(i, seed=seed) for i in parts])
    return np.split((blue - runs.mean(axis=1)) / runs.std(axis=1, ddof=1), np.cumsum([len(i) for i in parts])[:-1])


def test_a_matrix_is_each_agent_on_each_task_without_boards_that_it_may_have_met(use_mirror):
    tasks = ["connected/abstract", "rectangle/abstract"]
    table = carried.matrix("lstm", passes=2, seed=3, tasks=tasks)
    assert table[["trained", "tested"]].values.tolist() == [[a, b] for a in tasks for b in tasks]
    for task in tasks:
        z = by_hand(task, tasks, 2, 3)
        rows = table[table.trained == task]
        assert rows.n.tolist() == [len(part) for part in z]
        assert rows.value.tolist() == pytest.approx([part.mean() for part in z])
        half = [stats.t.ppf(0.975, len(part) - 1) * part.std(ddof=1) / len(part) ** 0.5 for part in z]
        assert (rows.high - rows.low).tolist() == pytest.approx([2 * width for width in half])
    assert table.n.tolist() == [25, 15, 22, 25] and set(table.who) == {"LSTM"}  # many a rectangle is connected


def test_floors_remember_what_the_agent_of_each_task_trained_on_and_are_asked_what_it_is(use_mirror):
    tasks = ["pyramid/abstract", "tree/abstract"]
    table = carried.matrix("memory", passes=1, seed=3, tasks=tasks)
    assert len(table) == 3 * 4 and set(table.n) == {25}
    for task in tasks:
        rule = task.partition("/")[0]
        boards, own = records.support(rule), training.load("lstm", task=task)
        apart = [records.items(f"{rule}/{kind}", "published").boards for kind in records.KINDS]
        apart += [records.items(f"{rule}/{kind}", "generated").boards for kind in records.KINDS]
        trained = boards.without(np.concatenate([*apart, agents.pools(own.config, 0).validation.boards]))
        floor = memory.Memory(trained, "soft", ("D4", "shift"))
        rows = table[(table.trained == task) & (table.who == floor.name)]
        assert rows.value.tolist() == pytest.approx([part.mean() for part in by_hand(task, tasks, 1, 3, floor)])


# The four cells that repeat one constant, and what it is (facts § 5.2, first column).
PINNED = {"connected/abstract": 8.853, "copy/abstract": 6.194, "pyramid/abstract": 15.553, "cross/metamer": 8.814}


def test_a_player_that_never_finishes_is_pinned_and_only_as_published(use_mirror):
    for task, constant in PINNED.items():
        table = carried.blocking(floors.NeverFinishes(), records.items(task), passes=2).set_index("profile")
        published, verified = table.loc["as_published"], table.loc["verified"]
        assert published["pinned z"] == verified["pinned z"] == pytest.approx(constant, abs=0.15), task
        assert published.z == pytest.approx(published["pinned z"]) and published.finished == 0, task
        assert (published["boards reached"], published["pinned passes"]) == (1, 2), task
        assert (verified["boards reached"], verified["pinned passes"], verified.finished) == (25, 0, 1), task
        assert verified.z < published.z, task


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
