"""Eyes that are taught the true things in pictures: their networks, their lessons, and what they tell rightly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from cogkit.mewl.learners.agents import MonetConfig, SightConfig
from cogkit.mewl.learners.networks.spotter import Spotter
from cogkit.mewl.problems import slots
from cogkit.mewl.problems.episodes import Episode
from cogkit.mewl.problems.pictures import pictures_of

_NEAR = 0.1  # a true thing and a thing told of are the same if their places are nearer; -1 and 1 are the edges
_DEGREES = 5  # a direction that is told is right if it misses the true one by less
_END = slots.PLACE + 3


def build(config: SightConfig) -> Spotter:
    """Return new eyes.

    Examples
    --------
    >>> from cogkit.mewl.learners import agents
    >>> build(agents.SIGHT.config("quick")).eval()(torch.zeros(1, 48, 64, 3, dtype=torch.uint8)).shape
    torch.Size([1, 6, 22])
    """
    return Spotter(config.pixels, config.channels)


def lessons(config: SightConfig | MonetConfig, episodes: Sequence[Episode]) -> tuple[Tensor, Tensor]:
    """Return the pictures (n, h, w, 3) uint8 of episodes, and their true slots (n, 6, 22)."""
    things = slots.of_episodes(episodes)
    return torch.from_numpy(pictures_of(episodes, config.pixels, jobs=None)).flatten(0, 1), torch.from_numpy(things)


def right(_: Tensor, predictions: Tensor, things: Tensor) -> dict[str, np.ndarray]:
    """Return what is rightly told of pictures, given their true slots: for each name, an array of bool.

    For each attribute, and for ``place``, there is an entry for each true thing; ``place`` is right if something is
    told of near it, and of a thing that is missed all is wrong. ``direction`` has an entry for each hand, ``count`` and
    ``picture`` have one for each picture. ``picture`` means that all is right. ``predictions`` and ``things`` are (n,
    6, 22); nothing else has to be known of the pictures.

    Examples
    --------
    >>> from cogkit.mewl.world.scenes import Scene
    >>> from cogkit.mewl.world.things import EVERY
    >>> true = torch.from_numpy(slots.of([Scene(EVERY[:2], ((0.0, 0.0), (2.0, 0.0)), (0.0, 0.0))]))
    >>> found = right(torch.empty(0), true[:, [1, 2, 0, 3, 4, 5]], true)
    >>> {name: share.tolist() for name, share in found.items() if name in ("shape", "count")}
    {'shape': [True, True], 'count': [True]}
    """
    seen, mask = predictions.any(dim=2), things.any(dim=2)
    at = slice(slots.PLACE, slots.PLACE + 2)
    apart = torch.cdist(things[..., at], predictions[..., at]).masked_fill(~seen[:, None], torch.inf)
    apart = apart.masked_fill(things[:, :, None, _END] != predictions[:, None, :, _END], torch.inf)
    nearest, which = apart.min(dim=2)
    near = nearest < _NEAR
    met = predictions.gather(1, which[..., None].expand_as(things))
    hands = mask & (things[..., _END] > 0)
    ways = ((met * things)[..., _END + 1 :].sum(dim=2)).clamp(-1, 1).acos().rad2deg() < _DEGREES
    matches = {"count": seen.sum(dim=1) == mask.sum(dim=1)}
    whole = matches["count"] & (near | ~mask).all(dim=1) & (near & ways | ~hands).all(dim=1)
    answers = {"place": near[mask], "direction": (near & ways)[hands]}
    for name, part in slots.ATTRIBUTES.items():
        same = near & (met[..., part] == things[..., part]).all(dim=2)
        answers[name] = same[mask & ~hands]
        whole = whole & (same | ~mask).all(dim=1)
    return {name: value.numpy() for name, value in (answers | matches | {"picture": whole}).items()}
