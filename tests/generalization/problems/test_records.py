"""The tasks: the same again from one seed, what the recipe says of their columns, and what is done to their rows."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from sklearn import datasets
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

from cogkit.core import items
from cogkit.generalization.problems import records
from cogkit.generalization.problems.records import Problem, further, problem
from cogkit.generalization.suites import FAMILIES, GENERATED, REAL, TABLE, Suite

DRAWN = ("Linear", "Imbalance", "Shift")  # recipes with ten informative columns of twenty


@pytest.fixture(scope="module")
def made() -> dict[str, Problem]:
    """The first task of each family."""
    tasks = {task.family: task for task in records.problems(Suite(1), 0)}
    assert list(tasks) == [*GENERATED, *REAL]
    return tasks


@pytest.fixture(scope="module")
def many() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Twenty thousand rows of a task of each recipe that has them, at its own scale."""
    tasks = {family: problem(f"{family} 2", 0) for family in (*DRAWN, "Poly")}
    return {family: (tasks[family], *further(tasks[family], 0)) for family in tasks}


def apart(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """By how many standard errors the means of columns differ."""
    error = first.var(axis=0, ddof=1) / len(first) + second.var(axis=0, ddof=1) / len(second)
    return np.abs(first.mean(axis=0) - second.mean(axis=0)) / np.sqrt(error)


def same(one: Problem, two: Problem) -> list[str]:
    """Names of the arrays that are alike bit for bit."""
    arrays = ("x", "y", "x_test", "y_test", "centre", "spread", "truth")
    return [name for name in arrays if np.array_equal(getattr(one, name), getattr(two, name))]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_task_is_made_again_bit_for_bit_and_another_seed_gives_another(family):
    first, again, other = (problem(f"{family} 0", seed) for seed in (3, 3, 4))
    assert len(same(first, again)) == 7 and first.state == again.state and first.columns == again.columns
    assert "x" not in same(first, other) and "x_test" not in same(first, other) and first.state != other.state


def test_a_task_does_not_depend_on_what_else_is_made():
    suites = Suite(), Suite(2, ("Poly", "Shift", "Iris"))
    alone = {item.task: item for item in records.problems(suites[1], 0)}
    assert list(alone) == ["Poly 0", "Poly 1", "Shift 0", "Shift 1", "Iris 0"]
    assert all(len(same(problem(name, 0, suites[0]), task)) == 7 for name, task in alone.items())
    tasks = [problem(f"{family} {k}", 0) for family in DRAWN for k in (0, 1)]
    assert all("x" not in same(first, second) for first, second in itertools.combinations(tasks, 2))


def test_only_the_noise_of_circles_goes_with_the_number_of_tasks():
    assert records.circles_noise(Suite()) == pytest.approx(0.05 + 0.15 * np.arange(10) / 9)
    assert records.circles_noise(Suite(2)).tolist() == [0.05, 0.20]
    assert records.circles_noise(Suite(1)).tolist() == [0.05]


@pytest.mark.parametrize("family", FAMILIES)
def test_rows_are_parted_70_to_30_by_class_and_standardised_by_those_for_training(made, family):
    task = made[family]
    assert (task.n, task.s, task.classes) == tuple(TABLE.loc[family, ["n", "s", "classes"]])
    assert len(task.columns) == len(set(task.columns)) == task.s and task.x_test.shape[1] == task.s
    assert len(task.y_test) == -(-3 * task.n // 10)
    for k in range(task.classes):
        expected = 0.3 * ((task.y == k).sum() + (task.y_test == k).sum())
        assert abs((task.y_test == k).sum() - expected) <= 1
    assert np.abs(task.x.mean(axis=0)).max() < 1e-9
    varies = np.ptp(task.x, axis=0) > 0
    assert task.x[:, varies].std(axis=0) == pytest.approx(1) and varies.all() == (family != "Digits")


@pytest.mark.parametrize("family", REAL)
def test_real_rows_are_the_librarys(made, family):
    task = made[family]
    x = np.concatenate([task.x, task.x_test]) * task.spread + task.centre
    table = np.column_stack([x.round(6), np.concatenate([task.y, task.y_test])])
    load = {"Iris": datasets.load_iris, "Digits": datasets.load_digits}[family]
    expected = np.column_stack(load(return_X_y=True))
    assert (table[np.lexsort(table.T)] == expected[np.lexsort(expected.T)]).all()
    assert task.truth is None


def test_classes_are_as_frequent_as_the_recipe_says(many, made):
    for family, (_, _, y) in many.items():
        flipped = 0.05 if family == "Shift" else 0.02  # of these half change their class
        expected = (0.2 if family == "Imbalance" else 0.5) * (1 - flipped) + flipped / 2
        assert y.mean() == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / len(y)))
    for family in ("Moons", "Circles"):
        assert np.bincount(np.concatenate([made[family].y, made[family].y_test])).tolist() == [300, 300]


