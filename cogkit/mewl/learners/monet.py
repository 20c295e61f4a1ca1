"""MONet trained in place on pictures that nobody has named, and what it makes of others: slots, masks, paintings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.core.contracts import InputError
from cogkit.learning import Fit, inference
from cogkit.learning.supervised import Course, Epochs, course_fit
from cogkit.mewl.learners.agents import MonetConfig
from cogkit.mewl.learners.networks.monet import Apart, Monet

_AT_ONCE = 32  # pictures or episodes, where nothing is learned


def build(config: MonetConfig) -> Monet:
    """Return a fresh network of a config.

    Examples
    --------
    >>> from cogkit.mewl.learners import agents
    >>> build(agents.MONET.config("quick")).told(torch.zeros(1, 24, 32, 3, dtype=torch.uint8)).shape
    torch.Size([1, 7, 16])
    """
    return Monet(
        config.size, config.slots, config.latent, config.channels, config.levels, config.background, config.foreground
    )


def monet_fit(
    config: MonetConfig, seed: int, images: np.ndarray, validation: np.ndarray | None = None, **options
) -> Fit:
    """Return the training run of a MONet on pictures; ``options`` go to `learning.Fit`.

    A step is one batch. Metrics, in nats a picture: ``loss``; of it ``surprise``, that of the pixels given what the
    slots paint, ``divergence``, that of codes from a standard normal distribution, and ``mismatch``, that of masks from
    those that codes tell, before they are weighed; at every look ``validation``, the loss of other pictures.

    Parameters
    ----------
    config : MonetConfig
    seed : int
    images : (n, height, width, 3) uint8
        Of any size; they are pressed into squares.
    validation : (m, height, width, 3) uint8, optional
        What the best weights are chosen on; without them the last count.

    Examples
    --------
    >>> from cogkit.learning import run
    >>> from cogkit.mewl.learners import agents
    >>> images = np.random.default_rng(0).integers(0, 256, (4, 24, 32, 3), np.uint8)
    >>> list(run(monet_fit(agents.MONET.config("quick", steps=1, batch=2), 0, images)).log)
    ['step', 'loss', 'surprise', 'divergence', 'mismatch']
    """
    for each in (images, validation):
        if each is not None:
            _check(each)
    place = "cuda" if torch.cuda.is_available() else "cpu"
    order = Epochs(seed, len(images), config.batch)

    def weighed(apart: Apart) -> Tensor:
        return (apart.surprise + config.beta * apart.divergence + config.gamma * apart.mismatch).mean()

    def loss(network: nn.Module, step: int, _) -> tuple[Tensor, dict[str, float]]:
        apart = network(torch.from_numpy(images[order.rows(step)]).to(place))
        return weighed(apart), {name: getattr(apart, name).mean().item() for name in _COSTS}

    def validate(network: nn.Module) -> dict[str, float]:
        parts = _parts(validation, place)
        return {"validation": sum(weighed(network(part)).item() * len(part) for part in parts) / len(validation)}

    course = Course(
        len(images), lambda: build(config).to(place), loss, None if validation is None else validate,
        lambda told: -told["validation"],
    )  # fmt: skip
    return course_fit(config, seed, course, **({"log_every": max(1, config.steps // config.looks)} | options))


class Parts(NamedTuple):
    """Pictures as a network takes them apart.

    Attributes
    ----------
    shown : (n, size, size, 3) float32
        As it sees them, from 0 to 1.
    masks : (n, slots, size, size) float32
        How far each slot answers for a pixel; 1 over all.
    painted : (n, slots, size, size, 3) float32
        What each paints there.
    """

    shown: np.ndarray
    masks: np.ndarray
    painted: np.ndarray

    @property
    def together(self) -> np.ndarray:
        """The pictures put together again, (n, size, size, 3)."""
        return (self.masks[..., None] * self.painted).sum(axis=1)


def parts_of(network: Monet, images: np.ndarray) -> Parts:
    """Return pictures (n, height, width, 3) uint8 taken apart, to be looked at."""
    _check(images)
    found = []
    with inference(network):
        for part in _parts(images, _place(network)):
            apart = network(part)
            found.append((network.pixels(part), apart.masks.exp(), apart.painted))
    shown, masks, painted = (torch.cat(each).cpu().numpy() for each in zip(*found, strict=True))
    return Parts(np.moveaxis(shown, 1, -1), masks, np.moveaxis(painted, 2, -1))


_COSTS = ("surprise", "divergence", "mismatch")


def _place(network: nn.Module) -> torch.device:
    return next(network.parameters()).device


def _parts(images: np.ndarray, place) -> Iterator[Tensor]:
    return (torch.from_numpy(images[at : at + _AT_ONCE]).to(place) for at in range(0, len(images), _AT_ONCE))


def _check(images: np.ndarray) -> None:
    """Raise InputError where pictures are none."""
    if images.dtype != np.uint8 or images.ndim != 4 or images.shape[-1] != 3 or 0 in images.shape:
        raise InputError(f"pictures of shape {images.shape} and type {images.dtype}", "(n, height, width, 3) of uint8")
