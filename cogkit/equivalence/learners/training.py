"""Training runs of any network, and its evaluation (Carrillo & Betancort 2024)."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from cogkit.core import seeding
from cogkit.core.records import result_row
from cogkit.data import results
from cogkit.equivalence import scoring
from cogkit.equivalence.learners import agents, models
from cogkit.equivalence.learners.agents import AgentConfig
from cogkit.equivalence.problems import records
from cogkit.learning import Fit, State, supervised
from cogkit.learning.context import default_device, precision, products
from cogkit.learning.lifecycle import Lifecycle


def train(
    config: AgentConfig, seed: int, profile: str = "verified", trials: records.Trials | None = None, **options
) -> Fit:
    """Return the training run of a network, the same under every profile; ``options`` go to `learning.Fit`.

    ``trials`` are the training trials, for example from `datasets.read`; by default all training trials of the design.

    A step is one batch. Metric: ``loss`` in nats. An evaluation, twenty times in a run, uses some trials of every pair
    and class. It gives the share of right best answers for each type of trial, and ``hallucinations``. The view of the
    run is the share of right answers by sample and comparison, (members, members), NaN before the first evaluation.

    Examples
    --------
    >>> from cogkit.equivalence.learners import agents
    >>> from cogkit.learning import run
    >>> run(train(agents.config("gpt", "quick", steps=2), 0, evaluate=None)).log.shape
    (2, 2)
    """
    trials = records.training(config.design) if trials is None else trials
    probe = records.probe(config.design, records.PROBED, seeding.stream(seed, "probe"))
    recipe, half = config.recipe, models.is_half(config)
    device = default_device(half)
    data = torch.from_numpy(trials.tokens)

    def setup(_, rng) -> State:
        network = models.build(config).to(device)
        adam = supervised.optimiser(recipe, network, fused=True)
        heat = np.full((config.design.members,) * 2, np.nan)
        return State(rng, {"network": network}, {"adam": adam}, {"heat": heat})

    def step(state: State) -> dict[str, float]:
        network, adam = state.modules["network"].train(), state.optimisers["adam"]
        batch = data[state.rng.integers(0, len(data), recipe.batch)].long().to(device)
        with products(half):
            loss = network.loss(batch)
        adam.zero_grad()
        loss.backward()
        adam.step()
        return {"loss": loss.item()}

    def evaluate(state: State) -> dict[str, float]:
        answers = scoring.judge(models.Agent(state.modules["network"], config), probe, seed=seed)
        state.arrays["heat"][:] = answers.matrix("argmax")
        correct = answers.choices["argmax"] == probe.correct
        shares = {name: float(correct[probe.types == name].mean()) for name in records.TYPES}
        return shares | {"hallucinations": float((answers.choices["argmax"] == scoring.OTHER).mean())}

    every: dict[str, Any] = dict.fromkeys(("evaluate_every", "log_every"), recipe.eval_every)
    reports: dict[str, Any] = {"evaluate": evaluate, "view": lambda state: state.arrays["heat"].copy()}
    return Fit(setup, step, config, steps=recipe.steps, seed=seed, **(every | reports | options))


def curve(agent: models.Agent) -> list[dict]:
    """Return result rows of the training log: for each evaluation, the share of right best answers by type of trial."""
    design, rows = agent.config.design, []
    counts = design.pairs().type.value_counts() * records.PROBED * design.classes
    who = {"who": agent.name, "kind": agent.kind, "inputs": agent.inputs, "supervision": agent.supervision}
    for entry in agent.log.to_dict("records"):
        for name in records.TYPES:
            task, metric = f"{design.condition}/{name}", f"accuracy, argmax, iteration {int(entry['step'])}"
            rows.append(result_row(who, task, metric, entry[name], counts[name], source=_source(agent.config)))
    return rows


def assess(agent: models.Agent, profile: str, seed: int) -> list[dict]:
    """Return the result rows of an agent on every trial of its design; their source names the precision."""
    return scoring.assess(agent, agent.config.design, profile=profile, seed=seed, source=_source(agent.config))


def _source(config: AgentConfig) -> str:
    """Return the source of result rows, with the network's precision."""
    return f"cogkit, {str(precision(models.is_half(config))).removeprefix('torch.')}"


REGISTRY = Lifecycle(
    "an agent of stimulus equivalence", results.shipped_folder("equivalence"),
    "{config.agent}-{config.design.condition}-s{seed}", agents.KINDS,
    agents.config, models.build, models.Agent, train, assess, curve,
)  # fmt: skip
learn, load, save = REGISTRY.learn, REGISTRY.load, REGISTRY.save
read, shipped, to_agent = REGISTRY.read, REGISTRY.shipped, REGISTRY.to_agent
