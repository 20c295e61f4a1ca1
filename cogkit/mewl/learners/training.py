"""Learning in place: a training run of any agent, and what it is worth (Jiang et al. 2023, § 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.core.contracts import InputError
from cogkit.data import results
from cogkit.learning import Fit, one_thread, run, weights
from cogkit.learning.lifecycle import Lifecycle
from cogkit.learning.supervised import Course, Epochs, course_fit, curve_rows, trained
from cogkit.mewl import scoring
from cogkit.mewl.learners import agents, models, monet
from cogkit.mewl.learners.agents import AgentConfig, CNNConfig
from cogkit.mewl.learners.networks.eyes import Sight, naming
from cogkit.mewl.problems import observations, slots, tokens
from cogkit.mewl.problems.episodes import OPTIONS, PANELS, Episode
from cogkit.mewl.problems.pictures import pictures_of

_AT_ONCE = 64  # episodes of validation


@dataclass(frozen=True, eq=False)
class Lessons:
    """Episodes as networks take them, with the right options.

    Attributes
    ----------
    shown : (n, 7, ...) Tensor
    said : (n, 11, L) Tensor of int64
    answers : (n,) Tensor of int64
    """

    shown: Tensor
    said: Tensor
    answers: Tensor

    def __len__(self) -> int:
        return len(self.answers)


def lessons(episodes: Sequence[Episode], inputs: str, pixels: int | None = None) -> Lessons:
    """Return episodes as networks take them.

    Parameters
    ----------
    episodes : sequence of Episode
    inputs : str
        One of `observations.INPUTS`.
    pixels : int, optional
        Width of the pictures, where there are some to be looked at: they are drawn, or read where they were kept.
    """
    images = pictures_of(episodes, pixels, jobs=None) if inputs in observations.SEEN else None
    shown, said = models.tensors(observations.question(episodes, inputs, images), inputs)
    return Lessons(shown, said, torch.tensor([each.answer for each in episodes]))


@lru_cache(maxsize=4)
def _lessons(tasks: tuple[str, ...], part: str, n: int, profile: str, inputs: str, pixels: int | None) -> Lessons:
    return lessons(_episodes(tasks, part, n, profile), inputs, pixels)


def _episodes(tasks: tuple[str, ...], part: str, n: int, profile: str) -> list[Episode]:
    return list(chain.from_iterable(scoring.episodes_of(task, part, n, profile) for task in tasks))


def fit(
    config: AgentConfig, seed: int, taught: Lessons, validation: Lessons | None = None,
    before: nn.Module | None = None, **options,
) -> Fit:  # fmt: skip
    """Return the training run of an agent on lessons at hand; ``options`` go to `learning.Fit`.

    A step is one batch of episodes. Metrics: ``loss`` in nats, ``accuracy``, the share of the batch that is right, and
    at every look ``validation``, that of the validation episodes. The weights of the best look are kept beside the
    last.

    Parameters
    ----------
    config : AgentConfig
    seed : int
    taught : Lessons
        At least a batch.
    validation : Lessons, optional
        What the best weights are chosen on; without them the last count.
    before : Monet or Sight, optional
        What the eyes see with, where it was trained before and learns no more. Lessons then show what it tells.

    Examples
    --------
    >>> made = lessons(scoring.episodes_of("number", "train", 8), "true slots")
    >>> config = agents.config("slot-transformer", "quick", set="number", batch=4, steps=2)
    >>> run(fit(config, 0, made, log_every=1)).log.columns.tolist()
    ['step', 'loss', 'accuracy']
    """
    if len(taught) < config.batch:
        raise InputError(f"{len(taught)} episodes", f"a batch of {config.batch} or more")
    if agents.sees_before(config) != (before is not None):
        got = f"{agents.NAMES[config.agent]} {'without' if before is None else 'with'} eyes that were trained before"
        raise InputError(got, "eyes as its config says", "see train")
    place = "cuda" if torch.cuda.is_available() else "cpu"

    def build() -> nn.Module:
        network = models.build(config)
        if before is not None:
            network.eyes.before.requires_grad_(False).load_state_dict(before.state_dict())
        return network.to(place)

    def loss(network: nn.Module, _, rng: np.random.Generator) -> tuple[Tensor, dict[str, float]]:
        shown, said, answers = (each.to(place) for each in draw(config, taught, rng))
        logits = network(shown, said)
        right = (logits.argmax(dim=1) == answers).float().mean().item()
        return nn.functional.cross_entropy(logits, answers), {"accuracy": right}

    def validate(network: nn.Module) -> dict[str, float]:
        return {"validation": accuracy(models.Agent(network, config), validation)}

    course = Course(len(taught), build, loss, None if validation is None else validate)
    return course_fit(config, seed, course, **({"log_every": max(1, config.steps // config.looks)} | options))


def draw(config: AgentConfig, taught: Lessons, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Return a batch of different episodes: panels, options and the numbers of new words in an order of their own."""
    rows = torch.from_numpy(np.sort(rng.choice(len(taught), config.batch, replace=False)))
    shown, said, answers = taught.shown[rows], taught.said[rows], taught.answers[rows]
    panels, options, new = (_orders(n, config.batch, rng) for n in (PANELS, OPTIONS, tokens.MOST_NEW))
    each = torch.arange(config.batch)[:, None]
    shown = torch.cat([shown[each, panels], shown[:, PANELS:]], dim=1)
    said = torch.cat([said[:, :PANELS][each, panels], said[:, PANELS:][each, options]], dim=1)
    known = torch.arange(tokens.NEW).expand(config.batch, -1)
    renamed = torch.cat([known, tokens.NEW + new], dim=1).gather(1, said.flatten(1)).view_as(said)
    return shown, renamed, (options == answers[:, None]).int().argmax(dim=1)


