"""Steps of networks that are computed at once, with gradients by hand: a linear layer, and the cell of an LSTM.

Both give what `torch.nn` gives, up to rounding, in a third to a half of the time on one core. Under `torch.vmap`, where
many networks are computed at once, torch's own steps take their place.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from cogkit.core.compiled import compiled

# torch multiplies matrices of full precision by MKL, which is half as fast as oneDNN on processors of AMD
_ONEDNN = torch.ops.mkldnn._linear_pointwise if torch.backends.mkldnn.is_available() else None


def product(left: Tensor, right: Tensor, bias: Tensor | None = None, then: Literal["none", "relu"] = "none") -> Tensor:
    """Return left (n, k) times the transpose of right (m, k), plus bias (m,), and then its positive part if asked.

    It keeps no graph. Columns of a matrix that follow one another cost a copy on the left, and none on the right.

    Examples
    --------
    >>> product(torch.ones(1, 2), torch.eye(2)).tolist()
    [[1.0, 1.0]]
    """
    if _ONEDNN is None or left.dtype != torch.float32 or left.device.type != "cpu":
        made = nn.functional.linear(left, right, bias)
        return made.relu_() if then == "relu" else made
    return _ONEDNN(_whole(left), _whole(right), bias, then, [], "")


def _whole(matrix: Tensor) -> Tensor:
    """Return a matrix whose rows or columns follow one another in memory: any other takes a hundred times as long."""
    return matrix if matrix.is_contiguous() or matrix.t().is_contiguous() else matrix.contiguous()


def linear(inputs: Tensor, layer: nn.Linear) -> Tensor:
    """Return what a linear layer makes of inputs (n, width).

    Examples
    --------
    >>> layer, inputs = nn.Linear(4, 3), torch.ones(2, 4)
    >>> torch.allclose(linear(inputs, layer), layer(inputs), atol=1e-6)
    True
    """
    return affine(inputs, layer.weight, layer.bias)


def affine(inputs: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Return inputs (n, width) times weight (units, width), plus bias (units,)."""
    return _Affine.apply(inputs, weight, bias)


class _Affine(torch.autograd.Function):
    @staticmethod
    def forward(inputs, weight, bias):
        return product(inputs, weight, bias)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs[:2])

    @staticmethod
    @once_differentiable
    def backward(ctx, slope):
        inputs, weight = ctx.saved_tensors
        before = product(slope, weight.t()) if ctx.needs_input_grad[0] else None
        return before, product(slope.t(), inputs.t()), slope.sum(0)

    @staticmethod
    def vmap(info, dims, *parts):
        inputs, weight, bias = _stacked(info, dims, parts)
        return torch.baddbmm(bias[:, None], inputs, weight.transpose(1, 2)), 0


def _stacked(info, dims: tuple[int | None, ...], parts: tuple[Tensor, ...]) -> list[Tensor]:
    """Return parts of many networks at once, the number of the network first."""
    return [
        part.expand(info.batch_size, *part.shape) if dim is None else part.movedim(dim, 0)
        for part, dim in zip(parts, dims, strict=True)
    ]


def below(slope: Tensor, active: Tensor) -> Tensor:
    """Return the gradient below a relu, of the gradient above it and what it let through."""
    return torch.ops.aten.threshold_backward(slope, active, 0)


