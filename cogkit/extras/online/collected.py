"""What people answered in studies on the web, read back as trial rows.

Every sitting is run again with its answers, so that each answer is checked, and whether it is right is worked out here
and not taken from the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pandas as pd
from msgspec import Meta

from cogkit.core import registry
from cogkit.core.errors import InputError
from cogkit.core.presets import choose
from cogkit.data import readers
from cogkit.study import gathering
from cogkit.study.gathering import SOURCE, Collected, Row

ENDINGS = (".json", ".jsonl", ".txt", ".csv")
_Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z")]
_Text = Annotated[str, Meta(max_length=200)]
_Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class _Fields(msgspec.Struct):
    """What is read of a row; in CSV every field is text."""

    sitting: _Name
    order: _Count
    at: datetime
    who: _Name
    instrument: str
    item: _Text
    response: Annotated[int, Meta(ge=0, lt=1000)] | _Text
    rt_s: Annotated[float, Meta(ge=0, le=1e9)] | None
    seed: _Count
    extra: dict[str, Any]


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
    if not path.is_dir():
        return [path]
    return sorted(child for child in path.rglob("*") if child.suffix in ENDINGS and child.is_file()) or [path]


def _read(file: Path) -> list[Row]:
    """Return the rows of studies in a file; other rows, such as a host's own, are passed over."""
    rows = []
    for number, row in enumerate(_raw(file), start=1):
        if row.get("source") == SOURCE and "sitting" in row:
            rows.append(_row(row, f"row {number} of {file}"))
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


def _row(row: dict, place: str) -> Row:
    """Return a row with the right types."""
    with readers.faults(place, "a row as the page of a study stores it"):
        if isinstance(row.get("extra"), str):
            row["extra"] = readers.parsed(row["extra"])
        if row.get("rt_s") == "":
            row["rt_s"] = None
        fields = msgspec.convert(row, _Fields, strict=False)
        choose(fields.instrument, registry.instruments(), "instrument")
        at = fields.at.astimezone(UTC).isoformat(timespec="milliseconds")
        return Row(place, msgspec.structs.asdict(fields) | {"at": at})
