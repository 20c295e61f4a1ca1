"""Result rows: each is checked, numbers are rounded to what is compared, and many are one table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import numpy as np
import pandas as pd

from cogkit.core import presets, registry
from cogkit.core.records import KINDS, PLACE, RESULT_COLUMNS, Manifest
from cogkit.data import readers

NUMBERS = ("value", "low", "high")
WHOLE = ("seed", "n")
RUN = ["cell", "profile", "preset", "seed"]  # by which a run is known
DTYPES = dict.fromkeys(RESULT_COLUMNS, "str") | dict.fromkeys(NUMBERS, "float64") | dict.fromkeys(WHOLE, "int64")
_TYPES: dict[str, Any] = {name: int | float | None for name in NUMBERS} | {name: int for name in WHOLE}
_FIELDS: list[Any] = [(name, _TYPES.get(name, str)) for name in RESULT_COLUMNS if name not in PLACE]
_FIELDS += [(name, str, "") for name in PLACE]  # they follow from the others
_Row = msgspec.defstruct("Row", _FIELDS, forbid_unknown_fields=True)


def table(rows: Iterable[Mapping[str, Any]], **shared) -> pd.DataFrame:
    """Return result rows as a table with the columns ``RESULT_COLUMNS``.

    ``shared`` are the fields that the rows lack, because they are the same in all. A table without a row has columns
    of the same types as any other, so that tables can be put together without a look at what they hold.

    Examples
    --------
    >>> table([], preset="lab")[["seed", "value"]].dtypes.astype(str).tolist()
    ['int64', 'float64']
    """
    whole = pd.DataFrame(list(rows), columns=list(RESULT_COLUMNS), dtype=object).assign(**shared)
    return placed(whole).astype(DTYPES)


def placed(rows: pd.DataFrame) -> pd.DataFrame:
    """Return result rows with their split and their rung, which the instrument gives by cell and task."""
    keys = [*zip(rows.instrument, rows.cell, rows.task, strict=True)]
    places = {key: registry.place(*key) for key in set(keys)}
    return rows.assign(**{name: [places[key][k] for key in keys] for k, name in enumerate(PLACE)})


def matching(rows: pd.DataFrame, filters: Mapping[str, Any]) -> pd.DataFrame:
    """Return the rows that have a value in each of these columns; raise `InputError` if a filter is no column."""
    for name, value in filters.items():
        rows = rows[rows[presets.choose(name, RESULT_COLUMNS, "column")] == value]
    return rows.reset_index(drop=True)


def run_of(manifest: Manifest) -> tuple[str, str, str, int]:
    """Return the cell, profile, preset and seed of a run."""
    return manifest.cell, manifest.profile, manifest.preset, manifest.seed


def known(manifest: Manifest) -> dict:
    """Return the fields of a row that stand in the manifest of its run."""
    return {"instrument": manifest.cell.split("/")[0]} | dict(zip(RUN, run_of(manifest), strict=True))


def checked(row: Mapping[str, Any]) -> dict:
    """Return a row in the order of the columns with NaN as None, or raise `InputError`."""
    plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in row.items()}
    with readers.faults("one", "a row of records.RESULT_COLUMNS"):
        fields = msgspec.structs.asdict(msgspec.convert(plain, _Row))
    fields |= dict(zip(PLACE, registry.place(fields["instrument"], fields["cell"], fields["task"]), strict=True))
    fields = {name: fields[name] for name in RESULT_COLUMNS}
    presets.choose(fields["kind"], KINDS, "kind of player")
    for name in NUMBERS:
        fields[name] = fields[name] if fields[name] is not None and math.isfinite(fields[name]) else None
    return fields


def rounded(value: Any) -> Any:
    """Return a number rounded to ten digits, the precision of comparisons; return other values unchanged."""
    return float(f"{value:.10g}") if isinstance(value, float) else value
