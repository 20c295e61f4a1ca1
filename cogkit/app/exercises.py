"""Feedback on the exercises of the notebooks: a sentence, never an exception.

The exercises of an instrument are in its module ``exercises``, as one mapping
``EXERCISES: dict[str, instruments.Exercise]`` from names such as ``"01-first-click"``; those of an extra are in its
`core.instruments.Extra`.

In a notebook every attempt is kept in `home`, so that a reader can hand it in; nothing is sent anywhere.
"""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from IPython import get_ipython

from cogkit.app import notebooks
from cogkit.core import registry
from cogkit.core.errors import InputError, one_line
from cogkit.core.instruments import Exercise
from cogkit.data import readers
from cogkit.data.home import home

MIME = "application/vnd.cogkit.verdict+json"
OPEN = "Not answered yet. Write your answer into the cell above, run that cell, and then run this one."
# Glyph, its words, and a ground on which white is read in both themes.
_LOOKS = {"right": ("✓", "right", "#00664d"), "wrong": ("✗", "not yet", "#a04000"), "open": ("…", "open", "#595959")}


_MOST = 20_000  # characters of an answer that is kept


@dataclass(frozen=True)
class Attempt:
    """One check of an answer: when, of which exercise, whether it passed, what was said.

    ``answer`` is the answer in JSON if it is made of numbers and texts alone, and else empty.
    """

    at: str
    exercise: str
    passed: bool
    said: str
    answer: str = ""


@dataclass(frozen=True)
class Verdict:
    """The result of `check`: whether the answer passed, a sentence for the reader, and a hint after a wrong answer."""

    name: str
    passed: bool
    message: str
    hint: str = ""

    @property
    def text(self) -> str:
        """All that is said, as plain text."""
        return self.message + (f" Hint: {self.hint}" if self.hint else "")

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        glyph, words, ground = _LOOKS["right" if self.passed else "open" if self.message == OPEN else "wrong"]
        badge = f"background:{ground};color:#fff;border-radius:4px;padding:1px 7px;margin-right:8px;font-weight:bold"
        hint = f"<details><summary>Show a hint</summary>{html.escape(self.hint)}</details>" if self.hint else ""
        return (
            f'<div role="status" style="border-left:4px solid {ground};padding:4px 12px">'
            f'<span role="img" aria-label="{words}" style="{badge}">{glyph}</span>'
            f"{html.escape(self.message)}{hint}</div>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, Any]:
        # The last form is for runs that inject the solutions: they read the verdict from it, not from the sentence.
        verdict = {"name": self.name, "passed": self.passed, "text": self.text}
        return {"text/plain": self.text, "text/html": self._repr_html_(), MIME: verdict}


def exercises() -> dict[str, Exercise]:
    """Return every exercise of every instrument, by name.

    Examples
    --------
    >>> all(isinstance(exercise, Exercise) for exercise in exercises().values())
    True
    """
    return {name: exercise for table in _tables() for name, exercise in table.items()}


def _tables() -> Iterator[Mapping[str, Exercise]]:
    """Yield the exercises of each instrument, the most used ones first, and of each extra; each is imported for it."""
    yield from (module.EXERCISES for _, module in registry.modules("exercises"))
    yield from (extra.exercises() for extra in registry.extras().values())


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


def untouched(name: str) -> bool:
    """Return whether the cell that ran before this one is the exercise as it stands in the notebook.

    An exercise may begin with a function that runs and is wrong: to check it is no attempt yet.
    """
    ran = getattr(get_ipython(), "user_ns", {}).get("In", [])
    return len(ran) > 1 and bool(ran[-2].strip()) and ran[-2].strip() == _stub(name)


def _stub(name: str) -> str:
    """Return the code of an exercise as the project's notebooks hold it."""
    number = name.partition("-")[0]
    for path in (path for path in notebooks.find() if path.stem.startswith(f"{number}_")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["metadata"].get("exercise") == name:
                return "".join(cell["source"]).strip()
    return ""


def check(name: str, answer: Any) -> Verdict:
    """Return the `Verdict` on an answer, as `judged` does; in a notebook, keep the attempt.

    As the last line of a notebook cell, the verdict shows its sentence. No hint comes before an attempt. ``...`` counts
    as not yet answered, and so does the exercise as it stands. Never raises.

    Examples
    --------
    >>> check("no-such-exercise", 1).passed
    False
    """
    verdict = judged(name, answer)
    if not verdict.passed and untouched(name):
        return Verdict(name, False, OPEN)
    if verdict.message != OPEN and get_ipython() is not None:
        with suppress(OSError, InputError):  # a disk that is full must not stop the notebook
            _keep(verdict, answer)
    return verdict


def judged(name: str, answer: Any) -> Verdict:
    """Return the `Verdict` on an answer: passed, and why it is right; or the problem, and a hint. Never raises.

    Examples
    --------
    >>> judged("01-corner", 35).message
    'Not yet: 35 is too few.'
    """
    # each instrument that is looked into is imported, which takes 10 to 100 MB
    exercise = next((table[name] for table in _tables() if name in table), None)
    if exercise is None:
        names = ", ".join(sorted(exercises())) or "none"
        return Verdict(name, False, f"There is no exercise {name!r}; there are: {names}.")
    if unanswered(answer):
        return Verdict(name, False, OPEN)
    try:
        result = exercise.check(answer)
        passed = not isinstance(result, str) and bool(result)
    except Exception as error:  # no answer may stop the notebook
        whose = "your answer" if callable(answer) else "the check"
        result, passed = f"{whose} ended with an error ({one_line(f'{type(error).__name__}: {error}')})", False
    if passed:
        return Verdict(name, True, " ".join(part for part in ("Correct.", exercise.why) if part))
    problem = result if isinstance(result, str) else "that is not it"
    return Verdict(name, False, f"Not yet: {problem}.", exercise.hint)


def attempts() -> list[Attempt]:
    """Return the attempts that were kept on this computer, oldest first; a line that cannot be read is left out."""
    path = home() / "attempts.jsonl"
    made = []
    for line in readers.text(path).splitlines() if path.exists() else ():
        with suppress(InputError):
            made.append(readers.parsed(line, Attempt))
    return made


def plain(answer: Any) -> str:
    """Return an answer in JSON, or "" if JSON cannot give back the same one.

    Examples
    --------
    >>> plain([36, "a"]), plain((1, 2)), plain(len)
    ('[36, "a"]', '', '')
    """
    answer = answer.item() if hasattr(answer, "item") and getattr(answer, "ndim", 1) == 0 else answer
    with suppress(TypeError, ValueError, RecursionError):
        text = json.dumps(answer, ensure_ascii=False, allow_nan=False)
        if len(text) <= _MOST and bool(json.loads(text) == answer):
            return text
    return ""


def _keep(verdict: Verdict, answer: Any) -> None:
    """Add an attempt to the file of all attempts, in one write, so that two notebooks can share it."""
    from cogkit.study.trials import now  # brings pandas, which many a notebook has by now

    attempt = Attempt(now(), verdict.name, verdict.passed, verdict.message[:_MOST], plain(answer))
    line = json.dumps(asdict(attempt), ensure_ascii=False) + "\n"
    with open(home() / "attempts.jsonl", "ab", 0, opener=partial(os.open, mode=0o600)) as target:
        target.write(line.encode())
