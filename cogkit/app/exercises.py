"""Feedback on the exercises of the notebooks: a hint, never an exception.

The exercises of an instrument are in its module ``exercises``, as one mapping
``EXERCISES: dict[str, contracts.Exercise]`` from names such as ``"01-first-click"``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cogkit.app.experiments import rooms
from cogkit.core.contracts import Exercise

MIME = "application/vnd.cogkit.verdict+json"


@dataclass(frozen=True)
class Verdict:
    """The result of `check`: whether the answer passed, and a sentence for the reader."""

    name: str
    passed: bool
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, Any]:
        # The second form is for runs that inject the solutions: they read the verdict from it, not from the sentence.
        return {"text/plain": self.text, MIME: {"name": self.name, "passed": self.passed, "text": self.text}}


def exercises() -> dict[str, Exercise]:
    """Return every exercise of every instrument, by name.

    Examples
    --------
    >>> all(isinstance(exercise, Exercise) for exercise in exercises().values())
    True
    """
    return {name: exercise for room in rooms("exercises") for name, exercise in room.EXERCISES.items()}


def unanswered(answer: Any) -> bool:
    """Return whether an answer is still ``...``, as in the exercise, or contains ``...``.

    Examples
    --------
    >>> unanswered(...), unanswered([1, ...]), unanswered(0)
    (True, True, False)
    """
    if isinstance(answer, dict):
        answer = list(answer.values())
    return answer is ... or (isinstance(answer, list | tuple) and any(unanswered(part) for part in answer))


def check(name: str, answer: Any) -> Verdict:
    """Return the `Verdict` on an answer: passed, or the problem and a hint. Never raises.

    As the last line of a notebook cell, the verdict shows its sentence.

    Parameters
    ----------
    name : str
        The exercise, such as ``"01-first-click"``.
    answer : object
        The reader's answer; ``...`` counts as not yet answered.

    Examples
    --------
    >>> check("no-such-exercise", 1).passed
    False
    """
    available = exercises()
    if name not in available:
        names = ", ".join(sorted(available)) or "none"
        return Verdict(name, False, f"There is no exercise {name!r}; there are: {names}.")
    exercise = available[name]
    if unanswered(answer):
        return Verdict(name, False, f"Not answered yet. Hint: {exercise.hint}")
    try:
        result = exercise.check(answer)
        passed = not isinstance(result, str) and bool(result)
    except Exception as error:  # no answer may stop the notebook
        result, passed = f"the check could not read it ({type(error).__name__}: {error})", False
    if passed:
        return Verdict(name, True, "Correct.")
    problem = result if isinstance(result, str) else "that is not it"
    return Verdict(name, False, f"Not yet: {problem}. Hint: {exercise.hint}")
