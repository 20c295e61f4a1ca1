"""Tiles as components: clicks replayed by hand, random play that gets nothing, and every refusal."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

from cogkit.app import scale
from cogkit.core.errors import InputError
from cogkit.core.records import RESULT_COLUMNS, TRIAL_COLUMNS
from cogkit.data import results
from cogkit.tiles import scoring
from cogkit.tiles.components import decisive_clicks
from cogkit.tiles.learners import floors
from cogkit.tiles.rules.boards import Items

CORNER = "0x7"  # red tiles 0, 1 and 2


def click(tile: int, red: int, step: int, done: bool = False, board: str = CORNER, **fields) -> dict:
    extra = {"board": board, "start": 0, "step": step, "done": done} | fields.pop("extra", {})
    base = dict.fromkeys(TRIAL_COLUMNS) | {"sitting": "s", "who": "a", "kind": "model", "instrument": "tiles"}
    base |= {"task": "copy/abstract", "item": "copy/abstract/00", "seed": 0, "profile": "verified"}
    return base | {"response": tile, "correct": red, "extra": extra} | fields


GAME = [click(48, 0, 1), click(1, 1, 2), click(1, 1, 3), click(2, 1, 4, True)]
BLUES = pd.DataFrame([
    dict.fromkeys(RESULT_COLUMNS, "") | {
        "instrument": "tiles", "who": "a", "kind": "model", "task": "copy/abstract", "metric": "blue", "value": 5.7,
        "low": None, "high": None, "inputs": "board", "seed": 0, "n": 25,
    }
])  # fmt: skip


def test_decisive_clicks_by_hand():
    clicks = decisive_clicks(pd.DataFrame(GAME))
    assert clicks.red.tolist() == [False, True, True]  # the open tile decides nothing
    assert clicks.chance.tolist() == [2 / 48, 2 / 47, 1 / 46]
    as_text = [row | {"extra": json.dumps(row["extra"])} for row in GAME]
    assert decisive_clicks(pd.DataFrame(as_text)).equals(clicks)
    again = decisive_clicks(pd.DataFrame(GAME + GAME))  # a board played twice in one sitting is two games
    assert again.chance.tolist() == [2 / 48, 2 / 47, 1 / 46] * 2


def test_forced_clicks_are_left_out():
    board = hex(2**49 - 1 - 2**48)  # tile 48 alone is blue: once it is open, nothing is left to decide
    clicks = [click(48, 0, 1, board=board)] + [click(tile, 1, tile + 1, tile == 47, board) for tile in range(1, 48)]
    assert decisive_clicks(pd.DataFrame(clicks)).chance.tolist() == [47 / 48]


def test_boards_that_are_no_one_s_own_or_not_done_are_left_out():
    aided = [row | {"item": "copy/abstract/01", "extra": row["extra"] | {"overlay": "ideal"}} for row in GAME]
    stopped = [row | {"item": "copy/abstract/02"} for row in GAME[:2]]
    blind = dict(GAME[0]) | {"item": "copy/blind/00", "response": "abstract", "extra": {"phase": "blind"}}
    begin = dict(GAME[0]) | {"item": "begin", "response": "copy/abstract", "extra": {"order": [0]}}
    other = dict(GAME[0]) | {"instrument": "equivalence", "extra": {"phase": "test"}}
    clicks = decisive_clicks(pd.DataFrame([begin, *GAME, *aided, *stopped, blind, other]))
    assert clicks["item"].tolist() == ["copy/abstract/00"] * 3


def test_components_of_one_board_by_hand():
    table = scale.components(BLUES, pd.DataFrame(GAME))
    chance = (2 / 48 + 2 / 47 + 1 / 46) / 3
    above = (2 / 3 - chance) / (1 - chance)
    a = (1 + above) / 2
    expected = [2 / 3, above, a * (math.sqrt(a) - math.sqrt(1 - a)) ** 2]
    assert table.value.tolist() == pytest.approx(expected) and table.component.tolist() == ["accuracy", "A_c", "P"]
    assert table.chance.tolist() == pytest.approx([chance] * 3) and (table.n == 3).all()
    assert table.low.isna().all() and table.note.str.contains("one board").all()


def test_random_play_gets_nothing_though_its_games_end_with_a_red():
    """8 boards × 40 games: red less chance is a martingale; red less the board's share of red is not."""
    rng = np.random.default_rng(5)
    boards = np.zeros((8, 49), np.uint8)
    for board in boards:
        board[rng.choice(49, 4, replace=False)] = 1
    items = Items(boards.reshape(-1, 7, 7), boards.argmax(axis=1), "own/abstract", "test")
    answers = scoring.judge(floors.Random(), items, passes=40).to_trials(10**6)
    clicks = decisive_clicks(answers)
    variance = (clicks.chance * (1 - clicks.chance)).sum()  # of a sum of martingale differences, in expectation
    assert abs((clicks.red - clicks.chance).sum()) < 4 * math.sqrt(variance)
    assert (clicks.red - 3 / 48).sum() > 4 * math.sqrt(variance)
    rows = BLUES.assign(who="random", task="own/abstract", kind="floor")
    table = scale.components(rows, answers).set_index("component")
    assert table.loc["A_c", "value"] < 4 * math.sqrt(variance) / (1 - clicks.chance).sum()


def test_players_without_clicks_are_not_imputed():
    rows = pd.concat([BLUES, BLUES.assign(who="b"), BLUES.assign(who="you", kind="person")])
    sat = [row | {"who": "3fa9c2d1", "kind": "person", "sitting": "t"} for row in GAME]
    table = scale.components(rows, pd.DataFrame(GAME + sat))
    assert table[table.who == "b"].value.isna().all() and (table[table.who == "b"].note == "not there: no clicks").all()
    assert set(table.who) == {"a", "b", "3fa9c2d1"}  # the reader's clicks are under a pseudonym


def test_faulty_clicks_are_refused():
    twice = GAME + [row | {"profile": "as_published", "sitting": "t"} for row in GAME]
    for clicks, words in (
        ([click(48, 1, 1, True)], "a click on tile 48 of copy/abstract/00 marked red"),
        ([click(49, 0, 1, True)], "a click on tile 49"),
        ([click(48, 0, 1, True, board="boards")], "hexadecimal word"),
        ([click(48, 0, 1) | {"extra": {"board": CORNER, "step": 1}}], "extra lacks done, start"),
        (twice, "one profile"),
    ):
        with pytest.raises(InputError, match=words):
            scale.components(BLUES, pd.DataFrame(clicks))
    with pytest.raises(InputError, match="no clicks of a"):
        scale.components(BLUES, pd.DataFrame(GAME[:2]))  # not played to the end
    with pytest.raises(InputError, match="no clicks of .*result rows do not tell which clicks were red"):
        scale.components(results.shipped("tiles").query("metric == 'blue'"))
