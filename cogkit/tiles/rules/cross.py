"""Cross: two bars that cross inside both, upright or diagonal (Kumar et al. 2023, Fig. 1)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from cogkit.tiles.rules.boards import SIZE, to_bits
from cogkit.tiles.rules.enumeration import table, word


def _upright() -> Iterator[tuple[int, Fraction]]:
    for row, one_end in product(range(1, 6), range(SIZE)):
        other_ends = [end for end in range(SIZE) if abs(end - one_end) > 1]
        for other_end in other_ends:
            left, right = sorted((one_end, other_end))
            across = [(row, c) for c in range(left, right + 1)]
            for column in range(left + 1, right):
                chance = Fraction(1, 2 * 5 * SIZE * len(other_ends) * (right - left - 1))
                for top, bottom in product(range(row), range(row + 1, SIZE)):
                    down = [(r, column) for r in range(top, bottom + 1)]
                    yield word(across + down), chance / (row * (SIZE - 1 - row))


def _arm(room: int) -> dict[int, Fraction]:
    """Return the chance of each length of a diagonal arm: a second and a third tile by the toss of a coin."""
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    return {1: {1: Fraction(1)}, 2: {1: half, 2: half}}.get(room, {1: half, 2: quarter, 3: quarter})


def _diagonal() -> Iterator[tuple[int, Fraction]]:
    for top, left in product(range(5), repeat=2):
        longest = SIZE - max(top, left)
        for length in range(3, longest + 1):
            falling = [(top + k, left + k) for k in range(length)]
            for row, column in falling[1:-1]:
                chance = Fraction(1, 2 * 25 * (longest - 2) * (length - 2))
                up, down = _arm(min(row, SIZE - 1 - column)), _arm(min(SIZE - 1 - row, column))
                for rise, fall in product(up, down):
                    rising = [(row - k, column + k) for k in range(-fall, rise + 1)]
                    yield word(falling + rising), chance * up[rise] * down[fall]


@cache
def support() -> tuple[np.ndarray, np.ndarray]:
    """Return the 1,670 crosses, 1,225 upright and 445 diagonal, and their probabilities.

    A coin chooses between upright and diagonal. The long bar of a diagonal one always falls to the right;
    the arms of the other are at most three tiles long.

    Examples
    --------
    >>> len(support()[0])
    1670
    """
    return table(draw for kind in (_upright, _diagonal) for draw in kind())


def _rays(row: int, column: int, steps: tuple[tuple[int, int], ...]) -> list[list[int]]:
    """Return, for each direction, the words of the rays of 1, 2, … tiles that start beside a centre."""
    rays = []
    for down, across in steps:
        ray = [(row, column)]
        while 0 <= (r := ray[-1][0] + down) < SIZE and 0 <= (c := ray[-1][1] + across) < SIZE:
            ray.append((r, c))
        rays.append([word(ray[1 : length + 1]) for length in range(1, len(ray))])
    return rays


def check(boards: np.ndarray) -> np.ndarray:
    """Return for each board (n, 7, 7) whether it is a centre and four unbroken arms, upright or diagonal.

    Examples
    --------
    >>> board = np.zeros((1, 7, 7), np.uint8)
    >>> board[0, 1:5, 2] = board[0, 3, 1:5] = 1
    >>> check(board), check(1 - board)
    (array([ True]), array([False]))
    """
    words = to_bits(boards)
    fits = np.zeros(len(words), bool)
    for row, column in product(range(1, 6), repeat=2):
        upright = _rays(row, column, ((-1, 0), (1, 0), (0, -1), (0, 1)))
        falling = _rays(row, column, ((-1, -1), (1, 1)))
        rising = [ray[:3] for ray in _rays(row, column, ((-1, 1), (1, -1)))]
        for arms in (upright, falling + rising):
            remainder = words.copy()
            is_cross = (words & np.uint64(word([(row, column)]))) != 0
            for ray in arms:
                arm = words & np.uint64(ray[-1])
                is_cross &= np.isin(arm, np.array(ray, np.uint64))
                remainder &= ~arm
            fits |= is_cross & (remainder == np.uint64(word([(row, column)])))
    return fits
