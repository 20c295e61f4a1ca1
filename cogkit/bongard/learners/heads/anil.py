"""ANIL: a linear layer that takes a step of its own on every episode (Raghu et al. 2020)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from cogkit.bongard.learners.heads.head import Head
from cogkit.bongard.learners.networks.backbone import FEATURES


class ANIL(Head):
    """Two logits of a linear layer whose weights first descend the loss of the episode's own support.

    The gradient of a linear layer is written out, so every episode of a batch takes steps of its own, at any time.

    Parameters
    ----------
    inner_steps : int
        Of descent.
    rate : float
        Their size.
    second_order : bool
        Whether what is learnt reaches through the steps; else they count as constants, as published.
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
    """Return (B, n, 2) of features (B, n, F), each episode by its own weights."""
    return features @ weight.transpose(1, 2) + bias[:, None]
