"""The trials database: every click of every sitting as one row and one commit, in one SQLite file.

The first row of a sitting, with order 0, is its beginning: item ``begin``, response the condition. The other rows are
answers.
"""

from __future__ import annotations

import json
import math
import numbers
import os
import re
import secrets
import sqlite3
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from cogkit.core import presets
from cogkit.core.errors import InputError
from cogkit.core.records import KINDS, TRIAL_COLUMNS
from cogkit.data import database, readers
from cogkit.data.files import write_whole
from cogkit.data.home import home, private

BEGIN = "begin"
READ = "read"  # the response in the row of a page that was read
SKIP = "skip"  # the item in the row of practice that was left before it was passed
VERSION = 1
_APPLICATION = int.from_bytes(b"cogk", "big")
_FORMULA = re.compile(r"[=+@\t\r\n]|-(?![\d.]+(e[-+]?\d+)?\Z)")  # how a cell begins that a spreadsheet would run
_WANTED, _FIX = "a cogkit trials database", "move the file away, or set COGKIT_HOME to another folder"


class _Kind(NamedTuple):
    """The type of a column in SQL, in pandas, and in the words of an error."""

    sql: str
    dtype: str
    wanted: str


_TEXT = _Kind("TEXT NOT NULL", "str", "text")
_WHOLE = _Kind("INTEGER NOT NULL", "int64", "a whole number below 2^63")
_NUMBER = _Kind("REAL", "float64", "a finite number or None")
_ANSWER = _Kind("", "object", "a finite number, text or None")
_EXTRA = _Kind("TEXT NOT NULL", "object", "a dict that JSON can hold")
_COLUMNS = dict.fromkeys(TRIAL_COLUMNS, _TEXT) | {
    "order": _WHOLE, "seed": _WHOLE, "correct": _NUMBER, "score": _NUMBER, "rt_s": _NUMBER,
    "response": _ANSWER, "extra": _EXTRA,
}  # fmt: skip
_READABLE = " AND ".join(f"typeof(\"{name}\") = 'text'" for name, kind in _COLUMNS.items() if kind is _TEXT)


