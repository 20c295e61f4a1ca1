"""What a student hands in: one file with the answers to the exercises, the attempts, and the trials.

The file has one JSON object a line: a heading, then exercises, attempts and trials, and an end that tells whether the
file is whole. Nobody's name is in it unless they typed it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

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
_Text = Annotated[str, msgspec.Meta(max_length=_TEXT)]
_WANTED = "a file that cogkit class hand-in wrote"
_NOTEBOOK = "a notebook of the lesson"
_PARTS = ("exercise", "attempt", "trial")  # of which the lines after the first hold one each


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
    code: _Text = ""


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
    version : int
        Of the form of the file.
    """

    about: About
    student: _Text
    name: _Text = ""
    at: str = ""
    cogkit: str = ""
    exercises: tuple[Exercise, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    trials: tuple[dict[str, Any], ...] = ()
    version: int = VERSION


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    """A line after the first, which holds one of these."""

    exercise: Exercise | None = None
    attempt: Attempt | None = None
    trial: dict[str, Any] | None = None


class _End(msgspec.Struct):
    lines: int
    sha256: str


def about_of(folder: Path | str) -> About:
    """Return the class that a folder of notebooks is for; `InputError` if it is for none."""
    path, wanted = Path(folder) / ABOUT, "a lesson that cogkit class pack wrote (--notebooks names it)"
    return readers.parsed(readers.text(path, wanted=wanted), About, str(path), wanted)


def of_folder(folder: Path | str, name: str = "") -> HandIn:
    """Return what the reader hands in: the notebooks in a folder, the attempts, and the trials of these notebooks.

    Parameters
    ----------
    folder : path
        As ``cogkit class pack`` wrote it for students.
    name : str
        The reader's name, if they want it in the file.

    Raises
    ------
    InputError
        The folder is for no class, or one of its notebooks is missing or cannot be read.
    """
    folder, about = Path(folder), about_of(folder)
    states = [state for stem in about.notebooks for state in _states(folder / f"{stem}.ipynb")]
    names = {state.exercise for state in states}
    made = [attempt for attempt in exercises.attempts() if attempt.exercise in names]
    rows = _of_notebooks(Trials().frame(kind="person", who=pseudonym()), about.notebooks)
    return HandIn(
        about, pseudonym(), name.strip()[:_TEXT], now(), cogkit.__version__, tuple(states), tuple(made), tuple(rows)
    )


def _states(path: Path) -> Iterator[Exercise]:
    """Yield how each exercise of a notebook stands, as its saved outputs say."""
    verdicts: dict[str, bool] = {}
    answers: dict[str, str] = {}
    with readers.faults(path, _NOTEBOOK):
        for cell in readers.json(path, wanted=_NOTEBOOK)["cells"]:
            if exercise := cell["metadata"].get("exercise"):
                answers[exercise] = source_of(cell)[:_TEXT]
            for output in cell.get("outputs", ()):
                if verdict := output.get("data", {}).get(exercises.MIME):
                    verdicts[verdict["name"]] = bool(verdict["passed"])
    for stub in _ours(path.stem):
        exercise = stub["metadata"]["exercise"]
        code = answers.get(exercise, "")
        is_open = exercise not in verdicts or code.strip() in ("", source_of(stub).strip())
        yield Exercise(exercise, "open" if is_open else "right" if verdicts[exercise] else "wrong", code)


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
    fields = dataclasses.asdict(handed)
    parts = [{name: part} for name in _PARTS for part in fields.pop(f"{name}s")]
    lines = [{"hand-in": {"version": VERSION} | fields}, *parts]
    body = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)
    end = {"end": {"lines": len(lines), "sha256": hashlib.sha256(body.encode()).hexdigest()}}
    write_whole(path, (body + json.dumps(end) + "\n").encode(), alone=True)
    return path


def read(path: Path) -> HandIn | list[Finding]:
    """Return a hand-in, or every fault of its file with the number of its line; nothing in it is run."""
    try:
        lines = readers.text(path, wanted=_WANTED).split("\n")
        heading = _heading(lines)
    except InputError as error:
        return [Finding(str(path), "line 1", str(error))]
    parts = {name: [] for name in _PARTS}
    faults = []
    for number, line in enumerate(lines[1:-2], start=2):
        try:
            name, part = _part(line, heading.student)
        except InputError as error:
            faults.append(Finding(str(path), f"line {number}", str(error)))
        else:
            parts[name].append(part)
    return faults or dataclasses.replace(heading, **{f"{name}s": tuple(held) for name, held in parts.items()})


def _heading(lines: list[str]) -> HandIn:
    """Return the heading of a file of ours that is whole; later versions may add fields."""
    if len(lines) > _LINES:
        raise InputError(f"{len(lines):,} lines", f"{_WANTED}, of {_LINES:,} lines at most")
    heading = readers.parsed(lines[0], dict[Literal["hand-in"], HandIn], "line 1", _WANTED).get("hand-in")
    if heading is None or heading.version != VERSION:
        raise InputError("another form", f"{_WANTED}, in the form {VERSION}", "if it is newer, update cogkit")
    wanted = "a whole hand-in: ask the student for it again"
    end = readers.parsed(lines[-2:][0], dict[Literal["end"], _End], "its end", wanted).get("end")
    body = "".join(f"{line}\n" for line in lines[:-2])
    if end != _End(len(lines) - 2, hashlib.sha256(body.encode()).hexdigest()):
        raise InputError("one that was changed after it was written", wanted)
    return heading


def _part(line: str, student: str) -> tuple[str, Any]:
    """Return the name of a line's part, and the part."""
    parts = {k: v for k, v in msgspec.structs.asdict(readers.parsed(line, _Line, "this line")).items() if v is not None}
    trial = parts.get("trial", {"who": student, "kind": "person"})
    if "trial" in parts:
        Trials.values(trial)
    if len(parts) != 1 or (trial["who"], trial["kind"]) != (student, "person"):
        got = f"{len(parts)} parts" if len(parts) != 1 else f"a trial of {str(trial['who'])[:40]!r}"
        raise InputError(got, f"one exercise, attempt or trial a line, of the person {student[:40]!r}")
    return parts.popitem()
