"""The hand-ins of a class, merged: who did which exercises, what people answered, and what came of it.

Nothing that a student wrote is run. Every sitting of a study is sat again with its answers, so that whether they are
right is worked out here; so are answers to exercises that are numbers and texts. See `study.gathering`.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from cogkit.app import exercises
from cogkit.core.errors import InputError, some
from cogkit.core.records import RESULT_COLUMNS, TRIAL_COLUMNS
from cogkit.data import readers
from cogkit.data.files import whole_folder, write_whole
from cogkit.extras.classroom import hand_in
from cogkit.extras.classroom.hand_in import About, HandIn
from cogkit.study import gathering
from cogkit.study.gathering import SITTINGS, Collected, Gate, LeftOut
from cogkit.study.trials import Trials, spreadsheet, unescaped
from cogkit.study.uploads import uploads

_WANTED = "a folder that cogkit class collect wrote"
AGAIN, TOLD = "checked again", "the notebook"
_STUDENTS = ["student", "name", "file", "at", "cogkit", "trials"]
_EXERCISES = ["student", "exercise", "state", "by", "attempts", "said", "code"]
_NUMBERS = {"trials", "attempts", "answers", "seed", "n", "value", "low", "high"}


class Gathered(NamedTuple):
    """The hand-ins of a class.

    Attributes
    ----------
    about : About
    students : DataFrame
        student, name, file, at, cogkit, trials (how many).
    exercises : DataFrame
        student, exercise, state (right, wrong, typed or open), by (`AGAIN` if the answer was checked again, `TOLD` if
        the student's notebook says so, else empty), attempts, said (what the last wrong attempt was told), code.
    trials, sittings, rows, left_out, passed_over, notes
        As `study.gathering.Collected` has them.
    """

    about: About
    students: pd.DataFrame
    exercises: pd.DataFrame
    trials: pd.DataFrame
    sittings: pd.DataFrame
    rows: pd.DataFrame
    left_out: pd.DataFrame
    passed_over: pd.DataFrame
    notes: tuple[str, ...] = ()

    @property
    def collected(self) -> Collected:
        """What was collected, without the students and the exercises."""
        return Collected(*self[3:])


class _Person:
    """A student: the name by which they stand in the tables, and their hand-ins, oldest first."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.hand_ins: list[tuple[str, HandIn]] = []


def collect(folder: Path | str, about: About) -> Gathered:
    """Return the hand-ins in a folder, its folders and archives, merged; what does not count is left out with a reason.

    Parameters
    ----------
    folder : path
    about : About
        The class, as its pack has it; a hand-in that says otherwise is of another class.

    Raises
    ------
    InputError
        There is no such folder, or nobody's hand-in is in it.
    """
    gate, handed, cut = Gate(), [], []
    for upload in uploads([folder]):
        if not hand_in.is_hand_in(upload):
            gate.unreadable(upload)
            continue
        try:
            one, fault = hand_in.read(upload)
        except InputError as error:
            gate.left_out.append(LeftOut(upload.file, reason=str(error)))
            continue
        if one.about != about:
            differ = some(name for name, value in vars(about).items() if getattr(one.about, name) != value)
            reason = f"it is of another class, {one.about.title!r}: {differ} differ"
            gate.left_out.append(LeftOut(upload.file, who=one.student, field="about", reason=reason))
            continue
        (cut if fault else handed).append((upload.file, one, fault))
    if not (handed or cut or gate.left_out):
        raise InputError(f"{folder} without any", "a folder with what cogkit class hand-in wrote")
    return _merged(about, [pair[:2] for pair in handed], cut, gate)


def merge(handed: Iterable[tuple[str, HandIn]]) -> Gathered:
    """Return hand-ins of one class, each with the name of its file, merged."""
    handed = list(handed)
    return _merged(handed[0][1].about, handed, [], Gate())


def _merged(
    about: About, handed: Sequence[tuple[str, HandIn]], cut: Sequence[tuple[str, HandIn, str]], gate: Gate
) -> Gathered:
    people: dict[str, list[_Person]] = {}
    for file, one in sorted(handed, key=lambda pair: (pair[1].at, pair[0])):
        _take(file, one, people.setdefault(one.student, []), gate)
    faults = {}
    for file, one, fault in cut:
        if whole := _same(one, people.get(one.student, [])):
            gate.passed_over.append((file, f"{fault}; {whole.hand_ins[-1][0]} is this student's, and whole"))
        else:
            faults[file] = fault
            _add(file, one, one.student, gate)
    students, states = [], []
    for person in (person for several in people.values() for person in several):
        file, last = person.hand_ins[-1]
        students.append((person.name, last.name, file, last.at, last.cogkit, len(last.trials)))
        states += _states(person.name, last)
    tables = gathering.readable(students, _STUDENTS), gathering.readable(states, _EXERCISES)
    return Gathered(about, *tables, *gate.collected("", faults))


def _take(file: str, one: HandIn, others: list[_Person], gate: Gate) -> None:
    """Give a hand-in to the student whose earlier ones it goes on with, or else to another of the same pseudonym."""
    person = _same(one, others)
    if person is None:
        person = _Person(f"{one.student}-{len(others) + 1}" if others else one.student)
        if others:
            gate.notes.append(
                f"{file}: another student has the pseudonym {one.student} too, in {others[0].hand_ins[-1][0]}: "
                f"their names or their sittings differ, so this one is {person.name}"
            )
    else:
        gate.passed_over.append((person.hand_ins[-1][0], f"a later hand-in of this student counts: {file}"))
    theirs = {
        str(row.get("sitting"))
        for each in others
        if each is not person
        for _, old in each.hand_ins
        for row in old.trials
    }
    if person not in others:
        others.append(person)
    person.hand_ins.append((file, one))
    _add(file, one, person.name, gate, theirs)


def _same(one: HandIn, others: Sequence[_Person]) -> _Person | None:
    """Return the student whose hand-in this is too: of the same name, and with a sitting or an attempt in common."""
    for person in others:
        last = person.hand_ins[-1][1]
        held = [{str(row.get("sitting")) for row in each.trials} | {*each.attempts} for each in (one, last)]
        is_named_alike = not (one.name and last.name) or one.name == last.name
        if is_named_alike and (not all(held) or held[0] & held[1]):
            return person
    return None


def _add(file: str, one: HandIn, name: str, gate: Gate, theirs: Collection[Any] = ()) -> None:
    """Give the trials of a hand-in to the gate; ``theirs`` are sittings of others on the same account."""
    first = 2 + len(one.exercises) + len(one.attempts)
    for line, row in enumerate(one.trials, start=first):
        if str(row.get("sitting")) in theirs:
            continue
        checked = gathering.checked(row | {"who": name}, f"line {line} of {file}", file, line, whole=True)
        if (row.get("who"), row.get("kind")) != (one.student, "person"):
            checked = checked._replace(fault=f"'who': {str(row.get('who'))[:40]!r}, not the person who handed it in")
        gate.add(checked)


def _states(student: str, one: HandIn) -> Iterator[tuple]:
    """Yield the exercises of a student: how each stands, and who says so."""
    by_name: dict[str, list[exercises.Attempt]] = {}
    for attempt in one.attempts:
        made = by_name.setdefault(attempt.exercise, [])
        if not made or (made[-1].said, made[-1].answer) != (attempt.said, attempt.answer):  # a cell run twice
            made.append(attempt)
    for exercise in one.exercises:
        made = by_name.get(exercise.exercise, [])
        passed = [attempt for attempt in made if attempt.passed]
        state, by = exercise.state, TOLD if exercise.state in ("right", "wrong") else ""
        if made and state != "right":
            state, by = "right" if passed else "wrong", TOLD
        if state == "right" and passed and passed[-1].answer:
            state, by = "right" if _right(exercise.exercise, passed[-1].answer) else "wrong", AGAIN
        wrong = [attempt.said for attempt in made if not attempt.passed]
        yield student, exercise.exercise, state, by, len(made), wrong[-1] if wrong else "", exercise.code


@cache
def _right(name: str, answer: str) -> bool:
    with suppress(InputError):
        return exercises.judged(name, readers.parsed(answer, Any)).passed
    return False


def write(gathered: Gathered, folder: Path) -> None:
    """Write a class into a new folder, whole or not at all: tables, and the trials as a database."""
    with whole_folder(folder) as part:
        about = json.dumps(dataclasses.asdict(gathered.about), ensure_ascii=False, indent=1) + "\n"
        write_whole(part / "class.json", about.encode(), alone=True)
        gathering.write(gathered.collected, part)
        for name in ("students", "exercises"):
            write_whole(part / f"{name}.csv", spreadsheet(getattr(gathered, name)), alone=True)


def load(folder: Path | str) -> Gathered:
    """Return a class as `write` wrote it.

    Raises
    ------
    InputError
        The folder holds no class, or a table lacks a column.
    """
    folder = Path(folder)
    about = readers.json(folder / "class.json", About, _WANTED)
    tables = {
        name: _table(folder / f"{name}.csv", columns)
        for name, columns in (
            ("students", _STUDENTS), ("exercises", _EXERCISES), ("sittings", SITTINGS), ("rows", RESULT_COLUMNS),
            ("left_out", LeftOut._fields),
        )
    }  # fmt: skip
    tables["sittings"]["finished"] = tables["sittings"]["finished"] == "True"
    trials = Trials(folder / "trials.sqlite").frame()[list(TRIAL_COLUMNS)]
    return Gathered(about, trials=trials, **tables, passed_over=pd.DataFrame(columns=["file", "reason"]))


def _table(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    """Return the columns of a table; it may have no row, such as that of sittings where nobody sat a study."""
    if path.name == "left_out.csv" and not path.exists():  # a class that version 1.0 collected
        return pd.DataFrame(columns=[*columns])
    with readers.faults(path, _WANTED):
        table = pd.read_csv(readers.regular(path), usecols=[*columns], dtype=str, keep_default_na=False)[[*columns]]
    numbers = {name: pd.to_numeric(table[name], errors="coerce") for name in _NUMBERS.intersection(columns)}
    return table.map(unescaped).assign(**numbers)
