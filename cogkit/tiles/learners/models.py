"""The LSTM meta-learner of Kumar et al. (2023, "Meta-reinforcement learning agent")."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.learning import lifecycle, one_thread
from cogkit.tiles.learners.agents import AgentConfig
from cogkit.tiles.rules.boards import SIZE, TILES
from cogkit.tiles.rules.game import View

_FILTERS, _SEEN = 16, 49
_INSIDE = (SIZE - 2) ** 2


def _windows() -> Tensor:
    """Return the tiles under each of the 25 places of a 3×3 filter: (25, 9) indices."""
    tiles = torch.arange(TILES).reshape(SIZE, SIZE)
    return tiles.unfold(0, 3, 1).unfold(1, 3, 1).reshape(_INSIDE, 9)


class LSTMPolicy(nn.Module):
    """Board → 16 filters of 3×3 → 49 units; with the last action and reward → LSTM → a score per tile, and a value.

    Notes
    -----
    Differs from the paper: the last action and reward are 0 or 1, and tenths of points; the original rescales them to
    0.5 or 1, and (r + 1) / 2. The filters are applied as a matrix product over windows, which is the same sum.
    """

    def __init__(self, units: int = 120) -> None:
        super().__init__()
        self.units = units
        self.filters = nn.Linear(9, _FILTERS)
        self.dense = nn.Linear(_FILTERS * _INSIDE, _SEEN)
        self.cell = nn.LSTMCell(_SEEN + TILES + 1, units)
        self.scores = nn.Linear(units, TILES)
        self.value = nn.Linear(units, 1)
        self.register_buffer("windows", _windows(), persistent=False)
        for layer, gain in ((self.filters, 2**0.5), (self.dense, 2**0.5), (self.scores, 0.01), (self.value, 1.0)):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)
        # about the reward of an untrained agent: starting at 0, the value loss would saturate the LSTM
        nn.init.constant_(self.value.bias, -1.0)

    def forward(self, board: Tensor, action: Tensor, reward: Tensor, memory: tuple[Tensor, Tensor]):
        """Return scores (n, 49), values (n,) and the new memory.

        Parameters
        ----------
        board : (n, 49) int8
            -1 covered, 0 blue, 1 red.
        action, reward : (n,)
            Of the last click; action -1 for none.
        """
        pixels = (board.float() + 1) / 2
        features = self.filters(pixels[:, self.windows]).flatten(1).relu()
        features = self.dense(features).relu()
        last_click = (action[:, None] == torch.arange(TILES)).float()
        memory = self.cell(torch.cat([features, last_click, reward[:, None] / 10], dim=1), memory)
        return self.scores(memory[0]), self.value(memory[0]).squeeze(1), memory

    def blank(self, n: int) -> tuple[Tensor, Tensor]:
        """Return the memory of n boards on which nothing has happened yet."""
        return torch.zeros(n, self.units), torch.zeros(n, self.units)


def tensors(view: View) -> tuple[Tensor, Tensor, Tensor]:
    """Return board, last action and last reward of a view as tensors of their own."""
    return tuple(torch.tensor(part) for part in (view.board, view.last_action, view.last_reward))


def build(config: AgentConfig) -> LSTMPolicy:
    """Return a fresh network of a config."""
    return LSTMPolicy(config.units)


class Agent(lifecycle.Agent):
    """A trained network as a player; its memory is blank at the start of every board.

    Examples
    --------
    >>> from cogkit.tiles import scoring
    >>> from cogkit.tiles.problems import records
    >>> items, config = records.items("tree/abstract", "generated"), AgentConfig("tree/abstract")
    >>> scoring.judge(Agent(build(config), config), items).finished.all()
    np.True_
    """

    name, inputs, choose = "LSTM", ("board", "last_action", "last_reward"), "sample"
    supervision = "rewards"

    def act(self, view: View, state):
        """Return a score for every tile, and the memory after this click."""
        memory = self.network.blank(len(view.board)) if state is None else state
        with torch.no_grad(), one_thread():  # no layer of it differs between training and evaluation
            scores, _, memory = self.network(*tensors(view), memory)
        return scores.numpy(), memory
