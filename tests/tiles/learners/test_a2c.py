"""Training of the agents: its arithmetic by hand, what it may see, what it learns, and exact resuming."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from cogkit.core.presets import changed
from cogkit.learning import run
from cogkit.tiles.learners import agents, training
from cogkit.tiles.learners.agents import AgentConfig
from cogkit.tiles.problems import records
from cogkit.tiles.rules import pyramid
from cogkit.tiles.rules.boards import to_bits

TINY = changed(AgentConfig("zigzag/abstract"), steps=30, batch=64, clicks=5, units=16, metamers=3000)


pytestmark = pytest.mark.usefixtures("one_thread")


def test_advantages_are_the_sums_of_the_definition():
    rng = np.random.default_rng(0)
    rewards, values = rng.normal(size=(2, 7, 5))
    next_value, not_done, gamma, lam = rng.normal(size=5), rng.random((7, 5)) < 0.7, 0.9, 0.6
    advantages = training.generalised_advantages(
        *(torch.from_numpy(part) for part in (rewards, values, next_value, not_done)), gamma, lam
    ).numpy()
    for board in range(5):
        following = [*values[1:, board], next_value[board]]
        delta = [rewards[t, board] + gamma * following[t] * not_done[t, board] - values[t, board] for t in range(7)]
        for t in range(7):
            total, weight = 0.0, 1.0
            for later in range(t, 7):
                total += weight * delta[later]
                if not not_done[later, board]:
                    break
                weight *= gamma * lam
            assert advantages[t, board] == pytest.approx(total, abs=1e-12)


def test_the_losses_are_the_formulas():
    torch.manual_seed(1)
    clicks, boards, config = 4, 6, replace(TINY, gamma=0.8, lam=0.7)
    scores = torch.randn(clicks, boards, 49, dtype=torch.float64).masked_fill(
        torch.rand(clicks, boards, 49) < 0.4, -1e9
    )
    values, rewards = torch.randn(2, clicks, boards, dtype=torch.float64)
    tiles, not_done = scores.argmax(2), torch.rand(clicks, boards) < 0.8
    nothing = torch.zeros(clicks, boards, 49)
    rollout = training.Rollout(
        scores, values, tiles, rewards, not_done, nothing, torch.randn(boards, dtype=torch.float64)
    )
    advantages = training.generalised_advantages(rewards, values, rollout.next_value, not_done, 0.8, 0.7)
    policy_loss, value_loss, entropy = (part.item() for part in training.losses(rollout, advantages, config))
    advantages = advantages.numpy().ravel()
    chance = np.exp(scores.numpy().reshape(-1, 49))
    chance /= chance.sum(axis=1, keepdims=True)
    logs = np.log(chance[np.arange(24), tiles.numpy().ravel()])
    scaled = (advantages - advantages.mean()) / advantages.std(ddof=1)
    assert policy_loss == pytest.approx(-(scaled * logs).mean(), rel=1e-6)
    assert value_loss == pytest.approx((advantages**2).mean(), rel=1e-9)
    entropies = [-sum(p * math.log(p) for p in row if p > 0) for row in chance]
    assert entropy == pytest.approx(np.mean(entropies), rel=1e-9) and min(entropies) > 0


def test_what_is_held_out_is_in_no_pool(use_mirror):
    for task in ("zigzag/abstract", "zigzag/metamer"):
        pools = agents.pools(replace(TINY, task=task), seed=1)
        tests = [
            records.items(f"zigzag/{kind}", source).boards
            for kind in records.KINDS
            for source in ("published", "generated")
        ]
        apart = to_bits(np.concatenate([*tests, pools.validation.boards]))
        assert not np.isin(pools.train.bits, apart).any() and len(pools.train) > 30
        assert not np.isin(to_bits(pools.validation.boards), to_bits(np.concatenate(tests))).any()
        assert pools.held_out.source == "published" and pools.held_out.task == task == pools.validation.task
        assert (to_bits(pools.held_out.boards) == to_bits(records.items(task, "published").boards)).all()
        assert pools.train.probability.sum() == pytest.approx(1)


def record(fit) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return board words and start tiles of every game that a run plays, as they begin."""
    begun, game = [], fit.result.state.game
    begun.append((to_bits(game.boards.reshape(-1, 7, 7)), game.shown.argmax(axis=1)))
    restart = game.restart

    def listen(which, items, indices):
        begun.append((to_bits(items.boards[indices]), items.starts[indices]))
        restart(which, items, indices)

    game.restart = listen
    run(fit)
    return begun


def test_boards_and_starts_are_drawn_from_the_pool_and_apart(use_mirror):
    config = changed(TINY, task="pyramid/abstract", steps=60, batch=256)
    begun = record(training.train(config, 2))
    words, starts = (np.concatenate(part) for part in zip(*begun, strict=True))
    pool = agents.pools(config, 2).train
    assert np.isin(words, pool.bits).all() and len(words) > 1500
    # Every red tile of the small pyramids begins a quarter of their games, whichever board it is.
    bits, _ = pyramid()
    small = words[np.array([int(word).bit_count() == 4 for word in words])]
    assert np.isin(small, bits).all()
    rank = np.array(
        [(int(word) & ((1 << int(start)) - 1)).bit_count() for word, start in zip(words, starts, strict=True)]
    )
    of_small = np.isin(words, small)
    for place in range(4):
        share = (rank[of_small] == place).mean()
        assert abs(share - 0.25) <= 4 * math.sqrt(0.25 * 0.75 / of_small.sum())
    # A start tells nothing of the board but that its tile is red: each board has begun with each of its reds.
    often, counts = np.unique(small, return_counts=True)
    common = often[counts.argmax()]
    assert counts.max() > 25 and set(rank[words == common]) == {0, 1, 2, 3}


def test_the_agent_kept_is_the_one_that_did_best_on_validation(use_mirror):
    fit = training.train(changed(TINY, steps=30, learning_rate=0.05), 4, evaluate_every=5)
    states, scores = {}, {}
    for steps in range(5, 31, 5):
        fit.steps = steps
        state = run(fit).state
        states[steps] = {k: v.half().float() for k, v in state.modules["policy"].state_dict().items()}
        scores[steps] = fit.result.log.validation.iloc[-1]
    best = min(scores, key=scores.get)
    agent = training.to_agent(fit.result)
    assert len(set(scores.values())) > 1 and fit.result.state.scalars["best"] == scores[best]
    assert all(torch.equal(value, states[best][name]) for name, value in agent.network.state_dict().items())
