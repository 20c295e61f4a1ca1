"""Networks as players of the tile game."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from cogkit.learning import lifecycle, one_thread
from cogkit.tiles.learners import agents, policies
from cogkit.tiles.learners.agents import ALL_RULES, EQUAL, MIXTURE, AgentConfig
from cogkit.tiles.learners.networks import Policy
from cogkit.tiles.rules.boards import TILES, Items
from cogkit.tiles.rules.game import View


def tensors(view: View) -> tuple[Tensor, Tensor, Tensor]:
    """Return board, last action and last reward of a view as tensors of their own."""
    return torch.tensor(view.board), torch.tensor(view.last_action), torch.tensor(view.last_reward)


def build(config: AgentConfig) -> Policy:
    """Return a fresh network of a config."""
    return policies.of(config.policy)(config.units)


class Agent(lifecycle.Agent):
    """A trained network as a player; its memory is blank at the start of every board.

    An agent that was shown boards opens the tile that is most probably red; any other draws a tile by its scores.

    Examples
    --------
    >>> from cogkit.tiles import scoring
    >>> from cogkit.tiles.problems import records
    >>> items, config = records.items("tree/abstract", "generated"), AgentConfig("tree/abstract")
    >>> scoring.judge(Agent(build(config), config), items).finished.all()
    np.True_
    """

    network: Policy
    inputs = ("board", "last_action", "last_reward")

    def __init__(self, network: Policy, config: AgentConfig) -> None:
        super().__init__(network, config)
        budget = f", {config.budget / 1e6:.2g} M clicks" * config.agent.endswith(EQUAL)
        self.name = network.title + budget + ", shown boards" * config.supervised + ALL_RULES * (config.task == MIXTURE)
        self.choose, self.supervision = ("argmax", "boards") if config.supervised else ("sample", "rewards")

    @property
    def held_out(self) -> Items:
        """The boards to test it on, which its training held out."""
        return agents.held_out(self.config)

    def overlap(self, boards: np.ndarray) -> np.ndarray:
        """Return which boards its training may have met: (n,) bool."""
        return agents.overlap(self.config, self.seed, boards)

    def act(self, view: View, state):
        """Return a score for every tile, and the memory after this click."""
        memory = self.network.blank(len(view.board)) if state is None else state
        with torch.no_grad(), one_thread():  # no layer of it differs between training and evaluation
            scores, _, memory = self.network(*tensors(view), memory)
        return scores[:, -TILES:].cpu().numpy(), memory
