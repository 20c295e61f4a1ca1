"""What counts as the same board elsewhere: shifted, turned and mirrored copies of boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from cogkit.tiles.rules.boards import SIZE, from_bits, to_bits
from cogkit.tiles.rules.support import Support, merge

SYMMETRIES = ("D4", "shift")
"""``D4``: turned by quarter turns and mirrored. ``shift``: moved as a whole, while all reds stay on the board."""
SHIFTS = tuple((down, across) for down in range(1 - SIZE, SIZE) for across in range(1 - SIZE, SIZE))
"""By how many tiles a board can be moved down and to the right, or if negative up and to the left."""


def turned(boards: np.ndarray) -> np.ndarray:
    """Return the eight turned and mirrored copies of square pictures (..., k, k): (8, ..., k, k).

    Examples
    --------
    >>> turned(np.eye(7)).shape
    (8, 7, 7)
    """
    turns = [np.rot90(boards, quarters, axes=(-2, -1)) for quarters in range(4)]
    return np.stack([*turns, *(turn[..., ::-1] for turn in turns)])


def _margins(boards: np.ndarray) -> np.ndarray:
    """Return the rows above and below the reds of boards (n, 7, 7), and the columns left and right of them: (4, n)."""
    rows, columns = boards.max(axis=2), boards.max(axis=1)
    return np.stack([side.argmax(axis=1) for side in (rows, rows[:, ::-1], columns, columns[:, ::-1])])


def _shift(words: np.ndarray, tiles) -> np.ndarray:
    """Return bit words moved up by a number of tiles, or down if it is negative."""
    tiles = np.asarray(tiles)
    return np.where(tiles >= 0, words >> np.abs(tiles).astype(np.uint64), words << np.abs(tiles).astype(np.uint64))


def moved(words: np.ndarray, shifts: Iterable[tuple[int, int]] = SHIFTS) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield for each shift, down and to the right, which boards stay whole, (n,) bool, and these, moved.

    Examples
    --------
    >>> ((fits, words),) = moved(np.array([0b11, 0b11 << 5], np.uint64), [(1, 1)])
    >>> fits.tolist(), words.tolist() == [0b11 << 8]
    ([True, False], True)
    """
    above, below, left, right = _margins(from_bits(words)).astype(int)
    for down, across in shifts:
        fits = (-above <= down) & (down <= below) & (-left <= across) & (across <= right)
        yield fits, _shift(words[fits], -(SIZE * down + across))


def in_corner(words: np.ndarray) -> np.ndarray:
    """Return boards with all reds moved up and left as far as they go: (n,) uint64.

    Examples
    --------
    >>> in_corner(np.array([0b11 << 19], np.uint64)).tolist()
    [3]
    """
    above, _, left, _ = _margins(from_bits(words))
    return _shift(words, SIZE * above + left)


def orbits(words: np.ndarray) -> np.ndarray:
    """Return one name for all copies of a board under `SYMMETRIES`: (n,) uint64.

    It is the smallest bit word among the turned and mirrored copies, each moved to the upper left corner.

    Examples
    --------
    >>> orbits(np.array([0b11, 0b11 << 19, 1 | 1 << 7, 0b101], np.uint64)).tolist()
    [3, 3, 3, 5]
    """
    return np.min([in_corner(to_bits(boards)) for boards in turned(from_bits(words))], axis=0)


def images(support: Support, symmetries: tuple[str, ...] = SYMMETRIES) -> Support:
    """Return boards with their copies under some of `SYMMETRIES`. The copies of a board share its probability.

    Examples
    --------
    >>> pair = Support(np.array([0b11], np.uint64), np.ones(1))
    >>> [len(images(pair, some)) for some in ((), ("D4",), ("shift",), SYMMETRIES)]
    [1, 8, 42, 84]
    """
    words, chance = support.bits, support.probability
    if "D4" in symmetries:
        words = np.concatenate([to_bits(boards) for boards in turned(from_bits(words))])
        chance = np.tile(chance / 8, 8)
    if "shift" in symmetries:
        above, below, left, right = _margins(from_bits(words))
        chance = chance / ((above + below + 1) * (left + right + 1))
        copies = [*moved(words)]
        chance = np.concatenate([chance[fits] for fits, _ in copies])
        words = np.concatenate([copy for _, copy in copies])
    return Support(*merge(words, chance))


def sides(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the shorter and the longer side of the smallest box round the reds of each board, in tiles.

    Examples
    --------
    >>> [side.tolist() for side in sides(np.array([0b11, 1 | 1 << 14], np.uint64))]
    [[1, 1], [2, 3]]
    """
    above, below, left, right = _margins(from_bits(words)).astype(int)
    high, wide = SIZE - above - below, SIZE - left - right
    return np.minimum(high, wide), np.maximum(high, wide)
