"""Everybody on MEWL, for the common scale: networks, floors, observers, people, and the reader."""

from __future__ import annotations

import pandas as pd

from cogkit.core import seeding
from cogkit.data import results
from cogkit.mewl.learners import floors
from cogkit.mewl.paper.reported import result_rows
from cogkit.mewl.people import published
from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.scoring import judge
from cogkit.study.error_consistency import ErrorsConfig, error_rows, is_errors
from cogkit.study.trials import Trials, pseudonym

_SIMPLE, _NETWORK = ("text-alone", "associative-learner"), "slot-word-learner"


def rows(profile: str = "verified") -> pd.DataFrame:
    """Return result rows of everybody on the nine tasks, under ``as_published`` with the paper's machines; and errors.

    Examples
    --------
    >>> {"text alone", "ideal learner", "people"} <= set(rows().who)
    True
    """
    printed = result_rows() if profile == "as_published" else published.published()
    sat = published.rows(Trials().frame(instrument="mewl"), pseudonym())
    parts = [results.shipped("mewl", profile=profile), printed, sat[sat.profile == profile]]
    parts.append(results.people("mewl"))
    table = pd.concat(parts, ignore_index=True)
    is_accuracy = (table.metric == "accuracy") & table.task.isin(TASKS)
    return table[is_accuracy | is_errors(table)].reset_index(drop=True)


def errors(config: ErrorsConfig, profile: str, seed: int) -> list[dict]:
    """Return result rows on whether a shortcut, an associative learner and a network err on the same episodes.

    So many episodes of each task are asked; each is a cluster of its own.
    """
    from cogkit.mewl.learners import training  # torch, which result rows do not need

    learners = [*map(floors.reference, _SIMPLE), training.load(_NETWORK, "lab", set="together")]
    players, parts = {}, []
    for task in TASKS:
        episodes, columns = making.episodes_of(task, "test", config.n, profile, 0), {}
        for learner in learners:
            answers = judge(learner, episodes, profile=profile, seed=seed)
            players[answers.who] = answers.player
            columns[answers.who] = answers.choices == answers.correct
        parts.append(pd.DataFrame(columns, index=pd.Index(answers.names)))
    return error_rows(pd.concat(parts), players, "all tasks", seeding.stream(seed, "mewl/errors"))
