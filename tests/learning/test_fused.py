"""Layers with gradients by hand, against torch's own layers and its automatic gradients."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from cogkit.learning import fused


def gradients(outputs, weights, *inputs):
    """Return the gradients of a fixed mixture of the outputs."""
    torch.manual_seed(1)
    loss = sum((output * torch.randn_like(output)).sum() for output in outputs)
    return torch.autograd.grad(loss, [*inputs, *weights])


@pytest.mark.parametrize(("n", "width", "units"), [(1, 1, 1), (5, 3, 7), (256, 99, 480), (40, 2401, 16)])
def test_a_linear_layer_is_torchs(n, width, units):
    torch.manual_seed(0)
    layer, inputs = nn.Linear(width, units), torch.randn(n, width, requires_grad=True)
    ours, theirs = fused.linear(inputs, layer), layer(inputs)
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)
    pairs = zip(*(gradients([out], layer.parameters(), inputs) for out in (ours, theirs)), strict=True)
    for our_slope, their_slope in pairs:
        torch.testing.assert_close(our_slope, their_slope, rtol=1e-3, atol=1e-4)


def test_a_linear_layer_takes_views_and_inputs_without_a_gradient():
    torch.manual_seed(0)
    layer, inputs = nn.Linear(6, 4), torch.randn(6, 9).t()
    output = fused.linear(inputs, layer)
    torch.testing.assert_close(output, layer(inputs))
    torch.testing.assert_close(gradients([output], [layer.weight]), gradients([layer(inputs)], [layer.weight]))
    with torch.no_grad():
        assert not fused.linear(inputs, layer).requires_grad


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_many_clicks_of_an_lstm_are_torchs(dtype):
    torch.manual_seed(0)
    cell, clicks, memory = nn.LSTMCell(5, 8, dtype=dtype), torch.randn(7, 30, 5, dtype=dtype), []
    for _ in range(2):
        memory.append((torch.zeros(30, 8, dtype=dtype), torch.zeros(30, 8, dtype=dtype)))
    ours, theirs = [], []
    for inputs in 3 * clicks:
        hidden, state = memory[0]
        gates = nn.functional.linear(inputs, cell.weight_ih, cell.bias_ih)
        memory[0] = fused.lstm_cell(gates + nn.functional.linear(hidden, cell.weight_hh, cell.bias_hh), state)
        memory[1] = cell(inputs, memory[1])
        for outputs, (hidden, state) in zip((ours, theirs), memory, strict=True):
            outputs += [hidden, state]
    for our_output, their_output in zip(ours, theirs, strict=True):
        torch.testing.assert_close(our_output, their_output, rtol=1e-4, atol=1e-6)
    for our_slope, their_slope in zip(*(gradients(out, cell.parameters()) for out in (ours, theirs)), strict=True):
        torch.testing.assert_close(our_slope, their_slope, rtol=1e-3, atol=1e-5)


def test_gates_at_their_limits_stay_finite():
    gates = torch.tensor([[1e4, -1e4, 1e4, -1e4, -1e4, 1e4, 1e4, -1e4]], requires_grad=True)
    hidden, cell = fused.lstm_cell(gates, torch.tensor([[1e3, -1e3]]))
    # the input gate is open, then closed; the forget gate likewise; new values are -1 and 1; one output gate is open
    assert cell.tolist() == [[1e3 - 1, 0.0]] and hidden.tolist() == [[1.0, 0.0]]
    (slope,) = torch.autograd.grad(hidden.sum() + cell.sum(), gates)
    assert slope.isfinite().all()
