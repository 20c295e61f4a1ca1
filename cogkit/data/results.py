"""The result store: one JSON file per run, written in one step; if the file exists, the run is done."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pandas as pd

import cogkit
from cogkit.core import identity, presets, registry
from cogkit.core.errors import InputError
from cogkit.core.records import PLACE, RESULT_COLUMNS, Manifest, slug
from cogkit.data import readers
from cogkit.data.files import write_whole
from cogkit.data.home import home
from cogkit.data.rows import RUN, checked, known, matching, rounded, run_of, table
from cogkit.data.shipping import Shipped

_CELL = re.compile(r"\w[\w.+-]*(/\w[\w.+-]*)*")


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """What a result file holds."""

    manifest: dict[str, Any]
    alike: dict[str, Any]
    columns: list[str]
    rows: list[list[Any]]


def manifest(cell: str, config: Any, profile: str, preset: str, seed: int, seconds: float) -> Manifest:
    """Return the manifest of a run: its config, and the versions, device and commit that it ran on.

    Examples
    --------
    >>> manifest("tiles/random/copy/abstract", {"n": 5}, "verified", "quick", 0, 1.5).config
    {'n': 5}
    """
    items = identity.items_of(cell.split("/")[0], profile, int(seed))
    provenance = (_versions(), device(), float(seconds), commit(), items)
    return Manifest(cell, identity.plain(config), profile, preset, int(seed), *provenance)


@functools.cache
def commit() -> str:
    """Return the git commit of this code, with ``-dirty`` if it was edited; outside a repository, the version."""
    root = Path(__file__).parents[2]
    if (root / ".git").exists():  # an installed copy may lie inside another repository
        command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            return subprocess.check_output(command, stderr=subprocess.DEVNULL, text=True, timeout=10).strip()
    return f"cogkit {cogkit.__version__}"


class Store:
    """The results under one folder, one file for each cell, profile, preset, seed and config hash.

    A file such as ``results/tiles/random/copy/abstract/verified-quick-s0-1a2b3c4d.json`` is written in one
    step and holds ``{"manifest": …, "alike": {…}, "columns": […], "rows": […]}``: one row per line, without values that
    are equal in all rows or stand in the manifest. A sweep can therefore resume after a kill, and needs no lock.

    Examples
    --------
    >>> import tempfile
    >>> Store(tempfile.mkdtemp()).load().shape
    (0, 19)
    """

    def __init__(self, root: str | Path = "results") -> None:
        self.root = Path(root)

    def path(self, cell: str, profile: str, preset: str, seed: int, config: Any) -> Path:
        """Return the path of a run's result, whether the file exists or not."""
        if not _CELL.fullmatch(cell):
            raise InputError(repr(cell), "a cell id of names and slashes, such as tiles/random/copy/abstract")
        name = f"{presets.profile(profile)}-{presets.preset(preset)}-s{int(seed)}"
        return self.root / cell / f"{name}-{identity.config_hash(config)}.json"

    def has(self, cell: str, profile: str, preset: str, seed: int, config: Any) -> bool:
        """Return whether this run is done."""
        return self.path(cell, profile, preset, seed, config).exists()

    def write(self, manifest: Manifest, rows: Iterable[Mapping[str, Any]]) -> Path:
        """Write a run's manifest and rows, and return the file.

        Parameters
        ----------
        rows : iterable of mappings
            The ``RESULT_COLUMNS``; ``cell``, ``instrument``, ``profile``, ``preset`` and ``seed`` come from
            the manifest if a row lacks them. ``value``, ``low`` and ``high`` are numbers or None, stored to ten
            digits; values that are not finite are stored as null. ``interval`` is "" if there is none.

        Raises
        ------
        InputError
            A row has a missing, unknown or wrong field; nothing is written.
        """
        common = known(manifest)
        whole = [checked(common | dict(row)) for row in rows]
        names = [name for name in RESULT_COLUMNS if name not in PLACE]  # which follow from cell and task
        columns = [name for name in names if len({row[name] for row in whole}) != 1]
        alike = {name: rounded(whole[0][name]) for name in names if name not in columns}
        alike = {name: value for name, value in alike.items() if name not in common or common[name] != value}
        head = _text({"manifest": dataclasses.asdict(manifest), "alike": alike, "columns": columns})
        lines = [_text([rounded(row[name]) for name in columns]) for row in whole]
        text = head.removesuffix("}") + ',\n"rows": [\n' + ",\n".join(lines) + "\n]}\n"
        path = self.path(manifest.cell, manifest.profile, manifest.preset, manifest.seed, manifest.config)
        return write_whole(path, text.encode())

    def load(self, **filters) -> pd.DataFrame:
        """Return the rows of every run as one table with the columns ``RESULT_COLUMNS``.

        Parameters
        ----------
        **filters
            Columns and the value that each must have, such as ``instrument="tiles"``.

        Raises
        ------
        InputError
            A file is no result file; a filter is no column; or runs used items from different versions of an
            instrument's generator.
        """
        runs = [*self.runs()]
        rows = matching(table(row for _, rows in runs for row in rows), filters)
        present = {*rows[RUN].itertuples(index=False, name=None)}
        _same_generators(run for run, _ in runs if run_of(run) in present)
        return rows

    def runs(self) -> Iterator[tuple[Manifest, list[dict]]]:
        """Yield the manifest and the rows of every run, in the order of their files."""
        return map(read, sorted(self.root.rglob("*.json")))


