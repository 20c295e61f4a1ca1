"""Everybody on the tasks of GR*, for the common scale: classifiers, proxies, floors, and an observer; no people."""

from __future__ import annotations

import pandas as pd

from cogkit.data import results
from cogkit.generalization import instrument
from cogkit.generalization.learners import robustness
from cogkit.generalization.metric.calibrated import COMPONENTS

_PLAYERS = ["one column", "random forest", "MLP 64 × 64"]


def rows(profile: str = "verified") -> pd.DataFrame:
    """Return result rows of everybody on the families of tasks; there are none under ``as_published``.

    Examples
    --------
    >>> {"one column", "recipe"} <= set(rows().who)
    True
    """
    table = results.shipped("generalization", profile=profile)
    return table[table.metric.isin(COMPONENTS) & (table.task != "all")].reset_index(drop=True)


def right(preset: str = "quick", seed: int = 0) -> pd.DataFrame:
    """Return which test rows a shortcut and two machines get right in the shipped run; a cluster is a task."""
    table = robustness.right(instrument.load())[_PLAYERS]
    tasks = table.index.get_level_values("task")
    table.index = pd.MultiIndex.from_arrays([tasks, range(len(table))], names=["cluster", "item"])
    return table
