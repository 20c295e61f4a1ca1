"""Connected: a closed ring of reds round one blank shape (Kumar et al. 2023, Fig. 1)."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np

from cogkit.tiles.rules.boards import SIZE, to_bits
from cogkit.tiles.rules.enumeration import frozen, word

_INNER = [SIZE * r + c for r, c in product(range(1, 6), range(1, 6))]
_SEEDS = [SIZE * r + c for r, c in product(range(2, 6), repeat=2)]
_ROUNDS = 3
_ONE, _ROW = np.uint64(1), np.uint64(SIZE)
_INSIDE = np.uint64(word(product(range(1, 6), range(1, 6))))


def _beside(words: np.ndarray) -> np.ndarray:
    """Return the tiles above, below, left and right of shapes that touch no edge."""
    return words << _ONE | words >> _ONE | words << _ROW | words >> _ROW


def _ring(words: np.ndarray) -> np.ndarray:
    """Return the tiles around shapes that touch no edge, corners too."""
    wide = words | words << _ONE | words >> _ONE
    return (wide | wide << _ROW | wide >> _ROW) & ~words


def _merge(words: np.ndarray, chance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct words, ascending, with the chances of equal ones added up."""
    distinct, places = np.unique(words, return_inverse=True)
    return distinct, np.bincount(places, chance)


def _grow(shapes: np.ndarray, chance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the shapes after one round: a tile beside k tiles of a shape joins with chance 1 - 1/2^k."""
    before, after = shapes, shapes
    for tile in _INNER:
        neighbours = sum((before >> np.uint64(tile + step)) & _ONE for step in (1, -1, SIZE, -SIZE))
        neighbours[(before >> np.uint64(tile)) & _ONE == 1] = 0
        candidates = neighbours > 0
        stay = chance * 0.5**neighbours
        before, after = (
            np.append(before, before[candidates]),
            np.append(after, after[candidates] | _ONE << np.uint64(tile)),
        )
        chance = np.append(stay, (chance - stay)[candidates])
    return _merge(after, chance)


@cache
def support() -> tuple[np.ndarray, np.ndarray]:
    """Return the 155,284 rings of 8 to 30 reds and their probabilities (half a second at the first call).

    A blank tile at rows and columns 2 to 5 grows for one, two or three rounds within rows and columns 1 to
    5; the ring is every other tile around the shape, holes included. Rings sit a little to the lower right,
    as in the original.

    Examples
    --------
    >>> len(support()[0])
    155284
    """
    rounds = []
    for seed in _SEEDS:  # one at a time: all together would need four times the memory
        shapes, chance = np.array([1 << seed], np.uint64), np.array([1 / (len(_SEEDS) * _ROUNDS)])
        for _ in range(_ROUNDS):
            shapes, chance = _grow(shapes, chance)
            rounds.append((shapes, chance))
    shapes, chance = _merge(*(np.concatenate(part) for part in zip(*rounds, strict=True)))
    bits, probability = _merge(_ring(shapes), chance)
    return frozen(bits, probability / probability.sum())


def check(boards: np.ndarray) -> np.ndarray:
    """Return for each board (n, 7, 7) whether it is the ring round a blank shape that the rule can grow.

    From a blank seed the shape is refilled: within three steps through blank inner tiles. Only a ring that
    has a gap, a stray red or too large an inside differs from the ring round what was filled.

    Examples
    --------
    >>> board = np.zeros((1, 7, 7), np.uint8)
    >>> board[0, 1:4, 1:4] = 1
    >>> board[0, 2, 2] = 0
    >>> check(board), check(board | np.eye(7, dtype=np.uint8))
    (array([ True]), array([False]))
    """
    words = to_bits(boards)
    blank = ~words & _INSIDE
    fits = np.zeros(len(words), bool)
    for seed in _SEEDS:
        shape = blank & (_ONE << np.uint64(seed))
        for _ in range(_ROUNDS):
            shape |= _beside(shape) & blank
        fits |= (shape != 0) & (_ring(shape) == words)
    return fits
