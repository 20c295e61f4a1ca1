"""Supervised training of a network: optimiser, learning rate, and the weights that scored best in validation."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import Tensor, nn

from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.core.records import result_row
from cogkit.learning.checkpoints import State
from cogkit.learning.fit import Fit
from cogkit.learning.recipe import Recipe
from cogkit.stats import wilson

_MOMENTUM = 0.9  # of SGD


def optimiser(recipe: Recipe, network: nn.Module, **options) -> torch.optim.Optimizer:
    """Return the optimiser of all trainable weights of a network; ``options`` go to torch."""
    weights = [value for value in network.parameters() if value.requires_grad]
    # not fused: the memory order of weights (channels last) and of momentum from a checkpoint (first) may differ
    settings: dict[str, Any] = {"lr": recipe.learning_rate, "weight_decay": recipe.weight_decay} | options
    if recipe.optimiser == "sgd":
        return torch.optim.SGD(weights, momentum=_MOMENTUM, **settings)
    if recipe.optimiser == "rmsprop":
        return torch.optim.RMSprop(weights, **settings)  # alpha is .99
    kind = torch.optim.AdamW if recipe.optimiser == "adamw" else torch.optim.Adam
    return kind(weights, **settings)


class Epochs:
    """The examples of each step. Every epoch has its own random order, which is the same after a run resumes.

    Examples left over at the end of an epoch that fill no batch are skipped.

    Raises
    ------
    InputError
        There are fewer examples than a batch.

    Examples
    --------
    >>> order = Epochs(0, n=5, batch=2)
    >>> len({*order.rows(0), *order.rows(1)})
    4
    """

    def __init__(self, seed: int, n: int, batch: int) -> None:
        if n < batch:
            raise InputError(f"{n} examples", f"a batch at least, {batch}")
        self._seed, self._n, self._batch = seed, n, batch
        self._epoch, self._order = -1, np.empty(0, int)

    def rows(self, step: int) -> np.ndarray:
        """Return the numbers of the examples of a step, counted from 0, in ascending order."""
        epoch, at = divmod(step, self._n // self._batch)
        if epoch != self._epoch:
            self._epoch = epoch
            self._order = seeding.stream(self._seed, f"epoch {epoch}").permutation(self._n)
        return np.sort(self._order[at * self._batch : (at + 1) * self._batch])  # a memory map is read in order


def fit_supervised(
    config: Any, seed: int, n: int, build: Callable[[], nn.Module],
    loss_fn: Callable[..., tuple[Tensor, Mapping[str, float]]],
    validate: Callable[..., Mapping[str, float]] = lambda network, held_out: {}, held_out: Any = None, *,
    lowest: str = "", fixed: int | None = None, arrays: Mapping[str, np.ndarray] | None = None, **options,
) -> Fit[State]:  # fmt: skip
    """Return the training run of a network on batches of examples, by the recipe that its config holds.

    A step is one batch. Metrics: ``loss``, the further metrics of ``loss_fn``, and at every evaluation those of
    ``validate``. The state's module ``best`` is the network at the best evaluation; see `trained`. ``options`` go to
    `learning.Fit`.

    Parameters
    ----------
    n : int
        Number of training examples; a checkpoint must agree with it.
    build : callable
        ``build() -> network``, a fresh network on the device that computes.
    loss_fn : callable
        ``loss_fn(network, rows, rng) -> scalar, metrics``: the loss of a batch, with its graph, and further metrics for
        the log. ``rows`` are the numbers of its examples, from `Epochs`. The network is in training mode.
    validate : callable, optional
        ``validate(network, held_out) -> metrics``. The network is in evaluation mode.
    held_out : Any
        Examples outside training; without them there are no evaluations.
    lowest : str
        The metric that is lowest at the best evaluation; by default ``validation`` is highest.
    fixed : int, optional
        The step after which the network is kept, whatever the evaluations say.
    arrays : mapping, optional
        What ``loss_fn`` reads and changes from step to step, such as what it remembers of each example. A checkpoint
        keeps them, and a run that resumes has its values in the same arrays.
    """
    recipe: Recipe = config.recipe
    order = Epochs(seed, n, recipe.batch)

    def setup(_, rng) -> State:
        network = build()
        modules = {"network": network, "best": copy.deepcopy(network)}
        adam = {"optimiser": optimiser(recipe, network)}
        return State(rng, modules, adam, dict(arrays or {}), scalars={"step": 0, "best": None})

    def take(state: State, score: float) -> None:
        state.modules["best"].load_state_dict(state.modules["network"].state_dict())
        state.scalars["best"] = score

    def step(state: State) -> dict[str, float]:
        network, adam, number = state.modules["network"].train(), state.optimisers["optimiser"], state.scalars["step"]
        adam.param_groups[0]["lr"] = recipe.rate(number)
        loss, metrics = loss_fn(network, order.rows(number), state.rng)
        adam.zero_grad()
        loss.backward()
        if recipe.clip is not None:
            nn.utils.clip_grad_norm_(network.parameters(), recipe.clip)
        adam.step()
        state.scalars["step"] = number + 1
        if number + 1 == fixed:
            take(state, -loss.item())
        return {"loss": loss.item(), **metrics}

    @torch.no_grad()
    def evaluate(state: State) -> dict[str, float]:
        metrics, best = dict(validate(state.modules["network"].eval(), held_out)), state.scalars["best"]
        score = -metrics[lowest] if lowest else metrics["validation"]
        if fixed is None and score > (-math.inf if best is None else best):
            take(state, score)
        return metrics

    options.setdefault("evaluate", None if held_out is None else evaluate)
    every: dict[str, Any] = dict.fromkeys(("evaluate_every", "log_every"), recipe.eval_every)
    return Fit(setup, step, config, steps=recipe.steps, seed=seed, data={"examples": n}, **every | options)


def trained(state: State) -> nn.Module:
    """Return the network of a run: the one that scored best in validation, or the current one without validation.

    It is the module ``best`` if the state's scalar ``best`` is set, else the first module of the state.
    """
    best = state.scalars.get("best") is not None
    return (state.modules["best"] if best else next(iter(state.modules.values()))).eval()


def curve_rows(log: pd.DataFrame, agent, task: str, n: int, source: str = "cogkit") -> list[dict]:
    """Return result rows of a training log: ``validation`` at every evaluation, as a share of ``n`` answers.

    ``agent`` gives the ``kind``, ``name``, ``inputs`` and ``supervision`` in the rows.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> log = pd.DataFrame({"step": [1, 2], "validation": [np.nan, 0.5]})
    >>> mine = SimpleNamespace(kind="model", name="mine", inputs="pixels", supervision="answers")
    >>> [row["metric"] for row in curve_rows(log, mine, "val", n=8)]
    ['accuracy, step 2']
    """
    who = {"who": agent.name, "kind": agent.kind, "inputs": agent.inputs, "supervision": agent.supervision}
    looks = log.dropna().itertuples()
    return [
        result_row(who, task, f"accuracy, step {int(look.step)}", look.validation, n, source=source) for look in looks
    ]


def telling_rows(right: Mapping[str, np.ndarray], who: str, inputs: str) -> list[dict]:
    """Return result rows of a network that was taught attributes: for each name, the share of True in an array of bool.

    Examples
    --------
    >>> [row["task"] for row in telling_rows({"shape": np.ones(4, bool)}, "small CNN", "pixels")]
    ['telling/shape']
    """
    rows, columns = [], {"who": who, "kind": "model", "inputs": inputs, "supervision": "attributes"}
    for name, values in right.items():
        limits = wilson(values.sum(), len(values))
        rows.append(
            result_row(columns, f"telling/{name}", "accuracy", values.mean(), len(values), limits, "95% Wilson")
        )
    return rows
