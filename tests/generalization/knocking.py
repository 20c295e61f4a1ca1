"""Rows for the door, and what comes out of it."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

NAMES = ["age", "size", "weight", "height", "income", "tenure"]
WEIGHTS = np.array([3.0, 2.0, 1.0, 0.0, 0.0, 0.0])


def values(score) -> dict[str, float]:
    return score.table.set_index("component").value.to_dict()


def by_hand(x, y, estimator, seed: int = 0):
    """Split, scale and train by the library alone; return training rows, test rows and their classes, and the model."""
    kinds = (np.asarray(y) == "yes").astype(int)
    train, test = train_test_split(np.arange(len(x)), test_size=0.3, stratify=kinds, random_state=seed)
    scaler = StandardScaler().fit(x.to_numpy()[train])
    rows = scaler.transform(x.to_numpy())
    return rows[train], kinds[train], rows[test], kinds[test], estimator.fit(rows[train], kinds[train]), scaler, test


class Seen(GaussianNB):
    """Keeps the rows that it is shown."""

    rows: ClassVar[list] = []

    def fit(self, x, y):
        self.rows.append(x.copy())
        return super().fit(x, y)

    def predict(self, x):
        self.rows.append(x.copy())
        return super().predict(x)


def reordered(x, moved, order):
    return x.iloc[:, order], {"X_shift": moved.iloc[:, order], "reference": WEIGHTS[order]}


class Constant(ClassifierMixin, BaseEstimator):
    """Always gives the class it was made for."""

    def __init__(self, kind=0):
        self.kind = kind

    def fit(self, x, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, x):
        return np.full(len(x), self.kind)


def hole(x):
    broken = x.copy()
    broken.iloc[3, 1] = np.nan
    return broken


BAD = {
    "one class": (lambda x, y: (x, ["no"] * 400), {}, ("y with the one class", "two classes")),
    "a class of one row": (lambda x, y: (x, [*y[:399], "maybe"]), {}, ("one row alone", "'maybe'")),
    "a missing value": (lambda x, y: (hole(x), y), {}, ("1 values of X", "missing", "SimpleImputer")),
    "an infinite value": (lambda x, y: (x.replace({3.0: 1.0}) / 0.0, y), {}, ("infinite",)),
    "a missing class": (lambda x, y: (x, [None, *y[1:]]), {}, ("1 classes that are missing",)),
    "one column": (lambda x, y: (x[["age"]], y), {}, ("(400, 1)", "at least two columns")),
    "one dimension": (lambda x, y: (x["age"].to_numpy(), y), {}, ("(400,)", "at least two columns")),
    "62 rows": (lambda x, y: (x[:62], y[:62]), {}, ("62 rows, of which 19", "at least 20 test rows")),
    "words": (lambda x, y: (x.assign(town="Ulm"), y), {}, ("no numbers", "OneHotEncoder")),
    "fewer classes than rows": (lambda x, y: (x, y[:399]), {}, ("y of shape (399,)", "400 rows")),
    "a table of classes": (lambda x, y: (x, np.zeros((400, 2))), {}, ("y of shape (400, 2)",)),
    "a short reference": (None, {"reference": WEIGHTS[:5]}, ("reference of shape (5,)", "6 columns")),
    "a reference of a table": (None, {"reference": np.ones((6, 2))}, ("reference of shape (6, 2)",)),
    "other names": (
        None, {"reference": dict.fromkeys([*NAMES[:5], "colour"], 1.0)}, ("colour", "one weight for each of"),
    ),
    "a missing weight": (None, {"reference": [1, 2, 3, 4, 5, np.nan]}, ("missing weights",)),
    "a shift of fewer rows": (lambda x, y: (x, y), lambda x: {"X_shift": x[:300]}, ("(300, 6)", "(400, 6)")),
    "a shift of fewer columns": (None, lambda x: {"X_shift": {"fog": x[NAMES[:5]]}}, ("'fog'", "(400, 5)")),
    "a shift of other columns": (None, lambda x: {"X_shift": x[NAMES[::-1]]}, ("'shift'", "in their order")),
    "a shift with a hole": (None, lambda x: {"X_shift": {"fog": hole(x)}}, ("X_shift 'fog'", "missing")),
    "a shift of words": (None, lambda x: {"X_shift": x.assign(age="old")}, ("X_shift 'shift'", "no numbers")),
}  # fmt: skip


def two():
    rng = np.random.default_rng(0)
    return rng.normal(size=(100, 2)), np.arange(100) % 2
