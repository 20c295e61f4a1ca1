"""The convolutional network with the symmetries of the square tied: what it learns holds turned and mirrored too."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.tiles.learners import networks
from cogkit.tiles.learners.networks import Memory
from cogkit.tiles.rules.boards import SIZE, TILES
from cogkit.tiles.rules.symmetries import turned

_BLOCKS, _TURNS = 3, 8
_PLACES = torch.from_numpy(turned(np.arange(9).reshape(3, 3)).reshape(_TURNS, 9))  # of a filter's tiles, when turned
_BETWEEN = [
    [next(k for k in range(_TURNS) if (_PLACES[k][_PLACES[g]] == turn).all()) for turn in _PLACES]
    for g in range(_TURNS)
]  # [g][h]: the turn after which g gives h


class Policy(networks.Policy):
    """As `convolutional`, but every filter stands in eight turns, and all layers are tied so (Cohen & Welling 2016).

    A turned or mirrored board has the same scores, turned or mirrored. ``units`` is the number of filters in each turn.
    Of the paper's rules, *copy*, *rectangle* and *pyramid* have all turned and mirrored boards, each as likely. For the
    others this network is given what does not hold.
    """

    title, masked = "convolutional, D4", True

    def __init__(self, units: int = 4) -> None:
        super().__init__(units)
        self.first = Turned(3, units, 2**0.5, lift=True)
        self.blocks = nn.ModuleList(Block(units) for _ in range(_BLOCKS))
        self.scores, self.value = nn.Linear(units, 1), nn.Linear(units, 1)
        networks.begin_heads(self.scores, self.value)

    def forward(self, board: Tensor, action: Tensor, reward: Tensor, memory: Memory):
        """Return scores (n, 49), values (n,) and no memory."""
        state = networks.states(board).view(-1, SIZE, SIZE, 3).permute(0, 3, 1, 2)
        features = self.first(state)
        for block in self.blocks:
            features = block(features)
        features = features.relu().unflatten(1, (_TURNS, self.units)).mean(dim=1)  # (n, units, 7, 7)
        values = self.value(features.mean(dim=(2, 3)))
        return self.scores(features.flatten(2).transpose(1, 2)).view(-1, TILES), values.squeeze(1), ()


class Block(nn.Module):
    """Two layers of filters, added to what comes in; the first is told the mean over the board and all turns."""

    def __init__(self, units: int) -> None:
        super().__init__()
        self.first, self.second = Turned(units, units, 2**0.5), Turned(units, units, 0.1)
        self.mean = nn.Linear(units, units)
        networks.begin((self.mean, 1.0))

    def forward(self, features: Tensor) -> Tensor:
        """Return features of the same shape, (n, turns · units, 7, 7)."""
        active = features.relu()
        mean = self.mean(active.unflatten(1, (_TURNS, -1)).mean(dim=(1, 3, 4))).repeat(1, _TURNS)
        return features + self.second((self.first(active) + mean[:, :, None, None]).relu())


class Turned(nn.Module):
    """Filters of 3×3, each in all eight turns; ``lift`` for the first layer, whose input has no turns yet."""

    def __init__(self, inputs: int, units: int, gain: float, lift: bool = False) -> None:
        super().__init__()
        self.filters = nn.Parameter(torch.empty(units, 1 if lift else _TURNS, inputs, 9))
        self.bias = nn.Parameter(torch.zeros(units))
        nn.init.orthogonal_(self.filters.view(units, -1), gain)

    def forward(self, features: Tensor) -> Tensor:
        """Return features in each turn, (n, turns · units, 7, 7)."""
        turns = range(_TURNS)
        order = [_BETWEEN[g] if self.filters.shape[1] > 1 else slice(None) for g in turns]
        weight = torch.stack(
            [self.filters[:, order[g]][..., _PLACES[g]] for g in turns]
        )  # (turns, units, …, inputs, 9)
        weight = weight.flatten(0, 1).flatten(1, 2).unflatten(2, (3, 3))
        return nn.functional.conv2d(features, weight, self.bias.repeat(_TURNS), padding=1)
