"""Ranges and what is told beyond accuracy, against the formula by hand and against tables whose answer is known."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

from cogkit.generalization.learners import groups
from cogkit.generalization.paper import sensitivity

TOLD = {"mutual information": np.array([0.5, 0.3, 0.2, 0.0]), "correlation": np.array([0.4, 0.4, 0.1, 0.1])}


def by_hand(accuracy, told, n, rising=False, clip=False):
    p = np.asarray(told) / np.sum(told)
    d = len(p)
    entropy = -sum(v * math.log(v) for v in p if v) / math.log(d)
    r = np.corrcoef(p, np.arange(d))[0, 1] * (1 if rising else -1)
    alignment = max(r, 0) if clip else (1 + r) / 2
    f = accuracy * (1 - 2 * math.sqrt(accuracy * (1 - accuracy)))
    return f * (0.2 + alignment) / (0.15 + math.log(1 + n / 1000) + 0.5 * math.sqrt(d / 100) + entropy)


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return sensitivity.ranges(0.9, TOLD, 1000, 700, np.random.default_rng(0), 400).set_index("varied")


def test_choices_of_two_are_both_ends(table):
    weights = TOLD["mutual information"]
    ends = {
        "direction of the template": (by_hand(0.9, weights, 1000), by_hand(0.9, weights, 1000, rising=True)),
        "map of the cosine": (by_hand(0.9, weights, 1000), by_hand(0.9, weights, 1000, clip=True)),
        "source of relevance": (by_hand(0.9, weights, 1000), by_hand(0.9, TOLD["correlation"], 1000)),
        "rows that n counts": (by_hand(0.9, weights, 1000), by_hand(0.9, weights, 700)),
    }
    for choice, pair in ends.items():
        assert table.loc[choice, ["low", "high"]].tolist() == pytest.approx(sorted(pair)), choice
        assert table.times[choice] == pytest.approx(max(pair) / min(pair))


def test_orders_of_columns_come_to_every_order(table):
    scores = [
        by_hand(0.9, [TOLD["mutual information"][j] for j in order], 1000) for order in itertools.permutations(range(4))
    ]
    # 24 orders in 400 draws: each is missed with a chance of 4e-8.
    assert table.loc["order of the columns", ["low", "high"]].tolist() == pytest.approx([min(scores), max(scores)])


def test_everything_is_wider_than_any_alone_and_constants_stay_in_their_bounds(table):
    assert table.low["everything"] < table.low.drop("everything").min()
    f = 0.9 * (1 - 2 * math.sqrt(0.09))
    assert 0 < table.low["constants"] and table.high["constants"] < f * (0.8 + 1) / (0.15 / 4)


def test_beyond_accuracy_is_measured_in_families_left_out(asked):
    frame = sensitivity.predicts_shift(asked).set_index("predictors")
    scores = groups.score(asked)
    places = {"human proxies": 0, "machines": 1}
    n = (asked.truth != 255).sum(axis=1)
    target = []
    for row in scores.itertuples():
        t, place = asked.names.index(row.task), places[row.side]
        answers = asked.under_shift[t, place, :, : n[t]]
        target.append((answers == asked.truth[t, : n[t]]).mean())
    target, predictions = np.array(target), np.empty(len(target))
    for family in scores.family.unique():
        out = (scores.family == family).to_numpy()
        model = LinearRegression().fit(scores.accuracy.to_numpy()[~out, None], target[~out])
        predictions[out] = model.predict(scores.accuracy.to_numpy()[out, None])
    assert frame.r2["accuracy"] == pytest.approx(1 - ((target - predictions) ** 2).mean() / target.var())
    assert frame.error["accuracy"] == pytest.approx(math.sqrt(((target - predictions) ** 2).mean()))
    assert (frame.n == len(scores)).all() and len(frame) == 4
