"""What an exercise tells: nothing before an attempt, a hint after a wrong one, and why a right answer is right."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from galleries import HOSTILE, Tags
from IPython.core.interactiveshell import InteractiveShell

from cogkit.app import exercises
from cogkit.app.exercises import OPEN, Verdict, check
from cogkit.core.contracts import Exercise
from cogkit.study.exercises import misfit

TWICE = Exercise(lambda answer: answer(3) == 6 or "3 does not give 6", "add it to itself", "Twice is two times.")


@pytest.fixture
def twice(monkeypatch):
    """One exercise in place of all."""
    monkeypatch.setattr(exercises, "rooms", lambda name: [SimpleNamespace(EXERCISES={"99-twice": TWICE})])


@pytest.mark.parametrize("answer", [..., [1, ...], {"a": ...}, (None, {"a": ...})])
def test_what_is_not_answered_gets_no_hint(twice, answer):
    verdict = check("99-twice", answer)
    assert (verdict.text, verdict.hint, verdict.passed) == (
        OPEN,
        "",
        False,
    ) and "Show a hint" not in verdict._repr_html_()


def test_a_wrong_answer_gets_its_problem_and_a_hint_on_demand(twice):
    verdict = check("99-twice", lambda number: number)
    assert verdict.text == "Not yet: 3 does not give 6. Hint: add it to itself"
    page = Tags(verdict._repr_html_())
    assert [attributes for tag, attributes in page.tags if tag == "details"] == [{}]  # closed
    assert page.all("div", "role") == ["status"] and "add it to itself" in page.text


def test_a_right_answer_says_why(twice):
    verdict = check("99-twice", lambda number: 2 * number)
    assert verdict.passed and verdict.text == "Correct. Twice is two times."


def test_an_error_in_an_answer_is_told_as_its_own(twice):
    assert check("99-twice", lambda number: 1 / 0).said == (
        "Not yet: your answer ended with an error (ZeroDivisionError: division by zero)."
    )
    assert "the check ended with an error (TypeError" in check("99-twice", 6).said


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda number: 0, ""), (lambda number, more=1: 0, ""), (lambda *numbers: 0, ""), (print, ""), (int, ""),
        (lambda: 0, "the answer must be a function twice(number), and yours takes ()"),
        (lambda number, more: 0, "the answer must be a function twice(number), and yours takes (number, more)"),
        (6, "the answer must be a function twice(number), not an int"),
        ("6", "the answer must be a function twice(number), not a str"),
    ],
)  # fmt: skip
def test_a_wrong_signature_is_told_as_such(answer, said):
    assert misfit(answer, "twice(number)") == said


def test_an_exercise_as_it_stands_is_no_attempt_though_its_code_runs(twice, monkeypatch):
    stub = "def twice(number):\n    return 0"
    monkeypatch.setattr(exercises, "_stub", lambda name: stub)
    shell = InteractiveShell.instance()
    try:
        monkeypatch.setattr(exercises, "get_ipython", lambda: shell)
        shell.user_ns["In"] = ["", stub + "\n", "exercises.check(…)"]
        assert check("99-twice", lambda number: 0).said == OPEN
        shell.user_ns["In"] = ["", stub.replace("0", "number"), "exercises.check(…)"]
        assert check("99-twice", lambda number: number).hint == TWICE.hint
    finally:
        InteractiveShell.clear_instance()


def test_a_stub_is_found_in_the_notebook_of_its_number():
    assert exercises._stub("07-blind") == "def choose(utterances, options):\n    return 0"
    assert exercises._stub("01-corner") == "corner = ..." and exercises._stub("90-seven") == ""


def test_feedback_is_told_apart_by_glyph_words_and_ground(twice):
    answers = (..., lambda number: 0, lambda number: 2 * number)
    pages = [Tags(check("99-twice", answer)._repr_html_()) for answer in answers]
    badges = [
        (attributes["aria-label"], attributes["style"].split(";")[0])
        for page in pages for tag, attributes in page.tags if tag == "span"
    ]  # fmt: skip
    assert [words for words, _ in badges] == ["open", "not yet", "right"] and len({ground for _, ground in badges}) == 3
    assert len({page.text[0] for page in pages}) == 3


def test_what_an_answer_says_of_itself_stays_text():
    page = Tags(Verdict("x", False, f"Not yet: {HOSTILE}.", HOSTILE)._repr_html_())
    assert {tag for tag, _ in page.tags} == {"div", "span", "details", "summary"}


def test_every_exercise_has_a_hint_and_says_why_and_the_two_differ():
    for name, exercise in exercises.exercises().items():
        assert exercise.hint.endswith(("?", ".")) and exercise.why.endswith("."), name
        assert exercise.hint != exercise.why
