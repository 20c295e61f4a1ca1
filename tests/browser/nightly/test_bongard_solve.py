"""A sitting on Bongard-LOGO as a reader meets it: JupyterLab, Chromium, keyboard alone, and a kernel that is killed."""

from __future__ import annotations

import os
import random
import signal

import pytest
from scripts import script

from cogkit.bongard.people.sitting import Sitting
from cogkit.bongard.people.study import study_of
from cogkit.study.trials import BEGIN, Trials

SETUP = """
from cogkit.study.trials import Trials
from cogkit.bongard.views.solve import Solve
"""
TASK = "task = Solve(each=2, seed=4, trials=Trials())\ntask"
FOCUS_WITHIN = "() => Boolean(document.activeElement.closest('.ck-solve'))"
HEAD, STATUS = ".ck-solve .ck-facts", ".ck-solve .ck-status"
SIDES = ("positive", "negative")


@pytest.fixture
def page(lab, mirror):
    return lab.run_cells(SETUP, TASK)


def widget(lab):
    return lab.page.locator(".ck-solve")


def test_keyboard_alone_through_pages_and_problems(lab, server, page):
    cells = lab.cells()
    lab.says(HEAD, "Free-form shapes", "Type 1 of 3", "Instructions")
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
            lab.says(HEAD, f"Problem {number} of 2", f"Picture {query + 1} of 2")
            assert page.evaluate(FOCUS_WITHIN)  # Begin, or Next, has gone: the keys stay
            side = SIDES.index(lab.evaluate("task.correct")) ^ ((number, query) == (1, 1))
            arrows, groups = ("ArrowLeft", "ArrowRight"), ("First group", "Second group")
            level = 1 + (number + 2 * query) % 4
            if (number, query) == (1, 0):
                page.keyboard.press(f"{level}")
                lab.says(STATUS, "First choose a group")
                page.keyboard.press(arrows[1 - side])  # and changes their mind
                lab.says(STATUS, groups[1 - side])
            page.keyboard.press(arrows[side])
            lab.says(STATUS, groups[side])
            pressed = widget(lab).locator(".ck-side[aria-pressed='true']")
            assert pressed.count() == 1 and groups[side] in pressed.inner_text()
            page.keyboard.press(f"{level}")
            expected.append((SIDES[side], (0.5, 0.7, 0.9, 1.0)[level - 1]))
        lab.says(STATUS, ("One of the two was right", "Both right ✓")[number - 1])
        assert page.evaluate(FOCUS_WITHIN)
        if number == 1:
            assert widget(lab).locator("figure.is-right").count() == widget(lab).locator("figure.is-wrong").count() == 1
        page.keyboard.press("Enter")
    lab.says(HEAD, "Shapes by kind", "Type 2 of 3", "Instructions")
    page.keyboard.press("p")
    lab.says(STATUS, "Paused")
    assert widget(lab).locator("img:visible").count() == 0
    page.keyboard.press("Enter")  # from a pause on, and no further
    lab.says(STATUS, "It goes on.")
    lab.says(HEAD, "Shapes by kind", "Instructions")
    rows = Trials(server.home / "trials.sqlite").frame()
    assert rows["item"].iloc[0] == BEGIN and rows["item"].iloc[1] == "instructions/FF" and len(rows) == 6
    answers = rows.iloc[2:]
    assert list(zip(answers.response, [extra["confidence"] for extra in answers.extra], strict=True)) == expected
    assert answers.correct.tolist() == [1.0, 0.0, 1.0, 1.0]
    assert ((rows.rt_s[1:] > 0) & (rows.rt_s[1:] < 120)).all()
    assert lab.cells() == cells
    lab.is_well()


def test_roles_names_targets_contrast_and_larger_pictures(lab, page):
    root = widget(lab)
    root.get_by_role("button", name="Begin").click()
    lab.says(HEAD, "Picture 1 of 2")
    for name in ("First group", "Second group", "How sure are you?"):
        assert root.get_by_role("group", name=name, exact=True).count() == 1
    assert root.get_by_role("status").get_attribute("aria-live") == "polite"
    for button in root.get_by_role("button").all():
        size = button.bounding_box()
        assert size["height"] >= 32 and size["width"] >= 44
    images = root.get_by_role("img")
    assert images.count() == 13 and images.last.get_attribute("alt") == "Picture 1 of 2 that are asked about"
    assert all(image.bounding_box()["width"] >= 120 for image in images.all())
    level = root.get_by_role("button", name="3 fairly sure")
    assert level.get_attribute("aria-disabled") == "true"
    lab.is_readable(".ck-solve", 8)
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
    lab.says(STATUS, "Second group. How sure")
    assert level.get_attribute("aria-disabled") == "false"
    page.keyboard.press("3")
    lab.says(HEAD, "Picture 2 of 2")
    assert "Picture 1 of 2" not in " ".join(image.get_attribute("alt") for image in root.locator("img:visible").all())
    assert lab.evaluate("task.trials().response.tolist()") == ["read", "negative"]
    lab.is_well()


def test_a_large_picture_takes_no_click_from_a_button_under_it(lab, page):
    lab.evaluate("task.read()")
    lab.says(HEAD, "Picture 1 of 2")
    widget(lab).evaluate("(node) => node.scrollIntoView()")
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


def test_sigkill_of_the_kernel_at_a_random_moment_loses_nothing(lab, server, mirror, monkeypatch):
    page = lab.run_cells(SETUP, "task = Solve(each=4, seed=9, trials=Trials())\ntask")
    sitting, pid = lab.evaluate("task.sitting.id"), lab.evaluate("__import__('os').getpid()")
    choice = random.SystemRandom()
    sides = [choice.randrange(2) for _ in range(24)]
    moment = choice.randrange(1, 20)
    story = f"killed after {moment} of {sides}"
    widget(lab).evaluate(script("play_bongard"), sides)
    page.wait_for_function("(moment) => window.answered >= moment", arg=moment, polling=5)
    os.kill(pid, signal.SIGKILL)  # the next answer is on its way, or stored, or just about to be told
    lab.kernel_is_gone()
    lab.says(STATUS, "Waiting for the kernel")
    count = page.evaluate("() => window.answered")
    rows = Trials(server.home / "trials.sqlite").frame(sitting=sitting)
    answers = rows[[extra.get("phase") == "answer" for extra in rows.extra]]
    assert count >= moment and len(answers) - count in (0, 1), story
    # A twin that answers the same from the same seed, in a notebook of the same name, has the same table.
    monkeypatch.setenv("JPY_SESSION_NAME", "cells.ipynb")
    twin = Sitting.begin(study_of(4), 9, Trials(server.home / "twin.sqlite"), rows.who[0])
    while twin.rows < len(rows):
        if twin.phase == "instructions":
            twin.next(1.0)
        elif twin.phase == "feedback":
            twin.next()
        else:
            twin.answer(SIDES[sides[len(twin.right)]], confidence=0.9)
    expected = twin.trials.frame()
    for column in set(rows) - {"sitting", "at", "rt_s"}:
        assert repr(rows[column].tolist()) == repr(expected[column].tolist()), (column, story)
    # A new page, a new kernel: the stored rows alone bring the sitting back.
    lab.run_cells(SETUP, "task = Solve(each=4, trials=Trials())\ntask", fresh=False)
    assert lab.evaluate("task.sitting.id") == sitting and lab.evaluate("task.sitting.right") == twin.right
    assert lab.evaluate("task.sitting.step") == twin.step
    lab.says(HEAD, *twin.scene()["head"])
    lab.says(STATUS, "It goes on where you stopped.")
