"""The experiment cells of all instruments: find them, run them, and sweep them over seeds.

`compare` compares any cell with any other in one call, and stores nothing::

    from cogkit.app.experiments import compare

    table = compare("tiles/random/tree/*", "tiles/nearest-neighbour/tree/*", passes=1)
"""

from __future__ import annotations

import fnmatch
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cogkit.app.verdicts import Verdict, differences
from cogkit.core import presets, registry
from cogkit.core.cost import Spent, forget
from cogkit.core.errors import InputError, one_line
from cogkit.core.identity import config_hash, plain, restored, same_items
from cogkit.core.instruments import Cell
from cogkit.core.items import Exposure, keys, overlap
from cogkit.core.presets import choose
from cogkit.core.presets import preset as valid_preset
from cogkit.core.presets import profile as valid_profile
from cogkit.core.records import PLACE, Manifest

if TYPE_CHECKING:  # at run time the store is imported inside functions, since it brings pandas
    import pandas as pd

    from cogkit.data.results import Store

_DEFAULTS = {"low": None, "high": None, "interval": "", "source": "cogkit", "supervision": ""}


def warm() -> list[str]:
    """Compile every loop and keep it on the disk; return the instruments and extras that have some.

    Numba compiles a loop at its first call, which takes seconds. After this function, no reader waits for that.
    """
    extras = {name: extra.warm for name, extra in registry.extras().items() if extra.warm}
    for compile_all in extras.values():
        compile_all()
    return [name for name, instrument in registry.instruments().items() if instrument.warm()] + list(extras)


def cells(*patterns: str) -> list[Cell]:
    """Return the cells whose id matches a shell pattern such as ``tiles/*/copy/abstract``, sorted by id, each once.

    Without a pattern, return all cells.

    Raises
    ------
    InputError
        No cell matches a pattern.
    """
    return sorted(_matching(*patterns or ("*",)), key=lambda cell: cell.id)


def _matching(*patterns: str) -> list[Cell]:
    """Return the cells of each pattern in turn, in the order of the instrument, each once."""
    names = {pattern.partition("/")[0] for pattern in patterns}
    chosen = sorted(names if names <= {*registry.names()} else registry.names())
    every, selection = {cell.id: cell for name in chosen for cell in registry.instrument(name).cells()}, {}
    for pattern in patterns:
        matches = fnmatch.filter(every, pattern) or [choose(pattern, every, "cell, or a pattern of cells")]
        selection |= {name: every[name] for name in matches}
    return list(selection.values())


def run_cell(
    cell: Cell, profile: str, preset: str, seed: int, store: Store | None = None, keep: Callable | None = None
) -> tuple[Manifest, list[dict[str, Any]]]:
    """Run one cell, write the result to ``store`` if given, and return the manifest and the result rows.

    Data that an earlier cell has made in this process are not made again, and do not count in ``seconds``.

    Parameters
    ----------
    cell : Cell
        What to run.
    profile, preset : str
        Which rules, and how large.
    seed : int
        Seed of all random numbers.
    store : Store, optional
        The store for the result.
    keep : callable, optional
        Called with a function that saves the weights, if the cell has any; see `Cell`.

    Raises
    ------
    InputError
        The learner would be tested on what it was trained on.
    """
    from cogkit.data import results  # brings pandas

    config, profile = config_of(cell, valid_preset(preset)), valid_profile(profile)
    with Spent() as spent:
        refuse_overlap(cell.id, config, profile, seed)
        more = (keep,) if keep and cell.weights else ()
        rows = complete(cell.run(config, profile, seed, *more), cell, profile, preset, seed)
    manifest = results.manifest(cell.id, config, profile, preset, seed, spent.seconds)
    if store is not None:
        store.write(manifest, rows)
    return manifest, rows


def refuse_overlap(cell: str, config: Any, profile: str, seed: int) -> None:
    """Raise `InputError` if a run would test its learner on what it was trained on; see `Instrument.exposures`.

    That holds under every profile: the rules of no paper make such a leak.
    """
    for exposure in _exposures(cell, config, profile, seed):
        if leaks := overlap(exposure.train, exposure.test):
            got = f"{len(leaks)} test {exposure.what} of {cell}, seed {seed}, that it is trained on"
            fix = "hold them out of its training, or out of the test"
            raise InputError(f"{got}, such as {str(leaks[0])[:60]}", "a test that is new to the learner", fix)


def _exposures(cell: str, config: Any, profile: str, seed: int) -> Iterable[Exposure]:
    name = cell.partition("/")[0]
    return registry.instrument(name).exposures(config, profile, seed) if name in registry.names() else ()


