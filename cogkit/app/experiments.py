"""The experiment cells of every instrument: found, run, and swept over seeds.

An instrument is a folder of this package with a module ``instrument`` that holds ``INSTRUMENT``. Nothing is
registered: a sixth instrument is one more folder.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import importlib
import importlib.util
import math
import pkgutil
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import cogkit
from cogkit.core.contracts import RESULT_COLUMNS, Cell, InputError, Instrument, Manifest
from cogkit.core.identity import same_items
from cogkit.core.presets import choose
from cogkit.core.presets import preset as valid_preset
from cogkit.core.presets import profile as valid_profile

if TYPE_CHECKING:  # at run time the store is imported inside functions, since it brings pandas
    import pandas as pd

    from cogkit.data.results import Store

UNLESS_SAID = {"low": None, "high": None, "interval": "", "source": "cogkit"}


def rooms(name: str) -> Iterator[ModuleType]:
    """Return the module ``name``, such as ``exercises``, of every instrument that has one, one after the other."""
    return (importlib.import_module(f"cogkit.{folder}.{name}") for folder in _folders(name))


def _folders(name: str) -> list[str]:
    """Return the instruments that have a module ``name``."""
    folders = [module.name for module in pkgutil.iter_modules(cogkit.__path__) if module.ispkg]
    wings = [(folder, [f"cogkit.{folder}.{wing}" for wing in ("instrument", name)]) for folder in folders]
    return [folder for folder, modules in wings if all(map(importlib.util.find_spec, modules))]


def instruments() -> dict[str, Instrument]:
    """Return every instrument by name.

    Examples
    --------
    >>> all(name == instrument.name for name, instrument in instruments().items())
    True
    """
    return {room.INSTRUMENT.name: room.INSTRUMENT for room in rooms("instrument")}


def instrument(name: str) -> Instrument:
    """Return one instrument; no other is loaded.

    Examples
    --------
    >>> instrument("mewl").chance
    0.2
    """
    folder = choose(name, _folders("instrument"), "instrument")
    return importlib.import_module(f"cogkit.{folder}.instrument").INSTRUMENT


def warm() -> list[str]:
    """Compile every loop of every instrument and keep it on the disk; return the instruments that have some.

    Numba compiles a loop when it is first called, which takes seconds. Where this has run, no reader waits for that.
    """
    warmups = {name: tool.warm for name, tool in instruments().items() if tool.warm}
    for compile_loops in warmups.values():
        compile_loops()
    return list(warmups)


def cells(*patterns: str) -> list[Cell]:
    """Return the cells whose id matches a shell pattern such as ``tiles/*/copy/abstract``, by id, each once.

    Without a pattern, every cell.

    Raises
    ------
    InputError
        A pattern that no cell matches.
    """
    return sorted(_matching(*patterns or ("*",)), key=lambda cell: cell.id)


def _matching(*patterns: str) -> list[Cell]:
    """Return the cells of each pattern in turn, in the order of their instrument, each once."""
    names = {pattern.partition("/")[0] for pattern in patterns}
    sources = map(instrument, names) if names <= {*_folders("instrument")} else instruments().values()
    every = {cell.id: cell for source in sources for cell in source.cells()}
    selection: dict[str, Cell] = {}
    for pattern in patterns:
        matches = {name: cell for name, cell in every.items() if fnmatch.fnmatchcase(name, pattern)}
        if not matches:
            choose(pattern, every, "cell, or a pattern of cells")
        selection |= matches
    return list(selection.values())


def run_cell(
    cell: Cell, profile: str, preset: str, seed: int, store: Store | None = None
) -> tuple[Manifest, list[dict[str, Any]]]:
    """Return the manifest and the result rows of one cell, run now, and written to ``store`` if there is one.

    Parameters
    ----------
    cell : Cell
        What to run.
    profile, preset : str
        Which rules, and how much.
    seed : int
        Seed of all its randomness.
    store : Store, optional
        Where the result goes.
    """
    from cogkit.data import results  # brings pandas

    config, profile = config_of(cell, valid_preset(preset)), valid_profile(profile)
    began = time.perf_counter()
    rows = _rows(cell, config, profile, preset, seed)
    manifest = results.manifest(cell.id, config, profile, preset, seed, time.perf_counter() - began)
    if store is not None:
        store.write(manifest, rows)
    return manifest, rows


def compare(*patterns: str, preset: str = "quick", profile: str = "verified", seed: int = 0, **changes) -> pd.DataFrame:
    """Return the result rows of several cells as one table, run now and not stored.

    Parameters
    ----------
    *patterns : str
        Cells, such as ``tiles/random/*``. Rows come in the order of the patterns, then of the instrument.
    preset, profile, seed
        As in `run_cell`.
    **changes
        Fields of the cells' configs that shall differ from the preset, such as ``passes=1``.

    Examples
    --------
    >>> compare("tiles/random/tree/abstract", passes=1).metric.tolist()
    ['blue', 'z', 'finished', 'skill']
    """
    import pandas as pd  # heavy, as in the store

    selection = _matching(*patterns)
    configs = [dataclasses.replace(config_of(cell, preset), **changes) for cell in selection]
    rows = [
        row
        for cell, config in zip(selection, configs, strict=True)
        for row in _rows(cell, config, profile, preset, seed)
    ]
    return pd.DataFrame(rows, columns=list(RESULT_COLUMNS))


def _rows(cell: Cell, config: Any, profile: str, preset: str, seed: int) -> list[dict[str, Any]]:
    """Return the whole result rows of one cell, run now with a config."""
    return _whole(cell.run(config, valid_profile(profile), seed), cell, profile, preset, seed)


def _whole(rows: Iterable[Mapping[str, Any]], cell: Cell, profile: str, preset: str, seed: int) -> list[dict[str, Any]]:
    """Return the result rows of a cell with its run in each, and with what goes without saying."""
    names = {"cell": cell.id, "instrument": cell.id.split("/")[0], "profile": profile}
    names |= {"preset": valid_preset(preset), "seed": seed}
    return [{**UNLESS_SAID, **row, **names} for row in rows]


def ship(
    cell: Cell, seeds: Iterable[int] = (0,), profile: str = "verified", preset: str = "lab", folder=None
) -> Iterator[Path]:
    """Run a cell now for each seed, keep its result rows and its weights if it has any, and yield the files written.

    Parameters
    ----------
    cell : Cell
        What to run.
    seeds : iterable of int
        One run for each.
    profile, preset : str
        Which rules, and how much.
    folder : path, optional
        Where the files go; by default where the package keeps what it ships of the cell's instrument.
    """
    from cogkit.data import results  # brings pandas

    config, profile = config_of(cell, valid_preset(preset)), valid_profile(profile)
    folder = Path(folder or results.shipped_folder(cell.id.split("/")[0]))
    for seed in seeds:
        if cell.keep is None:
            manifest, rows = run_cell(cell, profile, preset, seed)
        else:
            weights, manifest, rows = cell.keep(cell.id, config, profile, preset, seed, folder)
            yield weights
        yield results.Store(folder).write(manifest, _whole(rows, cell, profile, preset, seed))


def config_of(cell: Cell, preset: str) -> Any:
    """Return the cell's config of one preset."""
    return cell.configs[choose(preset, cell.configs, f"preset of {cell.id}")]


def sweep(
    patterns: str | Iterable[str] = "*",
    profile: str = "verified",
    preset: str = "quick",
    seeds: Iterable[int] = (0,),
    jobs: int | None = None,
    root: Path | str = "results",
) -> list[str]:
    """Return one sentence for every run that failed; every other result asked for now lies in the store.

    What the store holds already is not run again, so a sweep goes on after any kill.

    Parameters
    ----------
    patterns : str or iterable of str
        Cells, such as ``tiles/*/copy/abstract``; one that several patterns match is run once.
    profile, preset : str
        Which rules, and how much.
    seeds : iterable of int
        One run of each cell for each.
    jobs : int, optional
        Processes side by side; as many as there are cores when left out.
    root : path
        Folder of the store.
    """
    # Not at the top: joblib, and pandas in the store, are heavy, and only a sweep needs them.
    import joblib
    from tqdm import tqdm

    from cogkit.core.processes import side_by_side
    from cogkit.data.results import Store

    patterns = [patterns] if isinstance(patterns, str) else list(patterns)
    profile, preset, seeds, store = valid_profile(profile), valid_preset(preset), list(seeds), Store(root)
    todo = [
        (cell, profile, preset, seed)
        for cell in cells(*patterns)
        for seed in seeds
        if not store.has(cell.id, profile, preset, seed, config_of(cell, preset))
    ]
    with side_by_side(jobs):
        sentences = joblib.Parallel(return_as="generator_unordered")(
            joblib.delayed(_attempt)(*job, store) for job in todo
        )
        return [sentence for sentence in tqdm(sentences, total=len(todo), desc=" ".join(patterns)) if sentence]


def _attempt(cell: Cell, profile: str, preset: str, seed: int, store: Store) -> str:
    """Return what went wrong in one run, or an empty string: one failing cell must not lose the others."""
    try:
        run_cell(cell, profile, preset, seed, store)
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}:{frame.lineno}"
        return f"{cell.id}, seed {seed}: {type(error).__name__}: {error} ({place})"
    return ""


def verify(
    cell: str, profile: str = "verified", preset: str = "quick", seed: int = 0, root: Path | str = "results"
) -> list[str]:
    """Return one sentence for every number stored for a cell that a new run does not give again.

    The result is looked for under ``root``, then among those shipped beside the cell's instrument.

    Raises
    ------
    InputError
        There is none, or it is about other items than are generated today.
    """
    from cogkit.data import results  # brings pandas

    by_id = {entry.id: entry for entry in cells()}
    entry = by_id[choose(cell, by_id, "cell")]
    config = config_of(entry, preset)
    paths = [
        results.Store(place).path(cell, profile, preset, seed, config)
        for place in (root, results.shipped_folder(cell.split("/")[0]))
    ]
    for path in paths:
        if path.exists():
            (old_manifest, stored), (new_manifest, fresh) = results.read(path), run_cell(entry, profile, preset, seed)
            same_items(old_manifest.items, new_manifest.items)
            return differences(stored, fresh)
    raise InputError(f"none at {paths[0]}", f"a stored result of {cell} to compare with", "sweep it first")


def differences(stored: Iterable[Mapping[str, Any]], fresh: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return one sentence for every field that differs between two runs; numbers may differ by a part in 10⁹.

    Examples
    --------
    >>> differences([{"metric": "blue", "value": 1.0}], [{"metric": "blue", "value": 2.0}])
    ['blue: value stored 1.0, now 2.0']
    """
    stored, fresh = list(stored), list(fresh)
    if len(stored) != len(fresh):
        return [f"{len(stored)} rows stored, now {len(fresh)}"]
    return [
        f"{new['metric']}: {column} stored {old[column]}, now {new[column]}"
        for old, new in zip(stored, fresh, strict=True)
        for column in old
        if not _same(old[column], new[column])
    ]


def _same(old: Any, new: Any) -> bool:
    if isinstance(old, int | float) and isinstance(new, int | float):
        return math.isclose(old, new, rel_tol=1e-9)
    missing = (old is None, new is None or new != new)  # NaN is stored as null
    return all(missing) or old == new
