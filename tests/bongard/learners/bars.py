"""Problems that anybody can learn, and short training runs on them."""

from __future__ import annotations

import numpy as np
import torch

from cogkit.bongard.learners import agents, models, training
from cogkit.learning import run

SIZE = 32
TINY = {"size": SIZE, "steps": 3, "n_evals": 3, "problems": 5, "validated": 3, "tested": 3, "batch": 4}


def bars(n: int, seed: int = 0) -> np.ndarray:
    """Return pictures of n problems: a lying bar somewhere on the positives, a standing one on the negatives."""
    rng = np.random.default_rng(seed)
    images = np.full((n, 2, 7, SIZE, SIZE), 255, np.uint8)
    for index in np.ndindex(n, 2, 7):
        row, column = rng.integers(2, 14, 2)
        bar = images[index] if index[1] == 0 else images[index].T
        bar[row : row + 3, column : column + 16] = 0
    return images


def small(agent: str, **changes) -> agents.AgentConfig:
    """Return a config of a run that takes a second or two."""
    return agents.config(agent, "quick", **{"size": SIZE, "steps": 6, "n_evals": 3, "batch": 3, **changes})


def fit(config: agents.AgentConfig, seed: int = 0, n: int = 9, **options):
    """Return a run on bars, from the weights of another backbone where the config wants some."""
    torch.manual_seed(5)
    weights = models.build(config).backbone.state_dict() if config.pretrained else None
    return training.fit(config, seed, bars(n), bars(4, 1), weights, **options)


def taken_up(make, folder, steps: int) -> tuple:
    """Return a run straight through, and one that went on after some steps; ``make`` makes a run anew."""
    first = make(checkpoint=folder)
    first.steps = steps
    run(first)
    return run(make()), run(make(checkpoint=folder))


def same(first, second, module: str) -> bool:
    """Whether two runs ended with the same weights, bit for bit."""
    weights = [result.state.modules[module].state_dict() for result in (first, second)]
    return all(torch.equal(value, weights[1][name]) for name, value in weights[0].items())
