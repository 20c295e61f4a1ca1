"""All players, trained and tested on a task: the paper's six learners, the floors and the observer.

Three learners are of low capacity, the paper's stand-ins for people (proxies here), and three are machines.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from threadpoolctl import ThreadpoolController

from cogkit.core import seeding
from cogkit.generalization import scoring
from cogkit.generalization.learners import floors
from cogkit.generalization.metric import relevance
from cogkit.generalization.problems import records
from cogkit.generalization.problems.records import Problem
from cogkit.generalization.suites import PLAYERS, FitConfig, Suite

_THREADS = ThreadpoolController()  # several are slower for matrices this small, and 25 times on a busy machine


def _lasso(seed: int) -> ClassifierMixin:
    # liblinear takes two classes only; for two classes, one-vs-rest is the plain model
    return OneVsRestClassifier(LogisticRegression(l1_ratio=1, C=1.0, solver="liblinear", random_state=seed))


LEARNERS: dict[str, Callable[[int], ClassifierMixin]] = {  # defaults of the library where the paper gives no value
    "L1 logistic regression": _lasso,
    "3 nearest neighbours": lambda seed: KNeighborsClassifier(3),
    "naive Bayes": lambda seed: GaussianNB(),
    "RBF support vectors": lambda seed: SVC(random_state=seed),
    "random forest": lambda seed: RandomForestClassifier(100, max_depth=8, random_state=seed),
    "MLP 64 × 64": lambda seed: MLPClassifier((64, 64), max_iter=200, random_state=seed),
}


def play(
    config: FitConfig, seed: int, name: str
) -> tuple[Problem, dict[str, scoring.Answers], dict[str, np.ndarray]]:  # fmt: skip
    """Return one task of the suite, the answers of every player that was trained on it, and relevance by source.

    Examples
    --------
    >>> _, answers, weights = play(FitConfig(Suite(1), players=("3 nearest neighbours", "recipe")), 0, "Moons 0")
    >>> list(answers), weights["correlation"].shape
    (['3 nearest neighbours', 'recipe'], (2,))
    """
    problem = records.problem(name, seed, config.suite)
    y = problem.y
    if config.labels == "shuffled":
        y = seeding.stream(seed, f"generalization/{name}/shuffled").permutation(y)
    profile, answers = "verified" if config.components else "as_published", {}
    with _THREADS.limit(limits=1):
        for player in config.players:
            classifier = trained(player, problem, y, seed, config.suite)
            if classifier is not None:
                own = {"name": player, "kind": PLAYERS[player]}
                answers[player] = scoring.judge(classifier, problem, profile=profile, seed=seed, **own)
    weights = {source: relevant(problem.x, y, seed) for source, relevant in relevance.SOURCES.items()}
    return problem, answers, weights


def trained(player: str, problem: Problem, y: np.ndarray, seed: int, suite: Suite):
    """Return a player trained on a task's rows with the classes ``y``, or None if the task has no such player."""
    if player in LEARNERS:
        return fitted(player, problem.x, y, problem.state)
    return floors.floor(player, problem, y) if PLAYERS[player] == "floor" else floors.observer(problem, seed, suite)


def fitted(name: str, x: np.ndarray, y: np.ndarray, seed: int, **settings) -> ClassifierMixin:
    """Return a learner trained on rows. It stops after the paper's budget, whether it has converged or not.

    ``settings`` are parameters of scikit-learn in place of those of `LEARNERS`.

    Examples
    --------
    >>> x = np.array([[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]])
    >>> fitted("naive Bayes", x, np.array([0, 0, 0, 1, 1, 1]), 0).predict([[0.9]])
    array([1])
    """
    with warnings.catch_warnings(), _THREADS.limit(limits=1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        return LEARNERS[name](seed).set_params(**settings).fit(x, y)
