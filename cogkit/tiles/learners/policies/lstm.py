"""The LSTM meta-learner of Kumar et al. (2023, "Meta-reinforcement learning agent")."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from cogkit.core.compiled import compiled
from cogkit.learning import fused
from cogkit.tiles.learners import networks
from cogkit.tiles.learners.networks import Memory
from cogkit.tiles.rules.boards import SIZE, TILES

_FILTERS, _SEEN = 16, 49
_INSIDE = (SIZE - 2) ** 2
# The nine tiles under each filter at each place inside the board, (25, 16, 9).
_WINDOWS = torch.arange(TILES).view(SIZE, SIZE).unfold(0, 3, 1).unfold(1, 3, 1).reshape(_INSIDE, 1, 9)
_WINDOWS = _WINDOWS.expand(-1, _FILTERS, -1)


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

    def unroll(self, memory: Memory, clicks: int) -> networks.Unroll:
        return FusedUnroll(self, memory, clicks)

    def recall(self, board: Tensor, memory: Memory) -> tuple[list[Tensor], Memory]:
        """Return further inputs of the LSTM, (n, more), and the new memory behind them; this network has neither."""
        return [], ()

    def blank(self, n: int) -> Memory:
        return torch.zeros(n, self.units), torch.zeros(n, self.units)


def _pixels(board: Tensor) -> Tensor:
    return ((board.float() + 1) / 2).view(-1, 1, SIZE, SIZE)


class FusedUnroll(networks.Unroll):
    """The clicks of an LSTM without a graph: their gradients go back by hand, all clicks at once but for the LSTM's.

    What every click reads and leaves is written side by side, so that each weight's gradient is one product. Filters
    are a table that leads from tiles to places: one product, whose sums most filters leave at zero, is faster than a
    convolution.
    """

    _policy: Policy

    @torch.no_grad()
    def __init__(self, policy: Policy, memory: Memory, clicks: int) -> None:
        super().__init__(policy, memory)
        n, cell = len(memory[0]), policy.cell
        self._spread = spread(policy.filters.weight)
        self._spread_bias = policy.filters.bias.repeat(_INSIDE)
        self._gates = torch.cat([cell.weight_ih, cell.weight_hh], dim=1), cell.bias_ih + cell.bias_hh
        layers = policy.scores, policy.value
        self._heads = torch.cat([layer.weight for layer in layers]), torch.cat([layer.bias for layer in layers])
        # for each click: the tiles, and what the gates read (board, last click, hidden state before)
        self._tiles = torch.empty(clicks + 1, n, TILES)
        self._read = torch.empty(clicks + 1, n, cell.input_size + policy.units)
        self._cache, self._outputs, self._not_done = [], [], []

    @torch.no_grad()
    def step(self, board: Tensor, action: Tensor, reward: Tensor) -> Tensor:
        hidden, *cache = self._step(board, action, reward)
        self.memory = hidden, cache[0]
        self._cache.append((*cache, hidden))
        self._outputs.append(fused.product(hidden, *self._heads))
        return self._outputs[-1][:, :TILES].contiguous()

    @torch.no_grad()
    def next_value(self, board: Tensor, action: Tensor, reward: Tensor) -> Tensor:
        hidden, *_ = self._step(board, action, reward)
        return fused.product(hidden, *self._heads)[:, TILES]

    def _step(self, board: Tensor, action: Tensor, reward: Tensor) -> tuple[Tensor, ...]:
        """Return the hidden state and cell state after a look, and what gradients need: cell state before, gates, …"""
        policy, (hidden, cell), click = self._policy, self.memory, len(self._cache)
        tiles, read = self._tiles[click], self._read[click]
        _write(*(part.numpy() for part in (board, action, reward, hidden, tiles, read)))
        places = fused.product(tiles, self._spread, self._spread_bias, "relu")
        read[:, :_SEEN] = fused.product(places, policy.dense.weight, policy.dense.bias, "relu")
        gates = fused.product(read, *self._gates)
        hidden, new, squashed = fused.open_gates(gates, cell)
        return hidden, new, cell, gates, squashed, places

    def carry(self, not_done: Tensor) -> None:
        super().carry(not_done)
        self._not_done.append(not_done[:, None])

    def outputs(self) -> tuple[Tensor, Tensor]:
        outputs = _Outputs.apply(self, *self._policy.parameters()).view(len(self._cache), -1, TILES + 1)
        return outputs[:, :, :TILES], outputs[:, :, TILES]

    def heads(self) -> Tensor:
        """Return scores and value of every click, (clicks · n, 50), without a graph."""
        return torch.cat(self._outputs)

    def slopes(self, slope: Tensor) -> dict[str, Tensor]:
        """Return the gradient of each weight by its name, from that of `heads`."""
        policy, cell, (clicks, n) = self._policy, self._policy.cell, (len(self._cache), len(self.memory[0]))
        of_hidden, of_gates = fused.product(slope, self._heads[0].t()), torch.empty(clicks, n, 4 * policy.units)
        later, later_cell = torch.zeros(n, policy.units), torch.zeros(n, policy.units)
        for click in reversed(range(clicks)):
            _, before, gates, squashed, *_ = self._cache[click]
            not_done = self._not_done[click]
            here = of_hidden[click * n : (click + 1) * n] + later * not_done
            later_cell = fused.cell_slopes(gates, before, squashed, here, later_cell * not_done, of_gates[click])
            later = fused.product(of_gates[click], cell.weight_hh.t())
        gates, read = of_gates.flatten(0, 1), self._read[:clicks].flatten(0, 1)
        places, after = (torch.cat(parts) for parts in list(zip(*self._cache, strict=True))[-2:])
        features = fused.below(fused.product(gates, cell.weight_ih[:, :_SEEN].t()), read[:, :_SEEN])
        filters = fused.below(fused.product(features, policy.dense.weight.t()), places)
        of_spread = fused.product(self._tiles[:clicks].flatten(0, 1).t(), filters.t()).t()
        of_heads, of_heads_bias = fused.product(slope.t(), after.t()), slope.sum(0)
        of_cell, of_bias = fused.product(read.t(), gates.t()).t(), gates.sum(0)
        return {
            "filters.weight": gathered(of_spread), "filters.bias": filters.sum(0).view(_INSIDE, _FILTERS).sum(0),
            "dense.weight": fused.product(features.t(), places.t()), "dense.bias": features.sum(0),
            "cell.weight_ih": of_cell[:, : cell.input_size], "cell.bias_ih": of_bias,
            "cell.weight_hh": of_cell[:, cell.input_size :], "cell.bias_hh": of_bias,
            "scores.weight": of_heads[:TILES], "scores.bias": of_heads_bias[:TILES],
            "value.weight": of_heads[TILES:], "value.bias": of_heads_bias[TILES:],
        }  # fmt: skip


class _Outputs(torch.autograd.Function):
    @staticmethod
    def forward(ctx, unrolled, *weights):
        ctx.unrolled = unrolled
        return unrolled.heads()

    @staticmethod
    @once_differentiable
    def backward(ctx, slope):
        slopes = ctx.unrolled.slopes(slope.contiguous())
        return None, *(slopes[name] for name, _ in ctx.unrolled._policy.named_parameters())


def spread(filters: Tensor) -> Tensor:
    """Return the weights from every tile to every filter at every place, (25 · 16, 49), of filters (16, 9)."""
    table = torch.zeros(_INSIDE, _FILTERS, TILES)
    return table.scatter_(2, _WINDOWS, filters.expand(_INSIDE, -1, -1)).flatten(0, 1)


def gathered(table: Tensor) -> Tensor:
    """Return the sums over places of a table such as `spread` makes, (16, 9): filters' gradients, of the table's."""
    return table.reshape(_INSIDE, _FILTERS, TILES).gather(2, _WINDOWS).sum(0)


@compiled
def _write(board, action, reward, hidden, tiles, read):
    """Write the tiles as inputs, and behind the place for the features the last click and the hidden state."""
    last = _SEEN + TILES
    for i in range(len(board)):
        for t in range(TILES):
            tiles[i, t] = (board[i, t] + 1) / 2
            read[i, _SEEN + t] = action[i] == t
        read[i, last] = reward[i] / 10
        read[i, last + 1 :] = hidden[i]
