"""Machine instructions on 49-bit boards that numba does not provide: population count and lowest set bit."""

from __future__ import annotations

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from cogkit.tiles.rules.boards import SIZE, TILES

_ONE = np.uint64(1)


@intrinsic
def popcount(typingctx, word):
    """Return the number of set bits of a uint64 (compiled code only)."""

    def generate(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@intrinsic
def lowest(typingctx, word):
    """Return the index of the lowest set bit of a non-zero uint64 (compiled code only)."""

    def generate(context, builder, signature, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.uint64(types.uint64), generate


@njit(inline="always")
def select(word, rank):
    """Return the index of the set bit number ``rank`` (from 0, lowest first) of a uint64 (compiled code only)."""
    for _ in range(rank):
        word &= word - _ONE
    return lowest(word)


def _windows() -> np.ndarray:
    """Return, for each distance d and tile, the word of the tiles within Chebyshev distance d: (7, 49) uint64."""
    row, column = np.divmod(np.arange(TILES), SIZE)
    apart = np.maximum(abs(row[:, None] - row), abs(column[:, None] - column))
    places = _ONE << np.arange(TILES, dtype=np.uint64)
    return np.array([((apart <= d) * places).sum(axis=1, dtype=np.uint64) for d in range(SIZE)])


WINDOWS = _windows()
