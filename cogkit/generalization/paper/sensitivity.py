"""How far GR* moves with the choices that are open, and what it says beyond accuracy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict

from cogkit.generalization.learners import groups as sides
from cogkit.generalization.learners.predictions import Fitted
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.metric import relevance
from cogkit.generalization.metric.gr_star import Constants
from cogkit.generalization.suites import SIDES

_TIMES = 4.0  # constants are drawn between a quarter and four times the paper's values, log-uniformly


def ranges(
    accuracy: float, sources: Mapping[str, np.ndarray], n: int, n_train: int, rng: np.random.Generator, draws: int = 500
) -> pd.DataFrame:
    """Return the range of GR* of one learner on one task over each choice that the paper leaves open.

    Columns varied, low, high, times (high over low). The choices are direction, map, source, n, constants (log-uniform
    from a quarter to four times the paper's), column order, and all of them together. These are ranges, not intervals.

    Parameters
    ----------
    sources : mapping of str to (d,) array
        Relevance of the columns by source, as in `relevance.SOURCES`.
    n, n_train : int
        Number of rows in all, and for training.
    rng : numpy.random.Generator
        Draws orders of columns, and constants.

    Examples
    --------
    >>> sources = {source: np.array([3.0, 2.0, 1.0]) for source in relevance.SOURCES}
    >>> table = ranges(0.9, sources, 1000, 700, np.random.default_rng(0))
    >>> table.varied.tolist()[:2], bool((table.low <= table.high).all())
    (['direction of the template', 'map of the cosine'], True)
    """
    d = len(next(iter(sources.values())))
    paper = {
        "source": next(iter(relevance.SOURCES)), "direction": "decreasing", "onto": "half", "n": n,
        "constants": Constants(),
    }  # fmt: skip
    orders = [rng.permutation(d) for _ in range(draws)]
    samples = [
        Constants(**{name: value * _TIMES ** rng.uniform(-1, 1) for name, value in vars(Constants()).items()})
        for _ in range(draws)
    ]

    def score(order=None, **changed) -> float:
        settings = paper | changed
        weights = sources[settings["source"]] if order is None else sources[settings["source"]][order]
        alignment = relevance.alignment(weights, settings["direction"], settings["onto"])
        spread = relevance.entropy(weights)
        return float(metric.gr_star(accuracy, alignment, spread, settings["n"], d, settings["constants"]))

    joint = [
        score(
            order, source=rng.choice(list(sources)), direction=rng.choice(relevance.DIRECTIONS),
            onto=rng.choice(relevance.MAPS), n=rng.choice([n, n_train]), constants=constants,
        )
        for order, constants in zip(orders, samples, strict=True)
    ]  # fmt: skip
    results = {
        "direction of the template": [score(direction=choice) for choice in relevance.DIRECTIONS],
        "map of the cosine": [score(onto=choice) for choice in relevance.MAPS],
        "source of relevance": [score(source=choice) for choice in sources],
        "rows that n counts": [score(n=choice) for choice in (n, n_train)],
        "constants": [score(constants=choice) for choice in samples],
        "order of the columns": [score(order) for order in orders],
        "everything": joint,
    }
    rows = [{"varied": name, "low": min(values), "high": max(values)} for name, values in results.items()]
    table = pd.DataFrame(rows)
    return table.assign(times=(table.high / table.low.where(table.low > 0)).fillna(np.inf))


def predicts_shift(fitted: Fitted) -> pd.DataFrame:
    """Return how well accuracy, alone and with GR*, predicts a side's accuracy under shift in held-out families.

    A linear regression predicts a side's mean accuracy under the shifts of `scoring.SHIFTS` over tasks and sides. Its
    predictors are accuracy, alone and with GR* or f(accuracy). Each family in turn is predicted from the others. The
    answers are with components, of both sides.

    Columns predictors, r2 (out of family; below 0 is worse than the mean), error (root mean square), n.
    """
    scores = sides.score(fitted)
    shifts = range(fitted.under_shift.shape[2])
    accuracies = np.mean([fitted.accuracy(fitted.under_shift[:, :, k]) for k in shifts], axis=0)
    places = {name: fitted.places(kind) for kind, name in SIDES.items()}
    index = {name: t for t, name in enumerate(fitted.names)}
    target = np.array([accuracies[index[row.task], places[row.side]].mean() for row in scores.itertuples()])
    f = metric.performance(scores.accuracy)
    sets = {
        "accuracy": [scores.accuracy],
        "accuracy and f(accuracy)": [scores.accuracy, f],
        "accuracy and GR*": [scores.accuracy, scores.gr_star],
        "GR*": [scores.gr_star],
    }
    rows = []
    for name, columns in sets.items():
        predictions = cross_val_predict(
            LinearRegression(), np.column_stack(columns), target, groups=scores.family, cv=LeaveOneGroupOut()
        )
        error = ((target - predictions) ** 2).mean()
        rows.append({"predictors": name, "r2": 1 - error / target.var(), "error": np.sqrt(error), "n": len(target)})
    return pd.DataFrame(rows)
