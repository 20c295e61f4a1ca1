"""The speed of learning beside JAX: the whole update of the same network, boards and losses as one compiled program.

Not part of the test run; the rival comes with ``pip install -e ".[bench]"``. Some minutes::

    OMP_NUM_THREADS=1 .venv/bin/python -m pytest -o addopts="" tests/benchmarks/test_bench_training_jax.py

The rival is written as PureJaxRL does it: boards, clicks and learning are one program of XLA, and many updates run
without a return to Python. It keeps the activity of its clicks for the gradients, as ours does. Times are processor
time of one process, with one thread for both; no time is asserted. The rival gets the best number of boards and of
clicks an update of those tried here, in the same run.
"""

from __future__ import annotations

import os
import time
from functools import partial
from itertools import product
from statistics import median

import numpy as np
import pytest
import torch

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
import jax
import jax.numpy as jnp

from cogkit.tiles.learners import agents, training
from cogkit.tiles.learners.policies import lstm
from cogkit.tiles.rules.boards import SIZE, TILES, Items
from cogkit.tiles.rules.game import COVERED

_CONFIG = agents.config("lstm", "lab", task="rectangle/abstract")
_TOTAL = _CONFIG.recipe.steps * _CONFIG.recipe.batch * _CONFIG.clicks
_NUMBERS, _CLICKS = (64, 128, 256, 512), (_CONFIG.clicks, 16)
_AT_ONCE = 20  # updates between two returns to Python
_BLUE, _RED, _LAST = -1.0, 1.0, 10.0  # points; open tiles are masked
_ADAM = 0.9, 0.999, 1e-5

pytestmark = [pytest.mark.usefixtures("one_thread"), pytest.mark.timeout(0)]


def weights(policy: lstm.Policy) -> dict:
    return {name: jnp.asarray(value.detach().numpy()) for name, value in policy.named_parameters()}


