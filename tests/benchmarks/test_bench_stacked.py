"""The speed of many agents in one stack beside the same agents one after the other, on this machine's device.

Not part of the test run; some minutes::

    OMP_NUM_THREADS=1 .venv/bin/python -m pytest -o addopts="" tests/benchmarks/test_bench_stacked.py

Seconds are by the clock: one core alone, against one core and the GPU, if there is one. No time is asserted; without
a GPU the figures say what a stack costs.
"""

from __future__ import annotations

import time
from statistics import median

import pytest
import torch

from cogkit.extras.cluster import stacked
from cogkit.learning.context import default_device
from cogkit.tiles.learners import agents, models, policies, training
from cogkit.tiles.problems import records

_SEEDS = (0, 1, 2, 3)  # with eight rules, 32 agents
_ROUNDS, _SECONDS = 3, 5.0

pytestmark = [pytest.mark.usefixtures("one_thread"), pytest.mark.timeout(0)]


class Side:
    def __init__(self, fit, an_update: int) -> None:
        self._turns, self._an_update = fit._turns(), an_update
        next(self._turns)

    def speed(self) -> float:
        """Return clicks a second by the clock."""
        start, clicks = time.perf_counter(), 0
        while (spent := time.perf_counter() - start) < _SECONDS:
            next(self._turns)
            clicks += self._an_update
        return clicks / spent


@pytest.mark.parametrize("name", ["lstm-2m", *(name for name in policies.names() if not name.startswith("lstm"))])
def test_speed(name):
    each = agents.config(name, "lab", task="rectangle/abstract")
    config = stacked.StackConfig(each, tuple(f"{rule}/abstract" for rule in records.RULES), _SEEDS)
    quiet = {"evaluate_every": each.recipe.steps + 1, "log_every": each.recipe.steps}
    an_update = each.recipe.batch * each.clicks
    together = Side(stacked.train(config, **quiet), an_update * len(config.members))
    alone = Side(training.train(each, 0, **quiet), an_update)
    rounds = [(together.speed(), alone.speed()) for _ in range(_ROUNDS)]
    ratios = sorted(ours / theirs for ours, theirs in rounds)
    ours, theirs = (median(column) for column in zip(*rounds, strict=True))
    print(f"\n{name}, clicks a second: {len(config.members)} agents on {default_device()} {ours:,.0f}, "
          f"alone {theirs:,.0f}, ratio {median(ratios):.1f} ({ratios[0]:.1f}-{ratios[-1]:.1f})")  # fmt: skip


@pytest.mark.parametrize("name", policies.names())
def test_the_device_gives_the_same_scores(name, rollout):
    torch.manual_seed(0)
    made = [policies.of(name)() for _ in range(4)]
    stack, n = stacked.Stack(made, default_device()), len(rollout[0][0].board) // len(made)
    memory, memories = stack.blank(n * len(made)), [policy.blank(n) for policy in made]
    for view, _, _ in rollout:
        with torch.no_grad():
            scores, values, memory = stack(*models.tensors(view), memory)
            for k, policy in enumerate(made):
                rows = slice(k * n, k * n + n)
                reference, worth, memories[k] = policy(*models.tensors(view.rows(rows)), memories[k])
                torch.testing.assert_close(scores[rows].cpu(), reference, atol=1e-4, rtol=1e-3)
                torch.testing.assert_close(values[rows].cpu(), worth, atol=1e-4, rtol=1e-3)
