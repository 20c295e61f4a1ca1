"""Floors, which ignore most of the task, and an observer, which knows the recipe of its rows."""

from __future__ import annotations

import numpy as np
from scipy.special import i0e, logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.tree import DecisionTreeClassifier

from cogkit.generalization.problems import records
from cogkit.generalization.problems.records import Problem
from cogkit.generalization.suites import REAL, Suite

_ARC = np.linspace(0, np.pi, 801)  # points on a moon, over which its density is summed


def floor(name: str, problem: Problem, y: np.ndarray | None = None) -> ClassifierMixin:
    """Return a trained floor: the most frequent class, or one threshold on the single best column.

    ``y`` replaces the task's classes of the training rows.

    Examples
    --------
    >>> made = records.problem("Imbalance 0", 0)
    >>> round(floor("majority class", made).score(made.x_test, made.y_test), 2)
    0.79
    """
    model = DummyClassifier() if name == "majority class" else DecisionTreeClassifier(max_depth=1, random_state=0)
    return model.fit(problem.x, problem.y if y is None else y)


def observer(problem: Problem, seed: int, suite: Suite | None = None) -> ClassifierMixin | None:
    """Return the observer of a task, which knows the recipe of its rows, or None for Iris and Digits.

    For Moons and Circles it has the exact densities, so no learner can be expected to do better. For Gaussian classes
    it has learnt the densities from 20,000 further rows of the same recipe, which is close to exact. It does not know
    the shift of rows that are moved after training.

    Examples
    --------
    >>> made = records.problem("Circles 9", 0)
    >>> round(observer(made, 0).score(made.x_test, made.y_test), 2)
    0.91
    """
    if problem.family in REAL:
        return None
    if problem.family in ("Moons", "Circles"):
        return Curves(problem, suite or Suite())
    base = [j for j, name in enumerate(problem.columns) if problem.family != "Poly" or len(name) == 1]
    return gaussians(base).fit(*records.further(problem, seed, suite))


def gaussians(columns) -> Pipeline:
    """Return a classifier with one Gaussian per class over some columns; the others are computed from these."""
    return make_pipeline(ColumnTransformer([("base", "passthrough", list(columns))]), QuadraticDiscriminantAnalysis())


class Curves(ClassifierMixin, BaseEstimator):
    """The exact classifier of Moons and Circles: each class is a uniform density on a curve, plus Gaussian noise.

    The problem gives the family and the scale of the columns, the suite the noise of Circles.
    """

    def __init__(self, problem: Problem, suite: Suite) -> None:
        self.problem, self.suite = problem, suite
        self.classes_ = np.array([0, 1])

    def predict(self, x: np.ndarray) -> np.ndarray:
        """Return the more likely class of each row."""
        points = x * self.problem.spread + self.problem.centre
        first, second = self._moons(points) if self.problem.family == "Moons" else self._circles(points)
        return (second > first).astype(int)

    def _moons(self, points: np.ndarray) -> list[np.ndarray]:
        arcs = (np.column_stack([np.cos(_ARC), np.sin(_ARC)]), np.column_stack([1 - np.cos(_ARC), 0.5 - np.sin(_ARC)]))
        squares = (((points[:, None] - arc) ** 2).sum(axis=2) for arc in arcs)
        return [logsumexp(-square / (2 * records.MOONS**2), axis=1) for square in squares]

    def _circles(self, points: np.ndarray) -> list[np.ndarray]:
        """Return the log density of both rings: ∫ exp(-|x - R u(φ)|²/2σ²) dφ = 2π exp(-(r² + R²)/2σ²) I₀(rR/σ²)."""
        noise = records.circles_noise(self.suite)[int(self.problem.task.rsplit(" ", 1)[1])]
        r = np.hypot(*points.T)
        radii = (1.0, records.INNER)  # the outer ring is class 0
        return [np.log(i0e(r * radius / noise**2)) - (r - radius) ** 2 / (2 * noise**2) for radius in radii]
