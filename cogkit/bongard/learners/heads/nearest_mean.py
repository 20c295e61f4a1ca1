"""Heads that choose the side whose mean features are nearer to the query, or point in a nearer direction."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from cogkit.bongard.learners.heads.head import Head


class _Nearest(Head):
    def forward(self, support: Tensor, query: Tensor) -> Tensor:
        """Return logits (B, Q, 2)."""
        return self.nearness(query[:, :, None], support.mean(dim=2)[:, None])


class ProtoNet(_Nearest):
    """ProtoNet (Snell, Swersky & Zemel 2017): minus the squared distance to the mean, times a learnt scale.

    Its logarithm is what is learnt. A step on the scale itself is as large as the distances, and can make it negative.
    """

    def __init__(self, scale: float = 1.0) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor([math.log(scale)]))

    def nearness(self, features: Tensor, means: Tensor) -> Tensor:
        """Return minus the squared distances, scaled."""
        return -self.log_scale.exp() * (features - means).square().sum(dim=-1)


class MetaBaseline(_Nearest):
    """Meta-Baseline (Chen, Wang, Liu, Xu & Darrell 2020): the cosine with the mean, times a learnt temperature.

    Its three variants differ in the training of the backbone: from scratch (SC), by contrast (MoCo) or on programs
    (PS).
    """

    def __init__(self, temperature: float = 10.0) -> None:
        super().__init__()
        self.temperature = nn.Parameter(torch.tensor([float(temperature)]))

    def nearness(self, features: Tensor, means: Tensor) -> Tensor:
        """Return the cosines, times the temperature."""
        return self.temperature * nn.functional.cosine_similarity(features, means, dim=-1)
