"""Meta-Baseline: the side with the more similar mean direction (Chen, Wang, Liu, Xu & Darrell 2020)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.bongard.learners.heads.head import Head


class MetaBaseline(Head):
    """The cosine with the mean of each side, times a learnt temperature.

    Its three variants differ in the training of the backbone: from scratch (SC), by contrast (MoCo) or on programs
    (PS).

    Parameters
    ----------
    temperature : float
        At the start.
    """

    def __init__(self, temperature: float = 10.0) -> None:
        super().__init__()
        self.temperature = nn.Parameter(torch.tensor([float(temperature)]))

    def nearness(self, features: Tensor, means: Tensor) -> Tensor:
        """Return the cosines, times the temperature."""
        return self.temperature * nn.functional.cosine_similarity(features, means, dim=-1)

    def forward(self, support: Tensor, query: Tensor) -> Tensor:
        """Return logits (B, Q, 2)."""
        return self.nearness(query[:, :, None], support.mean(dim=2)[:, None])
