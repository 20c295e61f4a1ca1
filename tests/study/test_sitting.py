"""The phase machine: drawn from its seed, stored as it goes, the same after a kill at any row."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.core.identity import content_hash, item_set
from cogkit.core.seeding import stream
from cogkit.core.study import Page, Practice, Presentation, Study
from cogkit.study.sitting import Sitting, in_phase, shuffled
from cogkit.study.trials import BEGIN, Trials, pseudonym

CONDITIONS = ("odd", "even", "prime")
ITEMS = {"odd": [1, 3, 5, 7, 9], "even": [2, 4, 6, 8, 10], "prime": [2, 3, 5, 7, 11]}
CHECK = 4  # the index of the item that is an attention check


def doubled(presentation: Presentation, response: int) -> dict:
    """Each item is asked about twice: its double is right."""
    if not isinstance(response, int):
        raise InputError(repr(response), "a whole number")
    right = int(response == 2 * presentation.item)
    return {
        "response": response, "correct": right, "score": float(right),
        "done": presentation.phase == "practice" or len(presentation.responses) == 1,
        "extra": {"number": presentation.item, "query": len(presentation.responses)},
    }  # fmt: skip


def study(**changes) -> Study:
    """Pages before practice and before the third item, practice of three, five items, one of them a check."""
    pages = [Page(f"page {k}", f"Page {k}", ("Read this.",), before=before) for k, before in enumerate((0, 0, 2))]
    practice = Practice(lambda condition, seed, attempt: [20 + attempt, 30, 40], needed=2, tries=3, skip=True)
    more = {"instructions": lambda condition: pages, "practice": practice, "checks": (CHECK,)}
    more |= {"feedback": ("practice", "items"), "confidence": (0.5, 1.0), "phases": {"items": "answer"}}
    return plain(**more | changes)


def plain(**changes) -> Study:
    """The items alone."""
    fields = {
        "assign": lambda seed: CONDITIONS[stream(seed, "numbers/condition").integers(3)],
        "items": lambda condition, seed: ITEMS[condition],
        "row": doubled,
        "order": shuffled("numbers"),
        "prompt": "What is its double?",
    }
    return Study("numbers", **fields | changes)


@pytest.fixture
def trials(tmp_path) -> Trials:
    return Trials(tmp_path / "trials.sqlite")


def begin(trials, seed=0, of=study, **changes) -> Sitting:
    return Sitting.begin(of(**changes), seed, trials, who="p-1")


def act(sitting: Sitting, k: int) -> None:
    """Do what can be done; the first attempt at practice fails, and every third answer to an item is wrong."""
    if sitting.phase in ("instructions", "feedback"):
        sitting.next(rt_s=30.0)
        return
    question = sitting.presentation
    wrong = question.attempt == 0 if question.phase == "practice" else k % 3 == 0
    sitting.answer(2 * question.item + wrong, rt_s=1.5, confidence=0.75)


def state(sitting: Sitting) -> tuple:
    """All that a front end can ask of a sitting."""
    question = None if sitting.finished else sitting.presentation
    item = question and question.item
    return sitting.phase, sitting.stage, sitting.step, sitting.page, sitting.feedback, question, item


def sat(sitting: Sitting) -> list[str]:
    """Sit to the end, and return every phase."""
    phases = []
    while not sitting.finished or sitting.pending:
        phases.append(sitting.phase)
        act(sitting, len(phases) - 1)
    return phases


# Drawn


def test_the_seed_draws_condition_and_order(trials):
    first, again, second = begin(trials), begin(trials), begin(trials, seed=1)
    assert (first.condition, first.order) == (again.condition, again.order) != (second.condition, second.order)
    assert first.id != again.id and sorted(first.order) == [0, 1, 2, 3, 4]


# Phases


def test_instructions_practice_items_with_a_check_and_the_end(trials):
    sitting = begin(trials)
    phases = sat(sitting)
    practice, item = ["practice", "feedback"], ["answer", "answer", "feedback"]
    assert phases == ["instructions"] * 2 + practice * 6 + item * 2 + ["instructions"] + item * 3
    assert sitting.phase == "done" and sitting.attempts == [[False] * 3, [True] * 3]
    assert sitting.passed and not sitting.failed and not sitting.skipped and len(sitting.right) == 10
    with pytest.raises(InputError, match="finished"):
        _ = sitting.presentation
    for refused in (sitting.next, lambda: sitting.answer(1), sitting.skip):
        with pytest.raises(InputError, match="its phase done"):
            refused()


def test_practice_is_mastered_failed_or_left(trials):
    mastered, failed, left = (begin(trials, instructions=None, feedback=()) for _ in range(3))
    for right in (True, False, True):
        mastered.answer(2 * mastered.item + (not right))
    assert mastered.passed and mastered.attempts == [[True, False, True]] and mastered.stage == "items"
    for _ in range(9):
        failed.answer(0)
    assert failed.failed and failed.finished and [len(attempt) for attempt in failed.attempts] == [3, 3, 3]
    left.answer(0)
    left.skip()
    assert left.skipped and left.stage == "items" and left.item == left.items[left.order[0]]
    with pytest.raises(InputError, match="nothing to skip"):
        left.skip()
    for sitting in (mastered, failed, left):
        assert Sitting.resume(sitting.study, sitting.id, trials) == sitting
    skipped = trials.frame(sitting=left.id).iloc[-1]
    assert (skipped["item"], skipped.response, skipped.extra["block"]) == ("skip", "answer", 0)
    assert left.answers().response.tolist() == [0]
    with pytest.raises(InputError, match="nothing to skip"):
        begin(trials, instructions=None, practice=replace(study().practice, skip=False)).skip()


def test_what_is_not_in_view_cannot_be_done(trials):
    sitting = begin(trials)
    with pytest.raises(InputError, match="its phase instructions"):
        sitting.answer(1)
    act(sitting, 0), act(sitting, 0)
    with pytest.raises(InputError, match="a page or feedback in view, got a sitting in its phase practice"):
        sitting.next()
    with pytest.raises(InputError, match="a whole number"):
        sitting.answer("four")
    with pytest.raises(InputError, match=r"0.5 \(a guess\) to 1"):
        sitting.answer(40, confidence=0.4)
    assert len(sitting.answers()) == 2
    sitting.answer(40)
    with pytest.raises(InputError, match="its phase feedback"):
        sitting.answer(60)


# Stored


def test_rows_of_a_sitting_from_beginning_to_end(trials):
    sitting = begin(trials)
    sat(sitting)
    frame = trials.frame(sitting=sitting.id)
    assert frame.order.tolist() == list(range(1 + 3 + 6 + 10))
    assert frame.loc[0, ["item", "response", "task"]].tolist() == [BEGIN, sitting.condition, sitting.condition]
    hashed = content_hash(list(ITEMS[sitting.condition]))
    assert frame.loc[0, "extra"] == {"schema": 2, "order": list(sitting.order), "items": hashed}
    expected = {"who": "p-1", "kind": "person", "instrument": "numbers", "seed": 0, "profile": "verified"}
    expected |= {"preset": "lab", "source": "sitting", "task": sitting.condition}
    assert all(set(frame[name]) == {value} for name, value in expected.items())
    phases = [extra.get("phase") for extra in frame.extra]
    items = ["answer"] * 4 + ["instructions"] + ["answer"] * 6
    assert phases == [None, *["instructions"] * 2, *["practice"] * 6, *items]
    pages = in_phase(frame, "numbers", "instructions")
    assert pages["item"].tolist() == ["page 0", "page 1", "page 2"] and set(pages.response) == {"read"}
    assert pages.rt_s.tolist() == [30.0] * 3 and pages.correct.isna().all()
    answers = in_phase(frame, "numbers", "answer")
    twice = [index for index in sitting.order for _ in range(2)]
    assert answers["item"].tolist() == [f"{sitting.condition}/{content_hash(sitting.items[index])}" for index in twice]
    assert [extra["done"] for extra in answers.extra] == [False, True] * 5
    assert [extra["position"] for extra in answers.extra] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert [extra.get("attention", False) for extra in answers.extra] == [index == CHECK for index in twice]
    assert {extra["confidence"] for extra in answers.extra} == {0.75} and set(answers.rt_s) == {1.5}
    assert (answers.correct == 1).tolist() == sitting.right
    summary = [sitting.condition, len(frame) - 1 - 3, frame.score.sum()]  # pages are no answers
    assert trials.sittings().loc[0, ["condition", "answers", "score"]].tolist() == summary


def test_a_study_says_more_of_itself_in_its_rows(trials):
    more = {"profile": "as_published", "source": "own", "plan": {"n": 5}, "extra": {"design": "small"}}
    sitting = begin(trials, of=plain, **more)
    sitting.answer(1, overlay="chances")
    frame = trials.frame()
    assert set(frame.profile) == {"as_published"} and set(frame.source) == {"own"}
    items = content_hash(list(ITEMS[sitting.condition]))
    begun = {"schema": 2, "order": list(sitting.order), "items": items, "design": "small", "plan": {"n": 5}}
    assert frame.extra[0] == begun
    assert frame.extra[1]["design"] == "small" and frame.extra[1]["overlay"] == "chances"


def test_a_row_may_name_its_task_and_item(trials):
    fields = lambda item, response: {"task": "numbers", "item": "seven", "response": response, "correct": 1}  # noqa: E731
    begin(trials, of=plain, row=fields).answer(1)
    assert trials.frame().loc[1, ["task", "item"]].tolist() == ["numbers", "seven"]
    with pytest.raises(InputError, match="unknown colour"):
        begin(trials, of=plain, row=lambda item, response: fields(item, response) | {"colour": "red"}).answer(1)
    with pytest.raises(InputError, match="wanted a finite number"):
        begin(trials, of=plain, row=lambda item, response: fields(item, response) | {"score": "high"}).answer(1)


def test_an_answer_that_cannot_be_stored_is_not_counted(trials):
    first = begin(trials, of=plain)
    second = Sitting.resume(first.study, first.id, trials)  # the same sitting in another window
    first.answer(1)
    before = state(second)
    with pytest.raises(InputError, match="another window"):
        second.answer(2)
    assert state(second) == before and trials.frame()["response"].tolist() == [first.condition, 1]


# Kills and coming back


def test_it_goes_on_from_its_rows_alone_at_every_point(trials):
    sitting, k, rows = begin(trials, seed=2), 0, []
    while not sitting.finished or sitting.pending:
        again = Sitting.resume(study(), sitting.id, Trials(trials.path))
        if sitting.rows not in rows:  # going on from feedback leaves no row: it is in view again after a kill
            rows.append(sitting.rows)
            assert again == sitting and state(again) == state(sitting) and again.items == sitting.items
            sitting = again
        act(sitting, k)
        k += 1
    assert rows == list(range(1, 1 + 3 + 6 + 10 + 1)) and Sitting.resume(study(), sitting.id, trials).finished


PROGRAM = """
import sys
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials
from test_sitting import plain
sitting = Sitting.begin(plain(items=lambda condition, seed: list(range(10**5))), 5, Trials(sys.argv[1]), who="p-1")
print(sitting.id, sitting.condition, flush=True)
while True:
    sitting.answer(sitting.item)
    print(sitting.rows, flush=True)
