"""What people answered in studies on the web, read back as trial rows.

Every sitting is run again with its answers, so that each answer is checked, and whether it is right is worked out here
and not taken from the file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from cogkit.app import experiments
from cogkit.core.contracts import TRIAL_COLUMNS, InputError, Study, result_row, some
from cogkit.core.identity import same_items
from cogkit.data import foreign, results
from cogkit.stats.limits import mean_interval
from cogkit.study.sitting import SKIP, Sitting
from cogkit.study.trials import BEGIN, Trials

ENDINGS = (".json", ".jsonl", ".txt", ".csv")
SOURCE = "web"
PEOPLE = "people, collected"
REASONS = ("simulated", "not finished", "left out by the study")
"""Why a sitting is not counted; the first that applies."""
_NEEDED = ("sitting", "order", "at", "who", "instrument", "item", "response", "rt_s", "seed", "extra")
_ABOUT = ("study", "form", "assigned", "prolific_pid", "study_id", "session_id", "jatos", "simulated")  # of a beginning
_NAME = re.compile(r"[\w-]{1,64}", re.ASCII)


class Row(NamedTuple):
    """A row of a file: its place in words, and its fields with the right types."""

    place: str
    fields: dict[str, Any]


class Collected(NamedTuple):
    """What was collected: trial rows, a row for each sitting, and result rows of the people who count.

    ``sittings`` has the columns sitting, who, instrument, condition, began, last, answers, finished, reason (why it
    is not counted, or empty). ``rows`` are result rows of each person, and of all together as `PEOPLE`.
    """

    trials: pd.DataFrame
    sittings: pd.DataFrame
    rows: pd.DataFrame


def collect(paths: Iterable[Path | str]) -> Collected:
    """Return what people answered, from files or folders of files.

    Parameters
    ----------
    paths : paths
        Files as jsPsych, JATOS, DataPipe, cognition.run or the page itself save them: JSON, one list a line, or CSV. Of
        a folder every file counts, those in its folders too.

    Raises
    ------
    InputError
        A file cannot be read, holds no row of a study, or has a row that the study does not allow. It names file, row
        and field. A sitting comes twice.
    """
    files = [file for path in paths for file in _files(Path(path))]
    sittings: dict[str, list[Row]] = {}
    origin: dict[str, Path] = {}
    for file in files:
        for row in _read(file):
            sitting = row.fields["sitting"]
            if origin.setdefault(sitting, file) != file:
                fix = "leave one of the two out"
                raise InputError(f"sitting {sitting} in {origin[sitting]} and {file}", "every sitting once", fix)
            sittings.setdefault(sitting, []).append(row)
    trials, logs = [], []
    for rows in sittings.values():
        sitting, stored = sat(rows)
        trials += stored
        logs.append(log(sitting, stored))
    answers, table = frame(trials), pd.DataFrame(logs)
    return Collected(answers, table, judged(counted(answers, table)))


def counted(trials: pd.DataFrame, sittings: pd.DataFrame) -> pd.DataFrame:
    """Return the trial rows of the sittings that count, see `Collected`."""
    return trials[trials["sitting"].isin(sittings["sitting"][sittings["reason"] == ""])]


def frame(trials: list[dict]) -> pd.DataFrame:
    """Return trial rows as a table, with the types of its columns."""
    table = pd.DataFrame(trials, columns=list(TRIAL_COLUMNS), dtype=object)
    return table.astype({"order": "int64", "seed": "int64", "correct": float, "score": float, "rt_s": float})


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise InputError(str(path), "a file or a folder with what people answered")
    if not path.is_dir():
        return [path]
    files = sorted(child for child in path.rglob("*") if child.suffix in ENDINGS and child.is_file())
    if not files:
        raise InputError(f"{path} without any", f"files that end with {some(ENDINGS, last=' or ')}")
    return files


def _read(file: Path) -> list[Row]:
    """Return the rows of studies in a file; other rows, such as a host's own, are passed over."""
    rows = []
    for number, row in enumerate(_raw(file), start=1):
        if row.get("source") == SOURCE and "sitting" in row:
            place = f"row {number} of {file}"
            rows.append(Row(place, {name: _field(name, row, place) for name in _NEEDED}))
    if not rows:
        raise InputError(f"no row of a study in {file}", "answers to a study that cogkit study make wrote")
    return rows


def _raw(file: Path) -> Iterator[dict]:
    """Yield the rows of a file without changes."""
    if file.suffix == ".csv":
        header, *rows = foreign.rows(file, "a CSV file as jsPsych saves it") or [[]]
        yield from (dict(zip(header, row, strict=False)) for row in rows if row)
        return
    text = foreign.text(file).strip()
    lines = text.split("\n")
    # A host that gets row after row, or many people, has a list on each line.
    is_lines = len(lines) > 1 and all(line.startswith("[") and line.rstrip().endswith("]") for line in lines if line)
    for number, part in enumerate(lines if is_lines else [text], start=1):
        if part.strip():
            where = f"{file}, line {number}" if is_lines else str(file)
            yield from foreign.parsed(part, list[dict[str, Any]], where, "a list of rows in JSON")


