"""One sitting of each instrument and one training, by mouse and by keyboard, in JupyterLab: what is done is stored.

Each is a notebook of its own with a kernel of its own; the page of JupyterLab is one for all of them, for loading it
takes longer than any of them.
"""

from __future__ import annotations

from cogkit.study.trials import BEGIN, Trials

BOARD = """import numpy as np
from cogkit.study.trials import Trials
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.views import TileBoard

corner, bar = np.zeros((2, 7, 7), int)
corner[1, 2:6] = 1
bar[3, 2:5] = 1
board = TileBoard(Items([corner, bar], [9, 24], "rectangle/abstract", "test"), trials=Trials())
board"""
MATCHING = """from cogkit.study.trials import Trials
from cogkit.equivalence.views import MatchingToSample

task = MatchingToSample(seed=3, trials=Trials(), repeats=1, each=1)
task"""
PROBLEM = """from cogkit.study.trials import Trials
from cogkit.bongard.views import Solve

task = Solve(each=2, seed=4, trials=Trials())
task"""
WORD = """from cogkit.study.trials import Trials
from cogkit.mewl.views import Learn

task = Learn("shape", 4, Trials(), tests=2, attention=1)
task"""
PANEL = """import torch
from cogkit.core.presets import changed
from cogkit.tiles.learners.agents import AgentConfig
from cogkit.tiles.learners.training import train
from cogkit.tiles.views import TrainPanel

torch.set_num_threads(1)
panel = TrainPanel(lambda: train(changed(AgentConfig("rectangle/abstract"), steps=100_000, batch=64), seed=0))
panel"""
OPEN = ":is(.is-red, .is-blue):not(.is-waiting)"


def stored(server):
    """Return the rows of the one sitting that is stored, after the one that says it began."""
    rows = Trials(server.home / "trials.sqlite").frame()
    assert rows["item"].iloc[0] == BEGIN and rows["sitting"].nunique() == 1
    assert rows["rt_s"][1:].between(0, 120).all()
    return rows.iloc[1:]


def test_a_board_is_begun_by_mouse_and_ended_by_keyboard_and_no_key_reaches_the_notebook(lab, server):
    page, cells = lab.run_cells(BOARD), lab.cells()

    def opened(number: int) -> None:
        page.wait_for_selector(f".ck-grid .ck-tile[data-tile='{number}']{OPEN}")

    for number in (10, 0):  # a red tile, a blue one
        page.locator(f".ck-grid .ck-tile[data-tile='{number}']").click()
        opened(number)
    lab.says(".ck-status", "Blue, minus one: row 1, column 1.")
    page.locator(".ck-grid .ck-tile[data-tile='10']").click()
    lab.says(".ck-status", "open already")
    for key in "bxddaz":  # orders to a notebook in command mode; nothing here
        page.keyboard.press(key)
    for number in (11, 12):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        opened(number)
    lab.says(".ck-status", "Board done with 1 blue. Go on to the next one.")
    page.keyboard.press("n")
    page.wait_for_selector(".ck-tile[data-tile='24'].is-start")
    for key, number in (("ArrowLeft", 23), ("End", 27), ("ArrowLeft", 26), ("ArrowLeft", 25)):
        page.keyboard.press(key)
        assert page.evaluate("() => Number(document.activeElement.dataset.tile)") == number
        if number in (23, 25):
            page.keyboard.press("Space")
            opened(number)
    lab.says(".ck-status", "That was the last board")
    rows = stored(server)
    assert rows["response"].tolist() == [10, 0, 11, 12, 23, 25] and rows["score"].tolist() == [1, -1, 1, 10, 1, 10]
    assert lab.evaluate("board.over") is True and lab.cells() == cells
    lab.is_well()


def test_a_trial_of_matching_is_answered_by_key_and_another_by_mouse(lab, server):
    page = lab.run_cells(MATCHING)
    comparisons = page.locator(".ck-matching .ck-comparisons button")
    comparisons.first.focus()
    right = lab.evaluate("task.correct")
    page.keyboard.press(str(right + 1))
    lab.says(".ck-head", "Trial 2 of 6")  # by itself
    wrong = (lab.evaluate("task.correct") + 1) % 3
    page.wait_for_selector(".ck-comparisons:not(:has(.is-right))")
    comparisons.nth(wrong).click()
    lab.says(".ck-said", "Not that one ✗")
    assert comparisons.nth(wrong).get_attribute("aria-label").endswith(", not that one")
    page.keyboard.press("Enter")
    lab.says(".ck-head", "Trial 3 of 6")
    rows = stored(server)
    assert rows["response"].tolist() == [f"O_{right + 1}", f"O_{wrong + 1}"] and rows["correct"].tolist() == [1, 0]
    lab.is_well()


def test_a_bongard_problem_is_solved_by_keyboard(lab, server, mirror):
    page = lab.run_cells(PROBLEM)
    lab.says(".ck-facts", "Free-form shapes", "Instructions")
    lab.press("Begin")
    sides = []
    for query in (0, 1):
        lab.says(".ck-facts", f"Picture {query + 1} of 2")
        sides.append(lab.evaluate("task.correct"))
        page.keyboard.press("ArrowLeft" if sides[-1] == "positive" else "ArrowRight")
        page.wait_for_selector(".ck-side[aria-pressed='true']")
        page.keyboard.press("3")
    lab.says(".ck-solve .ck-status", "Both right ✓")
    rows = stored(server)
    assert rows["response"].tolist() == ["read", *sides] and rows["correct"].tolist()[1:] == [1, 1]
    assert [extra["confidence"] for extra in rows["extra"][1:]] == [0.9, 0.9]
    lab.is_well()


def test_a_word_is_learnt_by_mouse_and_by_key(lab, server):
    page = lab.run_cells(WORD)
    for step in (1, 2, 3):
        lab.says(".ck-learn .ck-facts", f"Tutorial, step {step} of 4")
        page.get_by_role("button", name="Next").click()
    lab.says(".ck-learn .ck-facts", "Tutorial, step 4 of 4")
    page.locator(".ck-learn .ck-option").nth(lab.evaluate("task.correct")).click()
    lab.says(".ck-learn .ck-facts", "Item 1 of 3")
    page.locator(".ck-learn .ck-option").first.focus()
    page.keyboard.press(str((lab.evaluate("task.correct") + 1) % 5 + 1))
    lab.says(".ck-learn .ck-facts", "Item 2 of 3")
    rows = stored(server)
    assert [extra["phase"] for extra in rows["extra"]] == [*["tutorial"] * 3, "check", "answer"]
    assert rows["correct"].tolist()[3:] == [1, 0]
    lab.is_well()


def test_an_agent_is_trained_stopped_and_trained_on_by_keyboard(lab):
    page = lab.run_cells(PANEL)
    lab.press("Start")
    page.wait_for_function("() => document.querySelector('.ck-series-0')?.getAttribute('d').split('L').length > 5")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.textContent") == "Stop"
    page.keyboard.press("Enter")
    lab.says(".ck-said", "the model is kept")
    stopped, steps = lab.evaluate("(panel.result.stopped, panel.result.steps)")
    assert stopped and 0 < steps < 100_000 and f"step {steps:,} of" in page.locator(".ck-said").inner_text()
    lab.press("Go on")
    page.wait_for_function("(step) => document.querySelector('.cogkit-run progress').value > step", arg=steps)
    lab.press("Stop")
    lab.says(".ck-said", "the model is kept")
    assert lab.evaluate("panel.result.steps") > steps
    lab.is_well()
