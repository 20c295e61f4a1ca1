"""Eyes and readers, once for each seed: some are taught true things, and a MONet takes pictures apart by itself."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.data import results
from cogkit.learning import Fit, inference, lifecycle
from cogkit.learning.context import default_device
from cogkit.learning.lifecycle import Lifecycle
from cogkit.learning.supervised import curve_rows, fit_supervised, telling_rows
from cogkit.mewl.learners import agents, monet
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
_HAND = slots.PLACE + 3
_ORDERS = {"across": slots.PLACE, "away": slots.PLACE + 2}  # which numbers of a place put things in order
_KINDS = {  # name, inputs, supervision, and the tasks from which they learn
    "sight": ("taught eyes", "pixels", "attributes", agents.SEEN_FIRST),
    "reading": ("taught reader", "captions", "attributes", agents.READ_FIRST),
    "monet": ("MONet, read by a linear probe", "pixels", "attributes", TASKS),
}

Config = SightConfig | ReadingConfig | MonetConfig
Right = dict[str, np.ndarray]  # what is told rightly: for each name, an array of bool


def build(config: Config) -> Spotter | Reader | Monet:
    """Return a new network from a config.

    Examples
    --------
    >>> build(agents.SIGHT.config("quick")).eval()(torch.zeros(1, 48, 64, 3, dtype=torch.uint8)).shape
    torch.Size([1, 6, 22])
    >>> build(agents.READING.config("quick")).eval()(torch.ones(2, 7, 9, dtype=torch.int64)).shape
    torch.Size([2, 7, 6, 26])
    """
    if isinstance(config, MonetConfig):
        return monet.build(config)
    if isinstance(config, SightConfig):
        return Spotter(config.pixels, config.channels)
    return Reader(config.width, config.layers, config.heads)


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
    config: SightConfig | ReadingConfig, seed: int, inputs: Tensor, things: Tensor,
    validation: tuple[Tensor, Tensor] | None = None, **options,
) -> Fit:  # fmt: skip
    """Return the training run of eyes on what is shown and on true things; ``options`` go to `learning.Fit`.

    A step is one batch of pictures or captions. Metrics: ``loss`` in nats for each thing, its two parts, and at every
    evaluation ``validation``, the share of pictures or captions of which all is told rightly. ``inputs`` and ``things``
    are `lessons`. Without ``validation``, the last weights are used.
    """
    device = default_device()

    def loss_fn(network: nn.Module, rows: np.ndarray, rng: np.random.Generator) -> tuple[Tensor, dict[str, float]]:
        parts = network.losses(inputs[rows].to(device), things[rows].to(device), rng)
        loss = sum(parts.values(), torch.zeros((), device=device))
        return loss, {name: part.item() for name, part in parts.items()}

    def validate(network: nn.Module, held_out: tuple[Tensor, Tensor]) -> dict[str, float]:
        return {"validation": right(held_out[0], extract(network, held_out[0]), held_out[1])["picture"].mean()}

    return fit_supervised(
        config, seed, len(inputs), lambda: build(config).to(device), loss_fn, validate, validation, **options
    )


def extract(network: nn.Module, inputs: Tensor) -> Tensor:
    """Return the slots that eyes tell of pictures (..., h, w, 3) uint8, or of captions (..., L) int64, in batches."""
    device = next(network.parameters()).device
    ends = -3 if inputs.dtype == torch.uint8 else -1
    with inference(network):
        if isinstance(network, Monet):
            return network.extract(inputs.to(device)).cpu()
        parts = [network(part.to(device)).cpu() for part in inputs.flatten(0, ends - 1).split(_AT_ONCE)]
    return torch.cat(parts).unflatten(0, inputs.shape[:ends])


def right(inputs: Tensor, predictions: Tensor, things: Tensor) -> Right:
    """Return what is rightly told of pictures or captions, given their true `lessons`: for each name, an array of bool.

    There is an entry for each true thing under each attribute, and one for each picture under ``count`` and
    ``picture``, which means that all is right; see the two functions below for the others.
    """
    return (_of_pictures if inputs.dtype == torch.uint8 else _of_captions)(inputs, predictions, things)


def _of_pictures(_: Tensor, predictions: Tensor, things: Tensor) -> Right:
    """Return what is rightly told of pictures, from slots (n, 6, 22).

    ``place`` has an entry for each true thing, which is right if something is told of near it; of a thing that is
    missed all is wrong. ``direction`` has an entry for each hand.
    """
    seen, mask = predictions.any(dim=2), things.any(dim=2)
    at = slice(slots.PLACE, slots.PLACE + 2)
    apart = torch.cdist(things[..., at], predictions[..., at]).masked_fill(~seen[:, None], torch.inf)
    apart = apart.masked_fill(things[:, :, None, _HAND] != predictions[:, None, :, _HAND], torch.inf)
    nearest, which = apart.min(dim=2)
    near = nearest < _NEAR
    met = predictions.gather(1, which[..., None].expand_as(things))
    hands = mask & (things[..., _HAND] > 0)
    ways = ((met * things)[..., _HAND + 1 :].sum(dim=2)).clamp(-1, 1).acos().rad2deg() < _DEGREES
    count = seen.sum(dim=1) == mask.sum(dim=1)
    whole = count & (near | ~mask).all(dim=1) & (near & ways | ~hands).all(dim=1)
    first = {"place": near[mask], "direction": (near & ways)[hands]}
    return _named(met, things, near, whole, first, {"count": count})


def _of_captions(captions: Tensor, predictions: Tensor, things: Tensor) -> Right:
    """Return what is rightly told of captions (n, L), from slots (n, 6, 26).

    ``pointed`` has an entry for each caption with a hand, and is right if the hand seems to point most nearly at the
    right thing. ``across`` and ``away`` have one for each caption that says how things lie to each other, and are right
    if the things are in this order.
    """
    mask, hands = things.any(dim=2), things[..., _HAND] > 0
    count = (predictions.any(dim=2) == mask).all(dim=1)
    whole = count & ((predictions[..., _HAND] > 0) == hands).all(dim=1)
    nearly = [numbers[..., slots.NUMBERS].masked_fill(~mask | hands, -torch.inf) for numbers in (predictions, things)]
    pointed = nearly[0].argmax(dim=1) == nearly[1].argmax(dim=1)
    with_hand, lying = hands.any(dim=1), (captions == tokens.KNOWN["left"]).any(dim=1)
    answers, whole = {"pointed": pointed[with_hand]}, whole & (pointed | ~with_hand)
    for name, number in _ORDERS.items():
        orders = [
            numbers[..., number].masked_fill(~mask, torch.inf).argsort(dim=1, stable=True)
            for numbers in (predictions, things)
        ]
        same = (orders[0] == orders[1]).all(dim=1)
        answers[name], whole = same[lying], whole & (same | ~lying)
    return _named(predictions, things, torch.ones_like(mask), whole, {}, answers | {"count": count})


def _named(met: Tensor, things: Tensor, near: Tensor, whole: Tensor, first: dict, last: dict) -> Right:
    """Return answers with those on attributes among them: ``met`` are the slots told of each thing, if ``near``."""
    mask, answers = things.any(dim=2), dict(first)
    for name, part in slots.ATTRIBUTES.items():
        same = near & (met[..., part] == things[..., part]).all(dim=2)
        answers[name] = same[mask & (things[..., _HAND] == 0)]
        whole = whole & (same | ~mask).all(dim=1)
    return {name: value.numpy() for name, value in (answers | last | {"picture": whole}).items()}


class Eyes(lifecycle.Agent):
    """Eyes, or a reader. They learn no new words, but have weights, a log and result rows like who does."""

    def __init__(self, network: nn.Module, config: Config) -> None:
        super().__init__(network, config)
        self.name, self.inputs, self.supervision, self.tasks = _KINDS[config.agent]

    def extract(self, inputs: Tensor) -> Tensor:
        """Return the slots of pictures (..., h, w, 3) uint8, or of captions (..., L) int64, as `extract` does."""
        return extract(self.network, inputs)


def train(config: Config, seed: int, profile: str = "verified", **options) -> Fit:
    """Return the training run of eyes on the tasks from which they learn; ``options`` go to `learning.Fit`."""
    tasks, parts = _KINDS[config.agent][-1], {"train": config.episodes, "val": config.validated}
    taught, held_out = (
        lessons(config, making.episodes_of_all(tasks, part, n, profile)) for part, n in parts.items()
    )  # fmt: skip
    if isinstance(config, MonetConfig):
        return monet.fit(config, seed, taught[0].numpy(), held_out[0].numpy(), **options)
    return fit(config, seed, *taught, held_out, **options)


def assess(agent: Eyes, profile: str, seed: int) -> list[dict]:
    """Return the result rows of eyes: shares of what they tell rightly of tests, or of what a probe reads from codes.

    The probe of a MONet learns from as many pictures of one thing as there are test pictures of one thing.
    """
    config = agent.config
    tasks, parts = (NAMED, ("train", "test")) if config.agent == "monet" else (TASKS, ("test",))
    sets = [lessons(config, making.episodes_of_all(tasks, part, config.tested, profile)) for part in parts]
    predictions = [agent.extract(inputs) for inputs, _ in sets]
    if config.agent == "monet":
        return telling_rows(monet.probed(predictions, [things for _, things in sets]), agent.name, agent.inputs)
    return telling_rows(right(sets[0][0], predictions[0], sets[0][1]), agent.name, agent.inputs)


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
