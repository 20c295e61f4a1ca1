"""Everybody on MEWL, for the common scale: networks, floors, observers, people, and the reader."""

from __future__ import annotations

import pandas as pd

from cogkit.data import results
from cogkit.mewl import instrument
from cogkit.mewl.learners import floors
from cogkit.mewl.paper.reported import result_rows
from cogkit.mewl.people import published
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.scoring import judge
from cogkit.study.trials import Trials, pseudonym

_ASKED = {"quick": 60, "lab": 200, "paper": 600}  # episodes of each task


def rows(profile: str = "verified") -> pd.DataFrame:
    """Return result rows of everybody on the nine tasks; under ``as_published`` with the paper's machines.

    Examples
    --------
    >>> {"text alone", "ideal learner", "people"} <= set(rows().who)
    True
    """
    printed = result_rows() if profile == "as_published" else published.published()
    sat = published.rows(Trials().frame(instrument="mewl"), pseudonym())
    parts = [results.shipped("mewl", profile=profile), printed, sat[sat.profile == profile]]
    table = pd.concat([part for part in parts if len(part)], ignore_index=True)
    return table[(table.metric == "accuracy") & table.task.isin(TASKS)].reset_index(drop=True)


def right(preset: str = "quick", seed: int = 0) -> pd.DataFrame:
    """Return which names a shortcut and a shipped network get right, an episode a row; each is a cluster of its own."""
    learners = [
        floors.reference("text-alone"),
        floors.reference("associative-learner"),
        instrument.load("slot-word-learner"),
    ]
    trials = []
    for task in TASKS:
        episodes = instrument.items(task, _ASKED[preset])
        trials += [judge(learner, episodes, seed=seed).to_trials() for learner in learners]
    wide = pd.concat(trials).pivot(index="item", columns="who", values="correct")
    wide.index = pd.MultiIndex.from_arrays([wide.index, wide.index], names=["cluster", "item"])
    return wide.rename_axis(columns=None)
