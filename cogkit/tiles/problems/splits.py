"""Splits of boards: published test boards, and families of boards or whole rules that training never holds.

Every published test board has a shifted, turned or mirrored copy among the boards that a network trains on, so memory
with these symmetries plays most of them as well as the rule does (the rung ``orbit``). What the other splits hold out
is closed under the same symmetries: none of its boards has a copy in training.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from cogkit.core import presets, seeding
from cogkit.core.splits import Split
from cogkit.tiles.problems import records
from cogkit.tiles.rules import PAPER_RULES, RULES, grammar
from cogkit.tiles.rules.boards import SIZE, Items, from_bits, to_bits
from cogkit.tiles.rules.support import Support, mixture
from cogkit.tiles.rules.symmetries import orbits, sides

IDEAL = "Bayes-greedy"
PUBLISHED, UNTRAINED, GRAMMAR = "published boards", "never trained", "grammar"
MOST = 120  # test boards of a split, which are drawn by probability and all different
_POOLED = 2000  # most boards of one rule where others are trained in its place, drawn by probability


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
_UNTRAINED = {
    "copy": 0.2, "symmetry": 0.2, "rectangle": 0.5, "connected": 0.5, "tree": 0.4, "pyramid": 0.65, "cross": 0.1,
    "zigzag": 0.65,
}  # fmt: skip
_NEW = [
    ("corner under mirror", "composition", 0.65), ("hook under copy", "composition", 0.7),
    ("tee under half-turn", "composition", 0.7),
    ("motif corner", "extrapolation", 0.7), ("motif hook", "extrapolation", 0.7), ("motif stair", "extrapolation", 0.5),
    ("operator copy", "rule", 0.6), ("operator mirror", "rule", 0.5), ("operator half-turn", "rule", 0.7),
    ("operator quarter-turn", "rule", 0.35), ("operator triple", "rule", 0.45), ("operator framed", "rule", 0.65),
]  # fmt: skip
_NEW_NOTES = {
    "composition": "The motif is trained under other operators, the operator with other motifs.",
    "extrapolation": "No board with this motif is trained, but its operators are, with other motifs.",
    "rule": "No board with this operator is trained, but its motifs are, under other operators.",
}


class Boards(NamedTuple):
    """The boards of a split: what training may hold, what it never holds, and what two ideal observers know."""

    pool: Support
    held: Support
    known: dict[str, Support]


class Held(NamedTuple):
    """A split that holds boards out; ``boards()`` makes them."""

    rung: str
    bound: float
    note: str
    boards: Callable[[], Boards]


def _family(rule: str) -> Boards:
    support = records.support(rule)
    inside = held(rule, support.bits)
    family = support.only(inside)
    return Boards(support.only(~inside), family, {IDEAL: support, f"{IDEAL} of the family": family})


def _untrained(rule: str) -> Boards:
    """Return the boards of the other rules, and those of a rule that have no copy among them."""
    rng, parts, others = seeding.stream(0, f"splits/without {rule}"), [], [o for o in PAPER_RULES if o != rule]
    for support in map(records.support, others):
        chosen = rng.choice(len(support), min(_POOLED, len(support)), False, support.probability)
        parts.append(support.only(np.sort(chosen)))
    support, alike = records.support(rule), np.concatenate([_orbits(other) for other in others])
    own = support.only(~np.isin(_orbits(rule), alike))
    return Boards(
        mixture(parts), own, {IDEAL: support, f"{IDEAL} of all rules": mixture([*map(records.support, PAPER_RULES)])}
    )


@cache
def _orbits(rule: str) -> np.ndarray:
    return orbits(records.support(rule).bits)


def _new_rules(which: str) -> Boards:
    """Return the boards of all rules of the grammar but those of a motif, of an operator, or of one pair of them."""
    rules, own = grammar.rules(), grammar.some(which)
    pool, tested = (mixture([rules[name] for name in rules if (name in own) == part]) for part in (False, True))
    return Boards(pool, tested, {IDEAL: tested, f"{IDEAL} of all rules": mixture([*rules.values()])})


HELD = {f"{rule}, {family.name}": Held(*family[1:4], partial(_family, rule)) for rule, family in FAMILIES.items()}
HELD |= {
    f"{rule}, {UNTRAINED}": Held("rule", bound, "The other seven rules are trained.", partial(_untrained, rule))
    for rule, bound in _UNTRAINED.items()
}
HELD |= {
    f"{GRAMMAR}, {name}": Held(rung, bound, _NEW_NOTES[rung], partial(_new_rules, name)) for name, rung, bound in _NEW
}
"""The splits that hold boards out."""
TASKS = {name.replace(", ", "/").replace(" ", "-"): name for name in HELD}
"""The splits that hold boards out by task, such as ``rectangle/short-side-3``."""


def names() -> tuple[str, ...]:
    """Return the names of all splits: three of each of the paper's rules, and those of the grammar.

    Examples
    --------
    >>> [name for name in names() if name.startswith("zigzag")]
    ['zigzag, published boards', 'zigzag, step 1', 'zigzag, never trained']
    """
    every = [f"{rule}, {PUBLISHED}" for rule in FAMILIES] + [*HELD]
    return tuple(sorted(every, key=lambda name: (*FAMILIES, GRAMMAR).index(name.partition(",")[0])))


@lru_cache(maxsize=2)  # one of *connected* holds 155,284 boards
def split(name: str) -> Split:
    """Return a split of boards.

    ``train`` is a `Support`: the boards, with their probabilities. ``val`` are a twentieth of the boards of the same
    kind, but 12 to 200, which are not in it. ``test`` are up to 120 boards of what is held out, with fresh start tiles,
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
    if presets.choose(name, names(), "split") not in HELD:
        rule = name.partition(",")[0]
        items = records.items(f"{rule}/abstract", "published")
        return _parted(name, "orbit", records.pool(rule), items, 1.1, "Each test board has a copy in training.")
    rung, bound, note, _ = HELD[name]
    pool, own, _ = boards(name)
    chosen = seeding.stream(0, f"splits/{name}").choice(len(own), min(MOST, len(own)), False, own.probability)
    drawn = from_bits(own.bits[np.sort(chosen)])
    items = Items(drawn, records.draw_starts(drawn, 0, f"splits/{name}"), task_of(name), "generated")
    return _parted(name, rung, pool, items, bound, note)


