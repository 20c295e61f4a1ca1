"""Sittings that come from files, sat again: each answer is checked, and scored here and not by the file.

What comes of it is the same for a study on the web and for the hand-ins of a class.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
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
    if (schema := first["extra"].get("schema", 1)) not in range(1, SCHEMA + 1):
        raise InputError(f"{schema!r} for 'schema' in {start.place}", f"1 to {SCHEMA}", "read it with a newer version")
    store = Rows([row.fields["at"] for row in rows])
    about = (first[name] for name in ("sitting", "who", "seed", "response"))
    sitting = Sitting(_study(start, source), store, *about, schema=schema)
    order, n = first["extra"].get("order"), len(sitting.items)
    if not isinstance(order, list) or not {int} >= set(map(type, order)) or not set(order) <= set(range(n)):
        raise InputError(f"{str(order)[:60]} for 'extra', its order, in {start.place}", f"numbers from 0 to {n - 1}")
    if len(set(order)) != len(order) or not order:
        raise InputError(f"{str(order)[:60]} for 'extra', its order, in {start.place}", "one or more, each number once")
    same_items(
        str(first["extra"].get("items", "")),
        sitting.item_set,
        fix="read it with the version that made the study, and with the files that it had",
    )
    sitting.order = tuple(order)
    sitting.store_beginning()
    about = {name: first["extra"][name] for name in _ABOUT if name in first["extra"]}
    store.rows[0]["extra"] = {key: value for key, value in store.rows[0]["extra"].items() if key != "notebook"} | about
    for row in answers:
        item_name = "" if sitting.finished or sitting.page else sitting.presentation.name
        _repeat(sitting, row, named=source == SOURCE)
        _same(row, store.rows[-1], item_name)
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
        instrument = registry.instruments()[row["instrument"]]
        return instrument.study(row) is not None
    return False


def _study(start: Row, source: str) -> Study:
    """Return the study of a sitting as its beginning tells it."""
    instrument = registry.instruments()[start.fields["instrument"]]
    row = {
        "response": start.fields["response"],
        "extra": start.fields["extra"],
        "source": "sitting" if source == SOURCE else source,
    }
    row["profile"] = str(start.fields["response"]).partition("/")[0]
    study = None
    try:
        study = instrument.study(row)
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


def _same(row: Row, stored: dict, item_name: str) -> None:
    """Raise `InputError` if a row says something else than the study about what was shown, such as another board.

    ``item_name`` is the sitting's name of what was shown; ``stored`` has the study's own.
    """
    fix = "read it where the same items are at hand as when it was made"
    if row.fields["item"] not in (stored["item"], item_name):
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
            common = {
                "cell": f"{name}/collected/{task}",
                "instrument": name,
                "profile": profile,
                "preset": "lab",
                "seed": 0,
            }
            records.append(row | common)
    return results.table(records)


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
