"""`learning.supervised`: which weights a run keeps, which examples it takes, and what its log becomes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import torch
from cases import case
from torch import nn

from cogkit.core.errors import InputError
from cogkit.core.presets import changed
from cogkit.core.records import RESULT_COLUMNS
from cogkit.learning import run
from cogkit.learning.recipe import USUAL, Recipe, recipe_field
from cogkit.learning.supervised import Epochs, curve_rows, fit_supervised, trained

pytestmark = pytest.mark.usefixtures("one_thread")


@dataclass(frozen=True)
class Plain:
    """Eight steps of SGD at a rate of one."""

    recipe: Recipe = recipe_field(Recipe(8, 3, "sgd", 1.0, 0.0, n_evals=4), *USUAL)


class Told(nn.Module):
    """A network of one number, which a step makes smaller by its rate times the rows it is given."""

    def __init__(self):
        super().__init__()
        self.only = nn.Linear(1, 1, bias=False)
        nn.init.zeros_(self.only.weight)


def short_fit(validations, fixed=None, **changes):
    """Return a fit of four epochs of two steps, with what its validations tell, and the rows of every step."""
    batches, left = [], list(validations)

    def loss_fn(network, rows, rng):
        assert network.training
        batches.append(rows.tolist())
        return -network.only.weight.sum(), {"rows": 3.0}

    def validate(network, _):
        assert not network.training and not torch.is_grad_enabled()
        return {"validation": left.pop(0)}

    ends = {"lowest": "validation", "fixed": fixed, "log_every": 1}
    return fit_supervised(changed(Plain(), **changes), 0, 7, Told, loss_fn, validate, left or None, **ends), batches


def weight_after(steps: int) -> float:
    """Return the weight after some steps of SGD with momentum .9 and a gradient of -1."""
    weight = speed = 0.0
    for _ in range(steps):
        speed = 0.9 * speed + 1
        weight += speed
    return weight


def test_the_network_is_taken_where_validation_was_best_or_as_fixed():
    table = (
        ([3.0, 1.0, 2.0, 1.0], {}, 4),
        ([4.0, 3.0, 2.0, 1.0], {}, 8),
        ([math.nan, 2.0, 3.0, math.nan], {}, 4),
        ([math.nan] * 4, {}, 8),
        ([], {}, 8),
        ([1.0, 2.0, 3.0, 4.0], {"fixed": 4}, 4),
        ([], {"fixed": 6}, 6),
    )
    for validations, changes, taken in table:
        fit, _ = short_fit(validations, **changes)
        with case((validations, changes)):
            assert trained(run(fit).state).only.weight.item() == pytest.approx(weight_after(taken))


def test_an_epoch_shows_every_example_once_but_a_rest():
    fit, batches = short_fit([], clip=0.5)
    clipped = run(fit).state.modules["network"].only.weight.item()
    assert clipped == pytest.approx(weight_after(8) / 2, rel=1e-4)
    epochs = [batches[k] + batches[k + 1] for k in range(0, 8, 2)]
    assert len(batches) == 8 and all(len(set(epoch)) == 6 and set(epoch) <= set(range(7)) for epoch in epochs)
    assert len({tuple(epoch) for epoch in epochs}) > 1
    with pytest.raises(InputError, match="2 examples.*a batch at least, 3|a batch at least, 3.*2 examples"):
        Epochs(0, 2, 3)


def test_the_log_has_the_loss_and_what_is_told_beside_it():
    fit, _ = short_fit([3.0, 1.0, 2.0, 1.0])
    log = run(fit).log
    assert list(log) == ["step", "loss", "rows", "validation"] and set(log.rows) == {3.0}
    assert log.loss.tolist() == pytest.approx([-weight_after(steps) for steps in range(8)])
    assert log.validation.dropna().tolist() == [3.0, 1.0, 2.0, 1.0]


def test_rates_of_the_three_schedules():
    def rates(schedule, steps):
        recipe = Recipe(10, 1, schedule=schedule, learning_rate=2.0)
        return [recipe.rate(step) for step in steps]

    assert rates("constant", (0, 9)) == [2.0, 2.0]
    assert rates("tenths", (1, 2, 3, 4, 6, 9)) == pytest.approx([2.0, 0.2, 0.2, 0.02, 0.002, 0.002])
    falls = [1 + math.cos(math.pi * k / 9) for k in range(1, 10)]
    assert rates("cycle", range(10)) == pytest.approx([2.0, *falls])


def test_looks_become_result_rows():
    log = pd.DataFrame({"step": [1, 2, 3], "loss": [0.5, 0.4, 0.3], "validation": [np.nan, 0.25, 0.75]})
    mine = SimpleNamespace(kind="model", name="mine", inputs="pixels", supervision="rewards")
    first, second = curve_rows(log, mine, "val/all", 8)
    assert (first["metric"], first["value"], first["n"]) == ("accuracy, step 2", 0.25, 8)
    assert (second["metric"], second["value"]) == ("accuracy, step 3", 0.75)
    harness = {"cell", "instrument", "profile", "preset", "seed", "split", "rung"}
    assert set(first) == set(RESULT_COLUMNS) - harness and first["supervision"] == "rewards"