def now() -> str:
    """Return the time in the form of the column ``at``: ISO 8601, UTC, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Trials:
    """The trials in one database file; any number of kernels can share it safely.

    A connection lasts one call, so threads and forks are safe and nothing has to be closed. The journal is SQLite's
    default one, because the write-ahead log fails on network drives. When `add` returns, its row is on the disk.

    Parameters
    ----------
    path : str or Path, optional
        The file, made if missing; ``trials.sqlite`` in the reader's `home` by default.

    Raises
    ------
    InputError
        The file is not a trials database, has another version, or cannot be read; it is not changed.

    Examples
    --------
    >>> import tempfile
    >>> Trials(Path(tempfile.mkdtemp()) / "trials.sqlite").frame().shape
    (0, 17)
    """

    def __init__(self, path=None) -> None:
        self.path = Path(path).absolute() if path else home() / "trials.sqlite"
        if self.path.exists() and self.path.stat().st_size:
            readers.regular(self.path, None, _WANTED)
            database.identify(self.path, _APPLICATION, VERSION, _WANTED, _FIX)
        columns = ", ".join(f'"{name}" {kind.sql}' for name, kind in _COLUMNS.items())
        table = f'CREATE TABLE IF NOT EXISTS trials ({columns}, PRIMARY KEY (sitting, "order"))'
        database.create(self.path, (table,), _APPLICATION, VERSION, "a trials database that works")
        if path is None:
            private(self.path)

    def add(self, row: dict) -> None:
        """Write a row to the disk; a faulty row is refused before anything is written.

        Parameters
        ----------
        row : dict
            All of ``TRIAL_COLUMNS`` and nothing else. ``correct``, ``score`` and ``rt_s`` are numbers or
            None, ``response`` a number, text or None, ``extra`` a dict.

        Raises
        ------
        InputError
            A column is missing, unknown or of the wrong kind; the sitting already has a row of this order, or it was
            deleted.
        """
        values = self.values(row)
        # A window may still hold a sitting that was deleted: no row may come back without its beginning.
        insert = f"INSERT INTO trials SELECT {', '.join('?' * len(values))} WHERE ? = 0 OR EXISTS (SELECT 1 FROM trials"
        with self._connected("rw") as connection:
            try:
                ends = row["order"], row["sitting"]
                added = connection.execute(f"{insert} WHERE sitting = ?)", [*values, *ends]).rowcount
            except sqlite3.IntegrityError:
                got = f"a second row {row['order']} of sitting {row['sitting']}"
                raise InputError(got, "one row an order", "the sitting goes on in another window") from None
        if not added:
            fix = "run the cell again to begin a new sitting"
            raise InputError(f"an answer in sitting {row['sitting']}, which was deleted", "a sitting that exists", fix)

    @staticmethod
    def values(row: dict) -> list:
        """Return a row's values as SQLite stores them; `InputError` if it is faulty."""
        with readers.faults("one", "a trial row of records.TRIAL_COLUMNS"):
            unknown = {*row} - {*TRIAL_COLUMNS}
            if odd := unknown or {*TRIAL_COLUMNS} - {*row}:
                raise ValueError(f"with{' the unknown' if unknown else 'out'} {', '.join(sorted(odd))}")
            return [_value(name, row[name]) for name in TRIAL_COLUMNS]

    def replace(self, rows: Sequence[dict]) -> None:
        """Write all rows of a finished sitting at once, in place of the rows that it has; all of them or none.

        Parameters
        ----------
        rows : sequence of dict
            As for `add`, all of one sitting, which need not have begun here: a model's answers come from elsewhere.

        Raises
        ------
        InputError
            A column of a row is missing, unknown or of the wrong kind.
        """
        values, (sitting,) = [self.values(row) for row in rows], {row["sitting"] for row in rows}
        marks = ", ".join("?" * len(TRIAL_COLUMNS))
        with self._connected("rw") as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DELETE FROM trials WHERE sitting = ?", [sitting])
            for each in values:
                connection.execute(f"INSERT INTO trials VALUES ({marks})", each)
            connection.execute("COMMIT")

    def delete(self, sitting: str | None = None) -> int:
        """Delete all rows of one sitting, or of all sittings, at once or not at all; return how many rows went.

        Parameters
        ----------
        sitting : str, optional
            Its id, as in `sittings`; None deletes every row of the database.

        Raises
        ------
        InputError
            There is no such sitting.
        """
        where, values = ("1", []) if sitting is None else ("sitting = ?", [sitting])
        with self._connected("rw") as connection:
            connection.execute("PRAGMA secure_delete = ON")  # the rows are overwritten, not only forgotten
            gone = connection.execute(f"DELETE FROM trials WHERE {where}", values).rowcount
        if sitting is not None and not gone:
            raise InputError(repr(sitting), f"a sitting in {self.path}", "its sittings() lists them")
        return gone

    def save(self, folder: Path | str = ".") -> list[Path]:
        """Write every row of people to ``my_trials.csv`` and ``my_trials.parquet``, and return the two paths.

        Both hold the columns of `frame`; ``response`` is text there, and ``extra`` is JSON.

        Parameters
        ----------
        folder : path
            An older export in it is replaced.
        """
        table = self.frame(kind="person")
        table["response"] = [None if response is None else str(response) for response in table["response"]]
        table["extra"] = [json.dumps(extra, ensure_ascii=False) for extra in table["extra"]]
        contents = {"csv": spreadsheet(table), "parquet": table.to_parquet(index=False)}
        stem = Path(folder).resolve() / "my_trials"
        return [write_whole(stem.with_suffix(f".{suffix}"), content) for suffix, content in contents.items()]

    def frame(self, **where) -> pd.DataFrame:
        """Return the rows as a table with the columns ``TRIAL_COLUMNS``, oldest first, ``extra`` as dicts.

        Rows that cannot be read are left out; `unreadable` names them.

        Parameters
        ----------
        **where
            Columns and the value that each must have, such as ``instrument="tiles"``.
        """
        for name in where:
            presets.choose(name, TRIAL_COLUMNS, "column")
        rows = [row for row in map(_parsed, self._stored(where)) if row is not None]
        frame = pd.DataFrame(rows, columns=list(TRIAL_COLUMNS), dtype=object)
        return frame.astype({name: kind.dtype for name, kind in _COLUMNS.items()})

    def unreadable(self, **where) -> list[str]:
        """Return the sitting and order of each row that cannot be read: another program, or version, wrote it.

        Parameters
        ----------
        **where
            As for `frame`.
        """
        places = TRIAL_COLUMNS.index("sitting"), TRIAL_COLUMNS.index("order")
        return ["/".join(str(row[place]) for place in places) for row in self._stored(where) if _parsed(row) is None]

    def _stored(self, where: dict) -> list[tuple]:
        """Return the rows that have these values, as they are stored."""
        condition = " AND ".join(f'"{name}" IS ?' for name in where) or "1"
        values = [_value(name, value) for name, value in where.items()]
        columns = ", ".join(f'"{name}"' for name in TRIAL_COLUMNS)
        with self._connected("rw") as connection:
            select = f"SELECT {columns} FROM trials WHERE {condition} ORDER BY rowid"
            return connection.execute(select, values).fetchall()

    def begun(self, sitting: str, **where) -> pd.DataFrame:
        """Return the rows of one sitting, as `frame` does; the first is its beginning.

        Raises
        ------
        InputError
            No sitting of this id has begun here, or one of its rows cannot be read.
        """
        if odd := self.unreadable(sitting=sitting):
            raise InputError(f"the row {odd[0]}, which cannot be read", "rows as this version stores them")
        rows = self.frame(sitting=sitting, **where)
        if rows.empty or rows["item"].iloc[0] != BEGIN:
            fix = "its sittings() lists what has begun"
            raise InputError(repr(sitting), f"a sitting that began in {self.path}", fix)
        return rows

    def sittings(self) -> pd.DataFrame:
        """Return one row per sitting, oldest first: who, condition, when, how many answers, their score."""
        texts = ["sitting", "who", "kind", "instrument", "began", "last"]
        names = [*texts[:4], "condition", *texts[4:], "answers", "score"]
        # by place, not by time: clocks can be set back
        at = f'SELECT at FROM trials WHERE sitting = every.sitting AND {_READABLE} ORDER BY "order"'
        with self._connected("rw") as connection:
            rows = connection.execute(
                "SELECT sitting, who, kind, instrument, max(CASE WHEN item = ?1 THEN response END),"
                f" ({at} LIMIT 1), ({at} DESC LIMIT 1), sum(item NOT IN (?1, ?2) AND response <> ?3), total(score)"
                f" FROM trials AS every WHERE {_READABLE} GROUP BY sitting ORDER BY min(rowid)",
                [BEGIN, SKIP, READ],
            ).fetchall()
        table = pd.DataFrame(rows, columns=names, dtype=object)
        return table.astype(dict.fromkeys(texts, "str") | {"answers": "int64", "score": "float64"})

    def _connected(self, mode: str) -> AbstractContextManager[sqlite3.Connection]:
        return database.connected(self.path, mode, "a trials database that works")


