"""The results that come with the package: one sorted table and one file of manifests an instrument.

``results.csv`` is written as a printed table is: where the next row of a run has the same text or whole number, its
field is empty, and an empty text is ``-``. So a changed row is a changed line, and the file is a third as large.
``manifests.json`` has one manifest a line, after the sets of versions that they name by hash. Both are in the order of
cell, profile, preset and seed, which name a run; the rows of a run are in its own order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pandas as pd

from cogkit.core.errors import InputError
from cogkit.core.identity import config_hash
from cogkit.core.records import PLACE, RESULT_COLUMNS, Manifest
from cogkit.data import readers, rows
from cogkit.data.files import write_whole

_COLUMNS = [name for name in RESULT_COLUMNS if name not in ("instrument", *PLACE)]  # which follow from cell and task
_NAMES = [name for name in _COLUMNS if name not in rows.NUMBERS]  # in which an empty field repeats the one above
_NONE = "-"


class _Manifests(msgspec.Struct, forbid_unknown_fields=True):
    """What the file of manifests holds."""

    versions: dict[str, dict[str, str]]
    runs: list[dict[str, Any]]


class Shipped:
    """The results in one folder, in ``results.csv`` and ``manifests.json``; a missing folder has none.

    Examples
    --------
    >>> import tempfile
    >>> Shipped(tempfile.mkdtemp()).load().shape
    (0, 19)
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def load(self, **filters: Any) -> pd.DataFrame:
        """Return the rows of every run as one table; ``filters`` are columns and the value that each must have.

        Raises
        ------
        InputError
            A filter is no column, or the files are broken.
        """
        return rows.matching(self._read()[0], filters).astype(rows.DTYPES)

    def manifests(self) -> list[Manifest]:
        """Return the manifest of every run."""
        path = self.folder / "manifests.json"
        if not path.exists():
            return []
        held = readers.json(path, _Manifests)
        with readers.faults(path, "the manifests of runs, and the versions that they name"):
            runs = [fields | {"versions": held.versions[fields["versions"]]} for fields in held.runs]
            return [readers.record(Manifest, fields, f"{path}") for fields in runs]

    def read(self, cell: str, profile: str, preset: str, seed: int) -> tuple[Manifest, list[dict]] | None:
        """Return the manifest and the rows of a run, or None if it is not there."""
        return next(self.runs(cell=cell, profile=profile, preset=preset, seed=seed), None)

    def runs(self, **filters: Any) -> Iterator[tuple[Manifest, list[dict]]]:
        """Yield the manifest and the rows of every run; see `load`."""
        table, manifests = self._read()
        for run, part in rows.matching(table, filters).astype(rows.DTYPES).groupby(rows.RUN, sort=False):
            yield manifests[run], [rows.checked(row) for row in part.to_dict("records")]

    def write(self, runs: Iterable[tuple[Manifest, Iterable[Mapping[str, Any]]]]) -> Path:
        """Add runs, each in place of the one of the same cell, profile, preset and seed; return the table's file."""
        added = {rows.run_of(manifest): (manifest, [*its_rows]) for manifest, its_rows in runs}
        table, manifests = self._read()
        is_old = [run in added for run in table[rows.RUN].itertuples(index=False, name=None)]
        fresh = [
            {name: rows.rounded(value) for name, value in rows.checked(rows.known(manifest) | dict(row)).items()}
            for manifest, its_rows in added.values()
            for row in its_rows
        ]
        whole = pd.concat([table[~np.array(is_old, bool)].astype(rows.DTYPES), rows.table(fresh)])
        keys = whole[rows.RUN].assign(cell=whole.cell.str.split("/").map(tuple))
        whole = whole.iloc[sorted(range(len(whole)), key=[*keys.itertuples(index=False, name=None)].__getitem__)]
        manifests = manifests | {run: manifest for run, (manifest, _) in added.items()}
        ordered = [manifests[run] for run in sorted(manifests, key=lambda run: (run[0].split("/"), *run[1:]))]
        versions = {config_hash(manifest.versions): manifest.versions for manifest in ordered}
        named = ",\n".join(f"{_json(name)}:{_json(versions[name])}" for name in sorted(versions))
        lines = ",\n".join(_json(asdict(each) | {"versions": config_hash(each.versions)}) for each in ordered)
        content = f'{{"versions":{{\n{named}\n}},"runs":[\n{lines}\n]}}\n'
        write_whole(self.folder / "manifests.json", content.encode())
        return write_whole(self.folder / "results.csv", _printed(whole).encode())

    def _read(self) -> tuple[pd.DataFrame, dict[tuple, Manifest]]:
        """Return what the two files hold, of the same runs."""
        path, manifests = self.folder / "results.csv", {rows.run_of(run): run for run in self.manifests()}
        table = _table(path) if manifests or path.exists() else rows.table([])
        if amiss := {*table[rows.RUN].drop_duplicates().itertuples(index=False, name=None)} ^ {*manifests}:
            cell, *how = min(amiss)
            got = f"{cell} ({', '.join(map(str, how))}) in only one of results.csv and manifests.json in {self.folder}"
            raise InputError(got, "each run in both", "ship it again")
        return table, manifests


def _table(path: Path) -> pd.DataFrame:
    """Return the rows in a file; names are categories, which take a tenth of the memory of texts."""
    with readers.faults(path, "a table of results", "take it from the repository again"):
        kinds = dict.fromkeys(_NAMES, "category") | dict.fromkeys(rows.NUMBERS, "str")
        table = pd.read_csv(readers.regular(path), dtype=kinds)[_COLUMNS]
        for name in _NAMES:
            value = int if name in rows.WHOLE else lambda text: "" if text == _NONE else text
            table[name] = table[name].ffill().cat.rename_categories(value)
        table["instrument"] = table.cell.map(lambda cell: cell.split("/")[0]).astype("category")
        table = rows.placed(table).astype(dict.fromkeys(PLACE, "category"))
        return table[list(RESULT_COLUMNS)].astype(dict.fromkeys(rows.NUMBERS, "float64"))


def _printed(table: pd.DataFrame) -> str:
    """Return rows as CSV in which a text or a whole number that is the same as in the run's row above is left out."""
    text = table[_COLUMNS].astype({name: str for name in _NAMES})
    text[_NAMES] = text[_NAMES].replace("", _NONE)
    is_first = (text[rows.RUN] != text[rows.RUN].shift()).any(axis=1)
    repeated = (text[_NAMES] == text[_NAMES].shift()).mul(~is_first, axis=0)
    text[_NAMES] = text[_NAMES].mask(repeated, "")
    return text.to_csv(index=False, lineterminator="\n")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
