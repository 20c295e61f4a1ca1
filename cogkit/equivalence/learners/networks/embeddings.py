"""A contrastive agent: every stimulus has a code, and the agent chooses the comparison nearest to the sample."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.equivalence.learners.agents import EmbeddingConfig
from cogkit.equivalence.learners.networks.choosing import Choosing


class Embeddings(Choosing):
    """Cosine of the sample's and each comparison's code, divided by the temperature: a choice among three.

    Parameters
    ----------
    tokens : int
        Different tokens, the three options last.
    config : EmbeddingConfig
        With ``shared``, a stimulus has one code as sample and as comparison. Otherwise it has two codes, which training
        may or may not make similar.
    """

    def __init__(self, tokens: int, config: EmbeddingConfig) -> None:
        super().__init__(tokens)
        self.temperature = config.temperature
        self.sample = nn.Embedding(self.shown_tokens, config.width)
        self.comparison = self.sample if config.shared else nn.Embedding(self.shown_tokens, config.width)

    def answers(self, shown: Tensor) -> Tensor:
        """Return logits of the three places, (n, 3)."""
        sample, comparisons = self.sample(shown[:, :1]), self.comparison(shown[:, 1:])
        return torch.cosine_similarity(sample, comparisons, dim=-1) / self.temperature
