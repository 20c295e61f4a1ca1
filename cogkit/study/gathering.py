"""The gate for what people send: find, read, check, merge and write, where each person stands alone.

A study on the web and the hand-ins of a class come this way. Every sitting is sat again with its answers: see
`rescoring`. What does not count is left out with its reason.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import pandas as pd
from msgspec import Meta

from cogkit.core import registry
from cogkit.core.errors import InputError, one_line
from cogkit.core.presets import choose
from cogkit.core.records import TRIAL_COLUMNS, result_row, slug
from cogkit.data import readers, results
from cogkit.data.files import write_whole
from cogkit.stats.intervals import mean_interval
from cogkit.study.rescoring import AGAIN, FREE, REASONS, SOURCE, UNFINISHED, Row, RowFault, rescored
from cogkit.study.trials import Trials, plain, spreadsheet
from cogkit.study.uploads import Upload

PEOPLE = "people, collected"
_FIELD = re.compile(r"\$\.(\w+)|\A'(\w+)': ")
_OURS = re.compile(r"sitting|hand-in")
Name = Annotated[str, Meta(pattern=r"^[A-Z_a-z0-9-]{1,64}\Z")]
"""What people and sittings may be called."""
_Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class _Fields(msgspec.Struct):
    """What is read of a row; in a table every field is text."""

    sitting: Name
    order: _Count
    at: datetime
    who: Name
    instrument: str
    item: Annotated[str, Meta(max_length=200)]
    response: Annotated[int, Meta(ge=0, lt=1000)] | Annotated[str, Meta(max_length=2000)]
    rt_s: Annotated[float, Meta(ge=0, le=1e9)] | None
    seed: _Count
    extra: dict[str, Any]


class LeftOut(NamedTuple):
    """What came and does not count: where it is, whose it is, in which field the fault is, and why."""

    file: str
    line: str = ""
    who: str = ""
    sitting: str = ""
    field: str = ""
    reason: str = ""


class Collected(NamedTuple):
    """What was collected: trial rows, a row for each sitting, result rows of the people who count, and what is left.

    ``sittings`` has the columns sitting, who, instrument, condition, began, last, answers, finished, reason (why it
    is not counted, or empty). ``rows`` are result rows of each person, and of all together as `PEOPLE`. ``left_out``
    has the fields of `LeftOut`; ``passed_over`` has ``file`` and ``reason``: files with nobody's answers, and copies.
    ``notes`` are what else whoever collects must know.
    """

    trials: pd.DataFrame
    sittings: pd.DataFrame
    rows: pd.DataFrame
    left_out: pd.DataFrame
    passed_over: pd.DataFrame
    notes: tuple[str, ...] = ()


SITTINGS = ["sitting", "who", "instrument", "condition", "began", "last", "answers", "finished", "reason"]


class Gate:
    """Takes what people sent, file by file, and keeps account of what does not count and why.

    Attributes
    ----------
    left_out : list of LeftOut
    passed_over : list of (str, str)
        Files, each with its reason.
    notes : list of str
        What else whoever collects must know.
    """

    def __init__(self) -> None:
        self.left_out: list[LeftOut] = []
        self.passed_over: list[tuple[str, str]] = []
        self.notes: list[str] = []
        self._rows: dict[str, dict[str, list[Row]]] = {}  # by sitting and by file

    def add(self, row: Row) -> None:
        """Take a row; its sitting is checked as a whole in `collected`."""
        of_file = self._rows.setdefault(str(row.fields.get("sitting")), {})
        of_file.setdefault(row.file, []).append(row)

    def unreadable(self, upload: Upload) -> None:
        """Take account of a file in which nothing of anybody's was found: there may have been something, or not."""
        is_empty = not (upload.text or upload.fault) and not Path(upload.file).name.startswith(".")
        if is_empty or (upload.fault and (not upload.text or _OURS.search(upload.text))):
            self.left_out.append(LeftOut(upload.file, reason=upload.fault or "it is empty"))
        else:
            self.passed_over.append((upload.file, "nobody's answers are in it"))

    def collected(
        self, source: str = SOURCE, cut: Mapping[str, str] | None = None, items: Mapping[str, Any] | None = None
    ) -> Collected:
        """Sit every sitting again, and return what came of it.

        Parameters
        ----------
        source : str
            `SOURCE`, or "" for rows that keep their own, as in hand-ins.
        cut : mapping of str to str, optional
            Files that end too early, each with its fault. Their whole rows are in; their sittings do not count.
        items : mapping, optional
            Sets of items by their hash, as a study's folder has them.
        """
        trials, logs, used, cut = [], [], set(), dict(cut or {})
        for sitting, by_file in self._rows.items():
            if (rows := self._of_one(sitting, by_file)) is None:
                continue
            try:
                log_row, stored = rescored(rows, source, items)
            except InputError as error:
                row = error.row if isinstance(error, RowFault) else rows[0]
                self._leave(sitting, row, row.fault or str(error))
                continue
            files = {row.file for row in rows}
            used |= files
            if files <= cut.keys() and log_row["reason"] != FREE:
                log_row["reason"] = UNFINISHED
            if log_row["reason"] not in ("", FREE):
                self._leave(sitting, rows[0], log_row["reason"])
            trials += stored
            logs.append(log_row)
        whole = {row["sitting"] for row in logs if not row["reason"]}
        for file, fault in cut.items():
            sittings = [sitting for sitting, by_file in self._rows.items() if file in by_file]
            if sittings and whole.issuperset(sittings):
                self.passed_over.append((file, f"{fault}; what is in it is whole in another file"))
            else:
                self.left_out.append(LeftOut(file, reason=f"{fault}; the rows before that are written"))
        if source:
            idle = {file for by_file in self._rows.values() for file in by_file} - used - cut.keys()
            idle -= {row.file for row in self.left_out}
            self.passed_over += [(file, "what is in it is in another file too") for file in sorted(idle)]
        self._count_once(logs)
        table = pd.DataFrame(logs, columns=SITTINGS)
        answers = frame(trials)
        return Collected(
            answers, table, judged(counted(answers, table)), readable(self.left_out, LeftOut._fields),
            readable(self.passed_over, ("file", "reason")), tuple(self.notes),
        )  # fmt: skip

    def _leave(self, sitting: str, row: Row, reason: str) -> None:
        field = next((name for pair in _FIELD.findall(reason) for name in pair if name), "")
        who = str(row.fields.get("who", ""))[:64]
        self.left_out.append(LeftOut(row.file, str(row.line), who, sitting[:64], field, reason))

    def _of_one(self, sitting: str, by_file: Mapping[str, list[Row]]) -> list[Row] | None:
        """Return the rows of one sitting; None if it is left out. Of two files that agree, the longer counts."""
        sound = {file: rows for file, rows in by_file.items() if not any(row.fault for row in rows)}
        if not sound:
            faulty = next(row for rows in by_file.values() for row in rows if row.fault)
            self._leave(sitting, faulty, faulty.fault)
            return None
        versions = {file: {row.fields["order"]: row.fields for row in rows} for file, rows in sound.items()}
        longest = max(versions, key=lambda file: len(versions[file]))
        for orders in versions.values():
            if any(versions[longest].get(order, fields) != fields for order, fields in orders.items()):
                for other, rows in sound.items():
                    beside = ", ".join(name for name in sound if name != other)
                    self._leave(sitting, rows[0], f"the same sitting in {beside}, with other answers")
                return None
        return sound[longest]

    def _count_once(self, logs: list[dict]) -> None:
        """Let the first sitting of each person at a study count, and no second one."""
        seen: dict[tuple, str] = {}
        for row in sorted((row for row in logs if not row["reason"]), key=lambda row: row["began"]):
            first = seen.setdefault((row["who"], row["instrument"], row["study"]), row["sitting"])
            if first != row["sitting"]:
                row["reason"] = AGAIN
                place = next(iter(self._rows[row["sitting"]].values()))[0]
                self._leave(row["sitting"], place, f"{AGAIN}: {first}")


