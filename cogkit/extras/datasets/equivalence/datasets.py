"""Trials as files: makes and audits the paper's sets, and reads any file of trials.

A folder from ``cogkit make mts`` has

- ``pair_types.csv``: a row for each of the 49 ordered pairs of members, with its type under each structure (``LS``,
  ``OTM``, ``MTO``), the finer relation (``LS_relation``, …) and the number of members between (``LS_nodes``, …);
- ``tests.parquet``: every test trial. They are the same under every structure; only the type of their pair changes;
- ``training_<structure>_<relation>.parquet``: the trials of the trained pairs, for each structure and relation;
- ``tests_standard.csv`` and ``training_<structure>_<relation>_standard.csv``: the same with wrong comparisons that have
  the letter of the right one;
- ``README.md`` and ``croissant.json``: the card of the set, and its metadata;
- ``manifest.json``: the options, versions, and the trials and SHA-256 of each file.

A trial is a row of names: ``sample``, ``comparison_1`` to ``comparison_3``, ``response`` (``O_1`` to ``O_3``, the place
of the right comparison) and ``pair`` (its two members; a dummy in place of the right comparison hides them).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from cogkit.core import seeding
from cogkit.core.errors import Finding, InputError
from cogkit.data import readers
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import COLUMNS, RELATIONS, STRUCTURES, Design, Trials
from cogkit.extras.datasets import cards, sets
from cogkit.extras.datasets.equivalence.card import card, items_of, sampled
from cogkit.extras.datasets.equivalence.checking import parse, where

PAIR_TYPES = "pair_types.csv"
_table = partial(readers.table, needed=COLUMNS, optional=("pair", "type"))


FILES: dict[str, tuple[Callable[[Design], Trials], Design]] = {}  # the function and the design that make each
for _negatives, _end in {"biased": ".parquet", "standard": "_standard.csv"}.items():
    FILES["tests" + _end] = records.tests, Design(negatives=_negatives)
    for _structure, _relation in product(STRUCTURES, RELATIONS):
        _design = Design(_structure, _relation, _negatives)
        FILES[f"training_{_structure}_{_relation}{_end}"] = records.training, _design


def pair_types() -> pd.DataFrame:
    """Return one row for each ordered pair of members, with its type under each structure (Tables A1 to A3).

    Examples
    --------
    >>> pair_types().query("sample == 'C' and comparison == 'B'")[["LS", "OTM", "OTM_relation", "LS_nodes"]].values
    array([['symmetry', 'transitivity', 'equivalence', 0]], dtype=object)
    """
    pairs = {structure: Design(structure).pairs() for structure in STRUCTURES}
    table = pairs[STRUCTURES[0]][["sample", "comparison"]].copy()
    for column, end in (("type", ""), ("relation", "_relation"), ("nodes", "_nodes")):
        for structure in STRUCTURES:
            table[structure + end] = pairs[structure][column]
    return table


def make(out, *, n: int | None = None, seed: int = 0) -> list[Path]:
    """Write a dataset of trials, and return the paths, the manifest last.

    Parameters
    ----------
    out : str or Path
        The folder; see `sets.write`.
    n : int, optional
        Random trials for each pair and class; by default all trials.
    seed : int
        Seed of the draw.

    Examples
    --------
    >>> import tempfile
    >>> paths = make(tempfile.mkdtemp())
    >>> len(paths), len(read(paths[1]))
    (24, 246960)
    """
    if n is not None and n < 1:
        raise InputError(f"n={n}", "1 or more trials of each pair and class")
    config, packages = {"n": n, "seed": seed}, ("numpy", "pandas", "pyarrow")
    sizes: dict[str, int] = {}
    samples: dict[str, Trials] = {}
    files = cards.with_card(_contents(n, seed, sizes, samples), lambda: card(config, sizes, samples, PAIR_TYPES))
    return sets.write(out, "equivalence/make", config, files, packages)


def _contents(
    n: int | None, seed: int, sizes: dict[str, int], samples: dict[str, Trials]
) -> Iterator[tuple[str, bytes, int]]:
    """Yield name, content and number of rows of each file; note the number of trials, and a sample, of each."""
    pairs = pair_types()
    yield PAIR_TYPES, _csv(pairs), len(pairs)
    for name, (trials_of, design) in FILES.items():
        trials = trials_of(design)
        if n is not None:
            trials = records.draw(trials, n, seeding.stream(seed, f"make/{name}"))
        sizes[name], samples[name] = len(trials), sampled(name, trials, seed)
        table = pd.DataFrame(
            {column: pd.Categorical.from_codes(trials.tokens[:, k], design.tokens) for k, column in enumerate(COLUMNS)}
        ).assign(pair=pd.Categorical.from_codes(trials.pair, design.pair_names))
        yield name, _csv(table) if name.endswith(".csv") else table.to_parquet(index=False), len(table)


def _csv(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False, lineterminator="\n").encode()


def read(path, design: Design | None = None) -> Trials:
    """Return the trials of a CSV or Parquet file after checking every row; nothing is unpickled.

    The file has the columns ``sample``, ``comparison_1``, ``comparison_2``, ``comparison_3`` and ``response``, such as
    `Trials.frame` makes. A column ``pair`` is necessary only if dummies replace right comparisons. If present, it and
    ``type`` must agree with the design. Other columns are ignored. ``design`` gives the tokens and the types of pairs;
    by default it is that of the file with this name in `FILES`, or else ``Design()``. Raises an `InputError` that names
    the first fault by file, row (the first trial is row 1) and field.

    Examples
    --------
    >>> import tempfile
    >>> mine = Path(tempfile.mkdtemp()) / "mine.csv"
    >>> _ = mine.write_text("sample,comparison_1,comparison_2,comparison_3,response\\nA1,B1,B1,C2,O_1\\n")
    >>> read(mine)
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted three different comparisons, got B1, B1, C2 in mine.csv, row 1, comparisons
    """
    path = Path(path)
    trials, faults = parse(_table(path), design or FILES.get(path.name, (None, Design()))[1])
    if trials is None:
        place, fault = faults[0]
        raise InputError(f"{fault.got} in {path.name}, {place}", fault.wanted, fault.fix)
    return trials


def looks_like(folder) -> bool:
    """Return whether a folder has a file of trials, or the table of pairs, with its usual name."""
    return any((Path(folder) / name).is_file() for name in (PAIR_TYPES, *FILES))


def audit(folder) -> list[Finding]:
    """Return the faults of a dataset of trials; none if it is sound.

    Each file of trials is read like in `read`, and must hold different trials of its set. The table of pairs must be
    right. If there is a manifest, the files must match it, and card and metadata must be about its trials. A file has
    one finding for each kind of fault, with the first row.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> paths = make(folder, n=1)
    >>> _ = paths[1].write_bytes(paths[1].read_bytes()[:200])
    >>> [finding.field for finding in audit(folder)]
    ['sha256', 'file']
    """
    folder = Path(folder)
    findings = sets.audit(folder, [PAIR_TYPES, *FILES]) + cards.audit(folder, items_of)
    for name in (PAIR_TYPES, *FILES):
        path = folder / name
        if path.is_file():
            try:
                faults = _audit_pair_types(path) if name == PAIR_TYPES else _audit_trials(path)
            except InputError as error:
                faults = [("file", str(error))]
            findings += [Finding(str(path), field, problem) for field, problem in faults]
    return findings


def _audit_pair_types(path: Path) -> list[tuple[str, str]]:
    """Return field and problem of each fault in the table of pairs; the published table has no finer columns."""
    correct = pair_types().astype(str)
    keys = ["sample", "comparison"]
    table = readers.table(path, [*keys, *STRUCTURES], correct.columns.drop([*keys, *STRUCTURES])).fillna("")
    gaps, faults = {row["sample"] + row["comparison"]: row for row in correct.to_dict("records")}, []
    for k, row in enumerate(table.to_dict("records"), start=1):
        pair = row["sample"] + row["comparison"]
        target = gaps.pop(pair, None)
        if target is None:
            faults.append((f"row {k}", f"{pair} is no pair, or stands above already"))
        else:
            differ = [column for column in row if row[column] != target[column]]
            faults += [(f"row {k}, {column}", f"is {row[column]!r}, not {target[column]!r}") for column in differ]
    return faults + [("rows", f"lack the pair {pair}") for pair in gaps]


def _audit_trials(path: Path) -> list[tuple[str, str]]:
    """Return field and problem of each kind of fault in a file of trials."""
    trials_of, design = FILES[path.name]
    trials, faults = parse(_table(path), design)
    if trials is None:
        return [(place, str(fault)) for place, fault in faults]
    codes = pd.Series(_codes(trials))
    strange, repeats = ~codes.isin(_codes(trials_of(design))), codes.duplicated()
    kinds = {f"is no trial of this set ({design.condition})": strange, "repeats an earlier row": repeats}
    return [(where(np.flatnonzero(rows)), kind) for kind, rows in kinds.items() if rows.any()]


def _codes(trials: Trials) -> np.ndarray:
    """Return a number for each trial, (n,) int64: the same for the same tokens and pair."""
    base = len(trials.design.tokens)
    return trials.tokens.astype(np.int64) @ base ** np.arange(5) * trials.design.members**2 + trials.pair
