"""Data that others have collected with the jsPsych study, looked at before they are used."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from cogkit.core.contracts import TRIAL_COLUMNS, InputError
from cogkit.mewl.people import study
from cogkit.mewl.people.study import INSTRUMENT, Plan
from cogkit.study.sitting import Sitting
from cogkit.study.trials import BEGIN

ENDINGS = (".json", ".csv")
SOURCE = "jspsych"
_LARGEST = 100_000_000  # bytes of a file
_NEEDED = ("sitting", "order", "at", "who", "item", "response", "rt_s", "extra")
_NAME = re.compile(r"[\w-]{1,64}", re.ASCII)


def from_jspsych(path) -> pd.DataFrame:
    """Return what people answered in the study that `jspsych.export` makes, as trial rows.

    Parameters
    ----------
    path : str or Path
        A file that jsPsych saved (JSON or CSV, of one person or of many one after the other), or a folder of them. Rows
        of other trials than ours are passed over.

    Returns
    -------
    DataFrame
        ``core.contracts.TRIAL_COLUMNS``, sitting by sitting: as `trials.Trials` holds them, and as `people` reads them.
        What is right is worked out anew from the items, which are known by name; nothing in the file is believed.

    Raises
    ------
    InputError
        With file, row and field of what is not as the study writes it.
    """
    path = Path(path)
    files = sorted(each for each in path.iterdir() if each.suffix in ENDINGS) if path.is_dir() else [path]
    found: dict[str, list[tuple[int, str, dict]]] = {}
    origin: dict[str, Path] = {}
    for file in files:
        for number, row in enumerate(_rows(file), start=1):
            if row.get("instrument") == INSTRUMENT:
                where = f"row {number} of {file}"
                told = {name: _field(name, row, where) for name in _NEEDED}
                if origin.setdefault(told["sitting"], file) != file:
                    raise InputError(f"sitting {told['sitting']} in {origin[told['sitting']]} and {file}", "it once")
                found.setdefault(told["sitting"], []).append((told["order"], where, told))
    if not found:
        raise InputError(f"no row of instrument {INSTRUMENT} in {path}", "data of the study that jspsych.export makes")
    made = [row for rows in found.values() for row in _sitting(sorted(rows, key=lambda each: each[0]))]
    frame = pd.DataFrame(made, columns=list(TRIAL_COLUMNS), dtype=object)
    return frame.astype({"order": "int64", "seed": "int64", "correct": float, "score": float, "rt_s": float})


def _rows(file: Path) -> Iterator[dict]:
    """Yield the rows of a file as they stand there."""
    try:
        if file.stat().st_size > _LARGEST:
            raise InputError(f"{file} of {file.stat().st_size:,} bytes", f"a file of {_LARGEST:,} at most")
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} ({error})"[:200], "a text file in UTF-8 that can be read") from None
    if file.suffix == ".csv":
        try:
            yield from csv.DictReader(io.StringIO(text, newline=""), strict=True)
        except csv.Error as error:
            raise InputError(f"{file} ({error})", "a CSV file as jsPsych saves it") from None
        return
    for part in _arrays(text, file):
        for row in part:
            if not isinstance(row, dict):
                raise InputError(f"{str(row)[:40]!r} in {file}", "a list of jsPsych's trials")
            yield row


def _arrays(text: str, file: Path) -> list[list]:
    """Return the lists that a JSON file holds: one, or one a line, as servers put those of many people together."""
    found = []
    for part in [text] if text.strip() else []:
        try:
            found = [json.loads(part)]
        except (ValueError, RecursionError) as error:
            try:
                found = [json.loads(line) for line in text.splitlines() if line.strip()]
            except (ValueError, RecursionError):
                raise InputError(f"{file}, which is none ({error})"[:200], "a JSON file as jsPsych saves it") from None
    if not all(isinstance(each, list) for each in found):
        raise InputError(f"{file}, which holds none", "a list of jsPsych's trials")
    return found


def _field(name: str, row: dict, where: str) -> Any:
    """Return a field of a row as it should be; CSV has all of them as text."""
    value = row.get(name)
    wanted = {
        "sitting": "1 to 64 letters, digits, - or _", "order": "a whole number from 0", "at": "a time in ISO 8601",
        "rt_s": "a number of seconds, or null", "extra": "a mapping",
    }.get(name, "text")  # fmt: skip
    if name in row:
        try:
            if name == "extra":
                value = json.loads(value) if isinstance(value, str) else value
                if isinstance(value, dict):
                    return value
            elif name == "order" and isinstance(value, int | str) and not isinstance(value, bool) and int(value) >= 0:
                return int(value)
            elif name == "rt_s" and value in (None, "", "null"):
                return None
            elif name == "rt_s" and not isinstance(value, bool) and 0 <= float(value) < math.inf:
                return float(value)
            elif name == "at":
                return datetime.fromisoformat(value).astimezone(UTC).isoformat(timespec="milliseconds")
            elif name in ("sitting", "who") and isinstance(value, str) and _NAME.fullmatch(value):
                return value
            elif name in ("item", "response") and isinstance(value, str) and len(value) <= 200:
                return value
        except (TypeError, ValueError, OverflowError, RecursionError):
            pass
    got = f"{str(value)[:40]!r}" if name in row else "nothing"
    raise InputError(f"{got} for {name!r} in {where}", wanted)


@dataclass
class _Rows:
    """Takes the place of a database: keeps the rows of a sitting, with the times of the file."""

    at: list[str]
    rows: list[dict] = field(default_factory=list)

    def add(self, row: dict) -> None:
        self.rows.append(row | {"at": self.at[len(self.rows)]})


def _sitting(rows: list[tuple[int, str, dict]]) -> list[dict]:
    """Return the trial rows of one sitting: the study is gone through once more, each answer checked at its place."""
    (_, where, first), *rest = rows
    if first["item"] != BEGIN or [order for order, _, _ in rows] != list(range(len(rows))):
        raise InputError(f"sitting {first['sitting']} from {where}", "its rows from 0 on, the beginning first")
    try:
        plan = Plan.of(first["response"])
    except InputError as error:
        raise InputError(f"{error.got} for 'response' in {where}", error.wanted) from None
    options = {name: getattr(plan, name) for name in ("profile", "tests", "attention", "feedback")}
    asked, order = replace(study.study_of(plan.task, **options), source=SOURCE), first["extra"].get("order")
    kept = _Rows([row["at"] for _, _, row in rows])
    sitting = Sitting(asked, kept, first["sitting"], first["who"], plan.draw, plan.condition)
    n = len(sitting.items)
    if not isinstance(order, list) or set(map(type, order)) != {int} or sorted(order) != list(range(n)):
        raise InputError(f"{str(order)[:60]} for 'extra', its order, in {where}", f"{n} numbers from 0")
    sitting.order = tuple(order)
    sitting.store_beginning()
    for _, where, row in rest:
        if sitting.finished:
            ended = "an answer after a failed check" if sitting.failed else "one row more"
            raise InputError(f"{ended} in {where}", "nothing more" if sitting.failed else f"{n} answers at most")
        name = sitting.page.name if sitting.page else sitting.asked.item.name
        if row["item"] != name:
            raise InputError(f"{row['item']!r} for 'item' in {where}", repr(name))
        try:
            if sitting.page:
                sitting.next(row["rt_s"])
            else:
                sitting.answer(row["response"], row["rt_s"])
        except InputError as error:
            raise InputError(f"{error.got} for 'response' in {where}", error.wanted) from None
        sitting.pending = False
    return kept.rows
