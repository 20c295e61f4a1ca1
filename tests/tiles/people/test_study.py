"""The sitting of the paper: who gets what, what is judged of it, and where a reader comes back to."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from cogkit import tiles
from cogkit.core.errors import InputError
from cogkit.study.sitting import Sitting
from cogkit.tiles import scoring
from cogkit.tiles.learners import floors, observers
from cogkit.tiles.people import blind
from cogkit.tiles.people.study import PRACTISED, SITTINGS, STUDY, finished, free, your_rows, your_wins
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import heuristic_blue
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.views import TileBoard

ROW_BY_ROW = list(range(49))


def blues_before_the_last_red(board: np.ndarray, start: int) -> int:
    """What a player who opens tiles in the order of reading pays for a board, counted by hand."""
    colours = board.ravel()
    last = max(tile for tile in range(49) if colours[tile] and tile != start)
    return int((colours[:last] == 0).sum())


def play_board(view: TileBoard, blues: bool = True) -> None:
    """Click the tiles in the order of reading, or the red ones alone, until the board is done."""
    for tile in ROW_BY_ROW:
        if not view.done and (blues or view.game.boards[0, tile]):
            view.click(tile)


def play_on(view: TileBoard, boards: int, blues: bool = True) -> TileBoard:
    """Play so many boards to their ends, and go on to the next one."""
    for _ in range(boards):
        play_board(view, blues)
        view.next_board()
    return view


def begin(view: TileBoard) -> None:
    """Open one more tile, the first that is covered."""
    view.click(next(tile for tile in ROW_BY_ROW if view.game.shown[0, tile] == -1))


def sit(sitting: Sitting, boards: int, blues: bool = True) -> None:
    """Play the next boards of a sitting to their ends."""
    play_on(TileBoard(None, sitting), boards, blues)


def test_each_of_the_sixteen_conditions_is_drawn_alike():
    n, p = 8000, 1 / 16
    counts = Counter(STUDY.assign(seed) for seed in range(n))
    assert set(counts) == set(records.CONDITIONS) and len(counts) == 16
    se = np.sqrt(n * p * (1 - p))
    assert all(abs(count - n * p) <= 4 * se for count in counts.values())


def test_twenty_five_boards_are_shown_published_or_our_own(source):
    for condition in records.CONDITIONS:
        items = STUDY.items(condition, 0)
        assert len(items) == 25 and items.task == condition
        assert items.source == ("published" if source == "published" else "generated"), condition
        expected = records.items(condition, source=items.source)
        assert (items.boards == expected.boards).all() and (items.starts == expected.starts).all(), condition


def expected_rows(items: Items, chosen: list[int]) -> dict[str, float]:
    """Return the figures of a person who opened some boards in the order of reading, by arithmetic."""
    part = Items(items.boards[chosen], items.starts[chosen], items.task, items.source)
    blue = np.array([blues_before_the_last_red(*part[k]) for k in range(len(part))], float)
    runs = heuristic_blue(part, runs=1000, seed=0).astype(float)
    values = {"blue": blue.mean(), "z": ((blue - runs.mean(axis=1)) / runs.std(axis=1, ddof=1)).mean(), "finished": 1.0}
    if items.task.endswith("/abstract"):
        ideal = scoring.judge(observers.BayesGreedy.of(items.task.split("/")[0]), part, passes=20, seed=0).blue
        mean, best = runs.mean(axis=1).sum(), ideal.mean(axis=0).sum()
        values["skill"] = (mean - blue.sum()) / (mean - best)
    return values


def test_a_person_who_plays_like_a_script_gets_the_scripts_numbers_once_all_is_done(use_mirror, trials):
    sitting = Sitting.begin(STUDY, 0, trials)
    sit(sitting, 24)
    assert your_rows(trials).empty and your_wins(trials).empty  # their rows name the condition, not known before
    sit(sitting, 1)
    rows, items, order = your_rows(trials), records.items(sitting.condition, source="published"), list(sitting.order)
    assert rows.set_index("metric").value.to_dict() == pytest.approx(expected_rows(items, order), rel=1e-12)
    assert set(rows.who) == {"you"} and set(rows.kind) == {"person"} and set(rows.n) == {25}
    assert set(rows.cell) == {f"tiles/you/{sitting.condition}"} and set(rows.source) == {"sitting"}
    blue = [blues_before_the_last_red(*items[k]) for k in order]
    means = heuristic_blue(items, runs=1000, seed=0).mean(axis=1)[order]
    assert your_wins(trials).win.tolist() == (blue < means).astype(int).tolist()


def test_a_free_board_that_is_not_finished_is_left_out(trials):
    items = generated(4)
    begin(play_on(TileBoard(items, trials=trials), 3))
    rows = your_rows(trials).set_index("metric")
    assert rows.value.to_dict() == pytest.approx(expected_rows(items, [0, 1, 2]), rel=1e-12)


@pytest.mark.parametrize("practice", ["judged boards", "amid the sitting", "of somebody else"])
def test_practice_before_a_sitting_is_recorded_and_keeps_it_apart(use_mirror, trials, practice):
    def practise():
        who = "somebody else" if practice == "of somebody else" else None
        if practice == "judged boards":
            judged = blind.sit("tree", 3, trials=trials)
            judged.answer("abstract")
            judged.answer("metamer")
        else:
            free_sitting = Sitting.begin(free(generated(2)), 0, trials, who)
            begin(play_on(TileBoard(free_sitting.items, free_sitting), 1))

    if practice != "amid the sitting":
        practise()
    sitting = Sitting.begin(STUDY, 0, trials)
    sit(sitting, 3, blues=False)
    if practice == "amid the sitting":
        practise()
    sit(sitting, 22, blues=False)
    seen = 2 * (practice == "judged boards")
    later = 2 if practice == "amid the sitting" else seen
    for extra in sitting.answers()["extra"]:
        assert extra.get("trained", 0) == (seen if extra["position"] < 3 else later)
    rows = your_rows(trials)
    rows = rows[rows.n == 25]
    assert set(rows.source) == {PRACTISED if later else "sitting"} and set(rows.source) <= set(SITTINGS)


def test_a_sitting_of_five_boards_is_marked_and_stands_apart(use_mirror, trials):
    short = tiles.sit(trials, boards=5, passes=1)
    assert short.scene["head"][0] == "Board 1 of 5"
    sit(short.sitting, 2, blues=False)
    whole = tiles.sit(trials, passes=1)  # another sitting, although the short one is not finished
    assert whole.scene["head"][0] == "Board 1 of 25" and whole.sitting.id != short.sitting.id
    again = tiles.sit(trials, boards=5, passes=1)
    assert again.sitting.id == short.sitting.id and again.scene["head"][0] == "Board 3 of 5"
    sit(again.sitting, 3, blues=False)
    assert {extra["short"] for extra in trials.frame(sitting=short.sitting.id)["extra"]} == {5}
    rows = your_rows(trials)
    assert set(rows.source) == {"short sitting"} and set(rows.n) == {5} and set(rows.source) <= set(SITTINGS)
    assert finished(trials) == []
    with pytest.raises(InputError, match="25, as in the paper, or 5"):
        tiles.sit(trials, boards=6)


def generated(n: int, rule: str = "cross", seed: int = 0) -> Items:
    boards = records.sample(rule, n, seed)
    return Items(boards, records.draw_starts(boards, seed), f"{rule}/abstract", "test")


@pytest.mark.parametrize("when", ["first click", "some clicks", "last click"])
def test_a_board_played_with_chances_in_view_is_left_out_whole(trials, when):
    items = generated(4)
    view = play_on(TileBoard(items, trials=trials), 1)
    clicks = []  # the second board, with help for a while
    for number, tile in enumerate(ROW_BY_ROW):
        if view.done:
            break
        last = (items.boards[1].ravel()[tile + 1 :]).sum() == 0
        helped = {"first click": number == 0, "some clicks": 2 <= number < 5, "last click": last}[when]
        view.show_player(floors.Random() if helped else None)
        view.click(tile)
        clicks.append(helped)
    assert view.done and any(clicks)
    view.show_player(None)
    view.next_board()
    play_on(view, 2)
    rows = your_rows(trials).set_index("metric")
    assert rows.value.to_dict() == pytest.approx(expected_rows(items, [0, 2, 3]), rel=1e-12)


def test_boards_of_the_readers_own_do_not_hide_the_rest(trials):
    """Anybody may play boards of no rule of ours; they have a z and no ideal observer."""
    plus = np.zeros((7, 7))
    plus[3, 2:5] = plus[2:5, 3] = 1
    for items in (Items([plus, plus.T], [24, 24], "plus/abstract", "own"), generated(2)):
        play_on(TileBoard(items, trials=trials), 2)
    rows = your_rows(trials)
    assert rows[rows.task == "cross/abstract"].metric.tolist() == ["blue", "z", "finished", "skill"]
    values = rows[rows.task == "plus/abstract"].set_index("metric").value
    # Reading from the top the plus ends with tile 31, its fifth red: 32 tiles, of which 27 are blue.
    assert values.index.tolist() == ["blue", "z", "finished"] and values.blue == 27