@lru_cache(maxsize=2)
def boards(name: str) -> Boards:
    """Return what a split holds out and what not, and the boards that two ideal observers know.

    The first observer knows the rule that is asked, and the second may know less or more. The published boards have the
    first alone.

    Examples
    --------
    >>> len(boards("zigzag, step 1").held), [*boards("grammar, operator copy").known]
    (144, ['Bayes-greedy', 'Bayes-greedy of all rules'])
    """
    if name in HELD:
        return HELD[name].boards()
    support = records.support(name.partition(",")[0])
    return Boards(support, support, {IDEAL: support})


def watched(task: str, n: int = 100) -> Items | None:
    """Return boards of what a task holds out, to be watched in training; None for a task that holds out no kind.

    They are drawn as the test is, which may hold the same boards, but with start tiles of their own.

    Examples
    --------
    >>> len(watched("zigzag/step-1")), watched("zigzag/abstract")
    (100, None)
    """
    if task not in TASKS:
        return None
    drawn = boards(TASKS[task]).held.sample(n, 0, f"watched/{task}")
    return Items(drawn, records.draw_starts(drawn, 0, f"watched/{task}"), task, "generated", "val")


def known(task: str) -> Support | None:
    """Return the boards that the ideal observer of a task knows; None where boards have no rule.

    Examples
    --------
    >>> len(known("zigzag/step-1")), known("zigzag/metamer")
    (364, None)
    """
    if task in TASKS:
        return boards(TASKS[task]).known[IDEAL]
    rule, _, kind = task.partition("/")
    return records.support(rule) if kind == "abstract" and rule in RULES else None


def of_task(task: str) -> Split:
    """Return the split of a task whose boards training never holds.

    Examples
    --------
    >>> of_task("zigzag/step-1").name
    'zigzag, step 1'
    """
    return split(TASKS[presets.choose(task, TASKS, "task of a split")])


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
        return TASKS[task], HELD[TASKS[task]].rung
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
