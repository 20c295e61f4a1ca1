"""The exercises of the notebook on GR*. Each answer is tested on tasks."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit.generalization.estimator import Score
from cogkit.generalization.metric import gr_star, relevance
from cogkit.generalization.problems import records
from cogkit.stats import error_consistency_table
from cogkit.study.exercises import Exercises

EXERCISES = Exercises(__file__)

_TASK, _SEED, _TIMES = "Linear 0", 0, 1.5
_CLASSES = (2, 3, 5, 10)
_AHEAD = 0.05
_ITEMS = 200


@EXERCISES("10-fair-score", "score(accuracy, classes)")
def _fair(answer) -> bool | str:
    """Judge a score of accuracy. It must be 0 at chance, 1 at perfect, rise between them, and be 0 below chance."""
    for classes in _CLASSES:
        grid = np.linspace(1 / classes, 1, 200)
        values = np.array([float(answer(accuracy, classes)) for accuracy in grid])
        if not np.isfinite(values).all():
            return f"with {classes} classes it returns values that are not numbers"
        if abs(values[0]) > 1e-9 or abs(values[-1] - 1) > 1e-9:
            return f"with {classes} classes it is {values[0]:.3f} at chance and {values[-1]:.3f} at 1, not 0 and 1"
        if (np.diff(values) <= 0).any():
            at = grid[1:][np.diff(values) <= 0][0]
            return f"with {classes} classes it does not rise at an accuracy of {at:.2f}"
        below = float(answer(0.5 / classes, classes))
        if not abs(below) <= 1e-9:
            return f"with {classes} classes it is {below:.3f} for a learner that is worse than chance, not 0"
    return True


@EXERCISES("10-column-order")
def _reordered(answer) -> bool | str:
    """Judge an order of columns. GR* of one task must rise by half, with the same answers of all learners."""
    problem = records.problem(_TASK, _SEED)
    order = np.asarray(answer)
    if sorted(order.tolist()) != list(range(problem.s)):
        return f"an order must hold each of the columns 0 to {problem.s - 1} once"
    weights = relevance.mutual_information(problem.x, problem.y)
    tau = gr_star.Constants().tau
    times = (tau + relevance.alignment(weights[order])) / (tau + relevance.alignment(weights))
    return True if times >= _TIMES else f"GR* becomes {times:.2f} times what it was, and {_TIMES} times is wanted"


@EXERCISES("10-better")
def _better(answer) -> bool | str:
    """Judge two scores. The second must be above the first, with separate intervals."""
    try:
        first, second = answer
    except (TypeError, ValueError):
        return "give two scores"
    if not all(isinstance(score, Score) for score in (first, second)):
        return "give two scores, as GRStar().score returns them"
    low, high = (score.table.set_index("component").loc["A_c"] for score in (first, second))
    if first.stamp["test rows"] != second.stamp["test rows"] or first.stamp["columns"] != second.stamp["columns"]:
        return "the two scores are about different rows"
    if high.value - low.value < _AHEAD:
        return f"A_c is {low.value:.2f} and {high.value:.2f}, which is not yet a clear difference"
    return True if high.low > low.high else "their intervals overlap, so nobody may say which one is better"


@EXERCISES("11-same-errors", "kappa(first, second)")
def _same_errors(answer) -> bool | str:
    """Judge a function of error consistency on lists of right and wrong answers."""
    rng = np.random.default_rng(_SEED)
    for share, other in ((0.5, 0.5), (0.9, 0.7), (0.95, 0.95), (0.2, 0.8)):
        first = rng.random(_ITEMS) < share
        second = np.where(rng.random(_ITEMS) < 0.5, first, rng.random(_ITEMS) < other)
        table = error_consistency_table(pd.DataFrame({"a": first, "b": second}), rng, resamples=2)
        got, want = float(answer(first.astype(int).tolist(), second.astype(int).tolist())), table.kappa.item()
        if not abs(got - want) < 1e-9:
            return f"for players that are right in {first.mean():.2f} and {second.mean():.2f} it is {got:.3f}"
    return True
