"""Sittings that come from files, sat again: each answer is checked, and scored here and not by the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, NamedTuple

from cogkit.core import registry
from cogkit.core.errors import InputError
from cogkit.core.study import Study
from cogkit.study.sitting import ITEMS, SCHEMA, SHORT, SHORTENED, SKIP, Sitting, shortened, shuffled
from cogkit.study.trials import BEGIN, Trials

SOURCE = "web"
FREE = "not the study"
"""Why a sitting of a class does not count: free play, for example, does not say in its rows which boards were to come.
"""
BLOCKS, _BLOCKS_1_0 = 10, 20
"""Attempts at practice on a page, where the study sets no limit; then it ends. Version 1.0 allowed 20."""
SIMULATED, PILOT, UNPRACTISED, UNFINISHED, INATTENTIVE = REASONS = (
    "simulated", "pilot", "practice not passed", "not finished", "attention check failed",
)  # fmt: skip
"""Why a sitting is not counted; the first that applies. `who_counts` tells what they mean."""
AGAIN = "an earlier sitting of this person counts"
_ABOUT = (  # what a beginning has of the page
    "study", "form", "assigned", "order_seed", "tries", "whole", "prolific_pid", "study_id", "session_id", "jatos",
    SIMULATED, PILOT,
)  # fmt: skip


class Row(NamedTuple):
    """A row of a file: its place in words, its fields with the right types, its file and line.

    ``fault`` says what is wrong with it, if anything is; then its fields are as they came.
    """

    place: str
    fields: dict[str, Any]
    file: str = ""
    line: int = 0
    fault: str = ""


class Rows(Trials):
    """Stands in for a database: it keeps the rows of a sitting, with the times of the file."""

    def __init__(self, at: list[str]) -> None:
        self.at = at
        self.rows: list[dict] = []

    def add(self, row: dict) -> None:
        self.rows.append(row | {"at": self.at[len(self.rows)]})


class RowFault(InputError):
    """An answer that the study does not take; ``row`` has its place, and the reason in short."""

    def __init__(self, row: Row, field: str, where: str, reason: object) -> None:
        self.row = row._replace(fault=f"{field!r}: {reason}")
        fix = "read it with the version and the files that made the study"
        super().__init__(f"one for {field!r} in {where}{row.place} ({reason})", "what the study shows, or takes", fix)


@contextmanager
def _fault(row: Row, field: str, where: str = "") -> Iterator[None]:
    """Tell as one sentence about a field of a row whatever a study says to it: a stranger's file can hold anything."""
    try:
        yield
    except Exception as error:
        is_known = isinstance(error, InputError | ValueError)
        reason = getattr(error, "got", error) if is_known else f"{row.fields.get(field)!r} is none"
        raise RowFault(row, field, where, reason) from None


def on_a_page(study: Study, tries: int = BLOCKS) -> Study:
    """Return a study as a page has it: each person has an order of their own, and practice ends after some attempts.

    The seed of the order is drawn in the browser.
    """
    practice = study.practice
    if practice and practice.tries is None:
        practice = replace(practice, tries=tries)
    return replace(study, order=study.order or shuffled(study.instrument), practice=practice)


def who_counts(study: Study) -> str:
    """Return in words who of a study on a page does not count: the rules that `log` and `gathering` go by."""
    practice, checks = on_a_page(study).practice, len(study.checks)
    reasons = {
        SIMULATED: "a program answered, because the address had ?simulate in it",
        PILOT: f"it was a pilot, with {SHORT} items of each part",
        UNPRACTISED: practice and f"practice was not passed in {practice.tries} attempts, and the study ended there",
        UNFINISHED: "an item has no answer",
        INATTENTIVE: checks and f"one or more of the {checks} attention checks has a wrong answer",
        AGAIN: "the same person has a finished sitting that began before",
    }
    lines = [f"{reason}: {meaning}." for reason, meaning in reasons.items() if meaning]
    head = "Every finished sitting counts, unless one of these holds. The first that holds is its reason."
    tail = "Whoever does not count stands in left_out.csv with the reason; the answers stay in trials.csv."
    return "\n".join([head, "", *lines, "", tail, ""])


