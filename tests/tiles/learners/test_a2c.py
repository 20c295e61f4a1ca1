"""Training of the agents: its arithmetic by hand, what it may see, what it learns, and exact resuming."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from cogkit.core.presets import changed
from cogkit.learning import run
from cogkit.tiles.learners import agents, models, training
from cogkit.tiles.learners.agents import AgentConfig
from cogkit.tiles.rules.boards import to_bits

TINY = changed(AgentConfig("zigzag/abstract"), steps=30, batch=64, clicks=5, units=16, metamers=3000)


pytestmark = pytest.mark.usefixtures("one_thread")


def test_advantages_are_the_sums_of_the_definition():
    rng = np.random.default_rng(0)
    rewards, values = rng.normal(size=(2, 7, 5))
    next_value, not_done, gamma, lam = rng.normal(size=5), rng.random((7, 5)) < 0.7, 0.9, 0.6
    parts = (torch.from_numpy(part) for part in (rewards, values, next_value, not_done))
    advantages = training.generalised_advantages(*parts, gamma, lam).numpy()
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


@pytest.mark.parametrize("normalise", [True, False])
def test_the_losses_are_the_formulas(normalise):
    torch.manual_seed(1)
    clicks, boards, config = 4, 6, replace(TINY, gamma=0.8, lam=0.7, normalise=normalise)
    scores = torch.randn(clicks, boards, 49, dtype=torch.float64)
    scores[torch.rand(clicks, boards, 49) < 0.4] = -1e9
    values, rewards = torch.randn(2, clicks, boards, dtype=torch.float64)
    tiles, not_done = scores.argmax(2), torch.rand(clicks, boards) < 0.8
    hidden, next_value = torch.zeros(clicks, boards, 49), torch.randn(boards, dtype=torch.float64)
    rollout = training.Rollout(scores, values, tiles, rewards, not_done, hidden, next_value)
    advantages = training.generalised_advantages(rewards, values, rollout.next_value, not_done, 0.8, 0.7)
    policy_loss, value_loss, entropy = (part.item() for part in training.losses(rollout, advantages, config))
    advantages = advantages.numpy().ravel()
    chance = np.exp(scores.numpy().reshape(-1, 49))
    chance /= chance.sum(axis=1, keepdims=True)
    logs = np.log(chance[np.arange(24), tiles.numpy().ravel()])
    scaled = (advantages - advantages.mean()) / advantages.std(ddof=1) if normalise else advantages
    assert policy_loss == pytest.approx(-(scaled * logs).mean(), rel=1e-6)
    assert value_loss == pytest.approx((advantages**2).mean(), rel=1e-9)
    entropies = [-sum(p * math.log(p) for p in row if p > 0) for row in chance]
    assert entropy == pytest.approx(np.mean(entropies), rel=1e-9) and min(entropies) > 0


def test_the_program_is_one_environment_for_two_million_clicks_within_the_ranges_of_its_files():
    """Facts §§ 4.1 and 4.6."""
    config = agents.config("lstm-program", "paper")
    recipe = config.recipe
    assert config.budget == 2_000_000 and recipe.batch == 1 and config.clicks in (2, 4, 6, 8, 10)
    assert (recipe.optimiser, recipe.clip, config.gamma, config.lam) == ("rmsprop", 0.5, 0.9, 1)
    assert (config.reward_scale, config.normalise, config.units) == (1, False, 120)
    assert 3.1e-4 <= recipe.learning_rate <= 5.7e-3 and 1.2e-8 <= config.entropy <= 6.2e-2
    assert 1.0e-3 <= config.value <= 6.4e-2 and recipe.schedule in ("constant", "linear")


def test_a_step_of_the_program_is_rmsprop_on_the_sum_of_its_losses(use_mirror):
    """A mean square of .99 of itself and .01 of the new, and a bonus and a rate that stay as they are."""
    config = agents.config("lstm-program", "quick", task="zigzag/abstract", steps=2, units=8, clip=1e9)
    fit, parts, square = training.train(config, 0, "as_published"), [], 0.0
    state = fit.result.state
    policy, optimiser = state.modules["policy"], state.optimisers["adam"]
    weight = policy.value.weight
    optimiser.register_step_pre_hook(lambda *_: parts.append((weight.grad.clone(), weight.detach().clone())))
    run(fit)
    parts.append((None, weight.detach()))
    for (slope, before), (_, after) in zip(parts[:-1], parts[1:], strict=True):
        assert slope.abs().max() > 0
        square = 0.99 * square + 0.01 * slope**2
        moved = 0.001 * slope / (square**0.5 + 1e-5)
        assert (before - after).numpy() == pytest.approx(moved.numpy(), rel=1e-3, abs=1e-8)


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
    small = np.array([int(word).bit_count() == 4 for word in words])
    words, starts = words[small].tolist(), starts[small].tolist()
    rank = np.array([(word & ((1 << start) - 1)).bit_count() for word, start in zip(words, starts, strict=True)])
    shares = np.bincount(rank, minlength=4) / len(rank)
    assert len(shares) == 4 and (abs(shares - 0.25) <= 4 * math.sqrt(0.25 * 0.75 / len(rank))).all()
    # A start tells nothing of the board but that its tile is red: each board has begun with each of its reds.
    common, count = Counter(words).most_common(1)[0]
    assert count > 25 and set(rank[np.array(words) == common]) == {0, 1, 2, 3}


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


def agent_of(log: pd.DataFrame) -> models.Agent:
    config = agents.AgentConfig("tree/metamer", agent="convolutional", units=2)
    agent = models.Agent(models.build(config), config)
    agent.log = log
    return agent


@pytest.mark.parametrize("looks", [0, 1, 13, 160])
def test_a_curve_is_a_few_points_of_its_log(looks):
    clicks = 1536.0 * 100 * np.arange(1, looks + 1)
    log = pd.DataFrame({"clicks": clicks, "blue": 99.0, "validation": 30 / np.arange(1, looks + 1)})
    rows = training.curve(agent_of(log))
    drawn = {float(row["metric"].removeprefix("blue, click ")): row["value"] for row in rows}
    assert len(drawn) == len(rows) <= 12 and len(rows) >= min(looks, 9)
    assert drawn == {at: log.validation[log.clicks == at].item() for at in drawn}
    assert list(drawn) == sorted(drawn) and {clicks[0], clicks[-1]} <= set(drawn) if looks else not drawn
    if looks > 12:  # at even ratios, but for the whole numbers: no gap holds over twice the clicks before it
        assert (np.diff(np.log(list(drawn))) <= np.log(2) + 1e-9).all()
    for row in rows:
        assert row["task"] == "tree/metamer" and row["who"] == "convolutional" and row["n"] == 400
        assert row["low"] is row["high"] is None and row["source"] == "generated" and row["kind"] == "model"


def test_a_cell_of_an_agent_gives_its_curve_beside_its_scores(use_mirror):
    config = changed(agents.AgentConfig("tree/abstract"), steps=101, batch=8, clicks=4, agent="corelnet", units=8)
    metrics = [row["metric"] for row in training.REGISTRY.run(config, "verified", seed=1)]
    assert metrics == ["blue", "z", "finished", "skill", "blue, click 3200"]  # validated every 100 updates
