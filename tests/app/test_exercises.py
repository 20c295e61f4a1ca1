"""What an exercise tells: nothing before an attempt, a hint after a wrong one, and why a right answer is right."""

from __future__ import annotations

from types import SimpleNamespace

import nbformat
import pytest
from galleries import HOSTILE, Tags
from IPython.core.interactiveshell import InteractiveShell

from cogkit.app import exercises, notebooks
from cogkit.app.exercises import OPEN, Verdict, check
from cogkit.core import registry
from cogkit.core.instruments import Exercise

TWICE = Exercise(lambda answer: answer(3) == 6 or "3 does not give 6", "add it to itself", "Twice is two times.")


@pytest.fixture
def twice(monkeypatch):
    """One exercise in place of all."""
    monkeypatch.setattr(registry, "modules", lambda name: [("a", SimpleNamespace(EXERCISES={"99-twice": TWICE}))])


def test_a_hint_is_told_after_a_wrong_answer_alone_and_why_after_a_right_one(twice):
    for answer in (..., [1, ...], {"a": ...}, (None, {"a": ...})):
        verdict = check("99-twice", answer)
        assert (verdict.text, verdict.hint, verdict.passed) == (OPEN, "", False)
        assert "Show a hint" not in verdict._repr_html_()
    verdict = check("99-twice", lambda number: number)
    assert verdict.text == "Not yet: 3 does not give 6. Hint: add it to itself"
    page = Tags(verdict._repr_html_())
    assert [attributes for tag, attributes in page.tags if tag == "details"] == [{}]  # closed
    assert page.all("div", "role") == ["status"] and "add it to itself" in page.text
    verdict = check("99-twice", lambda number: 2 * number)
    assert verdict.passed and verdict.text == "Correct. Twice is two times."


def test_an_error_in_an_answer_is_told_as_its_own(twice):
    assert check("99-twice", lambda number: 1 / 0).message == (
        "Not yet: your answer ended with an error (ZeroDivisionError: division by zero)."
    )
    assert "the check ended with an error (TypeError" in check("99-twice", 6).message


def test_an_exercise_as_it_stands_is_no_attempt_though_its_code_runs(monkeypatch):
    """The stub of 07-blind in the notebook of its number is code that runs."""
    (path,) = (path for path in notebooks.find() if path.stem.startswith("07_"))
    cells = nbformat.read(path, as_version=4).cells
    (code,) = (cell.source.strip() for cell in cells if cell.metadata.get("exercise") == "07-blind")
    shell = InteractiveShell.instance()
    try:
        monkeypatch.setattr(exercises, "get_ipython", lambda: shell)
        for more, is_open in (("\n", True), ("\nmore = 1", False)):
            shell.user_ns["In"] = ["", code + more, "exercises.check(…)"]
            assert (check("07-blind", lambda utterances, options: 0).text == OPEN) == is_open
    finally:
        InteractiveShell.clear_instance()


def test_what_an_answer_says_of_itself_stays_text():
    page = Tags(Verdict("x", False, f"Not yet: {HOSTILE}.", HOSTILE)._repr_html_())
    assert {tag for tag, _ in page.tags} == {"div", "span", "details", "summary"}
