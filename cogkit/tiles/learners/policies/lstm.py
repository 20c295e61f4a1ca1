"""The LSTM meta-learner of Kumar et al. (2023, "Meta-reinforcement learning agent")."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from cogkit.learning import fused
from cogkit.tiles.learners import networks
from cogkit.tiles.learners.networks import Memory
from cogkit.tiles.rules.boards import SIZE, TILES

_FILTERS, _SEEN = 16, 49
_INSIDE = (SIZE - 2) ** 2


class Policy(networks.Policy):
    """Board → 16 filters of 3×3 → 49 units; with the last action and reward → LSTM → a score per tile, and a value.

    Parameters
    ----------
    units : int
        Of the LSTM.
    more : int
        Further inputs of the LSTM; `recall` makes them.

    Notes
    -----
    Differs from the paper: the last action and reward are 0 or 1, and tenths of points; the original rescales them to
    0.5 or 1, and (r + 1) / 2.
    """

    title, limit = "LSTM", 120

    def __init__(self, units: int = 120, more: int = 0) -> None:
        super().__init__(units)
        self.filters = nn.Linear(9, _FILTERS)
        self.dense = nn.Linear(_FILTERS * _INSIDE, _SEEN)
        self.cell = nn.LSTMCell(_SEEN + TILES + 1 + more, units)
        self.scores = nn.Linear(units, TILES)
        self.value = nn.Linear(units, 1)
        networks.begin((self.filters, 2**0.5), (self.dense, 2**0.5))
        networks.begin_heads(self.scores, self.value)

    def forward(self, board: Tensor, action: Tensor, reward: Tensor, memory: Memory):
        """Return scores (n, 49), values (n,) and the new memory: hidden state, cell state, and that of `recall`."""
        features = fused.linear(self.places(_pixels(board)), self.dense).relu()
        more, memories = self.recall(board, memory[2:])
        inputs = torch.cat([features, networks.last_click(action, reward), *more], dim=1)
        cell = self.cell
        gates = fused.affine(inputs, cell.weight_ih, cell.bias_ih)
        gates = gates + fused.affine(memory[0], cell.weight_hh, cell.bias_hh)
        hidden, state = fused.lstm_cell(gates, memory[1])
        scores, value = fused.linear(hidden, self.scores), fused.linear(hidden, self.value)
        return scores, value.squeeze(1), (hidden, state, *memories)

    def places(self, pixels: Tensor) -> Tensor:
        """Return the activity of the filters at the 25 places inside the board, (n, 25 · 16), of (n, 1, 7, 7)."""
        filters = self.filters.weight.view(_FILTERS, 1, 3, 3)
        return nn.functional.conv2d(pixels, filters, self.filters.bias).permute(0, 2, 3, 1).flatten(1).relu()

    def rollout(self, memory: Memory) -> networks.Rollout:
        return Unrolled(self, memory)

    def recall(self, board: Tensor, memory: Memory) -> tuple[list[Tensor], Memory]:
        """Return further inputs of the LSTM, (n, more), and the new memory behind them; this network has neither."""
        return [], ()

    def blank(self, n: int) -> Memory:
        return torch.zeros(n, self.units), torch.zeros(n, self.units)


def _pixels(board: Tensor) -> Tensor:
    return ((board.float() + 1) / 2).view(-1, 1, SIZE, SIZE)


class Unrolled(networks.Rollout):
    """The clicks of an LSTM without a graph: their gradients go back by hand, all clicks at once but for the LSTM's."""

    _policy: Policy

    def __init__(self, policy: Policy, memory: Memory) -> None:
        super().__init__(policy, memory)
        self._clicks, self._heads, self._running = [], [], []

    @torch.no_grad()
    def look(self, board: Tensor, action: Tensor, reward: Tensor) -> Tensor:
        policy, (hidden, cell) = self._policy, self.memory
        pixels = _pixels(board)
        places = policy.places(pixels)
        features = fused.product(places, policy.dense.weight, policy.dense.bias).relu_()
        inputs = torch.cat([features, networks.last_click(action, reward)], dim=1)
        gates = fused.product(inputs, policy.cell.weight_ih, policy.cell.bias_ih)
        gates += fused.product(hidden, policy.cell.weight_hh, policy.cell.bias_hh)
        after, new, activity, squashed = fused.open_gates(gates, cell)
        self._clicks.append((pixels, places, inputs, hidden, cell, activity, squashed, after))
        self.memory = after, new
        layers = policy.scores, policy.value
        weight, bias = torch.cat([layer.weight for layer in layers]), torch.cat([layer.bias for layer in layers])
        self._heads.append(fused.product(after, weight, bias))
        return self._heads[-1][:, :TILES].contiguous()

    def go_on(self, running: Tensor) -> None:
        super().go_on(running)
        self._running.append(running[:, None])

    def outputs(self) -> tuple[Tensor, Tensor]:
        heads = _Heads.apply(self, *self._policy.parameters())
        heads = heads.view(len(self._clicks), -1, TILES + 1)
        return heads[:, :, :TILES], heads[:, :, TILES]

    def heads(self) -> Tensor:
        """Return scores and value of every click, (clicks · n, 50), without a graph."""
        return torch.cat(self._heads)

    def slopes(self, slope: Tensor) -> dict[str, Tensor]:
        """Return the gradient of each weight by its name, from that of `heads`."""
        policy, n = self._policy, len(self._clicks[0][0])
        columns = list(zip(*self._clicks, strict=True))
        pixels, places, inputs, hidden, after = (torch.cat(columns[k]) for k in (0, 1, 2, 3, 7))
        weight = torch.cat([policy.scores.weight, policy.value.weight])
        of_hidden, of_gates = fused.product(slope, weight.t()), []
        later, later_cell = torch.zeros(n, policy.units), torch.zeros(n, policy.units)
        for click in reversed(range(len(self._clicks))):
            *_, cell, activity, squashed, _ = self._clicks[click]
            running = self._running[click]
            here = of_hidden[click * n : (click + 1) * n] + later * running
            gates, later_cell = fused.cell_slopes(activity, cell, squashed, here, later_cell * running)
            later = fused.product(gates, policy.cell.weight_hh.t())
            of_gates.insert(0, gates)
        gates = torch.cat(of_gates)
        features = fused.product(gates, policy.cell.weight_ih[:, :_SEEN].t()) * (inputs[:, :_SEEN] > 0)
        filters = fused.product(features, policy.dense.weight.t()) * (places > 0)
        _, of_filters, of_filters_bias = torch.ops.aten.convolution_backward(
            filters.view(-1, SIZE - 2, SIZE - 2, _FILTERS).permute(0, 3, 1, 2), pixels,
            policy.filters.weight.view(_FILTERS, 1, 3, 3), [_FILTERS], [1, 1], [0, 0], [1, 1], False, [0, 0], 1,
            [False, True, True],
        )  # fmt: skip
        of_heads, of_heads_bias = fused.product(slope.t(), after.t()), slope.sum(0)
        of_bias = gates.sum(0)
        return {
            "filters.weight": of_filters.view(_FILTERS, 9), "filters.bias": of_filters_bias,
            "dense.weight": fused.product(features.t(), places.t()), "dense.bias": features.sum(0),
            "cell.weight_ih": fused.product(gates.t(), inputs.t()), "cell.bias_ih": of_bias,
            "cell.weight_hh": fused.product(gates.t(), hidden.t()), "cell.bias_hh": of_bias,
            "scores.weight": of_heads[:TILES], "scores.bias": of_heads_bias[:TILES],
            "value.weight": of_heads[TILES:], "value.bias": of_heads_bias[TILES:],
        }  # fmt: skip


class _Heads(torch.autograd.Function):
    @staticmethod
    def forward(ctx, unrolled, *weights):
        ctx.unrolled = unrolled
        return unrolled.heads()

    @staticmethod
    @once_differentiable
    def backward(ctx, slope):
        slopes = ctx.unrolled.slopes(slope.contiguous())
        return None, *(slopes[name] for name, _ in ctx.unrolled._policy.named_parameters())
