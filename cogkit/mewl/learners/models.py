"""From a config to a network, from a trained network to a learner, and the file that it is kept in."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from cogkit.core.contracts import Manifest
from cogkit.learning import asking, weights
from cogkit.mewl.learners import agents, monet
from cogkit.mewl.learners.agents import AgentConfig
from cogkit.mewl.learners.networks.eyes import CaptionEyes, CNNEyes, MonetEyes, Sight, SlotEyes
from cogkit.mewl.learners.networks.transformer import EpisodeTransformer
from cogkit.mewl.problems import tokens
from cogkit.mewl.problems.episodes import Question
from cogkit.mewl.problems.pictures import drawer

_EYES = {
    "slot-transformer": lambda config: SlotEyes(config.width),
    "caption-transformer": lambda config: CaptionEyes(config.width),
    "cnn-transformer": lambda config: CNNEyes(config.width, Sight(config.channels)),
    "monet-transformer": lambda config: MonetEyes(config.width, monet.build(config.monet)),
}


def build(config: AgentConfig) -> EpisodeTransformer:
    """Return a fresh network of a config.

    Examples
    --------
    >>> network = build(agents.config("slot-transformer", "quick"))
    >>> network(torch.zeros(2, 7, 6, 22), torch.ones(2, 11, 1, dtype=torch.int64)).shape
    torch.Size([2, 5])
    """
    return EpisodeTransformer(_EYES[config.agent](config), config.width, config.layers, config.heads, config.dropout)


def tensors(question: Question, inputs: str) -> tuple[Tensor, Tensor]:
    """Return what a network is given of questions: what is shown, and words (n, 11, L)."""
    shown = tokens.told(question) if inputs == "captions" else question.shown
    return torch.from_numpy(shown), torch.from_numpy(tokens.said(question))


class Agent:
    """A trained network as a learner.

    Parameters
    ----------
    network : EpisodeTransformer
        As `build` makes it; not copied.
    config : AgentConfig

    Attributes
    ----------
    draw : callable or None
        How its pictures are drawn, for `scoring.judge`; None for who is shown none.
    log : DataFrame or None
        The training log, one row an entry, where the agent came with one.
    manifest : Manifest or None
        The run that made it.
    """

    kind = "model"

    def __init__(self, network: EpisodeTransformer, config: AgentConfig) -> None:
        self.network, self.config = network, config
        self.tasks, self.inputs = agents.SETS[config.set], agents.INPUTS[config.agent]
        self.name = agents.NAMES[config.agent] + ", all tasks" * (len(self.tasks) > 1)
        self.draw = drawer(self.inputs, getattr(config, "pixels", None))
        self.log: pd.DataFrame | None = None
        self.manifest: Manifest | None = None

    def score(self, question: Question) -> np.ndarray:
        """Return the logarithm of how likely each option is, (n, 5) float32."""
        return self.weigh(*tensors(question, self.inputs)).numpy()

    def weigh(self, shown: Tensor, said: Tensor) -> Tensor:
        """Return the same of `tensors`."""
        place = next(self.network.parameters()).device
        with asking(self.network):
            return self.network(shown.to(place), said.to(place)).log_softmax(dim=1).float().cpu()


def save(agent: Agent, path, log: pd.DataFrame, manifest: Manifest) -> Path:
    """Return the file that now holds an agent: half-precision weights, training log (no NaN) and manifest."""
    return weights.write(path, agent.network, log, manifest)


def read(path) -> Agent:
    """Return the agent that a file holds; its config is the manifest's.

    Raises
    ------
    InputError
        The file is missing, truncated, of another program, or of another network.
    """
    found = weights.read(path, "an agent of MEWL")
    config = agents.restored(found.manifest.config)
    agent = Agent(found.fill(build(config)), config)
    agent.log, agent.manifest = found.log, found.manifest
    return agent


@cache
def load(agent: str, set: str = "together", preset: str = "lab", seed: int = 0) -> Agent:
    """Return the agent that the package ships.

    Raises
    ------
    InputError
        No agent of this name, set, preset and seed is shipped.
    """
    path = agents.shipped_file(agent, set, preset, seed)
    if not path.exists():
        raise weights.not_shipped(path)
    return read(path)
