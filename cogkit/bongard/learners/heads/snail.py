"""SNAIL: convolutions over the pictures so far, and attention to any of them (Mishra et al. 2018)."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from cogkit.bongard.learners.heads.head import Head
from cogkit.bongard.learners.networks.backbone import FEATURES


class SNAIL(Head):
    """Positives, negatives and one query in a row. No place sees later places; the output of the query is the answer.

    In training, up to ``blanked`` pictures at the front of the row are left blank, including their labels.
    """

    def __init__(self, shown: int = 12, blanked: int = 0) -> None:
        super().__init__()
        self.blanked, length = blanked, shown + 1
        channels, layers = FEATURES + 2, []
        for keys, values in ((64, 32), (256, 128), (512, 256)):
            if layers:
                layers.append(Temporal(channels, length, 128))
                channels = layers[-1].channels
            layers.append(Attention(channels, keys, values))
            channels += values
        self.layers = nn.Sequential(*layers)
        self.out = nn.Linear(channels, 2)

    def forward(self, support: Tensor, query: Tensor) -> Tensor:
        """Return logits (B, Q, 2)."""
        episodes, sides, size, queries = *support.shape[:3], query.shape[1]
        labels = torch.eye(sides, device=query.device, dtype=query.dtype).repeat_interleave(size, dim=0)
        row = torch.cat([support.flatten(1, 2), labels.expand(episodes, -1, -1)], dim=2)
        if self.training and self.blanked:
            start = torch.randint(self.blanked + 1, (episodes, 1, 1), device=row.device)
            row = row * (torch.arange(row.shape[1], device=row.device)[:, None] >= start)
        row = row[:, None].expand(-1, queries, -1, -1).flatten(0, 1)
        last = nn.functional.pad(query.flatten(0, 1), (0, sides))  # without a label
        return self.out(self.layers(torch.cat([row, last[:, None]], dim=1))[:, -1]).unflatten(0, (episodes, queries))


class Attention(nn.Module):
    """Attention of each place to the places up to it, appended: (n, length, channels) → (…, channels + values)."""

    def __init__(self, channels: int, keys: int, values: int) -> None:
        super().__init__()
        self.query, self.key = nn.Linear(channels, keys), nn.Linear(channels, keys)
        self.value = nn.Linear(channels, values)

    def forward(self, x: Tensor) -> Tensor:
        values = nn.functional.scaled_dot_product_attention(self.query(x), self.key(x), self.value(x), is_causal=True)
        return torch.cat([x, values], dim=2)


class Dense(nn.Module):
    """A gated convolution of each place with an earlier one, appended to the input."""

    def __init__(self, channels: int, dilation: int, filters: int) -> None:
        super().__init__()
        self.dilation = dilation
        self.gated = nn.Conv1d(channels, 2 * filters, 2, dilation=dilation)

    def forward(self, x: Tensor) -> Tensor:
        before = nn.functional.pad(x.transpose(1, 2), (self.dilation, 0))
        value, gate = self.gated(before).transpose(1, 2).chunk(2, dim=2)
        return torch.cat([x, value.tanh() * gate.sigmoid()], dim=2)


class Temporal(nn.Sequential):
    """Dense blocks with dilations 1, 2, 4, … until the last place sees the first."""

    def __init__(self, channels: int, length: int, filters: int) -> None:
        depth = math.ceil(math.log2(length))
        super().__init__(*[Dense(channels + k * filters, 2**k, filters) for k in range(depth)])
        self.channels = channels + depth * filters
