"""A sitting on MEWL as a reader meets it: JupyterLab, Chromium, keyboard alone, dark and narrow."""

from __future__ import annotations

import shutil

import pytest

from cogkit.study.trials import BEGIN, Trials

SETUP = """
from cogkit.study.trials import Trials
from cogkit.mewl.views.learn import Learn
"""
WIDTH = 320  # pixels of a sharp picture; a coarse one has 80
SHARP = """() => [...document.querySelectorAll(".ck-learn .ck-picture")].every((image) => image.naturalWidth === 320)"""
FOCUSED = "() => document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
SEEN = """(node) => {
    const [box, area] = [node, node.closest(".jp-WindowedPanel-outer")].map((each) => each.getBoundingClientRect());
    return [box.top - area.top, area.bottom - box.bottom];
}"""


@pytest.fixture
def play(lab, server, tmp_path):
    """A function that runs these cells in a new notebook, from an empty home, and returns the page."""

    def open_and_run(*cells: str):
        shutil.rmtree(server.home, ignore_errors=True)
        lab.open_cells(tmp_path / "learn.ipynb", *cells)
        assert lab.run_all(), lab.errors()
        lab.page.wait_for_selector(".ck-learn .ck-facts strong")
        return lab.page

    return open_and_run


def widget(lab):
    return lab.page.locator(".ck-learn")


def head(lab, *words: str) -> None:
    """Wait until all of these stand in the line above."""
    script = "(words) => words.every((w) => document.querySelector('.ck-facts').innerText.includes(w))"
    lab.page.wait_for_function(script, arg=list(words), polling=10)


def said(lab, text: str) -> None:
    script = "(text) => document.querySelector('.ck-learn .ck-status').textContent.includes(text)"
    lab.page.wait_for_function(script, arg=text, polling=10)


def whole(lab, screenshot, name: str) -> None:
    """All of the widget is in view at once, its pictures sharp; keep its picture."""
    lab.page.wait_for_function(SHARP, polling=10)
    widget(lab).evaluate("(node) => node.scrollIntoView()")
    screenshot(name)
    above, below = widget(lab).evaluate(SEEN)
    assert above >= -1 and below >= -1, (above, below)


def test_keyboard_alone_from_the_tutorial_to_the_end(lab, server, play, screenshot):
    cell = "task = Learn('object', 4, Trials(), True, tests=2, attention=1, feedback=True)\ntask"
    page = play(SETUP, cell)
    cells = lab.cells()
    head(lab, "Words for things", "Tutorial, step 1 of 4")
    screenshot("07_learn_page")
    page.get_by_role("button", name="Next").focus()
    for key in "bxdaz1":  # orders to a notebook in command mode; nothing here
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    for step in (2, 3):
        head(lab, f"Tutorial, step {step} of 4")
        whole(lab, screenshot, f"07_learn_example_{step}")
        assert widget(lab).locator(".ck-solved .is-right").count() == 1
        page.keyboard.press("Enter")  # Next keeps the focus
    head(lab, "Tutorial, step 4 of 4")
    assert widget(lab).get_by_role("button", name="Next").count() == 0
    page.keyboard.press("Enter")  # on no name: it answers nothing
    right = lab.evaluate("task.correct")
    page.keyboard.press(str((right + 1) % 5 + 1))
    said(lab, "Not right ✗ Once more.")
    whole(lab, screenshot, "07_learn_check")
    page.keyboard.press("ArrowDown")
    for _ in range(right):
        page.keyboard.press("ArrowDown")
    assert page.evaluate(FOCUSED).startswith(f"{right + 1}: ")
    page.keyboard.press("Enter")
    expected = []
    for number in (1, 2, 3):
        head(lab, f"Item {number} of 3")
        option = (lab.evaluate("task.correct") + (number == 2)) % 5
        if number == 1:
            page.keyboard.press("e")
            said(lab, "First choose a name: 1 to 5.")
            page.keyboard.press(str((option + 2) % 5 + 1))  # and changes their mind
            said(lab, "How sure are you?")
        page.keyboard.press(str(option + 1))
        selector = f".ck-option[aria-pressed='true']:has-text('{option + 1}')"
        page.wait_for_selector(selector)
        whole(lab, screenshot, f"07_learn_item_{number}")
        page.keyboard.press("abcde"[number])
        expected.append((option, (0.4, 0.6, 0.8)[number - 1]))
        said(lab, "Not right ✗" if number == 2 else "Right ✓")
        whole(lab, screenshot, f"07_learn_feedback_{number}")
        page.keyboard.press("Enter")
    head(lab, "All done", "2 of 3 right so far")
    said(lab, "Your answers are stored.")
    screenshot("07_learn_done")
    rows = Trials(server.home / "trials.sqlite").frame()
    assert rows["item"].iloc[0] == BEGIN and len(rows) == 1 + 3 + 2 + 3
    assert [extra["phase"] for extra in rows.extra[1:]] == ["tutorial"] * 3 + ["check"] * 2 + ["answer"] * 3
    assert rows.correct.iloc[4:].tolist() == [0.0, 1.0, 1.0, 0.0, 1.0]
    answers = rows.iloc[6:]
    assert [(extra["choice"], extra["confidence"]) for extra in answers.extra] == expected
    assert sum(extra["attention"] for extra in answers.extra) == 1
    assert ((rows.rt_s[1:] > 0) & (rows.rt_s[1:] < 120)).all()
    assert lab.cells() == cells and lab.sideways() <= 0 and lab.problems == []


