"""Reads and checks data that were collected with the jsPsych study."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd

from cogkit.core.contracts import TRIAL_COLUMNS, InputError
from cogkit.data import foreign
from cogkit.mewl.people import study
from cogkit.mewl.people.study import INSTRUMENT, Plan
from cogkit.study.sitting import Sitting
from cogkit.study.trials import BEGIN

ENDINGS = (".json", ".csv")
SOURCE = "jspsych"
_NEEDED = ("sitting", "order", "at", "who", "item", "response", "rt_s", "extra")
_NAME = re.compile(r"[\w-]{1,64}", re.ASCII)


def from_jspsych(path) -> pd.DataFrame:
    """Return people's answers in the study that `jspsych.export` makes, as trial rows.

    ``path`` is a file that jsPsych saved (JSON or CSV, of one person or of several, one after another), or a folder of
    such files. Rows of other instruments are skipped. Rows come sitting by sitting, as in `trials.Trials` and for the
    functions of `people`. Whether an answer is right is computed again from the names of the items, and not taken from
    the file. Raises an `InputError` that names the file, row and field if something is not as the study writes it.
    """
    path = Path(path)
    files = sorted(child for child in path.iterdir() if child.suffix in ENDINGS) if path.is_dir() else [path]
    sittings: dict[str, list[tuple[int, str, dict]]] = {}
    origin: dict[str, Path] = {}
    for file in files:
        for number, row in enumerate(_rows(file), start=1):
            if row.get("instrument") == INSTRUMENT:
                place = f"row {number} of {file}"
                cells = {name: _field(name, row, place) for name in _NEEDED}
                if origin.setdefault(cells["sitting"], file) != file:
                    raise InputError(f"sitting {cells['sitting']} in {origin[cells['sitting']]} and {file}", "it once")
                sittings.setdefault(cells["sitting"], []).append((cells["order"], place, cells))
    if not sittings:
        raise InputError(f"no row of instrument {INSTRUMENT} in {path}", "data of the study that jspsych.export makes")
    trials = [row for rows in sittings.values() for row in _sitting(sorted(rows, key=lambda entry: entry[0]))]
    frame = pd.DataFrame(trials, columns=list(TRIAL_COLUMNS), dtype=object)
    return frame.astype({"order": "int64", "seed": "int64", "correct": float, "score": float, "rt_s": float})


def _rows(file: Path) -> Iterator[dict]:
    """Yield the rows of a file without changes."""
    if file.suffix == ".csv":
        header, *rows = foreign.rows(file, "a CSV file as jsPsych saves it") or [[]]
        yield from (dict(zip(header, row, strict=False)) for row in rows if row)
        return
    text = foreign.text(file).strip()
    lists = text.split("\n") if "\n[" in text else [text]  # servers collect many people's data as a list on each line
    for part in (part for part in lists if part.strip()):
        yield from foreign.parsed(part, list[dict[str, Any]], f"{file}", "a list of jsPsych's trials in JSON")


def _field(name: str, row: dict, where: str) -> Any:
    """Return a field of a row with the right type; in CSV every field is text."""
    value = row.get(name)
    form = {
        "sitting": "1 to 64 letters, digits, - or _", "order": "a whole number from 0", "at": "a time in ISO 8601",
        "rt_s": "a number of seconds, or null", "extra": "a mapping",
    }.get(name, "text")  # fmt: skip
    if name in row:
        try:
            if name == "extra":
                return foreign.parsed(value) if isinstance(value, str) else msgspec.convert(value, dict[str, Any])
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
    text = f"{str(value)[:40]!r}" if name in row else "nothing"
    raise InputError(f"{text} for {name!r} in {where}", form)


@dataclass
class _Rows:
    """Replaces a database: it keeps the rows of a sitting, with the times of the file."""

    at: list[str]
    rows: list[dict] = field(default_factory=list)

    def add(self, row: dict) -> None:
        self.rows.append(row | {"at": self.at[len(self.rows)]})


def _sitting(rows: list[tuple[int, str, dict]]) -> list[dict]:
    """Return the trial rows of one sitting. The study is run again with the same answers, and each one is checked."""
    (_, place, start), *answers = rows
    if start["item"] != BEGIN or [order for order, _, _ in rows] != list(range(len(rows))):
        raise InputError(f"sitting {start['sitting']} from {place}", "its rows from 0 on, the beginning first")
    try:
        plan = Plan.of(start["response"])
    except InputError as error:
        raise InputError(f"{error.got} for 'response' in {place}", error.wanted) from None
    options = {name: getattr(plan, name) for name in ("profile", "tests", "attention", "feedback")}
    plan_study, order = replace(study.study_of(plan.task, **options), source=SOURCE), start["extra"].get("order")
    store = _Rows([row["at"] for _, _, row in rows])
    sitting = Sitting(plan_study, store, start["sitting"], start["who"], plan.draw, plan.condition)
    n = len(sitting.items)
    if not isinstance(order, list) or set(map(type, order)) != {int} or sorted(order) != list(range(n)):
        raise InputError(f"{str(order)[:60]} for 'extra', its order, in {place}", f"{n} numbers from 0")
    sitting.order = tuple(order)
    sitting.store_beginning()
    for _, place, row in answers:
        if sitting.finished:
            surplus = "an answer after a failed check" if sitting.failed else "one row more"
            raise InputError(f"{surplus} in {place}", "nothing more" if sitting.failed else f"{n} answers at most")
        name = sitting.page.name if sitting.page else sitting.presentation.item.name
        if row["item"] != name:
            raise InputError(f"{row['item']!r} for 'item' in {place}", repr(name))
        try:
            if sitting.page:
                sitting.next(row["rt_s"])
            else:
                sitting.answer(row["response"], row["rt_s"])
        except InputError as error:
            raise InputError(f"{error.got} for 'response' in {place}", error.wanted) from None
        sitting.pending = False
    return store.rows
