"""Agents: their networks, their training runs, and their evaluation (Jiang et al. 2023, § 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.core import imports, presets
from cogkit.data import results
from cogkit.learning import Fit, inference, lifecycle, run, weights
from cogkit.learning.context import default_device
from cogkit.learning.lifecycle import Lifecycle
from cogkit.learning.supervised import curve_rows, fit_supervised, trained
from cogkit.mewl import scoring
from cogkit.mewl.learners import agents, ladder, perception
from cogkit.mewl.learners.agents import AgentConfig, CNNConfig, WithMonet, WithTaughtEyes
from cogkit.mewl.learners.networks.eyes import CaptionEyes, CNNEyes, Sight, SlotCodes, SlotEyes, SlotNumbers, naming
from cogkit.mewl.learners.networks.transformer import EpisodeTransformer
from cogkit.mewl.learners.networks.version_space import VersionSpace
from cogkit.mewl.problems import making, observations, slots, splits, tokens
from cogkit.mewl.problems.episodes import OPTIONS, PANELS, Episode, Question
from cogkit.mewl.problems.families import FAMILIES
from cogkit.mewl.problems.pictures import drawer, pictures_of

_AT_ONCE = 64  # validation episodes in a batch
_EYES = {
    "slot-transformer": lambda config: SlotEyes(config.width),
    "caption-transformer": lambda config: CaptionEyes(config.width),
    "cnn-transformer": lambda config: CNNEyes(config.width, Sight(config.channels)),
    "monet-transformer": lambda config: SlotEyes(config.width, config.monet.latent),
}
Network = EpisodeTransformer | VersionSpace


def build(config: AgentConfig) -> Network:
    """Return a new network from a config.

    Examples
    --------
    >>> network = build(agents.config("slot-transformer", "quick"))
    >>> network(torch.zeros(2, 7, 6, 22), torch.ones(2, 11, 1, dtype=torch.int64)).shape
    torch.Size([2, 5])
    """
    if isinstance(config, agents.TransformerConfig):
        eyes = _EYES[config.agent](config)
        return EpisodeTransformer(eyes, config.width, config.layers, config.heads, config.dropout)
    if not isinstance(config, agents.WordLearnerConfig):
        return imports.of_file("cogkit.mewl.learners.own", config.agent, "Network")(config)
    eyes = SlotCodes(config.monet.latent) if isinstance(config, WithMonet) else SlotNumbers()
    return VersionSpace(eyes, config)


def eyes_of(config: AgentConfig, seed: int) -> perception.Eyes | None:
    """Return the eyes that turn what a learner is shown into slots; all learners of a seed share them.

    They are trained now if need be (`Lifecycle.ready`). None for a learner that has no such eyes.
    """
    if isinstance(config, WithMonet):
        return perception.eyes_of(config.monet, seed)
    return perception.eyes_of(config.sight, seed) if isinstance(config, WithTaughtEyes) else None


def tensors(question: Question, inputs: str) -> tuple[Tensor, Tensor]:
    """Return the input of a network: the input of its eyes, and words (n, 11, L)."""
    views = tokens.captions(question) if inputs == "captions" else question.observations
    return torch.from_numpy(views), torch.from_numpy(tokens.utterances(question))


class Agent(lifecycle.Agent):
    """A trained network as a learner.

    ``draw`` is how its pictures are drawn, for `scoring.judge`; None for an agent without pictures.
    """

    def __init__(self, network: Network, config: AgentConfig) -> None:
        super().__init__(network, config)
        self.tasks, self.inputs = agents.SETS[config.set], agents.KINDS[config.agent].inputs
        self.name = agents.NAMES[config.agent] + ", all tasks" * (len(self.tasks) > 1)
        self.draw = drawer(self.inputs, getattr(config, "pixels", None))
        self.supervision = config.supervision

    def score(self, question: Question) -> np.ndarray:
        """Return the logarithm of each option's probability, (n, 5) float32."""
        return self.weigh(*tensors(question, self.inputs)).numpy()

    @cached_property
    def eyes(self) -> perception.Eyes | None:
        """The eyes of a learner that gets slots from pictures or captions: `eyes_of` its config and seed."""
        return eyes_of(self.config, self.seed)

    def weigh(self, obs: Tensor, token_ids: Tensor) -> Tensor:
        """Return the same, given the output of `tensors`, or slots instead of pictures or captions."""
        device, seen = next(self.network.parameters()).device, self.seen(obs)  # eyes may have to be taught first
        with inference(self.network):
            return self.network(seen.to(device), token_ids.to(device)).log_softmax(dim=1).float().cpu()

    def seen(self, obs: Tensor) -> Tensor:
        """Return what its network gets: slots, told by its eyes if it has any and what is shown is not slots yet."""
        return obs if obs.is_floating_point() or not self.eyes else self.eyes.extract(obs)


