"""The transformer of Kumar et al. (2023), a vision transformer whose patches are tiles."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from cogkit.tiles.learners import networks
from cogkit.tiles.learners.networks import Memory
from cogkit.tiles.rules.boards import SIZE, TILES

_LAYERS, _HEADS = 2, 4
_STATE = 3.0  # gain of the states: with torch's own, positions would drown them


def _places(units: int) -> Tensor:
    """Return sines and cosines of the row and of the column, (49, units), so that near tiles are alike."""
    rate = torch.arange(1, units // 4 + 1) * math.pi / (2 * SIZE)
    line = networks.waves(SIZE, rate)
    return torch.cat([line.repeat_interleave(SIZE, dim=0), line.repeat(SIZE, 1)], dim=1)


class Policy(networks.Policy):
    """49 tiles and a class token → two layers of attention → a score off each tile, and a value off the class token.

    It has no memory. ``units`` is the width of a token, a multiple of 4.

    Notes
    -----
    Differs from the paper: narrow and shallow, two layers of 32 with four heads (the original searches 2 to 9 layers,
    16 to 64 units and 1 to 8 heads), so that it costs no more than 10 million multiplications and additions a click.
    It has no dropout. Positions are learnt, but begin as waves over rows and columns; the original's begin at random,
    and ours did not learn where neighbours are. The original reads all 49 scores off the class token, through two
    layers more: so ours learnt little in the same number of clicks.
    """

    title, masked = "Transformer", True

    def __init__(self, units: int = 32) -> None:
        super().__init__(units)
        self.embedding = nn.Linear(3, units)
        self.positions = nn.Parameter(torch.cat([torch.zeros(1, units), _places(units)]))  # of the class token first
        self.layers = nn.ModuleList(Layer(units) for _ in range(_LAYERS))
        self.norm = nn.LayerNorm(units)
        self.scores, self.value = nn.Linear(units, 1), nn.Linear(units, 1)
        networks.begin((self.embedding, _STATE))
        networks.begin_heads(self.scores, self.value)
        nn.init.orthogonal_(self.value.weight, 0.1)  # a class token is much the same on all boards, and normalised

    def forward(self, board: Tensor, action: Tensor, reward: Tensor, memory: Memory):
        """Return scores (n, 49), values (n,) and no memory."""
        tiles = networks.states(board) @ self.embedding.weight.t() + self.embedding.bias
        tokens = nn.functional.pad(tiles, (0, 0, 1, 0)) + self.positions
        for layer in self.layers:
            tokens = layer(tokens)
        features = self.norm(tokens)
        scores = self.scores(features[:, 1:].flatten(0, 1)).view(-1, TILES)
        return scores, self.value(features[:, 0]).squeeze(1), ()


class Layer(nn.Module):
    """Attention and two dense layers, each on normalised tokens and added to them."""

    def __init__(self, units: int) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(units), nn.LayerNorm(units)
        self.parts, self.joined = nn.Linear(units, 3 * units), nn.Linear(units, units)
        self.wide, self.narrow = nn.Linear(units, 2 * units), nn.Linear(2 * units, units)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return tokens of the same shape, (n, m, units)."""
        n, m, units = tokens.shape
        parts = self.parts(self.before(tokens).flatten(0, 1))
        query, key, value = parts.view(n, m, 3, _HEADS, -1).permute(2, 0, 3, 1, 4)
        answer = networks.attention(query, key, value).transpose(1, 2).reshape(-1, units)
        tokens = tokens.flatten(0, 1) + self.joined(answer)
        hidden = nn.functional.gelu(self.wide(self.between(tokens)))
        return (tokens + self.narrow(hidden)).view(n, m, units)
