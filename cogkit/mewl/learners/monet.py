"""A MONet as eyes: its training on pictures without names, and its codes for pictures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.data import results
from cogkit.learning import Fit, inference, lifecycle, one_thread
from cogkit.learning.context import default_device
from cogkit.learning.lifecycle import Lifecycle
from cogkit.learning.supervised import fit_supervised, telling_rows
from cogkit.mewl.learners import agents, picture_perception
from cogkit.mewl.learners.agents import MonetConfig
from cogkit.mewl.learners.networks.monet import Apart, Monet
from cogkit.mewl.problems import making, slots
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.problems.tasks import NAMED

_AT_ONCE = 32  # pictures in a batch, outside of training
_PENALTY = 0.3  # inverse strength of the penalty of a probe


def build(config: MonetConfig) -> Monet:
    """Return a new network from a config.

    Examples
    --------
    >>> from cogkit.mewl.learners import agents
    >>> build(agents.MONET.config("quick")).extract(torch.zeros(1, 24, 32, 3, dtype=torch.uint8)).shape
    torch.Size([1, 7, 16])
    """
    size = config.size, config.slots, config.latent, config.channels, config.levels
    return Monet(*size, config.background, config.foreground)


def monet_fit(
    config: MonetConfig, seed: int, images: np.ndarray, validation: np.ndarray | None = None, **options
) -> Fit:
    """Return the training run of a MONet on pictures; ``options`` go to `learning.Fit`.

    A step is one batch. Metrics are in nats per picture. ``loss`` is the weighted sum of three terms: ``surprise`` of
    the pixels, given the paintings of the slots; ``divergence`` of the codes from a standard normal distribution; and
    ``mismatch`` of the masks with the decoder's masks. The three terms are logged without their weights. At every
    evaluation, ``validation`` is the loss of validation pictures. Pictures (n, height, width, 3) uint8 have any size;
    they are resized to squares. Without ``validation``, the last weights are used.

    Examples
    --------
    >>> from cogkit.learning import run
    >>> from cogkit.mewl.learners import agents
    >>> images = np.random.default_rng(0).integers(0, 256, (4, 24, 32, 3), np.uint8)
    >>> list(run(monet_fit(agents.MONET.config("quick", steps=1, batch=2), 0, images)).log)
    ['step', 'loss', 'surprise', 'divergence', 'mismatch']
    """
    device, costs = default_device(), ("surprise", "divergence", "mismatch")

    def weighed(apart: Apart) -> Tensor:
        return (apart.surprise + config.beta * apart.divergence + config.gamma * apart.mismatch).mean()

    def loss_fn(network: nn.Module, rows: np.ndarray, _) -> tuple[Tensor, dict[str, float]]:
        output = network(torch.from_numpy(images[rows]).to(device))
        return weighed(output), {name: getattr(output, name).mean().item() for name in costs}

    def validate(network: nn.Module, held_out: np.ndarray) -> dict[str, float]:
        parts = _parts(held_out, device)
        return {"validation": sum(weighed(network(part)).item() * len(part) for part in parts) / len(held_out)}

    return fit_supervised(
        config, seed, len(images), lambda: build(config).to(device), loss_fn, validate, validation, lowest="validation",
        **options,
    )  # fmt: skip


def _parts(images: np.ndarray, device) -> Iterator[Tensor]:
    return (torch.from_numpy(images[start : start + _AT_ONCE]).to(device) for start in range(0, len(images), _AT_ONCE))


class Eyes(lifecycle.Agent):
    """A MONet as eyes. It has seen pictures alone; the rows of its assessment are those of a probe."""

    name, inputs, supervision = "MONet, read by a linear probe", "pixels", "attributes"

    def extract(self, pictures: Tensor) -> Tensor:
        """Return the codes of pictures (..., h, w, 3) uint8: (..., S, latent)."""
        assert isinstance(self.network, Monet)
        with inference(self.network):
            return self.network.extract(pictures.to(next(self.network.parameters()).device)).cpu()


def train(config: MonetConfig, seed: int, profile: str = "verified", **options) -> Fit:
    """Return the training run of a MONet on pictures of all nine tasks; ``options`` go to `learning.Fit`."""
    numbers = {"train": config.episodes, "val": config.validated}
    parts = [
        picture_perception.lessons(config, making.episodes_of_all(TASKS, part, n, profile))[0]
        for part, n in numbers.items()
    ]
    return monet_fit(config, seed, *(pictures.numpy() for pictures in parts), **options)


def assess(agent: Eyes, profile: str, seed: int) -> list[dict]:
    """Return result rows: how often a linear probe reads each attribute from the codes of a picture with one thing.

    The probe is logistic regression, fitted to as many pictures of training episodes as there are test pictures.
    """
    from sklearn.linear_model import LogisticRegression  # brings 65 MB, which no other agent needs
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    config = agent.config
    sets = [making.episodes_of_all(NAMED, part, config.tested, profile) for part in ("train", "test")]
    parts = [picture_perception.lessons(config, episodes) for episodes in sets]
    (codes, things), (new_codes, new_things) = (
        (agent.extract(pictures).flatten(1).numpy(), things[:, 0].numpy()) for pictures, things in parts
    )
    right = {}
    for name, values in slots.ATTRIBUTES.items():
        probe = make_pipeline(StandardScaler(), LogisticRegression(C=_PENALTY, max_iter=1000))
        with one_thread():
            probe.fit(codes, things[:, values].argmax(axis=1))
            right[name] = probe.predict(new_codes) == new_things[:, values].argmax(axis=1)
    return telling_rows(right, agent.name, agent.inputs)


REGISTRY = Lifecycle(
    "a MONet of MEWL", results.shipped_folder("mewl"), "{config.agent}-{preset}-s{seed}", {"monet": agents.MONET},
    lambda name, preset, **changes: agents.MONET.config(preset, **changes), build, Eyes, train, assess,
)  # fmt: skip


@lru_cache(maxsize=4)
def eyes_of(config: MonetConfig, seed: int) -> Eyes:
    """Return the MONet of a config and seed, trained on episodes of the profile ``verified``; see `Lifecycle.ready`."""
    return REGISTRY.ready("mewl/monet", config, seed)
