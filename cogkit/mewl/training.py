"""Learning in place: a training run of any agent, and what it is worth (Jiang et al. 2023, § 4.1)."""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import Tensor, nn

from cogkit.contracts import InputError
from cogkit.data import results
from cogkit.learning import Fit, State, run
from cogkit.mewl import agents, models, scoring, showing, tokens
from cogkit.mewl.agents import AgentConfig
from cogkit.mewl.episodes import OPTIONS, PANELS, Episode

_AT_ONCE = 256  # episodes of validation


@dataclass(frozen=True, eq=False)
class Lessons:
    """Episodes as networks take them, with the right options.

    Attributes
    ----------
    shown : (n, 7, ...) Tensor
    said : (n, 11, L) Tensor of int64
    answers : (n,) Tensor of int64
    """

    shown: Tensor
    said: Tensor
    answers: Tensor

    def __len__(self) -> int:
        return len(self.answers)


def lessons(episodes: Sequence[Episode], inputs: str) -> Lessons:
    """Return episodes as networks take them."""
    shown, said = models.tensors(showing.question(episodes, inputs), inputs)
    return Lessons(shown, said, torch.tensor([each.answer for each in episodes]))


@lru_cache(maxsize=4)
def _lessons(tasks: tuple[str, ...], part: str, n: int, profile: str, inputs: str) -> Lessons:
    made = chain.from_iterable(scoring.episodes_of(task, part, n, profile) for task in tasks)
    return lessons(list(made), inputs)


