"""What people answered in studies on the web, read back as trial rows.

Every sitting is run again with its answers, so that each answer is checked, and whether it is right is worked out here
and not taken from the file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from cogkit.core import registry
from cogkit.core.errors import InputError, some
from cogkit.data import readers
from cogkit.study import gathering
from cogkit.study.gathering import SOURCE, Collected, Row

ENDINGS = (".json", ".jsonl", ".txt", ".csv")
_NEEDED = ("sitting", "order", "at", "who", "instrument", "item", "response", "rt_s", "seed", "extra")
_NAME = re.compile(r"[\w-]{1,64}", re.ASCII)


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
        sitting, stored = gathering.sat(rows)
        trials += stored
        logs.append(gathering.log(sitting, stored))
    answers, table = gathering.frame(trials), pd.DataFrame(logs)
    return Collected(answers, table, gathering.judged(gathering.counted(answers, table)))


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
        header, *rows = readers.rows(file, "a CSV file as jsPsych saves it") or [[]]
        yield from (dict(zip(header, row, strict=False)) for row in rows if row)
        return
    text = readers.text(file).strip()
    lines = text.split("\n")
    # A host that gets row after row, or many people, has a list on each line.
    is_lines = len(lines) > 1 and all(line.startswith("[") and line.rstrip().endswith("]") for line in lines if line)
    for number, part in enumerate(lines if is_lines else [text], start=1):
        if part.strip():
            where = f"{file}, line {number}" if is_lines else str(file)
            yield from readers.parsed(part, list[dict[str, Any]], where, "a list of rows in JSON")


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
                return readers.parsed(value) if isinstance(value, str) else value
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
            if name == "instrument" and value in registry.instruments():
                return value
            if name == "response" and isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1000:
                return value
            if name in ("item", "response") and isinstance(value, str) and len(value) <= 200:
                return value
        except (TypeError, ValueError, OverflowError, RecursionError):
            pass
    text = f"{str(value)[:40]!r}" if name in row else "nothing"
    raise InputError(f"{text} for {name!r} in {where}", form)
