"""Past the mean: rows counted one by one, the library on the same numbers, and figures that hold their tables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from cogkit import stats
from cogkit.generalization import scoring
from cogkit.generalization.learners import groups, players, predictions, robustness
from cogkit.generalization.problems import records
from cogkit.generalization.suites import Suite
from cogkit.generalization.views import comparisons
from cogkit.ui.alt import describe

PAIR = ("naive Bayes", "RBF support vectors")


@pytest.fixture(scope="module")
def shipped():
    return predictions.shipped()


def test_every_test_row_is_right_or_wrong_or_not_asked(shipped):
    table = robustness.right(shipped)
    assert len(table) == (shipped.truth != predictions.NONE).sum() and list(table) == list(shipped.config.players)
    by_task = table.groupby(level="task", sort=False).mean().loc[shipped.names]
    np.testing.assert_allclose(by_task.to_numpy(), shipped.accuracy(), rtol=1e-12)
    assert by_task.recipe.isna().sum() == 2 and by_task.isna().sum().sum() == 2  # Iris and Digits have no recipe
    assert set(table.loc["Circles"].index) == {f"Circles {k}" for k in range(10)}


def test_pairs_are_those_of_the_library(small):
    (pair,) = robustness.consistency(small, np.random.default_rng(0)).itertuples()
    table = robustness.right(small)
    tasks = table.index.get_level_values("task")
    alone = stats.error_consistency_table(table[[*PAIR]], np.random.default_rng(1), clusters=tasks)
    assert (pair.kappa, pair.kappa_max, pair.n) == (*alone[["kappa", "kappa_max"]].iloc[0], len(table))
    assert pair.group == "a proxy and a machine" and pair.clusters == len(small.names)


def test_the_two_kinds_of_pairs_stand_apart(shipped):
    pairs = robustness.consistency(shipped, np.random.default_rng(0))
    counts = {"two proxies": 3, "a proxy and a machine": 9, "two machines": 3}
    assert pairs.group.value_counts(sort=False).to_dict() == counts
    assert "n = 14,985" in comparisons.shared_errors(pairs).layout.title.text


def test_worst_families_and_shift_of_learners_and_observer(shipped):
    families, shift = robustness.worst_families(shipped), robustness.under_shift(shipped)
    names = [name for name in shipped.config.players if name not in ("majority class", "one column")]
    assert list(dict.fromkeys(families.who)) == list(shift.model) == names
    place = shipped.config.players.index("naive Bayes")
    digits = families[(families.who == "naive Bayes") & (families.group == "Digits")].iloc[0]
    assert digits.accuracy == pytest.approx(shipped.accuracy()[shipped.names.index("Digits 0"), place]) and digits.worst
    generated = [k for k, name in enumerate(shipped.names) if name not in ("Iris 0", "Digits 0")]
    shifted = [shipped.accuracy(shipped.under_shift[:, :, k]) for k in range(len(scoring.SHIFTS))]
    tests = [accuracy[generated, place].mean() for accuracy in shifted]
    row = shift.set_index("model").loc["naive Bayes"]
    assert (row.shifted, row.tasks, row.models) == (pytest.approx(np.mean(tests)), 60, 6)
    assert "naive Bayes: 0.888, worst Digits 0.844" in describe(comparisons.away_from_the_mean(families, shift))


def test_curves_are_fitted_to_answers_counted_one_by_one(monkeypatch):
    monkeypatch.setattr(players, "LEARNERS", {name: players.LEARNERS[name] for name in PAIR})
    answers = robustness.shifted_answers(2, 0, [0.0, 1.0, 2.0, 3.0])
    expected = 0
    for problem in records.problems(Suite(2, ("Linear",)), 0):
        learner = players.fitted(PAIR[1], problem.x, problem.y, problem.state)
        expected += (learner.predict(robustness.moved(problem, 2.0, 0).x_test) == problem.y_test).sum()
    assert answers[(answers.who == PAIR[1]) & (answers.level == 2)].correct.item() == expected
    assert (answers.n == 600).all() and len(answers) == 8
    curves = robustness.psychometric_curves(answers, np.random.default_rng(0), resamples=4)
    assert curves.groupby("who", sort=False).size().to_dict() == dict.fromkeys(PAIR, 3)
    threshold = curves[curves.parameter == "threshold"].value.iloc[0]
    assert f"{PAIR[0]}: {threshold:.2f} from" in describe(comparisons.psychometric_curves(answers, curves))


def test_beyond_accuracy_is_measured_in_families_left_out(full_fit):
    frame = robustness.predicts_shift(full_fit).set_index("predictors")
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
