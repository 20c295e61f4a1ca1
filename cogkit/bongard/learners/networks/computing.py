"""Conversion of pictures to the input of networks, and their features."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.learning.context import products


def pixels(images: np.ndarray, place: str = "cpu") -> Tensor:
    """Return pictures (..., size, size) uint8 as input of a backbone: (..., 1, size, size) in -1 to 1, 1 for paper.

    Examples
    --------
    >>> pixels(np.array([[[255, 0]]], np.uint8)).tolist()
    [[[[1.0, -1.0]]]]
    """
    copy = np.require(images, requirements=("C", "W"))  # torch does not take a read-only memory map
    return torch.from_numpy(copy).to(place)[..., None, :, :].float() / 127.5 - 1


def features(network: nn.Module, pictures: Tensor, half: bool) -> Tensor:
    """Return the output of a network in single precision. It computes in half precision where it may."""
    with products(half):
        return network(pictures).float()
