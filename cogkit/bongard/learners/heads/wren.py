"""WReN-Bongard: relations between the pictures of a side and the query, summed (after Barrett et al. 2018)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.bongard.learners.heads.head import Head
from cogkit.bongard.learners.networks.backbone import FEATURES


class WReN(Head):
    """One net for all ordered pairs of a side's six pictures and the query. A second net decides from both sums."""

    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(FEATURES, width), nn.Linear(FEATURES, width, bias=False)
        self.relation = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.decide = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, 2))

    def forward(self, support: Tensor, query: Tensor) -> Tensor:
        """Return logits (B, Q, 2)."""
        # a linear layer of a pair is the sum of two layers, one for each picture
        first, second, query_first, query_second = *self._parts(support), *self._parts(query[:, :, None, None])
        among = self.relation(first[..., :, None, :] + second[..., None, :, :]).sum(dim=(2, 3))  # for all queries
        pairs = torch.cat([first[:, None] + query_second, query_first + second[:, None]], dim=3)
        itself = self.relation(query_first + query_second)[:, :, :, 0]
        return self.decide((among[:, None] + self.relation(pairs).sum(dim=3) + itself).flatten(2))

    def _parts(self, features: Tensor) -> tuple[Tensor, Tensor]:
        return self.first(features), self.second(features)
