"""The tasks: eight families of classification problems, all from one seed.

The paper gives only the names of the families. Sizes, noise, difficulty, and the meaning of "Poly" and "Shift" were
inferred from its printed numbers. The preset thus shows what is possible; it is not a replication.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn import datasets, model_selection, preprocessing

from cogkit.core import items, seeding
from cogkit.core.identity import content_hash, hashed
from cogkit.generalization.suites import REAL, Suite, family_of

TEST = 0.3  # share of test rows
MOVED = 0.25  # shift of each column of Shift's test rows in standard deviations, in a random direction
MOONS, INNER = 0.2, 0.5  # noise of Moons; radius of the inner circle of Circles, the outer one having 1
_CIRCLES = (0.05, 0.20)  # noise of the first and the last task of Circles
_FURTHER = 20_000  # further rows of the same recipe outside the task, for training an observer
_LINEAR = {"n_samples": 1000, "n_features": 20, "n_informative": 10, "class_sep": 0.9, "flip_y": 0.02}
_GAUSSIAN = {  # arguments of make_classification; Poly expands its columns
    "Linear": _LINEAR,
    "Imbalance": _LINEAR | {"weights": [0.8, 0.2]},
    "Shift": _LINEAR | {"flip_y": 0.05},
    "Poly": {"n_samples": 600, "n_features": 5, "n_informative": 3, "class_sep": 1.05, "flip_y": 0.02},
}


@dataclass(frozen=True, eq=False, repr=False)
class Problem(items.Items):
    """One task: standardised training and test rows; its items are the test rows.

    Attributes
    ----------
    x, y : (n_train, d) float64, (n_train,) int64
        Training rows, each column with mean 0 and standard deviation 1, and classes from 0.
    x_test, y_test : (n_test, d), (n_test,)
        Test rows, on the scale of the training rows.
    truth : (d,) float64 or None
        Whether each column is informative by the recipe, or made only of informative ones (1 or 0); None if unknown.
    centre, spread : (d,) float64
        The number subtracted from each column, and its divisor.
    state : int
        Seed of the learners that are trained on the task: that of the task, as in the paper.
    """

    instrument: ClassVar[str] = "generalization"
    source: ClassVar[str] = "cogkit"

    task: str
    family: str
    x: np.ndarray
    y: np.ndarray
    x_test: np.ndarray
    y_test: np.ndarray
    columns: tuple[str, ...]
    truth: np.ndarray | None
    centre: np.ndarray
    spread: np.ndarray
    state: int
    seed: int = 0

    def __len__(self) -> int:
        return len(self.y_test)

    def __getitem__(self, index: Any) -> Any:
        """Return one test row and its class, or for a slice or places the task with these test rows alone."""
        rows, classes = self.x_test[index], self.y_test[index]
        return (rows, int(classes)) if np.ndim(classes) == 0 else replace(self, x_test=rows, y_test=classes)

    def name(self, index: int) -> str:
        """Return the task, and the hash of a row and its class."""
        return hashed(self.task, self[index])

    def row(self, index: int) -> dict[str, Any]:
        """Return a row by its columns, and its class."""
        row, answer = self[index]
        return dict(zip(self.columns, row.tolist(), strict=True)) | {"class": answer}

    @property
    def contents(self) -> list[tuple[float, ...]]:
        """The test rows, without their classes."""
        return _keys(self.x_test)

    @property
    def hash(self) -> str:
        """The hash of the test rows and their classes; see `identity.content_hash`."""
        return content_hash([self.x_test, self.y_test])

    @property
    def n(self) -> int:
        """Number of rows, in training and test: the paper's sample count."""
        return len(self.y) + len(self.y_test)

    @property
    def s(self) -> int:
        """Number of columns: the paper's feature dimension."""
        return self.x.shape[1]

    @property
    def classes(self) -> int:
        """Number of classes in the training rows."""
        return int(self.y.max()) + 1


def problem(name: str, seed: int, suite: Suite | None = None) -> Problem:
    """Return one task of a suite. It depends on no other task, except that their number sets the noise of Circles.

    Examples
    --------
    >>> made = problem("Poly 0", 0)
    >>> made.x.shape, made.x_test.shape, made.columns[5], int(made.truth.sum())
    ((420, 20), (180, 20), 'a²', 9)
    """
    suite = suite or Suite()
    rng = seeding.stream(seed, f"generalization/{name}")
    rows = _draw(name, suite, rng)
    state = _whole(rng)
    train, test = _split(rows, state)
    y, y_test = rows.y[train], rows.y[test]
    scaler = preprocessing.StandardScaler().fit(rows.x[train])
    x, x_test = scaler.transform(rows.x[train]), scaler.transform(rows.x[test])
    family = family_of(name)
    if family == "Shift":
        x_test = x_test + MOVED * rng.choice([-1.0, 1.0], x.shape[1])
    scale = {"centre": scaler.mean_, "spread": scaler.scale_}
    return Problem(name, family, x, y, x_test, y_test, rows.columns, rows.truth, **scale, state=state, seed=seed)