def look(w: dict, board, action, reward, hidden, cell):
    """Return scores (n, 49), values (n,), hidden and cell state, as `lstm.Policy` does."""
    pixels = ((board + 1) / 2).astype(jnp.float32).reshape(-1, SIZE, SIZE, 1)
    filters = w["filters.weight"].T.reshape(3, 3, 1, -1)
    places = jax.lax.conv_general_dilated(pixels, filters, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    places = jax.nn.relu(places + w["filters.bias"]).reshape(len(board), -1)
    seen = jax.nn.relu(places @ w["dense.weight"].T + w["dense.bias"])
    inputs = jnp.concatenate([seen, jax.nn.one_hot(action, TILES), reward[:, None] / 10], axis=1)
    gates = inputs @ w["cell.weight_ih"].T + w["cell.bias_ih"] + hidden @ w["cell.weight_hh"].T + w["cell.bias_hh"]
    into, keep, new, out = jnp.split(gates, 4, axis=1)
    cell = jax.nn.sigmoid(keep) * cell + jax.nn.sigmoid(into) * jnp.tanh(new)
    hidden = jax.nn.sigmoid(out) * jnp.tanh(cell)
    return (
        hidden @ w["scores.weight"].T + w["scores.bias"],
        hidden @ w["value.weight"][0] + w["value.bias"],
        hidden,
        cell,
    )


class Rival:
    """Boards ``items`` in turn, ``n`` at once, ``clicks`` an update."""

    def __init__(self, items: Items, n: int, clicks: int) -> None:
        self.how = f"{n} boards × {clicks} clicks"
        self._boards = jnp.asarray(items.boards.reshape(-1, TILES).astype(np.int8))
        self._starts, self._size = jnp.asarray(items.starts), n * clicks
        torch.manual_seed(0)
        w = weights(lstm.Policy(_CONFIG.units))
        nothing = jax.tree.map(jnp.zeros_like, w)
        none = jnp.zeros(n)
        game = self._fresh(jnp.arange(n)) + (jnp.full(n, -1), none, *jnp.zeros((2, n, _CONFIG.units)))
        self.state = w, nothing, nothing, game, jnp.int32(n), jnp.int32(0), jax.random.key(0)
        self._run = jax.jit(partial(jax.lax.scan, partial(self._update, clicks=clicks), length=_AT_ONCE))
        self.metrics = None

    @property
    def clicks(self) -> int:
        return int(self.state[5]) * self._size

    def train(self) -> None:
        self.state, self.metrics = jax.block_until_ready(self._run(self.state, None))

    def _fresh(self, which):
        boards, starts = self._boards[which % len(self._boards)], self._starts[which % len(self._boards)]
        rows = jnp.arange(len(boards))
        return boards, jnp.full(boards.shape, COVERED, jnp.int8).at[rows, starts].set(1), boards.sum(1) - 1

    def _click(self, w, carry, _):
        (boards, observations, left, action, reward, hidden, cell), taken, key = carry
        scores, values, hidden, cell = look(w, observations, action, reward, hidden, cell)
        scores = jnp.where(observations == COVERED, scores, -1e9)
        key, own = jax.random.split(key)
        tile = jax.random.categorical(own, jax.lax.stop_gradient(scores))
        rows = jnp.arange(len(tile))
        red = boards[rows, tile]
        left = left - red
        done = left == 0
        points = jnp.where(red == 0, _BLUE, jnp.where(done, _LAST, _RED))
        blue = ((observations == 0).sum(1) + (red == 0)).astype(jnp.float32)
        current = boards, observations.at[rows, tile].set(red), left, tile, points, hidden, cell
        number = taken + jnp.cumsum(done) - done
        zero = jnp.zeros_like(hidden)
        new = *self._fresh(number), jnp.full_like(tile, -1), jnp.zeros_like(points), zero, zero
        game = jax.tree.map(lambda a, b: jnp.where(done.reshape(-1, *[1] * (a.ndim - 1)), a, b), new, current)
        return (game, taken + done.sum(), key), (scores, values, tile, points * _CONFIG.reward_scale, ~done, blue)

    def _loss(self, w, game, taken, key, remainder, clicks):
        after, rollout = jax.lax.scan(partial(self._click, w), (game, taken, key), length=clicks)
        scores, values, tiles, rewards, not_done, blue = rollout
        _, observations, _, action, reward, hidden, cell = after[0]
        expected = jax.lax.stop_gradient(values)
        next_value = jax.lax.stop_gradient(look(w, observations, action, reward, hidden, cell)[1])

        def back(carry, now):
            later, advantage = carry
            value, reward, on = now
            advantage = reward + _CONFIG.gamma * later * on - value + _CONFIG.gamma * _CONFIG.lam * advantage * on
            return (value, advantage), advantage

        _, advantages = jax.lax.scan(
            back, (next_value, jnp.zeros_like(next_value)), (expected, rewards, not_done), reverse=True
        )
        z = (advantages - advantages.mean()) / (advantages.std(ddof=1) + 1e-8)
        logs = jax.nn.log_softmax(scores)
        chosen = jnp.take_along_axis(logs, tiles[:, :, None], axis=2)[:, :, 0]
        entropy = -(jnp.exp(logs) * logs).sum(2).mean()
        policy, value = -(z * chosen).mean(), ((values - advantages - expected) ** 2).mean()
        loss = policy + _CONFIG.value * value - remainder * _CONFIG.entropy * entropy
        return loss, (after, loss, (blue * ~not_done).sum() / jnp.maximum((~not_done).sum(), 1))

    def _update(self, state, _, clicks):
        w, first, second, game, taken, count, key = state
        remainder = 1 - count * self._size / _TOTAL
        slopes, ((game, taken, key), loss, blue) = jax.grad(self._loss, has_aux=True)(
            w, game, taken, key, remainder, clicks
        )
        game = jax.lax.stop_gradient(game)
        norm = jnp.sqrt(sum((slope**2).sum() for slope in slopes.values()))
        slopes = {name: slope * jnp.minimum(1, _CONFIG.recipe.clip / (norm + 1e-6)) for name, slope in slopes.items()}
        a, b, eps = _ADAM
        count = count + 1
        first = {k: a * first[k] + (1 - a) * slopes[k] for k in w}
        second = {k: b * second[k] + (1 - b) * slopes[k] ** 2 for k in w}
        rate = remainder * _CONFIG.recipe.learning_rate
        w = {k: w[k] - rate * first[k] / (1 - a**count) / (jnp.sqrt(second[k] / (1 - b**count)) + eps) for k in w}
        return (w, first, second, game, taken, count, key), (loss, blue)


class Ours:
    def __init__(self) -> None:
        fit = training.train(_CONFIG, 0, evaluate_every=_CONFIG.recipe.steps + 1, log_every=_CONFIG.recipe.steps)
        self._turns, self.clicks = fit._turns(), 0
        self._an_update = _CONFIG.recipe.batch * _CONFIG.clicks

    def train(self) -> None:
        for _ in range(_AT_ONCE):
            next(self._turns)
        self.clicks += _AT_ONCE * self._an_update


def speed(side, seconds: float) -> float:
    """Return clicks a second of processor time."""
    start, clicks = time.process_time(), side.clicks
    while (spent := time.process_time() - start) < seconds:
        side.train()
    return (side.clicks - clicks) / spent


def test_both_are_the_same_net(network, rollout):
    w, memory = weights(network), tuple(jnp.asarray(part.numpy()) for part in network.blank(64))
    for view, scores, values in rollout:
        theirs, worth, *memory = look(w, view.board, view.last_action, view.last_reward, *memory)
        np.testing.assert_allclose(theirs, scores, atol=1e-5, rtol=1e-4)
        np.testing.assert_allclose(worth, values, atol=1e-5, rtol=1e-4)


def test_the_rival_learns(items):
    """From about 26 blue tiles a board to fewer than half within a million clicks, as ours does."""
    rival = Rival(items, 256, 6)
    while rival.clicks < 1_000_000:
        rival.train()
    loss, blue = rival.metrics
    assert np.isfinite(loss).all() and np.mean(blue) < 13


def test_speed(items):
    speeds = {}
    for setting in product(_NUMBERS, _CLICKS):
        rival = Rival(items, *setting)
        for _ in range(2):  # compiles, and once more for the types that come out
            rival.train()
        speeds[setting] = speed(rival, 1.0)
    sides = Ours(), Rival(items, *max(speeds, key=lambda setting: speeds[setting]))
    for side in 2 * sides:
        side.train()
    rounds = [[speed(side, 3.0) for side in sides] for _ in range(5)]
    ratios = sorted(ours / rival for ours, rival in rounds)
    print("\n", ", ".join(f"{n}×{clicks} {value / 1e3:.1f}" for (n, clicks), value in speeds.items()))
    ours, rival = (median(column) for column in zip(*rounds, strict=True))
    print(f"training clicks per CPU-s: ours {ours:,.0f}, JAX {rival:,.0f} ({sides[1].how}), ratio "
          f"{ratios[2]:.1f} ({ratios[0]:.1f}-{ratios[-1]:.1f})")  # fmt: skip
