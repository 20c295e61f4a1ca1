"""Sittings that come from files, sat again: each answer is checked, and scored here and not by the file.

What comes of it is the same for a study on the web and for the hand-ins of a class.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from cogkit.core import registry
from cogkit.core.errors import InputError
from cogkit.core.identity import same_items
from cogkit.core.records import TRIAL_COLUMNS, result_row, slug
from cogkit.core.study import Study
from cogkit.data import results
from cogkit.data.files import write_whole
from cogkit.stats.intervals import mean_interval
from cogkit.study.sitting import SCHEMA, SKIP, Sitting
from cogkit.study.trials import BEGIN, Trials, plain

SOURCE = "web"
PEOPLE = "people, collected"
REASONS = ("simulated", "not finished", "left out by the study")
"""Why a sitting is not counted; the first that applies."""
_ABOUT = ("study", "form", "assigned", "prolific_pid", "study_id", "session_id", "jatos", "simulated")  # of a beginning


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


def counted(trials: pd.DataFrame, sittings: pd.DataFrame) -> pd.DataFrame:
    """Return the trial rows of the sittings that count, see `Collected`."""
    return trials[trials["sitting"].isin(sittings["sitting"][sittings["reason"] == ""])]


def frame(trials: list[dict]) -> pd.DataFrame:
    """Return trial rows as a table, with the types of its columns."""
    table = pd.DataFrame(trials, columns=list(TRIAL_COLUMNS), dtype=object)
    return table.astype({"order": "int64", "seed": "int64", "correct": float, "score": float, "rt_s": float})


class Rows(Trials):
    """Stands in for a database: it keeps the rows of a sitting, with the times of the file."""

    def __init__(self, at: list[str]) -> None:
        self.at = at
        self.rows: list[dict] = []

    def add(self, row: dict) -> None:
        self.rows.append(row | {"at": self.at[len(self.rows)]})


@contextmanager
def _fault(row: Row, field: str) -> Iterator[None]:
    """Tell as one sentence about a field of a row whatever a study says to it: a stranger's file can hold anything."""
    try:
        yield
    except Exception as error:
        reason = error.got if isinstance(error, InputError) else error
        fix = "read it with the version and the files that made the study"
        raise InputError(f"one for {field} {row.place} ({reason})", "what the study shows, or takes", fix) from None


def sat(rows: list[Row], source: str = SOURCE) -> tuple[Sitting, list[dict]]:
    """Return one sitting, run again with the same answers, and its rows; each answer is checked.

    ``source`` is that of its rows.
    """
    start, *answers = rows = _once(rows)
    first, extra = start.fields, start.fields["extra"]
    store = Rows([row.fields["at"] for row in rows])
    with _fault(start, "'order' in"):
        if first["item"] != BEGIN or [row.fields["order"] for row in rows] != list(range(len(rows))):
            raise ValueError("with gaps, or not the beginning first")
    with _fault(start, "'response' in"):
        study = _study(first, source)
    with _fault(start, "'extra' in"):
        if (schema := extra.get("schema", 1)) not in range(1, SCHEMA + 1):
            raise ValueError(f"schema {schema!r}, which a newer version reads")
        sitting = Sitting(
            study, store, *(first[name] for name in ("sitting", "who", "seed", "response")), schema=schema
        )
        order, n = extra["order"], len(sitting.items)
        if {*map(type, order)} != {int} or len({*order}) != len(order) or not {*order} <= {*range(n)}:
            raise ValueError(f"an order of numbers from 0 to {n - 1}, each number once, is wanted")
        same_items(str(extra.get("items", "")), sitting.item_set)
    sitting.order = tuple(order)
    sitting.store_beginning()
    about = {name: extra[name] for name in _ABOUT if name in extra}
    store.rows[0]["extra"] = {key: value for key, value in store.rows[0]["extra"].items() if key != "notebook"} | about
    for row in answers:
        _repeat(sitting, store, row, named=source == SOURCE)
    return sitting, store.rows


def _once(rows: list[Row]) -> list[Row]:
    """Return the rows in order. A row that a host has twice must be the same both times."""
    by_order: dict[int, Row] = {}
    for row in sorted(rows, key=lambda row: row.fields["order"]):
        other = by_order.setdefault(row.fields["order"], row)
        with _fault(row, "'order' in"):
            if other.fields != row.fields:
                raise ValueError(f"{other.place} has it too, and they are two which differ")
    return list(by_order.values())