@pytest.mark.parametrize(
    ("family", "flipped"), [("Linear", 0.02), ("Imbalance", 0.02), ("Poly", 0.02), ("Shift", 0.05)]
)
def test_some_labels_are_drawn_anew(many, family, flipped):
    """Where the classes lie far apart, what is wrong is half of those."""
    _, x, y = many[family]
    x = x[:, :5] if family == "Poly" else x
    sure = QuadraticDiscriminantAnalysis().fit(x, y).decision_function(x)
    far = np.abs(sure) > np.median(np.abs(sure))
    expected = flipped / 2
    wrong = ((sure > 0) != y)[far].mean()
    assert wrong == pytest.approx(expected, abs=4 * np.sqrt(expected / far.sum()))


@pytest.mark.parametrize("family", DRAWN)
def test_the_truth_marks_the_columns_in_which_the_classes_differ(many, family):
    task, x, y = many[family]
    mask = task.truth == 1
    assert mask.sum() == 10 and set(task.truth) == {0, 1}
    assert not (mask == np.sort(mask)).all() and not (mask == np.sort(mask)[::-1]).all()  # columns are shuffled
    x = x - x.mean(axis=0)
    means = apart(x[y == 0], x[y == 1])
    products = np.array([apart(x[y == 0] * x[y == 0][:, [j]], x[y == 1] * x[y == 1][:, [j]]) for j in range(20)])
    # Two classes may share the mean and the spread of a column, and differ in how it goes with another.
    assert (np.maximum(means, products.max(axis=1))[mask] > 8).all()
    assert means[~mask].max() < 4.5 and products[~mask].max() < 4.5


def test_the_columns_of_poly_are_products_of_five_of_which_three_differ(many):
    task, x, y = many["Poly"]
    for part in (x, task.x, task.x_test):
        raw = part * task.spread + task.centre
        base, products = raw[:, :5], itertools.combinations_with_replacement(range(5), 2)
        assert np.allclose(raw[:, 5:], np.column_stack([base[:, i] * base[:, j] for i, j in products]))
    base = x[:, :5] - x[:, :5].mean(axis=0)
    both = np.maximum(apart(base[y == 0], base[y == 1]), apart(base[y == 0] ** 2, base[y == 1] ** 2))
    assert (both[:3] > 8).all() and both[3:].max() < 4.5
    marked = {name for name, mark in zip(task.columns, task.truth, strict=True) if mark}
    assert marked == {"a", "b", "c", "a²", "ab", "ac", "b²", "bc", "c²"}
    assert task.columns[:7] == ("a", "b", "c", "d", "e", "a²", "ab") and task.columns[-1] == "e²"


def test_further_rows_are_of_the_same_recipe_and_none_of_the_tasks_own(many):
    for family, (task, x, y) in many.items():
        assert x.shape == (20_000, 20) and y.shape == (20_000,)
        keys = {row.tobytes() for row in task.x.round(9)}
        assert not keys & {row.tobytes() for row in x.round(9)}
        for k in (0, 1):  # the training rows have mean 0 and SD 1, and theirs are nearly so
            assert apart(task.x[task.y == k], x[y == k]).max() < 4.5, family


def test_the_test_rows_of_shift_are_moved_by_a_quarter(made, monkeypatch):
    task = made["Shift"]
    monkeypatch.setattr(records, "MOVED", 0.0)
    still = problem("Shift 0", 0)
    steps = task.x_test - still.x_test
    assert np.abs(steps) == pytest.approx(0.25) and (np.ptp(steps, axis=0) < 1e-12).all()
    assert {-1, 1} == set(np.sign(steps[0])) and (task.x == still.x).all()


def test_circles_have_the_radii_and_the_noise_that_they_say(made):
    for k, noise in ((0, 0.05), (9, 0.20)):
        task = problem(f"Circles {k}", 0)
        points = np.concatenate([task.x, task.x_test]) * task.spread + task.centre
        y = np.concatenate([task.y, task.y_test])
        for kind, radius in ((0, 1.0), (1, 0.5)):
            square = (points[y == kind] ** 2).sum(axis=1)  # its mean is R² + 2σ²
            error = square.std() / np.sqrt(len(square))
            assert square.mean() == pytest.approx(radius**2 + 2 * noise**2, abs=4 * error)


def test_two_equal_flowers_of_iris_are_parted_in_nine_of_twenty_seeds():
    x, _ = datasets.load_iris(return_X_y=True)
    (twin,) = [row for row, n in zip(*np.unique(x, axis=0, return_counts=True), strict=True) if n == 2]
    parted = 0
    for seed in range(20):
        task = problem("Iris 0", seed)
        on_both = [
            np.isclose(rows * task.spread + task.centre, twin).all(axis=1).sum() for rows in (task.x, task.x_test)
        ]
        assert sum(on_both) == 2
        parted += on_both == [1, 1]
        made = records.exposure("Iris 0", seed, Suite())
        assert items.overlap(made.train, made.test) == [] and sorted([*made.train, *made.test]) == [*range(150)]
    assert parted == 9


def test_an_exposure_tells_equal_rows_of_training_and_test(monkeypatch):
    for name in ("Shift 0", "Circles 1"):
        made = records.exposure(name, 0, Suite())
        assert items.overlap(made.train, made.test) == []
    split = records._split
    monkeypatch.setattr(records, "_split", lambda rows, state: (split(rows, state)[0], split(rows, state)[0][:7]))
    made = records.exposure("Circles 1", 0, Suite())
    assert len(items.overlap(made.train, made.test)) == 7
