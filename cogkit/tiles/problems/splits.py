"""Splits of the boards of a rule: the published test boards, and families of boards that training never holds.

Every published test board has a shifted, turned or mirrored copy among the boards that a network trains on, so memory
with these symmetries plays most of them as well as the rule does (the rung ``orbit``). A family is closed under the
same symmetries: none of its boards has a copy in training.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from cogkit.core import presets, seeding
from cogkit.core.splits import Split
from cogkit.tiles.problems import records
from cogkit.tiles.rules.boards import SIZE, Items, from_bits, to_bits
from cogkit.tiles.rules.support import Support
from cogkit.tiles.rules.symmetries import orbits, sides

PUBLISHED = "published boards"
MOST = 120  # test boards of a family, which are drawn by probability and all different


class Family(NamedTuple):
    """Boards of a rule that training never holds; ``held(bits)`` says which they are."""

    name: str
    rung: str
    bound: float
    note: str
    held: Callable[[np.ndarray], np.ndarray]


def _copied(bits: np.ndarray, down: int, across: int) -> np.ndarray:
    """Return whether half of the reds have a red so many rows below and so many columns beside them, on one side."""
    boards = from_bits(bits)
    upper, lower = boards[:, : SIZE - down], boards[:, down:]
    left, right = slice(SIZE - across), slice(across, None)
    pairs = [(upper[..., a] & lower[..., b]).sum(axis=(1, 2)) for a, b in ((left, right), (right, left))]
    return (2 * np.array(pairs) == boards.sum(axis=(1, 2))).any(axis=0)


def _line(bits: np.ndarray, n: int) -> np.ndarray:
    """Return whether ``n`` reds stand side by side in a row or in a column."""
    boards = from_bits(bits)
    rows, columns = (sliding_window_view(boards, n, axis=axis).all(axis=-1).reshape(len(boards), -1) for axis in (1, 2))
    return np.logical_or(rows.any(axis=1), columns.any(axis=1))


FAMILIES = {
    "copy": Family(
        "offset 1 and 4", "interpolation", 0.3,
        "The second stamp is never one row or column and four columns or rows away from the first.",
        lambda bits: _copied(bits, 1, 4) | _copied(bits, 4, 1),
    ),
    "symmetry": Family(
        "long side 5", "interpolation", 0.1,
        "No figure is five tiles long, but shorter ones and those of seven are trained on.",
        lambda bits: sides(bits)[1] == 5,
    ),
    "rectangle": Family(
        "short side 3", "interpolation", 0.45,
        "No box is three tiles across at its narrower side.",
        lambda bits: sides(bits)[0] == 3,
    ),
    "connected": Family(
        "wider than a line", "extrapolation", 0.35,
        "Only rings round straight lines are trained on.",
        lambda bits: sides(bits)[0] > 3,
    ),
    "tree": Family(
        "beyond a chain", "extrapolation", 0.78,
        "Only trees that grow in one direction are trained on. No family of trees keeps the floors low.",
        lambda bits: sides(bits)[0] > 3,
    ),
    "pyramid": Family(
        "width 3", "extrapolation", 0.45,
        "The smallest triangle is never trained on.",
        lambda bits: sides(bits)[1] == 3,
    ),
    "cross": Family(
        "diagonal", "extrapolation", 0.1,
        "Only upright crosses are trained on.",
        lambda bits: ~_line(bits, 2),
    ),
    "zigzag": Family(
        "step 1", "extrapolation", 0.1,
        "The smallest step is never trained on.",
        lambda bits: ~_line(bits, 3),
    ),
}  # fmt: skip
"""A family of each of the paper's rules."""
TASKS = {f"{rule}/{family.name.replace(' ', '-')}": rule for rule, family in FAMILIES.items()}
"""The tasks of the families, such as ``rectangle/short-side-3``, and their rules."""


def names() -> tuple[str, ...]:
    """Return the names of all splits: of each of the paper's rules its published boards and its family.

    Examples
    --------
    >>> [name for name in names() if name.startswith("zigzag")]
    ['zigzag, published boards', 'zigzag, step 1']
    """
    return tuple(f"{rule}, {test}" for rule, family in FAMILIES.items() for test in (PUBLISHED, family.name))