def load(root: str | Path = "results", **filters) -> pd.DataFrame:
    """Return the rows under ``root``, of a store or of shipped results, as one table; see `Store.load`."""
    return (Shipped if (Path(root) / "results.csv").exists() else Store)(root).load(**filters)


def shipped(
    instrument: str, preset: str = "lab", profile: str = "verified", *, tasks: str | Iterable[str] | None = None,
    who: str | Iterable[str] | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Return the result rows of an instrument that come with the package, from our own runs.

    Parameters
    ----------
    instrument, preset, profile : str
        Which runs.
    tasks : str or iterable of str, optional
        Tasks to keep, as in `of_tasks`. All by default.
    who : str or iterable of str, optional
        Learners to keep: one name, or several. All by default.

    Examples
    --------
    >>> {"LSTM", "nearest neighbour"} <= set(shipped("tiles").who)
    True
    >>> shipped("tiles", tasks="copy/", who="LSTM").task.unique().tolist()
    ['copy/abstract', 'copy/metamer']
    """
    rows = Shipped(shipped_folder(instrument)).load(preset=presets.preset(preset), profile=presets.profile(profile))
    rows = rows if tasks is None else of_tasks(rows, tasks)
    if who is not None:
        rows = rows[rows.who.isin([who] if isinstance(who, str) else list(who))]
    return rows


def of_tasks(rows: pd.DataFrame, tasks: str | Iterable[str]) -> pd.DataFrame:
    """Return the rows of some tasks: a prefix such as ``copy/``, an ending such as ``/abstract``, or their names.

    Examples
    --------
    >>> of_tasks(pd.DataFrame({"task": ["copy/abstract", "copy/metamer"]}), "/abstract").task.tolist()
    ['copy/abstract']
    """
    if not isinstance(tasks, str):
        return rows[rows.task.isin(list(tasks))]
    return rows[rows.task.str.endswith(tasks) if tasks.startswith("/") else rows.task.str.startswith(tasks)]


def shipped_folder(instrument: str) -> Path:
    """Return the package folder with an instrument's shipped results, whether it exists or not."""
    return registry.folder(instrument) / "shipped"


def keep(rows: pd.DataFrame, cell: str, config: Any, preset: str, seed: int, seconds: float) -> None:
    """Store the result rows of a learner that the reader trained in the reader's own folder; see `yours`.

    ``seconds`` are the CPU-seconds of its training, from `learning.Fit`.
    """
    run = manifest(cell, config, "verified", preset, seed, seconds)
    Store(home() / "results").write(run, rows.assign(**known(run)).to_dict("records"))


def yours(instrument: str) -> pd.DataFrame:
    """Return the result rows of the learners that the reader has trained and kept.

    Raises
    ------
    InputError
        Their items come from another version of the generator than the items of the shipped results.

    Examples
    --------
    >>> "metric" in yours("tiles")
    True
    """
    return _beside_shipped(Store(home() / "results"), instrument)


def show_people(rows: pd.DataFrame, name: str) -> None:
    """Store result rows of collected people, one set a task, so that notebooks show them as ``name``; see `people`.

    Those that were shown under the same name before are replaced.
    """
    store = Store(home() / "people")
    for cell in [cell for cell in store.root.glob(f"*/{slug(name)}") if slug(name) and cell.is_dir()]:
        shutil.rmtree(cell)
    for (instrument, profile, task), part in rows.groupby(["instrument", "profile", "task"], sort=False):
        cell = "/".join([instrument, *map(slug, (name, *task.split("/")))])
        people_manifest = manifest(cell, {"people": name}, profile, "lab", 0, 0.0)
        store.write(people_manifest, part.assign(who=name, cell=cell, seed=0).to_dict("records"))


def people(instrument: str) -> pd.DataFrame:
    """Return the result rows of collected people that `show_people` has stored, empty if there are none.

    Raises
    ------
    InputError
        Their items come from another version of the generator than the items of the shipped results.

    Examples
    --------
    >>> people("mewl").columns.tolist() == list(RESULT_COLUMNS)
    True
    """
    return _beside_shipped(Store(home() / "people"), instrument)


def _beside_shipped(store: Store, instrument: str) -> pd.DataFrame:
    """Return the rows of an instrument in a store, after a check that they may stand beside the shipped ones."""
    manifests = [run for run, _ in store.runs() if run.cell.split("/")[0] == instrument]
    _same_generators([*manifests, *Shipped(shipped_folder(instrument)).manifests()])
    return store.load(instrument=instrument)


def read(path) -> tuple[Manifest, list[dict]]:
    """Return the manifest and the rows of one result file; raise an `InputError` with its name if it is broken."""
    try:
        held = readers.json(path, _File)
        manifest = readers.record(Manifest, held.manifest, "its manifest")
        common = known(manifest) | held.alike
        rows = [common | dict(zip(held.columns, row, strict=True)) for row in held.rows]
        return manifest, [checked(row) for row in rows]
    except ValueError as error:
        raise InputError(f"{path} ({error})", "a result file", "delete it and run its cell again") from None


def _same_generators(made: Iterable[Manifest]) -> None:
    """Raise `InputError` unless the items of each instrument come from one version of its generator."""
    versions: dict[str, set[str]] = {}
    for run in made:
        versions.setdefault(run.cell.split("/")[0], set()).add(run.items.partition("-")[0])
    for generators in versions.values():
        identity.same_items(*generators)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=np.generic.item)


@functools.cache
def _versions() -> dict[str, str]:
    """Return the versions of Python, cogkit and the packages that results depend on, without importing them."""
    numbers = {"python": platform.python_version(), "cogkit": cogkit.__version__}
    for name in ("numpy", "scipy", "pandas", "scikit-learn", "statsmodels", "numba", "torch"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            numbers[name] = metadata.version(name)
    return numbers


def device() -> str:
    """Return the GPU's name if this process has used one through torch, else the processor's model."""
    torch = sys.modules.get("torch")  # not imported here: a table needs no torch
    return torch.cuda.get_device_name() if torch and torch.cuda.is_initialized() else f"cpu {_processor()}"


@functools.cache
def _processor() -> str:
    """Return the processor's model where the system tells it, else its architecture."""
    model = platform.processor()
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        if sys.platform == "linux":
            match = re.search(r"^model name\s*:(.*)", Path("/proc/cpuinfo").read_text("utf-8", "replace"), re.MULTILINE)
            model = match[1] if match else ""  # some processors have numbers only
        elif sys.platform == "darwin":
            model = subprocess.check_output(["sysctl", "-n", "machdep.cpu.brand_string"], text=True, timeout=10)
    return " ".join(model.split()) or platform.machine()