"""


def test_killed_at_a_random_moment_it_goes_on_from_the_database_alone(trials):
    acknowledged = int(np.random.default_rng().integers(1, 80))
    command = [sys.executable, "-c", PROGRAM, str(trials.path)]
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": path}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        name, condition = process.stdout.readline().split()
        printed = [process.stdout.readline() for _ in range(acknowledged)]
        process.kill()
        printed += process.stdout.read().splitlines()
    assert process.returncode == -signal.SIGKILL
    big = plain(items=lambda condition, seed: list(range(10**5)))
    sitting = Sitting.resume(big, name, trials)
    rows = trials.frame(sitting=name)
    answers = rows[rows["item"] != BEGIN]
    assert len(printed) <= len(answers) <= len(printed) + 1
    assert answers["response"].tolist() == [sitting.order[k // 2] for k in range(len(answers))]
    assert (sitting.position, sitting.condition) == (len(answers) // 2, condition)
    assert sitting.order == Sitting.begin(big, 5, trials, who="p-1").order
    sitting.answer(sitting.item)
    assert len(sitting.answers()) == len(answers) + 1


def test_without_an_order_items_come_as_they_are_also_from_rows_that_name_none(trials):
    sitting = begin(trials, of=plain, order=None)
    row = trials.frame().iloc[0].to_dict() | {"sitting": "old", "extra": {}}
    trials.add(row | dict.fromkeys(("correct", "score", "rt_s")))
    assert Sitting.resume(sitting.study, "old", trials).order == sitting.order == (0, 1, 2, 3, 4)


def test_what_cannot_be_resumed_is_one_sentence(trials):
    sitting = begin(trials, of=plain)
    sitting.answer(2)
    few, other = plain(items=lambda name, seed: ITEMS[name][:3]), plain(items=lambda name, seed: range(5))
    cases = (
        ("nobody", plain(), "wanted a sitting that began in .*trials.sqlite, got 'nobody'"),
        (sitting.id, replace(plain(), instrument="letters"), "a sitting that began in"),
        (sitting.id, few, f"3 items of {sitting.condition}, and the order"),
        (sitting.id, other, "wanted results on the same items, got items .{8} and .{8}: begin a new"),
        (sitting.id, study(), "the study has changed"),  # it has pages now
    )
    for name, changed, message in cases:
        with pytest.raises(InputError, match=message):
            Sitting.resume(changed, name, trials)
    assert len(trials.frame()) == 2


# A reader's own sitting


def test_the_reader_is_the_person_and_the_home_the_place(home):
    sitting = Sitting.begin(plain(), 3)
    assert Trials(home / "trials.sqlite").frame().who[0] == pseudonym() == sitting.who
    assert Sitting.resume(plain(), sitting.id) == sitting
    assert len({Sitting.begin(plain()).seed for _ in range(6)}) == 6  # without a seed people are assigned at random


def test_open_goes_on_with_what_is_not_finished_and_else_begins_with_the_next_free_seed(trials):
    first = Sitting.open(plain(), trials, 3, "p-1")
    assert first.seed == 3 and Sitting.open(plain(), trials, 8, "p-1") == first
    assert Sitting.open(plain(), trials, 3, "p-2").id != first.id
    assert Sitting.open(plain(source="elsewhere"), trials, 3, "p-1").id != first.id
    while not first.finished:
        first.answer(1)
    second = Sitting.open(plain(), trials, 3, "p-1")
    assert second.id != first.id and second.seed == 4
    changed = plain(items=lambda condition, seed: [0], order=None)  # what was begun cannot be had any more
    assert Sitting.open(changed, trials, 3, "p-1").id not in (first.id, second.id)


def test_open_asks_the_study_which_beginnings_are_its_own(trials):
    def only(n: int) -> Study:
        def of(row: dict) -> Study | None:
            return only(n) if len(row["extra"]["order"]) == n else None

        return plain(items=lambda condition, seed: list(range(n)), of=of)

    two, three = (Sitting.open(only(n), trials, 0, "p-1") for n in (2, 3))
    assert two.id != three.id and two.seed == three.seed == 0
    assert Sitting.open(only(2), trials, 0, "p-1") == two and Sitting.open(only(3), trials, 0, "p-1") == three


def test_a_sitting_of_version_1_0_goes_on_as_it_began(trials, monkeypatch):
    """Its items are numbered, and the hash of the set says how it was made."""
    problems = ModuleType("cogkit.numbers.problems")
    problems.GENERATOR = 1
    monkeypatch.setitem(sys.modules, problems.__name__, problems)
    sitting = begin(trials, of=plain)
    sitting.answer(1)
    rows = trials.frame().astype(object).where(trials.frame().notna(), None).to_dict("records")
    made = item_set("numbers", 1, sitting.study.profile, sitting.seed, len(sitting.items))
    for name, hashed in (("old", made), ("older", None), ("other", "2-00000000")):
        extra = {"schema": 1, "order": list(sitting.order)} | ({"items": hashed} if hashed else {})
        trials.add(rows[0] | {"sitting": name, "extra": extra})
        trials.add(rows[1] | {"sitting": name, "item": f"{sitting.condition}/{sitting.order[0]:02d}"})
    with pytest.raises(InputError, match="wanted results on the same items"):
        Sitting.resume(sitting.study, "other", trials)
    for name in ("old", "older"):
        again = Sitting.resume(sitting.study, name, trials)
        assert again.responses == (1,) and again.presentation.name == f"{sitting.condition}/{sitting.order[0]:02d}"
        again.answer(1)
        assert Sitting.resume(sitting.study, name, trials).position == 1
