"""The LSTM meta-learner of Kumar et al. (2023, "Meta-reinforcement learning agent")."""

from __future__ import annotations

import torch
from torch import Tensor, nn

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
    0.5 or 1, and (r + 1) / 2, as `lstm_program` does.
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
        pixels = ((board.float() + 1) / 2).view(-1, 1, SIZE, SIZE)
        patches = nn.functional.unfold(pixels, 3).transpose(1, 2)  # (n, 25, 9): the tiles under a filter at each place
        places = self.filters(patches).relu().flatten(1)  # (n, 25 · 16)
        features = self.dense(places).relu()  # (n, 49)
        more, memories = self.recall(board, memory[2:])
        inputs = torch.cat([features, self.last_click(action, reward), *more], dim=1)
        hidden, state = self.remember(inputs, *memory[:2])  # (n, units) each
        return self.scores(hidden), self.value(hidden).squeeze(1), (hidden, state, *memories)

    def last_click(self, action: Tensor, reward: Tensor) -> Tensor:
        """Return the last click and its reward as inputs, (n, 50)."""
        return networks.last_click(action, reward)

    def remember(self, inputs: Tensor, hidden: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return the hidden state and the cell state after a look, by the equations of an LSTM.

        They are those of `nn.LSTMCell`, which torch cannot batch over the agents of a stack.
        """
        linear, cell = nn.functional.linear, self.cell
        gates = linear(inputs, cell.weight_ih, cell.bias_ih) + linear(hidden, cell.weight_hh, cell.bias_hh)
        write, keep, new, show = gates.chunk(4, dim=1)  # (n, units) each
        state = keep.sigmoid() * state + write.sigmoid() * new.tanh()
        return show.sigmoid() * state.tanh(), state

    def recall(self, board: Tensor, memory: Memory) -> tuple[list[Tensor], Memory]:
        """Return further inputs of the LSTM, (n, more), and the new memory behind them; this network has neither."""
        return [], ()

    def blank(self, n: int) -> Memory:
        return torch.zeros(n, self.units), torch.zeros(n, self.units)
