"""Supervised training of a network: optimiser, learning rate, and the weights that scored best in validation."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
import pandas as pd
import torch
from torch import Tensor, nn

from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.core.records import result_row
from cogkit.learning.checkpoints import State
from cogkit.learning.fit import Fit
from cogkit.stats import wilson

_MOMENTUM = 0.9  # of SGD
_DROPS = (0.2, 0.4, 0.6)  # 20, 40 and 60 of 100 epochs
_RISE = 0.1


class Descent(Protocol):
    """The settings that a config needs for supervised training.

    Attributes
    ----------
    steps, batch : int
        Updates of the weights, and examples in each.
    n_evals : int
        Number of evaluations in a run, if there are validation examples.
    optimiser : {"sgd", "adamw"}
        SGD has momentum 0.9.
    schedule : {"constant", "linear", "tenths", "cycle"}
        ``constant`` keeps the learning rate; ``linear`` lowers it linearly to 0; ``tenths`` divides it by ten after 20,
        40 and 60 % of the steps; ``cycle`` raises it linearly over a tenth of them and lowers it along a cosine to 0.
    clip : float or None
        Largest norm of the gradient of all weights; None, or no such attribute, for no limit.
    """

    @property
    def steps(self) -> int: ...
    @property
    def batch(self) -> int: ...
    @property
    def n_evals(self) -> int: ...
    @property
    def optimiser(self) -> str: ...
    @property
    def learning_rate(self) -> float: ...
    @property
    def weight_decay(self) -> float: ...
    @property
    def schedule(self) -> str: ...


def optimiser(config: Descent, network: nn.Module) -> torch.optim.Optimizer:
    """Return the optimiser of all trainable weights of a network."""
    weights = [value for value in network.parameters() if value.requires_grad]
    # not fused: the memory order of weights (channels last) and of momentum from a checkpoint (first) may differ
    rate, decay = config.learning_rate, config.weight_decay
    if config.optimiser == "sgd":
        return torch.optim.SGD(weights, rate, momentum=_MOMENTUM, weight_decay=decay)
    return torch.optim.AdamW(weights, rate, weight_decay=decay)


def learning_rate(config: Descent, step: int) -> float:
    """Return the learning rate of a step, counted from 0.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> tenths = SimpleNamespace(schedule="tenths", learning_rate=0.03, steps=100)
    >>> [round(learning_rate(tenths, step), 6) for step in (19, 20, 59, 60)]
    [0.03, 0.003, 0.0003, 3e-05]
    >>> cycle = SimpleNamespace(schedule="cycle", learning_rate=1.0, steps=100)
    >>> [round(learning_rate(cycle, step), 2) for step in (0, 9, 54, 99)]
    [0.1, 1.0, 0.5, 0.0]
    >>> linear = SimpleNamespace(schedule="linear", learning_rate=1.0, steps=4)
    >>> [learning_rate(linear, step) for step in range(4)]
    [1.0, 0.75, 0.5, 0.25]
    """
    if config.schedule == "constant":
        return config.learning_rate
    if config.schedule == "linear":
        return config.learning_rate * (1 - step / config.steps)
    if config.schedule == "tenths":
        return config.learning_rate * 0.1 ** sum(step >= drop * config.steps for drop in _DROPS)
    rise = max(1.0, _RISE * config.steps)
    if step < rise:
        return config.learning_rate * (step + 1) / rise
    return config.learning_rate * (1 + math.cos(math.pi * (step + 1 - rise) / (config.steps - rise))) / 2


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
    config: Descent, seed: int, n: int, build: Callable[[], nn.Module],
    loss_fn: Callable[..., tuple[Tensor, Mapping[str, float]]],
    validate: Callable[..., Mapping[str, float]] = lambda network, held_out: {}, held_out: Any = None, *,
    lowest: str = "", fixed: int | None = None, arrays: Mapping[str, np.ndarray] | None = None, **options,
) -> Fit[State]:  # fmt: skip
    """Return the training run of a network on batches of examples; ``options`` go to `learning.Fit`.

    A step is one batch. Metrics: ``loss``, the further metrics of ``loss_fn``, and at every evaluation those of
    ``validate``. The state's module ``best`` is the network at the best evaluation; see `trained`.

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
    order = Epochs(seed, n, config.batch)

    def setup(_, rng) -> State:
        network = build()
        modules = {"network": network, "best": copy.deepcopy(network)}
        adam = {"optimiser": optimiser(config, network)}
        return State(rng, modules, adam, dict(arrays or {}), scalars={"step": 0, "best": None})

    def take(state: State, score: float) -> None:
        state.modules["best"].load_state_dict(state.modules["network"].state_dict())
        state.scalars["best"] = score

    def step(state: State) -> dict[str, float]:
        network, adam, number = state.modules["network"].train(), state.optimisers["optimiser"], state.scalars["step"]
        adam.param_groups[0]["lr"] = learning_rate(config, number)
        loss, metrics = loss_fn(network, order.rows(number), state.rng)
        adam.zero_grad()
        loss.backward()
        if (clip := getattr(config, "clip", None)) is not None:
            nn.utils.clip_grad_norm_(network.parameters(), clip)
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
    options.setdefault("evaluate_every", max(1, config.steps // config.n_evals))
    return Fit(setup, step, config, steps=config.steps, seed=seed, data={"examples": n}, **options)


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
