"""Momentum contrast (He et al. 2020): an encoder, a slow one that follows it, and a queue of the slow one's codes."""

from __future__ import annotations

import copy

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from cogkit.bongard.learners.networks.computing import features

DRAWS = 4  # numbers that a view is made by


def views(pictures: Tensor, draws: Tensor, jitter: float) -> Tensor:
    """Return one view of each picture: mirrored or not, brightness and contrast changed in either order.

    The augmentation of MoCo's first version without cropping; hue, saturation and greying do nothing to one channel.

    Parameters
    ----------
    pictures : (n, 1, size, size)
        In -1 to 1.
    draws : (n, 4)
        Uniform in 0 to 1: whether mirrored, which of the two is first, how bright, how much contrast.
    jitter : float
        Factors are 1 ± this.

    Examples
    --------
    >>> picture = torch.tensor([[[[1.0, -1.0]]]])
    >>> views(picture, torch.tensor([[0.9, 0.0, 0.0, 0.5]]), jitter=0.5).flatten().tolist()
    [0.0, -1.0]
    """
    flipped, brighter_first = (draws[:, k, None, None, None] < 0.5 for k in range(2))
    bright, contrast = (1 + jitter * (2 * draws[:, k, None, None, None] - 1) for k in (2, 3))
    images = pictures.flip(-1).where(flipped, pictures) / 2 + 0.5
    images = _contrast(_bright(images, bright), contrast).where(
        brighter_first, _bright(_contrast(images, contrast), bright)
    )
    return 2 * images - 1


def draws(rng: np.random.Generator, n: int, place: str) -> Tensor:
    """Return what `views` of n pictures are made by."""
    return torch.from_numpy(rng.random((n, DRAWS), dtype=np.float32)).to(place)


def _bright(pictures: Tensor, factor: Tensor) -> Tensor:
    return (pictures * factor).clamp(0, 1)


def _contrast(pictures: Tensor, factor: Tensor) -> Tensor:
    mean = pictures.mean(dim=(1, 2, 3), keepdim=True)
    return (mean + (pictures - mean) * factor).clamp(0, 1)


def info_nce(queries: Tensor, keys: Tensor, others: Tensor, temperature: float) -> Tensor:
    """Return the mean surprise in nats that a query's own key, and none of the others, belongs to it.

    Parameters
    ----------
    queries, keys : (n, width)
        Of length 1.
    others : (k, width)
        Of length 1.
    temperature : float
        Cosines are divided by it.
    """
    matches = (queries * keys).sum(dim=1, keepdim=True)
    cosines = torch.cat([matches, queries @ others.T], dim=1)
    return functional.cross_entropy(
        cosines / temperature, torch.zeros(len(queries), dtype=torch.long, device=matches.device)
    )


class Contrast(nn.Module):
    """The encoder to be trained, the slow one, and the queue; codes are the features themselves, no layers on top.

    The original shuffles a batch over its devices, lest the statistics of a small part give away which key is whose. On
    one device they are those of the whole batch, whatever its order: there is nothing to shuffle.

    Parameters
    ----------
    encoder : nn.Module
        (n, 1, size, size) → (n, width); the slow one begins as a copy of it.
    width, queue : int
        Numbers a code, and codes kept.
    half : bool
        Whether the encoders may compute in half precision.
    """

    def __init__(self, encoder: nn.Module, width: int, queue: int, half: bool = False) -> None:
        super().__init__()
        self.may_halve = half
        self.backbone, self.slow = encoder, copy.deepcopy(encoder).requires_grad_(False)
        self.register_buffer("queue", functional.normalize(torch.randn(queue, width), dim=1))
        self.register_buffer("next", torch.zeros((), dtype=torch.long))

    def codes(self, first: Tensor, second: Tensor) -> tuple[Tensor, Tensor]:
        """Return the codes of two views: the encoder's with its graph, and the slow one's."""
        with torch.no_grad():
            keys = functional.normalize(features(self.slow, second, self.may_halve), dim=1)
        return functional.normalize(features(self.backbone, first, self.may_halve), dim=1), keys

    @torch.no_grad()
    def follow(self, momentum: float) -> None:
        """Return None; the slow encoder has gone some of the way to the other."""
        for slow, trained in zip(self.slow.parameters(), self.backbone.parameters(), strict=True):
            slow.lerp_(trained, 1 - momentum)

    @torch.no_grad()
    def enqueue(self, keys: Tensor) -> None:
        """Return None; the keys stand in the queue in place of the oldest ones."""
        at = (self.next + torch.arange(len(keys), device=keys.device)) % len(self.queue)
        self.queue[at] = keys
        self.next.copy_((self.next + len(keys)) % len(self.queue))