def shipped_overlaps(instrument: str, each: bool = True) -> pd.DataFrame:
    """Return how much of its test the learner of each shipped run met in training, made again from its manifest.

    Columns cell, profile, preset, seed, what, train, test (numbers of items), overlap. Runs whose cell is no more are
    left out. ``each``: whether all runs, or the first one of each learner, for a quick look.

    Examples
    --------
    >>> shipped_overlaps("bongard", each=False).overlap.max()
    np.int64(0)
    """
    import pandas as pd

    from cogkit.data import results

    by_id, rows, learners = {cell.id: cell for cell in registry.instrument(instrument).cells()}, [], set()
    runs = results.Shipped(results.shipped_folder(instrument)).manifests()
    for run in sorted(runs, key=lambda run: (run.seed, run.cell.split("/")[2:])):  # those of one task share their items
        learner = run.cell.split("/")[1]
        if run.cell not in by_id or (learner in learners and not each):
            continue
        learners.add(learner)
        config = restored(type(config_of(by_id[run.cell], run.preset)), run.config)
        for what, train, test in _exposures(run.cell, config, run.profile, run.seed):
            train, test = keys(train), keys(test)
            numbers = len(train), len(test), len(overlap(train, test))
            rows.append((run.cell, run.profile, run.preset, run.seed, what, *numbers))
    return pd.DataFrame(rows, columns=["cell", "profile", "preset", "seed", "what", "train", "test", "overlap"])


def compare(*patterns: str, preset: str = "quick", profile: str = "verified", seed: int = 0, **changes) -> pd.DataFrame:
    """Run several cells without storing, and return the result rows as one table.

    Parameters
    ----------
    *patterns : str
        Cells, such as ``tiles/random/*``. Rows come in the order of the patterns, then of the instrument.
    preset, profile, seed
        As in `run_cell`.
    **changes
        Fields of the cells' configs that differ from the preset, such as ``passes=1``.

    Examples
    --------
    >>> compare("tiles/random/tree/abstract", passes=1).metric.tolist()
    ['blue', 'z', 'finished', 'skill']
    """
    from cogkit.data import results  # brings pandas

    rows, profile = [], valid_profile(profile)
    for cell in _matching(*patterns):
        config = presets.changed(config_of(cell, preset), **changes)
        rows += complete(cell.run(config, profile, seed), cell, profile, preset, seed)
    return results.table(rows)


def complete(
    rows: Iterable[Mapping[str, Any]], cell: Cell, profile: str, preset: str, seed: int
) -> list[dict[str, Any]]:
    """Return result rows of a cell, each with the fields of the run and the default values."""
    names = {"cell": cell.id, "instrument": cell.id.split("/")[0], "profile": profile}
    names |= {"preset": valid_preset(preset), "seed": seed}
    whole = [{**_DEFAULTS, **row, **names} for row in rows]
    places = [registry.place(cell.id.split("/")[0], cell.id, row["task"]) for row in whole]
    return [row | dict(zip(PLACE, place, strict=True)) for row, place in zip(whole, places, strict=True)]


def ship(
    cell: Cell, seeds: Iterable[int] = (0,), profile: str = "verified", preset: str = "lab", folder=None
) -> Iterator[Path]:
    """Run a cell for each seed, add its result rows to the shipped table, write any weights, and yield the files.

    Each run makes its data itself, whatever ran before it in this process, so that the ``seconds`` of its manifest are
    its own. They leave out pictures that lie on the disk already, and compiled loops.

    Parameters
    ----------
    cell : Cell
        What to run.
    seeds : iterable of int
        One run for each seed.
    profile, preset : str
        Which rules, and how large.
    folder : path, optional
        The folder for the files; by default the package folder with the shipped files of the instrument.
    """
    from cogkit.data import results  # brings pandas

    folder = Path(folder or results.shipped_folder(cell.id.split("/")[0]))
    for seed in seeds:
        forget()
        saves: list[Callable] = []
        manifest, rows = run_cell(cell, profile, preset, seed, keep=saves.append)
        for save in saves:
            yield save(folder, manifest)
        yield results.Shipped(folder).write([(manifest, rows)])


def config_of(cell: Cell, preset: str) -> Any:
    """Return the cell's config of one preset."""
    return cell.configs[choose(preset, cell.configs, f"preset of {cell.id}")]


