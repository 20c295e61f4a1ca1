"""How weights go down: the optimiser that a config names, and its learning rate from step to step."""

from __future__ import annotations

import math
from typing import Protocol

import torch
from torch import nn

_MOMENTUM = 0.9  # of SGD
_DROPS = (0.2, 0.4, 0.6)  # 20, 40 and 60 of 100 epochs
_RISE = 0.1


class Descent(Protocol):
    """What a config says of it; see `pretrained.BackboneConfig`."""

    steps: int
    optimiser: str
    learning_rate: float
    weight_decay: float
    schedule: str


def optimiser(config: Descent, network: nn.Module) -> torch.optim.Optimizer:
    """Return the optimiser of all weights of a network that are trained."""
    weights = [value for value in network.parameters() if value.requires_grad]
    # not fused: that walks through memory, where weights lie channels last, but their momentum from a checkpoint first
    settings = {"lr": config.learning_rate, "weight_decay": config.weight_decay}
    if config.optimiser == "sgd":
        return torch.optim.SGD(weights, momentum=_MOMENTUM, **settings)
    return torch.optim.AdamW(weights, **settings)


def learning_rate(config: Descent, step: int) -> float:
    """Return the learning rate of a step, counted from 0.

    Examples
    --------
    >>> from cogkit.bongard import pretrained
    >>> published = pretrained.config("moco", "paper", steps=100)
    >>> [round(learning_rate(published, step), 6) for step in (19, 20, 59, 60)]
    [0.03, 0.003, 0.0003, 3e-05]
    >>> cycle = pretrained.config("moco", "paper", steps=100, schedule="cycle", learning_rate=1.0)
    >>> [round(learning_rate(cycle, step), 2) for step in (0, 9, 54, 99)]
    [0.1, 1.0, 0.5, 0.0]
    """
    if config.schedule == "constant":
        return config.learning_rate
    if config.schedule == "tenths":
        return config.learning_rate * 0.1 ** sum(step >= drop * config.steps for drop in _DROPS)
    rise = max(1.0, _RISE * config.steps)
    if step < rise:
        return config.learning_rate * (step + 1) / rise
    return config.learning_rate * (1 + math.cos(math.pi * (step + 1 - rise) / (config.steps - rise))) / 2
