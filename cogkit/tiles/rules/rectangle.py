"""Rectangle: the outline of a box at least two tiles wide and high (Kumar et al. 2023, Fig. 1)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np

from cogkit.tiles.rules.boards import SIZE
from cogkit.tiles.rules.enumeration import table, word


@cache
def support() -> tuple[np.ndarray, np.ndarray]:
    """Return the 441 outlines and their probabilities, all equal: any two rows with any two columns.

    Examples
    --------
    >>> len(support()[0])
    441
    """
    spans = list(combinations(range(SIZE), 2))
    outlines = (
        word((r, c) for r, c in product(range(top, bottom + 1), range(left, right + 1))
             if r in (top, bottom) or c in (left, right))
        for (top, bottom), (left, right) in product(spans, spans)
    )  # fmt: skip
    return table((outline, Fraction(1)) for outline in outlines)


def check(boards: np.ndarray) -> np.ndarray:
    """Return for each board (n, 7, 7) whether its reds are the outline of their own bounding box.

    Examples
    --------
    >>> box = np.ones((1, 7, 7), np.uint8)
    >>> check(box), check(box - np.pad(box[:, 2:, 2:], ((0, 0), (1, 1), (1, 1))))
    (array([False]), array([ True]))
    """
    place = np.arange(SIZE)
    inside, edge = [], []
    for axis in (2, 1):
        occupied = boards.any(axis=axis)
        first, last = occupied.argmax(axis=1)[:, None], SIZE - 1 - occupied[:, ::-1].argmax(axis=1)[:, None]
        inside.append((place >= first) & (place <= last) & (last > first))
        edge.append((place == first) | (place == last))
    box = inside[0][:, :, None] & inside[1][:, None, :]
    outline = box & (edge[0][:, :, None] | edge[1][:, None, :])
    return box.any(axis=(1, 2)) & (boards == outline).all(axis=(1, 2))
