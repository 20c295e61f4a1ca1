"""From classifier to answers: what it is shown, what is drawn for it, and what it may give back."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.core import seeding
from cogkit.generalization import scoring
from cogkit.generalization.learners import players
from cogkit.generalization.problems import records
from cogkit.generalization.scoring import REPEATS, SHIFTS, judge, shifted, shuffled_columns
from cogkit.generalization.suites import FitConfig, Suite


class Spy:
    """Takes rows and nothing else; keeps what it was shown, and answers by some rule."""

    def __init__(self, rule=lambda x: x[:, 0] > 0):
        self.rule, self.seen = rule, []

    def predict(self, x, /):
        self.seen.append(x.copy())
        return np.asarray(self.rule(x)).astype(int)


@pytest.fixture(scope="module")
def made():
    return records.problem("Linear 0", 0)


def test_a_classifier_is_shown_the_test_rows_and_no_class(made):
    spy = Spy()
    answers = judge(spy, made, profile="as_published")
    assert len(spy.seen) == 1 and (spy.seen[0] == made.x_test).all()
    assert (answers.predicted == (made.x_test[:, 0] > 0)).all()
    assert answers.under_shift is None and answers.importance is None
    spy = Spy()
    judge(spy, made)
    columns = {column.tobytes() for column in np.concatenate(spy.seen).T}
    assert made.y_test.astype(float).tobytes() not in columns and {array.shape[1] for array in spy.seen} == {made.s}
    assert all(not np.shares_memory(array, made.x_test) for array in spy.seen[1:])


def test_shifts_are_as_they_say(made):
    x, rng = made.x_test, np.random.default_rng(0)
    steps = shifted(x, "moved", rng) - x
    assert np.abs(steps) == pytest.approx(0.5) and (np.ptp(steps, axis=0) < 1e-12).all()
    assert 0 < (steps[0] > 0).sum() < 20
    noise = shifted(x, "noisy", rng) - x
    assert noise.std() == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(2 * noise.size))
    assert noise.mean() == pytest.approx(0, abs=4 * 0.5 / np.sqrt(noise.size))
    assert (shifted(x, "stretched", rng) == 1.5 * x).all()
    answers = judge(Spy(), made, seed=3)
    assert (answers.under_shift[list(SHIFTS).index("stretched")] == answers.predicted).all()  # a sign does not stretch
    again = seeding.stream(3, "generalization/Linear 0/asked")
    expected = [shifted(x, name, again)[:, 0] > 0 for name in SHIFTS]
    assert (answers.under_shift == expected).all()


def test_shuffled_columns_are_those_of_a_plain_loop(made):
    x, y = made.x_test[:40], made.y_test[:40]
    classifier = players.fitted("naive Bayes", made.x, made.y, 0)
    shares = shuffled_columns(classifier, x, y, np.random.default_rng(5))
    orders = np.random.default_rng(5).permuted(np.tile(np.arange(40), (REPEATS, 20, 1)), axis=2)
    for j in range(20):
        right = np.zeros(40)
        for repeat in range(REPEATS):
            for row in range(40):
                probe = x[row].copy()
                probe[j] = x[orders[repeat, j, row], j]
                right[row] += classifier.predict(probe[None])[0] == y[row]
        assert shares[:, j] == pytest.approx(right / REPEATS)


def test_importance_is_what_is_lost_and_only_where_it_looks(made):
    j = 7
    x = made.x_test.copy()
    x[:, j] = 2.0 * made.y_test - 1 + np.linspace(0, 0.1, len(x))
    easy = records.Problem(**(vars(made) | {"x_test": x}))
    answers = judge(Spy(lambda rows: rows[:, j] > 0), easy)
    assert (answers.predicted == made.y_test).all()
    assert np.delete(answers.importance, j).tolist() == [0] * 19
    # A shuffled column of two equal halves is right half the time: 900 tries.
    assert answers.importance[j] == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(900))


def test_without_a_recipe_of_columns_there_is_no_importance():
    answers = judge(Spy(), records.problem("Iris 0", 0))
    assert answers.importance is None and answers.under_shift.shape == (3, 45)


def test_predictions_of_another_shape_are_refused(made, refused):
    for shape in ((300, 2), (300, 1), (299,), ()):
        with refused("predictions (of shape", "one class for each of 300 rows"):
            judge(Spy(lambda x, shape=shape: np.zeros(shape)), made)


def test_rows_are_the_formulas(made):
    classifier = players.fitted("naive Bayes", made.x, made.y, made.state)
    right = classifier.predict(made.x_test) == made.y_test
    acc, chance = right.mean(), max(np.mean(made.y_test), 1 - np.mean(made.y_test))
    rows = {row["metric"]: row for row in scoring.result_rows(judge(classifier, made))}
    assert list(rows) == ["accuracy", "A_c", "P", "S", "L", "GRc, P · S · L"]
    a_c = (acc - chance) / (1 - chance)
    a = (1 + a_c) / 2
    expected = {"accuracy": acc, "A_c": a_c, "P": a * (np.sqrt(a) - np.sqrt(1 - a)) ** 2}
    expected["GRc, P · S · L"] = expected["P"] * rows["S"]["value"] * rows["L"]["value"]
    assert {name: rows[name]["value"] for name in expected} == pytest.approx(expected)
    assert all(row["low"] < row["value"] < row["high"] and row["n"] == 300 for row in rows.values())
    rows = {row["metric"]: row for row in scoring.result_rows(judge(classifier, made, profile="as_published"))}
    alignment, spread = rows["D_align"]["value"], rows["D̃"]["value"]
    cost = 0.15 + np.log(2) + 0.5 * np.sqrt(0.2) + spread  # of 1,000 rows and 20 columns
    value = acc * (1 - 2 * np.sqrt(acc * (1 - acc))) * (0.2 + alignment) / cost
    assert rows["GR*"]["value"] == pytest.approx(value) and rows["accuracy"]["value"] == acc
    assert rows["GR*"]["low"] < value < rows["GR*"]["high"] and rows["D_align"]["interval"] == ""
    assert {row["inputs"] for row in rows.values()} == {"columns"}


def test_who_else_is_asked_changes_no_answer():
    """Each player alone, and all together: the same answers, under shift too."""
    names = ("naive Bayes", "3 nearest neighbours", "one column", "recipe")
    suite = Suite(1, ("Poly",))
    _, together, _ = players.play(FitConfig(suite, players=names, components=True), 0, "Poly 0")
    for name in names:
        alone = players.play(FitConfig(suite, players=(name,), components=True), 0, "Poly 0")[1][name]
        for field in ("predicted", "under_shift", "importance"):
            assert (getattr(together[name], field) == getattr(alone, field)).all(), (name, field)
