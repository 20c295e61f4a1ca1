"""From a config to a network, from a trained network to a learner, and the file that it is kept in."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn

from cogkit.core.contracts import Manifest
from cogkit.equivalence.learners import agents
from cogkit.equivalence.learners.agents import AgentConfig
from cogkit.equivalence.learners.networks.embeddings import Embeddings
from cogkit.equivalence.learners.networks.feed_forward import FeedForward
from cogkit.equivalence.learners.networks.pointer import Pointer
from cogkit.equivalence.learners.networks.transformer import Transformer
from cogkit.equivalence.problems.records import Design, Question
from cogkit.learning import one_thread, weights

_CHUNK = 1024  # trials at once: what they need fits in the processor's cache
_NETWORKS = {
    agents.TransformerConfig: Transformer,
    agents.PointerConfig: Pointer,
    agents.EmbeddingConfig: Embeddings,
    agents.FeedForwardConfig: FeedForward,
}


def build(config: AgentConfig) -> nn.Module:
    """Return a fresh network of a config, as `networks` says what one has.

    Examples
    --------
    >>> from cogkit.equivalence.learners import agents
    >>> from cogkit.equivalence.problems import records
    >>> network = build(agents.config("gpt", records.Design(), "paper"))
    >>> sum(weights.numel() for weights in network.parameters())
    10682164
    """
    return _NETWORKS[type(config)](len(config.design.tokens), config)


def precision(config: AgentConfig) -> torch.dtype:
    """Return in what matrix products are computed: bfloat16 where the config asks for it and the machine has it."""
    if not getattr(config, "half", False):
        return torch.float32
    able = torch.cuda.is_bf16_supported() if torch.cuda.is_available() else torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return torch.bfloat16 if able else torch.float32


def device(config: AgentConfig) -> str:
    """Return where a network of this config computes: a GPU for one of the paper's size, where there is one."""
    return "cuda" if getattr(config, "half", False) and torch.cuda.is_available() else "cpu"


class Agent:
    """A trained network as a learner.

    Parameters
    ----------
    network : nn.Module
        As `build` makes it; not copied.
    config : AgentConfig
    noise : int, optional
        Seed of the dropout that stays on while it answers; off when left out.

    Attributes
    ----------
    log : DataFrame or None
        The training log, one row an entry, where the agent came with one.
    manifest : Manifest or None
        The run that made it.
    """

    kind, inputs = "model", "symbols"

    def __init__(self, network: nn.Module, config: AgentConfig, noise: int | None = None) -> None:
        self.network, self.config, self.noise = network, config, noise
        self.name = agents.NAMES[config.agent]
        self.log: pd.DataFrame | None = None
        self.manifest: Manifest | None = None

    def as_published(self, seed: int) -> Agent:
        """Return the agent as the paper's program asked it: dropout was never switched off."""
        return Agent(self.network, self.config, noise=seed)

    @torch.no_grad()
    def choose(self, question: Question) -> np.ndarray:
        """Return the chance of every answer, (n, choices) float32: the three options first, then what is none."""
        place, dtype = device(self.config), precision(self.config)
        shown = np.column_stack([question.sample, question.comparisons]).astype(np.int64)
        order = np.lexsort(shown.T[::-1])  # trials that begin alike, side by side
        chances = np.empty((len(shown), self.network.choices), np.float32)
        was = self.network.training
        self.network.train(self.noise is not None)
        try:
            with one_thread(), torch.random.fork_rng(), torch.autocast(place, dtype, enabled=dtype != torch.float32):
                torch.manual_seed(0 if self.noise is None else self.noise)
                for at in range(0, len(shown), _CHUNK):
                    chunk = order[at : at + _CHUNK]
                    logits = self.network.answers(torch.from_numpy(shown[chunk]).to(place))
                    chances[chunk] = logits.float().softmax(dim=1).cpu().numpy()
        finally:
            self.network.train(was)
        return chances


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
    found = weights.read(path, "an agent of stimulus equivalence")
    config = agents.restored(found.manifest.config)
    agent = Agent(found.fill(build(config)), config)
    agent.log, agent.manifest = found.log, found.manifest
    return agent


@cache
def load(agent: str, design: Design, seed: int = 0) -> Agent:
    """Return the agent that the package ships for a design.

    Raises
    ------
    InputError
        No agent of this name, design and seed is shipped.
    """
    path = agents.shipped_file(agent, design, seed)
    found = read(path) if path.exists() else None
    if found is None or found.config.design != design:  # the file's name leaves out how many members and classes
        raise weights.not_shipped(path, f"{path.stem} of {design}")
    return found
