"""The held-out boards as files with the published names and arrays, and their card: writing and auditing."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from cogkit.core.errors import Finding, InputError
from cogkit.data import readers
from cogkit.extras.datasets import cards, sets
from cogkit.extras.datasets.tiles.card import card, items_of
from cogkit.tiles.problems import records
from cogkit.tiles.problems.records import FILES
from cogkit.tiles.rules import RULES
from cogkit.tiles.rules.boards import SIZE, Items, as_boards, as_starts, to_bits
from cogkit.tiles.rules.enumeration import FEWEST, MOST


def _name(rule: str, kind: str, part: str = "") -> str:
    return f"{FILES[kind].format(rule)}{part}.npy"


def _files(rule: str, kind: str, items: Items) -> Iterator[tuple[str, bytes, int]]:
    """Yield the two files of a condition, with the dtypes of the published arrays."""
    starts = np.stack(np.divmod(items.starts, SIZE), axis=1)
    dtype = np.float32 if kind == "metamer" else np.int64 if rule == "tree" else np.float64
    for part, array in {"": items.boards.astype(dtype), "_starts": starts}.items():
        np.save(file := io.BytesIO(), array, allow_pickle=False)
        yield _name(rule, kind, part), file.getvalue(), len(array)


def make(out, *, n: int = 25, seed: int = 0) -> list[Path]:
    """Write a dataset of held-out boards and return its paths, the manifest last.

    ``<rule>_sample.npy`` holds n different boards (n, 7, 7) and ``<rule>_sample_starts.npy`` their start
    tiles (n, 2) as row and column; the same with ``_null_sample`` for metamers. ``README.md`` is the card of the set,
    and ``croissant.json`` its metadata.

    Parameters
    ----------
    n : int
        Boards in each file, 1 to 98.
    seed : int
        Seed of the boards.

    Raises
    ------
    InputError
        The folder holds another dataset, or n is more than half of the boards of the rule that has fewest.

    Examples
    --------
    >>> import tempfile
    >>> paths = make(tempfile.mkdtemp(), n=3)
    >>> len(paths), np.load(paths[0]).shape, paths[-1].name
    (35, (3, 7, 7), 'manifest.json')
    """
    most = min(map(records.most_distinct, RULES))
    if not 1 <= n <= most:
        raise InputError(f"{n}", f"1 to {most} boards in each file (half of all that the smallest rule has)")
    parts = {  # all boards are drawn before a file is written
        (rule, kind): records.items(f"{rule}/{kind}", "generated", n=n, seed=seed)
        for rule in RULES
        for kind in records.KINDS
    }
    files = (file for (rule, kind), items in parts.items() for file in _files(rule, kind, items))
    config = {"n": n, "seed": seed}
    return sets.write(out, "tiles/make", config, cards.with_card(files, partial(card, config, parts)), ["numpy"])


def looks_like(folder) -> bool:
    """Return whether a folder holds at least one file of boards under its published name."""
    return any((Path(folder) / _name(rule, kind)).is_file() for rule in RULES for kind in FILES)


def audit(folder) -> list[Finding]:
    """Return every fault of a dataset of held-out boards; none if it is sound.

    Each file is read without unpickling and checked for shape, values, red start tiles, 3 to 39 reds, the
    rule (files ``_sample``), repeats within it, boards shared by a rule's two files, and the manifest's
    checksums if there is one. Card and metadata must be about the manifest's boards. The published boards have
    repeats, which are reported too.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> paths = make(folder, n=3)
    >>> _ = paths[0].write_bytes(paths[0].read_bytes()[:200])
    >>> [finding.field for finding in audit(folder)]
    ['sha256', 'boards']
    """
    folder = Path(folder)
    names = [_name(rule, kind, part) for rule in RULES for kind in FILES for part in ("", "_starts")]
    findings = sets.audit(folder, names) + cards.audit(folder, items_of)
    for rule in RULES:
        places: dict[int, int] = {}
        for kind in FILES:
            path, starts = (folder / _name(rule, kind, part) for part in ("", "_starts"))
            if not path.is_file():  # as `sets.audit` says
                continue
            try:
                boards = as_boards(_array(path, 3))
            except InputError as error:
                findings.append(Finding(str(path), "boards", str(error)))
                continue
            words = to_bits(boards).tolist()
            findings += [Finding(str(path), f"board {k}", text) for k, text in _faults(rule, kind, boards, words)]
            try:
                if starts.is_file():
                    as_starts(boards, _array(starts, 2))
            except InputError as error:
                findings.append(Finding(str(starts), "starts", str(error)))
            if kind == "abstract":
                places = {word: k for k, word in reversed(list(enumerate(words)))}
            else:
                shared = [(k, places[word]) for k, word in enumerate(words) if word in places]
                findings += [Finding(str(path), f"board {k}", f"is board {n} of the rule's too") for k, n in shared]
    return findings


def _array(path: Path, ndim: int) -> np.ndarray:
    array = readers.array(path)
    if array.ndim != ndim:
        raise InputError(f"shape {array.shape}", f"an array of {ndim} dimensions")
    return array


def _faults(rule: str, kind: str, boards: np.ndarray, words: list[int]) -> Iterator[tuple[int, str]]:
    """Yield the number of each faulty board of a file, and the problem."""
    reds = boards.sum(axis=(1, 2), dtype=np.int64)
    fits = records.check(rule, boards) if kind == "abstract" else np.ones(len(boards), bool)
    first_places: dict[int, int] = {}
    for k, word in enumerate(words):
        if not FEWEST <= reds[k] <= MOST:
            yield k, f"has {reds[k]} reds, not {FEWEST} to {MOST}"
        if not fits[k]:
            yield k, f"does not satisfy the rule {rule}"
        if first_places.setdefault(word, k) != k:
            yield k, f"repeats board {first_places[word]}"
