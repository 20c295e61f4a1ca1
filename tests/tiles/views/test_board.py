"""The widgets without a browser: what a click does, what is stored, what is sent, and what a kill leaves behind."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cogkit.core.errors import InputError
from cogkit.core.records import TRIAL_COLUMNS
from cogkit.core.study import Study
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials
from cogkit.tiles.people.study import clicked
from cogkit.tiles.rules.boards import Items, decode
from cogkit.tiles.views import Replay, TileBoard, side_by_side

CORNER = np.zeros((7, 7), np.uint8)
CORNER[0, :3] = CORNER[1, 0] = 1  # reds 0, 1, 2 and 7
BAR = np.zeros((7, 7), np.uint8)
BAR[3, 2:5] = 1  # reds 23, 24 and 25
ITEMS = Items([CORNER, BAR], [0, 24], "demo/abstract", "test")
BESIDE = pd.DataFrame({"heuristic": [7.25, 5.0], "heuristic_sd": [1.5, np.nan], "ideal": [2.0, 1.0]})
STUDY = Study(
    "tiles", lambda seed: "demo/abstract", lambda condition, seed: ITEMS, clicked, lambda seed, n: [1, 0],
    "Find the red tiles.",
)  # fmt: skip


@pytest.fixture
def store(tmp_path) -> Trials:
    return Trials(tmp_path / "trials.sqlite")


def click(board: TileBoard, *tiles: int) -> None:
    for tile in tiles:
        board.click(tile)


def test_a_click_opens_scores_and_tells():
    board = TileBoard(ITEMS, beside=BESIDE)
    assert board.scene["shown"] == "1" + "." * 48 and board.scene["start"] == 0
    assert board.click(1) == 1 and board.scene["status"] == "Red, plus one: row 1, column 2."
    assert board.click(8) == -1 and board.scene["status"] == "Blue, minus one: row 2, column 2."
    assert board.scene["shown"] == "11......0" + "." * 40
    assert board.scene["head"] == ["Board 1 of 2", "0 points on this board", "0 points in all"]
    assert not board.scene["next"]["ready"] and board.scene["next"]["why"] == "when every red tile is open"
    assert board.click(2) == 1 and board.click(7) == 10 and board.done and not board.over
    assert board.scene["head"] == ["Board 1 of 2", "11 points on this board", "11 points in all"]
    assert board.scene["next"]["ready"] and board.next_board()
    assert board.scene["head"] == ["Board 2 of 2", "0 points on this board", "11 points in all"]
    assert board.click(23) == 1 and board.click(25) == 10 and board.over and not board.next_board()
    assert board.scene["head"] == ["All 2 boards done", "11 points on this board", "22 points in all"]


def test_a_click_on_an_open_tile_or_a_done_board_does_nothing_but_says_so():
    board = TileBoard(ITEMS)
    assert board.click(0) == 0 and "open already" in board.scene["status"]
    first = board.scene["draw"]
    assert board.click(0) == 0 and board.scene["draw"] > first  # sent again, so that the browser lets go
    click(board, 1, 2, 7)
    assert board.click(40) == 0 and "done" in board.scene["status"]
    assert board.trials()["response"].tolist() == [1, 2, 7]
    assert not TileBoard(ITEMS).next_board()


def test_a_tile_that_is_none_is_refused():
    board = TileBoard(ITEMS)
    for tile in (-1, 49, 1.0, "1", None, True):
        with pytest.raises(InputError, match="a tile number between 0 and 48"):
            board.click(tile)
    assert board.trials().empty


def test_a_message_from_the_browser_is_a_click_with_its_time():
    board = TileBoard(ITEMS)
    board._handle_custom_msg({"click": 1, "rt_s": 0.75}, [])
    assert board.scene["shown"].startswith("11") and board.trials()["rt_s"].tolist() == [0.75]
    board._handle_custom_msg({"click": 8, "rt_s": -3}, [])  # no time at all: Python's clock stands in
    assert board.trials()["rt_s"][1] >= 0
    board._handle_custom_msg({"next": True}, [])
    assert board.scene["status"] == "Open every red tile first."


def test_free_play_is_stored_from_the_first_click(store, home):
    board = TileBoard(ITEMS, trials=store)
    assert board.trials().empty and store.frame().empty  # a board that was only looked at leaves nothing behind
    click(board, 1, 8, 2, 7)
    board.next_board()
    board.click(23)
    rows = board.trials()
    assert tuple(rows.columns) == TRIAL_COLUMNS
    assert rows["item"].tolist() == [ITEMS.name(0)] * 4 + [ITEMS.name(1)]
    assert rows["response"].tolist() == [1, 8, 2, 7, 23]
    assert rows["correct"].tolist() == [1, 0, 1, 1, 1] and rows["score"].tolist() == [1, -1, 1, 10, 1]
    assert rows[["kind", "task", "source"]].drop_duplicates().values.tolist() == [["person", "demo/abstract", "test"]]
    extra = rows["extra"].tolist()
    assert [e["done"] for e in extra] == [False, False, False, True, False]
    assert [e["step"] for e in extra] == [1, 2, 3, 4, 1] and {e["phase"] for e in extra} == {"free"}
    assert (decode(extra[0]["board"]) == CORNER).all() and [e["start"] for e in extra] == [0] * 4 + [24]
    assert store.frame(sitting=rows["sitting"][0]).iloc[1:].equals(store.frame().iloc[1:])


def test_free_play_goes_on_until_its_last_board_is_done(store, home):
    board = TileBoard(ITEMS, trials=store)
    click(board, 1, 8)
    again = TileBoard(ITEMS, trials=store)  # the next Run All
    assert (again.scene["shown"], again.phase) == (board.scene["shown"], "free")
    click(again, 2, 7)
    assert len(TileBoard(Items([BAR, CORNER], [24, 0], "demo/abstract", "test"), trials=store).trials()) == 0
    again = TileBoard(ITEMS, trials=store, beside=BESIDE)
    assert again.scene["head"][0] == "Board 2 of 2" and len(again.trials()) == 4
    click(again, 23, 25)
    assert again.over and store.frame()["sitting"].nunique() == 1
    fresh = TileBoard(ITEMS, trials=store)
    assert fresh.scene["head"][0] == "Board 1 of 2" and fresh.trials().empty


def test_a_click_is_on_the_disk_before_it_is_shown(store, home):
    board, changes = TileBoard(ITEMS, trials=store), []
    board.observe(lambda change: changes.append((change.new["shown"].count("."), len(store.frame()))), "scene")
    click(board, 1, 8, 2, 7)
    assert changes == [(47, 2), (46, 3), (45, 4), (44, 5)]  # the sitting's beginning is the first row


def test_a_click_that_cannot_be_stored_is_not_shown(store, home, monkeypatch):
    board = TileBoard(ITEMS, trials=store)
    board.click(1)
    before, rows = board.scene["shown"], store.frame()
    with monkeypatch.context() as patch:
        patch.setattr(board.sitting, "trials", Trials(store.path.with_name("other.sqlite")))
        board.sitting.trials.path.unlink()
        with pytest.raises(InputError):
            board.click(2)
        board._handle_custom_msg({"click": 2}, [])
    assert board.scene["shown"] == before and board.scene["status"].startswith("Not stored, so not counted")
    assert store.frame().equals(rows)
    assert board.click(2) == 1 and store.frame()["response"].tolist()[1:] == [1, 2]


def test_a_sitting_hides_the_comparison_until_its_end(store, home):
    sitting = Sitting.begin(STUDY, 0, store)
    board = TileBoard(None, sitting, beside=BESIDE)
    assert board.phase == "study" and board.index == 1 and board.scene["prompt"] == "Find the red tiles."
    with pytest.raises(InputError, match="after the last board"):
        board.show_player(lambda tiles: np.zeros(49))
    for tile in (23, 25):
        assert board.scene["beside"]["rows"] == []
        board.click(tile)
    assert board.scene["beside"]["rows"] == []
    board.next_board()
    for tile in (1, 48, 2, 7):
        board.click(tile)
        assert board.over or "demo" not in str(board.scene)  # the condition's name
    assert sitting.finished and board.over
    assert board.scene["status"].endswith("All boards followed one rule, demo.")
    rows = board.scene["beside"]["rows"]
    assert [(row["kind"], row["text"]) for row in rows] == [("you", "0.5"), ("floor", "6.1"), ("observer", "1.5")]
    board.show_player(lambda tiles: np.zeros(49))


@pytest.mark.parametrize("clicks", [0, 1, 2, 5, 7])
def test_a_sitting_resumes_at_every_point(store, home, clicks):
    """The stored trials alone bring back the board, points and phase after any number of clicks."""
    sitting = Sitting.begin(STUDY, 0, store)
    board = TileBoard(None, sitting, beside=BESIDE)
    for tile in [23, 0, 25, 1, 48, 2, 7][:clicks]:
        if board.done:
            board.next_board()
        board.click(tile)
    again = TileBoard(None, Sitting.resume(STUDY, sitting.id, store), beside=BESIDE)
    if board.done and not board.over:
        board.next_board()  # a sitting killed on a finished board goes on with the next one
    for name in ("shown", "start", "last", "head", "next", "beside"):
        assert again.scene[name] == board.scene[name], name
    assert again.over == (clicks == 7)
    if not again.over:
        before = len(store.frame())
        again.click(next(tile for tile in (30, 31) if again.scene["shown"][tile] == "."))
        assert len(store.frame()) == before + 1


def test_overlay_of_a_callable_and_a_broken_player():
    board = TileBoard(ITEMS, overlay=lambda tiles: np.where(tiles < 0, 0.25, 0.0))
    assert board.scene["chance"] == [0] + [250] * 48 and board.overlay_on
    board.show_player(lambda tiles: np.full(49, 2.0))
    assert board.scene["chance"] is None and "taken away" in board.scene["status"]
    assert board.click(1) == 1  # the play goes on


ACTIONS = np.array([[[8, 1, 2, 7], [23, 25, -1, -1]]], np.int8)


def test_replay_of_actions_step_by_step():
    replay = Replay(ITEMS, ACTIONS, beside=BESIDE)
    heads = [replay.go(step)["head"] for step in range(5)]
    assert [head[2:] for head in heads[:2]] == [["0 blue", "0 points"], ["1 blue", "−1 point"]]
    assert heads[4][1:] == ["Step 4 of 4", "1 blue", "11 points"]
    assert replay.scenes[1]["last"] == 8 and replay.scenes[1]["shown"][8] == "0"
    replay.board = 1
    assert replay.step == 0 and len(replay.scenes) == 3 and replay.scenes[0]["shown"][24] == "1"


def test_a_board_with_nothing_to_find_is_refused():
    lone = np.zeros((7, 7), np.uint8)
    lone[0, 0] = 1
    with pytest.raises(InputError, match="nothing but its start tile"):
        TileBoard(Items(lone, [0], "demo/abstract", "test"))


class Sweeps:
    """Opens tiles in their order, or against it."""

    kind, inputs, choose = "floor", ("mask",), "argmax"

    def __init__(self, name: str, sign: int) -> None:
        self.name, self.sign = name, sign

    def act(self, view, state):
        return self.sign * np.arange(49) * np.ones(view.mask.shape), state


def test_replays_side_by_side_go_together_and_one_that_is_over_waits():
    players = [Sweeps("<b>forwards</b>", -1), Sweeps("backwards", 1)]
    columns = side_by_side(ITEMS, players).children
    (title, forwards), (_, backwards) = (column.children for column in columns)
    assert "<b>&lt;b&gt;forwards&lt;/b&gt;</b>" == title.value
    assert len(forwards.scenes) == 8 and len(backwards.scenes) == 49  # tiles 1 to 7, tiles 48 down to 1
    forwards.step = 5
    assert backwards.step == 5
    backwards.step = 30
    assert forwards.step == 7 and backwards.step == 30
    forwards.board = 1
    assert backwards.board == 1 and forwards.step == backwards.step == 0


def test_a_replay_tells_and_counts_what_the_rule_had_excluded():
    tall = np.zeros((7, 7), np.uint8)
    tall[1:4, 1] = tall[1:4, 3] = tall[1, 2] = tall[3, 2] = 1  # a hollow square of three
    items = Items([tall], [8], "rectangle/abstract", "test")
    # The first click opens the corner across. No outline goes through both corners and also through tile 16 or 0.
    replay = Replay(items, [[24, 16, 0, 9, 10, 15, 17, 22, 23]], rule="rectangle")
    heads = [scene["head"][-1] for scene in replay.scenes]
    assert heads[:2] == ["0 against the rule"] * 2
    assert heads[-1] == "2 against the rule" and "excluded" in replay.scenes[-7]["status"]
    assert len(Replay(items, [[24]]).scenes[0]["head"]) == 4
