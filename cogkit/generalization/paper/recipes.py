"""The space of recipes that the paper leaves open, recipes drawn from it, and their tasks.

``facts/recipes.csv`` has one row per choice. What it leaves out is stated in the paper, such as the six learners.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn import datasets, model_selection, preprocessing

from cogkit.core import seeding
from cogkit.generalization.problems.records import Problem
from cogkit.generalization.suites import REAL, RECIPES, family_of

Recipe = Mapping[str, Any]
SORTED = "falling over sorted relevance"  # the template that ignores where a column stands


def recipe(k: int) -> Recipe:
    """Return recipe ``k``: one option of each choice, all with equal chance.

    Examples
    --------
    >>> len(recipe(0)), recipe(0) == recipe(0), recipe(0) == recipe(1)
    (39, True, False)
    """
    rng = seeding.stream(k, "generalization/recipe")
    return {row.choice: seeding.one_of(options(row.options), rng) for row in RECIPES.itertuples()}


def options(text: str) -> list[Any]:
    """Return the options of a choice, numbers as numbers.

    Examples
    --------
    >>> options("2; half"), options("0.5")
    ([2, 'half'], [0.5])
    """
    return [_value(option) for option in text.split("; ")]


def _value(text: str) -> Any:
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return text


def problem(name: str, chosen: Recipe, seed: int, tasks: int) -> Problem:
    """Return one task of a recipe; ``tasks`` is the number of tasks in its family.

    Examples
    --------
    >>> made = problem("Moons 0", recipe(0) | {"rows curved": 300, "test share": 0.2}, 0, 10)
    >>> made.x.shape, made.x_test.shape
    ((240, 2), (60, 2))
    """
    rng, family = seeding.stream(seed, f"generalization/multiverse/{name}"), family_of(name)
    state = int(rng.integers(2**31))
    noisier = 1.0 if chosen["difficulty"] == "same" else np.linspace(0.5, 1.5, tasks)[int(name.rsplit(" ", 1)[1])]
    x, y = _rows(family, chosen, noisier, state, rng)
    stratify = y if chosen["stratified"] == "yes" else None
    train, test = model_selection.train_test_split(
        np.arange(len(y)), test_size=chosen["test share"], stratify=stratify, random_state=state
    )
    base = train if chosen["standardised on"] == "training rows" else slice(None)
    scaler = preprocessing.StandardScaler().fit(x[base])
    x = scaler.transform(x)
    x_test = _shifted(x[test], chosen, rng) if family == "Shift" else x[test]
    columns, scale = tuple(map(str, range(x.shape[1]))), {"centre": scaler.mean_, "spread": scaler.scale_}
    return Problem(name, family, x[train], y[train], x_test, y[test], columns, None, **scale, state=state, seed=seed)


def _rows(
    family: str, chosen: Recipe, noisier: float, state: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    if family in REAL:
        return (datasets.load_iris if family == "Iris" else datasets.load_digits)(return_X_y=True)
    n = chosen["rows curved"]
    if family == "Moons":
        return datasets.make_moons(n, noise=chosen["moons noise"] * noisier, random_state=state)
    if family == "Circles":
        noise, inner = chosen["circles noise"] * noisier, chosen["circles radius"]
        if chosen["circles noise is of"] == "coordinates":
            return datasets.make_circles(n, noise=noise, factor=inner, random_state=state)
        y, angle = rng.permutation(n) % 2, rng.uniform(0, 2 * np.pi, n)
        radius = np.where(y == 1, inner, 1.0) + noise * rng.standard_normal(n)
        return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), y
    if family == "Poly":
        return _poly(chosen, noisier, state, rng)
    rare, changed = chosen["rare class"], chosen["label noise"]
    own = {"Imbalance": {"weights": [1 - rare, rare]}, "Shift": {"flip_y": changed}}.get(family, {})
    own |= {"n_redundant": chosen["redundant"]}
    return _gaussians(chosen, chosen["rows"], chosen["columns"], noisier, state, **own)


def _gaussians(
    chosen: Recipe, n: int, d: int, noisier: float, state: int, **own: Any
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    share = {"half": 0.5, "four fifths": 0.8}.get(chosen["informative"], 0.0)
    recipe = {"flip_y": chosen["flipped"], "n_redundant": 0} | own
    return datasets.make_classification(
        n, d, n_informative=max(2, round(share * d)), n_clusters_per_class=chosen["clusters"],
        class_sep=chosen["separation"] * (2 - noisier), shuffle=chosen["order of columns"] == "shuffled",
        random_state=state, **recipe,
    )  # fmt: skip


def _poly(chosen: Recipe, noisier: float, state: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    n, d = chosen["rows curved"], chosen["poly columns"]
    kind, _, degree = chosen["poly"].partition(" of degree ")
    expansion = preprocessing.PolynomialFeatures(int(degree), include_bias=False)
    if kind == "expansion":
        x, y = _gaussians(chosen, n, d, noisier, state)
        return expansion.fit_transform(x), y
    x = rng.standard_normal((n, d))
    terms = expansion.fit_transform(x)
    value = terms @ rng.standard_normal(terms.shape[1])
    random_class, flipped = rng.integers(2, size=n), rng.random(n) < min(1.0, chosen["flipped"] * noisier)
    return x, np.where(flipped, random_class, value > np.median(value)).astype(int)


def _shifted(x: np.ndarray, chosen: Recipe, rng: np.random.Generator) -> np.ndarray:
    size, kind = chosen["shift by"], chosen["shift"]
    if kind == "columns stretched":
        return x * (1 + size)
    return x + size * (1.0 if kind == "all columns up" else rng.choice([-1.0, 1.0], x.shape[1]))
