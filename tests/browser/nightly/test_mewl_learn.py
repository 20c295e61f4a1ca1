"""A sitting on MEWL as a reader meets it: JupyterLab, Chromium, keyboard alone, dark and narrow, beside learners."""

from __future__ import annotations

from cogkit.mewl.people import study
from cogkit.study.trials import BEGIN, Trials

SETUP = """from cogkit import mewl
from cogkit.study.trials import Trials
from cogkit.mewl.views import Learn
"""
BESIDE = """
learners = [mewl.load("slot-transformer", "shape"), mewl.learner("ideal-learner"), mewl.learner("text-alone")]
beside = mewl.figures.Beside("shape", learners, Trials(), 4, tests=3)
beside"""
# A sharp picture has 320 pixels, a coarse one 80.
SHARP = """() => [...document.querySelectorAll(".ck-learn .ck-picture")].every((image) => image.naturalWidth === 320)"""
FOCUSED = "() => document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
SEEN = """(node) => {
    node.scrollIntoView();
    const [box, area] = [node, node.closest(".jp-WindowedPanel-outer")].map((each) => each.getBoundingClientRect());
    return [box.top - area.top, area.bottom - box.bottom];
}"""
HEAD, STATUS = ".ck-learn .ck-facts", ".ck-learn .ck-status"


def whole(lab) -> None:
    """Check that all of the widget is in view at once, its pictures sharp."""
    lab.page.wait_for_function(SHARP, polling=10)
    edges = lab.page.locator(".ck-learn").evaluate(SEEN)
    assert min(edges) >= -1, edges


def test_keyboard_alone_from_the_tutorial_to_the_end(lab, server):
    made = "task = Learn('object', 4, Trials(), tests=2, attention=1, feedback=True)\ntask"
    page, cells = lab.run_cells(SETUP, made), lab.cells()
    lab.says(HEAD, "Words for things", "Tutorial, step 1 of 4")
    page.get_by_role("button", name="Next").focus()
    for key in "bxdaz1":  # orders to a notebook in command mode; nothing here
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    for step in (2, 3):
        lab.says(HEAD, f"Tutorial, step {step} of 4")
        whole(lab)
        assert page.locator(".ck-learn .ck-solved .is-right").count() == 1
        page.keyboard.press("Enter")  # Next keeps the focus
    lab.says(HEAD, "Tutorial, step 4 of 4")
    assert page.locator(".ck-learn").get_by_role("button", name="Next").count() == 0
    page.keyboard.press("Enter")  # on no name: it answers nothing
    right = lab.evaluate("task.correct")
    page.keyboard.press(str((right + 1) % 5 + 1))
    lab.says(STATUS, "Not right ✗ Once more.")
    whole(lab)
    for _ in range(right + 1):
        page.keyboard.press("ArrowDown")
    assert page.evaluate(FOCUSED).startswith(f"{right + 1}: ")
    page.keyboard.press("Enter")
    expected = []
    for number in (1, 2, 3):
        lab.says(HEAD, f"Item {number} of 3")
        option = (lab.evaluate("task.correct") + (number == 2)) % 5
        page.keyboard.press(str(option + 1))
        expected.append(option)
        lab.says(HEAD, f"of {number} right so far")  # the status before said "Right" too
        lab.says(STATUS, "Not right ✗" if number == 2 else "Right ✓")
        whole(lab)
        page.keyboard.press("Enter")
    lab.says(HEAD, "All done", "2 of 3 right so far")
    lab.says(STATUS, "Your answers are stored.")
    rows = Trials(server.home / "trials.sqlite").frame()
    assert rows["item"].iloc[0] == BEGIN and len(rows) == 1 + 3 + 2 + 3
    assert [extra["phase"] for extra in rows.extra[1:]] == ["tutorial"] * 3 + ["check"] * 2 + ["answer"] * 3
    assert rows.correct.iloc[4:].tolist() == [0.0, 1.0, 1.0, 0.0, 1.0]
    answers = rows.iloc[6:]
    assert [extra["choice"] for extra in answers.extra] == expected
    assert sum(extra["attention"] for extra in answers.extra) == 1
    assert ((rows.rt_s[1:] > 0) & (rows.rt_s[1:] < 120)).all()
    assert lab.cells() == cells
    lab.is_well()


