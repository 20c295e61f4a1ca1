"""Agents that learn the tile game: advantage actor-critic (A2C) on many boards side by side (Kumar et al. 2023).

A trained agent is a player like any other::

    from cogkit import tiles
    from cogkit.learning import run
    from cogkit.tiles.learners import training

    fit = tiles.train("lstm", "rectangle/abstract", steps=20, batch=32)  # any field of its config may be changed
    agent = training.to_agent(run(fit))
    rows = tiles.summarise(tiles.judge(agent, tiles.items("rectangle/abstract")))

`train` gives a `Fit`. Iterate it, stop it, or give it a ``checkpoint=`` and resume it bit for bit. In a notebook,
``async for progress in tiles.figures.live(fit)`` shows it while it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import Tensor, nn

from cogkit.core.records import result_row
from cogkit.data import results
from cogkit.learning import Fit, State, supervised
from cogkit.learning.lifecycle import Lifecycle
from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, ladder, models, policies, standards
from cogkit.tiles.learners.agents import AgentConfig
from cogkit.tiles.learners.networks import Memory, Policy
from cogkit.tiles.problems import records, splits
from cogkit.tiles.rules.boards import SIZE, TILES, Items
from cogkit.tiles.rules.game import COVERED, RED, Game, GameConfig
from cogkit.tiles.rules.support import Support

VALIDATION_GAMES = 400
_EVALUATE_EVERY, _MOST = 100, 500  # updates from one evaluation to the next, and evaluations
_POINTS = 12  # of a shipped curve
_PASSES = {"verified": 40, "as_published": 15}  # 15 is the paper's
_BLOCK = 8192
_NEVER = -1e9  # not -inf: 0 times this number is 0, so the entropy stays finite
_LOG_ODDS = -2.0  # of a red tile where a score is 0: a network that must find this rate first saturates on the way
_GAME = ("boards", "shown", "left", "blue", "score", "steps", "finished", "done")
_GAME += ("told_action", "told_reward", "last_action", "last_reward")


class Series:
    """An endless series of boards, made some thousands at a time; board k is the same in every run.

    ``make(first) -> Items`` gives any number of boards from number ``first`` on.
    """

    def __init__(self, make: Callable[[int], Items]) -> None:
        self._make, self._first, self._items = make, 0, make(0)

    def take(self, first: int, n: int) -> tuple[Items, np.ndarray]:
        """Return items, and where boards ``first`` to ``first + n - 1`` stand among them."""
        if not self._first <= first <= self._first + len(self._items) - n:
            self._first, self._items = first, self._make(first)
        return self._items, np.arange(first - self._first, first - self._first + n)


@dataclass(kw_only=True)
class TrainingState(State):
    """The state of a training run, and the boards in play, whose arrays it saves."""

    game: Game
    memory: Memory
    reset: Callable[[TrainingState, np.ndarray], None]  # puts new boards in the place of those that are over


@dataclass(frozen=True)
class Rollout:
    """What happened in the clicks of one update.

    Attributes
    ----------
    scores : (clicks, boards, steps · 49)
        With their graph; tiles that cannot be chosen have far lower scores. Most networks have one step.
    values : (clicks, boards)
        With their graph.
    tiles, rewards, not_done : (clicks, boards)
        The tile chosen, its scaled reward, and whether the board went on.
    hidden : (clicks, boards, 49) int8
        1 for a covered red tile, 0 for a covered blue one, -1 for an open one.
    next_value : (boards,)
        The value of what follows.
    """

    scores: Tensor
    values: Tensor
    tiles: Tensor
    rewards: Tensor
    not_done: Tensor
    hidden: Tensor
    next_value: Tensor


def train(config: AgentConfig, seed: int, profile: str = "verified", **options) -> Fit:
    """Return the training run of an agent; ``options`` go to `learning.Fit`.

    A step is one update. Metrics: ``blue``, mean blue tiles of the boards that ended in it; ``entropy`` of the choices
    in nats; ``saturation``, mean absolute activity of an LSTM, if it has one; the two losses; ``games`` and ``clicks``
    so far. An evaluation plays the validation boards (``validation``, mean blue tiles) and keeps the weights that did
    best. Where the task holds boards out, it plays some of those too (``held out``), with other start tiles than the
    test has; they choose nothing.

    Examples
    --------
    >>> from cogkit.learning import run
    >>> config = agents.config("lstm", "quick", task="rectangle/abstract", steps=2, batch=8)
    >>> run(train(config, seed=0)).log.clicks.tolist()
    [48.0, 96.0]
    """
    recipe, pools, rules = config.recipe, agents.pools(config, seed), rules_of(config, profile)
    series, watched = boards_of(config, seed, pools.train), splits.watched(config.task)

    def reset(state: TrainingState, ended: np.ndarray) -> None:
        state.game.restart(ended, *series.take(state.scalars["games"], len(ended)))
        state.scalars["games"] += len(ended)

    def setup(_, rng) -> TrainingState:
        items, rows = series.take(0, recipe.batch)
        game, networks = Game(items.boards[rows], items.starts[rows], rules), [models.build(config) for _ in range(2)]
        scalars = {"games": recipe.batch, "best": None}
        return initial_state(config, rng, networks, game, scalars, reset)

    def step(state: TrainingState) -> dict[str, float]:
        parts, _, blue = update(state, config, losses, nn.utils.clip_grad_norm_)
        return {
            "blue": float(np.mean(blue)) if len(blue) else float("nan"),
            **({"saturation": state.memory[0].abs().mean().item()} if state.memory else {}),
            **{name: part.item() for name, part in parts.items()},
            "games": state.scalars["games"] - recipe.batch,
            "clicks": state.scalars["update"] * recipe.batch * config.clicks,
        }

    def evaluate(state: TrainingState) -> dict[str, float]:
        passes = -(-VALIDATION_GAMES // len(pools.validation))
        agent = models.Agent(state.modules["policy"], config)
        blue = scoring.judge(agent, pools.validation, profile=rules, passes=passes, seed=seed).charged.mean()
        if state.scalars["best"] is None or blue < state.scalars["best"]:
            state.scalars["best"] = float(blue)
            state.modules["best"].load_state_dict(agent.network.state_dict())
        if watched is None:
            return {"validation": float(blue)}
        held_out = scoring.judge(agent, watched, profile=rules, seed=seed).charged.mean()
        return {"validation": float(blue), "held out": float(held_out)}

    every = evaluate_every(config)
    options = {
        "evaluate_every": every, "log_every": every // _EVALUATE_EVERY, "view": lambda state: state.game.shown.copy()
    } | options  # fmt: skip
    data = {"profile": profile}
    return Fit(setup, step, config, steps=recipe.steps, seed=seed, evaluate=evaluate, data=data, **options)


def evaluate_every(config: AgentConfig) -> int:
    """Return how many updates there are from one evaluation to the next.

    Examples
    --------
    >>> [evaluate_every(agents.config(agent, "paper")) for agent in ("lstm", "lstm-program")]
    [100, 1000]
    """
    return max(_EVALUATE_EVERY, config.recipe.steps // _MOST)


def rules_of(config: AgentConfig, profile: str) -> GameConfig:
    """Return the rules by which an agent plays while it learns."""
    return agents.rules_of_play(profile, policies.of(config.policy).masked)


def boards_of(config: AgentConfig, seed: int, pool: Support) -> Series:
    """Return the boards on which an agent learns, drawn from its pool."""

    def make(first: int) -> Items:
        boards = pool.sample(max(_BLOCK, config.recipe.batch), seed, f"train/{config.task}", first)
        starts = records.draw_starts(boards, seed, f"start/{config.task}", first)  # an independent stream
        return Items(boards, starts, config.task, "generated")

    return Series(make)


def initial_state(config: AgentConfig, rng, networks: Sequence[Policy], game: Game, scalars, reset) -> TrainingState:
    """Return the state of a run that begins: two networks, one to learn and one for the best weights, and a game."""
    policy, best = networks
    fused = {"fused": True} if config.recipe.optimiser == "adam" else {}
    optimiser = supervised.optimiser(config.recipe, policy, eps=1e-5, **fused)
    memory = policy.blank(len(game))
    arrays = {name: getattr(game, name) for name in _GAME} | {f"memory {k}": part for k, part in enumerate(memory)}
    modules: dict[str, nn.Module] = {"policy": policy, "best": best}
    return TrainingState(
        rng, modules, {"adam": optimiser}, arrays, {"update": 0, **scalars}, game=game, memory=memory, reset=reset
    )


def collect_rollout(state: TrainingState, config: AgentConfig) -> tuple[Rollout, np.ndarray, np.ndarray]:
    """Play some clicks on every board, and return them with their graph; which boards ended, and the blue of each."""
    policy, game = state.modules["policy"], state.game
    memory = tuple(part.clone() for part in state.memory)  # the graph needs the old memory, which is overwritten below
    clicks, episodes = [], []
    for _ in range(config.clicks):
        observation = game.view()
        hidden = np.where(observation.board == COVERED, game.boards.view(np.int8), np.int8(-1))
        scores, values, memory = policy(*models.tensors(observation), memory)
        shut = ~torch.tensor(observation.mask, device=scores.device)
        scores = scores.masked_fill(shut.repeat(1, scores.shape[1] // TILES), _NEVER)
        uniforms = state.rng.random(len(game))
        tiles = scoring.choose_tiles(
            scores[:, -TILES:].detach().cpu().numpy(), observation.mask, "sample", uniforms
        )  # (boards,)
        rewards, done = game.step(tiles)
        ended = np.flatnonzero(done)
        episodes.append((ended, game.blue[ended]))
        if len(ended):
            state.reset(state, ended)
        parts = (tiles, rewards, ~done, hidden)
        tiles, rewards, not_done, hidden = (torch.from_numpy(part).to(scores.device) for part in parts)
        clicks.append((scores, values, tiles, rewards, not_done, hidden))
        memory = tuple(part * not_done.view(-1, *[1] * (part.dim() - 1)) for part in memory)  # blank for a new board
    with torch.no_grad():
        next_value = policy(*models.tensors(game.view()), memory)[1]
    for target, part in zip(state.memory, memory, strict=True):
        target.copy_(part.detach())
    scores, values, tiles, rewards, not_done, hidden = (torch.stack(part) for part in zip(*clicks, strict=True))
    ended, blue = map(np.concatenate, zip(*episodes, strict=True))
    return Rollout(scores, values, tiles, rewards * config.reward_scale, not_done, hidden, next_value), ended, blue


def generalised_advantages(
    rewards: Tensor, values: Tensor, next_value: Tensor, not_done: Tensor, gamma: float, lam: float
) -> Tensor:
    """Return the generalised advantage of every click (Schulman et al. 2016), (clicks, boards).

    Parameters
    ----------
    rewards, values, not_done : (clicks, boards)
        Scaled rewards, the values that were expected before them, and whether the board went on after the click.
    next_value : (boards,)
        Values of what follows the last click.
    """
    advantages, advantage = torch.empty_like(values), torch.zeros_like(next_value)
    for t in reversed(range(len(rewards))):
        delta = rewards[t] + gamma * next_value * not_done[t] - values[t]
        advantage = delta + gamma * lam * advantage * not_done[t]
        advantages[t], next_value = advantage, values[t]
    return advantages


def losses(rollout: Rollout, advantages: Tensor, config: AgentConfig) -> tuple[Tensor, Tensor, Tensor]:
    """Return the loss of the policy, the loss of the values, and the mean entropy of the choices.

    An agent that is shown the hidden boards learns which covered tiles are red, and no values: its scores are log odds
    above those of any tile.
    """
    log = rollout.scores[..., -TILES:].log_softmax(dim=2)  # (clicks, boards, 49)
    entropy = -(log.exp() * log).sum(dim=2).mean()
    if config.supervised:
        covered, red = (rollout.hidden >= 0).float(), (rollout.hidden == RED).float()
        scores = rollout.scores.unflatten(2, (-1, TILES)) + _LOG_ODDS  # (clicks, boards, steps, 49)
        target = red[:, :, None].expand_as(scores)
        loss = nn.functional.binary_cross_entropy_with_logits(scores, target, reduction="none").mean(dim=2)
        return (loss * covered).sum() / covered.sum(), torch.zeros_like(entropy), entropy
    z = (advantages - advantages.mean()) / (advantages.std() + 1e-8) if config.normalise else advantages
    log_chance = log.gather(2, rollout.tiles[:, :, None]).squeeze(2)  # (clicks, boards)
    returns = advantages + rollout.values.detach()
    return -(z * log_chance).mean(), nn.functional.mse_loss(rollout.values, returns), entropy


def update(
    state: TrainingState, config: AgentConfig,
    loss_fn: Callable[[Rollout, Tensor, AgentConfig], tuple[Tensor, Tensor, Tensor]],
    clip: Callable[[Iterable[nn.Parameter], float], Any],
) -> tuple[dict[str, Tensor], np.ndarray, np.ndarray]:  # fmt: skip
    """Take one step of A2C: a rollout, its advantages, the loss, and a step of the optimiser.

    Return the losses, the places of the boards that ended, and the blue tiles of each. ``loss_fn`` is `losses`, and
    ``clip`` is torch's, but for a stack of agents, each with a loss and a norm of its own.
    """
    policy, adam, recipe, at = state.modules["policy"], state.optimisers["adam"], config.recipe, state.scalars["update"]
    rollout, ended, blue = collect_rollout(state, config)
    advantages = generalised_advantages(
        rollout.rewards, rollout.values.detach(), rollout.next_value, rollout.not_done, config.gamma, config.lam
    )
    policy_loss, value_loss, entropy = loss_fn(rollout, advantages, config)
    bonus = config.entropy * (1 - at / recipe.steps if recipe.schedule == "linear" else 1.0)  # as the learning rate
    loss = policy_loss + config.value * value_loss - bonus * entropy
    adam.param_groups[0]["lr"] = recipe.rate(at)
    adam.zero_grad()
    loss.sum().backward()
    clip(policy.parameters(), recipe.clip)
    adam.step()
    state.scalars["update"] += 1
    return {"entropy": entropy, "policy loss": policy_loss, "value loss": value_loss}, ended, blue


def assess(agent: models.Agent, profile: str, seed: int) -> list[dict]:
    """Return the result rows of an agent on the held-out boards of its task: 40 passes, or the 15 of the paper.

    An agent of a family has one more, which says how far it is above memory. Under ``as_published`` three more rows
    tell z by the steps from the paper's test to the corrected one (`agents.corrections`).
    """
    policy, passes, boards = agent.network, _PASSES[profile], agents.tests(agent.config)
    rules = agents.rules_of_test(profile, policy.masked, policy.limit)
    if boards[0].rung:
        return ladder.assess(agent, boards[0], rules, passes, seed)
    measure = partial(standards.standards, passes=passes, seed=seed)
    rows = scoring.assess(agent, boards, profile=rules, seed=seed, passes=passes, standards=measure)
    if profile == "verified":
        return rows
    for test, changed in agents.corrections(rules).items():
        again = scoring.assess(agent, boards, profile=changed, seed=seed, passes=passes)
        rows += [row | {"metric": f"z, {test}"} for row in again if row["metric"] == "z"]
    return rows


def curve(agent: models.Agent) -> list[dict]:
    """Return result rows of the training log: blue tiles on validation boards after so many clicks (Fig. S4).

    Their metric is such as ``blue, click 153600``. There are a dozen or fewer, the first and the last evaluation and
    others at even ratios between. ``n`` is the number of games, or up to half as many again.

    Examples
    --------
    >>> [row["metric"] for row in curve(load("lstm", task="tree/abstract"))][:3]
    ['blue, click 153600', 'blue, click 307200', 'blue, click 460800']
    """
    who = {"who": agent.name, "kind": agent.kind, "inputs": "board", "supervision": agent.supervision}
    log = pd.DataFrame(agent.log).reindex(columns=["clicks", "validation"]).dropna()  # a short run has no validation
    evaluations = np.unique(np.geomspace(1, max(len(log), 1), _POINTS).round().astype(int)) - 1
    rows = []
    for evaluation in log.iloc[evaluations[: len(log)]].itertuples():
        metric, n = f"blue, click {evaluation.clicks:.0f}", VALIDATION_GAMES
        rows.append(result_row(who, agent.config.task, metric, evaluation.validation, n, source="generated"))
    return rows


REGISTRY = Lifecycle(
    f"an agent for boards of {SIZE}×{SIZE} tiles", results.shipped_folder("tiles"),
    "{config.agent}-{config.task}-{profile}-s{seed}", agents.KINDS,
    agents.config, models.build, models.Agent, train, assess, curve,
)  # fmt: skip
learn, load, save = REGISTRY.learn, REGISTRY.load, REGISTRY.save
read, shipped, to_agent = REGISTRY.read, REGISTRY.shipped, REGISTRY.to_agent
