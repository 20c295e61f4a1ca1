"""The paper's claims on tasks of other recipes that its text allows just as well, one seed each.

Our own recipe was chosen with the printed numbers in sight. Recipes here are drawn at random from `recipes`, so the
share of recipes in which a claim holds describes how far it depends on what the paper does not say. It is no test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from sklearn.inspection import permutation_importance
from threadpoolctl import threadpool_limits

from cogkit.core import seeding
from cogkit.core.records import result_row
from cogkit.data.facts import facts
from cogkit.generalization.learners import players
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.metric import relevance
from cogkit.generalization.metric.gr_star import Constants
from cogkit.generalization.paper import claims, paper_analyses, recipes
from cogkit.generalization.paper.recipes import Recipe
from cogkit.generalization.problems.records import Problem
from cogkit.generalization.suites import MULTIVERSE, SIDES, MultiverseConfig, side

_BOTH = {"who": "both sides", "kind": "model", "inputs": "columns", "supervision": "answers"}


def rows(config: MultiverseConfig, seed: int) -> list[dict]:
    """Return one result row per statistic of `claims.statistics`, on the tasks of recipe ``seed``.

    Statistics of shuffled labels and of curves are left out, because they would take three times as long.
    """
    rng, scored = seeding.stream(seed, "generalization/multiverse/claims"), scores(config, seed)
    statistics = claims.of_scores(scored, rng)
    finite = {name: value for name, value in statistics.items() if np.isfinite(value)}
    return [result_row(_BOTH, "all", name, value, scored.task.nunique()) for name, value in finite.items()]


def shares(results: pd.DataFrame) -> pd.DataFrame:
    """Return in how many recipes each claim holds, one row per claim, as `claims.claims` has them for our own recipe.

    ``results`` are the rows of the cell ``generalization/multiverse``, one seed per recipe. A recipe counts where it
    has every number that the claim needs; without matched pairs, for example, it says nothing about them.

    Columns claim, holds, n (recipes that count; 0 where the statistics of a claim are left out).
    """
    part = results[results.cell == MULTIVERSE]
    statistics = [each.set_index("metric").value.dropna() for _, each in part.groupby("seed")]
    records = []
    for _, row in facts(__file__, "claims").iterrows():
        held = claims.outcomes(row, statistics)
        records.append((row.claim, sum(held), len(held)))
    return pd.DataFrame(records, columns=["claim", "holds", "n"])


def scores(config: MultiverseConfig, seed: int) -> pd.DataFrame:
    """Return the score of each side on each task of recipe ``seed``: columns as of `groups.score`.

    Examples
    --------
    >>> from cogkit.generalization.suites import Suite
    >>> table = scores(MultiverseConfig(Suite(1, ("Moons", "Iris"))), 3)
    >>> table.side.tolist(), bool(table.gr_star.between(0, 1).all())
    (['human proxies', 'machines', 'human proxies', 'machines'], True)
    """
    chosen, suite = recipes.recipe(seed), config.suite
    problems = (recipes.problem(name, chosen, seed, suite.tasks) for name in suite.names)
    with threadpool_limits(1):
        table = pd.DataFrame([row for problem in problems for row in _scored(problem, chosen, seed)])
    return table.assign(gr_star=paper_analyses.rescored(table, Constants()))


def _scored(problem: Problem, chosen: Recipe, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the parts of GR* of each side on one task."""
    settings: dict[str, dict[str, Any]] = {
        "L1 logistic regression": {"estimator__C": chosen["lasso C"]},
        "RBF support vectors": {"C": chosen["support vectors C"], "gamma": chosen["support vectors gamma"]},
        "random forest": {"n_estimators": chosen["trees"]},
        "MLP 64 × 64": {"max_iter": chosen["epochs"]},
    }
    for kind, name in SIDES.items():
        models = [
            players.fitted(player, problem.x, problem.y, problem.state, **settings.get(player, {}))
            for player in side(kind)
        ]
        accuracies = [float((model.predict(problem.x_test) == problem.y_test).mean()) for model in models]
        weights = _relevance(problem, models, chosen, seed)
        yield {
            "task": problem.task, "family": problem.family, "side": name, "kind": kind,
            "accuracy": together(accuracies, chosen["score of a side"]),
            "alignment": _alignment(weights, chosen), "abstraction": float(relevance.entropy(weights)),
            "n": problem.n if chosen["n"] == "all rows" else len(problem.y), "s": problem.s, "classes": problem.classes,
        }  # fmt: skip


def together(accuracies: Sequence[float], how: str) -> float:
    """Return the accuracy of a side, whose GR* is that of the mean or best accuracy, or the mean GR* of its learners.

    For the mean GR*, it is the accuracy whose `metric.performance` is the mean over the learners.

    Examples
    --------
    >>> [round(together([0.6, 0.9, 0.9], how), 3) for how in ("GR* of mean accuracy", "mean GR*")]
    [0.8, 0.851]
    """
    if how == "mean GR*":
        mean = float(metric.performance(accuracies).mean())
        return float(brentq(lambda accuracy: float(metric.performance(accuracy)) - mean, 0.5, 1.0))
    return float(max(accuracies) if how == "GR* of best accuracy" else np.mean(accuracies))


def _relevance(problem: Problem, models: list, chosen: Recipe, seed: int) -> np.ndarray:
    """Return the relevance of each column, (d,); where it is the learners' own, the mean over those of a side."""
    source, x, y = chosen["relevance"], problem.x, problem.y
    if source == "permutation importance":
        once = {"n_repeats": 1, "random_state": problem.state}
        losses = [permutation_importance(model, problem.x_test, problem.y_test, **once) for model in models]
        return np.mean([np.maximum(loss.importances_mean, 0) for loss in losses], axis=0)
    if chosen["relevance on"] == "all rows":
        x, y = np.concatenate([x, problem.x_test]), np.concatenate([y, problem.y_test])
    if source == "correlation with answers":
        return np.mean([relevance.correlation(x, model.predict(x)) for model in models], axis=0)
    return relevance.SOURCES[source](x, y, seed)


def _alignment(weights: np.ndarray, chosen: Recipe) -> float:
    if chosen["template"] == recipes.SORTED:
        weights = -np.sort(-weights)
    direction = "increasing" if chosen["template"] == "rising over columns" else "decreasing"
    return float(relevance.alignment(weights, direction, chosen["map"]))
