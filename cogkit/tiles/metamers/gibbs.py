"""One Gibbs sweep of many chains, compiled.

Nearly all the time goes into one small matrix product. It is written in the processor's own vectors here, with its sums
in registers: LLVM stores and loads them again and again, products this small are where BLAS libraries differ most (an
OpenBLAS that does not know the processor takes half as long again), and no pool of threads wakes up for it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from cogkit.core.compiled import compiled
from cogkit.tiles.rules.boards import TILES

_features = binding.get_host_cpu_features()
_LANES = 16 if _features.get("avx512f") else 8 if _features.get("avx") else 4  # chains in a register
# One tile of the product: the sums of 7 outputs, two registers each; processors have 16 registers or more.
_ROWS, _VECTORS = 7, 2  # 7 divides TILES
WIDTH = _VECTORS * _LANES
BLOCK = 4 * WIDTH  # chains worked on together: their arrays fit into the second cache
_ZERO, _ONE = np.float32(0), np.float32(1)

# Allows a multiplication and an addition to become one instruction, which rounds once, and nothing else.
_CONTRACT = ("contract",)
_fused = partial(compiled, fastmath=set(_CONTRACT))


def _fill(typingctx, weight, bias, inputs, out, unit, chain):
    """Fill one tile of out = weight @ inputs + bias: `_ROWS` rows from unit on, `WIDTH` columns from chain on.

    All arrays are C-contiguous float32, which is not checked.
    """
    vector, lane = ir.VectorType(ir.FloatType(), _LANES), ir.IntType(32)

    def generate(context, builder, signature, args):
        *arrays, unit, chain = args
        kinds = signature.args[: len(arrays)]
        structs = [context.make_array(kind)(context, builder, one) for kind, one in zip(kinds, arrays, strict=True)]
        weight, bias, inputs, out = (struct.data for struct in structs)
        n = cgutils.unpack_tuple(builder, structs[2].shape)[1]
        rows = [builder.add(unit, unit.type(row)) for row in range(_ROWS)]
        columns = [builder.add(chain, chain.type(k * _LANES)) for k in range(_VECTORS)]

        def at(data, row, length, column):
            return builder.gep(data, [builder.add(builder.mul(row, length), column)])

        def chains(data, row, column):
            return builder.bitcast(at(data, row, n, column), vector.as_pointer())

        def spread(pointer):
            one = builder.insert_element(vector(ir.Undefined), builder.load(pointer), lane(0))
            return builder.shuffle_vector(one, one, ir.VectorType(lane, _LANES)(None))  # lane 0 everywhere

        sums = {(row, column): spread(builder.gep(bias, [row])) for row in rows for column in columns}
        for i in map(unit.type, range(TILES)):
            operands = {column: builder.load(chains(inputs, i, column), align=4) for column in columns}
            factor = {row: spread(at(weight, row, unit.type(TILES), i)) for row in rows}
            for row, column in sums:
                product = builder.fmul(factor[row], operands[column], flags=_CONTRACT)
                sums[row, column] = builder.fadd(sums[row, column], product, flags=_CONTRACT)
        for (row, column), total in sums.items():
            builder.store(total, chains(out, row, column), align=4)
        return context.get_dummy_value()

    return types.void(weight, bias, inputs, out, types.intp, types.intp), generate


_tile: Any = intrinsic(_fill)  # numba's types do not declare that the compiler itself fills in the first argument


@_fused
def _layer(weight, bias, inputs, out):
    """Fill out (49, n) with weight @ inputs + bias; n is a multiple of `WIDTH`."""
    for chain in range(0, inputs.shape[1], WIDTH):
        for unit in range(0, TILES, _ROWS):
            _tile(weight, bias, inputs, out, unit, chain)


@_fused
def _sweep(block, order, thresholds, first, b1, second, b2, last, b3):
    """Visit every tile of a block of chains (49, n) once, in place; the rest as in `sweep`.

    n is a multiple of `WIDTH`; chains beyond those that have thresholds stay as they are.
    """
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
        for begin in range(0, TILES, _ROWS):
            for k in range(n):
                total = logit[k]
                for unit in range(begin, begin + _ROWS):
                    total += last[tile, unit] * (inner[unit, k] if inner[unit, k] > _ZERO else _ZERO)
                logit[k] = total
        for k in range(thresholds.shape[1]):
            red = np.float32(logit[k] > thresholds[visit, k])
            change[k] = red - column[k]
            column[k] = red
        before = tile


@compiled
def sweep(boards, order, thresholds, first, b1, second, b2, last, b3):
    """Visit every tile of every chain once, in place.

    Parameters
    ----------
    boards : (49, chains) float32 of 0 and 1
        The chains, one a column.
    order : (49,) int64
        The tiles in the order of their visits, the same for all chains.
    thresholds : (49, chains) float32
        Row k decides visit k: the tile becomes red where the logit of its chance is greater.
    first, b1, second, b2, last, b3 : (49, 49) and (49,) float32
        The layers of a `metamers.Conditional`, C-contiguous.

    Notes
    -----
    A visit changes one input, so the first layer's sums are corrected rather than worked out again; they start afresh
    with each sweep, before rounding can add up. Only one row of the last layer is needed.
    """
    for begin in range(0, boards.shape[1], BLOCK):
        some = boards[:, begin : begin + BLOCK]
        n = some.shape[1]
        block = np.zeros((TILES, (n + WIDTH - 1) // WIDTH * WIDTH), np.float32)  # whole tiles only
        block[:, :n] = some
        _sweep(block, order, thresholds[:, begin : begin + BLOCK], first, b1, second, b2, last, b3)
        some[:] = block[:, :n]
