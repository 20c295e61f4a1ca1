"""CNN-Baseline: each side with the query on top is one picture of seven channels, without episodes or relations."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.bongard.learners.heads.head import Head
from cogkit.bongard.learners.networks.backbone import FEATURES


class CNN(Head):
    """Two layers on the features of both stacks of pictures."""

    channels = 7

    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.decide = nn.Sequential(nn.Linear(2 * FEATURES, width), nn.LeakyReLU(0.1), nn.Linear(width, 2))

    def see(self, backbone: nn.Module, support: Tensor, query: Tensor) -> tuple[Tensor, Tensor]:
        """Return an empty tensor, and for each query the features of both stacks, (B, Q, 2, F)."""
        context = support[:, None].expand(-1, query.shape[1], -1, -1, -1, -1, -1)  # (B, Q, 2, 6, 1, S, S)
        stacks = torch.cat([context, query[:, :, None, None].expand(-1, -1, 2, -1, -1, -1, -1)], dim=3)
        return support.new_empty(0), backbone(stacks.flatten(0, 2).flatten(1, 2)).unflatten(0, stacks.shape[:3])

    def forward(self, support: Tensor, query: Tensor) -> Tensor:
        """Return logits (B, Q, 2) of both stacks' features (B, Q, 2, F)."""
        return self.decide(query.flatten(2))
