"""Curves: a spurious column, a growing shift, and a stream of tasks (figures 3b and 3c). Each trains its own learners.

The paper gives no protocol for any of the three. Each function here states its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from cogkit.core import seeding
from cogkit.generalization.learners import players
from cogkit.generalization.learners.robustness import moved
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.metric import relevance
from cogkit.generalization.problems import records
from cogkit.generalization.problems.records import Problem
from cogkit.generalization.scoring import judge
from cogkit.generalization.suites import SIDES, StressConfig, Suite, side

LEVELS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
REPLAYED = 70  # rows of each earlier task that a learner sees again in a stream


def curves(config: StressConfig, seed: int) -> pd.DataFrame:
    """Return the curves of a config, one row per task, level and side.

    Columns of `groups.score`, and curve, level, place (of the spurious column), past (mean accuracy on earlier tasks,
    only in a stream).

    Examples
    --------
    >>> curves(StressConfig("shift", 1), 0).groupby("level").size().tolist()
    [2, 2, 2, 2, 2, 2]
    """
    table = pd.DataFrame(CURVES[config.kind](config, seed)).assign(curve=config.kind)
    parts = (table[name] for name in ("accuracy", "alignment", "abstraction", "n", "s"))
    return table.assign(gr_star=metric.gr_star(*parts))


def _spurious(config: StressConfig, seed: int) -> Iterator[dict]:
    """Yield scores with a spurious column: it follows the class in training, and is unrelated to it in the test.

    Its values are level · ±1 by class, plus Gaussian noise with standard deviation 1. In the test the class is that of
    another row. Apart from random draws, the place of a column does not affect learners. They are therefore trained
    once, with the column last, and both places are scored.
    """
    for problem in _linear(config, seed):
        rng = seeding.stream(seed, f"generalization/{problem.task}/spurious")
        noise, noise_test = rng.standard_normal(len(problem.y)), rng.standard_normal(len(problem.y_test))
        others = rng.permutation(problem.y_test)
        for level in LEVELS:
            column = level * (2 * problem.y - 1) + noise
            test = (level * (2 * others - 1) + noise_test - column.mean()) / column.std()
            column = (column - column.mean()) / column.std()
            x, x_test = np.column_stack([problem.x, column]), np.column_stack([problem.x_test, test])
            variant = replace(problem, x=x, x_test=x_test, columns=(*problem.columns, "spurious"))
            accuracy = _accuracies(variant, _learners(variant))
            weights = relevance.mutual_information(x, variant.y, seed)
            for place, order in (("last", weights), ("first", np.roll(weights, 1))):
                yield from _scored(variant, accuracy, order, level, place)


def _shift(config: StressConfig, seed: int) -> Iterator[dict]:
    """Yield scores with each column of the test rows moved by ``level`` standard deviations, up or down at random."""
    for problem in _linear(config, seed):
        learners, weights = _learners(problem), relevance.mutual_information(problem.x, problem.y, seed)
        for level in LEVELS:
            test = moved(problem, level, seed)
            yield from _scored(test, _accuracies(test, learners), weights, level)


def _continual(config: StressConfig, seed: int) -> Iterator[dict]:
    """Yield scores along a stream of Linear tasks, which have different rules over the same columns.

    At each task every learner is trained again, on the 700 rows of the task and on 70 rows of each earlier task. It is
    tested on the task and on all earlier ones.
    """
    stream = list(_linear(config, seed))
    rng = seeding.stream(seed, "generalization/continual")
    replays = [rng.permutation(len(problem.y))[:REPLAYED] for problem in stream]
    for place, problem in enumerate(stream):
        before = list(zip(stream[:place], replays[:place], strict=True))
        x = np.concatenate([problem.x, *(old.x[rows] for old, rows in before)])
        y = np.concatenate([problem.y, *(old.y[rows] for old, rows in before)])
        learners = _learners(replace(problem, x=x, y=y))
        earlier = pd.DataFrame([_accuracies(old, learners) for old, _ in before]).mean()
        weights = relevance.mutual_information(problem.x, problem.y, seed)
        for row in _scored(problem, _accuracies(problem, learners), weights, float(place)):
            yield row | {"past": earlier.get(row["side"], np.nan)}


CURVES = {"spurious": _spurious, "shift": _shift, "continual": _continual}


def _linear(config: StressConfig, seed: int) -> Iterator[Problem]:
    return records.problems(Suite(config.tasks, ("Linear",)), seed)


def _learners(problem: Problem) -> dict:
    return {name: players.fitted(name, problem.x, problem.y, problem.state) for name in players.LEARNERS}


def _accuracies(problem: Problem, trained: dict) -> dict[str, float]:
    """Return the mean accuracy of each side."""
    right = {name: judge(model, problem, profile="as_published").right.mean() for name, model in trained.items()}
    return {name: float(np.mean([right[model] for model in side(kind)])) for kind, name in SIDES.items()}


def _scored(
    problem: Problem, accuracy: dict[str, float], weights: np.ndarray, level: float, place: str = ""
) -> Iterator[dict]:
    """Yield a row per side, without GR*."""
    for kind, name in SIDES.items():
        yield {
            "level": level, "place": place, "task": problem.task, "family": problem.family, "side": name, "kind": kind,
            "accuracy": accuracy[name], "alignment": float(relevance.alignment(weights)),
            "abstraction": float(relevance.entropy(weights)), "n": problem.n, "s": problem.s,
            "classes": problem.classes,
        }  # fmt: skip
