"""Momentum contrast (He et al. 2020): an encoder, a slow encoder that follows it, and a queue of slow codes."""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn
from torch.nn import functional

from cogkit.bongard.learners.networks.backbone import features


def views(pictures: Tensor, draws: Tensor, jitter: float) -> Tensor:
    """Return one view of each picture: perhaps mirrored, with brightness and contrast changed in either order.

    This is the augmentation of the first version of MoCo without cropping. Hue, saturation and greying change nothing
    in one channel. ``pictures`` (n, 1, size, size) are in -1 to 1. ``draws`` (n, 4) are uniform in 0 to 1: whether to
    mirror, whether brightness comes first, the brightness, the contrast; their factors are 1 ± ``jitter``.

    Examples
    --------
    >>> picture = torch.tensor([[[[1.0, -1.0]]]])
    >>> views(picture, torch.tensor([[0.9, 0.0, 0.0, 0.5]]), jitter=0.5).flatten().tolist()
    [0.0, -1.0]
    """
    flips, brighter_first = (draws[:, k, None, None, None] < 0.5 for k in range(2))
    bright, contrast = (1 + jitter * (2 * draws[:, k, None, None, None] - 1) for k in (2, 3))
    images = pictures.flip(-1).where(flips, pictures) / 2 + 0.5
    images = _contrast(_bright(images, bright), contrast).where(
        brighter_first, _bright(_contrast(images, contrast), bright)
    )
    return 2 * images - 1


def _bright(pictures: Tensor, factor: Tensor) -> Tensor:
    return (pictures * factor).clamp(0, 1)


def _contrast(pictures: Tensor, factor: Tensor) -> Tensor:
    mean = pictures.mean(dim=(1, 2, 3), keepdim=True)
    return (mean + (pictures - mean) * factor).clamp(0, 1)


def info_nce(queries: Tensor, keys: Tensor, others: Tensor, temperature: float) -> Tensor:
    """Return the mean loss in nats that a query belongs to its key and not to one of the others.

    ``queries`` and ``keys`` (n, width) and ``others`` (k, width) have length 1. ``temperature`` divides the cosines.
    """
    matches = (queries * keys).sum(dim=1, keepdim=True)
    cosines = torch.cat([matches, queries @ others.T], dim=1)
    targets = torch.zeros(len(queries), dtype=torch.long, device=matches.device)
    return functional.cross_entropy(cosines / temperature, targets)


class Contrast(nn.Module):
    """The trained encoder, the slow encoder, and the queue. Codes are the features themselves, without layers on top.

    The original shuffles a batch over its devices, because the batch statistics of a device could reveal which key
    belongs to which query. On one device the statistics are those of the whole batch, so there is nothing to shuffle.
    ``encoder`` is (n, 1, size, size) → (n, width); the slow encoder begins as a copy of it. ``width`` is numbers in a
    code, ``queue`` the codes in the queue, ``half`` whether the encoders may compute in half precision.
    """

    def __init__(self, encoder: nn.Module, width: int, queue: int, half: bool = False) -> None:
        super().__init__()
        self.may_halve = half
        self.backbone, self.slow = encoder, copy.deepcopy(encoder).requires_grad_(False)
        self.register_buffer("queue", functional.normalize(torch.randn(queue, width), dim=1))
        self.register_buffer("next", torch.zeros((), dtype=torch.long))

    def codes(self, first: Tensor, second: Tensor) -> tuple[Tensor, Tensor]:
        """Return the codes of two views: those of the encoder with their graph, and those of the slow encoder."""
        with torch.no_grad():
            keys = functional.normalize(features(self.slow, second, self.may_halve), dim=1)
        return functional.normalize(features(self.backbone, first, self.may_halve), dim=1), keys

    @torch.no_grad()
    def follow(self, momentum: float) -> None:
        """Move the weights of the slow encoder a little towards those of the encoder."""
        for follower, leader in zip(self.slow.parameters(), self.backbone.parameters(), strict=True):
            follower.lerp_(leader, 1 - momentum)

    @torch.no_grad()
    def enqueue(self, keys: Tensor) -> None:
        """Put the keys into the queue in place of the oldest keys."""
        at = (self.next + torch.arange(len(keys), device=keys.device)) % len(self.queue)
        self.queue[at] = keys
        self.next.copy_((self.next + len(keys)) % len(self.queue))
