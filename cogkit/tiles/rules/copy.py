"""Copy: one 3×3 stamp pasted twice, well apart (Kumar et al. 2023, Fig. 1)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from cogkit.tiles.rules.boards import SIZE, to_bits
from cogkit.tiles.rules.enumeration import FEWEST, Tile, table, word

_CENTRES = tuple(product(range(1, 6), range(1, 6)))
_STAMPS = range(1, 512)
_WINDOW = word(product(range(3), range(3)))


def _apart(first: Tile) -> list[Tile]:
    """Return the centres whose window stands apart from the first one's by at least one row or column."""
    return [(r, c) for r, c in _CENTRES if max(abs(r - first[0]), abs(c - first[1])) >= 4]


def _corner(centre: Tile) -> int:
    """Return the tile index of the upper left corner of a centre's window."""
    return SIZE * (centre[0] - 1) + centre[1] - 1


def _draws() -> Iterator[tuple[int, Fraction]]:
    stamps = [word((k // 3, k % 3) for k in range(9) if stamp >> k & 1) for stamp in _STAMPS]
    for centre in _CENTRES:
        seconds = _apart(centre)
        for other_centre, stamp in product(seconds, stamps):
            yield stamp << _corner(centre) | stamp << _corner(other_centre), Fraction(1, len(seconds))


@cache
def support() -> tuple[np.ndarray, np.ndarray]:
    """Return the 22,272 boards of 4 to 18 reds and their probabilities.

    22,272 counts distinct boards. There are 96 ordered pairs of centres and 511 stamps, hence 49,056 draws,
    weighted by how many second centres the first one leaves; 864 of them paste a single tile twice and are
    drawn again, and the other 48,192 merge, because the order of the centres cannot be seen and because a
    stamp with an empty edge makes the same board as its shifted self with shifted centres.

    Examples
    --------
    >>> len(support()[0])
    22272
    """
    return table(_draws())


def check(boards: np.ndarray) -> np.ndarray:
    """Return for each board (n, 7, 7) whether two windows that stand apart are equal and hold every red.

    Examples
    --------
    >>> board = np.zeros((1, 7, 7), np.uint8)
    >>> board[0, :2, :2] = board[0, 4:6, 4:6] = 1
    >>> check(board), check(board[:, ::-1] | board)
    (array([ True]), array([False]))
    """
    words = to_bits(boards)
    window = np.uint64(_WINDOW)
    fits = np.zeros(len(words), bool)
    for centre in _CENTRES:
        for other_centre in _apart(centre):
            if other_centre > centre:
                shift, other_shift = np.uint64(_corner(centre)), np.uint64(_corner(other_centre))
                outside = words & ~(window << shift | window << other_shift)
                fits |= ((words >> shift & window) == (words >> other_shift & window)) & (outside == 0)
    return fits & (boards.sum(axis=(1, 2), dtype=np.int64) >= FEWEST)
