"""Learning in place: a training run of any network, and what it is worth (Carrillo & Betancort 2024)."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from cogkit.core import seeding
from cogkit.data import results
from cogkit.equivalence import scoring
from cogkit.equivalence.learners import agents, models
from cogkit.equivalence.learners.agents import AgentConfig
from cogkit.equivalence.problems import records
from cogkit.learning import Fit, State, run, weights

_LOOKS = 20


def agent_fit(config: AgentConfig, seed: int, trials: records.Trials | None = None, **options) -> Fit:
    """Return the training run of a network; ``options`` go to `learning.Fit`.

    ``trials`` are what is trained on, such as `datasets.read` gives: all of the design's training when left out.

    A step is one batch. Metric: ``loss`` in nats. An evaluation, twenty times in a run, asks some trials of every pair
    and class: the share of best answers that are right for each type of trial, and ``hallucinations``. What a viewer
    may ask for is the share by sample and comparison, (members, members), NaN before the first evaluation.

    Examples
    --------
    >>> from cogkit.equivalence.learners import agents
    >>> run(agent_fit(agents.config("gpt", records.Design(), "quick", iterations=2), 0, evaluate=None)).log.shape
    (2, 2)
    """
    trials = records.training(config.design) if trials is None else trials
    asked = records.probe(config.design, records.PROBED, seeding.stream(seed, "probe"))
    place, dtype = models.device(config), models.precision(config)
    data = torch.from_numpy(trials.tokens)

    def setup(_, rng) -> State:
        network = models.build(config).to(place)
        adam = torch.optim.AdamW(network.parameters(), lr=config.learning_rate, fused=True)
        heat = np.full((config.design.members,) * 2, np.nan)
        return State(rng, {"network": network}, {"adam": adam}, {"heat": heat})

    def step(state: State) -> dict[str, float]:
        network, adam = state.modules["network"].train(), state.optimisers["adam"]
        batch = data[state.rng.integers(0, len(data), config.batch)].long().to(place)
        with torch.autocast(place, dtype, enabled=dtype != torch.float32):
            loss = network.loss(batch)
        adam.zero_grad()
        loss.backward()
        adam.step()
        return {"loss": loss.item()}

    def evaluate(state: State) -> dict[str, float]:
        answers = scoring.judge(models.Agent(state.modules["network"], config), asked, seed=seed)
        state.arrays["heat"][:] = answers.matrix("argmax")
        right = answers.given["argmax"] == asked.correct
        told = {name: float(right[asked.types == name].mean()) for name in records.TYPES}
        return told | {"hallucinations": float((answers.given["argmax"] == scoring.OTHER).mean())}

    every = max(1, config.iterations // _LOOKS)
    options = {
        "evaluate": evaluate,
        "evaluate_every": every,
        "log_every": every,
        "view": lambda state: state.arrays["heat"].copy(),
    } | options
    return Fit(setup, step, config, steps=config.iterations, seed=seed, **options)


def to_agent(state: State, config: AgentConfig) -> models.Agent:
    """Return the learner that a run has come to.

    Weights that compute in single precision are rounded to half, so that it answers as it will when it has been saved
    and read again; products in bfloat16 round more than that anyway.
    """
    network = models.build(config).to(models.device(config))
    trained = state.modules["network"]
    network.load_state_dict(trained.state_dict() if getattr(config, "half", False) else weights.rounded(trained))
    return models.Agent(network, config)


def run_agent(config: AgentConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a network trained now: what its cell runs. How it came about is among them."""
    result = run(agent_fit(config, seed))
    agent = to_agent(result.state, config)
    return assess_agent(agent, profile, seed) + emergence(agent, result.log)


def ship_agent(name: str, design: records.Design, seed: int, preset: str = "lab", folder=agents.SHIPPED) -> Path:
    """Return the file of an agent trained now, with its log and manifest; its result rows go into the store beside it.

    Parameters
    ----------
    name, design, seed, preset
        The run, under the profile ``verified``.
    folder : path
        Where weights and results go; by default where the package keeps those it ships.
    """
    began, config = time.perf_counter(), agents.config(name, design, preset)
    result = run(agent_fit(config, seed))
    seconds = time.perf_counter() - began
    made = results.manifest(agents.cell_id(name, design), config, "verified", preset, seed, seconds)
    path = agents.shipped_file(name, design, seed, folder)
    models.save(to_agent(result.state, config), path, result.log, made)
    agent = models.read(path)
    results.Store(folder).write(made, assess_agent(agent, "verified", seed) + emergence(agent, result.log))
    return path


def emergence(agent: models.Agent, log: pd.DataFrame) -> list[dict]:
    """Return result rows of a training log: for each evaluation, the share of right best answers by type of trial."""
    design, rows = agent.config.design, []
    counts = design.pairs().type.value_counts() * records.PROBED * design.classes
    for entry in log.dropna().to_dict("records"):
        for name in records.TYPES:
            rows.append({
                "task": f"{design.condition}/{name}", "kind": agent.kind, "who": agent.name, "inputs": agent.inputs,
                "metric": f"accuracy, argmax, iteration {int(entry['step'])}", "value": entry[name],
                "low": None, "high": None, "interval": "", "n": int(counts[name]), "source": _source(agent.config),
            })  # fmt: skip
    return rows


def assess_agent(agent: models.Agent, profile: str, seed: int) -> list[dict]:
    """Return the result rows of an agent on every trial of its design; what it computed in stands in their source."""
    return scoring.assess(agent, agent.config.design, profile=profile, seed=seed, source=_source(agent.config))


def _source(config: AgentConfig) -> str:
    """Return what rows say of their making: also in what the network computed."""
    return f"cogkit, {str(models.precision(config)).removeprefix('torch.')}"