def agent_fit(config: AgentConfig, seed: int, taught: Lessons, validation: Lessons | None = None, **options) -> Fit:
    """Return the training run of an agent; ``options`` go to `learning.Fit`.

    A step is one batch of episodes. Metrics: ``loss`` in nats, ``accuracy``, the share of the batch that is right, and
    at every look ``validation``, that of the validation episodes. The weights of the best look are kept beside the
    last.

    Parameters
    ----------
    config : AgentConfig
    seed : int
    taught : Lessons
        At least a batch.
    validation : Lessons, optional
        What the best weights are chosen on; without them the last count.

    Examples
    --------
    >>> made = lessons(scoring.episodes_of("number", "train", 8), "true slots")
    >>> config = agents.config("slot-transformer", "quick", set="number", batch=4, steps=2)
    >>> run(agent_fit(config, 0, made, log_every=1)).log.columns.tolist()
    ['step', 'loss', 'accuracy']
    """
    if len(taught) < config.batch:
        raise InputError(f"{len(taught)} episodes", f"a batch of {config.batch} or more")
    place = "cuda" if torch.cuda.is_available() else "cpu"

    def setup(_, rng) -> State:
        network = models.build(config).to(place)
        modules = {"network": network, "best": copy.deepcopy(network)}
        optimiser = torch.optim.AdamW(network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay)
        return State(rng, modules, {"optimiser": optimiser}, scalars={"step": 0, "best": None})

    def step(state: State) -> dict[str, float]:
        network, optimiser = state.modules["network"].train(), state.optimisers["optimiser"]
        optimiser.param_groups[0]["lr"] = learning_rate(config, state.scalars["step"])
        shown, said, answers = (each.to(place) for each in draw(config, taught, state.rng))
        logits = network(shown, said)
        loss = nn.functional.cross_entropy(logits, answers)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), config.clip)
        optimiser.step()
        state.scalars["step"] += 1
        return {"loss": loss.item(), "accuracy": (logits.argmax(dim=1) == answers).float().mean().item()}

    def evaluate(state: State) -> dict[str, float]:
        found = accuracy(models.Agent(state.modules["network"], config), validation)
        if state.scalars["best"] is None or found > state.scalars["best"]:
            state.scalars["best"] = found
            state.modules["best"].load_state_dict(state.modules["network"].state_dict())
        return {"validation": found}

    every = max(1, config.steps // config.looks)
    looking = {"evaluate": None if validation is None else evaluate, "evaluate_every": every, "log_every": every}
    return Fit(setup, step, config, steps=config.steps, seed=seed, **(looking | options))


def learning_rate(config: AgentConfig, step: int) -> float:
    """Return the learning rate of a step, counted from 0."""
    if config.schedule == "constant":
        return config.learning_rate
    rise = max(1.0, 0.1 * config.steps)
    if step < rise:
        return config.learning_rate * (step + 1) / rise
    return config.learning_rate * (1 + np.cos(np.pi * (step + 1 - rise) / (config.steps - rise))) / 2


def draw(config: AgentConfig, taught: Lessons, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Return a batch of different episodes: panels, options and the numbers of new words in an order of their own."""
    rows = torch.from_numpy(np.sort(rng.choice(len(taught), config.batch, replace=False)))
    shown, said, answers = taught.shown[rows], taught.said[rows], taught.answers[rows]
    panels, options, new = (_orders(n, config.batch, rng) for n in (PANELS, OPTIONS, tokens.MOST_NEW))
    each = torch.arange(config.batch)[:, None]
    shown = torch.cat([shown[each, panels], shown[:, PANELS:]], dim=1)
    said = torch.cat([said[:, :PANELS][each, panels], said[:, PANELS:][each, options]], dim=1)
    known = torch.arange(tokens.NEW).expand(config.batch, -1)
    renamed = torch.cat([known, tokens.NEW + new], dim=1).gather(1, said.flatten(1)).view_as(said)
    return shown, renamed, (options == answers[:, None]).int().argmax(dim=1)


def _orders(n: int, batch: int, rng: np.random.Generator) -> Tensor:
    return torch.from_numpy(rng.permuted(np.tile(np.arange(n), (batch, 1)), axis=1))


def accuracy(agent: models.Agent, asked: Lessons) -> float:
    """Return the share of right answers."""
    right = 0
    for at in range(0, len(asked), _AT_ONCE):
        rows = slice(at, at + _AT_ONCE)
        right += int((agent.weigh(asked.shown[rows], asked.said[rows]).argmax(dim=1) == asked.answers[rows]).sum())
    return right / len(asked)


def to_agent(state: State, config: AgentConfig) -> models.Agent:
    """Return the learner that a run has come to: the best on validation episodes, or the last where there are none.

    Its weights are rounded to half precision, so that it answers as it will when it has been saved and read again.
    """
    network = models.build(config)
    chosen = state.modules["network" if state.scalars["best"] is None else "best"]
    network.load_state_dict({name: value.half().float() for name, value in chosen.state_dict().items()})
    return models.Agent(network, config)


def learn(config: AgentConfig, profile: str, seed: int, **options) -> tuple[models.Agent, pd.DataFrame]:
    """Return an agent trained now on the episodes of a profile, and the log of its training.

    ``options`` go to `learning.Fit`.
    """
    tasks, inputs = agents.SETS[config.set], agents.INPUTS[config.agent]
    taught, validation = (_lessons(tasks, part, n, profile, inputs) for part, n in
                          (("train", config.episodes), ("val", config.validated)))  # fmt: skip
    result = run(agent_fit(config, seed, taught, validation, **options))
    return to_agent(result.state, config), result.log


def run_agent(config: AgentConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of an agent trained now: what its cell runs. The curve of its training is among them."""
    agent, log = learn(config, profile, seed)
    return assess_agent(agent, profile, seed) + curve(agent, log)


def ship_agent(
    name: str, seed: int, preset: str = "lab", profile: str = "verified", folder=agents.SHIPPED, **changes
) -> Path:
    """Return the file of an agent trained now, with its log and manifest; its result rows go into the store beside it.

    Parameters
    ----------
    name, seed, preset, profile
        The run.
    folder : path
        Where weights and results go; by default where the package keeps those it ships.
    **changes
        As in `agents.config`.
    """
    began, config = time.perf_counter(), agents.config(name, preset, **changes)
    trained, log = learn(config, profile, seed)
    seconds = time.perf_counter() - began
    made = results.manifest(agents.cell_id(name, config.set), config, profile, preset, seed, seconds)
    path = agents.shipped_file(name, config.set, preset, seed, folder)
    models.save(trained, path, log, made)
    agent = models.read(path)
    results.Store(folder).write(made, assess_agent(agent, profile, seed) + curve(agent, log))
    return path


def assess_agent(agent: models.Agent, profile: str, seed: int) -> list[dict]:
    """Return the result rows of an agent on the test episodes of the tasks it was trained on, and on as many of those.

    The latter stand under tasks such as ``train/shape``.
    """
    config = agent.config
    rows = scoring.assess(agent, agent.tasks, config.tested, profile, seed)
    learnt = scoring.assess(agent, agent.tasks, min(config.episodes, config.tested), profile, seed, "train")
    return rows + [row | {"task": f"train/{row['task']}"} for row in learnt]


def curve(agent: models.Agent, log: pd.DataFrame) -> list[dict]:
    """Return result rows of a training log: the share of right answers about validation episodes at every look."""
    n = agent.config.validated * len(agent.tasks)
    return [
        {
            "task": f"val/{agent.config.set}", "kind": agent.kind, "who": agent.name, "inputs": agent.inputs,
            "metric": f"accuracy, step {int(entry['step'])}", "value": entry["validation"],
            "low": None, "high": None, "interval": "", "n": n, "source": "cogkit",
        }
        for entry in log.dropna().to_dict("records")
    ]  # fmt: skip