def _orders(n: int, batch: int, rng: np.random.Generator) -> Tensor:
    return torch.from_numpy(rng.permuted(np.tile(np.arange(n), (batch, 1)), axis=1))


def accuracy(agent: models.Agent, asked: Lessons) -> float:
    """Return the share of right answers."""
    right = 0
    for at in range(0, len(asked), _AT_ONCE):
        rows = slice(at, at + _AT_ONCE)
        right += int((agent.weigh(asked.shown[rows], asked.said[rows]).argmax(dim=1) == asked.answers[rows]).sum())
    return right / len(asked)


def naming_fit(
    config: CNNConfig, seed: int, shown: Tensor, things: Tensor, validation: tuple[Tensor, Tensor] | None = None,
    **options,
) -> Fit:  # fmt: skip
    """Return the training run in which eyes learn to find and to name things; ``options`` go to `learning.Fit`.

    A step is one batch of pictures. Metrics: ``loss`` in nats a thing, and at every look
    ``validation``, that of other pictures.

    Parameters
    ----------
    config : CNNConfig
        Whose ``naming`` says how many steps.
    seed : int
    shown : (n, height, width, 3) Tensor of uint8
        Pictures.
    things : (n, S, numbers) Tensor
        What is really there, as `slots.of` gives it.
    validation : tuple of the same two, optional
        What the best weights are chosen on; without them the last count.

    Examples
    --------
    >>> config = agents.config("cnn-transformer", "quick", naming=1, batch=1)
    >>> shown, things = torch.zeros(7, 24, 32, 3, dtype=torch.uint8), torch.ones(7, 6, 22)
    >>> run(naming_fit(config, 0, shown, things)).log.columns.tolist()
    ['step', 'loss']
    """
    place = "cuda" if torch.cuda.is_available() else "cpu"
    order = Epochs(seed, len(shown), config.batch)

    def loss(sight: Sight, step: int, _) -> tuple[Tensor, dict[str, float]]:
        rows = order.rows(step)
        return naming(sight(shown[rows].to(place)), things[rows].to(place)), {}

    def validate(sight: Sight) -> dict[str, float]:
        return {"validation": naming(told(sight, validation[0]), validation[1]).item()}

    course = Course(
        len(shown), lambda: Sight(config.channels).to(place), loss, None if validation is None else validate,
        lambda found: -found["validation"],
    )  # fmt: skip
    return course_fit(replace(config, steps=config.naming), seed, course, **options)


@torch.no_grad()
def told(before: nn.Module, pictures: Tensor) -> Tensor:
    """Return what eyes that are trained before tell of pictures (n, ..., h, w, 3) uint8, some at a time."""
    place = next(before.parameters()).device
    with one_thread():
        return torch.cat([before.told(part.to(place)).cpu() for part in pictures.split(_AT_ONCE)])


def train(config: AgentConfig, seed: int, profile: str = "verified", **options) -> Fit:
    """Return the training run of an agent on the episodes of a profile; ``options`` go to `learning.Fit`.

    What it sees with is trained before this returns, where its config says so, on the same pictures. The
    ``checkpoint`` of eyes has the name of the other and ``.eyes``.
    """
    numbers = {"train": config.episodes, "val": config.validated}
    parts = [(agents.SETS[config.set], part, n, profile) for part, n in numbers.items()]
    both = [_lessons(*part, agents.INPUTS[config.agent], getattr(config, "pixels", None)) for part in parts]
    before = None
    if agents.sees_before(config):
        own = {"checkpoint": f"{options['checkpoint']}.eyes"} if options.get("checkpoint") else {}
        pictures = [each.shown.flatten(0, 1) for each in both]
        if isinstance(config, CNNConfig):
            scenes = [chain.from_iterable(map(observations.scenes, _episodes(*part))) for part in parts]
            things = [torch.from_numpy(slots.of(list(each))) for each in scenes]
            eyes = naming_fit(config, seed, pictures[0], things[0], (pictures[1], things[1]), **own)
        else:
            asked = both[1].shown[:, PANELS]  # enough to choose by, and all would take as long as the training
            eyes = monet.monet_fit(config.monet, seed, pictures[0].numpy(), asked.numpy(), **own)
        before = trained(run(eyes).state)
        before.load_state_dict(weights.rounded(before))
        both = [replace(each, shown=told(before, each.shown)) for each in both]
    return fit(config, seed, *both, before, **options)


def assess(agent: models.Agent, profile: str, seed: int) -> list[dict]:
    """Return the result rows of an agent on the test episodes of the tasks it was trained on, and on as many of those.

    The latter stand under tasks such as ``train/shape``. Likewise of a learner that begins from a pretrained model.
    """
    config = agent.config
    rows = scoring.assess(agent, agent.tasks, profile=profile, seed=seed, n=config.tested, draw=agent.draw)
    most = min(config.episodes, config.tested)
    learnt = scoring.assess(agent, agent.tasks, profile=profile, seed=seed, n=most, part="train", draw=agent.draw)
    return rows + [row | {"task": f"train/{row['task']}"} for row in learnt]


def curve(agent: models.Agent) -> list[dict]:
    """Return result rows of the training log: the share of right answers about validation episodes at every look."""
    return curve_rows(agent.log, agent, f"val/{agent.config.set}", agent.config.validated * len(agent.tasks))


LIFE = Lifecycle(
    "an agent of MEWL", results.shipped_folder("mewl"), "{config.agent}-{config.set}-{preset}-s{seed}", agents.KINDS,
    agents.config, models.build, models.Agent, train, assess, curve,
)  # fmt: skip
learn, load, save, read, shipped, to_agent = LIFE.learn, LIFE.load, LIFE.save, LIFE.read, LIFE.shipped, LIFE.to_agent
