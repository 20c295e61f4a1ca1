"""Matching to sample as a reader meets it: JupyterLab, Chromium, keyboard alone, and a kernel that is killed."""

from __future__ import annotations

import os
import random
import signal

from scripts import script

from cogkit.equivalence.people.study import CHOICES, study_of
from cogkit.study.sitting import Sitting
from cogkit.study.trials import BEGIN, Trials

SETUP = """
from cogkit.study.trials import Trials
from cogkit.equivalence.views import MatchingToSample
"""
TASK = "task = MatchingToSample(seed=3, trials=Trials(), repeats=1, each=1)\ntask"
WHOLE = "task = MatchingToSample(seed=3, trials=Trials())\ntask"  # blocks of 18, which no guesses master
# Which comparison is marked as right, and which as wrong.
SHOWN = """(root) => ({
    right: [...root.querySelectorAll(".ck-comparisons button")].findIndex((b) => b.matches(".is-right")),
    given: [...root.querySelectorAll(".ck-comparisons button")].findIndex((b) => b.matches(".is-wrong")),
})"""
FOCUS_WITHIN = "() => Boolean(document.activeElement.closest('.ck-matching'))"
HEAD, SAID, ASKED = ".ck-head", ".ck-said", ".ck-comparisons:not(:has(.is-right))"


def widget(lab):
    return lab.page.locator(".ck-matching")


def key(lab, right: bool = True) -> str:
    """Return the key of the right comparison, or of one that is not, as the kernel knows it."""
    correct = lab.evaluate("task.correct")
    return str((correct if right else (correct + 1) % 3) + 1)


def test_keyboard_alone_from_the_first_guess_to_the_last_trial(lab, server):
    page, cells = lab.run_cells(SETUP, TASK), lab.cells()
    widget(lab).get_by_role("button", name="1: ").focus()
    widget(lab).evaluate(script("watch_matching"))  # feedback to a right answer goes by itself: the page notes it
    responses = []

    def answer(right: bool) -> None:
        responses.append((key(lab, right), right))
        page.keyboard.press("bxdaz"[len(responses) % 5])  # orders to a notebook in command mode; nothing here
        page.keyboard.press(responses[-1][0])

    for number in range(1, 7):  # the first block, one answer wrong
        lab.says(HEAD, "Training, block 1", f"Trial {number} of 6")
        page.wait_for_selector(ASKED)
        answer(right=number != 2)
        if number == 2:
            lab.says(SAID, "Not that one ✗")
            state = widget(lab).evaluate(SHOWN)
            assert state["given"] == int(responses[-1][0]) - 1 != state["right"] >= 0
            assert widget(lab).locator(".is-wrong .ck-verdict").inner_text() == "✗"
            assert widget(lab).locator(".is-right .ck-verdict").inner_text() == "✓"
            page.keyboard.press("Enter")  # on the button in focus: goes on, and answers nothing
    lab.says(SAID, "5 of 6 right. 6 are needed: another block comes next.")
    page.keyboard.press("1")
    for number in range(1, 7):
        lab.says(HEAD, "Training, block 2", f"Trial {number} of 6")
        page.wait_for_selector(ASKED)
        answer(right=True)
    lab.says(SAID, "Mastered: the test comes next.")
    lines = page.evaluate("() => [...new Set(window.told)]")
    assert all(line.endswith(", the right one") for line in lines) and len(lines) > 6
    assert sum(line.startswith("Right ✓ ") for line in lines) == len(lines) - 1
    page.keyboard.press("Tab")  # leaves the comparisons in one press
    assert page.evaluate("() => document.activeElement.textContent") == "Next"
    page.keyboard.press("Space")
    for number in range(1, 28):
        lab.says(HEAD, "Test", f"Trial {number} of 27")
        assert widget(lab).locator(".ck-verdict, .is-right").count() == 0
        assert page.evaluate(FOCUS_WITHIN)  # Next has gone, the keys stay
        if number == 9:
            page.keyboard.press("Home")
            for _ in range(int(key(lab)) - 1):
                page.keyboard.press("ArrowRight")
            responses.append((key(lab), True))
            page.keyboard.press("Enter")
        else:
            answer(right=number % 4 != 0)
    page.get_by_text("All done").wait_for()
    assert page.evaluate(FOCUS_WITHIN)
    table = widget(lab).locator(".ck-aside table").inner_text()
    assert all(word in table for word in ("Trained pairs", "Reflexivity", "Symmetry", "Equivalence", "Guesses"))
    lab.takes_no_orders(cells, "abxdd1")
    rows = Trials(server.home / "trials.sqlite").frame()
    assert rows["item"].iloc[0] == BEGIN and rows["response"].tolist()[1:] == [f"O_{k}" for k, _ in responses]
    assert rows["correct"].tolist()[1:] == [float(right) for _, right in responses] and len(rows) == 1 + 12 + 27
    assert ((rows["rt_s"][1:] > 0) & (rows["rt_s"][1:] < 60)).all()
    lab.is_well()


