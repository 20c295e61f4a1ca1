"""Zigzag: a staircase of equal steps up to the edge, turned to any side (Kumar et al. 2023, Fig. 1)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from cogkit.tiles.rules.boards import SIZE
from cogkit.tiles.rules.enumeration import quarter_turns, table, word


def _draws() -> Iterator[tuple[int, Fraction]]:
    for top, left in product(range(SIZE - 1), repeat=2):
        longest = SIZE - 1 - max(top, left)
        for step in range(1, longest + 1):
            row, column = top, left
            stairs = [(row, column)]
            while max(row, column) + step < SIZE:
                stairs += [(row + down, column) for down in range(1, step + 1)]
                row += step
                stairs += [(row, column + across) for across in range(1, step + 1)]
                column += step
            for shape in quarter_turns(stairs):
                yield word(shape), Fraction(1, (SIZE - 1) ** 2 * longest * 4)


@cache
def support() -> tuple[np.ndarray, np.ndarray]:
    """Return the 364 staircases and their probabilities.

    A corner is drawn, then a step that fits; the stairs go down and right from there while another step fits.

    Examples
    --------
    >>> len(support()[0])
    364
    """
    return table(_draws())


def check(boards: np.ndarray) -> np.ndarray:
    """Return for each board (n, 7, 7) whether, turned some way, it is a staircase that runs to the edge.

    Examples
    --------
    >>> stairs = np.tril(np.triu(np.ones((1, 7, 7), np.uint8), -1))
    >>> check(stairs), check(stairs[:, ::-1]), check(stairs | stairs[:, ::-1])
    (array([ True]), array([ True]), array([False]))
    """
    row, column = np.indices((SIZE, SIZE))
    fits = np.zeros(len(boards), bool)
    for turns in range(4):
        turn = np.rot90(boards, turns, axes=(1, 2))
        top = turn.any(axis=2).argmax(axis=1)
        left = turn[np.arange(len(boards)), top].argmax(axis=1)
        step = turn[np.arange(len(boards)), :, left].sum(axis=1, dtype=np.int64) - 1
        starts = step >= 1
        step = np.where(starts, step, 1)[:, None, None]
        down, across = row - top[:, None, None], column - left[:, None, None]
        repeats = (SIZE - 1 - np.maximum(top, left))[:, None, None] // step
        # Uprights stand at every multiple of the step across, treads lie at every multiple of the step down.
        upright = (across % step == 0) & (across >= 0) & (across < repeats * step)
        upright &= (down >= across) & (down <= across + step)
        tread = (down % step == 0) & (down > 0) & (down <= repeats * step)
        tread &= (across >= down - step) & (across <= down)
        starts &= repeats.ravel() >= 1
        fits |= starts & (turn == (upright | tread)).all(axis=(1, 2))
    return fits
