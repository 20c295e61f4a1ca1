"""Everybody on Bongard-LOGO, for the common scale: methods, floors, observers, people, and the reader."""

from __future__ import annotations

import pandas as pd

from cogkit.bongard.paper.reported import result_rows
from cogkit.bongard.people import published
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import Items
from cogkit.bongard.scoring import judge
from cogkit.core import seeding
from cogkit.data import results
from cogkit.study.error_consistency import ErrorsConfig, error_rows, is_errors


def rows(profile: str = "verified") -> pd.DataFrame:
    """Return result rows of everybody on the four tests, of people by type of problem, and of shared errors.

    Examples
    --------
    >>> {"ProtoNet", "experts", "Hu-moment prototype"} <= set(rows().who)
    True
    """
    parts = [results.shipped("bongard", profile=profile), published.collected(), results.people("bongard")]
    parts.append(published.published() if profile == "verified" else result_rows("Table 1", "later"))
    table = pd.concat(parts, ignore_index=True)
    mask = (table.metric == "accuracy") & table.task.isin(sets.TESTS) & ~table.cell.str.startswith("bongard/memory/")
    return table[mask | is_errors(table)].reset_index(drop=True)


def errors(config: ErrorsConfig, profile: str, seed: int) -> list[dict]:
    """Return result rows on whether a shortcut and two shipped learners err on the same queries.

    So many problems of each test are asked; a cluster is a problem, with its two queries.
    """
    from cogkit.bongard.learners import floors, observers, reasoners, training  # torch, which result rows do not need

    learners = [observers.REFERENCES["hu-prototype"](floors.SIZE, "verified")]
    learners += [training.load("protonet", "lab", set="all"), reasoners.REGISTRY.load("concept-search-on-eyes", "lab")]
    players, parts = {}, []
    for test in sets.TESTS:
        items = Items(tuple(sets.problems(test, config.n)), "bongard", test)
        columns = {}
        for learner in learners:
            answers = judge(learner, items, profile=profile, seed=seed)
            players[answers.who] = answers.player
            columns[answers.who] = answers.right.ravel()
        index = pd.MultiIndex.from_product([answers.names, (0, 1)], names=["cluster", "item"])
        parts.append(pd.DataFrame(columns, index))
    return error_rows(pd.concat(parts), players, "all tests", seeding.stream(seed, "bongard/errors"))
