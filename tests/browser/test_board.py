"""TileBoard and Replay as a reader meets them: JupyterLab, Chromium, mouse and keyboard."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import numpy as np
import pytest

from cogkit.study.trials import Trials
from cogkit.tiles.rules.boards import encode

DEMO = """
import numpy as np, pandas as pd
from cogkit.core.contracts import Study
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
"""
SETUP = "from demo import *"
CORNER = np.zeros((7, 7), np.uint8)
CORNER[1:5, 2:6] = 1
CORNER[2:4, 3:5] = 0
REDS = np.flatnonzero(CORNER).tolist()
START, BLUE, RED = 9, 0, 10
FREE = "board = TileBoard(items, trials=Trials(), beside=beside)\nboard"
SIT = "board = TileBoard(None, Sitting.begin(study, 0), beside=beside)\nboard"


@pytest.fixture
def play(lab, tmp_path, server):
    """A function that opens a notebook of these cells, runs it all, and returns the page once a board is drawn."""

    (server.home / "trials.sqlite").unlink(missing_ok=True)  # else free play of an earlier test would go on

    def open_and_run(*cells: str):
        (server.root / tmp_path.name).mkdir(exist_ok=True)
        (server.root / tmp_path.name / "demo.py").write_text(DEMO)
        lab.open_cells(tmp_path / "play.ipynb", *cells, folder=tmp_path.name)
        assert lab.run_all(), lab.errors()
        lab.page.wait_for_selector(".cogkit-board")
        return lab.page

    return open_and_run


def tile(page, number: int):
    return page.locator(f".ck-grid .ck-tile[data-tile='{number}']")


def open_tile(page, number: int) -> None:
    tile(page, number).click()
    page.wait_for_selector(f".ck-tile[data-tile='{number}']:is(.is-red, .is-blue):not(.is-waiting)")


def focused(page) -> int:
    return page.evaluate("() => Number(document.activeElement.dataset.tile ?? -1)")


def status(page, text: str) -> None:
    page.wait_for_function("(text) => document.querySelector('.ck-status').textContent.includes(text)", arg=text)


def test_click_reveals_stores_and_keeps_focus(lab, play, screenshot):
    page = play(SETUP, FREE)
    screenshot("board_start")
    open_tile(page, RED)
    assert "is-red" in tile(page, RED).get_attribute("class") and focused(page) == RED
    open_tile(page, BLUE)
    assert "is-blue" in tile(page, BLUE).get_attribute("class")
    status(page, "Blue, minus one: row 1, column 1.")
    assert page.locator(".ck-head").inner_text().split("\n")[0].startswith("Board 1 of 2")
    assert lab.evaluate("board.trials()['response'].tolist()") == [RED, BLUE]
    assert lab.evaluate("board.to_frame().loc[1, 1]") == "blue"
    times = lab.evaluate("board.trials()['rt_s'].tolist()")
    assert all(0 < seconds < 60 for seconds in times)
    tile(page, BLUE).click()
    status(page, "open already")
    assert lab.evaluate("len(board.trials())") == 2
    screenshot("board_play")
    assert lab.sideways() <= 0 and not lab.problems


def test_aria_names_roles_and_one_tab_stop(lab, play):
    page = play(SETUP, FREE)
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
    assert not lab.problems


def test_keys_move_open_and_stay_out_of_the_notebook(lab, play):
    page = play(SETUP, FREE)
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
    for key in "bxddaxzmyrcv00":
        page.keyboard.press(key)
    assert lab.evaluate("board.trials()['response'].tolist()") == [0, 1]  # the kernel is the same and alive
    assert lab.cells() == cells
    page.keyboard.press("Tab")  # one press leaves the grid
    assert page.evaluate("() => document.activeElement.textContent") == "Next board"
    page.keyboard.press("Enter")
    status(page, "Open every red tile first.")
    page.keyboard.press("Shift+Tab")
    assert focused(page) == 1
    assert not lab.problems


def test_the_whole_of_two_boards_by_keyboard_alone(lab, play, screenshot):
    page = play(SETUP, FREE)
    tile(page, START).focus()

    def go_and_open(number: int) -> None:
        page.keyboard.press("Control+Home")
        for _ in range(number // 7):
            page.keyboard.press("ArrowDown")
        for _ in range(number % 7):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.wait_for_selector(f".ck-tile[data-tile='{number}']:is(.is-red, .is-blue):not(.is-waiting)")

    for number in [0, *(red for red in REDS if red != START)]:
        go_and_open(number)
    status(page, "Board done with 1 blue. Go on to the next one.")
    screenshot("board_done")
    page.keyboard.press("n")
    page.wait_for_selector(".ck-tile[data-tile='24'].is-start")
    assert focused(page) == 24  # on the new board's start tile
    go_and_open(23)
    go_and_open(25)
    status(page, "That was the last board")
    assert page.get_by_role("button", name="Next board").count() == 0
    screenshot("board_over")
    assert lab.evaluate("board.over, int(board.trials()['score'].sum())") == (True, 10 - 1 + 10 + 1 + 10)
    assert not lab.problems


def test_reload_keeps_the_state(lab, play):
    page = play(SETUP, FREE)
    for number in (RED, BLUE):
        open_tile(page, number)
    before = page.eval_on_selector_all(".ck-grid .ck-tile", "tiles => tiles.map(t => [t.className, t.ariaLabel])")
    lab.reload()
    page.wait_for_selector(f".ck-tile[data-tile='{BLUE}'].is-blue")
    assert (
        page.eval_on_selector_all(".ck-grid .ck-tile", "tiles => tiles.map(t => [t.className, t.ariaLabel])") == before
    )
    open_tile(page, 11)  # and the play goes on in the same kernel
    assert lab.evaluate("board.trials()['response'].tolist()") == [RED, BLUE, 11]
    assert not lab.problems


def test_overlay_by_button_key_hover_and_focus(lab, play, screenshot):
    player = """
