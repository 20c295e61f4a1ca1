"""The nearest-neighbour heuristic, compiled: how many blue tiles it opens on a board, the yardstick of every z-score.

The floors have the same heuristic as a player; a test checks that the two agree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from cogkit.core import seeding
from cogkit.core.compiled import compiled, item_state, item_word, mix
from cogkit.tiles.rules.bits import WINDOWS, lowest, popcount, select
from cogkit.tiles.rules.boards import to_bits

_ONE, _HALF = np.uint64(1), np.uint64(32)


@njit(inline="always")
def frontier(opened, reds):
    """Return the covered tiles nearest to any open red one: the smallest Chebyshev distance that holds any."""
    for distance in range(1, len(WINDOWS)):
        near = np.uint64(0)
        reds_left = reds
        while reds_left:
            near |= WINDOWS[distance, lowest(reds_left)]
            reds_left &= reds_left - _ONE
        near &= ~opened
        if near:
            return near
    return np.uint64(0)


@compiled
def _run_heuristic(boards, starts, key, runs, blue):
    for b in range(len(boards)):
        board, start = boards[b], np.uint64(starts[b])
        stream = key ^ mix(board) ^ start  # a board's runs do not depend on the other boards
        for run in range(runs):
            state = item_state(stream, np.uint64(run))
            opened = _ONE << start
            near = WINDOWS[1, start]
            reds = board & ~opened
            draw = np.uint64(0)
            blues = 0
            while reds:
                choices = near & ~opened
                if not choices:
                    choices = frontier(opened, board & opened)
                rank = ((item_word(state, draw) >> _HALF) * popcount(choices)) >> _HALF
                draw += _ONE
                tile = select(choices, rank)
                bit = _ONE << tile
                opened |= bit
                if board & bit:
                    reds &= ~bit
                    near |= WINDOWS[1, tile]
                else:
                    blues += 1
            blue[b, run] = blues


@dataclass(frozen=True)
class Yardstick:
    """Blue tiles that the nearest-neighbour heuristic opens on each board: mean and sd (ddof 1) over its runs."""

    mean: np.ndarray
    sd: np.ndarray
    runs: int

    def z(self, blue: np.ndarray) -> np.ndarray:
        """Return (blue - mean) / sd for blue tiles (…, boards); NaN where the heuristic always opens as many."""
        return (blue - self.mean) / np.where(self.sd > 0, self.sd, np.nan)


def heuristic_blue(items, runs: int = 1000, seed: int = 0) -> np.ndarray:
    """Return the blue tiles that each run of the nearest-neighbour heuristic opens, (boards, runs) int16.

    Each click opens, at random, a covered tile within the smallest Chebyshev distance of any open red tile at which
    there is one, until all reds are open (Kumar et al. 2023, "Tile-revealing task"). The paper ran 1,000 games a board.
    A board's runs do not depend on the boards beside it.

    Examples
    --------
    >>> from cogkit.tiles.rules.boards import Items
    >>> heuristic_blue(Items(np.eye(7), [24], "diagonal/abstract", "doctest"), runs=50).shape
    (1, 50)

    Notes
    -----
    Differs from the paper: "adjacent" in its text hides the eight neighbours and the widening distance, which the
    published scores confirm.
    """
    blue = np.empty((len(items), runs), np.int16)
    _run_heuristic(to_bits(items.boards), items.starts, seeding.item_key(seed, "nearest-neighbour"), runs, blue)
    return blue


def heuristic(items, runs: int = 1000, seed: int = 0) -> Yardstick:
    """Return mean and sd of the heuristic's blue tiles on each board (see `heuristic_blue`), the yardstick of z.

    Examples
    --------
    >>> from cogkit.tiles.rules.boards import Items
    >>> items = Items(np.eye(7), [24], "diagonal/abstract", "doctest")
    >>> 10 < heuristic(items).mean[0] < 30
    np.True_
    """
    blue = heuristic_blue(items, runs, seed)
    return Yardstick(blue.mean(axis=1), blue.std(axis=1, ddof=1), runs)
