"""SNAIL: convolutions over the pictures so far, and attention to any of them (Mishra et al. 2018)."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from cogkit.bongard.learners.heads.head import Head
from cogkit.bongard.learners.networks.backbone import FEATURES

_FILTERS = 128


class SNAIL(Head):
    """Positives, negatives and one query in a row. No place sees later places; the output of the query is the answer.

    No place of the support sees a query, so that all queries of a problem share what is computed of it. In training, up
    to ``blanked`` pictures at the front of the row are left blank, including their labels.
    """

    def __init__(self, n_support: int = 12, blanked: int = 0) -> None:
        super().__init__()
        self.blanked, length = blanked, n_support + 1
        channels, layers = FEATURES + 2, []
        for keys, values in ((64, 32), (256, 128), (512, 256)):
            if layers:
                for dilation in (2**k for k in range(math.ceil(math.log2(length)))):  # the last place sees the first
                    layers.append(Dense(channels, dilation, _FILTERS))
                    channels += _FILTERS
            layers.append(Attention(channels, keys, values))
            channels += values
        self.layers = nn.ModuleList(layers)
        self.out = nn.Linear(channels, 2)

    def forward(self, support: Tensor, query: Tensor) -> Tensor:
        """Return logits (B, Q, 2)."""
        episodes, sides, size = support.shape[:3]
        labels = torch.eye(sides, device=query.device, dtype=query.dtype).repeat_interleave(size, dim=0)
        row = torch.cat([support.flatten(1, 2), labels.expand(episodes, -1, -1)], dim=2)
        if self.training and self.blanked:
            start = torch.randint(self.blanked + 1, (episodes, 1, 1), device=row.device)
            row = row * (torch.arange(row.shape[1], device=row.device)[:, None] >= start)
        last = nn.functional.pad(query, (0, sides))  # without a label
        for layer in self.layers:
            row, last = layer(row, last)
        return self.out(last)


class Attention(nn.Module):
    """Attention of each place to the places up to it, appended to its channels.

    It takes and returns a row (B, length, channels) and its possible last places (B, Q, channels).
    """

    def __init__(self, channels: int, keys: int, values: int) -> None:
        super().__init__()
        self.query, self.key = nn.Linear(channels, keys), nn.Linear(channels, keys)
        self.value = nn.Linear(channels, values)

    def forward(self, row: Tensor, last: Tensor) -> tuple[Tensor, Tensor]:
        keys, values, queries = self.key(row), self.value(row), self.query(last)
        earlier = nn.functional.scaled_dot_product_attention(self.query(row), keys, values, is_causal=True)
        itself = (queries * self.key(last)).sum(dim=2, keepdim=True)
        weights = (torch.cat([queries @ keys.mT, itself], dim=2) / math.sqrt(queries.shape[2])).softmax(dim=2)
        context = weights[..., :-1] @ values + weights[..., -1:] * self.value(last)
        return torch.cat([row, earlier], dim=2), torch.cat([last, context], dim=2)


class Dense(nn.Module):
    """A gated convolution of each place with an earlier one, appended to its channels, as `Attention` takes them."""

    def __init__(self, channels: int, dilation: int, filters: int) -> None:
        super().__init__()
        self.dilation = dilation
        self.gated = nn.Conv1d(channels, 2 * filters, 2, dilation=dilation)

    def forward(self, row: Tensor, last: Tensor) -> tuple[Tensor, Tensor]:
        before = nn.functional.pad(row.transpose(1, 2), (self.dilation, 0))
        further, own = self.gated.weight.unbind(2)
        earlier = row[:, -self.dilation :][:, :1]  # what lies as far before the last place
        ends = nn.functional.linear(last, own, self.gated.bias) + nn.functional.linear(earlier, further)
        output = _gate(self.gated(before).transpose(1, 2))
        return torch.cat([row, output], dim=2), torch.cat([last, _gate(ends)], dim=2)


def _gate(both: Tensor) -> Tensor:
    value, gate = both.chunk(2, dim=2)
    return value.tanh() * gate.sigmoid()
