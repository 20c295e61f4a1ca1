"""Builds a network from a config, and a learner from a trained network."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from cogkit.equivalence.learners import agents
from cogkit.equivalence.learners.agents import AgentConfig
from cogkit.equivalence.learners.networks.embeddings import Embeddings
from cogkit.equivalence.learners.networks.feed_forward import FeedForward
from cogkit.equivalence.learners.networks.pointer import Pointer
from cogkit.equivalence.learners.networks.transformer import Transformer
from cogkit.equivalence.problems.records import Question
from cogkit.learning import lifecycle, one_thread

_CHUNK = 1024  # trials at once: their data fits in the processor's cache
_NETWORKS = {
    agents.TransformerConfig: Transformer,
    agents.PointerConfig: Pointer,
    agents.EmbeddingConfig: Embeddings,
    agents.FeedForwardConfig: FeedForward,
}


def build(config: AgentConfig) -> nn.Module:
    """Return a new network from a config, with the interface that `networks` describes.

    Examples
    --------
    >>> from cogkit.equivalence.learners import agents
    >>> network = build(agents.config("gpt", "paper"))
    >>> sum(weights.numel() for weights in network.parameters())
    10682164
    """
    return _NETWORKS[type(config)](len(config.design.tokens), config)


def precision(config: AgentConfig) -> torch.dtype:
    """Return the precision of matrix products: bfloat16 if the config asks for it and the machine has it."""
    if not getattr(config, "half", False):
        return torch.float32
    able = torch.cuda.is_bf16_supported() if torch.cuda.is_available() else torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return torch.bfloat16 if able else torch.float32


def device(config: AgentConfig) -> str:
    """Return the device for a network of this config: a GPU for the paper's size, if there is one."""
    return "cuda" if getattr(config, "half", False) and torch.cuda.is_available() else "cpu"


class Agent(lifecycle.Agent):
    """A trained network as a learner.

    Parameters
    ----------
    network : nn.Module
        A network from `build`; it is moved to its device, not copied.
    config : AgentConfig
    noise : int, optional
        Seed of the dropout during answers; without it, dropout is off.
    """

    inputs = "symbols"

    def __init__(self, network: nn.Module, config: AgentConfig, noise: int | None = None) -> None:
        super().__init__(network.to(device(config)), config)
        self.name, self.noise = agents.NAMES[config.agent], noise

    def as_published(self, seed: int) -> Agent:
        """Return the agent as in the paper's program, which never switched dropout off."""
        return Agent(self.network, self.config, noise=seed)

    @torch.no_grad()
    def choose(self, question: Question) -> np.ndarray:
        """Return the probability of every answer, (n, choices) float32: first the three options, then other tokens."""
        place, dtype = device(self.config), precision(self.config)
        tokens = np.column_stack([question.sample, question.comparisons]).astype(np.int64)
        order = np.lexsort(tokens.T[::-1])  # trials with the same beginning come together
        chances = np.empty((len(tokens), self.network.choices), np.float32)
        mode = self.network.training
        self.network.train(self.noise is not None)
        try:
            with one_thread(), torch.random.fork_rng(), torch.autocast(place, dtype, enabled=dtype != torch.float32):
                torch.manual_seed(0 if self.noise is None else self.noise)
                for start in range(0, len(tokens), _CHUNK):
                    chunk = order[start : start + _CHUNK]
                    logits = self.network.answers(torch.from_numpy(tokens[chunk]).to(place))
                    chances[chunk] = logits.float().softmax(dim=1).cpu().numpy()
        finally:
            self.network.train(mode)
        return chances