def test_roles_names_targets_contrast_and_what_travels(lab):
    page = lab.run_cells(SETUP, TASK)
    root = widget(lab)
    names = lab.evaluate("[shape['name'] for shape in (task.scene['sample'], *task.scene['comparisons'])]")
    assert root.get_by_role("img", name=f"Sample: {names[0]}", exact=True).count() == 1
    bar = root.get_by_role("toolbar", name="Comparisons")
    for place, name in enumerate(names[1:], 1):
        assert bar.get_by_role("button", name=f"{place}: {name}", exact=True).count() == 1
    assert bar.locator("[tabindex='0']").count() == 1
    assert root.get_by_role("status").get_attribute("aria-live") == "polite"
    spoken = f"Sample {names[0]}. 1: {names[1]}, 2: {names[2]}, 3: {names[3]}."
    assert root.locator(".ck-spoken").text_content() == spoken
    for button in root.get_by_role("button").all():
        size = button.bounding_box()
        assert size["height"] >= 32 and size["width"] >= 44
    cards = [card.bounding_box() for card in root.locator(".ck-card").all()]
    assert min(min(card["width"], card["height"]) for card in cards) >= 120
    assert cards[0]["y"] + cards[0]["height"] < cards[1]["y"] and len({card["y"] for card in cards[1:]}) == 1
    text = lab.evaluate("str(task.scene)") + root.inner_html()
    assert not [token for token in lab.evaluate("list(task.plan.design.tokens)") if f"{token}'" in text]
    bar.locator("button").first.focus()
    place = int(key(lab)) - 1
    for step in ("End", "ArrowRight", "Home", "ArrowLeft", *["ArrowRight"] * place):
        page.keyboard.press(step)
    root.evaluate(script("watch_matching"))
    page.keyboard.press("Space")
    lab.says(HEAD, "Trial 2 of 6")  # by itself
    assert f"Right ✓ {place + 1}: {names[place + 1]}, the right one" in page.evaluate("() => window.told")
    wrong = bar.locator("button").nth(int(key(lab, right=False)) - 1)
    wrong.evaluate("(node) => { node.click(); node.click(); }")
    page.wait_for_selector(".is-right")
    assert wrong.get_attribute("aria-label").endswith(", not that one")
    assert lab.evaluate("len(task.trials())") == 2  # a double press is one answer
    lab.is_readable(".ck-matching", 8)
    root.get_by_role("button", name="Skip to the test").click()
    root.get_by_role("button", name="Press again to skip").click()
    lab.says(HEAD, "Test", "Trial 1 of 27")
    assert lab.evaluate("task.sitting.skipped") is True
    lab.is_well()


def test_sigkill_of_the_kernel_at_a_random_moment_loses_nothing(lab, server):
    page = lab.run_cells(SETUP, WHOLE)
    sitting, pid = lab.evaluate("task.sitting.id"), lab.evaluate("__import__('os').getpid()")
    choice = random.SystemRandom()
    places = [choice.randrange(3) for _ in range(200)]
    moment = choice.randrange(1, 30)
    story = f"killed after {moment} of {places[:30]}"
    widget(lab).evaluate(script("play_matching"), places)
    page.wait_for_function("(moment) => window.seen.length >= moment", arg=moment, polling=5)
    os.kill(pid, signal.SIGKILL)  # the next answer is on its way, or stored, or just about to be told
    lab.kernel_is_gone()
    lab.says(SAID, "Waiting for the kernel")
    answers = page.evaluate("() => window.seen")
    rows = Trials(server.home / "trials.sqlite").frame(sitting=sitting).iloc[1:]
    assert len(answers) >= moment and len(rows) - len(answers) in (0, 1), story
    # A twin that answers the same from the same seed has the same table.
    twin_store = Trials(server.home / "twin.sqlite")
    original = Sitting.resume(study_of(), sitting, Trials(server.home / "trials.sqlite"))
    twin, rights = Sitting.begin(original.study, original.seed, twin_store, original.who), []
    for place in places[: len(rows)]:
        rights.append(twin.answer(CHOICES[place]))
        if twin.pending:
            twin.next()
    assert [answer["right"] for answer in answers] == rights[: len(answers)], story
    assert [answer["place"] for answer in answers] == places[: len(answers)], story
    expected = twin_store.frame().iloc[1:]
    for column in set(rows) - {"sitting", "at", "rt_s"}:
        assert rows[column].tolist() == expected[column].tolist(), (column, story)
    # A new page, a new kernel: the stored trials alone bring the task back.
    lab.run_cells(SETUP, WHOLE, fresh=False)
    assert lab.evaluate("task.sitting.id") == sitting and lab.evaluate("task.sitting.attempts") == original.attempts
    lab.says(HEAD, f"Training, block {len(twin.attempts)}", f"Trial {twin.presentation.position + 1} of 18")
    lab.says(SAID, "It goes on where you stopped.")
    assert lab.evaluate("task.sitting.item.tokens.tolist()") == twin.item.tokens.tolist()
    widget(lab).get_by_role("button", name=f"{key(lab, right=False)}: ").click()
    lab.says(SAID, "Not that one ✗")
    assert len(Trials(server.home / "trials.sqlite").frame(sitting=sitting)) == len(rows) + 2
