"""What a student hands in: one file with the answers to the exercises, the attempts, and the trials.

The file has one JSON object a line: a heading, then exercises, attempts and trials, and an end that tells whether the
file is whole. Nobody's name is in it unless they typed it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pandas as pd

import cogkit
from cogkit.app import exercises, gallery, notebooks, own_data
from cogkit.app.exercises import Attempt
from cogkit.core.errors import InputError, some
from cogkit.data import readers
from cogkit.data.files import write_whole
from cogkit.study.gathering import Name
from cogkit.study.trials import Trials, now, plain, pseudonym
from cogkit.study.uploads import Upload

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
    """How one exercise stands in a student's notebook, and the code of the answer; ``typed`` is one never checked."""

    exercise: str
    state: Literal["right", "wrong", "typed", "open"]
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
    student: Name
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

    def parts(self) -> Iterator[tuple[str, Any]]:
        """Yield the name of what it holds, and that."""
        for name in _PARTS:
            if (part := getattr(self, name)) is not None:
                yield name, part


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
        The folder is for no class, one of its notebooks is missing or cannot be read, or two notebooks hold different
        work on the same exercises.
    """
    folder, about = Path(folder), about_of(folder)
    states = [state for _, own in work_of(folder, about).values() for state in own]
    names = {state.exercise for state in states}
    made = [attempt for attempt in exercises.attempts() if attempt.exercise in names]
    rows = _of_notebooks(Trials().frame(kind="person", who=pseudonym()), about.notebooks)
    return HandIn(
        about, pseudonym(), name.strip()[:_TEXT], now(), cogkit.__version__, tuple(states), tuple(made), tuple(rows)
    )


def work_of(folder: Path, about: About) -> dict[str, tuple[Path, list[Exercise]]]:
    """Return the file with the work on each notebook of a class, known by its exercises and not by its name, and them.

    A copy in which nothing was done does not count. Of copies with the same work one is read.
    """
    chosen: dict[str, tuple[Path, list[Exercise]]] = {}
    answers = {path: _cells(path) for path in sorted(folder.glob("*.ipynb"))}
    for stem in about.notebooks:
        stubs = {cell["metadata"]["exercise"]: source_of(cell) for cell in _ours(stem)}
        states = {path: _states(own, stubs) for path, own in answers.items() if stubs.keys() & own.keys()}
        if not states:
            raise InputError(f"{folder} without {stem}.ipynb", _NOTEBOOK, "put your notebook back there")
        work = {path: [state for state in own if state.state != "open"] for path, own in states.items()}
        done = [path for path in states if work[path]] or [*states][:1]
        if any(work[path] != work[done[0]] for path in done):
            got = f"different work in {some((path.name for path in done), last=' and ')}"
            raise InputError(got, f"one notebook {stem}", "move the others away, or delete them, and hand in again")
        chosen[stem] = done[0], states[done[0]]
    return chosen


def _cells(path: Path) -> dict[str, tuple[str, bool | None]]:
    """Return the code of each exercise in a notebook, and whether its last check was passed; None without one."""
    answers: dict[str, str] = {}
    verdicts: dict[str, bool] = {}
    with readers.faults(path, _NOTEBOOK, "", AttributeError):  # anything may be in place of a mapping
        for cell in json.loads(readers.text(path, wanted=_NOTEBOOK))["cells"]:  # outputs may hold NaN
            if exercise := cell["metadata"].get("exercise"):
                answers[exercise] = source_of(cell)[:_TEXT]
            for output in cell.get("outputs", ()):
                if verdict := output.get("data", {}).get(exercises.MIME):
                    verdicts[verdict["name"]] = bool(verdict["passed"])
    return {name: (code, verdicts.get(name)) for name, code in answers.items()}


def _states(answers: Mapping[str, tuple[str, bool | None]], stubs: Mapping[str, str]) -> list[Exercise]:
    """Return how each exercise of a notebook stands, from its answers as `_cells` gives them."""
    states = []
    for exercise, stub in stubs.items():
        code, passed = answers.get(exercise, ("", None))
        is_open = code.strip() in ("", stub.strip())
        state = "open" if is_open else "typed" if passed is None else "right" if passed else "wrong"
        states.append(Exercise(exercise, state, code))
    return states


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
        if len(sitting) > 1 and own_data.notebook_of(sitting, cards) in names:  # to open one is no answer
            records += sitting.to_dict("records")
    return list(map(plain, records))


def write(handed: HandIn, path: Path) -> Path:
    """Write a hand-in and return its path; an older file there is replaced."""
    fields = dataclasses.asdict(handed)
    parts = [{name: part} for name in _PARTS for part in fields.pop(f"{name}s")]
    lines = [{"hand-in": {"version": VERSION} | fields}, *parts]
    lines.append({"end": {"lines": len(lines), "sha256": digest(lines)}})
    write_whole(path, "".join(map(_line, lines)).encode(errors="replace"))
    return path


def digest(objects: Iterable[Mapping[str, Any]]) -> str:
    """Return the SHA-256 of what a file holds, which stays the same whatever programs do to its form."""
    return hashlib.sha256("".join(map(_line, objects)).encode(errors="replace")).hexdigest()


def _line(part: Mapping[str, Any]) -> str:
    return json.dumps(part, ensure_ascii=False) + "\n"


def is_hand_in(upload: Upload) -> bool:
    """Return whether a file is a hand-in, which its first line tells."""
    return bool(upload.objects) and "hand-in" in upload.objects[0][1]


def read(upload: Upload) -> tuple[HandIn, str]:
    """Return a hand-in, its trials as they came, and where it is cut, or "" if it is whole; nothing in it is run.

    Raises
    ------
    InputError
        It is of another form, or was changed after it was written.
    """
    if len(upload.objects) > _LINES:
        raise InputError(f"{len(upload.objects):,} lines", f"{_WANTED}, of {_LINES:,} lines at most")
    (line, first), *others = upload.objects
    heading = _held(first, dict[Literal["hand-in"], HandIn], upload, line)["hand-in"]
    if heading.version != VERSION:
        raise InputError(f"a hand-in of form {heading.version}", f"form {VERSION}", "update cogkit")
    is_whole = bool(others) and "end" in others[-1][1]
    if is_whole:
        end = _held(others.pop()[1], dict[Literal["end"], _End], upload, line)["end"]
        held = [part for _, part in upload.objects[:-1]]
        if end != _End(len(held), digest(held)):
            fix = "ask the student for it again"
            raise InputError("one that was changed after it was written", "a whole hand-in", fix)
    parts: dict[str, dict[str, Any]] = {name: {} for name in _PARTS}
    for line, part in others:
        (name, content), *_ = [*_held(part, _Line, upload, line).parts(), ("", None)]
        if not name or len(part) != 1:
            raise InputError(f"line {line} with {len(part)} parts", "one exercise, attempt or trial a line")
        key = content.exercise if name == "exercise" else _line(part)  # a line that is there twice counts once
        if parts[name].setdefault(key, content) != content:
            raise InputError(f"line {line} with exercise {key!r} again, which differs", "every exercise once")
    fault = "" if is_whole else upload.fault or "its end is missing"
    return dataclasses.replace(heading, **{f"{name}s": tuple(held.values()) for name, held in parts.items()}), fault


def _held(part: Mapping[str, Any], shape: Any, upload: Upload, line: int) -> Any:
    """Return what a line holds, of this shape."""
    with readers.faults(f"line {line}", _WANTED):
        return msgspec.convert(part, shape)
