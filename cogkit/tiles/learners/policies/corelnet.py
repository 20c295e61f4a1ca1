"""CoRelNet of Kumar et al. (2023), after Kerg et al.: a network that sees only which tiles are alike."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.tiles.learners import networks
from cogkit.tiles.learners.networks import Memory
from cogkit.tiles.rules.boards import TILES

_SHARE = 4  # of the size of relations: about as much as the states of all tiles then


def relations(state: Tensor) -> Tensor:
    """Return the softmax over each row of which tiles are in the same state, (n, 49, 49), of states (n, 49, 3)."""
    return (state @ state.transpose(1, 2)).softmax(dim=2)


class Policy(networks.Policy):
    """Which tiles are alike → two layers → a score per tile, and a value.

    Covered, red and blue tiles can be exchanged without a change of what it sees: it is colour blind. It has no memory.

    Notes
    -----
    The paper does not mention the softmax; the original has it. Sizes are the original's. Differs from the paper:
    relations are 0 on average and have the size of other inputs, where a softmax over 49 tiles gives numbers near .02;
    and scores and value have no further two layers of 64 with tanh each. With either of the two it learns less, and
    with both, as in the original, nothing.
    """

    title, masked = "CoRelNet", True
    coloured = False

    def __init__(self, units: int = 256) -> None:
        super().__init__(units)
        self.first = nn.Linear(TILES**2 + 3 * TILES * self.coloured, units)
        self.second = nn.Linear(units, units)
        self.scores, self.value = nn.Linear(units, TILES), nn.Linear(units, 1)
        networks.begin((self.first, 2**0.5), (self.second, 2**0.5))
        networks.begin_heads(self.scores, self.value)

    def forward(self, board: Tensor, action: Tensor, reward: Tensor, memory: Memory):
        """Return scores (n, 49), values (n,) and no memory."""
        state = networks.states(board)
        seen = [(TILES * relations(state).flatten(1) - 1) / _SHARE, *([state.flatten(1)] if self.coloured else [])]
        features = self.first(torch.cat(seen, dim=1)).relu()
        features = self.second(features).relu()
        return self.scores(features), self.value(features).squeeze(1), ()
