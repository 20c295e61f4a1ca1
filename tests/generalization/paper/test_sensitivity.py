"""Ranges and what is told beyond accuracy, against the formula by hand and against tables whose answer is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from cogkit.generalization.learners import groups
from cogkit.generalization.paper import sensitivity

TOLD = {"mutual information": np.array([0.5, 0.3, 0.2, 0.0]), "correlation": np.array([0.4, 0.4, 0.1, 0.1])}


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
