"""The conditional networks behind the metamers (Kumar et al. 2023, "Generating metamers").

`metamers` draws with the trained networks and needs no torch.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

from cogkit.core import presets
from cogkit.data import results
from cogkit.learning import Fit, State, run
from cogkit.tiles.metamers import sampling
from cogkit.tiles.metamers.sampling import ConditionalConfig
from cogkit.tiles.problems import metamer_quality, records
from cogkit.tiles.rules.boards import TILES


def conditional_fit(config: ConditionalConfig, seed: int, **options) -> Fit:
    """Return the training run of a conditional network; ``options`` go to `learning.Fit`.

    Examples
    --------
    >>> from cogkit.learning import run
    >>> run(conditional_fit(ConditionalConfig("tree", updates=2), seed=0)).steps
    2
    """
    presets.choose(config.loss, ("masked", "all"), "loss")
    support = records.support(config.rule)

    def setup(config, rng) -> State:
        layers = [
            nn.Linear(TILES, TILES),
            nn.ReLU(),
            nn.Linear(TILES, TILES),
            nn.ReLU(),
            nn.Linear(TILES, TILES),
        ]
        network = nn.Sequential(*layers)
        optimiser = torch.optim.Adam(network.parameters(), lr=config.learning_rate)
        return State(rng, {"network": network}, {"adam": optimiser}, scalars={"update": 0, "hits": 0, "rows": 0})

    def step(state: State) -> dict[str, float]:
        scalars, rows = state.scalars, torch.arange(config.batch)
        first = scalars["update"] * config.batch
        boards = support.sample(config.batch, seed, "conditional", first).reshape(-1, TILES)
        wanted = torch.from_numpy(boards.astype(np.float32))
        tiles = torch.from_numpy(state.rng.integers(0, TILES, config.batch))
        given = wanted.clone()
        given[rows, tiles] = sampling.MASKED
        logits = state.modules["network"](given)
        if config.loss == "masked":
            loss = nn.functional.binary_cross_entropy_with_logits(logits[rows, tiles], wanted[rows, tiles])
        else:
            loss = nn.functional.binary_cross_entropy_with_logits(logits, wanted, reduction="sum") / config.batch
        state.optimisers["adam"].zero_grad()
        loss.backward()
        state.optimisers["adam"].step()
        hits = int(((logits[rows, tiles] > 0) == (wanted[rows, tiles] > 0)).sum())
        scalars["update"] += 1
        # The original's rule: five accuracies are gathered, looked at on the sixth update, and thrown away.
        if scalars["rows"] == 5 * config.batch:
            if scalars["hits"] >= config.enough * scalars["rows"]:
                fit.stop()
            scalars["hits"] = scalars["rows"] = 0
        else:
            scalars["hits"] += hits
            scalars["rows"] += config.batch
        blue = 1 - wanted[rows, tiles].mean().item()
        return {"loss": loss.item(), "accuracy": hits / config.batch, "blue": blue}

    fit = Fit(setup, step, config, steps=config.updates, seed=seed, **options)
    return fit


def assess(network: sampling.Conditional, rule: str, seed: int) -> list[dict]:
    """Return the result rows of a conditional network: those of `metamer_quality.summary`, for 1,000 chains."""
    rows = metamer_quality.summary(rule, network, seed)
    common = {"task": f"{rule}/metamer", "inputs": "board", "source": "cogkit", "interval": "95% Wilson"}
    return rows.assign(**common).to_dict("records")


def run_conditional(config: ConditionalConfig, seed: int) -> list[dict]:
    """Return the result rows of a conditional network trained now: what its cell runs."""
    return assess(_train(config, seed), config.rule, seed)


def ship_conditional(config: ConditionalConfig, seed: int, folder=sampling.SHIPPED) -> Path:
    """Return the file of a network trained now, with its manifest inside; its result row goes into the store beside it.

    Parameters
    ----------
    config, seed
        The run.
    folder : path
        Where weights and results go; by default where the package keeps those it ships.
    """
    began = time.perf_counter()
    network = _train(config, seed)
    cell = f"tiles/conditional/{config.rule}"
    manifest = results.manifest(cell, config, "as_published", "paper", seed, time.perf_counter() - began)
    results.Store(folder).write(manifest, assess(network, config.rule, seed))
    return sampling.save(network, Path(folder) / f"conditional-{config.rule}.safetensors", manifest)


def _train(config: ConditionalConfig, seed: int) -> sampling.Conditional:
    fit = conditional_fit(config, seed, log_every=config.updates)
    return sampling.Conditional.of(run(fit).state.modules["network"])
