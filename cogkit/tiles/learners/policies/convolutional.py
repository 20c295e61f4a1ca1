"""A convolutional network of ours: the same small filters everywhere on the board, and the mean over the board."""

from __future__ import annotations

from torch import Tensor, nn

from cogkit.tiles.learners import networks
from cogkit.tiles.learners.networks import Memory
from cogkit.tiles.rules.boards import SIZE, TILES

_BLOCKS = 3


class Policy(networks.Policy):
    """Board → three residual blocks of 3×3 filters, each told the mean over the board → a score per tile, and a value.

    ``units`` is the number of filters of a layer. It has no memory. What it learns about one place of the board holds
    for every other, unlike for the paper's networks; zeros around the board show where the edge is.
    """

    title, masked = "convolutional", True

    def __init__(self, units: int = 24) -> None:
        super().__init__(units)
        self.first = nn.Conv2d(3, units, 3, padding=1)
        self.blocks = nn.ModuleList(Block(units) for _ in range(_BLOCKS))
        self.scores, self.value = nn.Conv2d(units, 1, 1), nn.Linear(units, 1)
        networks.begin((self.first, 2**0.5))
        networks.begin_heads(self.scores, self.value)

    def forward(self, board: Tensor, action: Tensor, reward: Tensor, memory: Memory):
        """Return scores (n, 49), values (n,) and no memory."""
        state = networks.states(board).view(-1, SIZE, SIZE, 3).permute(0, 3, 1, 2)
        features = self.first(state)
        for block in self.blocks:
            features = block(features)
        features = features.relu()
        values = self.value(features.mean(dim=(2, 3)))
        return self.scores(features).view(-1, TILES), values.squeeze(1), ()


class Block(nn.Module):
    """Two layers of filters, added to what comes in; the first is told the mean over the board."""

    def __init__(self, units: int) -> None:
        super().__init__()
        self.first, self.second = (nn.Conv2d(units, units, 3, padding=1) for _ in range(2))
        self.mean = nn.Linear(units, units)
        networks.begin((self.first, 2**0.5), (self.mean, 1.0), (self.second, 0.1))

    def forward(self, features: Tensor) -> Tensor:
        """Return features of the same shape, (n, units, 7, 7)."""
        active = features.relu()
        mean = self.mean(active.mean(dim=(2, 3)))
        return features + self.second((self.first(active) + mean[:, :, None, None]).relu())