def _field(name: str, row: dict, where: str) -> Any:
    """Return a field of a row with the right type; in CSV every field is text."""
    value: Any = row.get(name)
    form = {
        "sitting": "1 to 64 letters, digits, - or _", "order": "a whole number from 0", "seed": "a whole number from 0",
        "at": "a time in ISO 8601",
        "rt_s": "a number of seconds, or null", "extra": "a mapping", "instrument": "the name of an instrument",
    }.get(name, "text")  # fmt: skip
    if name in row:
        try:
            if name == "extra" and isinstance(value, dict | str):
                return foreign.parsed(value) if isinstance(value, str) else value
            if (
                name in ("order", "seed")
                and isinstance(value, int | str)
                and not isinstance(value, bool)
                and 0 <= int(value) < 2**63
            ):
                return int(value)
            if name == "rt_s" and value in (None, "", "null"):
                return None
            if name == "rt_s" and not isinstance(value, bool) and 0 <= float(value) < math.inf:
                return float(value)
            if name == "at" and isinstance(value, str):
                return datetime.fromisoformat(value).astimezone(UTC).isoformat(timespec="milliseconds")
            if name in ("sitting", "who") and isinstance(value, str) and _NAME.fullmatch(value):
                return value
            if name == "instrument" and value in experiments.instruments():
                return value
            if name == "response" and isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1000:
                return value
            if name in ("item", "response") and isinstance(value, str) and len(value) <= 200:
                return value
        except (TypeError, ValueError, OverflowError, RecursionError):
            pass
    text = f"{str(value)[:40]!r}" if name in row else "nothing"
    raise InputError(f"{text} for {name!r} in {where}", form)


class Rows(Trials):
    """Stands in for a database: it keeps the rows of a sitting, with the times of the file."""

    def __init__(self, at: list[str]) -> None:
        self.at = at
        self.rows: list[dict] = []

    def add(self, row: dict) -> None:
        self.rows.append(row | {"at": self.at[len(self.rows)]})


def sat(rows: list[Row], source: str = SOURCE) -> tuple[Sitting, list[dict]]:
    """Return one sitting, run again with the same answers, and its rows; each answer is checked.

    ``source`` is that of its rows.
    """
    rows = _once(rows)
    start, *answers = rows
    first = start.fields
    if first["item"] != BEGIN or [row.fields["order"] for row in rows] != list(range(len(rows))):
        got = f"sitting {first['sitting']} from {start.place} with gaps"
        raise InputError(got, "its rows from 0 on, the beginning first")
    store = Rows([row.fields["at"] for row in rows])
    sitting = Sitting(_study(start, source), store, first["sitting"], first["who"], first["seed"], first["response"])
    order, n = first["extra"].get("order"), len(sitting.items)
    if not isinstance(order, list) or not {int} >= set(map(type, order)) or not set(order) <= set(range(n)):
        raise InputError(f"{str(order)[:60]} for 'extra', its order, in {start.place}", f"numbers from 0 to {n - 1}")
    if len(set(order)) != len(order) or not order:
        raise InputError(f"{str(order)[:60]} for 'extra', its order, in {start.place}", "one or more, each number once")
    same_items(
        str(first["extra"].get("items", "")), sitting.item_set, fix="read it with the version that made the study"
    )
    sitting.order = tuple(order)
    sitting.store_beginning()
    about = {name: first["extra"][name] for name in _ABOUT if name in first["extra"]}
    store.rows[0]["extra"] = {key: value for key, value in store.rows[0]["extra"].items() if key != "notebook"} | about
    for row in answers:
        shown = "" if sitting.finished or sitting.page else sitting.presentation.name
        _repeat(sitting, row, named=source == SOURCE)
        _same(row, store.rows[-1], shown)
    return sitting, store.rows


def _once(rows: list[Row]) -> list[Row]:
    """Return the rows in order. A row that a host has twice must be the same both times."""
    by_order: dict[int, Row] = {}
    for row in sorted(rows, key=lambda row: row.fields["order"]):
        other = by_order.setdefault(row.fields["order"], row)
        if other.fields != row.fields:
            raise InputError(f"{other.place} and {row.place}, which differ", "one row for each order of a sitting")
    return list(by_order.values())


def is_of_a_study(row: Mapping[str, Any]) -> bool:
    """Return whether a stored first row tells which study it is of."""
    with suppress(InputError, KeyError, TypeError, ValueError, AttributeError):
        instrument = experiments.instruments()[row["instrument"]]
        return instrument.study is not None and instrument.study(row) is not None
    return False


