"""Where networks compute and in what, and pictures as they take them."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn


def device(half: bool) -> str:
    """Return where a network computes: a GPU for one that may use half precision, where there is one."""
    return "cuda" if half and torch.cuda.is_available() else "cpu"


def precision(half: bool) -> torch.dtype:
    """Return in what products are computed: bfloat16 where it is asked for and the machine has it."""
    if not half:
        return torch.float32
    able = torch.cuda.is_bf16_supported() if torch.cuda.is_available() else torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return torch.bfloat16 if able else torch.float32


def pixels(images: np.ndarray, place: str = "cpu") -> Tensor:
    """Return pictures (..., size, size) uint8 as a backbone takes them: (..., 1, size, size) in -1 to 1, 1 for paper.

    Examples
    --------
    >>> pixels(np.array([[[255, 0]]], np.uint8)).tolist()
    [[[[1.0, -1.0]]]]
    """
    copy = np.require(images, requirements=("C", "W"))  # torch takes no part of a memory map that is read alone
    return torch.from_numpy(copy).to(place)[..., None, :, :].float() / 127.5 - 1


def features(network: nn.Module, pictures: Tensor, half: bool) -> Tensor:
    """Return what a network makes of pictures, in single precision; it computes in half of it where it may."""
    dtype = precision(half)
    with torch.autocast(pictures.device.type, dtype, enabled=dtype != torch.float32):
        return network(pictures).float()
