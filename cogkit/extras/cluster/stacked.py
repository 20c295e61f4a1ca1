"""Many agents that learn at once: the same policy on several tasks and with several seeds, computed as one network.

A GPU has the same work with one network of this size as with fifty. On one, a stack learns side by side what would
otherwise take as many runs::

    from cogkit.learning import run
    from cogkit.extras.cluster import stacked
    from cogkit.tiles.learners import agents, training

    each = agents.config("convolutional", "lab")
    config = stacked.StackConfig(each, tasks=("tree/abstract", "tree/metamer"), seeds=(0, 1, 2))  # six agents
    players = [training.to_agent(result) for result in stacked.results(run(stacked.train(config)))]

``cogkit ship 'tiles/epn/*' --seeds 1 2 --together`` writes the result rows of such a stack.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import functional_call, stack_module_state

from cogkit.core.errors import InputError
from cogkit.core.seeding import item_key
from cogkit.learning import Fit, State
from cogkit.learning.context import default_device
from cogkit.learning.fit import Result
from cogkit.tiles import scoring
from cogkit.tiles.learners import agents, models, networks, training
from cogkit.tiles.learners.agents import AgentConfig
from cogkit.tiles.learners.networks import Memory, Policy
from cogkit.tiles.learners.training import Rollout, TrainingState
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.rules.game import Game


@dataclass(frozen=True)
class StackConfig:
    """Which agents learn together: one for each task and seed, the seeds of the first task first.

    Attributes
    ----------
    agent : AgentConfig
        How each is trained; its task does not matter.
    """

    agent: AgentConfig
    tasks: tuple[str, ...]
    seeds: tuple[int, ...] = (0,)

    def __post_init__(self) -> None:
        if not self.members or len(set(self.members)) < len(self.members):
            raise InputError(f"tasks {self.tasks}, seeds {self.seeds}", "one of each or more, none of them twice")

    @property
    def members(self) -> list[tuple[AgentConfig, int]]:
        """The config and the seed of each agent, in their order."""
        return [(replace(self.agent, task=task), seed) for task in self.tasks for seed in self.seeds]


class Stack(networks.Policy):
    """Policies of one kind as one policy: of n boards, each policy plays n / k, the first the first.

    Examples
    --------
    >>> from cogkit.tiles.learners import policies
    >>> stack = Stack([policies.of("corelnet")(), policies.of("corelnet")()])
    >>> board = torch.full((6, 49), -1, dtype=torch.int8)
    >>> stack(board, torch.full((6,), -1), torch.zeros(6), stack.blank(6))[0].shape
    torch.Size([6, 49])
    """

    title = "stack"

    def __init__(self, policies: Sequence[Policy], device: str = "cpu") -> None:
        super().__init__(policies[0].units)
        weights, _ = stack_module_state(list(policies))
        self.size, self._names, self._device = len(policies), list(weights), device
        self.weights = nn.ParameterList(nn.Parameter(part.detach().to(device)) for part in weights.values())
        self._one = [copy.deepcopy(policies[0]).to(device)]  # in a list: its weights are not the stack's

    def forward(self, board: Tensor, action: Tensor, reward: Tensor, memory: Memory):
        """Return scores (n, 49), values (n,) and the new memory, on the device of the weights."""

        def one(weights: dict[str, Tensor], *seen):
            return functional_call(self._one[0], weights, seen)

        weights = dict(zip(self._names, self.weights, strict=True))
        inputs = (part.to(self._device).unflatten(0, (self.size, -1)) for part in (board, action, reward))
        memories = tuple(part.unflatten(0, (self.size, -1)) for part in memory)
        scores, values, memories = torch.vmap(one)(weights, *inputs, memories)
        return scores.flatten(0, 1), values.flatten(0, 1), tuple(part.flatten(0, 1) for part in memories)

    def blank(self, n: int) -> Memory:
        return tuple(part.to(self._device) for part in self._one[0].blank(n))

    def weights_of(self, k: int) -> dict[str, Tensor]:
        """Return the weights of one of the policies by their names."""
        return {name: weight[k] for name, weight in zip(self._names, self.weights, strict=True)}


def train(config: StackConfig, profile: str = "verified", **options) -> Fit:
    """Return the training run of all agents of a stack; ``options`` go to `learning.Fit`.

    Each agent has the initial weights, the boards and the losses that it would have alone, and other random numbers for
    its choices. The metrics are those of `training.train`, with the number of the agent behind each. Networks are on
    the GPU if there is one; the game is played on the CPU.

    Examples
    --------
    >>> from cogkit.core.presets import changed
    >>> from cogkit.learning import run
    >>> few = StackConfig(changed(AgentConfig("tree/abstract"), steps=2, batch=8), ("tree/abstract",), seeds=(3, 4))
    >>> [result.seed for result in results(run(train(few)))]
    [3, 4]
    """
    each, members = config.agent, config.members
    pools = [agents.pools(member, seed) for member, seed in members]
    series = [training.boards_of(*member, pool.train) for member, pool in zip(members, pools, strict=True)]
    rules, n, device = training.rules_of(each, profile), each.recipe.batch, default_device()
    validation = _side_by_side([pool.validation for pool in pools])

    def reset(state: TrainingState, ended: np.ndarray) -> None:
        for k in np.unique(ended // n):
            mine = ended[ended // n == k]
            state.game.restart(mine, *series[k].take(state.scalars[f"games {k}"], len(mine)))
            state.scalars[f"games {k}"] += len(mine)

    def build(member: AgentConfig, seed: int) -> Policy:
        torch.manual_seed(int(item_key(seed, "fit/torch")))  # as a run of its own would begin
        return models.build(member)

    def setup(_, rng) -> TrainingState:
        dealt = [(items.boards[rows], items.starts[rows]) for items, rows in (one.take(0, n) for one in series)]
        boards, starts = map(np.concatenate, zip(*dealt, strict=True))
        made = [build(*member) for member in members]
        scalars = {f"games {k}": n for k in range(len(members))} | {f"best {k}": None for k in range(len(members))}
        pair = [Stack(made, device) for _ in range(2)]
        return training.initial_state(each, rng, pair, Game(boards, starts, rules), scalars, reset)

    def loss_fn(rollout: Rollout, advantages: Tensor, each: AgentConfig) -> tuple[Tensor, Tensor, Tensor]:
        axes = {field.name: 0 if field.name == "next_value" else 1 for field in fields(rollout)}  # of the boards
        parts = {name: getattr(rollout, name).unflatten(axis, (len(members), n)) for name, axis in axes.items()}
        own = torch.vmap(lambda parts, advantages: training.losses(Rollout(**parts), advantages, each), (axes, 1))
        return own(parts, advantages.unflatten(1, (len(members), n)))

    def step(state: TrainingState) -> dict[str, float]:
        parts, ended, blue = training.update(state, each, loss_fn, clip)
        metrics: dict[str, Any] = {name: part.tolist() for name, part in parts.items()}
        n_ended = np.bincount(ended // n, minlength=len(members))
        with np.errstate(invalid="ignore"):  # no board of an agent may have ended
            metrics["blue"] = np.bincount(ended // n, blue, len(members)) / n_ended
        metrics["games"] = [state.scalars[f"games {k}"] - n for k in range(len(members))]
        metrics["clicks"] = [state.scalars["update"] * n * each.clicks] * len(members)
        return _numbered(metrics)

    def evaluate(state: TrainingState) -> dict[str, float]:
        stack, best = (cast(Stack, state.modules[name]) for name in ("policy", "best"))
        answers = scoring.judge(models.Agent(stack, each), validation, profile=rules, seed=config.seeds[0])
        means = answers.charged.reshape(len(members), -1).mean(axis=1)
        for k, mean in enumerate(means.tolist()):
            if state.scalars[f"best {k}"] is None or mean < state.scalars[f"best {k}"]:
                state.scalars[f"best {k}"] = mean
                for target, source in zip(best.weights, stack.weights, strict=True):
                    target.data[k] = source.data[k]
        return _numbered({"validation": means})

    options = {"evaluate_every": training.evaluate_every(each)} | options
    data, seed = {"profile": profile}, config.seeds[0]
    return Fit(setup, step, config, steps=each.recipe.steps, seed=seed, evaluate=evaluate, data=data, **options)


def results(result: Result[TrainingState]) -> list[Result[TrainingState]]:
    """Return the result of a stack as those that its agents would have alone, each for `training.to_agent`."""
    parts = []
    for k, (config, seed) in enumerate(result.config.members):
        modules = {}
        for name in ("policy", "best"):
            modules[name] = models.build(config)
            modules[name].load_state_dict(cast(Stack, result.state.modules[name]).weights_of(k))
        state = State(result.state.rng, modules, scalars={"best": result.state.scalars[f"best {k}"]})
        names = {name: name.removesuffix(f" {k}") for name in result.log if name.endswith(f" {k}")}
        log = result.log[["step", *names]].rename(columns=names)
        parts.append(replace(result, state=state, log=log, config=config, seed=seed))
    return parts


def clip(weights: Iterable[nn.Parameter], most: float) -> None:
    """Shorten the gradients of each agent of a stack that are longer than ``most``, as torch does for one network."""
    slopes = [weight.grad for weight in weights if weight.grad is not None]
    length = torch.stack([slope.flatten(1).norm(dim=1) for slope in slopes]).norm(dim=0)
    share = (most / (length + 1e-6)).clamp(max=1.0)
    for slope in slopes:
        slope.mul_(share.view(-1, *[1] * (slope.dim() - 1)))


def _numbered(metrics: dict[str, Any]) -> dict[str, float]:
    return {f"{name} {k}": float(value) for name, values in metrics.items() for k, value in enumerate(values)}


def _side_by_side(parts: Sequence[Items]) -> Items:
    """Return the validation boards of all agents in one, as many of each: one agent's after the other's."""
    rows = np.arange(training.VALIDATION_GAMES)
    boards, starts = ([getattr(part, name)[rows % len(part)] for part in parts] for name in ("boards", "starts"))
    return Items(np.concatenate(boards), np.concatenate(starts), parts[0].task, parts[0].source, "val")
