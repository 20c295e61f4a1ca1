"""Choice scenarios as a reader meets them: kept apart before a sitting, one choice a board, by mouse and keyboard."""

from __future__ import annotations

import numpy as np

from cogkit.study.trials import BEGIN, Trials

SETUP = """
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials
from cogkit.tiles.people import scenarios, study
from cogkit.tiles.views import ChoiceTrial

moments = scenarios.find("pyramid", 3)
"""
PLAY = """
sitting = Sitting.begin(study.STUDY, 3, Trials())
for _ in range(25):
    board, start = sitting.item
    [sitting.answer(n) for n in range(49) if board.flat[n] and n != start]
"""
TRIAL = "trial = ChoiceTrial(moments, trials=Trials())\ntrial"
HEAD, STATUS = ".cogkit-board .ck-head strong", ".cogkit-board .ck-status"


def tile(page, number: int):
    return page.locator(f".ck-grid .ck-tile[data-tile='{number}']")


def drawn(page) -> str:
    classes = page.eval_on_selector_all(".ck-grid .ck-tile", "tiles => tiles.map((tile) => tile.className)")
    signs = {"is-covered": ".", "is-blue": "0", "is-red": "1"}
    return "".join(next(signs[name] for name in text.split() if name in signs) for text in classes)


def test_choices_before_a_sitting_are_taken_and_kept_apart(lab, server):
    page = lab.run_cells(SETUP, TRIAL)
    lab.says(HEAD, "Board 1 of 3")
    lab.says(".cogkit-board .ck-prompt", "your choices before that are kept apart")
    signs = drawn(page)
    tile(page, signs.index(".")).click()
    lab.says(STATUS, "Stored: ")
    lab.says(HEAD, "Board 2 of 3")
    rows = Trials(server.home / "trials.sqlite").frame()
    assert rows["source"].tolist()[-2:] == ["generated, before the boards"] * 2
    assert rows["response"].iloc[-1] == signs.index(".") and rows["extra"].iloc[-1]["after"] == []
    assert lab.problems == []


def test_one_choice_a_board_by_mouse_and_by_keyboard_and_no_tile_opens(lab, server):
    page = lab.run_cells(SETUP, PLAY, TRIAL)
    cells, chosen = lab.cells(), []
    state = lab.evaluate("str({k: v for k, v in trial.get_state().items() if k not in ('_esm', '_css')})")
    assert not any(word in state for word in ("certain", "fate", "undetermined", "correct"))
    for number in (1, 2, 3):
        lab.says(HEAD, f"Board {number} of 3")
        signs = drawn(page)
        assert signs == lab.evaluate("''.join({-1: '.', 0: '0', 1: '1'}[sign] for sign in trial.observation.tolist())")
        covered = [n for n, sign in enumerate(signs) if sign == "."]
        if number == 1:
            tile(page, signs.index("1")).click()
            lab.says(STATUS, "is open already; choose a covered one.")
            chosen.append(covered[5])
            tile(page, covered[5]).evaluate("(node) => { node.click(); node.click(); }")  # one choice
        else:
            page.keyboard.press("Control+Home")
            for key, steps in zip(("ArrowDown", "ArrowRight"), divmod(covered[-1], 7), strict=True):
                for _ in range(steps):
                    page.keyboard.press(key)
            page.keyboard.press("b")  # an order to a notebook in command mode; nothing here
            page.keyboard.press("Enter")
            chosen.append(covered[-1])
        lab.says(STATUS, f"Stored: row {chosen[-1] // 7 + 1}, column {chosen[-1] % 7 + 1}.")
    lab.says(HEAD, "All 3 boards have your choice")
    rows = Trials(server.home / "trials.sqlite").frame()
    rows = rows[rows["task"].isin(["scenarios", "pyramid/scenario"])]
    assert rows["item"].iloc[0] == BEGIN and rows["response"].tolist()[1:] == chosen
    assert (rows["rt_s"][1:] > 0).all() and rows["sitting"].nunique() == 1
    for extra, tile_chosen in zip(rows["extra"][1:], chosen, strict=True):
        assert extra["phase"] == "scenario" and np.array(extra["shown"])[tile_chosen] == -1
    assert lab.run_from("ChoiceTrial(moments"), lab.errors()
    lab.says(HEAD, "All 3 boards have your choice")  # asked once
    assert lab.evaluate("trial.to_frame().tile.tolist()") == chosen and lab.cells() == cells
    lab.is_readable(".cogkit-board", 5)
    lab.is_well()
