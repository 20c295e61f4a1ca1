"""Eyes and readers, once for each seed: some are taught true things, and a MONet takes pictures apart by itself."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.data import results
from cogkit.learning import Fit, inference, lifecycle, one_thread
from cogkit.learning.context import default_device
from cogkit.learning.lifecycle import Lifecycle
from cogkit.learning.supervised import curve_rows, fit_supervised, telling_rows
from cogkit.mewl.learners import agents, exposures
from cogkit.mewl.learners.agents import MonetConfig, ReadingConfig, SightConfig
from cogkit.mewl.learners.networks.monet import Monet
from cogkit.mewl.learners.networks.reader import Reader, things_of
from cogkit.mewl.learners.networks.spotter import Spotter
from cogkit.mewl.problems import making, observations, slots, tokens
from cogkit.mewl.problems.episodes import TASKS, Episode
from cogkit.mewl.problems.pictures import pictures_of
from cogkit.mewl.problems.tasks import NAMED

_AT_ONCE = 64  # pictures or captions in a batch, outside of training
_NEAR = 0.1  # a true thing and a thing told of are the same if their places are nearer; -1 and 1 are the edges
_DEGREES = 5  # a direction that is told is right if it misses the true one by less
_PENALTY = 0.3  # inverse strength of the penalty of a probe
_HAND = slots.PLACE + 3
_ORDERS = {"across": slots.PLACE, "away": slots.PLACE + 2}  # which numbers of a place put things in order
_TELLING = ("place", "direction", *slots.ATTRIBUTES, "pointed", *_ORDERS, "count", "picture")  # in the order of tables
_KINDS = {  # name, network, inputs, supervision, and the tasks from which they learn
    "sight": ("taught eyes", Spotter, "pixels", "attributes", agents.SEEN_FIRST),
    "reading": ("taught reader", Reader, "captions", "attributes", agents.READ_FIRST),
    "monet": ("MONet, read by a linear probe", Monet, "pixels", "attributes", TASKS),
}

Config = SightConfig | ReadingConfig | MonetConfig
Network = Spotter | Reader | Monet
Flags = dict[str, tuple[Tensor, Tensor]]  # for each name, what is told rightly, and which of it there is to tell


def build(config: Config) -> Network:
    """Return a new network from a config.

    Examples
    --------
    >>> build(agents.SIGHT.config("quick")).eval()(torch.zeros(1, 48, 64, 3, dtype=torch.uint8)).shape
    torch.Size([1, 6, 22])
    >>> build(agents.READING.config("quick")).eval()(torch.ones(2, 9, dtype=torch.int64)).shape
    torch.Size([2, 6, 26])
    >>> build(agents.MONET.config("quick")).extract(torch.zeros(1, 24, 32, 3, dtype=torch.uint8)).shape
    torch.Size([1, 7, 16])
    """
    return _KINDS[config.agent][1](config)


def lessons(config: Config, episodes: list[Episode]) -> tuple[Tensor, Tensor]:
    """Return what is shown of episodes, and the true things.

    These are pictures (n, h, w, 3) uint8 and slots (n, 6, 22), or captions (n, L) and `networks.reader.things_of` them.
    """
    true = torch.from_numpy(slots.of_episodes(episodes))
    if not isinstance(config, ReadingConfig):
        return torch.from_numpy(pictures_of(episodes, config.pixels, jobs=None)).flatten(0, 1), true
    captions = torch.from_numpy(tokens.captions(observations.question(episodes, "captions"))).flatten(0, 1)
    return captions, things_of(true, [order for episode in episodes for order in observations.mentioned(episode)])


def fit(
    config: Config, seed: int, inputs: Tensor, things: Tensor, validation: tuple[Tensor, Tensor] | None = None,
    **options,
) -> Fit:  # fmt: skip
    """Return the training run of eyes on what is shown and on true things; ``options`` go to `learning.Fit`.

    A step is one batch of pictures or captions. Metrics: ``loss``, its parts as the network's ``losses`` gives them,
    and at every evaluation ``validation``: the share of pictures or captions of which all is told rightly; of a MONet,
    which sees no true things, the loss. ``inputs`` and ``things`` are `lessons`. Without ``validation``, the last
    weights are used.
    """
    device, by_loss = default_device(), isinstance(config, MonetConfig)

    def loss_fn(network: Network, rows: np.ndarray, rng: np.random.Generator) -> tuple[Tensor, dict[str, float]]:
        loss, parts = network.losses(inputs[rows].to(device), things[rows].to(device), rng)
        return loss, {name: part.item() for name, part in parts.items()}

    def validate(network: Any, held_out: tuple[Tensor, Tensor]) -> dict[str, float]:
        images, true = held_out
        if by_loss:
            parts = [network.losses(part.to(device))[0].item() * len(part) for part in images.split(Monet.AT_ONCE)]
            return {"validation": sum(parts) / len(images)}
        return {"validation": right(images, extract(network, images), true)["picture"].mean()}

    return fit_supervised(
        config, seed, len(inputs), lambda: build(config).to(device), loss_fn, validate, validation,
        lowest="validation" * by_loss, **options,
    )  # fmt: skip


def extract(network: nn.Module, inputs: Tensor) -> Tensor:
    """Return the slots that eyes tell of pictures (..., h, w, 3) uint8, or of captions (..., L) int64, in batches."""
    device = next(network.parameters()).device
    ends = -3 if inputs.dtype == torch.uint8 else -1
    with inference(network):
        if isinstance(network, Monet):
            return network.extract(inputs.to(device)).cpu()
        parts = [network(part.to(device)).cpu() for part in inputs.flatten(0, ends - 1).split(_AT_ONCE)]
    return torch.cat(parts).unflatten(0, inputs.shape[:ends])


def right(inputs: Tensor, predictions: Tensor, things: Tensor) -> dict[str, np.ndarray]:
    """Return what is rightly told of pictures or captions, given their true `lessons`: for each name, an array of bool.

    There is an entry for each true thing under each attribute, and one for each picture under ``count`` and
    ``picture``, which means that all is right; see the two functions below for the others.
    """
    mask, hands = things.any(dim=2), things[..., _HAND] > 0
    if inputs.dtype == torch.uint8:
        met, near, flags = _of_pictures(predictions, things, mask, hands)
    else:
        met, near, flags = predictions, (predictions[..., _HAND] > 0) == hands, {}
        flags |= _of_captions(inputs, predictions, things, mask, hands)
    for name, part in slots.ATTRIBUTES.items():
        flags[name] = near & (met[..., part] == things[..., part]).all(dim=2), mask & ~hands
    whole = (near | ~mask).all(dim=1)
    for correct, there in flags.values():
        whole = whole & (correct | ~there).view(len(whole), -1).all(dim=1)
    flags["picture"] = whole, torch.ones_like(whole)
    return {name: flags[name][0][flags[name][1]].numpy() for name in _TELLING if name in flags}


def _of_pictures(predictions: Tensor, things: Tensor, mask: Tensor, hands: Tensor) -> tuple[Tensor, Tensor, Flags]:
    """Return which slot (n, 6, 22) is told of each thing, whether it is near, and what is rightly told of pictures.

    ``place`` has an entry for each true thing, which is right if something is told of near it; of a thing that is
    missed all is wrong. ``direction`` has an entry for each hand.
    """
    seen, at = predictions.any(dim=2), slice(slots.PLACE, slots.PLACE + 2)
    apart = torch.cdist(things[..., at], predictions[..., at]).masked_fill(~seen[:, None], torch.inf)
    apart = apart.masked_fill(things[:, :, None, _HAND] != predictions[:, None, :, _HAND], torch.inf)
    nearest, which = apart.min(dim=2)
    near, met = nearest < _NEAR, predictions.gather(1, which[..., None].expand_as(things))
    ways = ((met * things)[..., _HAND + 1 :].sum(dim=2)).clamp(-1, 1).acos().rad2deg() < _DEGREES
    count = seen.sum(dim=1) == mask.sum(dim=1)
    return met, near, {"place": (near, mask), "direction": (near & ways, hands), "count": (count, mask.any(dim=1))}


def _of_captions(captions: Tensor, predictions: Tensor, things: Tensor, mask: Tensor, hands: Tensor) -> Flags:
    """Return what is rightly told of captions (n, L), from slots (n, 6, 26).

    ``pointed`` has an entry for each caption with a hand, and is right if the hand seems to point most nearly at the
    right thing. ``across`` and ``away`` have one for each caption that says how things lie to each other, and are right
    if the things are in this order.
    """
    both, lying = (predictions, things), (captions == tokens.KNOWN["left"]).any(dim=1)
    targets = [numbers[..., slots.NUMBERS].masked_fill(~mask | hands, -torch.inf).argmax(dim=1) for numbers in both]
    flags = {"pointed": (targets[0] == targets[1], hands.any(dim=1))}
    for name, number in _ORDERS.items():
        rows = [numbers[..., number].masked_fill(~mask, torch.inf).argsort(dim=1, stable=True) for numbers in both]
        flags[name] = (rows[0] == rows[1]).all(dim=1), lying
    return flags | {"count": ((predictions.any(dim=2) == mask).all(dim=1), mask.any(dim=1))}


def _probed(codes: list[Tensor], things: list[Tensor]) -> dict[str, np.ndarray]:
    """Return for each attribute in which test pictures a linear probe reads it rightly from the codes.

    The probe is logistic regression. ``codes`` (n, S, latent) and ``things`` (n, 6, 22) are of training and of test, in
    pictures of one thing.
    """
    from sklearn.linear_model import LogisticRegression  # brings 65 MB, which no other agent needs
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    inputs, new_inputs = (part.flatten(1).numpy() for part in codes)
    correct = {}
    for name, values in slots.ATTRIBUTES.items():
        true, new_true = (rows[:, 0, values].argmax(dim=1).numpy() for rows in things)
        probe = make_pipeline(StandardScaler(), LogisticRegression(C=_PENALTY, max_iter=1000))
        with one_thread():
            correct[name] = probe.fit(inputs, true).predict(new_inputs) == new_true
    return correct


class Eyes(lifecycle.Agent):
    """Eyes, or a reader. They learn no new words, but have weights, a log and result rows like who does."""

    def __init__(self, network: nn.Module, config: Config) -> None:
        super().__init__(network, config)
        self.name, _, self.inputs, self.supervision, self.tasks = _KINDS[config.agent]

    def extract(self, inputs: Tensor) -> Tensor:
        """Return the slots of pictures (..., h, w, 3) uint8, or of captions (..., L) int64, as `extract` does."""
        return extract(self.network, inputs)


def train(config: Config, seed: int, profile: str = "verified", **options) -> Fit:
    """Return the training run of eyes on the tasks from which they learn; ``options`` go to `learning.Fit`."""
    tasks, parts = _KINDS[config.agent][-1], {"train": config.episodes, "val": config.validated}
    taught, held_out = (
        lessons(config, making.episodes_of_all(tasks, part, n, profile)) for part, n in parts.items()
    )  # fmt: skip
    return fit(config, seed, *taught, held_out, **options)


def assess(agent: Eyes, profile: str, seed: int) -> list[dict]:
    """Return the result rows of eyes: shares of what they tell rightly of tests, or of what a probe reads from codes.

    The probe of a MONet learns from as many pictures of one thing as there are test pictures of one thing. A reader is
    tested on the captions that it has not read before.
    """
    config, is_probed = agent.config, agent.config.agent == "monet"
    tasks, parts = (NAMED, ("train", "test")) if is_probed else (TASKS, ("test",))
    sets = [lessons(config, making.episodes_of_all(tasks, part, config.tested, profile)) for part in parts]
    if isinstance(config, ReadingConfig):
        new = exposures.unread(config, profile)
        sets = [(inputs[new], true[new]) for inputs, true in sets]
    predictions, things = [agent.extract(inputs) for inputs, _ in sets], [true for _, true in sets]
    flags = _probed(predictions, things) if is_probed else right(sets[0][0], predictions[0], things[0])
    return telling_rows(flags, agent.name, agent.inputs)


def curve(agent: Eyes) -> list[dict]:
    """Return result rows of the training log: the share of validation pictures of which all is told rightly."""
    count = agent.config.validated * len(agent.tasks) * observations.PICTURES
    return [] if agent.config.agent == "monet" else curve_rows(agent.log, agent, "val/telling/picture", count)


REGISTRY = Lifecycle(
    "taught eyes of MEWL", results.shipped_folder("mewl"), "{config.agent}-{preset}-s{seed}", agents.EYES,
    lambda name, preset, **changes: agents.EYES[name].config(preset, **changes), build, Eyes, train, assess, curve,
)  # fmt: skip


@lru_cache(maxsize=4)
def eyes_of(config: Config, seed: int) -> Eyes:
    """Return the eyes of a config and seed, trained on episodes of the profile ``verified``; see `Lifecycle.ready`."""
    return REGISTRY.ready(f"mewl/{config.agent}", config, seed)
