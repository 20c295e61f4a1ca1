"""A sitting on Bongard-LOGO as a reader meets it: JupyterLab, Chromium, keyboard alone, and a kernel that is killed."""

from __future__ import annotations

import os
import random
import shutil
import signal

import pytest

from cogkit.bongard.people.sitting import Sitting
from cogkit.bongard.people.study import study_of
from cogkit.study.trials import BEGIN, Trials

SETUP = """
from cogkit.study.trials import Trials
from cogkit.bongard.views.solve import Solve
"""
TASK = "task = Solve(each=2, seed=4, trials=Trials())\ntask"
# The page itself plays: it reads, chooses these sides, is fairly sure, and counts the answers that were taken.
PLAY = """(root, sides) => {
    const [primary, facts] = [root.querySelector(".ck-primary"), root.querySelector(".ck-facts")];
    window.answered = 0;
    let [last, asked] = ["", false];
    const go = () => {
        const choosing = primary.hidden, pressed = root.querySelector(".ck-side[aria-pressed='true']");
        const now = [facts.innerText, primary.textContent, choosing, choosing && Boolean(pressed)].join();
        if (now === last) return;
        last = now;
        if (asked && !(choosing && pressed)) [answered, asked] = [answered + 1, false];
        if (!choosing) primary.click();
        else if (!pressed) root.querySelectorAll(".ck-side")[sides[answered]].click();
        else { asked = true; root.querySelectorAll(".ck-level")[2].click(); }
    };
    new MutationObserver(() => queueMicrotask(go)).observe(root, {subtree: true, childList: true, attributes: true});
    go();
}"""
DOWN = """() => ["autorestarting", "restarting", "starting", "unknown", "dead"].includes(
    window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status)"""
FOCUS_WITHIN = "() => Boolean(document.activeElement.closest('.ck-solve'))"


@pytest.fixture
def play(lab, server, tmp_path, mirror):
    """A function that runs these cells in a new notebook, from an empty home unless told, and returns the page."""

    def open_and_run(*cells: str, fresh: bool = True):
        if fresh:
            shutil.rmtree(server.home, ignore_errors=True)
        lab.open_cells(tmp_path / "solve.ipynb", *cells)
        assert lab.run_all(), lab.errors()
        lab.page.wait_for_selector(".ck-solve .ck-facts strong")
        return lab.page

    return open_and_run


def widget(lab):
    return lab.page.locator(".ck-solve")


def head(lab, *words: str) -> None:
    """Wait until all of these stand in the line above."""
    script = "(words) => words.every((w) => document.querySelector('.ck-facts').innerText.includes(w))"
    lab.page.wait_for_function(script, arg=list(words), polling=10)


def said(lab, text: str) -> None:
    script = "(text) => document.querySelector('.ck-solve .ck-status').textContent.includes(text)"
    lab.page.wait_for_function(script, arg=text, polling=10)


def correct(lab) -> int:
    """The side of the picture asked about, as the kernel knows it."""
    return ("positive", "negative").index(lab.evaluate("task.correct"))


def arrow(side: int) -> str:
    return ("ArrowLeft", "ArrowRight")[side]


def to_top(lab) -> None:
    widget(lab).evaluate("(node) => node.scrollIntoView()")


