"""Choice scenarios as a reader meets them: closed before a sitting, then one choice a board, by mouse and keyboard."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.study.trials import BEGIN, Trials

SETUP = """
import numpy as np
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials
from cogkit.tiles.people import scenarios, study
from cogkit.tiles.views import ChoiceTrial

moments = scenarios.find("pyramid", 3)
"""
TRIAL = "trial = ChoiceTrial(moments, trials=Trials())\ntrial"
PLAY = (
    "from cogkit.study.sitting import Sitting",
    "from cogkit.study.trials import Trials",
    "from cogkit.tiles.people import study",
    "sitting = Sitting.begin(study.STUDY, 3, Trials())",
    "for _ in range(25):",
    "    board, start = sitting.item",
    "    [sitting.answer(n) for n in range(49) if board.flat[n] and n != start]",
)


@pytest.fixture
def ask(lab, server, tmp_path):
    """A function that opens the widget of a reader who has, or has not, finished a sitting, and returns the page."""

    def open_and_run(played: bool):
        (server.home / "trials.sqlite").unlink(missing_ok=True)
        lab.open_cells(tmp_path / "choice.ipynb", SETUP, TRIAL)
        assert lab.run_all(), lab.errors()
        lab.page.wait_for_selector(".cogkit-board")
        if played:
            lab.do(*PLAY)
            assert lab.run_from("ChoiceTrial(moments"), lab.errors()
            at(lab.page, "Board 1 of 3")
        return lab.page

    return open_and_run


def at(page, words: str) -> None:
    """Wait until the widget says this in its first line."""
    page.locator(".cogkit-board .ck-head strong").get_by_text(words).wait_for()


def tile(page, number: int):
    return page.locator(f".ck-grid .ck-tile[data-tile='{number}']")


def drawn(page) -> str:
    classes = page.eval_on_selector_all(".ck-grid .ck-tile", "tiles => tiles.map((tile) => tile.className)")
    signs = {"is-covered": ".", "is-blue": "0", "is-red": "1"}
    return "".join(next(signs[name] for name in text.split() if name in signs) for text in classes)


def of_kernel(lab) -> str:
    return lab.evaluate("''.join({-1: '.', 0: '0', 1: '1'}[sign] for sign in trial.shown.tolist())")


def focused(page) -> int:
    return page.evaluate("() => Number(document.activeElement.dataset.tile ?? -1)")


def test_it_is_closed_before_a_sitting_and_says_why(lab, server, ask, screenshot):
    page = ask(played=False)
    at(page, "No board yet")
    grid = page.get_by_role("grid", name="Board to choose a tile on, 7 rows and 7 columns")
    assert grid.get_attribute("aria-disabled") == "true" and drawn(page) == "." * 49
    status = page.locator(".cogkit-board").get_by_role("status")
    assert status.inner_text().startswith("Finish a sitting of 25 boards in Play tiles first")
    tile(page, 24).click(force=True)
    page.keyboard.press("Enter")
    page.keyboard.press("n")
    assert page.locator(".cogkit-board .ck-keyline").is_hidden()
    lab.wait_until("len(Trials().frame())", 0)
    assert drawn(page) == "." * 49 and page.locator(".is-waiting").count() == 0
    screenshot("04_choice_closed", page.locator(".cogkit-board"))
    assert lab.problems == []


def test_one_choice_a_board_by_mouse_and_by_keyboard_and_no_tile_opens(lab, server, ask, screenshot):
    page = ask(played=True)
    cells, chosen = lab.cells(), []
    status = page.locator(".cogkit-board").get_by_role("status")
    state = lab.evaluate("str({k: v for k, v in trial.get_state().items() if k not in ('_esm', '_css')})")
    assert not any(word in state for word in ("certain", "fate", "undetermined", "correct"))
    for number in (1, 2, 3):
        at(page, f"Board {number} of 3")
        shown = drawn(page)
        assert shown == of_kernel(lab) and page.locator(".cogkit-board .ck-aside").is_hidden()
        covered = [n for n, sign in enumerate(shown) if sign == "."]
        if number == 1:
            screenshot("04_choice_board", page.locator(".cogkit-board"))
            tile(page, shown.index("1")).click()
            status.get_by_text("is open already; choose a covered one.").wait_for()
            chosen.append(covered[5])
            tile(page, covered[5]).evaluate("(node) => { node.click(); node.click(); }")  # one choice
        else:
            page.keyboard.press("Control+Home")
            assert focused(page) == 0
            to = covered[-1]
            for key, steps in zip(("ArrowDown", "ArrowRight"), divmod(to, 7), strict=True):
                for _ in range(steps):
                    page.keyboard.press(key)
            page.keyboard.press("b")  # an order to a notebook in command mode; nothing here
            assert focused(page) == to
            page.keyboard.press("Enter")
            chosen.append(to)
        status.get_by_text(f"Stored: row {chosen[-1] // 7 + 1}, column {chosen[-1] % 7 + 1}.").wait_for()
    at(page, "All 3 boards have your choice")
    assert page.get_by_role("grid").get_attribute("aria-disabled") == "true"
    screenshot("04_choice_over", page.locator(".cogkit-board"))
    rows = Trials(server.home / "trials.sqlite").frame()
    rows = rows[rows["task"].isin(["scenarios", "pyramid/scenario"])]
    assert rows["item"].iloc[0] == BEGIN and rows["response"].tolist()[1:] == chosen
    assert (rows["rt_s"][1:] > 0).all() and rows["sitting"].nunique() == 1
    for extra, tile_chosen in zip(rows["extra"][1:], chosen, strict=True):
        assert extra["phase"] == "scenario" and np.array(extra["shown"])[tile_chosen] == -1
    assert lab.run_from("ChoiceTrial(moments"), lab.errors()
    at(page, "All 3 boards have your choice")  # asked once
    assert lab.evaluate("trial.to_frame().tile.tolist()") == chosen
    assert lab.cells() == cells and lab.sideways() <= 0 and lab.problems == []


def test_dark_theme(lab, ask, screenshot):
    page = ask(played=True)
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.use_theme(theme)
        ratios = lab.contrast(".cogkit-board")
        assert len(ratios) >= 5 and min(ratios.values()) >= 4.5, (theme, ratios)
        screenshot(f"04_choice_{theme.split()[1].lower()}", page.locator(".cogkit-board"))
    assert lab.problems == []
