"""The transformer of Kumar et al. (2023), a vision transformer whose patches are tiles."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.learning import fused
from cogkit.tiles.learners import networks
from cogkit.tiles.learners.networks import Memory
from cogkit.tiles.rules.boards import TILES

_LAYERS, _HEADS = 2, 4
_HIDDEN = 64


class Policy(networks.Policy):
    """49 tiles and a class token → two layers of attention → the class token → a score per tile, and a value.

    It has no memory. ``units`` is the width of a token.

    Notes
    -----
    Differs from the paper: narrow and shallow, two layers of 32 with four heads (the original searches 2 to 9 layers,
    16 to 64 units and 1 to 8 heads), so that it costs no more than 10 million multiplications and additions a click.
    It has no dropout.
    """

    title, masked = "Transformer", True

    def __init__(self, units: int = 32) -> None:
        super().__init__(units)
        self.embedding = nn.Linear(3, units)
        self.token = nn.Parameter(torch.randn(1, 1, units))
        self.positions = nn.Parameter(torch.randn(TILES + 1, units))
        self.layers = nn.ModuleList(Layer(units) for _ in range(_LAYERS))
        self.norm = nn.LayerNorm(units)
        self.actor, self.critic = Head(units, TILES), Head(units, 1)
        networks.begin_heads(self.actor.last, self.critic.last)

    def forward(self, board: Tensor, action: Tensor, reward: Tensor, memory: Memory):
        """Return scores (n, 49), values (n,) and no memory."""
        tiles = networks.states(board) @ self.embedding.weight.t() + self.embedding.bias
        tokens = torch.cat([self.token.expand(len(board), -1, -1), tiles], dim=1) + self.positions
        for layer in self.layers[:-1]:
            tokens = layer(tokens, tokens)
        features = self.norm(self.layers[-1](tokens[:, :1], tokens).squeeze(1))  # nobody reads the other tokens
        return self.actor(features), self.critic(features).squeeze(1), ()


class Layer(nn.Module):
    """Attention and two dense layers, each on normalised tokens and added to them."""

    def __init__(self, units: int) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(units), nn.LayerNorm(units)
        self.query, self.pair = nn.Linear(units, units), nn.Linear(units, 2 * units)
        self.joined = nn.Linear(units, units)
        self.wide, self.narrow = nn.Linear(units, 2 * units), nn.Linear(2 * units, units)

    def forward(self, asking: Tensor, tokens: Tensor) -> Tensor:
        """Return new tokens (n, k, units) in place of the first k of the tokens (n, m, units) that they look at."""
        n, k, units = asking.shape
        seen = self.before(tokens)
        query = fused.linear(seen[:, :k].reshape(-1, units), self.query).view(n, k, _HEADS, -1).transpose(1, 2)
        key, value = (
            fused.linear(seen.flatten(0, 1), self.pair).view(n, -1, 2, _HEADS, units // _HEADS).permute(2, 0, 3, 1, 4)
        )
        answer = networks.attention(query, key, value).transpose(1, 2).reshape(-1, units)
        tokens = asking.reshape(-1, units) + fused.linear(answer, self.joined)
        hidden = nn.functional.gelu(fused.linear(self.between(tokens), self.wide))
        return (tokens + fused.linear(hidden, self.narrow)).view(n, k, units)


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
