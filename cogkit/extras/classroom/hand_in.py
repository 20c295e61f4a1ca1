"""What a student hands in: one file with the answers to the exercises, the attempts, and the trials.

The file has one JSON object a line: a heading, then exercises, attempts and trials, and an end that tells whether the
file is whole. Nobody's name is in it unless they typed it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
import pandas as pd

import cogkit
from cogkit.app import exercises, gallery, notebooks, own_data
from cogkit.app.exercises import Attempt
from cogkit.core.errors import Finding, InputError
from cogkit.data import readers
from cogkit.data.files import write_whole
from cogkit.study.trials import Trials, now, plain, pseudonym

VERSION = 1
ENDING = ".jsonl"
ABOUT = "class.json"
"""The file in a folder of the lesson that says which class it is for."""
_LINES = 500_000  # of a file: a lesson of ninety minutes makes some thousands
_TEXT = 20_000  # characters of an answer
_NAME = 200  # characters of a name
_WANTED = "a file that cogkit class hand-in wrote"


@dataclass(frozen=True)
class About:
    """The class that a pack is for; it is stored in the pack, and in everything that is handed in.

    Attributes
    ----------
    id : str
        Tells one class from another.
    title : str
    notebooks : tuple of str
        Such as ``01_play_tiles``, in the order of the lesson.
    preset : str
    seed : int
        Of all items, the same for all students.
    minutes : int
    cogkit : str
        The version that packed it.
    """

    id: str
    title: str
    notebooks: tuple[str, ...]
    preset: str = "quick"
    seed: int = 0
    minutes: int = 90
    cogkit: str = ""


@dataclass(frozen=True)
class Exercise:
    """How one exercise stands in a student's notebook: ``right``, ``wrong`` or ``open``, and the code of the answer."""

    exercise: str
    state: Literal["right", "wrong", "open"]
    code: str = ""


@dataclass(frozen=True)
class HandIn:
    """All that one student hands in.

    Attributes
    ----------
    about : About
    student : str
        The pseudonym, which all trials have as ``who``.
    name : str
        As the student typed it, or empty.
    at : str
        When the file was written.
    cogkit : str
        The version that wrote it.
    exercises : tuple of Exercise
        One for each exercise of the class.
    attempts : tuple of Attempt
    trials : tuple of dict
        Trial rows.
    """

    about: About
    student: str
    name: str
    at: str
    cogkit: str
    exercises: tuple[Exercise, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    trials: tuple[dict[str, Any], ...] = ()


class _Heading(msgspec.Struct):
    """The first line; later versions may add fields."""

    version: int
    about: About
    student: str
    name: str = ""
    at: str = ""
    cogkit: str = ""


class _End(msgspec.Struct):
    lines: int
    sha256: str


def about_of(folder: Path | str) -> About:
    """Return the class that a folder of notebooks is for; `InputError` if it is for none."""
    folder = Path(folder)
    if not (folder / ABOUT).is_file():
        fix = "give the folder of the lesson with --notebooks"
        raise InputError(f"{folder} without {ABOUT}", "a folder that cogkit class pack wrote", fix)
    return readers.json(folder / ABOUT, About, "the description of a class")


def of_folder(folder: Path | str, name: str = "", trials: Trials | None = None) -> HandIn:
    """Return what the reader hands in: the notebooks in a folder, the attempts, and the trials of these notebooks.

    Parameters
    ----------
    folder : path
        As ``cogkit class pack`` wrote it for students.
    name : str
        The reader's name, if they want it in the file.
    trials : Trials, optional
        The reader's own by default.

    Raises
    ------
    InputError
        The folder is for no class, or one of its notebooks is missing or cannot be read.
    """
    folder, about = Path(folder), about_of(folder)
    states = [state for stem in about.notebooks for state in _states(folder / f"{stem}.ipynb")]
    names = {state.exercise for state in states}
    made = [attempt for attempt in exercises.attempts() if attempt.exercise in names]
    if len(name) > _NAME:
        raise InputError(f"a name of {len(name):,} characters", f"at most {_NAME}")
    rows = _of_notebooks((trials or Trials()).frame(kind="person", who=pseudonym()), about.notebooks)
    heading = {"student": pseudonym(), "name": name.strip(), "at": now(), "cogkit": cogkit.__version__}
    return HandIn(about, **heading, exercises=tuple(states), attempts=tuple(made), trials=tuple(rows))


def _states(path: Path) -> Iterator[Exercise]:
    """Yield how each exercise of a notebook stands, as its saved outputs say."""
    cells = readers.json(path, dict[str, Any], "a notebook of the lesson").get("cells", [])
    stubs = {stub["metadata"]["exercise"]: source_of(stub) for stub in _ours(path.stem)}
    verdicts: dict[str, bool] = {}
    answers: dict[str, str] = {}
    with _told(path):
        for cell in cells:
            if exercise := cell["metadata"].get("exercise"):
                answers[str(exercise)] = source_of(cell)[:_TEXT]
            for output in cell.get("outputs", ()):
                if verdict := output.get("data", {}).get(exercises.MIME):
                    verdicts[str(verdict["name"])] = bool(verdict["passed"])
    for exercise, stub in stubs.items():
        code = answers.get(exercise, "")
        is_open = exercise not in verdicts or code.strip() in ("", stub.strip())
        yield Exercise(exercise, "open" if is_open else "right" if verdicts[exercise] else "wrong", code)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Tell every error as an `InputError`: a notebook may have any shape."""
    try:
        yield
    except (AttributeError, KeyError, TypeError) as error:
        raise InputError(f"{path} ({type(error).__name__}: {error})", "a notebook of the lesson") from None


def _ours(stem: str) -> list[dict]:
    """Return the cells of the exercises of the project's own notebook."""
    (path,) = notebooks.find([stem])
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if "exercise" in cell["metadata"]]