class Neighbour:
    name, kind, inputs = "a player that likes neighbours", "model", ("board",)
    def act(self, view, state):
        red = np.argwhere(view.board[0].reshape(7, 7) == 1)
        spread = np.stack(np.indices((7, 7)), -1).reshape(49, 1, 2)
        return -1.2 * np.abs(spread - red).max(-1).min(1)[None].astype(float), None
board.show_player(Neighbour())"""
    page = play(SETUP, FREE, player)
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
    screenshot("board_overlay")
    tile(page, 16).focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".ck-legend").inner_text().endswith(f"row 3, column 4: {chance[17] / 10:.1f} %")
    page.keyboard.press("p")
    page.wait_for_selector(".ck-grid:not(:has(.is-heat))")
    page.get_by_role("button", name="Show probabilities").click()
    page.wait_for_selector(".ck-tile.is-heat")
    assert lab.evaluate("board.overlay_on") is True
    assert lab.sideways() <= 0 and not lab.problems


def test_dark_theme_keeps_contrast(lab, play, screenshot):
    page = play(SETUP, FREE)
    lab.use_theme("JupyterLab Dark")
    for number in (RED, 11, BLUE):
        open_tile(page, number)
    page.mouse.move(5, 5)
    screenshot("board_dark")
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.use_theme(theme)
        ratios = lab.contrast(".cogkit-board")
        assert len(ratios) > 8 and min(ratios.values()) >= 4.5, (theme, ratios)
    assert not lab.problems


def test_study_shows_no_comparison(lab, play, screenshot):
    page = play(SETUP, SIT)
    open_tile(page, RED)
    aside = page.locator(".ck-aside").inner_text()
    assert "after the last board" in aside and "7.2" not in aside
    assert page.locator(".ck-prompt").inner_text().startswith("Click tiles to reveal")
    screenshot("board_study")
    assert lab.evaluate("board.trials()['extra'][0]['phase']") == "study" and not lab.problems


def test_sigkill_of_the_kernel_at_a_random_click_loses_nothing(lab, play, server):
    page = play(SETUP, SIT)
    sitting, pid = lab.evaluate("board.sitting.id"), lab.evaluate("__import__('os').getpid()")
    choice = random.SystemRandom()
    clicks = choice.sample([n for n in range(49) if n != START], 30)
    moment = choice.randrange(1, 25)
    # The page itself clicks on, each tile as soon as the one before is open, and notes what it has seen open.
    lab.click_on(page.locator(".cogkit-board"), clicks, moment)
    os.kill(pid, signal.SIGKILL)  # the next click is on its way, or stored, or just about to be shown
    page.wait_for_function(
        """() => ["autorestarting", "restarting", "starting", "unknown", "dead"].includes(
        window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status)""",
        polling=20,
    )
    status(page, "Waiting for the kernel")
    numbers = page.evaluate("() => window.seen")
    rows = Trials(server.home / "trials.sqlite").frame(sitting=sitting).iloc[1:]
    story = f"killed after {moment} clicks of {clicks}"
    assert len(numbers) >= moment and len(rows) - len(numbers) in (0, 1), story
    tiles = clicks[: len(rows)]
    red = [int(CORNER.flat[t]) for t in tiles]
    counts = len(REDS) - 1 - np.cumsum(red)
    expected = {
        "response": tiles,
        "correct": red,
        "score": [(10 if n == 0 else 1) if r else -1 for r, n in zip(red, counts, strict=True)],
        "order": list(range(1, len(tiles) + 1)),
        "item": ["rectangle/abstract/00"] * len(tiles),
        "task": ["rectangle/abstract"] * len(tiles),
        "instrument": ["tiles"] * len(tiles),
        "kind": ["person"] * len(tiles),
    }
    for column, values in expected.items():
        assert rows[column].tolist() == values, (column, story)
    for step, (extra, n) in enumerate(zip(rows["extra"], counts, strict=True), 1):
        fields = {
            "board": encode(CORNER),
            "start": START,
            "step": step,
            "phase": "study",
            "position": 0,
            "done": n == 0,
        }
        assert extra == fields, story
    # A new page, a new kernel: the stored trials alone bring the board back.
    play(SETUP, f"board = TileBoard.resume(study, {sitting!r}, beside=beside)\nboard")
    picture = "".join(str(CORNER.flat[t]) if t in (*tiles, START) else "." for t in range(49))
    assert lab.evaluate("board.scene['shown']") == picture
    classes = page.eval_on_selector_all(".ck-grid .ck-tile", "tiles => tiles.map(t => t.className)")
    for number, name in enumerate(classes):
        state = {".": "covered", "0": "blue", "1": "red"}[picture[number]]
        assert f"is-{state}" in name, number
    rest = next(n for n in range(49) if picture[n] == ".")
    open_tile(page, rest)
    assert Trials(server.home / "trials.sqlite").frame(sitting=sitting)["response"].iloc[-1] == rest


def test_replay_by_mouse_and_keyboard(lab, play, screenshot):
    record = """
