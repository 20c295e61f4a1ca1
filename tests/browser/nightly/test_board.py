"""TileBoard and Replay as a reader meets them: JupyterLab, Chromium, mouse and keyboard.

Whole boards, and a kernel that is killed amid one: `readers/tiles.py`.
"""

from __future__ import annotations

import pytest

DEMO = """
import numpy as np, pandas as pd
from cogkit.core.study import Study
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials
from cogkit.tiles.people.study import clicked
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.views import Replay, TileBoard

corner, bar = np.zeros((7, 7), int), np.zeros((7, 7), int)
corner[1:5, 2:6] = 1
corner[2:4, 3:5] = 0
bar[3, 2:5] = 1
items = Items([corner, bar], [9, 24], "rectangle/abstract", "test")
beside = pd.DataFrame({"heuristic": [7.2, 5.0], "heuristic_sd": [1.9, 1.5], "ideal": [2.1, 1.0]})
study = Study("tiles", lambda seed: items.task, lambda condition, seed: items, clicked,
              prompt="Click tiles to reveal two-dimensional patterns and score points.")

class Learner:
    kind, inputs = "model", ("board",)
    def __init__(self, name, seed):
        self.name, self.seed = name, seed
    def act(self, view, state):
        return np.random.default_rng(self.seed).normal(size=(len(view.board), 49)) * 2.0, None
"""
START, BLUE, RED = 9, 0, 10
FREE = "board = TileBoard(items, trials=Trials(), beside=beside)\nboard"
SIT = "board = TileBoard(None, Sitting.begin(study, 0), beside=beside)\nboard"


@pytest.fixture
def page(lab):
    """The page with a board that is played freely."""
    return lab.run_cells(DEMO, FREE)


def tile(page, number: int):
    return page.locator(f".ck-grid .ck-tile[data-tile='{number}']")


def open_tile(page, number: int) -> None:
    tile(page, number).click()
    page.wait_for_selector(f".ck-tile[data-tile='{number}']:is(.is-red, .is-blue):not(.is-waiting)")


def focused(page) -> int:
    return page.evaluate("() => Number(document.activeElement.dataset.tile ?? -1)")


def test_roles_names_targets_one_tab_stop_and_contrast(lab, page):
    grid = page.get_by_role("grid", name="Tile board, 7 rows and 7 columns")
    assert grid.get_by_role("row").count() == 7 and grid.get_by_role("gridcell").count() == 49
    assert grid.locator("button").count() == 49 and grid.locator("[tabindex='0']").count() == 1
    assert grid.get_by_role("gridcell", name="row 2, column 3: red, start", exact=True).count() == 1
    assert grid.get_by_role("gridcell", name="row 1, column 1: covered", exact=True).count() == 1
    open_tile(page, BLUE)
    assert grid.get_by_role("gridcell", name="row 1, column 1: blue", exact=True).count() == 1
    assert grid.locator("[tabindex='0']").get_attribute("data-tile") == str(BLUE)
    assert page.get_by_role("status").filter(has_text="Blue, minus one").get_attribute("aria-live") == "polite"
    button = page.get_by_role("button", name="Next board")
    assert button.get_attribute("aria-disabled") == "true"
    why = page.locator(f"#{button.get_attribute('aria-describedby')}")
    assert why.inner_text() == "when every red tile is open"
    sizes = page.eval_on_selector_all(
        ".ck-grid .ck-tile", "tiles => tiles.map(t => t.getBoundingClientRect().toJSON())"
    )
    assert min(min(size["width"], size["height"]) for size in sizes) >= 44
    lab.is_readable(".cogkit-board", 9)
    lab.is_well()


def test_keys_move_open_and_stay_out_of_the_notebook(lab, page):
    cells = lab.cells()
    page.locator(".ck-grid").scroll_into_view_if_needed()
    tile(page, START).focus()
    scrolled = page.evaluate("() => document.querySelector('.jp-WindowedPanel-outer').scrollTop")
    for key, expected in [
        ("ArrowRight", 10), ("ArrowDown", 17), ("ArrowLeft", 16), ("ArrowUp", 9), ("Home", 7), ("ArrowLeft", 7),
        ("End", 13), ("PageDown", 48), ("ArrowDown", 48), ("PageUp", 6), ("Control+End", 48), ("Control+Home", 0),
        ("ArrowUp", 0),
    ]:  # fmt: skip
        page.keyboard.press(key)
        assert focused(page) == expected, key
    assert page.evaluate("() => document.querySelector('.jp-WindowedPanel-outer').scrollTop") == scrolled
    ring = page.evaluate(
        "() => { const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]; }"
    )
    assert ring == ["solid", "3px"]
    page.keyboard.press("Enter")
    page.wait_for_selector(".ck-tile[data-tile='0'].is-blue")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.wait_for_selector(".ck-tile[data-tile='1'].is-blue")
    lab.takes_no_orders(cells, "bxddaxzmyrcv00")
    assert lab.evaluate("board.trials()['response'].tolist()") == [0, 1]  # the kernel is the same and alive
    page.keyboard.press("Tab")  # one press leaves the grid
    assert page.evaluate("() => document.activeElement.textContent") == "Next board"
    page.keyboard.press("Enter")
    lab.says(".ck-status", "Open every red tile first.")
    page.keyboard.press("Shift+Tab")
    assert focused(page) == 1
    lab.is_well()


