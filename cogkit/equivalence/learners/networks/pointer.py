"""A transformer that scores each comparison against the sample, and has no other answer."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.equivalence.learners.agents import PointerConfig
from cogkit.equivalence.learners.networks import SHOWN
from cogkit.equivalence.learners.networks.choosing import Choosing
from cogkit.equivalence.learners.networks.transformer import Block, start

_PLACES, _ROLES = range(SHOWN), (0, 1, 1, 1)


class Pointer(Choosing):
    """Encodes the four tokens of a trial together; the sample's query is compared with the key of each comparison.

    Without ``places``, the network knows which tokens are comparisons, but not their places: if the comparisons change
    their order, the answers change it in the same way.
    """

    def __init__(self, tokens: int, config: PointerConfig) -> None:
        super().__init__(tokens)
        roles = _PLACES if config.places else _ROLES
        self.token = nn.Embedding(self.shown_tokens, config.width)
        self.role = nn.Embedding(max(roles) + 1, config.width)
        self.blocks = nn.ModuleList(Block(config.width, config.heads, config.dropout) for _ in range(config.layers))
        self.after = nn.LayerNorm(config.width)
        self.query = nn.Linear(config.width, config.width, bias=False)
        self.key = nn.Linear(config.width, config.width, bias=False)
        self.register_buffer("roles", torch.tensor(roles), persistent=False)
        start(self)

    def answers(self, tokens: Tensor) -> Tensor:
        """Return logits of the three places, (n, 3)."""
        x = self.token(tokens) + self.role(self.roles)
        for block in self.blocks:
            x = block(x)
        x = self.after(x)
        return torch.einsum("nd,nkd->nk", self.query(x[:, 0]), self.key(x[:, 1:])) * x.shape[-1] ** -0.5