def source_of(cell: Mapping[str, Any]) -> str:
    """Return the text of a notebook's cell, which is stored as one text or as lines."""
    return "".join(cell["source"])


def _of_notebooks(rows: pd.DataFrame, names: tuple[str, ...]) -> list[dict]:
    """Return the rows of the sittings that were begun in one of these notebooks, as values that JSON can hold."""
    cards, records = gallery.cards(), []
    for _, sitting in rows.groupby("sitting", sort=False):
        if own_data.notebook_of(sitting, cards) in names:
            records += sitting.to_dict("records")
    return list(map(plain, records))


def write(handed: HandIn, path: Path) -> Path:
    """Write a hand-in and return its path; an older file there is replaced."""
    heading = {name: getattr(handed, name) for name in ("student", "name", "at", "cogkit")}
    lines: list[dict] = [{"hand-in": {"version": VERSION, "about": dataclasses.asdict(handed.about), **heading}}]
    lines += [{"exercise": dataclasses.asdict(exercise)} for exercise in handed.exercises]
    lines += [{"attempt": dataclasses.asdict(attempt)} for attempt in handed.attempts]
    lines += [{"trial": row} for row in handed.trials]
    body = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)
    end = {"end": {"lines": len(lines), "sha256": hashlib.sha256(body.encode()).hexdigest()}}
    write_whole(path, (body + json.dumps(end) + "\n").encode(), alone=True)
    return path