@dataclass(frozen=True, eq=False)
class Lessons:
    """Episodes in the form that networks take, with the right options.

    Attributes
    ----------
    observations : (n, 7, ...) Tensor
    token_ids : (n, 11, L) Tensor of int64
    answers : (n,) Tensor of int64
    """

    observations: Tensor
    token_ids: Tensor
    answers: Tensor

    def __len__(self) -> int:
        return len(self.answers)


def lessons(episodes: Sequence[Episode], inputs: str, pixels: int | None = None) -> Lessons:
    """Return episodes in the form that networks take.

    ``inputs`` is one of `observations.INPUTS`. ``pixels`` is the width of the pictures, for agents that see pictures;
    they are drawn, or read from the cache.
    """
    images = pictures_of(episodes, pixels, jobs=None) if inputs in observations.SEEN else None
    views, words = tensors(observations.question(episodes, inputs, images), inputs)
    return Lessons(views, words, torch.tensor([episode.answer for episode in episodes]))


@lru_cache(maxsize=4)
def _lessons(tasks: tuple[str, ...], part: str, n: int, profile: str, inputs: str, pixels: int | None) -> Lessons:
    return lessons(making.episodes_of_all(tasks, part, n, profile), inputs, pixels)


def fit(
    config: AgentConfig, seed: int, taught: Lessons, validation: Lessons | None = None,
    before: nn.Module | None = None, **options,
) -> Fit:  # fmt: skip
    """Return the training run of an agent on given lessons; ``options`` go to `learning.Fit`.

    A step is one batch of episodes. Metrics: ``loss`` in nats; ``accuracy``, the share of right answers in the batch;
    and at every evaluation ``validation``, the share of right answers about validation episodes. The run keeps the
    weights that scored best in validation, and the last weights. ``taught`` are at least a batch. Without
    ``validation``, the last weights are used. ``before`` is the part of the eyes that was trained before and is now
    frozen; lessons then hold its output.

    Examples
    --------
    >>> made = lessons(making.episodes_of("number", "train", 8), "true slots")
    >>> config = agents.config("slot-transformer", "quick", set="number", batch=4, steps=2)
    >>> run(fit(config, 0, made, log_every=1)).log.columns.tolist()
    ['step', 'loss', 'accuracy']
    """
    device = default_device()

    def begin() -> nn.Module:
        network = build(config)
        if before is not None:
            network.eyes.before.requires_grad_(False).load_state_dict(before.state_dict())
        return network.to(device)

    unsure = np.ones(len(taught))  # of the right option, when an episode was drawn the last time

    def loss_fn(network: Network, _, rng: np.random.Generator) -> tuple[Tensor, dict[str, float]]:
        rows = draw(config, unsure, rng)
        views, words, answers = (tensor.to(device) for tensor in shuffled(taught, rows, rng))
        loss, scores = network.taught(views, words, answers)
        if config.easy is not None:
            unsure[rows] = 1 - scores.detach().softmax(dim=1).gather(1, answers[:, None])[:, 0].cpu().numpy()
        return loss, {"accuracy": (scores.argmax(dim=1) == answers).float().mean().item()}

    def validate(network: Network, held_out: Lessons) -> dict[str, float]:
        return {"validation": accuracy(Agent(network, config), held_out)}

    arrays = {} if config.easy is None else {"unsure": unsure}
    return fit_supervised(config, seed, len(taught), begin, loss_fn, validate, validation, arrays=arrays, **options)


