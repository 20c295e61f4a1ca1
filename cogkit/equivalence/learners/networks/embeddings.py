"""A contrastive agent: a code for every stimulus, and the comparison whose code is nearest to the sample's."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.equivalence.learners.agents import EmbeddingConfig
from cogkit.equivalence.learners.networks.choosing import Choosing


class Embeddings(Choosing):
    """Cosine of the sample's and each comparison's code, by temperature: a choice among three.

    Parameters
    ----------
    tokens : int
        Different tokens, the three options last.
    config : EmbeddingConfig
        With ``shared`` a stimulus has one code as sample and as comparison; else it has two, which training
        may bring together or not.
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