def readable(rows: Iterable[Iterable[Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Return a table; a text in it may be the name of a file, or of a stranger, and have half a surrogate."""
    table = [[_text(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    return pd.DataFrame(table, columns=list(columns))


def _text(text: str) -> str:
    return text.encode(errors="replace").decode()


def counted(trials: pd.DataFrame, sittings: pd.DataFrame) -> pd.DataFrame:
    """Return the trial rows of the sittings that count, see `Collected`."""
    return trials[trials["sitting"].isin(sittings["sitting"][sittings["reason"] == ""])]


def frame(trials: list[dict]) -> pd.DataFrame:
    """Return trial rows as a table, with the types of its columns."""
    table = pd.DataFrame(trials, columns=list(TRIAL_COLUMNS), dtype=object)
    return table.astype({"order": "int64", "seed": "int64", "correct": float, "score": float, "rt_s": float})


def checked(fields: Mapping[str, Any], place: str, file: str, line: int, whole: bool = False) -> Row:
    """Return a row of a file with the right types, or with its fault.

    ``whole`` says that it is a trial row, of which every column is kept; else all else may be a host's own.
    """
    row = dict(fields)
    try:
        with readers.faults(place, "a row as a study stores it"):
            if isinstance(row.get("extra"), str):
                row["extra"] = readers.parsed(row["extra"])
            if row.get("rt_s") == "":
                row["rt_s"] = None
            held = msgspec.structs.asdict(msgspec.convert(row, _Fields, strict=False))
            choose(held["instrument"], registry.instruments(), "instrument")
            texts = [held[name] for name in ("rt_s", "item", "response", "extra")]
            json.dumps(texts, allow_nan=False, ensure_ascii=False).encode()  # half a surrogate is no text
            if held["instrument"] == "tiles" and str(held["response"]).isdecimal():
                held["response"] = int(held["response"])  # in a table a number is text
            held["at"] = held["at"].astimezone(UTC).isoformat(timespec="milliseconds")
            if whole:
                Trials.values(held := row | held)
    except InputError as error:
        reason = error.got[len(place) :].strip(" ()") if error.got.startswith(place) else str(error)
        reason = re.sub(r"Expected `str` matching regex '.*'", "Expected 1 to 64 of A-Z, a-z, 0-9, - and _", reason)
        return Row(place, row, file, line, reason)
    return Row(place, held, file, line)


def judged(trials: pd.DataFrame) -> pd.DataFrame:
    """Return result rows of each person, and of all people of a task together, with Student's interval over people."""
    records: list[dict] = []
    for name, part in trials.groupby("instrument", sort=False):
        table = registry.instruments()[name].people(part.reset_index(drop=True))
        if table is None:
            continue
        records += table.to_dict("records")
        pairs = zip(table["cell"], table["task"], strict=True)
        table = table.assign(apart=[cell.partition(f"/person/{task}")[2] for cell, task in pairs])  # from the study
        keys = ["profile", "task", "metric", "inputs", "apart"]
        for (profile, task, metric, inputs, apart), people in table.groupby(keys, sort=False):
            values = people["value"].dropna()
            if values.empty:
                continue
            limits = mean_interval(values) if len(values) > 1 else None
            who = {"who": PEOPLE, "kind": "person", "inputs": inputs, "supervision": ""}
            row = result_row(who, task, metric, values.mean(), len(values), limits, "95% t, people", SOURCE)
            records.append(row | {"cell": f"{name}/collected/{task}{apart}", "instrument": name, "profile": profile})
    return results.table([{"preset": "lab", "seed": 0} | row for row in records])


def write(collected: Collected, folder: Path) -> None:
    """Write trials, sittings, result rows and what is left out as tables, and the trials as a database too."""
    trials = collected.trials.copy()
    store = Trials(folder / "trials.sqlite")
    for _, rows in collected.trials.groupby("sitting", sort=False):
        store.replace([plain(row) for row in rows.to_dict("records")])
    trials["response"] = [None if response is None else str(response) for response in trials["response"]]
    trials["extra"] = [json.dumps(extra, ensure_ascii=False, default=str) for extra in trials["extra"]]
    tables = {"trials": trials, "sittings": collected.sittings, "rows": collected.rows, "left_out": collected.left_out}
    for name, table in tables.items():
        write_whole(folder / f"{name}.csv", spreadsheet(table), alone=True)
    write_whole(folder / "trials.parquet", trials.to_parquet(index=False), alone=True)


def account(collected: Collected, verbose: bool) -> int:
    """Print what did not count, and return the exit code: 0 if everything did, else 1."""
    lines = [f"passed over: {file}: {reason}" for file, reason in collected.passed_over.itertuples(index=False)]
    count = len(lines)
    lines = lines * verbose + [f"{count} files passed over: --verbose lists them"] * (count > 0 and not verbose)
    lines += collected.notes
    left = collected.left_out
    if len(left):
        lines += [f"left out: {name}" for name in map(_in_words, left.head(20).itertuples(index=False))]
        lines.append(f"{len(left)} left out; left_out.csv says which, where and why")
    print(*lines, sep="\n", end="\n" * bool(lines))
    return int(len(left) > 0)


def is_faulty(collected: Collected) -> bool:
    """Return whether anything is wrong with what came, and print it: whoever wants no fault then writes nothing.

    Whoever did not finish, or came twice, is left out without a fault.
    """
    left = collected.left_out
    usual = left["reason"].isin(REASONS) | left["reason"].str.startswith(AGAIN)
    faults = [_in_words(row) for row in left[~usual].itertuples(index=False)]
    if faults:
        print(*faults, "cogkit: nothing was written", sep="\n", file=sys.stderr)
    return bool(faults)


def _in_words(row: Any) -> str:
    place = f"{row.file}, line {row.line}" if row.line else row.file
    return one_line(f"{place}: {f'sitting {row.sitting}: ' if row.sitting else ''}{row.reason}")


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
