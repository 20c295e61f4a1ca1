"""ProtoNet: the side with the nearer mean (Snell, Swersky & Zemel 2017)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.bongard.learners.heads.head import Head


class ProtoNet(Head):
    """Minus the squared distance to the mean of each side, times a learnt scale.

    Parameters
    ----------
    scale : float
        At the start.
    """

    def __init__(self, scale: float = 1.0) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.tensor([float(scale)]))

    def nearness(self, features: Tensor, means: Tensor) -> Tensor:
        """Return minus the squared distances, scaled."""
        return -self.scale * (features - means).square().sum(dim=-1)

    def forward(self, support: Tensor, query: Tensor) -> Tensor:
        """Return logits (B, Q, 2)."""
        return self.nearness(query[:, :, None], support.mean(dim=2)[:, None])
