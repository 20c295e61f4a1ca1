"""Where networks compute and in which precision, and the conversion of pictures to their input."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn


def device(half: bool) -> str:
    """Return the device of a network: a GPU, if the network may use half precision and there is one."""
    return "cuda" if half and torch.cuda.is_available() else "cpu"


def precision(half: bool) -> torch.dtype:
    """Return the precision of products: bfloat16, if it is asked for and the machine has it."""
    if not half:
        return torch.float32
    able = torch.cuda.is_bf16_supported() if torch.cuda.is_available() else torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return torch.bfloat16 if able else torch.float32


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
    dtype = precision(half)
    with torch.autocast(pictures.device.type, dtype, enabled=dtype != torch.float32):
        return network(pictures).float()