@lru_cache(maxsize=2)  # one of *connected* holds 155,284 boards
def split(name: str) -> Split:
    """Return a split of a rule's boards.

    ``train`` is a `Support`: the boards, with the rule's probabilities. ``val`` are a twentieth of the boards of the
    same kind, but 12 to 200, which are not in it. ``test`` are up to 120 boards of the family, with fresh start tiles,
    or the published ones.

    Raises
    ------
    InputError
        An unknown name; published boards that cannot be had.

    Examples
    --------
    >>> parts = split("zigzag, step 1")
    >>> parts.rung, len(parts.train), len(parts.val), len(parts.test)
    ('extrapolation', 208, 12, 120)
    """
    rule, _, test = presets.choose(name, names(), "split").partition(", ")
    if test == PUBLISHED:
        items = records.items(f"{rule}/abstract", "published")
        return _parted(name, "orbit", records.pool(rule), items, 1.1, "Each test board has a copy in training.")
    boards, (_, rung, bound, note, _) = records.support(rule), FAMILIES[rule]
    places = np.flatnonzero(held(rule, boards.bits))
    rng, chance = seeding.stream(0, f"splits/{name}"), boards.probability[places]
    chosen = rng.choice(places, min(MOST, len(places)), False, chance / chance.sum())
    drawn = from_bits(boards.bits[np.sort(chosen)])
    items = Items(drawn, records.draw_starts(drawn, 0, f"splits/{name}"), task_of(name), "generated")
    return _parted(name, rung, boards.without(from_bits(boards.bits[places])), items, bound, note)


def of_task(task: str) -> Split:
    """Return the split of a family's task.

    Examples
    --------
    >>> of_task("zigzag/step-1").name
    'zigzag, step 1'
    """
    rule = TASKS[presets.choose(task, TASKS, "family")]
    return split(f"{rule}, {FAMILIES[rule].name}")


def task_of(name: str) -> str:
    """Return the task of a split's test boards.

    Examples
    --------
    >>> task_of("zigzag, step 1"), task_of("zigzag, published boards")
    ('zigzag/step-1', 'zigzag/abstract')
    """
    rule, _, test = name.partition(", ")
    return f"{rule}/abstract" if test == PUBLISHED else f"{rule}/{test.replace(' ', '-')}"


def place(cell: str, task: str) -> tuple[str, str]:
    """Return split and rung of result rows: what is new in the boards that a cell's player was asked.

    Examples
    --------
    >>> place("tiles/epn/tree/abstract", "tree/abstract"), place("", "tree/metamer")
    (('tree, published boards', 'orbit'), ('tree, metamers', 'iid'))
    """
    rule, _, kind = task.partition("/")
    if cell.startswith("tiles/transfer/"):
        return f"{rule}, learnt on another rule", "rule"
    if task in TASKS:
        return f"{rule}, {FAMILIES[rule].name}", FAMILIES[rule].rung
    if kind == "metamer" or rule == "mixture":
        return {"metamer": f"{rule}, metamers"}.get(kind, "all rules"), "iid"
    return (f"{rule}, {PUBLISHED}", "orbit") if rule in FAMILIES else ("", "")


def held(rule: str, bits: np.ndarray) -> np.ndarray:
    """Return which boards of a rule are of its family, so that training never holds them: (n,) bool.

    Examples
    --------
    >>> int(held("rectangle", records.support("rectangle").bits).sum())
    125
    """
    return FAMILIES[rule].held(bits)


def _parted(name: str, rung: str, pool: Support, test: Items, bound: float, note: str) -> Split:
    rng = seeding.stream(0, f"splits/{name}/validation")
    n = int(np.clip(len(pool) // 20, 12, 200))
    bits = np.sort(rng.choice(pool.bits, n, False, pool.probability))
    val = from_bits(bits)
    starts = records.draw_starts(val, 0, f"splits/{name}/validation")
    items = Items(val, starts, test.task, "generated", "val", split=name, rung=rung)
    return Split(name, test.task, rung, pool.without(val), items, replace(test, split=name, rung=rung), bound, note)


def copies(parts: Split) -> int:
    """Return how many test boards have a shifted, turned or mirrored copy in training, or in validation.

    Examples
    --------
    >>> copies(split("zigzag, published boards")), copies(split("zigzag, step 1"))
    (25, 0)
    """
    known = np.concatenate([parts.train.bits, to_bits(parts.val.boards)])
    return int(np.isin(orbits(to_bits(parts.test.boards)), orbits(known)).sum())
