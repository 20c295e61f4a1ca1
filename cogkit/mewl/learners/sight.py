"""Eyes that are taught the true things in pictures, once for each seed, and what they tell of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.core import presets
from cogkit.core.contracts import InputError
from cogkit.core.cost import Spent
from cogkit.data import results
from cogkit.learning import Fit, inference, lifecycle
from cogkit.learning.context import device
from cogkit.learning.lifecycle import Lifecycle
from cogkit.learning.supervised import course_fit, curve_rows
from cogkit.mewl.learners import agents
from cogkit.mewl.learners.agents import SightConfig
from cogkit.mewl.learners.networks.sight import Spotter
from cogkit.mewl.problems import making, observations, slots
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.problems.pictures import pictures_of
from cogkit.mewl.world.things import VALUES
from cogkit.stats import wilson

CELL = "mewl/sight"
_AT_ONCE = 64  # pictures in a batch, outside of training
_NEAR = 0.1  # a true thing and a thing told of are the same if their places are nearer; -1 and 1 are the edges
_DEGREES = 5  # a direction that is told is right if it misses the true one by less
_END = slots.PLACE + 3


def build(config: SightConfig) -> Spotter:
    """Return a new network from a config.

    Examples
    --------
    >>> build(agents.SIGHT.config("quick")).eval()(torch.zeros(1, 48, 64, 3, dtype=torch.uint8)).shape
    torch.Size([1, 6, 22])
    """
    return Spotter(config.pixels, config.channels)


def sight_fit(
    config: SightConfig, seed: int, shown: Tensor, things: Tensor, validation: tuple[Tensor, Tensor] | None = None,
    **options,
) -> Fit:  # fmt: skip
    """Return the training run of eyes on pictures and their true slots; ``options`` go to `learning.Fit`.

    A step is one batch of pictures. Metrics: ``loss`` in nats for each thing, its parts ``finding`` and ``telling``,
    and at every evaluation ``validation``, the share of pictures of which all is told rightly.

    Parameters
    ----------
    shown : (n, height, width, 3) Tensor of uint8
    things : (n, 6, 22) Tensor
        As `slots.of` gives them.
    validation : tuple of the same two, optional
        Used to choose the best weights; without them, the last weights are used.
    """
    if shown.ndim != 4 or shown.shape[2] != config.pixels:
        raise InputError(f"pictures of shape {tuple(shown.shape)}", f"(n, height, {config.pixels}, 3)")
    place = device()

    def loss(network: Spotter, rows: np.ndarray, rng: np.random.Generator) -> tuple[Tensor, dict[str, float]]:
        parts = network.losses(shown[rows].to(place), things[rows].to(place), rng)
        return parts.finding + parts.telling, {name: part.item() for name, part in parts._asdict().items()}

    def validate(network: nn.Module, held_out: tuple[Tensor, Tensor]) -> dict[str, float]:
        return {"validation": right(told(network, held_out[0]), held_out[1])["picture"].mean()}

    every: dict[str, Any] = {"log_every": max(1, config.steps // config.looks)}
    options = every | options
    return course_fit(config, seed, len(shown), lambda: build(config).to(place), loss, validate, validation, **options)


def told(network: nn.Module, pictures: Tensor) -> Tensor:
    """Return the slots that eyes tell of pictures (..., h, w, 3) uint8: (..., 6, 22), in batches."""
    place = next(network.parameters()).device
    with inference(network):
        parts = [network(part.to(place)).cpu() for part in pictures.flatten(0, -4).split(_AT_ONCE)]
    return torch.cat(parts).view(*pictures.shape[:-3], slots.SLOTS, slots.NUMBERS)


def right(told: Tensor, things: Tensor) -> dict[str, np.ndarray]:
    """Return what is rightly told of pictures, given their true slots: for each name, an array of bool.

    For each attribute, and for ``place``, there is an entry for each true thing; ``place`` is right if something is
    told of near it, and of a thing that is missed all is wrong. ``direction`` has an entry for each hand, ``count`` and
    ``picture`` have one for each picture. ``picture`` means that all is right.

    Parameters
    ----------
    told, things : (n, 6, 22) Tensor

    Examples
    --------
    >>> from cogkit.mewl.world.scenes import Scene
    >>> from cogkit.mewl.world.things import EVERY
    >>> true = torch.from_numpy(slots.of([Scene(EVERY[:2], ((0.0, 0.0), (2.0, 0.0)), (0.0, 0.0))]))
    >>> found = right(true[:, [1, 2, 0, 3, 4, 5]], true)
    >>> {name: share.tolist() for name, share in found.items() if name in ("shape", "count")}
    {'shape': [True, True], 'count': [True]}
    """
    seen, mask = told.any(dim=2), things.any(dim=2)
    at = slice(slots.PLACE, slots.PLACE + 2)
    apart = torch.cdist(things[..., at], told[..., at]).masked_fill(~seen[:, None], torch.inf)
    apart = apart.masked_fill(things[:, :, None, _END] != told[:, None, :, _END], torch.inf)
    nearest, which = apart.min(dim=2)
    near = nearest < _NEAR
    met = told.gather(1, which[..., None].expand_as(things))
    hands = mask & (things[..., _END] > 0)
    ways = ((met * things)[..., _END + 1 :].sum(dim=2)).clamp(-1, 1).acos().rad2deg() < _DEGREES
    found = {"count": seen.sum(dim=1) == mask.sum(dim=1)}
    whole, bounds = found["count"] & (near | ~mask).all(dim=1) & (near & ways | ~hands).all(dim=1), 0
    answers = {"place": near[mask], "direction": (near & ways)[hands]}
    for name, values in VALUES.items():
        part = slice(bounds, bounds := bounds + len(values))
        same = near & (met[..., part] == things[..., part]).all(dim=2)
        answers[name] = same[mask & ~hands]
        whole = whole & (same | ~mask).all(dim=1)
    return {name: value.numpy() for name, value in (answers | found | {"picture": whole}).items()}


class Eyes(lifecycle.Agent):
    """Taught eyes. They are no learner of words, but have weights, a log and result rows like one."""

    name, inputs, supervision = "taught eyes", "pixels", "attributes"

    def told(self, pictures: Tensor) -> Tensor:
        """Return the slots of pictures (..., h, w, 3) uint8: (..., 6, 22)."""
        return told(self.network, pictures)


def train(config: SightConfig, seed: int, profile: str = "verified", **options) -> Fit:
    """Return the training run of eyes on pictures of `agents.SEEN_FIRST`; ``options`` go to `learning.Fit`."""
    parts = {"train": config.episodes, "val": config.validated}
    taught, held_out = (_seen(config, agents.SEEN_FIRST, part, n, profile) for part, n in parts.items())
    return sight_fit(config, seed, *taught, held_out, **options)


def _seen(config: SightConfig, tasks: Sequence[str], part: str, n: int, profile: str) -> tuple[Tensor, Tensor]:
    """Return the pictures of the first ``n`` episodes of tasks, and their true slots."""
    episodes = list(chain.from_iterable(making.episodes_of(task, part, n, profile) for task in tasks))
    things = slots.of([scene for episode in episodes for scene in episode.trial.scenes])
    return torch.from_numpy(pictures_of(episodes, config.pixels, jobs=None)).flatten(0, 1), torch.from_numpy(things)


def assess(agent: Eyes, profile: str, seed: int) -> list[dict]:
    """Return the result rows of eyes on test pictures of all tasks: shares of what they tell rightly, as in `right`."""
    pictures, things = _seen(agent.config, TASKS, "test", agent.config.tested, profile)
    rows = []
    for name, values in right(agent.told(pictures), things).items():
        low, high = wilson(values.sum(), len(values))
        rows.append({
            "task": f"telling/{name}", "kind": agent.kind, "who": agent.name, "inputs": agent.inputs,
            "metric": "accuracy", "value": values.mean(), "low": low, "high": high, "interval": "95% Wilson",
            "n": len(values), "source": "cogkit", "supervision": agent.supervision,
        })  # fmt: skip
    return rows


def curve(agent: Eyes) -> list[dict]:
    """Return result rows of the training log: the share of validation pictures of which all is told rightly."""
    pictures = agent.config.validated * len(agents.SEEN_FIRST) * observations.PICTURES
    return curve_rows(agent.log, agent, "val/telling/picture", pictures)


LIFE = Lifecycle(
    "taught eyes of MEWL", results.shipped_folder("mewl"), "{config.agent}-{preset}-s{seed}", {"sight": agents.SIGHT},
    lambda name, preset, **changes: agents.SIGHT.config(preset, **changes), build, Eyes, train, assess, curve,
)  # fmt: skip


@lru_cache(maxsize=4)
def eyes_of(config: SightConfig, seed: int) -> Eyes:
    """Return the eyes of a config and seed: those that are shipped, else those kept in ``COGKIT_HOME``, else new ones.

    New ones are taught now, on episodes of the profile ``verified``, and kept.

    Raises
    ------
    InputError
        The file in ``COGKIT_HOME`` is broken, or holds no eyes of this config and seed.
    """
    for preset in presets.PRESETS:
        if config == agents.SIGHT.config(preset) and (shipped := LIFE.shipped("sight", preset, seed)):
            return shipped
    path = LIFE.checkpoint(config, seed)
    if not path.exists():
        with Spent() as spent:
            taught = LIFE.learn(config, "verified", seed)
        LIFE.save(taught, path, results.manifest(CELL, config, "verified", "", seed, spent.seconds))
    agent = LIFE.read(path)
    if (agent.config, agent.seed) != (config, seed):
        raise InputError(f"{path} with eyes of another config or seed", f"those of {path.stem}", "delete it")
    return agent
