"""Networks that choose among the three places and have no other answer, and the two of them without attention."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.equivalence.learners.agents import EmbeddingConfig, FeedForwardConfig
from cogkit.equivalence.learners.networks import SHOWN
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
