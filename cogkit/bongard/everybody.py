"""Everybody on Bongard-LOGO, for the common scale: methods, floors, observers, people, and the reader."""

from __future__ import annotations

import pandas as pd

from cogkit.bongard import instrument
from cogkit.bongard.learners import training
from cogkit.bongard.paper.reported import result_rows
from cogkit.bongard.people import published
from cogkit.bongard.scoring import judge
from cogkit.data import results

_ASKED = {"quick": 10, "lab": 50, "paper": 200}  # problems of each test


def rows(profile: str = "verified") -> pd.DataFrame:
    """Return result rows of everybody on the four tests, and of people by type of problem.

    Examples
    --------
    >>> {"ProtoNet", "experts", "Hu-moment prototype"} <= set(rows().who)
    True
    """
    parts = [results.shipped("bongard", profile=profile), published.collected()]
    parts.append(published.published() if profile == "verified" else result_rows("Table 1", "later"))
    table = pd.concat([part for part in parts if len(part)], ignore_index=True)
    return table[(table.metric == "accuracy") & table.task.isin(instrument.tasks())].reset_index(drop=True)


def right(preset: str = "quick", seed: int = 0) -> pd.DataFrame:
    """Return which queries a shortcut and two shipped learners get right, a query a row; the cluster is the problem."""
    learners = [
        instrument.learner("hu-prototype"),
        training.load("protonet"),
        instrument.load("concept-search-on-eyes"),
    ]
    trials = []
    for test in instrument.tasks():
        items = instrument.items(test, _ASKED[preset])
        trials += [judge(learner, items, task=test, seed=seed).to_trials() for learner in learners]
    wide = pd.concat(trials).pivot(index=["task", "item"], columns="who", values="correct")
    problems = wide.index.get_level_values("item").str.rpartition("/").get_level_values(0)
    wide.index = pd.MultiIndex.from_arrays([problems, wide.index.get_level_values("item")], names=["cluster", "item"])
    return wide.rename_axis(columns=None)