def draw(config: AgentConfig, unsure: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the numbers of the different episodes of a batch, in ascending order.

    ``unsure`` is from 0, for an episode that was sure to be named rightly, to 1; see `AgentConfig.easy`.

    Examples
    --------
    >>> config = agents.config("slot-word-learner", "quick", batch=2, easy=1e-9)
    >>> draw(config, np.array([0.0, 1.0, 0.0, 0.5]), np.random.default_rng(0)).tolist()
    [1, 3]
    """
    chances = None
    if config.easy is not None:
        weights = config.easy + (1 - config.easy) * unsure
        chances = weights / weights.sum()
    return np.sort(rng.choice(len(unsure), config.recipe.batch, replace=False, p=chances))


def shuffled(taught: Lessons, rows: np.ndarray, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Return some episodes, each with its panels, options and numbers of new words shuffled."""
    views, words, answers = taught.observations[rows], taught.token_ids[rows], taught.answers[rows]
    panels, options, new = (
        torch.from_numpy(rng.permuted(np.tile(np.arange(n), (len(rows), 1)), axis=1))
        for n in (PANELS, OPTIONS, tokens.MOST_NEW)
    )
    batch = torch.arange(len(rows))[:, None]
    views = torch.cat([views[batch, panels], views[:, PANELS:]], dim=1)
    words = torch.cat([words[:, :PANELS][batch, panels], words[:, PANELS:][batch, options]], dim=1)
    constants = torch.arange(tokens.NEW).expand(len(rows), -1)
    codes = torch.cat([constants, tokens.NEW + new], dim=1).gather(1, words.flatten(1)).view_as(words)
    return views, codes, (options == answers[:, None]).int().argmax(dim=1)


def accuracy(agent: Agent, lessons: Lessons) -> float:
    """Return the share of right answers."""
    parts = zip(lessons.observations.split(_AT_ONCE), lessons.token_ids.split(_AT_ONCE), strict=True)
    choices = torch.cat([agent.weigh(*part).argmax(dim=1) for part in parts])
    return int((choices == lessons.answers).sum()) / len(lessons)


def naming_fit(
    config: CNNConfig, seed: int, pictures: Tensor, things: Tensor, validation: tuple[Tensor, Tensor] | None = None,
    **options,
) -> Fit:  # fmt: skip
    """Return the training run in which eyes learn to find and to name things; ``options`` go to `learning.Fit`.

    A step is one batch of pictures. Metrics: ``loss`` in nats per thing, and at every evaluation ``validation``, the
    loss of validation pictures. The config's ``naming`` is the number of steps. ``pictures`` (n, height, width, 3) are
    pictures of uint8, and ``things`` (n, S, numbers) the true things, as `slots.of` gives them. Without ``validation``,
    the last weights are used.

    Examples
    --------
    >>> config = agents.config("cnn-transformer", "quick", naming=1, batch=1)
    >>> shown, things = torch.zeros(7, 24, 32, 3, dtype=torch.uint8), torch.ones(7, 6, 22)
    >>> run(naming_fit(config, 0, shown, things)).log.columns.tolist()
    ['step', 'loss']
    """
    device = default_device()

    def loss_fn(sight: Sight, rows: np.ndarray, _) -> tuple[Tensor, dict[str, float]]:
        return naming(sight(pictures[rows].to(device)), things[rows].to(device)), {}

    def validate(sight: Sight, held_out: tuple[Tensor, Tensor]) -> dict[str, float]:
        return {"validation": naming(perception.extract(sight, held_out[0]), held_out[1]).item()}

    return fit_supervised(
        presets.changed(config, steps=config.naming), seed, len(pictures),
        lambda: Sight(config.channels).to(device), loss_fn,
        validate, validation, lowest="validation", **options,
    )  # fmt: skip


def train(config: AgentConfig, seed: int, profile: str = "verified", **options) -> Fit:
    """Return the training run of an agent on the episodes of a profile; ``options`` go to `learning.Fit`.

    If the config says so, the eyes are trained on the same pictures before this function returns. The ``checkpoint`` of
    the eyes has the same name with ``.eyes`` at the end. Eyes that all learners of a seed share are taught before this
    function returns, unless they are there already (`eyes_of`).
    """
    shared = eyes_of(config, seed)
    numbers = {"train": config.episodes, "val": config.validated}
    parts = [(agents.SETS[config.set], part, n, profile) for part, n in numbers.items()]
    inputs = "true slots" if isinstance(config, WithTaughtEyes) else agents.KINDS[config.agent].inputs
    sets = [_lessons(*part, inputs, getattr(config, "pixels", None)) for part in parts]
    before = None
    if shared and isinstance(config, WithMonet):
        sets = [replace(part, observations=shared.extract(part.observations)) for part in sets]
    if isinstance(config, CNNConfig) and config.naming:
        eye_options = {"checkpoint": f"{options['checkpoint']}.eyes"} if options.get("checkpoint") else {}
        pictures = [part.observations.flatten(0, 1) for part in sets]
        things = [torch.from_numpy(slots.of_episodes(making.episodes_of_all(*part))) for part in parts]
        seen = run(naming_fit(config, seed, pictures[0], things[0], (pictures[1], things[1]), **eye_options))
        before, options = trained(seen.state), options | {"spent": seen.cpu_seconds}
        before.load_state_dict(weights.rounded(before))
        sets = [replace(part, observations=perception.extract(before, part.observations)) for part in sets]
    return fit(config, seed, *sets, before, **options)


def assess(agent: Agent, profile: str, seed: int) -> list[dict]:
    """Return the result rows of an agent on test episodes of its tasks, and on as many of its training episodes.

    Training episodes have tasks such as ``train/shape``. An agent of a family has one more row, which says how far it
    is above memory. The function also takes a learner that begins from a pretrained model.
    """
    config, rows = agent.config, []
    for task in agent.tasks:
        episodes = splits.items(task, "test", config.tested, profile)
        answers = scoring.judge(agent, episodes, profile=profile, seed=seed, draw=agent.draw)
        rows += scoring.result_rows(answers)
        rows += [ladder.above_row(answers)] if task in FAMILIES else []
    count = min(config.episodes, config.tested)
    learnt = scoring.assess(agent, agent.tasks, profile=profile, seed=seed, n=count, part="train", draw=agent.draw)
    return rows + [row | {"task": f"train/{row['task']}"} for row in learnt]


def curve(agent: Agent) -> list[dict]:
    """Return result rows of the training log: the accuracy on validation episodes at every evaluation.

    There are none of an agent whose eyes are taught: the log is that of the slot word learner.
    """
    if isinstance(agent.config, WithTaughtEyes):
        return []
    return curve_rows(agent.log, agent, f"val/{agent.config.set}", agent.config.validated * len(agent.tasks))


class _Registry(Lifecycle):
    """The life of agents. One whose eyes are taught has the words of the slot word learner, and no weights of its own.

    Both learn words from true slots, by the same lessons. `train` still gives its whole training run.
    """

    def learn(self, config: AgentConfig, profile: str, seed: int, **options) -> Agent:
        if not isinstance(config, WithTaughtEyes):
            return super().learn(config, profile, seed, **options)
        words, set = agents.words_of(config), config.set
        return _with_eyes(self.ready(agents.cell_id(words.agent, set), words, seed, profile, set=set), config)

    def shipped(self, name: str, preset: str = "lab", seed: int = 0, profile: str = "verified", **changes):
        config = self.config(name, preset, **changes)
        if not isinstance(config, WithTaughtEyes):
            return super().shipped(name, preset, seed, profile, **changes)
        words = super().shipped("slot-word-learner", preset, seed, profile, set=config.set)
        eyes = perception.REGISTRY.shipped(config.sight.agent, preset, seed)
        whole = words and eyes and (words.config, eyes.config) == (agents.words_of(config), config.sight)
        return _with_eyes(words, config) if whole else None


def _with_eyes(words: Agent, config: WithTaughtEyes) -> Agent:
    """Return a word learner behind the eyes of a config."""
    agent = REGISTRY.agent(words.network, config)
    agent.log, agent.manifest, agent.seed = words.log, words.manifest, words.seed
    return agent


REGISTRY = _Registry(
    "an agent of MEWL", results.shipped_folder("mewl"), "{config.agent}-{config.set}-{preset}-s{seed}", agents.KINDS,
    agents.config, build, Agent, train, assess, curve,
)  # fmt: skip


learn, load, save = REGISTRY.learn, REGISTRY.load, REGISTRY.save
read, shipped, to_agent = REGISTRY.read, REGISTRY.shipped, REGISTRY.to_agent
