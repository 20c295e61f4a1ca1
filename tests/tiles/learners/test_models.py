"""The LSTM meta-learner: its gradients, its files, and the files that must not be believed."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest
import torch
from cases import case
from safetensors import safe_open
from safetensors.numpy import load_file
from safetensors.numpy import save as dump
from torch import nn

from cogkit.core.errors import InputError
from cogkit.data.results import manifest
from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, training
from cogkit.tiles.learners.models import Agent
from cogkit.tiles.learners.policies.lstm import Policy as LSTMPolicy
from cogkit.tiles.problems import records
from cogkit.tiles.rules.game import View


@pytest.fixture
def policy():
    torch.manual_seed(0)
    model = LSTMPolicy()
    nn.init.normal_(model.scores.weight, std=0.5)
    return model


def draw_view(n: int, seed: int = 0) -> View:
    rng = np.random.default_rng(seed)
    last = rng.integers(-1, 49, n)
    last[0] = -1
    rewards = np.where(last < 0, 0, rng.choice([1, -1, -2, 10], n)).astype(np.float32)
    return View(rng.integers(-1, 2, (n, 49)).astype(np.int8), last, rewards)


CONFIG = agents.config("lstm", "quick", task="copy/abstract")
LOG = pd.DataFrame({"step": [100, 200], "blue": [12.5, 3.25], "validation": [13.0, 4.5]})


def saved(path, policy):
    details = manifest("tiles/lstm/copy/abstract", CONFIG, "verified", "quick", 7, 1.5)
    agent = Agent(policy, CONFIG)
    agent.log = LOG
    return training.save(agent, path, details), details


def test_saved_is_read_again_rounded_once(tmp_path, policy):
    path, details = saved(tmp_path / "there" / "agent.safetensors", policy)
    assert [entry.name for entry in path.parent.iterdir()] == ["agent.safetensors"]
    agent = training.read(path)
    for name, value in policy.state_dict().items():
        weight = agent.network.state_dict()[name]
        assert weight.dtype == torch.float32 and torch.equal(weight, value.half().float())
    assert (
        (agent.log == LOG).all(axis=None)
        and list(agent.log) == list(LOG)
        and agent.manifest == dataclasses.replace(details)
    )
    again, _ = saved(tmp_path / "again", agent.network)
    assert all((load_file(again)[name] == value).all() for name, value in load_file(path).items())
    items = records.items("copy/abstract", "generated", n=5)
    first, second = (
        scoring.judge(Agent(player.network, CONFIG), items, passes=2) for player in (agent, training.read(again))
    )
    assert (first.actions == second.actions).all()


HALF = np.float16
SPOILT = {  # a whole file in the place of ours, and the words of the error
    "text": (b"no agent\n" * 50, "agent.safetensors"),
    "foreign": (dump({"w": np.zeros(3, HALF)}), "another program"),
}
CHANGED = {  # tensors in the place of ours, left out where they are None
    "another board size": (
        {"scores.weight": np.zeros((16, 120), HALF), "scores.bias": np.zeros(16, HALF)},
        r"agent for boards of 7×7 tiles, scores.bias of shape \(49,\), got .*shape \(16,\)",
    ),
    "a layer too few": ({"dense.bias": None}, "with dense.bias of shape none"),
    "not a number": ({"value.bias": np.array([np.nan], HALF)}, "not finite"),
}


def test_a_file_that_holds_no_agent_is_one_sentence_that_names_it(tmp_path, policy):
    path, _ = saved(tmp_path / "agent.safetensors", policy)
    whole, arrays = path.read_bytes(), load_file(path)
    with safe_open(path, framework="numpy") as file:
        metadata = file.metadata()
    spoilt = SPOILT | {"cut": (whole[:-1], "agent.safetensors")}
    for name, (tensors, words) in CHANGED.items():
        remaining = {key: array for key, array in (arrays | tensors).items() if array is not None}
        spoilt[name] = (dump(remaining, metadata), words)
    for name, (content, words) in spoilt.items():
        path.write_bytes(content)
        with case(name), pytest.raises(InputError, match=words) as error:
            training.read(path)
        message = str(error.value)
        assert str(path) in message and message.startswith("wanted ") and "\n" not in message, name
    with pytest.raises(InputError, match="missing.safetensors"):
        training.read(tmp_path / "missing.safetensors")