def lstm_cell(gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    """Return the new hidden state and the new cell state of an LSTM, (n, units) each.

    Parameters
    ----------
    gates : (n, 4 · units)
        Input, forget, new and output gates before their nonlinearities, as `torch.nn.LSTMCell` orders them.
    cell : (n, units)
        The cell state before.

    Examples
    --------
    >>> hidden, cell = lstm_cell(torch.zeros(1, 8), torch.ones(1, 2))
    >>> cell.tolist()
    [[0.5, 0.5]]
    """
    return _Cell.apply(gates, cell)[:2]


def open_gates(gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return `lstm_cell`'s hidden and cell state without a graph, and the tanh of the new cell state.

    ``gates`` become their activity in place, which `cell_slopes` needs: σ of the gates, and of twice the new values,
    since tanh x is 2 σ(2x) - 1 and torch's σ is four times as fast as its tanh.
    """
    units = cell.shape[1]
    gates[:, 2 * units : 3 * units].mul_(2)
    gates.sigmoid_()
    new, squashed, hidden = torch.empty_like(cell), torch.empty_like(cell), torch.empty_like(cell)
    _remember(*(part.detach().numpy() for part in (gates, cell, new, squashed)))
    squashed.sigmoid_()
    _show(*(part.numpy() for part in (gates, squashed, hidden)))
    return hidden, new, squashed


def cell_slopes(
    activity: Tensor, cell: Tensor, squashed: Tensor, slope: Tensor, slope_of_cell: Tensor, before: Tensor
) -> Tensor:
    """Return the gradient of the cell state before, from those of the hidden state and the cell state after.

    The gradient of the gates is written into ``before``, (n, 4 · units).
    """
    cell_before = torch.empty_like(cell)
    parts = activity, cell, squashed, slope.contiguous(), slope_of_cell.contiguous(), before, cell_before
    _slopes(*(part.detach().numpy() for part in parts))
    return cell_before


class _Cell(torch.autograd.Function):
    @staticmethod
    def forward(gates, cell):
        activity = gates.detach().clone()
        hidden, new, squashed = open_gates(activity, cell)
        return hidden, new, activity, squashed

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, _, activity, squashed = output
        ctx.mark_non_differentiable(activity, squashed)
        ctx.save_for_backward(activity, inputs[1], squashed)

    @staticmethod
    @once_differentiable
    def backward(ctx, slope, slope_of_cell, *_):
        activity, cell, squashed = ctx.saved_tensors
        before = torch.empty_like(activity)
        return before, cell_slopes(activity, cell, squashed, slope, slope_of_cell, before)

    @staticmethod
    def vmap(info, dims, *parts):
        gates, cell = _stacked(info, dims, parts)
        into, keep, made, out = gates.chunk(4, dim=2)
        new = keep.sigmoid() * cell + into.sigmoid() * made.tanh()
        squashed = new.tanh()
        return (out.sigmoid() * squashed, new, gates, squashed), (0, 0, 0, 0)


_fused: Any = partial(compiled, fastmath=True)


@_fused
def _remember(gates, cell, new, twice):
    n, units = cell.shape
    for i in range(n):
        for k in range(units):
            value = gates[i, units + k] * cell[i, k] + gates[i, k] * (2 * gates[i, 2 * units + k] - 1)
            new[i, k], twice[i, k] = value, 2 * value


@_fused
def _show(gates, squashed, hidden):
    n, units = hidden.shape
    for i in range(n):
        for k in range(units):
            squashed[i, k] = 2 * squashed[i, k] - 1
            hidden[i, k] = gates[i, 3 * units + k] * squashed[i, k]


@_fused
def _slopes(gates, cell, squashed, slope, slope_of_cell, before, cell_before):
    units, one = cell.shape[1], np.float32(1)
    for i in range(len(cell)):  # by rows, each a plain array: the compiler takes many units at once only then
        activity, row = gates[i], before[i]
        into, keep, twice, out = (
            activity[:units], activity[units : 2 * units], activity[2 * units : 3 * units], activity[3 * units :]
        )  # fmt: skip
        of_into, of_keep, of_new, of_out = (
            row[:units], row[units : 2 * units], row[2 * units : 3 * units], row[3 * units :]
        )  # fmt: skip
        cells, hidden, of_hidden, of_cell, of_before = cell[i], squashed[i], slope[i], slope_of_cell[i], cell_before[i]
        for k in range(units):
            new = 2 * twice[k] - one
            change = of_cell[k] + of_hidden[k] * out[k] * (one - hidden[k] * hidden[k])
            of_into[k] = change * new * into[k] * (one - into[k])
            of_keep[k] = change * cells[k] * keep[k] * (one - keep[k])
            of_new[k] = change * into[k] * (one - new * new)
            of_out[k] = of_hidden[k] * hidden[k] * out[k] * (one - out[k])
            of_before[k] = change * keep[k]
