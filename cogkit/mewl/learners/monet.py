"""A MONet as eyes: its training on pictures without names, and its codes for pictures."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.learning import Fit, one_thread
from cogkit.learning.context import default_device
from cogkit.learning.supervised import fit_supervised
from cogkit.mewl.learners.agents import MonetConfig
from cogkit.mewl.learners.networks.monet import Apart, Monet
from cogkit.mewl.problems import slots

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


def fit(config: MonetConfig, seed: int, images: np.ndarray, validation: np.ndarray | None = None, **options) -> Fit:
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
    >>> list(run(fit(agents.MONET.config("quick", steps=1, batch=2), 0, images)).log)
    ['step', 'loss', 'surprise', 'divergence', 'mismatch']
    """
    device, costs = default_device(), ("surprise", "divergence", "mismatch")

    def weighed(apart: Apart) -> Tensor:
        return (apart.surprise + config.beta * apart.divergence + config.gamma * apart.mismatch).mean()

    def loss_fn(network: nn.Module, rows: np.ndarray, _) -> tuple[Tensor, dict[str, float]]:
        output = network(torch.from_numpy(images[rows]).to(device))
        return weighed(output), {name: getattr(output, name).mean().item() for name in costs}

    def validate(network: nn.Module, held_out: np.ndarray) -> dict[str, float]:
        parts = [
            torch.from_numpy(part).to(device) for part in np.split(held_out, range(_AT_ONCE, len(held_out), _AT_ONCE))
        ]
        return {"validation": sum(weighed(network(part)).item() * len(part) for part in parts) / len(held_out)}

    return fit_supervised(
        config, seed, len(images), lambda: build(config).to(device), loss_fn, validate, validation, lowest="validation",
        **options,
    )  # fmt: skip


def probed(codes: list[Tensor], things: list[Tensor]) -> dict[str, np.ndarray]:
    """Return for each attribute in which test pictures a linear probe reads it rightly from the codes.

    The probe is logistic regression. ``codes`` (n, S, latent) and ``things`` (n, 6, 22) are of training and of test, in
    pictures of one thing.
    """
    from sklearn.linear_model import LogisticRegression  # brings 65 MB, which no other agent needs
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    (inputs, true), (new_inputs, new_true) = (
        (part.flatten(1).numpy(), rows[:, 0].numpy()) for part, rows in zip(codes, things, strict=True)
    )
    right = {}
    for name, values in slots.ATTRIBUTES.items():
        probe = make_pipeline(StandardScaler(), LogisticRegression(C=_PENALTY, max_iter=1000))
        with one_thread():
            probe.fit(inputs, true[:, values].argmax(axis=1))
            right[name] = probe.predict(new_inputs) == new_true[:, values].argmax(axis=1)
    return right
