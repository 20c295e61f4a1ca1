"""Networks that choose among the three places and have no other answer: one with attention, and two without."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.equivalence.learners.agents import EmbeddingConfig, FeedForwardConfig, PointerConfig
from cogkit.equivalence.learners.networks import SHOWN
from cogkit.equivalence.learners.networks.transformer import Block, start
from cogkit.equivalence.problems.records import OPTIONS


class Choosing(nn.Module):
    """A network with ``answers``, the logits of three places; its input never has options.

    ``tokens`` is the number of different ones, the three options last.
    """

    choices = OPTIONS

    def __init__(self, tokens: int) -> None:
        super().__init__()
        self.shown_tokens = tokens - OPTIONS

    def loss(self, trials: Tensor) -> Tensor:
        """Return the mean cross-entropy of the right place in nats, from complete trials (n, 5)."""
        places = trials[:, SHOWN] - self.shown_tokens
        return nn.functional.cross_entropy(self.answers(trials[:, :SHOWN]).float(), places)


class Embeddings(Choosing):
    """A contrastive agent: the cosine of the sample's and each comparison's code, divided by the temperature.

    With ``shared``, a stimulus has one code as sample and as comparison. Otherwise it has two codes, which training may
    or may not make similar.
    """

    def __init__(self, tokens: int, config: EmbeddingConfig) -> None:
        super().__init__(tokens)
        self.temperature = config.temperature
        self.sample = nn.Embedding(self.shown_tokens, config.width)
        self.comparison = self.sample if config.shared else nn.Embedding(self.shown_tokens, config.width)

    def answers(self, tokens: Tensor) -> Tensor:
        """Return logits of the three places, (n, 3)."""
        sample, comparisons = self.sample(tokens[:, :1]), self.comparison(tokens[:, 1:])
        return torch.cosine_similarity(sample, comparisons, dim=-1) / self.temperature


class FeedForward(Choosing):
    """Four tokens, one-hot and side by side → hidden units with ReLU → a score for each place.

    The authors used it before transformers (Carrillo & Betancort 2023, MTI 7(3): 39).

    The same token in different places has different weights: learning about A1 as a sample does not transfer to A1 as a
    comparison.
    """

    def __init__(self, tokens: int, config: FeedForwardConfig) -> None:
        super().__init__(tokens)
        self.hidden = nn.Linear(SHOWN * self.shown_tokens, config.units)
        self.out = nn.Linear(config.units, OPTIONS)

    def answers(self, tokens: Tensor) -> Tensor:
        """Return logits of the three places, (n, 3)."""
        inputs = nn.functional.one_hot(tokens, self.shown_tokens).flatten(1).to(self.out.weight.dtype)
        return self.out(self.hidden(inputs).relu())


class Pointer(Choosing):
    """Encodes the four tokens of a trial together; the sample's query is compared with the key of each comparison.

    Without ``places``, the network knows which tokens are comparisons, but not their places: if the comparisons change
    their order, the answers change it in the same way.
    """

    def __init__(self, tokens: int, config: PointerConfig) -> None:
        super().__init__(tokens)
        roles = range(SHOWN) if config.places else (0, 1, 1, 1)
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
