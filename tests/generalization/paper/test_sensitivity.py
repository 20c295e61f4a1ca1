"""Ranges and what is told beyond accuracy, against the formula by hand and against tables whose answer is known."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

from cogkit.generalization.learners import groups
from cogkit.generalization.metric import relevance
from cogkit.generalization.metric.gr_star import gr_star, performance
from cogkit.generalization.paper import sensitivity

TOLD = {"mutual information": np.array([0.5, 0.3, 0.2, 0.0]), "correlation": np.array([0.4, 0.4, 0.1, 0.1])}


def by_hand(accuracy, weights, n, direction="decreasing", onto="half"):
    weights = np.asarray(weights)
    parts = accuracy, relevance.alignment(weights, direction, onto), relevance.entropy(weights)
    return float(gr_star(*parts, n, len(weights)))


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return sensitivity.ranges(0.9, TOLD, 1000, 700, np.random.default_rng(0), 400).set_index("varied")


def test_choices_of_two_are_both_ends(table):
    weights = TOLD["mutual information"]
    ends = {
        "direction of the template": (by_hand(0.9, weights, 1000), by_hand(0.9, weights, 1000, "increasing")),
        "map of the cosine": (by_hand(0.9, weights, 1000), by_hand(0.9, weights, 1000, onto="clip")),
        "source of relevance": (by_hand(0.9, weights, 1000), by_hand(0.9, TOLD["correlation"], 1000)),
        "rows that n counts": (by_hand(0.9, weights, 1000), by_hand(0.9, weights, 700)),
    }
    for choice, pair in ends.items():
        assert table.loc[choice, ["low", "high"]].tolist() == pytest.approx(sorted(pair)), choice
        assert table.times[choice] == pytest.approx(max(pair) / min(pair))
    assert table.low["everything"] < table.low.drop("everything").min()
    assert 0 < table.low["constants"] and table.high["constants"] < performance(0.9) * (0.8 + 1) / (0.15 / 4)


def test_orders_of_columns_come_to_every_order(table):
    scores = [by_hand(0.9, weights, 1000) for weights in itertools.permutations(TOLD["mutual information"])]
    # 24 orders in 400 draws: each is missed with a chance of 4e-8.
    assert table.loc["order of the columns", ["low", "high"]].tolist() == pytest.approx([min(scores), max(scores)])


def test_beyond_accuracy_is_measured_in_families_left_out(full_fit):
    frame = sensitivity.predicts_shift(full_fit).set_index("predictors")
    scores = groups.score(full_fit)
    shifted = [full_fit.accuracy(full_fit.under_shift[:, :2, k]) for k in range(full_fit.under_shift.shape[2])]
    target = np.mean(shifted, axis=0).ravel()  # task by task, the proxy and the machine
    predictions = np.empty(len(target))
    for family in scores.family.unique():
        out = (scores.family == family).to_numpy()
        model = LinearRegression().fit(scores.accuracy.to_numpy()[~out, None], target[~out])
        predictions[out] = model.predict(scores.accuracy.to_numpy()[out, None])
    assert frame.r2["accuracy"] == pytest.approx(1 - ((target - predictions) ** 2).mean() / target.var())
    assert frame.error["accuracy"] == pytest.approx(math.sqrt(((target - predictions) ** 2).mean()))
    assert (frame.n == len(scores)).all() and len(frame) == 4
