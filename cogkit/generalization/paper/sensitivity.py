"""What GR* says beyond accuracy."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict

from cogkit.generalization.learners import groups as sides
from cogkit.generalization.learners.predictions import Fitted
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.suites import SIDES


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
