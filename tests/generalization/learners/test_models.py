"""The six learners: what each minimises or counts, in its own words, and where its seed goes."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from cogkit.generalization.learners import models
from cogkit.generalization.problems import records
from cogkit.generalization.suites import PLAYERS, Suite, side


@pytest.fixture(scope="module")
def made():
    return records.problem("Moons 0", 0)


def test_three_stand_for_each_side_and_none_for_people():
    assert set(models.LEARNERS) == {*side("proxy"), *side("model")}
    assert len(side("proxy")) == len(side("model")) == 3 and "person" not in PLAYERS.values()


@pytest.mark.parametrize("name", ["Linear 0", "Iris 0"])
def test_the_logistic_regression_pays_for_the_absolute_values_of_its_weights(name):
    """The conditions of a minimum of Σ log(1 + exp(-y f)) + Σ |w|, one class against the rest."""
    task = records.problem(name, 0)
    classifier = models.fitted("L1 logistic regression", task.x, task.y, task.seed)
    parts = classifier.estimators_
    assert len(parts) == (1 if task.classes == 2 else 3)
    nought = 0
    for k, part in enumerate(parts):
        sign = np.where(task.y == (1 if task.classes == 2 else k), 1.0, -1.0)
        pull = task.x.T @ (sign / (1 + np.exp(sign * (task.x @ part.coef_[0] + part.intercept_[0]))))
        at_zero = part.coef_[0] == 0
        nought += at_zero.sum()
        assert (np.abs(pull[at_zero]) <= 1.02).all()
        assert pull[~at_zero] == pytest.approx(np.sign(part.coef_[0][~at_zero]), abs=0.02)
    assert nought > 0  # it drops columns, which a quadratic penalty would not


def test_three_neighbours_vote(made):
    answers = models.fitted("3 nearest neighbours", made.x, made.y, 0).predict(made.x_test)
    distance = ((made.x_test[:, None] - made.x) ** 2).sum(axis=2)
    votes = made.y[np.argsort(distance, axis=1)[:, :3]].sum(axis=1)
    assert (answers == (votes >= 2)).all()


def test_naive_bayes_is_a_gaussian_for_each_column(made):
    answers = models.fitted("naive Bayes", made.x, made.y, 0).predict(made.x_test)
    fit = []
    for k in (0, 1):
        part = made.x[made.y == k]
        mean, variance = part.mean(axis=0), part.var(axis=0)
        density = -((made.x_test - mean) ** 2) / (2 * variance) - np.log(variance) / 2
        fit.append(density.sum(axis=1) + np.log(len(part)))
    assert (answers == (fit[1] > fit[0])).all()


def test_the_machines_are_as_large_as_the_paper_says(made):
    forest, network, vectors = (
        models.fitted(name, made.x[:200], made.y[:200], 5)
        for name in ("random forest", "MLP 64 × 64", "RBF support vectors")
    )
    assert len(forest.estimators_) == 100 and max(tree.get_depth() for tree in forest.estimators_) <= 8
    assert [part.shape for part in network.coefs_] == [(2, 64), (64, 64), (64, 1)] and network.n_iter_ <= 200
    assert (vectors.kernel, vectors.C, vectors.gamma) == ("rbf", 1.0, "scale")
    assert forest.random_state == network.random_state == 5


def test_a_learner_is_the_same_for_a_seed_and_another_for_another(made):
    x, y = made.x[:200], made.y[:200]
    first, again, other = (models.fitted("random forest", x, y, seed).predict_proba(made.x_test) for seed in (1, 1, 2))
    assert (first == again).all() and (first != other).any()


def test_the_seed_is_the_tasks_own():
    seeds = {task.seed for task in records.problems(Suite(3, ("Moons", "Circles")), 0)}
    assert len(seeds) == 6


def test_the_budget_ends_without_a_word():
    x = np.random.default_rng(0).normal(size=(60, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        network = models.fitted("MLP 64 × 64", x, np.arange(60) % 2, 0)
    assert network.n_iter_ == 200  # labels at random: it has not converged
