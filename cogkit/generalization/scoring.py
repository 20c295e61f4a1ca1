"""From a classifier to its answers on one task: the same path for proxies, machines, floors and the observer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cogkit.core.contracts import InputError
from cogkit.generalization.problems.records import Problem

SHIFTS = {"moved": 0.5, "noisy": 0.5, "stretched": 1.5}  # what each does is said by `shifted`
REPEATS = 3  # shuffles of a column from which its importance is taken


@dataclass(frozen=True, eq=False)
class Answers:
    """What one classifier answers on the test rows of one task.

    Attributes
    ----------
    predicted : (n,) int64
        The class given to each test row.
    under_shift : (len(SHIFTS), n) int64 or None
        The same with every column shifted, see `shifted`.
    importance : (d,) float64 or None
        Loss of accuracy when a column is shuffled among the test rows.
    """

    predicted: np.ndarray
    under_shift: np.ndarray | None = None
    importance: np.ndarray | None = None


def judge(classifier, problem: Problem, rng: np.random.Generator | None = None) -> Answers:
    """Return the answers of a trained classifier, which sees the test rows and nothing else.

    Parameters
    ----------
    classifier
        Anything with a scikit-learn ``predict``.
    problem : Problem
    rng : numpy.random.Generator, optional
        Draws shifts and shuffles, the same for every classifier with the same stream; without it, neither is asked.

    Examples
    --------
    >>> from cogkit.generalization.learners import floors
    >>> from cogkit.generalization.problems import records
    >>> made = records.problem("Linear 0", 0)
    >>> judge(floors.floor("majority class", made), made).predicted.shape
    (300,)
    """
    predicted = ask(classifier, problem.x_test)
    if rng is None:
        return Answers(predicted)
    tests = np.stack([shifted(problem.x_test, name, rng) for name in SHIFTS])
    under_shift = ask(classifier, tests.reshape(-1, problem.s)).reshape(len(SHIFTS), -1)
    if problem.truth is None:
        return Answers(predicted, under_shift)
    after = shuffled_columns(classifier, problem.x_test, problem.y_test, rng).mean(axis=0)
    return Answers(predicted, under_shift, (predicted == problem.y_test).mean() - after)


def shifted(x: np.ndarray, name: str, rng: np.random.Generator) -> np.ndarray:
    """Return standardised rows under one of the `SHIFTS`.

    ``moved``: each column by half a standard deviation, up or down; ``noisy``: Gaussian noise of half a standard
    deviation on every value; ``stretched``: each column times 1.5.

    Examples
    --------
    >>> shifted(np.ones((1, 2)), "stretched", np.random.default_rng(0))
    array([[1.5, 1.5]])
    """
    size = SHIFTS[name]
    if name == "moved":
        return x + size * rng.choice([-1.0, 1.0], x.shape[1])
    if name == "noisy":
        return x + size * rng.standard_normal(x.shape)
    return x * size


def shuffled_columns(
    classifier, x: np.ndarray, y: np.ndarray, rng: np.random.Generator, places: np.ndarray | None = None
) -> np.ndarray:
    """Return how often each row is right when one column is shuffled among the rows, (n, d), the mean of 3 shuffles.

    All shuffles are asked at once. ``places`` says which of the draws each column gets; by default its own place's.
    """
    n, d = x.shape
    orders = rng.permuted(np.tile(np.arange(n), (REPEATS, d, 1)), axis=2)
    tests = np.tile(x, (REPEATS, d, 1, 1))
    for j in range(d):
        tests[:, j, :, j] = x[orders[:, j if places is None else places[j]], j]
    right = ask(classifier, tests.reshape(-1, d)).reshape(REPEATS, d, n) == y
    return right.mean(axis=0).T


def ask(classifier, x: np.ndarray) -> np.ndarray:
    """Return the class that a classifier gives each row; `InputError` where it gives something else."""
    given = np.asarray(classifier.predict(x))
    if given.shape != (len(x),):
        raise InputError(f"predictions of shape {given.shape}", f"one class for each of {len(x)} rows")
    whole = given.astype(np.int64) if given.dtype.kind in "biuf" else np.zeros(len(x), np.int64)
    if given.dtype.kind not in "biuf" or (whole != given).any():
        raise InputError("predictions that are no classes", "the classes as whole numbers", "bring a classifier")
    return whole
