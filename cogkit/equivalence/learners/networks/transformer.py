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

    def parts(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values, each (n, places, heads, width / heads)."""
        return self.qkv(self.before(x)).unflatten(-1, (3, self.heads, -1)).unbind(2)

    def attend(self, x: Tensor, queries: Tensor, keys: Tensor, values: Tensor, hidden: Tensor | None) -> Tensor:
        """Return x after the block, at the places of the queries; ``hidden`` marks places that attention must skip."""
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
        for block in self.blocks:
            queries, keys, values = block.parts(x)
            if last and block is self.blocks[-1]:
                x, queries, mask = x[:, -1:], queries[:, -1:], None
            x = block.attend(x, queries, keys, values, mask)
        return self.head(self.after(x))

    def loss(self, trials: Tensor) -> Tensor:
        """Return the mean cross-entropy of the next tokens in nats, from complete trials (n, 5)."""
        logits = self(trials[:, :SHOWN], last=not self.every_place)
        return nn.functional.cross_entropy(logits.flatten(0, 1).float(), trials[:, -logits.shape[1] :].flatten())

    def answers(self, tokens: Tensor) -> Tensor:
        """Return logits of the answer, (n, tokens), the options first."""
        shares = self.causal and not self.training  # trials with one beginning would share dropout
        logits = self._by_beginnings(tokens) if shares else self(tokens, last=True)[:, 0]
        return logits.roll(OPTIONS, dims=1)

    def _by_beginnings(self, tokens: Tensor) -> Tensor:
        """Return the last place's logits, computing each shared beginning once, since a place sees no later one.

        246,960 trials have 28, 784 and 21,952 different beginnings of one, two and three tokens.
        """
        base, code, levels = self.token.num_embeddings, torch.zeros_like(tokens[:, 0]), []
        for k in range(SHOWN):
            code = code * base + tokens[:, k]
            levels.append(torch.unique(code, return_inverse=True))
        codes = [ids for ids, _ in levels]
        above = [  # for every beginning, the indices of its shorter beginnings
            [torch.searchsorted(codes[j], codes[k] // base ** (k - j)) for j in range(k)] for k in range(SHOWN)
        ]
        states = [self.token(ids % base)[:, None] + self.place.weight[k] for k, ids in enumerate(codes)]
        for block in self.blocks:
            parts = [block.parts(x) for x in states]
            for k, (queries, *inner) in enumerate(parts):
                keys, values = (
                    torch.cat([*(parts[j][i][above[k][j]] for j in range(k)), inner[i - 1]], dim=1) for i in (1, 2)
                )
                states[k] = block.attend(states[k], queries, keys, values, None)
        return self.head(self.after(states[-1][:, 0]))[levels[-1][1]]
