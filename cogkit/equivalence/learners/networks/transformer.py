"""The paper's two agents (Carrillo & Betancort 2024, "Computational Agents Architecture")."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.equivalence.learners.agents import TransformerConfig
from cogkit.equivalence.learners.networks import SHOWN
from cogkit.equivalence.problems.records import OPTIONS

_SPREAD = 0.02


def start(network: nn.Module) -> None:
    """Draw every weight again with a standard deviation of 0.02, and set biases to 0."""
    for module in network.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=_SPREAD)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


class Block(nn.Module):
    """Attention over the places of a trial, then a layer at each place; both are added to their input."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.scale = heads, (width // heads) ** -0.5
        self.before = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width)
        self.between = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, hidden: Tensor | None = None, last: bool = False) -> Tensor:
        """Return x (n, places, width) after the block, or only its last place, (n, 1, width).

        ``hidden`` (places, places) marks the places that each place must not see; the last place sees all.
        """
        # each (n, places, heads, width / heads)
        queries, keys, values = self.qkv(self.before(x)).unflatten(-1, (3, self.heads, -1)).unbind(2)
        if last:
            x, queries, hidden = x[:, -1:], queries[:, -1:], None
        weights = torch.einsum("nqhd,nkhd->nhqk", queries, keys) * self.scale
        if hidden is not None:
            weights = weights.masked_fill(hidden, float("-inf"))
        weights = self.dropout(weights.softmax(dim=-1))
        mixture = torch.einsum("nhqk,nkhd->nqhd", weights.to(values.dtype), values).flatten(2)
        x = x + self.dropout(self.out(mixture))
        return x + self.dropout(self.down(self.up(self.between(x)).relu_()))


class Transformer(nn.Module):
    """From a trial's four tokens to the next token at each place; at the last place this is the answer.

    ``tokens`` is the number of different ones, the three options last.

    Notes
    -----
    Differs from the paper's program: one product computes queries, keys and values of all heads, with the same result.
    """

    def __init__(self, tokens: int, config: TransformerConfig) -> None:
        super().__init__()
        self.choices, self.causal, self.every_place = tokens, config.mask == "causal", config.loss == "all"
        self.token = nn.Embedding(tokens, config.width)
        self.place = nn.Embedding(SHOWN, config.width)
        self.blocks = nn.ModuleList(Block(config.width, config.heads, config.dropout) for _ in range(config.layers))
        self.after = nn.LayerNorm(config.width)
        self.head = nn.Linear(config.width, tokens)
        self.register_buffer("hidden", torch.ones(SHOWN, SHOWN, dtype=torch.bool).triu(1), persistent=False)
        start(self)

    def forward(self, tokens: Tensor, last: bool = False) -> Tensor:
        """Return logits of the next token at each place, (n, 4, tokens), or only at the last one, (n, 1, tokens)."""
        x, mask = self.token(tokens) + self.place.weight, self.hidden if self.causal else None
        for block in self.blocks[:-1]:
            x = block(x, mask)
        x = self.blocks[-1](x, mask, last)
        return self.head(self.after(x))

    def loss(self, trials: Tensor) -> Tensor:
        """Return the mean cross-entropy of the next tokens in nats, from complete trials (n, 5)."""
        logits = self(trials[:, :SHOWN], last=not self.every_place)
        return nn.functional.cross_entropy(logits.flatten(0, 1).float(), trials[:, -logits.shape[1] :].flatten())

    def answers(self, tokens: Tensor) -> Tensor:
        """Return logits of the answer, (n, tokens), the options first."""
        return self(tokens, last=True)[:, 0].roll(OPTIONS, dims=1)
