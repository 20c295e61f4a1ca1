"""How often intervals hold the truth, and how wide they are: ``python tests/stats/coverages.py`` writes the table.

A simulated run answers items right with a chance whose logit is a level, plus normal deviations of the run and of the
item. The level gives the mean that is wanted, over all runs and items that there could be.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import optimize, special

from cogkit.app import one_scale
from cogkit.core.seeding import stream
from cogkit.stats.bootstrap import ENDS
from cogkit.stats.intervals import RunsMean, mean_over_runs, wilson

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(60)
_RIVALS = 5  # learners that are equally good, of which the best is told
GRID = {"p": (0.5, 0.9, 0.99), "run_spread": (0.0, 0.1, 0.3, 0.6), "item_spread": (1.0, 2.0), "items": (100, 400)}
RUNS = (3, 5, 10)


def expected(level, spread: float) -> np.ndarray:
    """Return the mean share right at a level, or at several, over a normal deviation of this spread."""
    return special.expit(np.asarray(level)[..., None] + spread * _NODES) @ (_WEIGHTS / _WEIGHTS.sum())


def _limits(mean: RunsMean) -> tuple[float, float, float]:
    return mean.value, mean.low, mean.high


def _bootstrap(answers: np.ndarray, rng: np.random.Generator) -> tuple[float, float, float]:
    share, items = answers[0].mean(), answers.shape[1]
    draws = rng.binomial(items, share, 2000) / items  # items drawn with replacement are right so often
    return share, *np.quantile(draws, ENDS)


# By rule: how many learners take part, whether items are shared by the runs, what the interval is about (all runs and
# items, all runs on these items, this run, or a difference that is nought), and the rule.
RULES: dict[str, tuple[int, bool, str, Callable]] = {
    "answers of each run to shared items": (1, True, "all", lambda x, _: _limits(mean_over_runs(x[0] > 0))),
    "one share a run, shared items": (
        1, True, "all", lambda x, _: _limits(mean_over_runs(x[0].mean(axis=1), x.shape[2]))
    ),
    "one share a run, items of its own": (
        1, False, "all", lambda x, _: _limits(mean_over_runs(x[0].mean(axis=1), x.shape[2], items="own"))
    ),
    "one share a run, items fixed": (
        1, True, "these items", lambda x, _: _limits(mean_over_runs(x[0].mean(axis=1), x.shape[2], items="fixed"))
    ),
    "one run, Wilson": (
        1, True, "this run", lambda x, _: (x[0, 0].mean(), *wilson(x[0, 0].sum(), x.shape[2]))
    ),
    "one run, bootstrap of items": (1, True, "this run", lambda x, rng: _bootstrap(x[0], rng)),
    "difference of two learners": (2, True, "difference", lambda x, _: _limits(mean_over_runs(x[0] - x[1]))),
    "best of five learners": (
        _RIVALS, True, "all", lambda x, _: _limits(mean_over_runs(x[x.mean(axis=(1, 2)).argmax()] > 0))
    ),
}  # fmt: skip


def coverage(
    rule: str, p: float, run_spread: float, item_spread: float, runs: int, items: int, repetitions: int,
    rng: np.random.Generator,
) -> dict[str, float]:  # fmt: skip
    """Return how often the intervals of a rule hold the truth, with its standard error, and their mean width.

    ``oracle`` is the width of an interval that knows the spreads: 3.92 standard deviations of the estimate over the
    repetitions. ``bias`` is the mean estimate minus the truth.
    """
    learners, shared, about, interval = RULES[rule]
    level = optimize.brentq(lambda level: expected(level, np.hypot(run_spread, item_spread)) - p, -40, 40)
    results = np.empty((repetitions, 4))  # truth, estimate, low, high
    for k in range(repetitions):
        run = rng.normal(0, run_spread, (learners, runs, 1))
        item = rng.normal(0, item_spread, (1, 1 if shared else runs, items))
        answers = (rng.random((learners, runs, items)) < special.expit(level + run + item)).astype(float)
        truth = {"all": p, "difference": 0.0}.get(about)
        if about == "this run":
            truth = expected(level + run[0, 0, 0], item_spread)
        elif about == "these items":
            truth = expected(level + item[0, 0], run_spread).mean()
        results[k] = truth, *interval(answers, rng)
    truths, estimates, low, high = results.T
    share = ((low <= truths) & (truths <= high)).mean()
    return {
        "coverage": share, "se": np.sqrt(share * (1 - share) / repetitions), "width": (high - low).mean(),
        "oracle": 3.92 * (estimates - truths).std(), "bias": (estimates - truths).mean(),
    }  # fmt: skip


def cells() -> Iterator[tuple]:
    """Yield every cell of the table: rule, p, run_spread, item_spread, runs and items."""
    for rule, (p, run_spread, item_spread, items) in itertools.product(RULES, itertools.product(*GRID.values())):
        for runs in (1,) if rule.startswith("one run") else RUNS:
            yield rule, p, run_spread, item_spread, runs, items


def simulate(repetitions: int = 2000) -> pd.DataFrame:
    """Return the table anew; some minutes."""
    rows = []
    for cell in cells():
        row = coverage(*cell, repetitions, stream(0, f"coverage/{cell}"))
        names = "rule", "p", "run_spread", "item_spread", "runs", "items"
        rows.append(dict(zip(names, cell, strict=True)) | {"repetitions": repetitions} | row)
    return pd.DataFrame(rows).round(4)


if __name__ == "__main__":
    simulate().to_csv(Path(one_scale.__file__).parent / "facts" / "coverage.csv", index=False, lineterminator="\n")