def read(path: Path) -> HandIn | list[Finding]:
    """Return a hand-in, or every fault of its file with the number of its line; nothing in it is run.

    A file from an older version is read: what it does not say has its default.
    """
    try:
        text = readers.text(path, wanted=_WANTED)
    except InputError as error:
        return [Finding(str(path), "file", str(error))]
    lines = text.split("\n")
    if len(lines) > _LINES:
        return [Finding(str(path), "file", f"it has {len(lines):,} lines, and a hand-in has at most {_LINES:,}")]
    if faults := list(_end(path, text, lines)):
        return faults
    parts: dict[str, list] = {name: [] for name in _PARTS}
    for number, line in enumerate(lines[:-2], start=1):
        try:
            name, part = _part(line, number)
        except InputError as error:
            faults.append(Finding(str(path), f"line {number}", str(error)))
        else:
            parts[name].append(part)
    if faults:
        return faults
    (heading,) = parts["hand-in"]
    handed = HandIn(
        heading.about, heading.student, heading.name, heading.at, heading.cogkit,
        tuple(parts["exercise"]), tuple(parts["attempt"]), tuple(parts["trial"]),
    )  # fmt: skip
    return list(_foreign_trials(path, handed, lines)) or handed


def _end(path: Path, text: str, lines: list[str]) -> Iterator[Finding]:
    """Yield why a file is not whole, or is none of ours."""
    try:
        first = readers.parsed(lines[0], dict[str, Any], "line 1", _WANTED)
    except InputError as error:
        yield Finding(str(path), "line 1", str(error))
        return
    if "hand-in" not in first:
        yield Finding(str(path), "line 1", f"wanted {_WANTED}, got something else")
        return
    version = first["hand-in"].get("version") if isinstance(first["hand-in"], dict) else None
    if isinstance(version, int) and version > VERSION:
        yield Finding(str(path), "line 1", f"it has the form {version} of a newer cogkit: update cogkit")
        return
    body = "\n".join(lines[:-2]) + "\n"
    try:
        end = readers.parsed(lines[-2] if len(lines) > 2 else "", dict[str, _End])["end"]
    except (InputError, KeyError):
        yield Finding(str(path), f"line {len(lines)}", "the file ends too early: ask the student for it again")
        return
    if end.lines != len(lines) - 2 or end.sha256 != hashlib.sha256(body.encode()).hexdigest():
        yield Finding(str(path), "file", "it was changed after it was written: ask the student for it again")


def _part(line: str, number: int) -> tuple[str, Any]:
    """Return the name of a line's part, and the part."""
    fields = readers.parsed(line, dict[str, Any], "this line", "one JSON object with one part")
    name = next(iter(fields), "")
    if len(fields) != 1 or name not in _PARTS or (name == "hand-in") != (number == 1):
        raise InputError(f"a line of {name[:40]!r}", "one heading, then exercises, attempts and trials")
    return name, _PARTS[name](fields[name])


def _converted(kind: type) -> Callable[[Any], Any]:
    """Return a function that makes a value of this type; fields that it does not know are left out."""

    def convert(value: Any) -> Any:
        try:
            part = msgspec.convert(value, kind)
        except (msgspec.ValidationError, ValueError, RecursionError) as error:
            raise InputError(str(error), f"the fields of {kind.__name__.strip('_')}") from None
        for text in (getattr(part, field, "") for field in ("code", "said", "answer", "name", "student")):
            if len(text) > _TEXT:
                raise InputError(f"a text of {len(text):,} characters", f"at most {_TEXT:,}")
        return part

    return convert


def _trial(value: Any) -> dict[str, Any]:
    """Return a trial row after a check of its columns."""
    row = _converted(dict[str, Any])(value)
    Trials.values(row)
    if row["kind"] != "person":
        raise InputError(f"a trial of kind {str(row['kind'])[:40]!r}", "a trial of a person")
    return row


_PARTS: dict[str, Callable[[Any], Any]] = {
    "hand-in": _converted(_Heading), "exercise": _converted(Exercise), "attempt": _converted(Attempt), "trial": _trial,
}  # fmt: skip


def _foreign_trials(path: Path, handed: HandIn, lines: list[str]) -> Iterator[Finding]:
    """Yield each trial that is of somebody else."""
    first = 2 + len(handed.exercises) + len(handed.attempts)
    for number, row in enumerate(handed.trials, start=first):
        if row["who"] != handed.student:
            yield Finding(
                str(path), f"line {number}", f"a trial of {row['who']!r} in the hand-in of {handed.student!r}"
            )
