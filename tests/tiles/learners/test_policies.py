"""The networks that can play: each against plain arithmetic, in training, under both profiles, and one of your own."""

from __future__ import annotations

import copy
import math
from dataclasses import replace

import msgspec
import numpy as np
import pytest
import torch
from torch import nn

from cogkit.data.results import manifest
from cogkit.learning import checkpoints, run
from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, models, policies, training
from cogkit.tiles.learners.agents import AgentConfig
from cogkit.tiles.learners.networks import Policy
from cogkit.tiles.problems import records
from cogkit.tiles.rules.game import Game, View

pytestmark = pytest.mark.usefixtures("one_thread")

# Small networks of every kind; the sizes inside are the smallest that its heads of attention allow.
UNITS = {"lstm": 24, "epn": 24, "transformer": 16, "corelnet": 64, "corelnet-colour": 64, "convolutional": 6}
REMEMBERING = {"lstm": [24, 24], "epn": [24, 24, 49, (10, 147), 10]}
each_policy = pytest.mark.parametrize("name", policies.names())


def small(name: str, task: str = "pyramid/abstract", **changes) -> AgentConfig:
    units = UNITS[name.removeprefix("supervised-").removesuffix("-2m")]
    return AgentConfig(task, **{"agent": name, "updates": 8, "boards": 12, "clicks": 5, "units": units} | changes)


def made(name: str, seed: int = 0) -> Policy:
    """Return a small network in which every weight matters, biases and last layers too."""
    torch.manual_seed(seed)
    policy = models.build(small(name))
    with torch.no_grad():
        for weight in policy.parameters():
            weight += 0.15 * torch.randn_like(weight)
    return policy


def weights(policy: Policy) -> dict[str, np.ndarray]:
    return {name: value.detach().double().numpy() for name, value in policy.state_dict().items()}


def views(n: int = 5, clicks: int = 14, seed: int = 0, rule: str = "rectangle") -> list[View]:
    """Return what n boards look like before each of some random clicks, as copies."""
    boards, rng = records.sample(rule, n, seed), np.random.default_rng(seed)
    game, seen = Game(boards, records.draw_starts(boards, seed)), []
    for _ in range(clicks):
        seen.append(copy.deepcopy(game.view()))
        game.step(scoring.choose_tiles(np.zeros((n, 49)), game.view().mask, "sample", rng.random(n)))
    assert not game.done.any()
    return seen


