"""The six learners: what each minimises or counts, in its own words, and where its seed goes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from cogkit.generalization.learners import players
from cogkit.generalization.problems import records
from cogkit.generalization.suites import side


@pytest.fixture(scope="module")
def made():
    return records.problem("Moons 0", 0)


def test_the_learners_are_those_that_the_paper_names(made):
    learners = {name: players.fitted(name, made.x[:200], made.y[:200], 5) for name in players.LEARNERS}
    assert list(learners) == [*side("proxy"), *side("model")]
    vectors, forest, network = (learners[name] for name in side("model"))
    assert len(forest.estimators_) == 100 and max(tree.get_depth() for tree in forest.estimators_) <= 8
    assert [part.shape for part in network.coefs_] == [(2, 64), (64, 64), (64, 1)] and network.n_iter_ <= 200
    assert (vectors.kernel, vectors.C, vectors.gamma) == ("rbf", 1.0, "scale")
    assert forest.random_state == network.random_state == 5
    assert type(learners["naive Bayes"]) is GaussianNB and learners["3 nearest neighbours"].n_neighbors == 3


def test_the_logistic_regression_pays_for_the_absolute_values_of_its_weights():
    """The conditions of a minimum of Σ log(1 + exp(-y f)) + Σ |w|."""
    task = records.problem("Linear 0", 0)
    (part,) = players.fitted("L1 logistic regression", task.x, task.y, task.state).estimators_
    sign, weights = np.where(task.y == 1, 1.0, -1.0), part.coef_[0]
    pull = task.x.T @ (sign / (1 + np.exp(sign * (task.x @ weights + part.intercept_[0]))))
    assert (np.abs(pull[weights == 0]) <= 1.02).all() and (weights == 0).any()
    assert pull[weights != 0] == pytest.approx(np.sign(weights[weights != 0]), abs=0.02)
