"""A transformer that reads the support and writes a rule for the query (after SVM-Mimic, Raghuraman et al. 2023)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.bongard.learners.heads.head import Head
from cogkit.bongard.learners.networks.backbone import FEATURES


class SetTransformer(Head):
    """Twelve pictures, each with its side, and one empty place, whose output is a linear rule.

    The rule is weights and a threshold, like those of a support vector machine; the original model is therefore called
    a mimic. The rule is the output of the place minus its output with the sides exchanged. Exchanging the sides thus
    exchanges the logits. The head needs standardised features (see `head.standardised`).

    In training, a share ``dropped`` of the support is hidden, but never the first picture of a side, and a share
    ``mislabelled`` gets the wrong side.
    """

    def __init__(
        self, width: int = 128, layers: int = 2, heads: int = 4, dropout: float = 0.1, dropped: float = 0.1,
        mislabelled: float = 0.05,
    ) -> None:  # fmt: skip
        super().__init__()
        self.dropped, self.mislabelled = dropped, mislabelled
        self.enter = nn.Linear(FEATURES, width)
        self.side, self.place = (nn.Parameter(torch.randn(width) * 0.5) for _ in range(2))
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, dropout, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, nn.LayerNorm(width), enable_nested_tensor=False)
        self.rule = nn.Linear(width, FEATURES + 1)

    def forward(self, support: Tensor, query: Tensor) -> Tensor:
        """Return logits (B, Q, 2)."""
        examples = support.flatten(1, 2)
        sides = torch.ones(examples.shape[:2], device=examples.device, dtype=examples.dtype)
        sides[:, support.shape[2] :] = -1
        hidden = torch.zeros_like(sides, dtype=torch.bool)
        if self.training:
            sides = sides * torch.where(torch.rand_like(sides) < self.mislabelled, -1, 1)
            hidden = torch.rand_like(sides) < self.dropped
            hidden[:, :: support.shape[2]] = False
        sides = torch.cat([sides, -sides])[..., None] * self.side
        row = torch.cat([self.enter(examples).repeat(2, 1, 1) + sides, self.place.expand(len(sides), 1, -1)], dim=1)
        hidden = nn.functional.pad(hidden.repeat(2, 1), (0, 1))
        place = self.encoder(row, src_key_padding_mask=hidden)[:, -1]
        first, second = self.rule(place).chunk(2)
        rule = (first - second) / 2
        score = torch.einsum("bqf,bf->bq", query, rule[:, :FEATURES]) * FEATURES**-0.5 + rule[:, FEATURES:]
        return torch.stack([score, -score], dim=2)