def is_of_a_study(row: Mapping[str, Any]) -> bool:
    """Return whether a stored first row tells which study it is of."""
    with suppress(InputError, KeyError, TypeError, ValueError, AttributeError):
        return registry.instruments()[row["instrument"]].study(row) is not None
    return False


def _study(first: Mapping[str, Any], source: str) -> Study:
    """Return the study of a sitting as its beginning tells it."""
    row = {"response": first["response"], "extra": first["extra"], "profile": str(first["response"]).partition("/")[0]}
    study = registry.instruments()[first["instrument"]].study(
        row | {"source": "sitting" if source == SOURCE else source}
    )
    if study is None:
        raise ValueError(f"no beginning of a study of {first['instrument']}")
    return replace(study, source=source)


def _repeat(sitting: Sitting, store: Rows, row: Row, named: bool) -> None:
    """Give a sitting the answer of a row, after a check that it is one to what is in view.

    ``named`` says that rows call each item as the sitting does; else they may have the study's own names. The row may
    not say something else than the study about what was shown, such as another board.
    """
    fields, page, sitting.pending = row.fields, sitting.page, False
    view = "" if sitting.finished or page else sitting.presentation.name
    with _fault(row, "'item' in"):
        if sitting.finished:
            raise ValueError(f"after the last {'try of practice' if sitting.failed else 'item'}")
        name = page.name if page else SKIP if fields["item"] == SKIP else view
        if fields["item"] != name and (named or page):
            raise ValueError(f"{fields['item']!r} where {name!r} is wanted")
    with _fault(row, "'response' in"):
        if page:
            sitting.next(fields["rt_s"])
        elif fields["item"] == SKIP:
            sitting.skip()
        else:
            sitting.answer(_response(fields["response"], sitting), fields["rt_s"], _confidence(fields["extra"]))
    sitting.pending, stored = False, store.rows[-1]
    with _fault(row, "'item' in"):
        if fields["item"] not in (stored["item"], view):
            raise ValueError(f"{fields['item']!r} where {stored['item']!r} is wanted")
    for name, value in fields["extra"].items():
        with _fault(row, f"{name!r} in the extra of"):
            if stored["extra"].get(name, value) != value:
                raise ValueError(f"{str(value)[:40]!r} where {str(stored['extra'][name])[:40]!r} is wanted")


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
        table = registry.instruments()[name].people(part.reset_index(drop=True))
        if table is None:
            continue
        records += table.to_dict("records")
        keys = ["profile", "task", "metric", "inputs"]
        for (profile, task, metric, inputs), people in table.groupby(keys, sort=False):
            values = people["value"].dropna()
            if values.empty:
                continue
            limits = mean_interval(values) if len(values) > 1 else None
            who = {"who": PEOPLE, "kind": "person", "inputs": inputs, "supervision": ""}
            row = result_row(who, task, metric, values.mean(), len(values), limits, "95% t, people", SOURCE)
            records.append(row | {"cell": f"{name}/collected/{task}", "instrument": name, "profile": profile})
    return results.table([{"preset": "lab", "seed": 0} | row for row in records])


def write(collected: Collected, folder: Path) -> None:
    """Write trials, sittings and result rows as tables, and the trials as a database that notebooks can open."""
    trials = collected.trials.copy()
    store = Trials(folder / "trials.sqlite")
    for _, rows in collected.trials.groupby("sitting", sort=False):
        store.replace([plain(row) for row in rows.to_dict("records")])
    trials["response"] = [None if response is None else str(response) for response in trials["response"]]
    trials["extra"] = [json.dumps(extra, ensure_ascii=False, default=str) for extra in trials["extra"]]
    tables = {"trials": trials, "sittings": collected.sittings, "rows": collected.rows}
    for name, table in tables.items():
        write_whole(folder / f"{name}.csv", table.to_csv(index=False).encode(), alone=True)
    write_whole(folder / "trials.parquet", trials.to_parquet(index=False), alone=True)


def show(rows: pd.DataFrame, name: str) -> None:
    """Let the notebooks show all people of result rows together under a name; nothing happens without one."""
    if name:
        results.show_people(rows[rows["who"] == PEOPLE], name)


def checked_name(text: str) -> str:
    """Return a name for people, or "" for none; `InputError` if no folder can be called so.

    Examples
    --------
    >>> checked_name("our students")
    'our students'
    """
    if text and (not slug(text) or len(text) > 60 or not text.isprintable()):
        raise InputError(f"{text[:40]!r} as a name", "a short name with letters or digits")
    return text