def spreadsheet(table: pd.DataFrame) -> bytes:
    """Return a table as CSV in which no spreadsheet runs a cell: text that would be a formula begins with ``'``.

    Examples
    --------
    >>> spreadsheet(pd.DataFrame({"name": ["=1+1", "-3", "Ada"], "n": [-3, 0, 1]})).decode().splitlines()
    ['name,n', "'=1+1,-3", '-3,0', 'Ada,1']
    """
    texts = table[[name for name, kind in table.dtypes.items() if not pd.api.types.is_numeric_dtype(kind)]]
    safe = texts.map(lambda text: f"'{text}" if isinstance(text, str) and _FORMULA.match(text) else text)
    return table.assign(**safe).to_csv(index=False, lineterminator="\r\n").encode()


def unescaped(text: str) -> str:
    """Return a cell as it was before `spreadsheet` wrote it."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text


def plain(row: dict) -> dict:
    """Return a row of `Trials.frame` as `Trials.add` and JSON take it: a missing number is None.

    Examples
    --------
    >>> plain({"item": "a", "correct": 1.0, "score": float("nan"), "rt_s": None})
    {'item': 'a', 'correct': 1.0, 'score': None, 'rt_s': None}
    """
    return row | {name: None if pd.isna(row[name]) else row[name] for name in ("correct", "score", "rt_s")}


def pseudonym() -> str:
    """Return the reader's pseudonym: eight random hex digits, drawn once and stored in `home`.

    Examples
    --------
    >>> pseudonym() == pseudonym()
    True
    """
    path = home() / "pseudonym"
    if not path.exists():
        draft = path.with_name(f"pseudonym-{secrets.token_hex(4)}")
        write_whole(draft, secrets.token_hex(4).encode())
        private(draft)
        with suppress(FileExistsError):  # another kernel was first; linking never replaces a file
            os.link(draft, path)
        draft.unlink()
    name = readers.text(path, 200).strip()
    if not name or not name.isprintable():
        raise InputError(f"{path} with {name!r}", "a pseudonym in it", "delete the file to get a new one")
    return name


def _value(name: str, value):
    """Return a value as SQLite stores it in a column, or raise `InputError` if it has the wrong type."""
    kind = _COLUMNS[name]
    if kind in (_WHOLE, _ANSWER) and isinstance(value, numbers.Integral) and -(2**63) <= int(value) < 2**63:
        return int(value)
    if kind in (_NUMBER, _ANSWER) and isinstance(value, numbers.Real | np.bool_) and math.isfinite(value):
        return float(value)
    if kind in (_NUMBER, _ANSWER) and value is None:
        return None
    if kind in (_TEXT, _ANSWER) and isinstance(value, str):
        return presets.choose(value, KINDS, "kind of player") if name == "kind" else value
    if kind == _EXTRA and isinstance(value, dict):
        with suppress(TypeError, ValueError):
            return json.dumps(value, allow_nan=False, ensure_ascii=False, default=np.generic.item)
    raise InputError(f"{value!r} for {name!r}", kind.wanted)


def _parsed(stored: tuple) -> list | None:
    """Return a stored row with its ``extra`` as a dict, or None if a column does not hold what it should."""
    row = dict(zip(TRIAL_COLUMNS, stored, strict=True))
    with suppress(InputError, TypeError):
        row["extra"] = readers.parsed(row["extra"])
        return [value if name == "extra" else _value(name, value) for name, value in row.items()]
    return None