def test_keyboard_alone_through_pages_and_problems(lab, server, play, screenshot):
    page = play(SETUP, TASK)
    cells = lab.cells()
    head(lab, "Free-form shapes", "Type 1 of 3", "Instructions")
    to_top(lab)
    screenshot("05_solve_page")
    lab.resize(1280, 1600)
    screenshot("05_solve_page_whole", widget(lab))
    lab.resize(1280)
    widget(lab).get_by_role("button", name="Pause").focus()
    for key in "bxdaz":  # orders to a notebook in command mode; nothing here
        page.keyboard.press(key)
    for alt in ("First group, picture 1 of 6", "First group, picture 1 of 6"):  # one stop an example
        page.keyboard.press("Tab")
        assert page.evaluate("() => document.activeElement.alt") == alt
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.textContent") == "Begin"
    page.keyboard.press("Enter")
    expected = []
    for number in (1, 2):
        for query in (0, 1):
            head(lab, f"Problem {number} of 2", f"Picture {query + 1} of 2")
            assert page.evaluate(FOCUS_WITHIN)  # Begin, or Next, has gone: the keys stay
            side = correct(lab) if (number, query) != (1, 1) else 1 - correct(lab)
            level = 1 + (number + 2 * query) % 4
            if (number, query) == (1, 0):
                page.keyboard.press(f"{level}")
                said(lab, "First choose a group")
                page.keyboard.press(arrow(1 - side))  # and changes their mind
                said(lab, ("First group", "Second group")[1 - side])
            page.keyboard.press(arrow(side))
            said(lab, ("First group", "Second group")[side])
            pressed = widget(lab).locator(".ck-side[aria-pressed='true']")
            assert pressed.count() == 1 and ("First", "Second")[side] in pressed.inner_text()
            if (number, query) == (1, 0):
                to_top(lab)
                screenshot("05_solve_problem")
            page.keyboard.press(f"{level}")
            expected.append((("positive", "negative")[side], (0.5, 0.7, 0.9, 1.0)[level - 1]))
        said(lab, ("One of the two was right", "Both right ✓")[number - 1])
        assert page.evaluate(FOCUS_WITHIN)
        if number == 1:
            to_top(lab)
            screenshot("05_solve_feedback")
            assert widget(lab).locator("figure.is-right").count() == widget(lab).locator("figure.is-wrong").count() == 1
        page.keyboard.press("Enter")
    head(lab, "Shapes by kind", "Type 2 of 3", "Instructions")
    to_top(lab)
    lab.resize(1280, 1600)
    screenshot("05_solve_page_basic", widget(lab))
    lab.resize(1280)
    page.keyboard.press("p")
    said(lab, "Paused")
    screenshot("05_solve_paused", widget(lab))
    assert widget(lab).locator("img:visible").count() == 0
    page.keyboard.press("Enter")  # from a pause on, and no further
    said(lab, "It goes on.")
    head(lab, "Shapes by kind", "Instructions")
    rows = Trials(server.home / "trials.sqlite").frame()
    assert rows["item"].iloc[0] == BEGIN and rows["item"].iloc[1] == "instructions/FF" and len(rows) == 6
    answers = rows.iloc[2:]
    assert list(zip(answers.response, [extra["confidence"] for extra in answers.extra], strict=True)) == expected
    assert answers.correct.tolist() == [1.0, 0.0, 1.0, 1.0]
    assert ((rows.rt_s[1:] > 0) & (rows.rt_s[1:] < 120)).all()
    assert lab.cells() == cells and lab.sideways() <= 0 and lab.problems == []


def test_roles_names_targets_and_larger_pictures(lab, play):
    page = play(SETUP, TASK)
    root = widget(lab)
    root.get_by_role("button", name="Begin").click()
    head(lab, "Picture 1 of 2")
    for name in ("First group", "Second group", "How sure are you?"):
        assert root.get_by_role("group", name=name, exact=True).count() == 1
    status = root.get_by_role("status")
    assert status.get_attribute("aria-live") == "polite"
    for button in root.get_by_role("button").all():
        size = button.bounding_box()
        assert size["height"] >= 32 and size["width"] >= 44
    images = root.get_by_role("img")
    assert images.count() == 13 and images.last.get_attribute("alt") == "Picture 1 of 2 that are asked about"
    assert all(image.bounding_box()["width"] >= 120 for image in images.all())
    level = root.get_by_role("button", name="3 fairly sure")
    assert level.get_attribute("aria-disabled") == "true"
    images.first.focus()
    for key, alt in [
        ("ArrowRight", "First group, picture 2 of 6"), ("End", "Second group, picture 6 of 6"),
        ("ArrowUp", "Second group, picture 3 of 6"), ("ArrowLeft", "Second group, picture 2 of 6"),
    ]:  # fmt: skip
        page.keyboard.press(key)
        assert page.evaluate("() => document.activeElement.alt") == alt
    page.wait_for_function("() => document.activeElement.getBoundingClientRect().width > 240")
    assert lab.evaluate("task.scene['chosen']") == -1  # arrows among pictures are no answer
    page.keyboard.press("s")
    said(lab, "Second group. How sure")
    assert level.get_attribute("aria-disabled") == "false"
    page.keyboard.press("3")
    head(lab, "Picture 2 of 2")
    assert "Picture 1 of 2" not in " ".join(image.get_attribute("alt") for image in root.locator("img:visible").all())
    assert lab.evaluate("task.trials().response.tolist()") == ["read", "negative"]
    assert lab.sideways() <= 0 and lab.problems == []