class Learner:
    name = "a learner with a long name, trained on rectangle/metamer, seed 3, and more words still"
    kind, inputs = "model", ("board",)
    def act(self, view, state):
        return np.random.default_rng(1).normal(size=(len(view.board), 49)) * 2.0, None
replay = Replay(items, learner=Learner(), beside=beside, passes=2, seed=3)
replay"""
    page = play(SETUP, record)
    assert page.get_by_role("grid").get_attribute("aria-readonly") == "true"
    assert tile(page, START).evaluate("t => t.matches('.is-start')")

    def at(step: int) -> None:
        page.wait_for_function(
            "(s) => document.querySelector('.ck-head').textContent.includes(`Step ${s} of`)", arg=step
        )

    at(0)
    last = lab.evaluate("len(replay.scenes) - 1")
    for name, step in [("Forward", 1), ("Forward", 2), ("Back", 1), ("Last", last), ("First", 0)]:
        page.get_by_role("button", name=name, exact=True).click()
        at(step)
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    for key, step in [("ArrowRight", 1), ("ArrowRight", 2), ("End", last), ("Home", 0), ("ArrowRight", 1)]:
        page.keyboard.press(key)
        at(step)
    assert slider.get_attribute("aria-valuetext") == lab.evaluate("replay.scenes[1]['status']")
    assert lab.evaluate("replay.step") == 1  # Python went along
    first = lab.evaluate("replay.scenes[1]['last']")
    assert tile(page, first).evaluate("t => t.matches('.is-last')")
    covered = page.locator(".ck-grid .is-covered").count()
    tile(page, lab.evaluate("replay.scenes[2]['last']")).click()
    assert page.locator(".ck-grid .is-covered").count() == covered  # nobody plays here
    page.get_by_label("Speed", exact=True).select_option("8")
    page.get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    at(4)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Play", exact=True).wait_for()
    screenshot("replay")
    assert lab.sideways() <= 0
    for node in page.locator(".cogkit-board *").all():
        assert node.evaluate("n => n.scrollWidth <= Math.max(n.clientWidth, n.offsetWidth) + 1 || n.closest('svg')")
    page.get_by_label("Board", exact=True).select_option("1")
    page.wait_for_selector(".ck-tile[data-tile='24'].is-start")
    page.get_by_label("Pass", exact=True).select_option("1")
    lab.wait_until("(replay.board, replay.run, replay.step)", (1, 1, 0))
    assert not lab.problems


def test_two_replays_go_together_by_keyboard(lab, play, screenshot):
    record = """
