"""Builds a network from a config, and a learner from a trained network."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from cogkit.core import imports
from cogkit.learning import inference, lifecycle
from cogkit.mewl.learners import agents, perception
from cogkit.mewl.learners.agents import AgentConfig, TransformerConfig, WithMonet, WithTaughtEyes, WordLearnerConfig
from cogkit.mewl.learners.networks.eyes import CaptionEyes, CNNEyes, Sight, SlotCodes, SlotEyes, SlotNumbers
from cogkit.mewl.learners.networks.transformer import EpisodeTransformer
from cogkit.mewl.learners.networks.version_space import Hypotheses, VersionSpace
from cogkit.mewl.problems import tokens
from cogkit.mewl.problems.episodes import Question
from cogkit.mewl.problems.pictures import drawer

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
    if isinstance(config, TransformerConfig):
        eyes = _EYES[config.agent](config)
        return EpisodeTransformer(eyes, config.width, config.layers, config.heads, config.dropout)
    if not isinstance(config, WordLearnerConfig):
        return imports.of_file("cogkit.mewl.learners.own", config.agent, "Network")(config)
    kinds = config.things, (config.pointers, config.pointed), (config.namings, config.relations), config.scenes
    eyes = SlotCodes(config.monet.latent) if isinstance(config, WithMonet) else SlotNumbers()
    return VersionSpace(eyes, Hypotheses(*kinds), config.width, config.rounds)


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
        self.tasks, self.inputs = agents.SETS[config.set], agents.INPUTS[config.agent]
        self.name = agents.NAMES[config.agent] + ", all tasks" * (len(self.tasks) > 1)
        self.draw = drawer(self.inputs, getattr(config, "pixels", None))
        self.supervision = agents.supervision(config)

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
