"""The six learners: three of low capacity, the paper's stand-ins for people (proxies here), and three machines."""

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


def fitted(name: str, x: np.ndarray, y: np.ndarray, seed: int) -> ClassifierMixin:
    """Return a learner trained on rows. It stops after the paper's budget, whether it has converged or not.

    Examples
    --------
    >>> x = np.array([[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]])
    >>> fitted("naive Bayes", x, np.array([0, 0, 0, 1, 1, 1]), 0).predict([[0.9]])
    array([1])
    """
    with warnings.catch_warnings(), _THREADS.limit(limits=1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        return LEARNERS[name](seed).fit(x, y)
