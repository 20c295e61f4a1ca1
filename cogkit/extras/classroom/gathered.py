"""The hand-ins of a class, merged: who did which exercises, what people answered, and what came of it.

Nothing that a student wrote is run. Every sitting of a study is sat again with its answers, so that whether they are
right is worked out here; so are answers to exercises that are numbers and texts.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from cogkit.app import exercises
from cogkit.core.errors import Finding, InputError
from cogkit.core.records import RESULT_COLUMNS, TRIAL_COLUMNS
from cogkit.data import readers
from cogkit.data.files import whole_folder, write_whole
from cogkit.extras.classroom import hand_in
from cogkit.extras.classroom.hand_in import About, HandIn
from cogkit.study import gathering
from cogkit.study.gathering import Collected
from cogkit.study.trials import BEGIN, Trials

_WANTED = "a folder that cogkit class collect wrote"
AGAIN, TOLD = "checked again", "the notebook"
FREE = "not the study"
"""Why a sitting does not count: free play, for example, does not say in its rows which boards were to come."""
_STUDENTS = ["student", "name", "file", "at", "cogkit", "trials"]
_EXERCISES = ["student", "exercise", "state", "by", "attempts", "said", "code"]
_NUMBERS = {"trials", "attempts", "answers", "seed", "n", "value", "low", "high"}
_SITTINGS = ["sitting", "who", "instrument", "condition", "began", "last", "answers", "finished", "reason"]


class Gathered(NamedTuple):
    """The hand-ins of a class.

    Attributes
    ----------
    about : About
    students : DataFrame
        student, name, file, at, cogkit, trials (how many).
    exercises : DataFrame
        student, exercise, state (right, wrong or open), by (`AGAIN` if the answer was checked again, `TOLD` if the
        student's notebook says so, else empty), attempts, said (what the last wrong attempt was told), code.
    sittings : DataFrame
        As `study.gathering.Collected` has them.
    trials : DataFrame
        ``TRIAL_COLUMNS``.
    rows : DataFrame
        Result rows of each person, and of all together.
    """

    about: About
    students: pd.DataFrame
    exercises: pd.DataFrame
    sittings: pd.DataFrame
    trials: pd.DataFrame
    rows: pd.DataFrame


def collect(folder: Path | str) -> Gathered | list[Finding]:
    """Return the hand-ins in a folder and its folders, merged; or every fault, each with its file and line.

    Raises
    ------
    InputError
        There is no such folder, or no file of hand-ins in it.
    """
    folder = Path(folder)
    files = sorted(path for path in folder.rglob(f"*{hand_in.ENDING}") if path.is_file()) if folder.is_dir() else []
    if not files:
        raise InputError(f"{folder} without any", f"a folder with hand-ins (files that end with {hand_in.ENDING})")
    read = [(str(path), hand_in.read(path)) for path in files]
    faults = [fault for _, result in read if isinstance(result, list) for fault in result]
    handed = [(file, result) for file, result in read if isinstance(result, HandIn)]
    faults += [
        Finding(file, "line 1", f"it is of class {one.about.id!r}, and {handed[0][0]} of {handed[0][1].about.id!r}")
        for file, one in handed
        if one.about.id != handed[0][1].about.id
    ]
    if faults:
        return faults
    try:
        return merge(handed)
    except InputError as error:
        return [Finding(str(folder), "hand-ins", str(error))]


def merge(handed: Iterable[tuple[str, HandIn]]) -> Gathered:
    """Return hand-ins, each with the name of its file, merged. Of two by one student the later one counts.

    Raises
    ------
    InputError
        A sitting is in the hand-ins of two students, or has answers that its study does not allow.
    """
    latest: dict[str, tuple[str, HandIn]] = {}
    for file, one in sorted(handed, key=lambda pair: (pair[1].at, pair[0])):
        latest[one.student] = (file, one)
    chosen = sorted(latest.values())
    students, states, logs, trials = [], [], [], []
    owner: dict[str, str] = {}
    for file, one in chosen:
        students.append((one.student, one.name, file, one.at, one.cogkit, len(one.trials)))
        states += _states(one)
        by_sitting: dict[str, list[dict]] = {}
        for row in one.trials:
            by_sitting.setdefault(row["sitting"], []).append(row)
        for sitting, rows in by_sitting.items():
            if owner.setdefault(sitting, file) != file:
                raise InputError(f"sitting {sitting} in {owner[sitting]} and {file}", "every sitting once")
            log, stored = _sat(file, rows)
            logs.append(log)
            trials += stored
    frame = gathering.frame(trials)
    sittings = pd.DataFrame(logs, columns=_SITTINGS)
    return Gathered(
        chosen[0][1].about, pd.DataFrame(students, columns=_STUDENTS), pd.DataFrame(states, columns=_EXERCISES),
        sittings, frame, gathering.judged(gathering.counted(frame, sittings)),
    )  # fmt: skip


def _sat(file: str, rows: list[dict]) -> tuple[dict, list[dict]]:
    """Return the log of a sitting, and its rows as the study gives them for the same answers."""
    rows = sorted(rows, key=lambda row: row["order"])
    first = rows[0]
    try:
        places = [gathering.Row(f"trial {row['order']} of sitting {row['sitting']} in {file}", row) for row in rows]
        sitting, stored = gathering.sat(places, source=first["source"])
    except InputError:
        if first["item"] == BEGIN and gathering.is_of_a_study(first):
            raise
        answers = len({row["item"] for row in rows} - {BEGIN})
        log = {
            "sitting": first["sitting"], "who": first["who"], "instrument": first["instrument"],
            "condition": str(first["task"]), "began": first["at"], "last": rows[-1]["at"], "answers": answers,
            "finished": False, "reason": FREE,
        }  # fmt: skip
        return log, rows
    # what only the widget knows, such as how many boards a person had seen before
    stored = [new | {"extra": old["extra"] | new["extra"]} for old, new in zip(rows, stored, strict=True)]
    return gathering.log(sitting, stored), stored


def _states(one: HandIn) -> Iterator[tuple]:
    """Yield the exercises of a student: how each stands, and who says so."""
    by_name: dict[str, list[exercises.Attempt]] = {}
    for attempt in one.attempts:
        made = by_name.setdefault(attempt.exercise, [])
        if not made or (made[-1].said, made[-1].answer) != (attempt.said, attempt.answer):  # a cell run twice
            made.append(attempt)
    for exercise in one.exercises:
        made = by_name.get(exercise.exercise, [])
        passed = [attempt for attempt in made if attempt.passed]
        state, by = exercise.state, TOLD if exercise.state != "open" else ""
        if made and state != "right":
            state, by = "right" if passed else "wrong", TOLD
        if state == "right" and passed and passed[-1].answer:
            state, by = "right" if _right(exercise.exercise, passed[-1].answer) else "wrong", AGAIN
        wrong = [attempt.said for attempt in made if not attempt.passed]
        yield one.student, exercise.exercise, state, by, len(made), wrong[-1] if wrong else "", exercise.code


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
        gathering.write(Collected(gathered.trials, gathered.sittings, gathered.rows), part)
        for name in ("students", "exercises"):
            table: pd.DataFrame = getattr(gathered, name)
            write_whole(part / f"{name}.csv", table.to_csv(index=False).encode(), alone=True)


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
            ("students", _STUDENTS), ("exercises", _EXERCISES), ("sittings", _SITTINGS), ("rows", RESULT_COLUMNS),
        )
    }  # fmt: skip
    tables["sittings"]["finished"] = tables["sittings"]["finished"] == "True"
    trials = Trials(folder / "trials.sqlite").frame()[list(TRIAL_COLUMNS)]
    return Gathered(about, trials=trials, **tables)


def _table(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    """Return the columns of a table; it may have no row, such as that of sittings where nobody sat a study."""
    with readers.faults(path, _WANTED):
        table = pd.read_csv(readers.regular(path), usecols=[*columns], dtype=str, keep_default_na=False)[[*columns]]
    numbers = {name: pd.to_numeric(table[name], errors="coerce") for name in _NUMBERS.intersection(columns)}
    return table.assign(**numbers)