def test_themes_targets_texts_and_a_narrow_page(lab, play, screenshot):
    page = play(SETUP, "task = Learn('bootstrap', 4, Trials(), tests=2, attention=1)\ntask")
    root = widget(lab)
    lab.evaluate("task.next()")
    head(lab, "step 2 of 4")
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.use_theme(theme)
        ratios = lab.contrast(".ck-learn")
        assert len(ratios) >= 20 and min(ratios.values()) >= 4.5, (theme, ratios)
    lab.use_theme("JupyterLab Dark")
    whole(lab, screenshot, "07_learn_example_dark")
    lab.evaluate("[task.next(), task.next(), task.choose(task.correct)]")
    head(lab, "Item 1 of 3")
    lab.page.wait_for_function(SHARP, polling=10)
    root.get_by_role("button").nth(1).focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate(FOCUSED).startswith("3: ")
    screenshot("07_learn_item_dark")
    images = root.get_by_role("img")
    assert images.count() == 7 and images.last.get_attribute("alt") == "The picture that is asked about"
    names = lab.evaluate("[panel.utterance for panel in task.sitting.item.trial.panels]")
    alts = [image.get_attribute("alt") for image in images.all()[:6]]
    assert alts == [f"Picture {k}, called {name}" for k, name in enumerate(names, 1)]
    for button in root.get_by_role("button").all():
        size = button.bounding_box()
        assert size["height"] >= 44 and size["width"] >= 44
    assert root.get_by_role("status").get_attribute("aria-live") == "polite"
    lab.settle("() => window.jupyterapp.commands.execute('application:toggle-left-area')")
    lab.resize(600, 900)
    assert root.bounding_box()["width"] < 560 and lab.sideways() <= 0
    root.evaluate("(node) => node.scrollIntoView()")
    screenshot("07_learn_item_narrow_dark")
    lab.resize(1280)
    # A press on a name counts once, however often it comes.
    step, right = lab.evaluate("task.sitting.step"), lab.evaluate("task.correct")
    root.get_by_role("button").nth(right).dblclick()
    head(lab, "Item 2 of 3")
    assert lab.evaluate("task.sitting.step") != step and lab.evaluate("len(task.trials())") == 5
    assert lab.evaluate("task.sitting.right") == [True] and "right" not in root.locator(".ck-facts").inner_text()
    assert lab.problems == []
