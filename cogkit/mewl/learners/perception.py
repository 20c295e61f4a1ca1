"""Eyes and readers that are taught true things, once for each seed, and what they tell: the life of both kinds."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.data import results
from cogkit.learning import Fit, inference, lifecycle
from cogkit.learning.context import default_device
from cogkit.learning.lifecycle import Lifecycle
from cogkit.learning.supervised import curve_rows, fit_supervised, telling_rows
from cogkit.mewl.learners import agents, caption_perception, picture_perception
from cogkit.mewl.learners.agents import ReadingConfig, SightConfig
from cogkit.mewl.learners.networks.reader import Reader
from cogkit.mewl.learners.networks.spotter import Spotter
from cogkit.mewl.problems import making, observations
from cogkit.mewl.problems.episodes import TASKS

_AT_ONCE = 64  # pictures or captions in a batch, outside of training
_NAMES = {"sight": "taught eyes", "reading": "taught reader"}
_INPUTS = {"sight": "pixels", "reading": "captions"}
_TAUGHT_ON = {"sight": agents.SEEN_FIRST, "reading": agents.READ_FIRST}
_OWN: dict[str, ModuleType] = {
    "sight": picture_perception,
    "reading": caption_perception,
}  # what the two do in their own ways

Config = SightConfig | ReadingConfig
Network = Spotter | Reader


def build(config: Config) -> Network:
    """Return a new network from a config."""
    return _OWN[config.agent].build(config)


def fit(
    config: Config, seed: int, inputs: Tensor, things: Tensor, validation: tuple[Tensor, Tensor] | None = None,
    **options,
) -> Fit:  # fmt: skip
    """Return the training run of eyes on what is shown and on true things; ``options`` go to `learning.Fit`.

    A step is one batch of pictures or captions. Metrics: ``loss`` in nats for each thing, its two parts, and at every
    evaluation ``validation``, the share of pictures or captions of which all is told rightly. ``inputs`` and ``things``
    are the ``lessons`` of `sight` or `reading`. Without ``validation``, the last weights are used.
    """
    own, device = _OWN[config.agent], default_device()

    def loss_fn(network: Network, rows: np.ndarray, rng: np.random.Generator) -> tuple[Tensor, dict[str, float]]:
        parts = network.losses(inputs[rows].to(device), things[rows].to(device), rng)
        return sum(parts, torch.zeros((), device=device)), {name: part.item() for name, part in parts._asdict().items()}

    def validate(network: nn.Module, held_out: tuple[Tensor, Tensor]) -> dict[str, float]:
        return {"validation": own.right(held_out[0], extract(network, held_out[0]), held_out[1])["picture"].mean()}

    return fit_supervised(
        config, seed, len(inputs), lambda: build(config).to(device), loss_fn, validate, validation, **options
    )


def extract(network: nn.Module, inputs: Tensor) -> Tensor:
    """Return the slots that eyes tell of pictures (..., h, w, 3) uint8, or of captions (..., L) int64, in batches."""
    device = next(network.parameters()).device
    ends = -3 if inputs.dtype == torch.uint8 else -1
    with inference(network):
        parts = [network(part.to(device)).cpu() for part in inputs.flatten(0, ends - 1).split(_AT_ONCE)]
    return torch.cat(parts).unflatten(0, inputs.shape[:ends])


class Eyes(lifecycle.Agent):
    """Taught eyes, or a reader. They learn no new words, but have weights, a log and result rows like who does."""

    supervision = "attributes"

    def __init__(self, network: nn.Module, config: Config) -> None:
        super().__init__(network, config)
        self.name, self.inputs = _NAMES[config.agent], _INPUTS[config.agent]

    def extract(self, inputs: Tensor) -> Tensor:
        """Return the slots of pictures (..., h, w, 3) uint8, or of captions (..., L) int64, as `extract` does."""
        return extract(self.network, inputs)


def train(config: Config, seed: int, profile: str = "verified", **options) -> Fit:
    """Return the training run of eyes on the tasks from which they learn; ``options`` go to `learning.Fit`."""
    parts = {"train": config.episodes, "val": config.validated}
    taught, held_out = (_lessons(config, _TAUGHT_ON[config.agent], part, n, profile) for part, n in parts.items())
    return fit(config, seed, *taught, held_out, **options)


def _lessons(config: Config, tasks: tuple[str, ...], part: str, n: int, profile: str) -> tuple[Tensor, Tensor]:
    """Return the lessons of the first ``n`` episodes of tasks."""
    return _OWN[config.agent].lessons(config, making.episodes_of_all(tasks, part, n, profile))


def assess(agent: Eyes, profile: str, seed: int) -> list[dict]:
    """Return the result rows of eyes on tests of all tasks: shares of what they tell rightly."""
    inputs, things = _lessons(agent.config, TASKS, "test", agent.config.tested, profile)
    right = _OWN[agent.config.agent].right(inputs, agent.extract(inputs), things)
    return telling_rows(right, agent.name, agent.inputs)


def curve(agent: Eyes) -> list[dict]:
    """Return result rows of the training log: the share of validation pictures of which all is told rightly."""
    count = agent.config.validated * len(_TAUGHT_ON[agent.config.agent]) * observations.PICTURES
    return curve_rows(agent.log, agent, "val/telling/picture", count)


REGISTRY = Lifecycle(
    "taught eyes of MEWL", results.shipped_folder("mewl"), "{config.agent}-{preset}-s{seed}", agents.EYES,
    lambda name, preset, **changes: agents.EYES[name].config(preset, **changes), build, Eyes, train, assess, curve,
)  # fmt: skip


@lru_cache(maxsize=4)
def eyes_of(config: Config, seed: int) -> Eyes:
    """Return the eyes of a config and seed, taught on episodes of the profile ``verified``; see `Lifecycle.ready`."""
    return REGISTRY.ready(f"mewl/{config.agent}", config, seed)
