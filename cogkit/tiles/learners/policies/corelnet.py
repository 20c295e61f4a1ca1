"""CoRelNet of Kumar et al. (2023), after Kerg et al.: a network that sees only which tiles are alike."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.learning import fused
from cogkit.tiles.learners import networks
from cogkit.tiles.learners.networks import Memory
from cogkit.tiles.rules.boards import TILES

_HIDDEN = 64


def relations(state: Tensor) -> Tensor:
    """Return the softmax over each row of which tiles are in the same state, (n, 49, 49), of states (n, 49, 3)."""
    return (state @ state.transpose(1, 2)).softmax(dim=2)


class Policy(networks.Policy):
    """Which tiles are alike → two layers → a score per tile, and a value, each through two layers of 64.

    Covered, red and blue tiles can be exchanged without a change of what it sees: it is colour blind. It has no memory.

    Notes
    -----
    The paper mentions neither the softmax nor the heads; the original has both. Sizes are the original's.
    """

    title, masked = "CoRelNet", True
    coloured = False

    def __init__(self, units: int = 256) -> None:
        super().__init__(units)
        self.first = nn.Linear(TILES**2 + 3 * TILES * self.coloured, units)
        self.second = nn.Linear(units, units)
        self.actor, self.critic = Head(units, TILES), Head(units, 1)
        networks.begin((self.first, 2**0.5), (self.second, 2**0.5))
        networks.begin_heads(self.actor.last, self.critic.last)

    def forward(self, board: Tensor, action: Tensor, reward: Tensor, memory: Memory):
        """Return scores (n, 49), values (n,) and no memory."""
        state = networks.states(board)
        seen = [relations(state).flatten(1), *([state.flatten(1)] if self.coloured else [])]
        features = fused.linear(torch.cat(seen, dim=1), self.first).relu()
        features = fused.linear(features, self.second)
        return self.actor(features), self.critic(features).squeeze(1), ()


class Head(nn.Module):
    """Two layers of 64 with tanh, and a last layer."""

    def __init__(self, width: int, outputs: int) -> None:
        super().__init__()
        self.first, self.second, self.last = (
            nn.Linear(width, _HIDDEN), nn.Linear(_HIDDEN, _HIDDEN), nn.Linear(_HIDDEN, outputs)
        )  # fmt: skip
        networks.begin((self.first, 2**0.5), (self.second, 2**0.5))

    def forward(self, features: Tensor) -> Tensor:
        """Return outputs (n, outputs) for features (n, width)."""
        hidden = fused.linear(fused.linear(features, self.first).tanh(), self.second).tanh()
        return fused.linear(hidden, self.last)
