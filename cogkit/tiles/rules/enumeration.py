"""The table of a rule, from all ways to draw a board: every board once, with its exact probability."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from cogkit.tiles.rules.boards import SIZE

FEWEST, MOST = 3, 39  # allowed numbers of reds; under every rule, other boards are drawn again

Tile = tuple[int, int]


def word(tiles: Iterable[Tile]) -> int:
    """Return the bit word of a board whose red tiles are given as (row, column).

    Examples
    --------
    >>> word([(0, 0), (1, 0)])
    129
    """
    bits = 0
    for row, column in tiles:
        bits |= 1 << (SIZE * row + column)
    return bits


def quarter_turns(tiles: list[Tile]) -> list[list[Tile]]:
    """Return a drawing's four rotations."""
    turns = [tiles]
    for _ in range(3):
        turns.append([(column, SIZE - 1 - row) for row, column in turns[-1]])
    return turns


def table(draws: Iterable[tuple[int, Fraction]]) -> tuple[np.ndarray, np.ndarray]:
    """Return a rule's boards and their probabilities, given that 3 <= reds < 40.

    Parameters
    ----------
    draws
        Every way to draw a board: its bit word, and the probability of that way. The ways to one board are
        added up; probabilities need not sum to 1.

    Returns
    -------
    bits : (k,) uint64, ascending, read-only
    probability : (k,) float64, summing to 1, read-only

    Examples
    --------
    >>> table((bits, Fraction(1, 4)) for bits in (7, 7, 56, 1))[1].tolist()
    [0.6666666666666666, 0.3333333333333333]
    """
    ways: dict[int, Fraction] = defaultdict(Fraction)
    for bits, probability in draws:
        if FEWEST <= bits.bit_count() <= MOST:
            ways[bits] += probability
    total = sum(ways.values())
    bits = sorted(ways)
    return frozen(np.array(bits, np.uint64), np.array([float(ways[b] / total) for b in bits]))


def frozen(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the arrays after making them read-only: tables are cached and shared."""
    for array in arrays:
        array.flags.writeable = False
    return arrays
