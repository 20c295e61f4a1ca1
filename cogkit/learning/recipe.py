"""How a network is trained: steps, batch, optimiser, learning rate and evaluations. Does not import torch."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from cogkit.core import presets
from cogkit.core.errors import InputError

OPTIMISERS = ("adam", "adamw", "sgd", "rmsprop")
USUAL = ("steps", "batch", "optimiser", "learning_rate", "weight_decay", "schedule", "n_evals")  # names in files
SCHEDULES = ("constant", "linear", "tenths", "cycle")
_DROPS = (0.2, 0.4, 0.6)  # 20, 40 and 60 of 100 epochs
_RISE = 0.1


@dataclass(frozen=True)
class Recipe:
    """How a network is trained; every config of a learner holds one.

    Attributes
    ----------
    steps, batch : int
        Updates of the weights, and examples in each.
    optimiser : {"adam", "adamw", "sgd", "rmsprop"}
        SGD has momentum 0.9. RMSprop keeps .99 of its mean square.
    learning_rate, weight_decay : float
    schedule : {"constant", "linear", "tenths", "cycle"}
        ``constant`` keeps the learning rate; ``linear`` lowers it linearly to 0; ``tenths`` divides it by ten after 20,
        40 and 60 % of the steps; ``cycle`` raises it linearly over a tenth of them and lowers it along a cosine to 0.
    clip : float or None
        Largest norm of the gradient of all weights; None for no limit.
    n_evals : int
        Number of evaluations in a run.

    Examples
    --------
    >>> Recipe(steps=100, batch=8, n_evals=4).eval_every
    25
    """

    steps: int
    batch: int
    optimiser: str = "adamw"
    learning_rate: float = 1e-3
    weight_decay: float = 0.01
    schedule: str = "constant"
    clip: float | None = None
    n_evals: int = 1

    def __post_init__(self) -> None:
        presets.choose(self.optimiser, OPTIMISERS, "optimiser")
        presets.choose(self.schedule, SCHEDULES, "schedule")
        for name in ("steps", "batch", "n_evals"):
            if getattr(self, name) < 1:
                raise InputError(f"{name}={getattr(self, name)}", "1 or more")

    @property
    def eval_every(self) -> int:
        """Steps from one evaluation to the next."""
        return max(1, self.steps // self.n_evals)

    def rate(self, step: int) -> float:
        """Return the learning rate of a step, counted from 0.

        Examples
        --------
        >>> tenths = Recipe(100, 1, schedule="tenths", learning_rate=0.03)
        >>> [round(tenths.rate(step), 6) for step in (19, 20, 59, 60)]
        [0.03, 0.003, 0.0003, 3e-05]
        >>> cycle = Recipe(100, 1, schedule="cycle", learning_rate=1.0)
        >>> [round(cycle.rate(step), 2) for step in (0, 9, 54, 99)]
        [0.1, 1.0, 0.5, 0.0]
        >>> [Recipe(4, 1, schedule="linear", learning_rate=1.0).rate(step) for step in range(4)]
        [1.0, 0.75, 0.5, 0.25]
        """
        if self.schedule == "constant":
            return self.learning_rate
        if self.schedule == "linear":
            return self.learning_rate * (1 - step / self.steps)
        if self.schedule == "tenths":
            return self.learning_rate * 0.1 ** sum(step >= drop * self.steps for drop in _DROPS)
        rise = max(1.0, _RISE * self.steps)
        if step < rise:
            return self.learning_rate * (step + 1) / rise
        return self.learning_rate * (1 + math.cos(math.pi * (step + 1 - rise) / (self.steps - rise))) / 2


def recipe_field(default: Recipe, *names: str, **renamed: str) -> Any:
    """Return the field of a config that holds its recipe.

    In files, and so in a config's identity, the settings of a recipe stand among the config's own, as they have since
    version 1.0: those in ``names`` always, and ``steps="updates"`` says that there ``updates`` holds the steps. All
    others are in a file only where they differ from ``default``.
    """
    return field(default=default, metadata={presets.FLAT: {name: name for name in names} | renamed}, kw_only=True)
