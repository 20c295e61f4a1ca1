"""A grammar of rules: a motif, such as a corner, under an operator, such as its mirror image. The paper has none.

A board of a rule is a picture of the motif, of any size and turn and anywhere on the board, and what the operator makes
of it. Its parts do not touch. A board that two rules could make belongs to neither, so that rules share no board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations, product

import numpy as np

from cogkit.tiles.rules.boards import SIZE, from_bits, to_bits
from cogkit.tiles.rules.enumeration import FEWEST, MOST, Tile, frozen, word
from cogkit.tiles.rules.support import Support
from cogkit.tiles.rules.symmetries import SHIFTS, images, in_corner, moved

LEAST = 20  # boards that a rule of the grammar has for itself alone, and at least half of all that it could make
Parts = Iterator[tuple[np.ndarray, ...]]  # bit words (n,) of each part of n boards; parts may touch


def _line(n: int, down: int, across: int) -> set[Tile]:
    return {(down * k, across * k) for k in range(n)}


def _outline(rows: tuple[int, int], columns: tuple[int, int]) -> set[Tile]:
    tiles = product(range(rows[0], rows[1] + 1), range(columns[0], columns[1] + 1))
    return {(r, c) for r, c in tiles if r in rows or c in columns}


MOTIFS: dict[str, list[set[Tile]]] = {
    "bar": [_line(n, 0, 1) for n in range(2, 8)],
    "block": [{*product(range(a), range(b))} for a in range(2, 6) for b in range(a, 6)],
    "corner": [_line(n, 0, 1) | _line(n, 1, 0) for n in range(2, 6)],
    "diagonal": [_line(n, 1, 1) for n in range(2, 8)],
    "dots": [_line(n, 0, 2) for n in range(2, 5)],
    "hook": [_line(n, 1, 0) | {(n - 1, 1)} for n in range(3, 7)],
    "plus": [{(k, n) for k in range(2 * n + 1)} | {(n, k) for k in range(2 * n + 1)} for n in (1, 2)],
    "ring": [_outline((0, a), (0, b)) for a in range(2, 6) for b in range(a, 7)],
    "stair": [{((k + 1) // 2, k // 2) for k in range(n)} for n in range(4, 10)],
    "tee": [_line(3, 0, 1) | {(k, 1) for k in range(1, n)} for n in range(2, 5)],
}
"""The pictures of each motif, one a size."""


def _single(words: np.ndarray) -> Parts:
    yield (words,)


def _repeated(words: np.ndarray, change: Callable, times: int, shifts: Iterable[Tile] = SHIFTS) -> Parts:
    """Yield boards with what comes of them by a change and then a shift, both repeated."""
    for shift in shifts:
        parts = [words]
        for _ in range(times):
            ((fits, image),) = moved(to_bits(change(from_bits(parts[-1]))), [shift])
            parts = [*(part[fits] for part in parts), image]
        yield tuple(parts)


def _copy(words: np.ndarray) -> Parts:
    return _repeated(words, lambda boards: boards, 1)


def _triple(words: np.ndarray) -> Parts:
    return _repeated(words, lambda boards: boards, 2)


def _mirror(words: np.ndarray) -> Parts:
    yield from _repeated(words, lambda boards: boards[:, ::-1], 1, ((k, 0) for k in range(1 - SIZE, SIZE)))
    yield from _repeated(words, lambda boards: boards[:, :, ::-1], 1, ((0, k) for k in range(1 - SIZE, SIZE)))


def _half_turn(words: np.ndarray) -> Parts:
    return _repeated(words, lambda boards: boards[:, ::-1, ::-1], 1)


def _quarter_turn(words: np.ndarray) -> Parts:
    return _repeated(words, lambda boards: np.rot90(boards, axes=(1, 2)), 3)


def _framed(words: np.ndarray) -> Parts:
    for (top, bottom), (left, right) in product(combinations(range(SIZE), 2), repeat=2):
        inside = np.uint64(word(product(range(top + 1, bottom), range(left + 1, right))))
        fits = words[words & ~inside == 0]
        yield fits, np.full(len(fits), word(_outline((top, bottom), (left, right))), np.uint64)


OPERATORS: dict[str, Callable[[np.ndarray], Parts]] = {
    "single": _single, "copy": _copy, "mirror": _mirror, "half-turn": _half_turn, "quarter-turn": _quarter_turn,
    "triple": _triple, "framed": _framed,
}  # fmt: skip
"""What each operator makes of pictures of a motif, given as bit words."""
_TURNING = ("mirror", "half-turn", "quarter-turn")  # of a picture that they do not change, they make a mere copy


@cache
def rules() -> dict[str, Support]:
    """Return the rules by name: their boards, each as probable as any other of the rule.

    Left out are pairs with fewer than `LEAST` boards of their own, or fewer than half of all that they could make. The
    first call takes some seconds.

    Examples
    --------
    >>> made = rules()
    >>> len(made), len(made["corner under mirror"]), "plus under quarter-turn" in made
    (47, 328, False)
    """
    made = {f"{motif} under {operator}": _boards(motif, operator) for motif, operator in product(MOTIFS, OPERATORS)}
    boards, owners = np.unique(np.concatenate([*made.values()]), return_counts=True)
    own = {name: np.intersect1d(words, boards[owners == 1]) for name, words in made.items()}
    return {
        name: Support(*frozen(words, np.full(len(words), 1 / len(words))))
        for name, words in own.items()
        if len(words) >= max(LEAST, len(made[name]) / 2)
    }


def some(which: str) -> list[str]:
    """Return the names of the rules of a motif, of an operator, or of one pair.

    Examples
    --------
    >>> some("motif plus"), some("plus under copy")
    (['plus under single', 'plus under copy'], ['plus under copy'])
    """
    kind, _, name = which.partition(" ")
    parts = {"motif": 0, "operator": 1}
    return [rule for rule in rules() if rule == which or kind in parts and rule.split(" under ")[parts[kind]] == name]


def _boards(motif: str, operator: str) -> np.ndarray:
    """Return all boards of a pair, those that other pairs make too among them, as bit words (n,)."""
    sizes = np.array([word(picture) for picture in MOTIFS[motif]], np.uint64)
    pictures = images(Support(sizes, np.ones(len(sizes)))).bits
    boards = []
    for parts in OPERATORS[operator](pictures):
        good = np.ones(len(parts[0]), bool)
        for one, other in combinations(parts, 2):
            good &= _around(one) & other == 0
        if operator in _TURNING:
            good &= in_corner(parts[1]) != in_corner(parts[0])
        boards.append(np.bitwise_or.reduce(parts)[good])
    every = np.unique(np.concatenate(boards))
    reds = from_bits(every).sum(axis=(1, 2))
    return every[(reds >= FEWEST) & (reds <= MOST)]


_FIRST = np.uint64(word((r, 0) for r in range(SIZE)))  # column
_LAST = np.uint64(word((r, SIZE - 1) for r in range(SIZE)))


def _around(words: np.ndarray) -> np.ndarray:
    """Return the red tiles and all that touch them, even by a corner."""
    one, row = np.uint64(1), np.uint64(SIZE)
    wide = words | (words & ~_LAST) << one | (words & ~_FIRST) >> one
    return wide | wide << row | wide >> row
