"""Builds a network from a config, and a learner from a trained network."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from cogkit.core import imports
from cogkit.equivalence.learners import agents
from cogkit.equivalence.learners.agents import AgentConfig
from cogkit.equivalence.learners.networks.choosing import Embeddings, FeedForward, Pointer
from cogkit.equivalence.learners.networks.transformer import Transformer
from cogkit.equivalence.problems.records import Question
from cogkit.learning import inference, lifecycle
from cogkit.learning.context import default_device, products

_CHUNK = 1024  # trials at once: their data fits in the processor's cache
_NETWORKS = {
    agents.TransformerConfig: Transformer, agents.PointerConfig: Pointer, agents.EmbeddingConfig: Embeddings,
    agents.FeedForwardConfig: FeedForward,
}  # fmt: skip


def build(config: AgentConfig) -> nn.Module:
    """Return a new network from a config, with the interface that `networks` describes.

    Examples
    --------
    >>> from cogkit.equivalence.learners import agents
    >>> network = build(agents.config("gpt", "paper"))
    >>> sum(weights.numel() for weights in network.parameters())
    10682164
    """
    make = _NETWORKS.get(type(config)) or imports.of_file("cogkit.equivalence.learners.own", config.agent, "Network")
    return make(len(config.design.tokens), config)


def is_half(config: AgentConfig) -> bool:
    """Return whether a network of this config may use half precision, and a GPU: only transformers may."""
    return getattr(config, "half", False)


class Agent(lifecycle.Agent):
    """A trained network as a learner.

    ``network`` is moved to its device, not copied. ``noise`` is the seed of the dropout during answers; without it,
    dropout is off.
    """

    inputs = "symbols"

    def __init__(self, network: nn.Module, config: AgentConfig, noise: int | None = None) -> None:
        super().__init__(network.to(default_device(is_half(config))), config)
        self.name, self.noise = agents.NAMES[config.agent], noise

    def as_published(self, seed: int) -> Agent:
        """Return the agent as in the paper's program, which never switched dropout off."""
        return Agent(self.network, self.config, noise=seed)

    def choose(self, question: Question) -> np.ndarray:
        """Return the probability of every answer, (n, choices) float32: first the three options, then other tokens."""
        device = default_device(is_half(self.config))
        tokens = np.column_stack([question.sample, question.comparisons])
        order = np.lexsort(tokens.T[::-1])  # trials with the same beginning come together
        chances = np.empty((len(tokens), self.network.choices), np.float32)
        with inference(self.network), torch.random.fork_rng(), products(is_half(self.config)):
            self.network.train(self.noise is not None)
            torch.manual_seed(0 if self.noise is None else self.noise)
            for start in range(0, len(tokens), _CHUNK):
                chunk = order[start : start + _CHUNK]
                logits = self.network.answers(torch.from_numpy(tokens[chunk].astype(np.int64)).to(device))
                chances[chunk] = logits.float().softmax(dim=1).cpu().numpy()
        return chances