def _study(start: Row, source: str) -> Study:
    """Return the study of a sitting as its beginning tells it."""
    instrument = experiments.instruments()[start.fields["instrument"]]
    row = {
        "response": start.fields["response"],
        "extra": start.fields["extra"],
        "source": "sitting" if source == SOURCE else source,
    }
    row["profile"] = str(start.fields["response"]).partition("/")[0]
    study = None
    try:
        study = instrument.study(row) if instrument.study else None
    except InputError as error:
        raise InputError(f"{error.got} for 'response' in {start.place}", error.wanted) from None
    except (KeyError, TypeError, ValueError, AttributeError):
        pass
    if study is None:
        got = f"the beginning {str(start.fields['response'])[:60]!r} in {start.place}"
        raise InputError(got, f"one of a study of {start.fields['instrument']}")
    return replace(study, source=source)


def _repeat(sitting: Sitting, row: Row, named: bool) -> None:
    """Give a sitting the answer of a row, after a check that it is one to what is in view.

    ``named`` says that rows call each item as the sitting does; else they may have the study's own names, see `_same`.
    """
    fields, place = row.fields, row.place
    sitting.pending = False
    if sitting.finished:
        got = f"an answer after {'the last try of practice' if sitting.failed else 'the last item'} in {place}"
        raise InputError(got, "nothing more")
    page = sitting.page
    skips = fields["item"] == SKIP
    name = page.name if page else SKIP if skips else sitting.presentation.name
    if fields["item"] != name and (named or page):
        raise InputError(f"{fields['item']!r} for 'item' in {place}", repr(name))
    try:
        if page:
            sitting.next(fields["rt_s"])
        elif skips:
            sitting.skip()
        else:
            sitting.answer(_response(fields["response"], sitting), fields["rt_s"], _confidence(fields["extra"]))
    except InputError as error:
        raise InputError(f"{error.got} for 'response' in {place}", error.wanted) from None
    except (TypeError, ValueError, IndexError):
        raise InputError(
            f"{str(fields['response'])[:40]!r} for 'response' in {place}", "an answer to the item"
        ) from None
    sitting.pending = False


def _same(row: Row, stored: dict, shown: str) -> None:
    """Raise `InputError` if a row says something else than the study about what was shown, such as another board.

    ``shown`` is the sitting's name of what was shown; ``stored`` has the study's own.
    """
    fix = "read it where the same items are at hand as when it was made"
    if row.fields["item"] not in (stored["item"], shown):
        raise InputError(f"{row.fields['item']!r} for 'item' in {row.place}", repr(stored["item"]), fix)
    for name, value in row.fields["extra"].items():
        if name in stored["extra"] and stored["extra"][name] != value:
            got = f"{str(value)[:40]!r} for {name!r} in the extra of {row.place}"
            raise InputError(got, repr(stored["extra"][name]), fix)


def _response(value: int | str, sitting: Sitting) -> int | str:
    """Return a response as the study takes it; in CSV a number is text."""
    is_number = isinstance(value, str) and value.isascii() and value.isdigit() and sitting.study.instrument == "tiles"
    return int(value) if is_number else value


def _confidence(extra: dict) -> float | None:
    value = extra.get("confidence")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def log(sitting: Sitting, rows: list[dict]) -> dict[str, Any]:
    """Return a row about a sitting, with the reason why it is not counted."""
    frame = pd.DataFrame(rows, columns=list(TRIAL_COLUMNS))
    study, finished = sitting.study, sitting.finished and not sitting.failed
    left_out = bool(study.exclude is not None and study.exclude(frame).any())
    flags = (bool(rows[0]["extra"].get("simulated")), not finished and not left_out, left_out)
    return {
        "sitting": sitting.id, "who": sitting.who, "instrument": study.instrument, "condition": sitting.condition,
        "began": rows[0]["at"], "last": rows[-1]["at"], "answers": len(sitting.met), "finished": finished,
        "reason": REASONS[flags.index(True)] if any(flags) else "",
    }  # fmt: skip


def judged(trials: pd.DataFrame) -> pd.DataFrame:
    """Return result rows of each person, and of all people of a task together, with Student's interval over people."""
    records: list[dict] = []
    for name, part in trials.groupby("instrument", sort=False):
        people_of = experiments.instruments()[name].people
        if people_of is None:
            continue
        table = people_of(part.reset_index(drop=True))
        records += table.to_dict("records")
        keys = ["profile", "task", "metric", "inputs"]
        for (profile, task, metric, inputs), people in table.groupby(keys, sort=False):
            values = people["value"].dropna()
            if values.empty:
                continue
            limits = mean_interval(values) if len(values) > 1 else None
            who = {"who": PEOPLE, "kind": "person", "inputs": inputs, "supervision": ""}
            row = result_row(who, task, metric, values.mean(), len(values), limits, "95% t, people", SOURCE)
            common = {
                "cell": f"{name}/collected/{task}",
                "instrument": name,
                "profile": profile,
                "preset": "lab",
                "seed": 0,
            }
            records.append(row | common)
    return results.table(records)
