"""The LSTM meta-learner against plain arithmetic, its memory, and the files that must not be believed."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest
import torch
from safetensors.numpy import load_file, save_file
from torch import nn

from cogkit.core.contracts import InputError
from cogkit.data.results import manifest
from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, models, networks, training
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


def by_hand(policy: LSTMPolicy, view: View, hidden: np.ndarray, cell: np.ndarray):
    """§ 4.1 of the facts in float64: convolution by a library layer, the rest by formula."""
    arrays = {name: value.detach().double().numpy() for name, value in policy.state_dict().items()}
    pixels = np.choose(view.board + 1, [0.0, 0.5, 1.0]).reshape(-1, 1, 7, 7)
    filters = torch.from_numpy(arrays["filters.weight"].reshape(16, 1, 3, 3))
    features = nn.functional.conv2d(torch.from_numpy(pixels), filters, torch.from_numpy(arrays["filters.bias"])).numpy()
    features = np.maximum(features.transpose(0, 2, 3, 1).reshape(len(pixels), 400), 0)
    features = np.maximum(features @ arrays["dense.weight"].T + arrays["dense.bias"], 0)
    last = np.zeros((len(pixels), 49))
    for row, tile in enumerate(view.last_action):
        if tile >= 0:
            last[row, tile] = 1
    inputs = np.concatenate([features, last, view.last_reward[:, None] / 10], axis=1)
    gates = inputs @ arrays["cell.weight_ih"].T + arrays["cell.bias_ih"]
    gates += hidden @ arrays["cell.weight_hh"].T + arrays["cell.bias_hh"]
    into, keep, new, out = np.split(gates, 4, axis=1)
    logistic = lambda x: 1 / (1 + np.exp(-x))  # noqa: E731
    cell = logistic(keep) * cell + logistic(into) * np.tanh(new)
    hidden = logistic(out) * np.tanh(cell)
    values = hidden @ arrays["value.weight"].T + arrays["value.bias"]
    return hidden @ arrays["scores.weight"].T + arrays["scores.bias"], values[:, 0], hidden, cell


def test_the_network_is_the_papers(policy):
    view, rng = draw_view(64), np.random.default_rng(1)
    hidden, cell = rng.normal(size=(2, 64, 120)).astype(np.float32)
    with torch.no_grad():
        scores, values, memory = policy(*models.tensors(view), (torch.from_numpy(hidden), torch.from_numpy(cell)))
    expected = by_hand(policy, view, hidden, cell)
    for output, right in zip((scores, values, *memory), expected, strict=True):
        assert np.abs(output.numpy() - right).max() < 1e-5 and np.std(right) > 0.05


def test_it_has_as_many_weights_as_the_papers(policy):
    # 16 filters of 9, 400 → 49, 99 + 120 → 4 · 120, 120 → 49, 120 → 1; torch's cell has two biases.
    expected = 16 * 10 + 401 * 49 + 4 * 120 * (99 + 120 + 2) + 121 * 49 + 121
    assert sum(weight.numel() for weight in policy.parameters()) == expected


def test_a_beginner_chooses_evenly():
    view = draw_view(200)
    with torch.no_grad():
        policy = LSTMPolicy()
        scores, _, _ = policy(*models.tensors(view), policy.blank(200))
    assert scores.softmax(1).max() < 1.1 / 49


def test_boards_side_by_side_do_not_meet(policy):
    items = records.items("tree/abstract", "generated", n=4)
    agent, views = Agent(policy, CONFIG), [draw_view(4, seed) for seed in range(3)]
    rows, state = [], None
    for view in views:
        scores, state = agent.act(view, state)
        rows.append(scores)
    for board in range(len(items)):
        state = None
        for view, scores in zip(views, rows, strict=True):
            alone, state = agent.act(view.rows(slice(board, board + 1)), state)
            assert np.abs(alone[0] - scores[board]).max() < 1e-5
    _, state = agent.act(views[1], None)
    assert np.abs(rows[0] - agent.act(views[0], state)[0]).max() > 1e-3  # memory matters


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


def spoil(how):
    def write(path, policy):
        saved(path, policy)
        how(path)

    return write


def change(**tensors):
    """Return a way to write the file with some tensors replaced, or left out where they are None."""

    def how(path):
        from safetensors import safe_open

        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata()
        arrays = load_file(path) | {name.replace("__", "."): array for name, array in tensors.items()}
        save_file({name: array for name, array in arrays.items() if array is not None}, path, metadata)

    return how


HALF = np.float16
SPOILT = {
    "missing": (lambda path, policy: None, "agent.safetensors"),
    "empty": (lambda path, policy: path.write_bytes(b""), "agent.safetensors"),
    "text": (lambda path, policy: path.write_text("no agent\n" * 50), "agent.safetensors"),
    "array": (lambda path, policy: np.save(path.open("wb"), np.zeros((49, 49))), "agent.safetensors"),
    "cut in the header": (spoil(lambda path: path.write_bytes(path.read_bytes()[:200])), "agent.safetensors"),
    "cut in half": (spoil(lambda p: p.write_bytes(p.read_bytes()[: p.stat().st_size // 2])), "agent.safetensors"),
    "cut by a byte": (spoil(lambda path: path.write_bytes(path.read_bytes()[:-1])), "agent.safetensors"),
    "foreign": (lambda path, policy: save_file({"w": np.zeros(3, HALF)}, path), "another program"),
    "another board size": (
        spoil(change(scores__weight=np.zeros((16, 120), HALF), scores__bias=np.zeros(16, HALF))),
        r"agent for boards of 7×7 tiles, scores.bias of shape \(49,\), got .*shape \(16,\)",
    ),
    "a layer too few": (spoil(change(dense__bias=None)), "without dense.bias"),
    "a layer too many": (spoil(change(dense__twin=np.zeros(3, HALF))), "which has no dense.twin"),
    "no memory": (spoil(change(cell__weight_hh=None)), "an agent for boards of 7×7 tiles"),
    "not a number": (spoil(change(value__bias=np.array([np.nan], HALF))), "not finite"),
    "whole numbers": (spoil(change(value__bias=np.array([1], np.int64))), "not finite"),
}


@pytest.mark.parametrize("kind", SPOILT)
def test_a_file_that_holds_no_agent_is_one_sentence_that_names_it(kind, tmp_path, policy):
    path = tmp_path / "agent.safetensors"
    write, words = SPOILT[kind]
    write(path, policy)
    with pytest.raises(InputError, match=words) as error:
        training.read(path)
    message = str(error.value)
    assert str(path) in message and message.startswith("wanted ") and "\n" not in message


def test_what_is_not_shipped_is_named():
    with pytest.raises(InputError, match="wanted a condition .*did you mean 'copy/abstract'"):
        training.load("lstm", task="copy/abstrakt")
    with pytest.raises(InputError, match="wanted an agent that is shipped .*lstm-connected-.* more.*verified-s99"):
        training.load("lstm", seed=99, task="copy/abstract")


def test_the_gradients_by_hand_are_those_of_the_graph(policy):
    """Clicks of several boards, some of which end on the way, from a memory that is not blank."""
    nn.init.normal_(policy.value.weight, std=0.5)
    rng, memory = np.random.default_rng(3), [torch.randn(32, 120) * 0.3 for _ in range(2)]
    views, running = [draw_view(32, seed) for seed in range(6)], torch.from_numpy(rng.random((6, 32)) < 0.8)
    slopes = []
    for rollout in (networks.Rollout(policy, memory), policy.rollout(memory, 6)):
        for view, on in zip(views, running, strict=True):
            rollout.look(*models.tensors(view))
            rollout.go_on(on)
        scores, values = rollout.outputs()
        torch.manual_seed(0)
        loss = (scores * torch.randn_like(scores)).mean() + (values * torch.randn_like(values)).mean()
        slopes.append([loss.detach(), *rollout.memory, *torch.autograd.grad(loss, list(policy.parameters()))])
    for by_graph, by_hand in zip(*slopes, strict=True):
        assert (by_graph - by_hand).abs().max() <= 1e-3 * by_graph.abs().max() and by_graph.abs().max() > 0
