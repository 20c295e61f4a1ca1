"""ANIL: a linear layer that takes separate gradient steps on every episode (Raghu et al. 2020)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.bongard.learners.heads.head import Head
from cogkit.bongard.learners.networks.backbone import FEATURES


class ANIL(Head):
    """Two logits of a linear layer, whose weights first descend the loss of the episode's support.

    The gradient of a linear layer is written out, so each episode of a batch takes its steps independently. Without
    ``second_order``, the steps count as constants, as published: no gradient passes through them.
    """

    def __init__(self, inner_steps: int = 1, rate: float = 0.4, second_order: bool = False) -> None:
        super().__init__()
        self.steps, self.rate, self.second_order = inner_steps, rate, second_order
        self.linear = nn.Linear(FEATURES, 2)

    def forward(self, support: Tensor, query: Tensor) -> Tensor:
        """Return logits (B, Q, 2)."""
        examples = support.flatten(1, 2)
        right = torch.eye(2, device=examples.device, dtype=examples.dtype).repeat_interleave(support.shape[2], dim=0)
        weight, bias = self.linear.weight.expand(len(examples), -1, -1), self.linear.bias.expand(len(examples), -1)
        for _ in range(self.steps):
            error = (_logits(examples, weight, bias).softmax(dim=2) - right) / len(right)
            step = error.transpose(1, 2) @ examples, error.sum(dim=1)
            if not self.second_order:
                step = [part.detach() for part in step]
            weight, bias = weight - self.rate * step[0], bias - self.rate * step[1]
        return _logits(query, weight, bias)


def _logits(features: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Return (B, n, 2) of features (B, n, F), with separate weights for each episode."""
    return features @ weight.transpose(1, 2) + bias[:, None]
