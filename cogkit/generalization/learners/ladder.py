"""What stands beside a player on the tasks of a family: the nearest training row, and the observer of the recipe."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from cogkit.core.items import overlap
from cogkit.generalization.learners import floors
from cogkit.generalization.problems import records, splits
from cogkit.generalization.suites import Suite
from cogkit.stats import memory


def row(name: str, seed: int = 0) -> dict[str, Any]:
    """Return what `Instrument.memory` tells of a split, each number the mean over the tasks of the family.

    Skill is 0 for the most frequent class, and 1 for the observer that knows the recipe; for Iris and Digits, which
    have no recipe, 1 is every row right.

    Examples
    --------
    >>> split = row("Moons, new rows")
    >>> split["best floor"], split["rung"], split["floor"] > 0.9
    ('nearest training row', 'iid', True)
    """
    parts = splits.split(name, seed)
    accuracy = np.array([_accuracies(problem, seed) for problem in parts.test])  # (tasks, floors and observer)
    majority, nearest, ideal = accuracy.T
    exposures = [records.exposure(problem.task, seed, Suite()) for problem in parts.test]
    return {
        "split": name, "rung": parts.rung, "train": sum(len(problem.x) for problem in parts.train), "val": 0,
        "test": sum(len(problem.x_test) for problem in parts.test),
        "copies": sum(len(overlap(rows.train, rows.test)) for rows in exposures),
        "best floor": "nearest training row", "floor": memory.share(nearest, ideal, majority), "bound": parts.bound,
        "family ideal": 1.0,
    }  # fmt: skip


def _accuracies(problem, seed: int) -> tuple[float, float, float]:
    """Return the accuracy of the most frequent class, of the nearest training row, and of the observer."""
    nearest = KNeighborsClassifier(1).fit(problem.x, problem.y)
    players = floors.floor("majority class", problem), nearest, floors.observer(problem, seed)
    scores = [1.0 if each is None else each.score(problem.x_test, problem.y_test) for each in players]
    return scores[0], scores[1], scores[2]
