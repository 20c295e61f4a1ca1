"""A program that runs a small search, so that it can be killed at any moment."""

from __future__ import annotations

import sys

import optuna

from cogkit.extras.cluster.search import SearchConfig, search
from cogkit.learning import one_thread

SMALL = SearchConfig("lstm-2m", rules=("pyramid",), trials=3, clicks=6000, n_evals=2, seed=5)


def read(path) -> list[optuna.trial.FrozenTrial]:
    """Return the trials in a journal, as optuna itself reads it."""
    storage = optuna.storages.JournalStorage(optuna.storages.journal.JournalFileBackend(str(path)))
    return optuna.load_study(study_name="tiles", storage=storage).trials


if __name__ == "__main__":
    with one_thread():
        search(SMALL, sys.argv[1])
