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


_row, _column = np.divmod(np.arange(TILES), SIZE)
_apart = np.maximum(abs(_row[:, None] - _row), abs(_column[:, None] - _column))
_words = (_apart <= np.arange(SIZE)[:, None, None]) * (_ONE << np.arange(TILES, dtype=np.uint64))
WINDOWS = _words.sum(axis=2, dtype=np.uint64)  # (7, 49): the tiles within Chebyshev distance d of each tile
