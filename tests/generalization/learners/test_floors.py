"""Floors by brute force, and observers against densities counted out, fresh rows, and every learner."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logsumexp

from cogkit.generalization.learners.floors import Curves, floor, gaussians, observer
from cogkit.generalization.problems import records
from cogkit.generalization.suites import Suite


def grid(size: int = 40) -> np.ndarray:
    """Points well around a task, on its scale."""
    side = np.linspace(-3.5, 3.5, size)
    return np.array([(a, b) for a in side for b in side])


@pytest.mark.parametrize("name", ["Moons 0", "Poly 0", "Iris 0"])
def test_the_one_column_floor_is_the_best_single_threshold(name):
    """The least Gini impurity of two sides, over every column and every cut between two of its values."""
    task = records.problem(name, 0)
    least, best = np.inf, None
    for j in range(task.s):
        values = np.unique(task.x[:, j])
        for cut in (values[1:] + values[:-1]) / 2:
            low = task.x[:, j] <= cut
            sides = [np.bincount(task.y[part], minlength=task.classes) for part in (low, ~low)]
            impurity = sum(counts.sum() - (counts**2).sum() / counts.sum() for counts in sides)
            if impurity < least - 1e-9:
                least, best = impurity, (j, cut, [counts.argmax() for counts in sides])
    j, cut, kinds = best
    expected = np.where(task.x_test[:, j] <= cut, *kinds)
    answers = floor("one column", task).predict(task.x_test)
    assert (answers == expected).mean() > 0.99  # ties of impurity may cut elsewhere


@pytest.mark.parametrize("k", [0, 9])
def test_the_observer_of_circles_has_the_density_of_a_ring(k):
    """∫ exp(-|x - R u(φ)|² / 2σ²) dφ summed over 1,000 points of the ring."""
    task = records.problem(f"Circles {k}", 0)
    points = grid() * task.spread + task.centre
    noise = 0.05 + 0.15 * k / 9
    turn = np.linspace(0, 2 * np.pi, 1000, endpoint=False)
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    outer, inner = (
        logsumexp(-((points[:, None] - radius * ring) ** 2).sum(axis=2) / (2 * noise**2), axis=1)
        for radius in (1.0, 0.5)
    )
    clear = np.abs(inner - outer) > 1e-6
    answers = Curves(task, Suite()).predict(grid())
    assert (answers == (inner > outer))[clear].all() and clear.mean() > 0.99 and 0.02 < answers.mean() < 0.5


def test_the_observer_of_moons_has_the_density_of_an_arc():
    """Two million points drawn on the arcs with their noise, counted in squares."""
    task = records.problem("Moons 0", 0)
    rng = np.random.default_rng(0)
    turn, noise = rng.uniform(0, np.pi, (2, 1_000_000)), rng.normal(0, 0.2, (2, 2, 1_000_000))
    upper = np.array([np.cos(turn[0]), np.sin(turn[0])]) + noise[0]
    lower = np.array([1 - np.cos(turn[1]), 0.5 - np.sin(turn[1])]) + noise[1]
    edges = [np.linspace(-1.6, 2.6, 85), np.linspace(-1.1, 1.6, 55)]  # squares of .05
    first, second = (np.histogram2d(*part, bins=edges)[0] for part in (upper, lower))
    x, y = np.meshgrid(*((edge[1:] + edge[:-1]) / 2 for edge in edges), indexing="ij")
    points = (np.column_stack([x.ravel(), y.ravel()]) - task.centre) / task.spread
    answers = Curves(task, Suite()).predict(points).reshape(first.shape)
    # Where the counts differ by five of their own errors, and by a quarter: a square is no point.
    clear = (np.abs(first - second) > 5 * np.sqrt(first + second)) & (np.abs(first - second) > (first + second) / 4)
    assert (answers == (second > first))[clear].all() and clear.sum() > 1000


def test_the_observer_of_poly_looks_at_the_five_columns_that_the_others_are_made_of():
    task = records.problem("Poly 1", 0)
    ideal = observer(task, 0)
    ((_, _, columns),) = ideal[0].transformers
    assert columns == [0, 1, 2, 3, 4]
    noise = task.x_test.copy()
    noise[:, 5:] = np.random.default_rng(0).normal(size=noise[:, 5:].shape)
    assert (ideal.predict(noise) == ideal.predict(task.x_test)).all()
    assert (ideal.predict(task.x_test) == task.y_test).mean() > 0.9


def test_the_observer_knows_nothing_of_the_test_rows_move():
    """The same answers as an observer of the recipe fitted here, on the rows as they are after the move."""
    task = records.problem("Shift 0", 0)
    plain = gaussians(range(20)).fit(*records.further(task, 0))
    answers = observer(task, 0).predict(task.x_test)
    assert (answers == plain.predict(task.x_test)).all()
    right = [(plain.predict(x) == task.y_test).mean() for x in (task.x_test, task.x_test * 0)]
    assert right[0] > 0.85 > right[1]


def test_real_rows_have_no_observer():
    assert observer(records.problem("Iris 0", 0), 0) is None and observer(records.problem("Digits 0", 0), 0) is None