def test_sigkill_of_the_kernel_at_a_random_moment_loses_nothing(lab, server, play, monkeypatch):
    page = play(SETUP, "task = Solve(each=4, seed=9, trials=Trials())\ntask")
    sitting, pid = lab.evaluate("task.sitting.id"), lab.evaluate("__import__('os').getpid()")
    choice = random.SystemRandom()
    sides = [choice.randrange(2) for _ in range(24)]
    moment = choice.randrange(1, 20)
    story = f"killed after {moment} of {sides}"
    widget(lab).evaluate(PLAY, sides)
    page.wait_for_function("(moment) => window.answered >= moment", arg=moment, polling=5)
    os.kill(pid, signal.SIGKILL)  # the next answer is on its way, or stored, or just about to be told
    page.wait_for_function(DOWN, polling=20)
    said(lab, "Waiting for the kernel")
    count = page.evaluate("() => window.answered")
    store = Trials(server.home / "trials.sqlite")
    rows = store.frame(sitting=sitting)
    answers = rows[[extra.get("phase") == "answer" for extra in rows.extra]]
    assert count >= moment and len(answers) - count in (0, 1), story
    # A twin that answers the same from the same seed, in a notebook of the same name, has the same table.
    monkeypatch.setenv("JPY_SESSION_NAME", "solve.ipynb")
    twin = Sitting.begin(study_of(4), 9, Trials(server.home / "twin.sqlite"), rows.who[0])
    while twin.rows < len(rows):
        if twin.phase == "instructions":
            twin.next(1.0)
        elif twin.phase == "feedback":
            twin.next()
        else:
            twin.answer(("positive", "negative")[sides[len(twin.right)]], confidence=0.9)
    expected = twin.trials.frame()
    for column in set(rows) - {"sitting", "at", "rt_s"}:
        assert repr(rows[column].tolist()) == repr(expected[column].tolist()), (column, story)
    # A new page, a new kernel: the stored rows alone bring the sitting back.
    play(SETUP, "task = Solve(each=4, trials=Trials())\ntask", fresh=False)
    assert lab.evaluate("task.sitting.id") == sitting and lab.evaluate("task.sitting.right") == twin.right
    assert lab.evaluate("task.sitting.step") == twin.step
    head(lab, *twin.scene()["head"])
    said(lab, "It goes on where you stopped.")


def test_themes_pages_and_results(lab, play, screenshot):
    page = play(SETUP, TASK)
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.use_theme(theme)
        ratios = lab.contrast(".ck-solve")
        assert len(ratios) >= 8 and min(ratios.values()) >= 4.5, (theme, ratios)
    lab.evaluate("[task.read(), task.answer('positive', 0.9)]")
    head(lab, "Picture 2 of 2")
    lab.use_theme("JupyterLab Dark")
    widget(lab).locator("img").nth(1).focus()
    to_top(lab)
    screenshot("05_solve_larger_dark")
    lab.evaluate("task.answer('positive', 0.9)")
    page.wait_for_selector(".ck-solve figure.is-wrong")
    screenshot("05_solve_feedback_dark")
    lab.evaluate(
        "[task.next(), task.answer(task.correct, 1.0), task.answer(task.correct, 1.0), task.next(), task.read()]"
    )
    lab.evaluate("[task.answer(task.correct, 1.0) for _ in range(4)]")
    lab.evaluate("task.next()")
    head(lab, "Attributes", "Instructions")
    to_top(lab)
    lab.resize(1280, 1600)
    screenshot("05_solve_page_abstract_dark", widget(lab))
    lab.resize(1280)
    lab.evaluate("[task.read(), [task.answer(task.correct, 1.0) for _ in range(4)], task.next()]")
    head(lab, "All done")
    screenshot("05_solve_done_dark", widget(lab))


def test_a_large_picture_takes_no_click_from_a_button_under_it(lab, play):
    page = play(SETUP, TASK)
    lab.evaluate("task.read()")
    head(lab, "Picture 1 of 2")
    to_top(lab)
    button = widget(lab).get_by_role("button", name="Second group →", exact=True)
    picture = widget(lab).locator(".ck-ask .ck-zoom:visible")
    small = picture.bounding_box()
    picture.hover()
    page.wait_for_function(
        "(width) => document.querySelector('.ck-ask figure:not([hidden]) img').getBoundingClientRect().width > width",
        arg=1.9 * small["width"],
    )
    large, box = picture.locator("img").bounding_box(), button.bounding_box()
    x, y = large["x"] + large["width"] - 4, box["y"] + box["height"] / 2
    assert box["x"] < x < box["x"] + box["width"]  # the large picture lies over the button
    assert button.evaluate("(node, [x, y]) => document.elementFromPoint(x, y) === node", [x, y])
    page.mouse.click(x, y)
    assert lab.evaluate("task.scene['chosen']") == 1