def sweep(
    patterns: str | Iterable[str] = "*", profile: str = "verified", preset: str = "quick",
    seeds: Iterable[int] = (0,), jobs: int | None = None, root: Path | str = "results", *,
    dask: str | None = None, shard: str = "1/1",
) -> list[str]:  # fmt: skip
    """Run cells, store their results, and return one sentence for every run that failed.

    Results that are already in the store are not run again, so a sweep can resume after a kill. Sweeps may share a
    store: each result is written in one step.

    Parameters
    ----------
    patterns : str or iterable of str
        Cells, such as ``tiles/*/copy/abstract``; a cell that matches several patterns runs once.
    profile, preset : str
        Which rules, and how much.
    seeds : iterable of int
        One run of each cell for each seed.
    jobs : int, optional
        Parallel processes; by default one per core.
    root : path
        Folder of the store.
    dask : str, optional
        Address of a dask scheduler, whose workers run the cells; see ``cogkit.extras.cluster``.
    shard : str
        Run only a part of the runs: ``2/3`` is the second of three parts, the same on every machine.

    Raises
    ------
    InputError
        There is no such cell, preset, profile, shard or scheduler; or a worker has another cogkit.
    """
    # Not at the top: joblib, and pandas in the store, are heavy, and only a sweep needs them.
    from tqdm import tqdm

    from cogkit.data.results import Store

    patterns = [patterns] if isinstance(patterns, str) else list(patterns)
    profile, preset, seeds, store = valid_profile(profile), valid_preset(preset), list(seeds), Store(root)
    is_ours = _shard(shard)
    todo = [
        (cell.id, profile, preset, seed)
        for cell in cells(*patterns)
        for seed in seeds
        if is_ours(cell.id, profile, preset, seed)
        and not store.has(cell.id, profile, preset, seed, config_of(cell, preset))
    ]
    sentences = _on_workers(dask, todo, store) if dask else _here(jobs, todo, store)
    return [sentence for sentence in tqdm(sentences, total=len(todo), desc=" ".join(patterns)) if sentence]


def _shard(text: str) -> Callable[..., bool]:
    """Return whether a run is of the part k/n: its hash says so, and is the same on every machine."""
    if match := re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text):
        part, parts = map(int, match.groups())
        if 1 <= part <= parts:
            return lambda *run: int(config_hash(dict(enumerate(run))), 16) % parts == part - 1
    raise InputError(repr(text), "a part of the runs, such as 1/3 for the first of three")


def _here(jobs: int | None, runs: list[tuple], store: Store) -> Iterator[str]:
    """Yield the error of each run, or "", from processes of this machine, which store the results themselves."""
    import joblib  # heavy, and only a sweep needs it

    from cogkit.core.processes import side_by_side

    with side_by_side(jobs):
        tasks = (joblib.delayed(_attempt)(*run, store) for run in runs)
        yield from joblib.Parallel(return_as="generator_unordered")(tasks)


def _on_workers(address: str, runs: list[tuple], store: Store) -> Iterator[str]:
    """Yield the error of each run, or "", from the workers of a dask scheduler; the results are stored here."""
    for (cell, *_, seed), answer in registry.extra("cluster").on_workers(address, _attempt, runs):
        if isinstance(answer, tuple):
            store.write(*answer)
            answer = ""
        yield f"{cell}, seed {seed}: each worker that ran it died; their logs may say why" if answer is None else answer


def _attempt(
    cell: str, profile: str, preset: str, seed: int, store: Store | None = None
) -> str | tuple[Manifest, list[dict[str, Any]]]:
    """Return the error of one run, since a failing cell must not stop the others; else what is not stored, or ""."""
    try:
        (entry,) = cells(cell)
        result = run_cell(entry, profile, preset, seed, store)
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}:{frame.lineno}"
        return one_line(f"{cell}, seed {seed}: {type(error).__name__}: {error} ({place})")
    return "" if store else result


def verify(
    cell: str, profile: str = "verified", preset: str = "quick", seed: int = 0, root: Path | str = "results"
) -> Verdict:
    """Run a cell again and return what that says about its stored result; `verdicts.differences` says what is compared.

    The stored result is taken from ``root``, or else from the shipped results of the instrument.

    Raises
    ------
    InputError
        There is no stored result, or it is about items of another version of the generator.
    """
    from cogkit.data import results  # brings pandas

    by_id = {entry.id: entry for entry in cells()}
    name = cell.partition("/")[0]
    if cell not in by_id and name in registry.names() and (results.shipped(name).cell == cell).any():
        raise InputError(
            f"{cell}, of which only rows are left", "a cell", "it was run once, and its code went after 1.0"
        )
    entry = by_id[choose(cell, by_id, "cell")]
    config = config_of(entry, preset)
    path = results.Store(root).path(cell, profile, preset, seed, config)
    shipped = results.Shipped(results.shipped_folder(cell.split("/")[0]))
    stored = results.read(path) if path.exists() else shipped.read(cell, profile, preset, seed)
    if stored is None or stored[0].config != plain(config):
        got, wanted = f"none for preset {preset} and seed {seed}", f"a stored result of {cell} under {profile}"
        raise InputError(got, wanted, "sweep it first, or name another preset or seed")
    new, rows = run_cell(entry, profile, preset, seed)
    same_items(stored[0].items, new.items)
    return Verdict(stored[0], new, tuple(differences(stored[1], rows)))
