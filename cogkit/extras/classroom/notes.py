"""Teacher's notes: for each exercise of a notebook a solution, and the mistakes that students often make.

The file ``notes/NN_name.md`` holds the notes of one notebook: a heading for each exercise, a code block
``python solution``, and for each mistake a paragraph that says what the student thought, with a code block
``python mistake``. The check of the exercise refuses every mistake, and accepts the solution.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

_EXERCISE = re.compile(r"^## (\S+)\n\n```python solution\n(.*?)^```\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_MISTAKE = re.compile(r"^(\w[^\n]*)\n\n```python mistake\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Mistake(NamedTuple):
    """A wrong answer that students often give: what they thought, and their code."""

    why: str
    code: str


class Note(NamedTuple):
    """What a teacher wants to know of one exercise: the code of a solution, and common mistakes."""

    solution: str
    mistakes: tuple[Mistake, ...]


def read(notebook: str) -> dict[str, Note]:
    """Return the notes of a notebook such as ``01_play_tiles``, by exercise in its order; {} where there is no file.

    Examples
    --------
    >>> read("01_play_tiles")["01-corner"].solution
    'corner = 6 * 6\\n'
    """
    path = Path(__file__).with_name("notes") / f"{notebook}.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return {
        name: Note(solution, tuple(Mistake(why, code) for why, code in _MISTAKE.findall(rest)))
        for name, solution, rest in _EXERCISE.findall(text)
    }
