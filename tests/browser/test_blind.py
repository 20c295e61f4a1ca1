"""The blind trial as a reader meets it: JupyterLab, Chromium, keyboard alone."""

from __future__ import annotations

import shutil

import pytest

from cogkit.study.trials import BEGIN, Trials

SETUP = """
from cogkit.study.trials import Trials
from cogkit.tiles.people import blind
from cogkit.tiles.views import BlindTrial

trials = Trials()
floors = blind.floors(["zigzag"], n=200)
"""
TRIAL = "trial = BlindTrial('zigzag', n=6, seed=3, trials=trials, floors=floors)\ntrial"


@pytest.fixture
def play(lab, server, tmp_path):
    """A function that runs these cells in a new notebook, from an empty home, and returns the page."""

    def open_and_run(*cells: str):
        shutil.rmtree(server.home, ignore_errors=True)
        lab.open_cells(tmp_path / "blind.ipynb", *cells)
        assert lab.run_all(), lab.errors()
        lab.page.wait_for_selector(".ck-blind")
        return lab.page

    return open_and_run


def at(page, board: int) -> None:
    """Wait until this board is drawn."""
    page.wait_for_function(
        "(n) => document.querySelector('.ck-head strong').textContent.startsWith(`Board ${n} of`)", arg=board
    )


def shown(page) -> str:
    """The board as it is drawn, one sign a tile."""
    classes = page.eval_on_selector_all(".ck-blind .ck-tile", "tiles => tiles.map(t => t.className)")
    return "".join("1" if "is-red" in names.split() else "0" for names in classes)


def of_kernel(lab) -> str:
    return lab.evaluate("''.join(map(str, trial.board.ravel()))")


def test_keyboard_alone_answers_and_the_score_comes_at_the_end(lab, server, play, screenshot):
    page = play(SETUP, TRIAL)
    cells, truth = lab.cells(), lab.evaluate("[kind for _, kind in trial.sitting.items]")
    page.get_by_role("button", name="Abstract").focus()
    answers = ["abstract", "metamer", "metamer", "abstract", "metamer", "abstract"]
    status = page.locator(".ck-blind").get_by_role("status")
    for number, answer in enumerate(answers, 1):
        at(page, number)
        assert shown(page) == of_kernel(lab)
        assert "come after the last board" in page.locator(".ck-aside").inner_text()
        assert page.locator(".ck-review").is_hidden()
        page.keyboard.press("bxdr"[number % 4])  # orders to a notebook in command mode; nothing here
        page.keyboard.press(answer[0].upper() if number % 2 else answer[0])
        if number < len(answers):
            status.get_by_text(f"Stored: {answer}.").wait_for()
        if number == 1:
            screenshot("02_blind_board", page.locator(".ck-blind"))
    page.get_by_text("All 6 boards answered").wait_for()
    right = sum(one == other for one, other in zip(answers, truth, strict=True))
    assert status.inner_text().startswith(f"{right} of 6 right; 95 % interval ")
    table = page.locator(".ck-aside table").inner_text()
    for words in ("You", "Counts reds, pairs and triples", "Checks the rule", "Ideal observer", "Guesses"):
        assert words in table
    assert page.evaluate("() => document.activeElement.textContent") == "Abstract"  # the focus stayed
    screenshot("02_blind_over", page.locator(".ck-blind"))
    review = page.locator(".ck-review li")
    assert review.locator("strong").all_inner_texts() == [
        f"✓ {kind}" if kind == said else f"✗ {kind}, you said {said}" for kind, said in zip(truth, answers, strict=True)
    ]
    ringed = [len(card["ringed"]) for card in lab.evaluate("trial.scene['review']['boards']")]
    assert [card.locator(".is-ringed").count() for card in review.all()] == ringed and sum(ringed) > 0
    screenshot("02_blind_review", page.locator(".ck-review"))
    page.keyboard.press("a")  # nothing is left to answer
    page.keyboard.press("Enter")
    rows = Trials(server.home / "trials.sqlite").frame()
    assert rows["item"].tolist() == [BEGIN, *(f"zigzag/blind/{n:02d}" for n in range(6))]
    assert rows["response"].tolist()[1:] == answers and (rows["rt_s"][1:] > 0).all()
    assert rows["correct"].tolist()[1:] == [float(a == b) for a, b in zip(answers, truth, strict=True)]
    assert lab.cells() == cells and lab.sideways() <= 0 and lab.problems == []


def test_buttons_answer_and_a_second_run_goes_on(lab, server, play):
    page = play(SETUP, TRIAL)
    for number, name in enumerate(("Metamer", "Abstract"), 1):
        at(page, number)
        assert page.get_by_role("button", name=name).bounding_box()["height"] >= 44
        page.get_by_role("button", name=name).click()
    at(page, 3)
    board = shown(page)
    page.get_by_role("button", name="Metamer").evaluate("(node) => { node.click(); node.click(); }")
    at(page, 4)  # a double press is one answer
    assert lab.evaluate("trial.to_frame().said.tolist()") == ["metamer", "abstract", "metamer"]
    assert lab.run_from("BlindTrial("), lab.errors()
    page.get_by_text("It goes on where you stopped.").wait_for()
    at(page, 4)
    assert shown(page) == of_kernel(lab) != board
    assert Trials(server.home / "trials.sqlite").frame()["sitting"].nunique() == 1
    assert lab.problems == []


def test_the_truth_does_not_travel_before_the_end(lab, play):
    page = play(SETUP, TRIAL)
    at(page, 1)
    state = lab.evaluate("str({k: v for k, v in trial.get_state().items() if k not in ('_esm', '_css')})")
    assert "Was" not in state and "'was'" not in state and "correct" not in state and "right" not in state
    grid = page.get_by_role("grid", name="Board to judge, 7 rows and 7 columns")
    assert grid.get_attribute("aria-readonly") == "true" and grid.locator("[tabindex='0']").count() == 1
    grid.locator("[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.dataset.tile") == "1"
    page.keyboard.press("m")
    at(page, 2)
    assert page.evaluate("() => document.activeElement.dataset.tile") == "1"
    assert lab.problems == []


def test_dark_theme(lab, play, screenshot):
    page = play(SETUP, TRIAL)
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.use_theme(theme)
        ratios = lab.contrast(".ck-blind")
        assert len(ratios) >= 6 and min(ratios.values()) >= 4.5, (theme, ratios)
        screenshot(f"02_blind_{theme.split()[1].lower()}", page.locator(".ck-blind"))
    assert lab.problems == []