def test_reload_keeps_the_state(lab, page):
    for number in (RED, BLUE):
        open_tile(page, number)
    drawn = [".ck-grid .ck-tile", "tiles => tiles.map(t => [t.className, t.ariaLabel])"]
    before = page.eval_on_selector_all(*drawn)
    lab.reload()
    page.wait_for_selector(f".ck-tile[data-tile='{BLUE}'].is-blue")
    assert page.eval_on_selector_all(*drawn) == before
    open_tile(page, 11)  # and the play goes on in the same kernel
    assert lab.evaluate("board.trials()['response'].tolist()") == [RED, BLUE, 11]
    lab.is_well()


def test_chances_by_button_key_hover_and_focus(lab, page):
    lab.do("board.show_player(Learner('a player', 1))")
    page.wait_for_selector(".ck-tile.is-heat")
    for number in (RED, 11, BLUE):
        open_tile(page, number)
    chance = lab.evaluate("[int(n) for n in board.scene['chance']]")
    assert abs(sum(chance) - 1000) <= 25 and chance[RED] == 0
    tile(page, 16).hover()
    text = f"row 3, column 3: {chance[16] / 10:.1f} %"
    assert page.locator(".ck-legend").inner_text().endswith(text)
    assert tile(page, 16).get_attribute("title") == f"{chance[16] / 10:.1f} %"
    assert tile(page, 16).get_attribute("aria-label") == f"row 3, column 3: covered, {chance[16] / 10:.1f} %"
    tile(page, 16).focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".ck-legend").inner_text().endswith(f"row 3, column 4: {chance[17] / 10:.1f} %")
    page.keyboard.press("p")
    page.wait_for_selector(".ck-grid:not(:has(.is-heat))")
    page.get_by_role("button", name="Show probabilities").click()
    page.wait_for_selector(".ck-tile.is-heat")
    assert lab.evaluate("board.overlay_on") is True
    lab.is_well()


def test_a_study_shows_no_comparison(lab):
    page = lab.run_cells(DEMO, SIT)
    open_tile(page, RED)
    aside = page.locator(".ck-aside").inner_text()
    assert "after the last board" in aside and "7.2" not in aside
    assert page.locator(".ck-prompt").inner_text().startswith("Click tiles to reveal")
    assert lab.evaluate("board.trials()['extra'][0]['phase']") == "study"
    lab.is_well()


def test_a_replay_by_mouse_and_keyboard(lab):
    name = "a learner with a long name, trained on rectangle/metamer, seed 3, and more words still"
    made = f"replay = Replay(items, learner=Learner({name!r}, 1), beside=beside, passes=2, seed=3)\nreplay"
    page = lab.run_cells(DEMO, made)
    assert page.get_by_role("grid").get_attribute("aria-readonly") == "true"
    assert tile(page, START).evaluate("t => t.matches('.is-start')")
    lab.says(".ck-head", "Step 0 of")
    last = lab.evaluate("len(replay.scenes) - 1")
    for name, step in [("Forward", 1), ("Forward", 2), ("Back", 1), ("Last", last), ("First", 0)]:
        page.get_by_role("button", name=name, exact=True).click()
        lab.says(".ck-head", f"Step {step} of")
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    for key, step in [("ArrowRight", 1), ("ArrowRight", 2), ("End", last), ("Home", 0), ("ArrowRight", 1)]:
        page.keyboard.press(key)
        lab.says(".ck-head", f"Step {step} of")
    assert slider.get_attribute("aria-valuetext") == lab.evaluate("replay.scenes[1]['status']")
    assert lab.evaluate("replay.step") == 1  # Python went along
    first = lab.evaluate("replay.scenes[1]['last']")
    assert tile(page, first).evaluate("t => t.matches('.is-last')")
    covered = page.locator(".ck-grid .is-covered").count()
    tile(page, lab.evaluate("replay.scenes[2]['last']")).click()
    assert page.locator(".ck-grid .is-covered").count() == covered  # nobody plays here
    page.get_by_label("Speed", exact=True).select_option("1")
    lab.press("Play")
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    page.wait_for_function("Number(document.querySelector('.ck-head').textContent.match(/Step ([0-9]+) of/)[1]) > 2")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Play", exact=True).wait_for()
    page.get_by_label("Speed", exact=True).select_option("8")
    lab.press("Play")
    lab.says(".ck-head", f"Step {last} of")  # where it ends by itself
    page.get_by_role("button", name="Play", exact=True).wait_for()
    for node in page.locator(".cogkit-board *").all():
        assert node.evaluate("n => n.scrollWidth <= Math.max(n.clientWidth, n.offsetWidth) + 1 || n.closest('svg')")
    page.get_by_label("Board", exact=True).select_option("1")
    page.wait_for_selector(".ck-tile[data-tile='24'].is-start")
    page.get_by_label("Pass", exact=True).select_option("1")
    lab.wait_until("(replay.board, replay.run, replay.step)", (1, 1, 0))
    lab.is_well()