def outputs(policy: Policy, seen: list[View]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the scores and values of each view in turn, from a blank memory on."""
    memory, told = policy.blank(len(seen[0].board)), []
    with torch.no_grad():
        for view in seen:
            scores, values, memory = policy(*models.tensors(view), memory)
            told.append((scores.numpy(), values.numpy()))
    return told


def assert_same(told, expected) -> None:
    for (scores, values), (right_scores, right_values) in zip(told, expected, strict=True):
        assert np.std(right_scores) > 0.05 and np.std(right_values) > 0  # else any answer would do
        assert scores == pytest.approx(right_scores, rel=1e-4, abs=1e-4)
        assert values == pytest.approx(right_values, rel=1e-4, abs=1e-4)


def dense(w: dict, layer: str, inputs: np.ndarray) -> np.ndarray:
    return inputs @ w[f"{layer}.weight"].T + w[f"{layer}.bias"]


def heads(w: dict, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two layers of 64 with tanh for the choices, and two for the value (facts § 4.3)."""
    both = []
    for head in ("actor", "critic"):
        hidden = np.tanh(dense(w, f"{head}.second", np.tanh(dense(w, f"{head}.first", features))))
        both.append(dense(w, f"{head}.last", hidden))
    assert w["actor.first.weight"].shape[0] == w["critic.second.weight"].shape[0] == 64
    return both[0], both[1][:, 0]


def one_hot(board: np.ndarray) -> np.ndarray:
    return np.stack([board == state for state in (-1, 0, 1)], axis=-1).astype(float)


# --- each network by hand -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["corelnet", "corelnet-colour"])
def test_corelnet_is_the_formula(name):
    """§ 4.4: a row's softmax over ones and zeros is e or 1, over how many are alike and how many are not."""
    policy = made(name)
    w, seen = weights(policy), views()
    expected = []
    for view in seen:
        relations = np.empty((len(view.board), 49, 49))
        for board, matrix in zip(view.board, relations, strict=True):
            for i in range(49):
                alike = sum(board[j] == board[i] for j in range(49))
                for j in range(49):
                    matrix[i, j] = (math.e if board[i] == board[j] else 1) / (alike * math.e + 49 - alike)
        features = relations.reshape(-1, 2401)
        if name == "corelnet-colour":
            features = np.concatenate([features, one_hot(view.board).reshape(-1, 147)], axis=1)
        assert w["first.weight"].shape == (64, features.shape[1])
        expected.append(heads(w, dense(w, "second", np.maximum(dense(w, "first", features), 0))))
    assert_same(outputs(policy, seen), expected)


def test_only_corelnet_is_colour_blind():
    """Covered, blue and red are exchanged on all tiles at once."""
    view = views()[8]
    for name in policies.names():
        policy = made(name)
        before = outputs(policy, [view])[0]
        differ = []
        for states in ((0, 1, -1), (1, -1, 0), (0, -1, 1), (-1, 1, 0), (1, 0, -1)):
            exchanged = replace(view, board=np.choose(view.board + 1, states).astype(np.int8))
            scores, values = outputs(policy, [exchanged])[0]
            differ.append(max(abs(scores - before[0]).max(), abs(values - before[1]).max()))
        assert (max(differ) < 1e-5) if name == "corelnet" else (min(differ) > 1e-3), name


def test_the_transformer_is_made_of_torchs_layers():
    """§ 4.3: a class token, learned positions, pre-norm layers with GELU; the class token alone is read."""
    policy, units = made("transformer"), UNITS["transformer"]
    w, seen = weights(policy), views()
    layers = []
    for k in range(2):
        layer = nn.TransformerEncoderLayer(units, 4, 2 * units, 0.0, "gelu", norm_first=True, batch_first=True)
        part = {name.removeprefix(f"layers.{k}."): value for name, value in w.items()}
        arrays = {
            "self_attn.in_proj_weight": np.concatenate([part["query.weight"], part["pair.weight"]]),
            "self_attn.in_proj_bias": np.concatenate([part["query.bias"], part["pair.bias"]]),
        }
        ours = {"self_attn.out_proj": "joined", "linear1": "wide", "linear2": "narrow", "norm1": "before",
                "norm2": "between"}  # fmt: skip
        for kind in ("weight", "bias"):
            arrays |= {f"{theirs}.{kind}": part[f"{name}.{kind}"] for theirs, name in ours.items()}
        layer.double().load_state_dict({name: torch.from_numpy(value) for name, value in arrays.items()})
        layers.append(layer.eval())
    norm = nn.LayerNorm(units).double()
    norm.load_state_dict({kind: torch.from_numpy(w[f"norm.{kind}"]) for kind in ("weight", "bias")})
    assert w["positions"].shape == (50, units)
    expected = []
    for view in seen:
        embedded = dense(w, "embedding", one_hot(view.board))
        tokens = (
            np.concatenate([np.broadcast_to(w["token"], (len(embedded), 1, units)), embedded], axis=1) + w["positions"]
        )
        tokens = torch.from_numpy(tokens)
        with torch.no_grad():
            for layer in layers:
                tokens = layer(tokens)
            expected.append(heads(w, norm(tokens[:, 0]).numpy()))
    assert_same(outputs(policy, seen), expected)


def lstm_inputs(w: dict, view: View) -> np.ndarray:
    """§ 4.1: 16 filters of 3×3 without padding, 49 units, the last tile as a one-hot, and the reward in tenths."""
    pixels = np.choose(view.board + 1, [0.0, 0.5, 1.0]).reshape(-1, 7, 7)
    places = np.stack([pixels[:, r : r + 3, c : c + 3].reshape(-1, 9) for r in range(5) for c in range(5)], axis=1)
    places = np.maximum(dense(w, "filters", places), 0).reshape(len(pixels), 400)
    last = np.array([[float(tile == t) for t in range(49)] for tile in view.last_action])
    return np.concatenate([np.maximum(dense(w, "dense", places), 0), last, view.last_reward[:, None] / 10], axis=1)


def lstm_outputs(policy: Policy, inputs: list[np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
    """What torch's own cell makes of the inputs, in double precision."""
    cell, w, memory, told = copy.deepcopy(policy.cell).double(), weights(policy), None, []
    for one in inputs:
        with torch.no_grad():
            memory = cell(torch.from_numpy(one), memory)
        hidden = memory[0].numpy()
        told.append((dense(w, "scores", hidden), dense(w, "value", hidden)[:, 0]))
    return told


def test_the_lstm_goes_on_as_torchs_cell_does():
    policy, seen = made("lstm"), views()
    w = weights(policy)
    assert_same(outputs(policy, seen), lstm_outputs(policy, [lstm_inputs(w, view) for view in seen]))


def elu(x):
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))


def attended(w: dict, slots: list, board: np.ndarray) -> np.ndarray:
    """§ 4.2 in plain Python: attention over at most ten clicks, the last ones, before which slots are empty."""
    clicks = [np.concatenate(click) for click in slots[-10:]]
    empty = 10 - len(clicks)
    seen = dense(w, "slot", np.array([*[np.zeros(147)] * empty, *clicks])) + dense(w, "now", board)
    for slot in range(10):
        for k in range(16):
            rate = 10_000 ** (-2 * k / 32)
            seen[slot, 2 * k] += math.sin(slot * rate)
            seen[slot, 2 * k + 1] += math.cos(slot * rate)
    normed = (seen - seen.mean()) / math.sqrt(seen.var() + 1e-5) * w["norm.weight"] + w["norm.bias"]
    query, key, value = np.split(dense(w, "heads", normed), 3, axis=1)
    answer, visible = np.empty((10, 32)), range(empty, 10) if clicks else range(10)
    for head in range(4):
        part = slice(8 * head, 8 * head + 8)
        for slot in range(10):
            weight = {k: math.exp(query[slot, part] @ key[k, part] / math.sqrt(8)) if clicks else 1.0 for k in visible}
            answer[slot, part] = sum(weight[k] * value[k, part] for k in visible) / sum(weight.values())
    answer = elu(dense(w, "joined", answer) + seen)
    return elu(dense(w, "second", elu(dense(w, "first", answer)))).max(axis=0)


@pytest.mark.parametrize("told", ["current", "lagged"])
def test_the_epn_is_an_lstm_that_recalls_its_last_ten_clicks(told):
    """Whatever is told of the last click, the memory holds what happened on this board."""
    policy, seen = made("epn"), views(clicks=14)
    if told == "lagged":  # as a board that follows another one: its last click is told twice, then the others
        actions = [np.full(5, 40), np.full(5, 40), *(view.last_action for view in seen[1:-1])]
        seen = [replace(view, last_action=action) for view, action in zip(seen, actions, strict=True)]
    w, inputs = weights(policy), []
    for number, view in enumerate(seen):
        more = []
        for k, board in enumerate(view.board.astype(float)):
            slots = []
            for before, after in zip(seen[:number], seen[1 : number + 1], strict=True):
                tile = (before.board[k] != after.board[k]).astype(float)
                assert tile.sum() == 1
                slots.append((before.board[k], tile, after.board[k]))
            more.append(attended(w, slots, board))
        inputs.append(np.concatenate([lstm_inputs(w, view), more], axis=1))
    assert_same(outputs(policy, seen), lstm_outputs(policy, inputs))


def test_the_convolutional_network_by_hand():
    policy, units = made("convolutional"), UNITS["convolutional"]
    w, view = weights(policy), views(n=3)[9]

    def filtered(layer: str, features: np.ndarray) -> np.ndarray:
        weight, out = w[f"{layer}.weight"], np.empty((len(features), 7, 7, len(w[f"{layer}.weight"])))
        for r in range(7):
            for c in range(7):
                total = w[f"{layer}.bias"]
                for down in (-1, 0, 1):
                    for across in (-1, 0, 1):
                        if 0 <= r + down < 7 and 0 <= c + across < 7:  # beyond the edge there is nothing
                            total = total + features[:, r + down, c + across] @ weight[:, :, 1 + down, 1 + across].T
                out[:, r, c] = total
        return out

    features = filtered("first", one_hot(view.board).reshape(-1, 7, 7, 3))
    assert features.shape[3] == units
    for block in range(3):
        active = np.maximum(features, 0)
        mean = dense(w, f"blocks.{block}.mean", active.mean(axis=(1, 2)))
        inner = filtered(f"blocks.{block}.first", active) + mean[:, None, None]
        features = features + filtered(f"blocks.{block}.second", np.maximum(inner, 0))
    features = np.maximum(features, 0)
    scores = (features @ w["scores.weight"].reshape(units) + w["scores.bias"]).reshape(-1, 49)
    assert_same(outputs(policy, [view]), [(scores, dense(w, "value", features.mean(axis=(1, 2)))[:, 0])])


# --- what all have in common ----------------------------------------------------------------------------------------


def test_there_are_six_and_each_has_a_title_of_its_own():
    assert policies.names() == sorted(UNITS)
    assert len({policies.of(name).title for name in UNITS}) == 6
    assert all(issubclass(policies.of(name), Policy) for name in UNITS)


@each_policy
def test_boards_side_by_side_do_not_meet(name):
    policy, seen = made(name), views()
    together = outputs(policy, seen)
    for k in range(5):
        alone = outputs(policy, [view.rows(slice(k, k + 1)) for view in seen])
        for (scores, values), (all_scores, all_values) in zip(alone, together, strict=True):
            assert scores[0] == pytest.approx(all_scores[k], abs=1e-5)
            assert values[0] == pytest.approx(all_values[k], abs=1e-5)


@each_policy
def test_memory_is_blank_at_first_and_matters_where_there_is_one(name):
    policy, seen = made(name), views()
    memory = policy.blank(7)
    shapes = [(7, *(size if isinstance(size, tuple) else (size,))) for size in REMEMBERING.get(name, [])]
    assert [tuple(part.shape) for part in memory] == shapes and not any(part.any() for part in memory)
    now = outputs(policy, seen[:6])[-1]
    for past in (seen[4:6], seen[5:6]):  # the same board, and less of what came before it
        difference = abs(outputs(policy, past)[-1][0] - now[0]).max()
        assert difference > 1e-3 if memory else difference == 0


@each_policy
def test_a_beginner_chooses_evenly_and_expects_little(name):
    with torch.random.fork_rng():
        torch.manual_seed(2)
        policy = models.build(AgentConfig("copy/abstract", agent=name, units=agents.config(name, "lab").units))
    for scores, values in outputs(policy, views(n=20)):
        assert torch.from_numpy(scores).softmax(1).max() < 1.1 / 49
        assert -2 < values.mean() < 0  # tenths of points: one who clicks at random loses some


@pytest.mark.parametrize("profile", ["verified", "as_published"])
@each_policy
def test_every_board_begins_with_a_blank_memory(name, profile):
    """The first look at a board is one at which nothing was clicked; a click later the memory holds something."""
    fit = training.train(small(name, updates=30), 1, profile)
    state, begun = fit.result.state, []

    def look(module, inputs):
        _, action, _, memory = inputs
        first = torch.from_numpy(state.game.steps == 0)
        begun.append(int(first.sum()))
        assert len(memory) == len(REMEMBERING.get(name, []))
        assert all(not part[first].any() for part in memory)
        for part in memory[:2]:
            assert part[~first].flatten(1).any(1).all()
        if profile == "verified":
            assert (action[first] == -1).all() and (action[~first] >= 0).all()

    handle = state.modules["policy"].register_forward_pre_hook(look)
    run(fit)
    handle.remove()
    assert sum(begun) > 12 + 12  # another board has begun in the place of each


@pytest.mark.parametrize("name", [*policies.names(), "supervised-corelnet-colour"])
def test_saved_is_read_again_as_the_same_agent(name, tmp_path):
    config = small(name, updates=2)
    agent = training.to_agent(run(training.train(config, 5)))
    details = manifest(f"tiles/{name}/pyramid/abstract", config, "verified", "quick", 5, 1.0)
    again = training.read(training.save(agent, tmp_path / "agent.safetensors", details))
    assert again.config == config and (again.name, again.choose, again.seed) == (agent.name, agent.choose, 5)
    assert type(again.network) is policies.of(config.policy)
    boards = records.items("pyramid/abstract", "generated", n=6)
    first, second = (scoring.judge(player, boards, passes=2) for player in (agent, again))
    assert (first.actions == second.actions).all() and first.finished.all()


def whole(path) -> dict:
    """Return all that a checkpoint holds but the seconds that it took."""
    saved = checkpoints.read(path)
    tensors = {name: (str(tensor.dtype), tensor.numpy().tobytes()) for name, tensor in saved.tensors.items()}
    return tensors | msgspec.to_builtins(msgspec.structs.replace(saved.facts, seconds=0.0, cpu_seconds=0.0))


@pytest.mark.parametrize("name", [*policies.names(), "supervised-epn"])
def test_it_trains_and_resumed_it_is_the_straight_run_bit_for_bit(name, tmp_path):
    config = small(name)

    def fit(path, steps=config.updates):
        made = training.train(config, 3, checkpoint=path, evaluate_every=4)
        made.steps = steps
        return made

    straight = fit(tmp_path / "straight")
    begun = {key: value.clone() for key, value in straight.result.state.modules["policy"].state_dict().items()}
    result = run(straight)
    ended = result.state.modules["policy"].state_dict()
    moved = {key for key in begun if not torch.equal(begun[key], ended[key])}
    # an agent that is shown boards learns no values
    learnt = {key for key in begun if not (config.shown and key.startswith("value."))}
    assert moved == learnt and all(value.isfinite().all() for value in ended.values())
    always = result.log.drop(columns=["blue", "validation"])
    assert len(result.log) == 8 and np.isfinite(always).all(axis=None)
    assert result.log.validation.notna().tolist() == [False, False, False, True] * 2
    for steps in (3, 5, 8):  # stopped twice, once between an evaluation and the next
        run(fit(tmp_path / "stopped", steps))
    first, second = whole(tmp_path / "straight"), whole(tmp_path / "stopped")
    assert first.keys() == second.keys() and len(first) > 20
    assert [key for key in first if first[key] != second[key]] == []
    assert sum(key.startswith("arrays/memory") for key in first) == len(REMEMBERING.get(config.policy, []))
