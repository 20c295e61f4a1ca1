"""Symmetry: a shape and its mirror image, grown from a tile on the axis (Kumar et al. 2023, Fig. 1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np

from cogkit.tiles.rules.boards import SIZE
from cogkit.tiles.rules.enumeration import FEWEST, MOST, Tile, table, word

_STEPS = 4


def _candidates(half: frozenset[Tile], axis: int) -> list[Tile]:
    """Return the tiles that may join the upper half, one entry for each red that reaches them."""
    return [
        (r, c - 1)
        for row, c in half
        for r in (row - 1, row)
        if c > 0 and 0 <= r and 2 * axis - r < SIZE and (r, c - 1) not in half
    ]


def _halves(axis: int) -> dict[frozenset[Tile], Fraction]:
    """Return every half that can grow above and on one row axis, with its chance."""
    level = {frozenset({(axis, column)}): Fraction(1, SIZE) for column in range(SIZE)}
    for _ in range(_STEPS):
        next_level: dict[frozenset[Tile], Fraction] = defaultdict(Fraction)
        for half, chance in level.items():
            entries = _candidates(half, axis)
            if not entries:
                next_level[half] += chance
            for tile in entries:
                next_level[half | {tile}] += chance / len(entries)
        level = next_level
    return level


def _draws() -> Iterator[tuple[int, Fraction]]:
    for axis in range(1, 6):
        for half, chance in _halves(axis).items():
            tiles = half | {(2 * axis - r, c) for r, c in half}
            yield word(tiles), chance / 10
            yield word((c, r) for r, c in tiles), chance / 10


@cache
def support() -> tuple[np.ndarray, np.ndarray]:
    """Return the 834 boards of 4 to 9 reds and their probabilities.

    From one tile on an axis (row or column 1 to 5) the shape grows in four steps, always one column further
    on and on the same row or the next away from the axis; a tile that two reds reach is twice as likely. It
    stops early where nothing can be added.

    Examples
    --------
    >>> len(support()[0])
    834
    """
    return table(_draws())


def check(boards: np.ndarray, strict: bool = True) -> np.ndarray:
    """Return for each board (n, 7, 7) whether it is a mirror image about row or column 1 to 5.

    Parameters
    ----------
    boards
        The boards.
    strict
        Also ask that the rule can have grown it: one foremost tile, on the axis; every other one column
        behind a red of its own row or of the next towards the axis; five tiles on one side, or fewer where
        no more could be added. Otherwise any mirror image of 3 to 39 reds will do.

    Examples
    --------
    >>> board = np.zeros((1, 7, 7), np.uint8)
    >>> board[0, 2:5, 1:4] = 1
    >>> check(board, strict=False), check(board)
    (array([ True]), array([False]))
    """
    fits = np.zeros(len(boards), bool)
    for view in (boards.astype(bool), boards.astype(bool).transpose(0, 2, 1)):
        for axis in range(1, 6):
            reach = min(axis, SIZE - 1 - axis)
            band = view[:, axis - reach : axis + reach + 1]
            is_symmetric = (band == band[:, ::-1]).all(axis=(1, 2))
            is_symmetric &= band.sum(axis=(1, 2)) == view.sum(axis=(1, 2))
            fits |= is_symmetric & _grows(band[:, reach::-1]) if strict else is_symmetric
    reds = boards.sum(axis=(1, 2), dtype=np.int64)
    return fits & (reds >= FEWEST) & (reds <= MOST)


def _grows(half: np.ndarray) -> np.ndarray:
    """Return whether each half (n, distance from the axis, column) can be grown by the rule."""
    n, height, _ = half.shape
    behind = np.zeros((n, height, SIZE), bool)  # tiles that a red reaches
    behind[:, :, :-1] |= half[:, :, 1:]
    behind[:, 1:, :-1] |= half[:, :-1, 1:]
    size, roots = half.sum(axis=(1, 2)), half & ~behind
    one_root = (roots.sum(axis=(1, 2)) == 1) & roots[:, 0].any(axis=1)
    full = ~(behind & ~half).any(axis=(1, 2))
    return one_root & ((size == _STEPS + 1) | ((size <= _STEPS) & full))
