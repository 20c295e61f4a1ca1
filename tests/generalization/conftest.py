"""Small suites that several tests read, quick stand-ins for the slow learners, and the one sentence of a refusal."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from knocking import NAMES, WEIGHTS
from sklearn.ensemble import RandomForestClassifier
from sklearn.neural_network import MLPClassifier

from cogkit.core.errors import InputError
from cogkit.generalization.learners import groups, players, training
from cogkit.generalization.suites import GENERATED, FitConfig, Suite
from cogkit.learning import run

# One learner a side: scores are then those of that learner, and a suite takes a second.
PAIR = ("naive Bayes", "RBF support vectors")


def fit(config: FitConfig, seed: int = 0):
    return training.to_fitted(run(training.suite_fit(config, seed)).state, config, seed)


@pytest.fixture(scope="session")
def small():
    """Three tasks of each generated family, and Iris; one learner a side."""
    return fit(FitConfig(Suite(3, (*GENERATED, "Iris")), players=PAIR))


@pytest.fixture(scope="session")
def scores(small):
    return groups.score(small)


@pytest.fixture(scope="session")
def full_fit():
    """Tasks with and without a known recipe, asked for all that the calibrated components need."""
    suite = Suite(2, ("Linear", "Moons", "Iris"))
    return fit(FitConfig(suite, players=(*PAIR, "majority class", "recipe"), components=True))


@pytest.fixture(scope="module")
def lightly():
    """The two slow learners with little to do."""
    forest, network = "random forest", "MLP 64 × 64"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(players.LEARNERS, forest, lambda seed: RandomForestClassifier(10, max_depth=8, random_state=seed))
        patch.setitem(players.LEARNERS, network, lambda seed: MLPClassifier((16,), max_iter=40, random_state=seed))
        yield


@pytest.fixture
def refused():
    """Give a context that wants bad input refused in one sentence with some words in it."""

    @contextmanager
    def check(*words: str):
        with pytest.raises(InputError) as error:
            yield
        message = str(error.value)
        assert message.startswith("wanted ") and ", got " in message and "\n" not in message
        assert [word for word in words if word not in message] == [], message

    return check


@pytest.fixture(scope="session")
def x() -> pd.DataFrame:
    return pd.DataFrame(np.random.default_rng(0).normal(size=(400, 6)) * [1, 10, 1, 5, 1, 1] + 3, columns=NAMES)


@pytest.fixture(scope="session")
def y(x) -> pd.Series:
    score = (x - x.mean()) / x.std() @ WEIGHTS + np.random.default_rng(1).normal(size=400)
    return pd.Series(np.where(score > 0, "yes", "no"))


@pytest.fixture(scope="session")
def moved(x) -> pd.DataFrame:
    return x + [0.7, 0, 0, 0, 0, 0]