def test_whoever_fails_the_tutorial_begins_again_by_keyboard(lab, server):
    page = lab.run_cells(SETUP, "task = Learn('object', 4, Trials(), tests=2, attention=1)\ntask")
    again = page.locator(".ck-learn").get_by_role("button", name="Begin again")
    page.get_by_role("button", name="Next").focus()
    for step in (2, 3, 4):
        page.keyboard.press("Enter")
        lab.says(HEAD, f"Tutorial, step {step} of 4")
    assert again.count() == 0  # hidden
    for words in ("Not right ✗ Once more.", "Not right ✗ Your answers are kept."):
        page.keyboard.press(str((lab.evaluate("task.correct") + 1) % 5 + 1))
        lab.says(STATUS, words)
    lab.says(HEAD, "Tutorial, not passed")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "Begin again"
    page.keyboard.press("Enter")
    lab.says(HEAD, "Tutorial, step 1 of 4")
    assert again.count() == 0
    rows = Trials(server.home / "trials.sqlite").frame()
    assert rows["sitting"].nunique() == 2 and rows["extra"].iloc[-1]["after_practice"] is True
    page.get_by_role("button", name="Next").focus()
    page.keyboard.press("Enter")
    lab.says(HEAD, "Tutorial, step 2 of 4")
    lab.is_well()


def test_themes_targets_texts_and_a_narrow_page(lab):
    page = lab.run_cells(SETUP, "task = Learn('bootstrap', 4, Trials(), tests=2, attention=1)\ntask")
    root = page.locator(".ck-learn")
    lab.evaluate("task.next()")
    lab.says(HEAD, "step 2 of 4")
    lab.is_readable(".ck-learn", 20)
    lab.evaluate("[task.next(), task.next(), task.choose(task.correct)]")
    lab.says(HEAD, "Item 1 of 3")
    lab.page.wait_for_function(SHARP, polling=10)
    root.get_by_role("button").nth(1).focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate(FOCUSED).startswith("3: ")
    alts = [image.get_attribute("alt") for image in root.get_by_role("img").all()]
    names = lab.evaluate("[panel.utterance for panel in task.sitting.item.trial.panels]")
    pictures = [f"Picture {k}, called {name}" for k, name in enumerate(names, 1)]
    assert alts == [*pictures, "The picture that is asked about"]
    for button in root.get_by_role("button").all():
        size = button.bounding_box()
        assert size["height"] >= 44 and size["width"] >= 44
    assert root.get_by_role("status").get_attribute("aria-live") == "polite"
    lab.settle("() => window.jupyterapp.commands.execute('application:toggle-left-area')")
    lab.resize(600, 900)
    assert root.bounding_box()["width"] < 560 and lab.sideways() <= 0
    lab.resize(1280)
    # A press on a name counts once, however often it comes.
    step, right = lab.evaluate("task.sitting.step"), lab.evaluate("task.correct")
    root.get_by_role("button").nth(right).dblclick()
    lab.says(HEAD, "Item 2 of 3")
    assert lab.evaluate("task.sitting.step") != step and lab.evaluate("len(task.trials())") == 5
    assert lab.evaluate("task.sitting.right") == [True] and "right" not in root.locator(".ck-facts").inner_text()
    assert lab.problems == []


def test_the_learners_answer_after_the_reader_and_stand_in_the_table_at_the_end(lab, server):
    page = lab.run_cells(SETUP, BESIDE)
    widget = page.locator(".ck-learn")
    others = widget.locator(".ck-others")
    for number, is_right in enumerate((True, False, True), start=1):
        widget.locator(".ck-head", has_text=f"Item {number} of 3").wait_for()
        assert others.is_hidden()
        right = lab.evaluate("beside.correct")
        option = (right + (not is_right)) % 5
        widget.locator(".ck-option").nth(option).click()
        others.locator("table").wait_for()
        assert others.locator("thead th").all_inner_texts()[1:] == [
            "◆ slot transformer",
            "ideal observer",
            "text alone",
        ]
        names = others.locator("tbody th").all_inner_texts()
        assert [name.startswith("✓") for name in names] == [k == right for k in range(5)]
        assert [name.endswith("★ yours") for name in names] == [k == option for k in range(5)]
        assert others.locator("tbody tr").nth(right).locator("td").nth(1).inner_text() == "1.00"
        if number == 2:  # the cell is run again: the round goes on
            assert lab.run_all(), lab.errors()
            others.locator("table").wait_for()
            widget.locator(".ck-head", has_text="1 of 2 right so far").wait_for()
        widget.get_by_role("button", name="Next").click()
    others.locator("th", has_text="Right of 3").wait_for()
    assert others.locator("thead th").nth(1).inner_text() == "★ you"
    assert others.locator("tbody td").first.inner_text() == "2"
    rows = Trials(server.home / "trials.sqlite").frame()
    assert set(rows["source"]) == {study.BESIDE} and rows[rows["item"] != BEGIN].correct.tolist() == [1, 0, 1]
    lab.is_readable(".ck-others", 5)
    lab.is_well()
