"""The table of a rule, from all ways to draw a board: every board once, with its exact probability."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, wraps

import numpy as np

from cogkit.tiles.rules.boards import SIZE

FEWEST, MOST = 3, 39  # allowed numbers of reds; under every rule, other boards are drawn again

Tile = tuple[int, int]
Draws = Iterator[tuple[int, Fraction]]  # the bit word of a board, and the chance of drawing it in one way
Table = tuple[np.ndarray, np.ndarray]


def word(tiles: Iterable[Tile]) -> int:
    """Return the bit word of a board whose red tiles are given as (row, column).

    Examples
    --------
    >>> word([(0, 0), (1, 0)])
    129
    """
    return sum(1 << (SIZE * row + column) for row, column in set(tiles))


def quarter_turns(tiles: list[Tile]) -> Iterator[int]:
    """Yield the bit words of a drawing's four rotations."""
    for _ in range(4):
        yield word(tiles)
        tiles = [(column, SIZE - 1 - row) for row, column in tiles]


def enumerated(draws: Callable[..., Draws]) -> Callable[..., Table]:
    """Return a rule's function that gives its `table`, from one that yields every way to draw a board."""

    @cache
    @wraps(draws)
    def rule(**options) -> Table:
        return table(draws(**options))

    return rule


def table(draws: Iterable[tuple[int, Fraction]]) -> Table:
    """Return a rule's boards and their probabilities, given that 3 <= reds < 40.

    Each draw is the bit word of a board, and the probability of this way to draw it. The ways to one board are added
    up; probabilities need not sum to 1.

    Returns
    -------
    bits : (k,) uint64, ascending, read-only
    probability : (k,) float64, summing to 1, read-only

    Examples
    --------
    >>> table((bits, Fraction(1, 4)) for bits in (7, 7, 56, 1))[1].tolist()
    [0.6666666666666666, 0.3333333333333333]
    """
    ways: dict[int, int] = defaultdict(int)  # in units of one over the common denominator: sums of fractions are slow
    possible = [(bits, p.numerator, p.denominator) for bits, p in draws if FEWEST <= bits.bit_count() <= MOST]
    common = math.lcm(*{denominator for _, _, denominator in possible})
    for bits, numerator, denominator in possible:
        ways[bits] += numerator * (common // denominator)
    total, words = sum(ways.values()), sorted(ways)
    return frozen(np.array(words, np.uint64), np.array([ways[bits] / total for bits in words]))


def frozen(bits: np.ndarray, probability: np.ndarray) -> Table:
    """Return a table after making it read-only: tables are cached and shared."""
    bits.flags.writeable = probability.flags.writeable = False
    return bits, probability