class Learner:
    kind, inputs = "model", ("board",)
    def __init__(self, name, seed):
        self.name, self.seed = name, seed
    def act(self, view, state):
        return np.random.default_rng(self.seed).normal(size=(len(view.board), 49)) * 2.0, None
from cogkit.tiles.views import side_by_side
both = side_by_side(items, [Learner("one", 1), Learner("another", 2)], beside=beside)
left, right = (column.children[1] for column in both.children)
both"""
    page = play(SETUP, record)

    def at(*steps: int) -> None:
        page.wait_for_function(
            """steps => {
                const heads = [...document.querySelectorAll('.ck-head')].map(head => head.textContent);
                return heads.length == steps.length && heads.every((head, k) => head.includes(`Step ${steps[k]} of`));
            }""",
            arg=list(steps),
        )

    at(0, 0)
    sliders, ends = page.get_by_role("slider", name="Step"), lab.evaluate("[len(r.scenes) - 1 for r in (left, right)]")
    assert ends[0] != ends[1]
    sliders.nth(0).focus()
    page.keyboard.press("ArrowRight")
    at(1, 1)
    sliders.nth(1).focus()
    page.keyboard.press("ArrowRight")
    at(2, 2)
    longer = ends.index(max(ends))
    sliders.nth(longer).focus()
    page.keyboard.press("End")
    at(*ends)  # the shorter game stays at its end
    page.get_by_label("Board", exact=True).nth(1 - longer).select_option("1")
    at(0, 0)
    lab.wait_until("(left.board, right.board)", (1, 1))
    screenshot("side_by_side")
    first, second = (grid.bounding_box() for grid in page.get_by_role("grid").all())
    assert min(first["width"], second["width"]) > 7 * 44 and first["x"] + first["width"] < second["x"]
    assert lab.sideways() <= 0 and not lab.problems


def test_the_screenshots_folder_is_used(screenshot, lab, tmp_path):
    lab.page.set_content("<p>here</p>")
    path = screenshot("here")
    assert path.parent == Path(os.environ.get("COGKIT_SCREENSHOTS") or tmp_path) and path.stat().st_size > 500
