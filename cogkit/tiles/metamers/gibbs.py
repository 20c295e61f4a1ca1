"""One Gibbs sweep of many chains, compiled.

The one matrix product is a loop of our own: products this small are where BLAS libraries differ most (an OpenBLAS that
does not know the processor takes half as long again), and no pool of threads wakes up for it.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from cogkit.core.compiled import compiled
from cogkit.tiles.rules.boards import TILES

# Chains worked on together: their three arrays fit into the second cache, and rows are long enough to vectorise well.
BLOCK = 128
_ZERO, _ONE = np.float32(0), np.float32(1)
_STEP = 7  # inputs added up in registers; it divides TILES

# Allows a multiplication and an addition to become one instruction, which rounds once, and nothing else.
_fused = partial(compiled, fastmath={"contract"})


@_fused
def _layer(weight, bias, inputs, out):
    """Fill out (49, n) with weight @ inputs + bias.

    Two outputs at a time, so that each input read serves two products; the pattern that LLVM turns into vectors.
    """
    n = inputs.shape[1]
    for unit in range(TILES):
        out[unit] = bias[unit]
    for unit in range(0, TILES - 1, 2):
        for begin in range(0, TILES, _STEP):
            for k in range(n):
                upper, lower = out[unit, k], out[unit + 1, k]
                for i in range(begin, begin + _STEP):
                    upper += weight[unit, i] * inputs[i, k]
                    lower += weight[unit + 1, i] * inputs[i, k]
                out[unit, k] = upper
                out[unit + 1, k] = lower
    for i in range(TILES):  # the odd one
        for k in range(n):
            out[TILES - 1, k] += weight[TILES - 1, i] * inputs[i, k]


@_fused
def _sweep(block, order, uniforms, first, b1, second, b2, last, b3):
    """Visit every tile of a block of chains (49, n) once, in place; the rest as in `sweep`."""
    n = block.shape[1]
    sums, outer, inner = np.empty_like(block), np.empty_like(block), np.empty_like(block)
    change, logit = np.zeros(n, np.float32), np.empty(n, np.float32)
    _layer(first, b1, block, sums)
    before = order[0]
    for visit in range(TILES):
        tile = order[visit]
        column = block[tile]
        for unit in range(TILES):
            old, new = first[unit, before], first[unit, tile]
            for k in range(n):
                total = sums[unit, k] + old * change[k]  # the change of the last visit
                sums[unit, k] = total
                value = total - new * (column[k] + _ONE)  # as if the tile were -1
                outer[unit, k] = value if value > _ZERO else _ZERO
        _layer(second, b2, outer, inner)
        logit[:] = b3[tile]
        for unit in range(TILES):
            weight = last[tile, unit]
            for k in range(n):
                logit[k] += weight * (inner[unit, k] if inner[unit, k] > _ZERO else _ZERO)
        for k in range(n):
            red = np.float32(uniforms[visit, k] * (_ONE + np.exp(-logit[k])) < _ONE)
            change[k] = red - column[k]
            column[k] = red
        before = tile


@compiled
def sweep(boards, order, uniforms, first, b1, second, b2, last, b3):
    """Visit every tile of every chain once, in place.

    Parameters
    ----------
    boards : (49, chains) float32 of 0 and 1
        The chains, one a column.
    order : (49,) int64
        The tiles in the order of their visits, the same for all chains.
    uniforms : (49, chains) float32
        Row k decides visit k: the tile becomes red where it is below the chance.
    first, b1, second, b2, last, b3 : (49, 49) and (49,) float32
        The layers of a `metamers.Conditional`, C-contiguous.

    Notes
    -----
    A visit changes one input, so the first layer's sums are corrected rather than worked out again; they start afresh
    with each sweep, before rounding can add up. Only one row of the last layer is needed.
    """
    for begin in range(0, boards.shape[1], BLOCK):
        block = boards[:, begin : begin + BLOCK].copy()
        _sweep(block, order, uniforms[:, begin : begin + BLOCK], first, b1, second, b2, last, b3)
        boards[:, begin : begin + BLOCK] = block
