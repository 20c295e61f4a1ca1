"""Layers with gradients by hand, against torch's own layers and its automatic gradients."""

from __future__ import annotations

import torch
from torch import nn

from cogkit.learning import fused


def gradients(outputs, weights, *inputs):
    """Return the gradients of a fixed mixture of the outputs."""
    torch.manual_seed(1)
    loss = sum((output * torch.randn_like(output)).sum() for output in outputs)
    return torch.autograd.grad(loss, [*inputs, *weights])


def test_a_linear_layer_is_torchs():
    for n, width, units in ((1, 1, 1), (5, 3, 7), (256, 99, 480)):
        torch.manual_seed(0)
        layer, inputs = nn.Linear(width, units), torch.randn(n, width, requires_grad=True)
        ours, theirs = fused.linear(inputs, layer), layer(inputs)
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)
        slopes = (gradients([out], layer.parameters(), inputs) for out in (ours, theirs))
        torch.testing.assert_close(*slopes, rtol=1e-3, atol=1e-4)


def test_many_clicks_of_an_lstm_are_torchs():
    torch.manual_seed(0)
    cell, clicks = nn.LSTMCell(5, 8), torch.randn(7, 30, 5)
    mine, its = ((torch.zeros(30, 8), torch.zeros(30, 8)) for _ in range(2))
    ours, theirs = [], []
    for inputs in 3 * clicks:
        gates = nn.functional.linear(inputs, cell.weight_ih, cell.bias_ih)
        mine = fused.lstm_cell(gates + nn.functional.linear(mine[0], cell.weight_hh, cell.bias_hh), mine[1])
        its = cell(inputs, its)
        ours, theirs = [*ours, *mine], [*theirs, *its]
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-6)
    slopes = (gradients(out, cell.parameters()) for out in (ours, theirs))
    torch.testing.assert_close(*slopes, rtol=1e-3, atol=1e-5)
