"""The conditional networks behind the metamers (Kumar et al. 2023, "Generating metamers").

`metamers` draws with the trained networks and needs no torch.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from cogkit.core import seeding
from cogkit.learning import Fit, State, supervised
from cogkit.learning import run as result_of
from cogkit.tiles.metamers import sampling
from cogkit.tiles.metamers.sampling import ConditionalConfig
from cogkit.tiles.problems import metamer_quality, records
from cogkit.tiles.rules.boards import TILES


def train(config: ConditionalConfig, seed: int, **options) -> Fit:
    """Return the training run of a conditional network; ``options`` go to `learning.Fit`.

    Examples
    --------
    >>> from cogkit.core.presets import changed
    >>> from cogkit.learning import run
    >>> run(train(changed(ConditionalConfig("tree"), steps=2), seed=0)).steps
    2
    """
    recipe, support = config.recipe, records.support(config.rule)

    def setup(config, rng) -> State:
        network = nn.Sequential(*(nn.ReLU() if k % 2 else nn.Linear(TILES, TILES) for k in range(5)))
        optimiser = supervised.optimiser(recipe, network)
        return State(rng, {"network": network}, {"adam": optimiser}, scalars={"update": 0, "hits": 0, "rows": 0})

    def step(state: State) -> dict[str, float]:
        scalars, rows = state.scalars, torch.arange(recipe.batch)
        first = scalars["update"] * recipe.batch
        boards = support.sample(recipe.batch, seed, "conditional", first).reshape(-1, TILES)
        target = torch.from_numpy(boards.astype(np.float32))
        tiles = torch.from_numpy(state.rng.integers(0, TILES, recipe.batch))
        inputs = target.clone()
        inputs[rows, tiles] = sampling.MASKED
        logits = state.modules["network"](inputs)
        if config.loss == "masked":
            loss = nn.functional.binary_cross_entropy_with_logits(logits[rows, tiles], target[rows, tiles])
        else:
            loss = nn.functional.binary_cross_entropy_with_logits(logits, target, reduction="sum") / recipe.batch
        state.optimisers["adam"].zero_grad()
        loss.backward()
        state.optimisers["adam"].step()
        red, predictions = target[rows, tiles] > 0, logits[rows, tiles] > 0
        hits = int((predictions == red).sum())
        scalars["update"] += 1
        # As in the original: five accuracies are collected, checked at the sixth update, and discarded.
        if scalars["rows"] == 5 * recipe.batch:
            if scalars["hits"] >= config.enough * scalars["rows"]:
                fit.stop()
            scalars["hits"] = scalars["rows"] = 0
        else:
            scalars["hits"] += hits
            scalars["rows"] += recipe.batch
        shares = {"blue": 1 - red.float().mean().item(), "reds": predictions[red].float().mean().item()}
        return {"loss": loss.item(), "accuracy": hits / recipe.batch} | shares

    def view(state: State) -> np.ndarray:
        """Return the same six chains each time, drawn with the network as it is now."""
        rng = seeding.stream(seed, "conditional/view")
        return sampling.gibbs(to_network(state), 6, rng).reshape(-1, TILES)

    options.setdefault("view", view)
    fit = Fit(setup, step, config, steps=recipe.steps, seed=seed, **options)
    return fit


def to_network(state: State) -> sampling.Conditional:
    """Return the network of a run, for `metamers`."""
    return sampling.Conditional.of(state.modules["network"])


def assess(network: sampling.Conditional, rule: str, seed: int) -> list[dict]:
    """Return the result rows of a conditional network: those of `metamer_quality.summary`, for 1,000 chains."""
    rows = metamer_quality.summary(rule, network, seed)
    common = {"task": f"{rule}/metamer", "inputs": "board", "source": "cogkit", "interval": "95% Wilson"}
    supervision = np.where(rows.kind == "model", "boards", "")
    return rows.assign(**common, supervision=supervision).to_dict("records")


def learn(config: ConditionalConfig, seed: int) -> sampling.Conditional:
    """Return a conditional network trained now."""
    return to_network(result_of(train(config, seed, log_every=config.recipe.steps)).state)


def run(config: ConditionalConfig, profile: str, seed: int, keep: Callable | None = None) -> list[dict]:
    """Return the result rows of a conditional network trained now, the same under every profile; see `Cell`."""
    network = learn(config, seed)
    if keep:
        file = f"conditional-{config.rule}.safetensors"
        keep(lambda folder, manifest: sampling.save(network, folder / file, manifest))
    return assess(network, config.rule, seed)
