"""What the benchmarks of learning share: the boards on which ours and a rival learn, and what our network says."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch

from cogkit.tiles.learners import agents, models
from cogkit.tiles.learners.policies import lstm
from cogkit.tiles.problems import records
from cogkit.tiles.rules.boards import TILES, Items
from cogkit.tiles.rules.game import Game, View

_CONFIG, _BOARDS, _CLICKS = agents.config("lstm", "lab", task="rectangle/abstract"), 64, 12


@pytest.fixture(scope="module")
def pools() -> agents.Pools:
    return agents.pools(_CONFIG, seed=0)


@pytest.fixture(scope="module")
def items(pools) -> Items:
    boards = pools.train.sample(50_000, seed=0, name="bench")
    return Items(boards, records.draw_starts(boards, 0, "bench start"), _CONFIG.task, "generated")


@pytest.fixture(scope="module")
def network() -> lstm.Policy:
    torch.manual_seed(0)
    return lstm.Policy(_CONFIG.units)


@pytest.fixture(scope="module")
def rollout(items, network) -> list[tuple[View, torch.Tensor, torch.Tensor]]:
    """What a player sees before each click on 64 boards, and the scores and values that the network gives it."""
    game = Game(items.boards[:_BOARDS], items.starts[:_BOARDS], agents.rules_of_play("verified"))
    memory, rng, looks = network.blank(_BOARDS), np.random.default_rng(0), []
    for _ in range(_CLICKS):
        view = copy.deepcopy(game.view())  # the game goes on in its own arrays
        with torch.no_grad():
            scores, values, memory = network(*models.tensors(view), memory)
        looks.append((view, scores, values))
        game.step(rng.permuted(np.tile(np.arange(TILES), (_BOARDS, 1)), axis=1)[:, 0])
    return looks
