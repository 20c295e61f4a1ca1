"""Everybody on the tasks of GR*, for the common scale: classifiers, proxies, floors, and an observer; no people."""

from __future__ import annotations

import pandas as pd

from cogkit.core import seeding
from cogkit.data import results
from cogkit.generalization.suites import COMPONENTS, PLAYERS
from cogkit.study.error_consistency import ErrorsConfig, error_rows, is_errors

_ERRING = ["one column", "random forest", "MLP 64 × 64"]


def rows(profile: str = "verified") -> pd.DataFrame:
    """Return result rows of everybody on the families of tasks, and of shared errors; none under ``as_published``.

    Examples
    --------
    >>> {"one column", "recipe"} <= set(rows().who)
    True
    """
    table = results.shipped("generalization", profile=profile)
    scored = table.metric.isin(COMPONENTS) & (table.task != "all")
    return table[scored | is_errors(table)].reset_index(drop=True)


def errors(config: ErrorsConfig, profile: str, seed: int) -> list[dict]:
    """Return result rows on whether a shortcut and two machines err on the same test rows of the shipped run.

    Of each task so many test rows are asked; a cluster is a task.
    """
    from cogkit.generalization.learners import predictions, robustness  # scikit-learn, which result rows do not need

    table = robustness.right(predictions.shipped())[_ERRING]
    right = table.groupby(level="task", sort=False).head(config.n).droplevel("family")
    players = {
        name: {"who": name, "kind": PLAYERS[name], "inputs": "columns", "supervision": "answers"} for name in _ERRING
    }
    return error_rows(right, players, "all tasks", seeding.stream(seed, "generalization/errors"))
