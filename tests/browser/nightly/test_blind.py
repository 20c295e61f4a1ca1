"""The blind trial as a reader meets it: JupyterLab, Chromium, keyboard alone."""

from __future__ import annotations

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
def page(lab):
    return lab.run_cells(SETUP, TRIAL)


def at(lab, board: int) -> None:
    """Wait until this board is drawn, and see that it is the kernel's."""
    lab.says(".ck-blind .ck-head strong", f"Board {board} of")
    classes = lab.page.eval_on_selector_all(".ck-blind .ck-tile", "tiles => tiles.map(t => t.className)")
    assert ["is-red" in names.split() for names in classes] == lab.evaluate("(trial.board.ravel() == 1).tolist()")


def test_keyboard_alone_answers_and_the_score_comes_at_the_end(lab, server, page):
    cells, truth = lab.cells(), lab.evaluate("[kind for _, kind in trial.sitting.items]")
    page.get_by_role("button", name="Abstract").focus()
    answers = ["abstract", "metamer", "metamer", "abstract", "metamer", "abstract"]
    status = page.locator(".ck-blind").get_by_role("status")
    for number, answer in enumerate(answers, 1):
        at(lab, number)
        assert "come after the last board" in page.locator(".ck-aside").inner_text()
        assert page.locator(".ck-review").is_hidden()
        page.keyboard.press("bxdr"[number % 4])  # orders to a notebook in command mode; nothing here
        page.keyboard.press(answer[0].upper() if number % 2 else answer[0])
        if number < len(answers):
            status.get_by_text(f"Stored: {answer}.").wait_for()
    page.get_by_text("All 6 boards answered").wait_for()
    right = sum(one == other for one, other in zip(answers, truth, strict=True))
    assert status.inner_text().startswith(f"{right} of 6 right; 95 % interval ")
    table = page.locator(".ck-aside table").inner_text()
    for words in ("You", "Counts reds, pairs and triples", "Checks the rule", "Ideal observer", "Guesses"):
        assert words in table
    assert page.evaluate("() => document.activeElement.textContent") == "Abstract"  # the focus stayed
    review = page.locator(".ck-review li")
    assert review.locator("strong").all_inner_texts() == [
        f"✓ {kind}" if kind == response else f"✗ {kind}, you said {response}"
        for kind, response in zip(truth, answers, strict=True)
    ]
    ringed = [len(card["ringed"]) for card in lab.evaluate("trial.scene['review']['boards']")]
    assert [card.locator(".is-ringed").count() for card in review.all()] == ringed and sum(ringed) > 0
    page.keyboard.press("a")  # nothing is left to answer
    page.keyboard.press("Enter")
    rows = Trials(server.home / "trials.sqlite").frame()
    names = lab.evaluate("[met.name for met in trial.sitting.met]")
    assert rows["item"].tolist() == [BEGIN, *names] and len({*names}) == 6
    assert rows["response"].tolist()[1:] == answers and (rows["rt_s"][1:] > 0).all()
    assert rows["correct"].tolist()[1:] == [float(a == b) for a, b in zip(answers, truth, strict=True)]
    assert lab.cells() == cells
    lab.is_well()


def test_a_double_press_is_one_answer_and_a_second_run_goes_on(lab, server, page):
    at(lab, 1)
    page.get_by_role("button", name="Metamer").evaluate("(node) => { node.click(); node.click(); }")
    at(lab, 2)
    assert lab.evaluate("trial.to_frame().said.tolist()") == ["metamer"]
    assert lab.run_from("BlindTrial("), lab.errors()
    page.get_by_text("It goes on where you stopped.").wait_for()
    at(lab, 2)
    assert Trials(server.home / "trials.sqlite").frame()["sitting"].nunique() == 1
    assert lab.problems == []


def test_the_truth_does_not_travel_before_the_end(lab, page):
    at(lab, 1)
    state = lab.evaluate("str({k: v for k, v in trial.get_state().items() if k not in ('_esm', '_css')})")
    assert "Was" not in state and "'was'" not in state and "correct" not in state and "right" not in state
    grid = page.get_by_role("grid", name="Board to judge, 7 rows and 7 columns")
    assert grid.get_attribute("aria-readonly") == "true" and grid.locator("[tabindex='0']").count() == 1
    grid.locator("[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("m")
    at(lab, 2)
    assert page.evaluate("() => document.activeElement.dataset.tile") == "1"
    lab.is_readable(".ck-blind", 6)
    assert lab.problems == []