def sat(rows: list[Row], source: str = SOURCE, items: Mapping[str, Any] | None = None) -> tuple[Sitting, list[dict]]:
    """Return one sitting, run again with the same answers, and its rows; each answer is checked.

    The rows are in order, each once; ``source`` is theirs. ``items`` are sets of items by their hash: a sitting that
    had one of them is sat with it, and any other with the items that this computer makes.
    """
    start, *answers = rows
    first, extra = start.fields, start.fields["extra"]
    store = Rows([row.fields["at"] for row in rows])
    with _fault(start, "order"):
        missing = set(range(len(rows))) - {row.fields["order"] for row in rows}
        if first["item"] != BEGIN or missing:
            raise ValueError(f"row {min(missing)} of the sitting is missing" if missing else "it has no beginning")
    with _fault(start, "response"):
        study = _study(first, source)
        if own := (items or {}).get(str(extra.get("items"))):
            study = replace(study, items=lambda condition, seed: own)
    with _fault(start, "extra"):
        if (schema := extra.get("schema", 1)) not in range(1, SCHEMA + 1):
            raise ValueError(f"schema {schema!r}, which a newer version reads")
        sitting = Sitting(
            study, store, *(first[name] for name in ("sitting", "who", "seed", "response")), schema=schema
        )
        order, n = extra["order"], len(sitting.items)
        if {*map(type, order)} != {int} or len({*order}) != len(order) or not {*order} <= {*range(n)}:
            raise ValueError(f"an order of numbers from 0 to {n - 1}, each number once, is wanted")
        if "order_seed" in extra and study.order and order != [*study.order(extra["order_seed"], n)][: len(order)]:
            raise ValueError(f"another order than that of the seed {extra['order_seed']}")
        if (made := str(extra.get("items", ""))) not in ("", sitting.item_set):
            raise ValueError(f"items {made[:40]}, and this computer makes {sitting.item_set}: name the study's folder")
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
        with _fault(row, "order"):
            if other.fields != row.fields:
                raise ValueError(f"{other.place} has it too, and they are two which differ")
    return list(by_order.values())


def rescored(rows: list[Row], source: str, items: Mapping[str, Any] | None = None) -> tuple[dict[str, Any], list[dict]]:
    """Return the log of a sitting, and its rows as the study gives them for the same answers.

    Without a ``source`` they keep their own, and what is no sitting of a study keeps its rows. ``items`` are as in
    `sat`.
    """
    rows = _once(rows)
    first = rows[0].fields
    try:
        sitting, stored = sat(rows, source or first["source"], items)
    except InputError:
        if source or (first["item"] == BEGIN and is_of_a_study(first)):
            raise
        answers = len({row.fields["item"] for row in rows} - {BEGIN})
        return {
            "sitting": first["sitting"], "who": first["who"], "instrument": first["instrument"],
            "condition": str(first["task"]), "began": first["at"], "last": rows[-1].fields["at"], "answers": answers,
            "finished": False, "reason": FREE,
        }, [row.fields for row in rows]  # fmt: skip
    if not source:  # what only the widget knows, such as how many boards a person had seen before
        pairs = zip(rows, stored, strict=True)
        stored = [new | {"extra": old.fields["extra"] | new["extra"]} for old, new in pairs]
    return log(sitting, stored), stored


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
    if source == SOURCE:
        study = on_a_page(study, first["extra"].get("tries", _BLOCKS_1_0))
    if first["extra"].get(PILOT):
        study = shortened(study, first["response"])
    return replace(study, source=source)


def _repeat(sitting: Sitting, store: Rows, row: Row, named: bool) -> None:
    """Give a sitting the answer of a row, after a check that it is one to what is in view.

    ``named`` says that rows call each item as the sitting does; else they may have the study's own names. The row may
    not say something else than the study about what was shown, such as another board.
    """
    fields, page, sitting.pending = row.fields, sitting.page, False
    view = "" if sitting.finished or page else sitting.presentation.name
    with _fault(row, "item"):
        if sitting.finished:
            raise ValueError(f"after the last {'try of practice' if sitting.failed else 'item'}")
        name = page.name if page else SKIP if fields["item"] == SKIP else view
        if fields["item"] != name and (named or page):
            raise ValueError(f"{fields['item']!r} where {name!r} is wanted")
    with _fault(row, "response"):
        if page:
            sitting.next(fields["rt_s"])
        elif fields["item"] == SKIP:
            sitting.skip()
        else:
            sitting.answer(fields["response"], fields["rt_s"], _confidence(fields["extra"]))
    sitting.pending, stored = False, store.rows[-1]
    with _fault(row, "item"):
        if fields["item"] not in (stored["item"], view):
            raise ValueError(f"{fields['item']!r} where {stored['item']!r} is wanted")
    for name, value in fields["extra"].items():
        with _fault(row, name, "the extra of "):
            if stored["extra"].get(name, value) != value:
                raise ValueError(f"{str(value)[:40]!r} where {str(stored['extra'][name])[:40]!r} is wanted")


def _confidence(extra: dict) -> float | None:
    value = extra.get("confidence")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def log(sitting: Sitting, rows: list[dict]) -> dict[str, Any]:
    """Return a row about a sitting, with the reason why it is not counted."""
    study, finished, about = sitting.study, sitting.finished and not sitting.failed, rows[0]["extra"]
    is_wrong = any(row["extra"].get("attention") and not row["correct"] for row in rows[1:])
    flags = (bool(about.get(SIMULATED)), bool(about.get(PILOT)), sitting.failed, not finished, is_wrong)
    return {
        "sitting": sitting.id, "who": sitting.who, "instrument": study.instrument, "condition": sitting.condition,
        "began": rows[0]["at"], "last": rows[-1]["at"], "answers": len(sitting.met), "finished": finished,
        "reason": REASONS[flags.index(True)] if any(flags) else "",
        "study": (about.get("study") or study.phases.get(ITEMS, ITEMS), study.extra.get(SHORTENED)),
    }  # fmt: skip
