"""Pyramid: a filled triangle with one tile at the apex, turned to any side (Kumar et al. 2023, Fig. 1)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np

from cogkit.tiles.rules.boards import SIZE
from cogkit.tiles.rules.enumeration import quarter_turns, table, word


def _draws() -> Iterator[tuple[int, Fraction]]:
    for row in range(1, 7):
        for column in range(1, 6):
            heights = [h for h in (1, 2, 3) if row >= h and h <= column <= SIZE - 1 - h]
            for height in heights:
                triangle = [
                    (row - up, column + across)
                    for up in range(height + 1)
                    for across in range(up - height, height - up + 1)
                ]
                for shape in quarter_turns(triangle):
                    yield word(shape), Fraction(1, 6 * 5 * len(heights) * 4)


@cache
def support() -> tuple[np.ndarray, np.ndarray]:
    """Return the 196 pyramids of 4, 9 or 16 reds and their probabilities.

    The centre of the base is drawn first, then one of the widths 3, 5 and 7 that fit there, then a rotation.

    Examples
    --------
    >>> len(support()[0])
    196
    """
    return table(_draws())


def check(boards: np.ndarray) -> np.ndarray:
    """Return for each board (n, 7, 7) whether, turned some way, it widens by a tile a side from row to row.

    Examples
    --------
    >>> board = np.zeros((1, 7, 7), np.uint8)
    >>> board[0, 2, 3] = board[0, 3, 2:5] = 1
    >>> check(board), check(board.transpose(0, 2, 1)), check(1 - board)
    (array([ True]), array([ True]), array([False]))
    """
    row, column = np.indices((SIZE, SIZE))
    fits = np.zeros(len(boards), bool)
    for turns in range(4):
        turn = np.rot90(boards, turns, axes=(1, 2))
        rows = turn.any(axis=2)
        top, height = rows.argmax(axis=1), rows.sum(axis=1)
        apex = turn[np.arange(len(boards)), top].argmax(axis=1)
        down = row - top[:, None, None]
        triangle = (down >= 0) & (down < height[:, None, None]) & (abs(column - apex[:, None, None]) <= down)
        is_pyramid = (height >= 2) & (height <= 4) & (apex >= height - 1) & (apex + height <= SIZE)
        fits |= is_pyramid & (turn == triangle).all(axis=(1, 2))
    return fits
