"""Past the mean: rows counted one by one, the library on the same numbers, and figures that hold their tables."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit import stats
from cogkit.generalization import scoring
from cogkit.generalization.learners import models, predictions, robustness
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
    alone = stats.error_consistency_table(
        table[[*PAIR]], np.random.default_rng(1), clusters=table.index.get_level_values("task")
    )
    assert (pair.kappa, pair.kappa_max, pair.n) == (*alone[["kappa", "kappa_max"]].iloc[0], len(table))
    assert pair.group == "a proxy and a machine" and pair.clusters == len(small.names)


def test_the_two_kinds_of_pairs_stand_apart(shipped):
    pairs = robustness.consistency(shipped, np.random.default_rng(0))
    assert pairs.group.value_counts(sort=False).to_dict() == {
        "two proxies": 3, "a proxy and a machine": 9, "two machines": 3,
    }  # fmt: skip
    figure = comparisons.shared_errors(pairs)
    headings = [text for text in figure.layout.yaxis.ticktext if text.startswith("<b>")]
    assert headings == ["<b>two proxies</b>", "<b>a proxy and a machine</b>", "<b>two machines</b>"]
    assert figure.data[1].x.tolist() == pairs.kappa.tolist() and "n = 14,985" in figure.layout.title.text


def test_worst_families_and_shift_of_learners_and_observer(shipped):
    families, shift = robustness.worst_families(shipped), robustness.under_shift(shipped)
    names = [name for name in shipped.config.players if name not in ("majority class", "one column")]
    assert list(dict.fromkeys(families.who)) == list(shift.model) == names
    place = shipped.config.players.index("naive Bayes")
    digits = families[(families.who == "naive Bayes") & (families.group == "Digits")].iloc[0]
    assert digits.accuracy == pytest.approx(shipped.accuracy()[shipped.names.index("Digits 0"), place]) and digits.worst
    generated = [k for k, name in enumerate(shipped.names) if name not in ("Iris 0", "Digits 0")]
    tests = [
        shipped.accuracy(shipped.under_shift[:, :, k])[generated, place].mean() for k in range(len(scoring.SHIFTS))
    ]
    row = shift.set_index("model").loc["naive Bayes"]
    assert (row.shifted, row.tasks, row.models) == (pytest.approx(np.mean(tests)), 60, 6)
    assert not shift.set_index("model").baseline["recipe"]
    figure = comparisons.away_from_the_mean(families, shift)
    dots = [t for t in figure.data if t.marker.symbol == "circle-open" and t.xaxis == "x2"]
    assert [t.x[0] for t in dots] == shift.effective[shift.kind == "proxy"].tolist()
    assert "naive Bayes: 0.888, worst Digits 0.844" in describe(figure)


def test_a_shift_moves_every_column_by_its_level_the_same_way():
    problem = records.problem("Linear 0", 4)
    steps = [robustness.moved(problem, level, 4).x_test - problem.x_test for level in (0.0, 1.0, 2.5)]
    assert (steps[0] == 0).all() and np.allclose(np.abs(steps[1]), 1) and np.allclose(steps[2], 2.5 * steps[1])
    assert np.ptp(steps[1], axis=0) == pytest.approx(0)


def test_curves_are_fitted_to_answers_counted_one_by_one(light, monkeypatch):
    monkeypatch.setattr(models, "LEARNERS", {name: models.LEARNERS[name] for name in PAIR})
    answers = robustness.shifted_answers(2, 0, [0.0, 1.0, 2.0, 3.0])
    expected = 0
    for problem in records.problems(Suite(2, ("Linear",)), 0):
        learner = models.fitted(PAIR[1], problem.x, problem.y, problem.seed)
        expected += (learner.predict(robustness.moved(problem, 2.0, 0).x_test) == problem.y_test).sum()
    assert answers[(answers.who == PAIR[1]) & (answers.level == 2)].correct.item() == expected
    assert (answers.n == 600).all() and len(answers) == 8
    curves = robustness.psychometric_curves(answers, np.random.default_rng(0), resamples=20)
    assert curves.groupby("who", sort=False).size().to_dict() == dict.fromkeys(PAIR, 3)
    figure = comparisons.psychometric_curves(answers, curves)
    thresholds = curves[curves.parameter == "threshold"].value
    lines = [shape.x0 for shape in figure.layout.shapes if shape.type == "line" and shape.x0 == shape.x1]
    assert lines == thresholds.tolist()
    assert f"{PAIR[0]}: {thresholds.iloc[0]:.2f} from" in describe(figure)