def problems(suite: Suite, seed: int) -> Iterator[Problem]:
    """Yield the tasks of a suite in order, making one at a time."""
    return (problem(name, seed, suite) for name in suite.names)


def further(made: Problem, seed: int, suite: Suite | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return further rows of a task's recipe, (20000, columns) and (20000,), on the scale of its training rows.

    Examples
    --------
    >>> further(problem("Linear 0", 0), 0)[0].shape
    (20000, 20)
    """
    rows = _draw(made.task, suite or Suite(), seeding.stream(seed, f"generalization/{made.task}"))
    return (rows.x_further - made.centre) / made.spread, rows.y_further


def exposure(name: str, seed: int, suite: Suite) -> items.Exposure:
    """Return all rows of a task from which its players learn, beside its test rows, before any is moved.

    Rows that we draw are equal if all their columns are, whatever the class. A row of a table that nobody drew is one
    flower, or one picture: two flowers of Iris have the same four measures, and in nine of twenty seeds the split parts
    them. The observer learns from `further` rows.

    Examples
    --------
    >>> made = exposure("Iris 0", 1, Suite())
    >>> len(made.train), len(made.test), items.overlap(made.train, made.test)
    (105, 45, [])
    """
    rng = seeding.stream(seed, f"generalization/{name}")
    rows = _draw(name, suite, rng)
    train, test = _split(rows, _whole(rng))
    if family_of(name) in REAL:
        return items.Exposure(f"rows of {name}", train.tolist(), test.tolist())
    further = [] if rows.x_further is None else _keys(rows.x_further)
    return items.Exposure(f"rows of {name}", _keys(rows.x[train]) + further, _keys(rows.x[test]))


class _Rows(NamedTuple):
    """All drawn rows of a task. The rows outside the task come last."""

    x: np.ndarray
    y: np.ndarray
    columns: tuple[str, ...]
    truth: np.ndarray | None = None
    x_further: np.ndarray | None = None
    y_further: np.ndarray | None = None


def _draw(name: str, suite: Suite, rng: np.random.Generator) -> _Rows:
    family, k = name.rsplit(" ", 1)
    if family == "Iris":
        x, y = datasets.load_iris(return_X_y=True)
        return _Rows(x, y, ("sepal length", "sepal width", "petal length", "petal width"))
    if family == "Digits":
        columns = tuple(f"pixel {row + 1},{column + 1}" for row in range(8) for column in range(8))
        x, y = datasets.load_digits(return_X_y=True)
        return _Rows(x, y, columns)
    state = _whole(rng)
    if family == "Moons":
        x, y = datasets.make_moons(600, noise=MOONS, random_state=state)
        return _Rows(x, y, ("x", "y"))
    if family == "Circles":
        noise = circles_noise(suite)[int(k)]
        x, y = datasets.make_circles(600, noise=noise, factor=INNER, random_state=state)
        return _Rows(x, y, ("x", "y"))
    return _gaussian(family, state, rng)


def _gaussian(family: str, state: int, rng: np.random.Generator) -> _Rows:
    """Return a task with one Gaussian per class, as part of many more rows of the same Gaussians."""
    recipe = dict(_GAUSSIAN[family])
    n, d, informative = recipe.pop("n_samples"), recipe["n_features"], recipe["n_informative"]
    x, y = datasets.make_classification(
        n + _FURTHER, n_redundant=0, n_clusters_per_class=1, shuffle=False, random_state=state, **recipe
    )
    # The library's column shuffle is repeated here, so that the informative columns are known. Poly's stay in order.
    order = np.arange(d) if family == "Poly" else rng.permutation(d)
    x, truth = x[:, order], (order < informative).astype(float)
    columns = tuple(f"column {j + 1}" for j in range(d))
    if family == "Poly":
        letters, expansion = "abcde"[:d], preprocessing.PolynomialFeatures(2, include_bias=False)
        x = expansion.fit_transform(x)
        names = expansion.get_feature_names_out(list(letters))
        columns = tuple(name.replace("^2", "²").replace(" ", "") for name in names)  # such as a, a² and ab
        truth = np.array([float(set(name) <= {*letters[:informative], "²"}) for name in columns])
    train, test = model_selection.train_test_split(np.arange(len(y)), train_size=n, stratify=y, random_state=state)
    return _Rows(x[train], y[train], columns, truth, x[test], y[test])


def _split(rows: _Rows, state: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows for training and for the test, 70 to 30, with each class in proportion."""
    train, test = model_selection.train_test_split(
        np.arange(len(rows.y)), test_size=TEST, stratify=rows.y, random_state=state
    )
    return train, test


def _keys(rows: np.ndarray) -> list[tuple[float, ...]]:
    """Return each row as numbers of six decimals."""
    return list(map(tuple, (np.round(rows, 6) + 0.0).tolist()))


def circles_noise(suite: Suite) -> np.ndarray:
    """Return the noise of each task of Circles, from easy to hard."""
    return np.linspace(*_CIRCLES, suite.tasks)


def _whole(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))
