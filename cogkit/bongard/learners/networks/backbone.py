"""The backbone of every learner: ResNet-15, from pictures to 128 features (Nie et al. 2020, appendix C)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.learning.context import products

WIDTHS = (32, 64, 128, 256, 512)
FEATURES = 128
_SLOPE = 0.1


class BatchNorm(nn.BatchNorm2d):
    """`nn.BatchNorm2d` without the count of batches, which is of no use here and too large for half precision."""

    def __init__(self, channels: int) -> None:
        super().__init__(channels)
        self.num_batches_tracked = None

    def _load_from_state_dict(self, state, prefix, metadata, *rest) -> None:
        super()._load_from_state_dict(state, prefix, metadata | {"version": self._version}, *rest)  # has no count


class Block(nn.Module):
    """Three 3×3 convolutions beside a 1×1 one, each with batch normalisation. Max pooling halves their sum."""

    def __init__(self, channels: int, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            _convolution(channels, width, 3), nn.LeakyReLU(_SLOPE, inplace=True),
            _convolution(width, width, 3), nn.LeakyReLU(_SLOPE, inplace=True),
            _convolution(width, width, 3),
        )  # fmt: skip
        self.shortcut = _convolution(channels, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Return (n, width, half, half)."""
        # the maximum first: LeakyReLU keeps the order of its inputs, and so works on a quarter of them
        return nn.functional.leaky_relu(nn.functional.max_pool2d(self.layers(x) + self.shortcut(x), 2), _SLOPE)


class ResNet15(nn.Module):
    """Five blocks, the mean over all places, and one linear layer.

    ``reduction`` is the divisor of every width (the paper's α); there are 8.10 million weights for 1. ``channels`` of a
    picture are 7 for stacked pictures.

    Examples
    --------
    >>> sum(weights.numel() for weights in ResNet15().parameters())
    8100032
    >>> ResNet15(reduction=16)(torch.zeros(3, 1, 64, 64)).shape
    torch.Size([3, 128])
    """

    features = FEATURES

    def __init__(self, reduction: int = 1, channels: int = 1) -> None:
        super().__init__()
        self.channels = channels
        widths = [width // reduction for width in WIDTHS]
        self.blocks = nn.Sequential(*[Block(before, width) for before, width in pairwise([channels, *widths])])
        self.out = nn.Linear(widths[-1], FEATURES)
        for part in self.modules():
            if isinstance(part, nn.Conv2d):
                nn.init.kaiming_normal_(part.weight, a=_SLOPE, mode="fan_out", nonlinearity="leaky_relu")
        self.to(memory_format=torch.channels_last)  # a quarter faster on a CPU

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the features of pictures: (n, channels, size, size) in -1 to 1, 1 for paper, → (n, 128)."""
        # `.contiguous` leaves the strides of a single channel as they are, and torch then takes a slower way
        return self.out(self.blocks(pictures.to(memory_format=torch.channels_last)).mean(dim=(2, 3)))


class Parted(nn.Module):
    """The features of a picture that is cut into windows: the sum over its shapes. Each is seen alone.

    Examples
    --------
    >>> Parted(ResNet15(reduction=16))(torch.ones(3, 2, 64, 64)).abs().max().item()  # no shape in any window
    0.0
    """

    features = FEATURES

    def __init__(self, whole: ResNet15) -> None:
        super().__init__()
        self.whole = whole

    def forward(self, windows: Tensor) -> Tensor:
        """Return the features of pictures as windows, (n, windows, size, size) → (n, 128). Even windows are spare."""
        n, flat = len(windows), windows.flatten(0, 1)
        low, high = flat.flatten(1).aminmax(dim=1)
        rows = (low < high).nonzero().squeeze(1)
        if not len(rows):
            return windows.new_zeros(n, FEATURES)
        features = self.whole(flat[rows, None])
        return features.new_zeros(n, FEATURES).index_add(0, rows // windows.shape[1], features)


def _convolution(channels: int, width: int, size: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(channels, width, size, padding=size // 2, bias=False), BatchNorm(width))


def pixels(images: np.ndarray, device: str = "cpu", parted: bool = False) -> Tensor:
    """Return pictures (..., size, size) uint8 as input of a backbone: (..., 1, size, size) in -1 to 1, 1 for paper.

    Windows of pictures, (..., 2, size, size) if they are ``parted``, stand where the channel of a picture does.

    Examples
    --------
    >>> pixels(np.array([[[255, 0]]], np.uint8)).tolist()
    [[[[1.0, -1.0]]]]
    """
    copy = np.require(images, requirements=("C", "W"))  # torch does not take a read-only memory map
    tensor = torch.from_numpy(copy).to(device)
    return (tensor if parted else tensor[..., None, :, :]).float() / 127.5 - 1


def features(network: nn.Module, pictures: Tensor, half: bool) -> Tensor:
    """Return the output of a network in single precision. It computes in half precision where it may."""
    with products(half):
        return network(pictures).float()
