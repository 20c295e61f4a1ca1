"""What stands beside a learner on a split of MEWL: nearest training episode, text alone, and the ideal learner.

Skill is 0 for guessing, and 1 for the ideal learner.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from cogkit.core.items import overlap
from cogkit.mewl.learners import floors
from cogkit.mewl.learners.memory import NearestEpisode
from cogkit.mewl.problems import splits
from cogkit.mewl.problems.episodes import CHANCE
from cogkit.mewl.scoring import ACCURACY, Answers, judge
from cogkit.stats import memory


@lru_cache(maxsize=4)
def references(name: str, profile: str = "verified") -> memory.References:
    """Return what stands beside a learner on the test episodes of a split.

    Examples
    --------
    >>> beside = references("number, 5-6")
    >>> beside.floors.who[0], beside.ideal.mean()
    ('nearest training episode', np.float64(1.0))
    """
    parts = splits.split(name, profile)
    names = "text-alone", "ideal-learner"
    near, text, ideal = (
        judge(player, parts.test) for player in (NearestEpisode(parts.train), *map(floors.reference, names))
    )
    low = sorted([near, text], key=lambda answers: -answers.score.mean())
    return memory.References(parts, CHANCE, memory.players([ideal]), memory.players(low))


def rows(name: str, profile: str = "verified") -> list[dict]:
    """Return result rows of the ideal learner and of every floor on a split: skill, and its interval over episodes.

    Examples
    --------
    >>> [(row["who"], round(row["value"], 2)) for row in rows("number, 5-6")]
    [('ideal learner', 1.0), ('nearest training episode', 0.09), ('text alone', 0.0)]
    """
    return references(name, profile).rows()


def summary(name: str) -> dict[str, Any]:
    """Return what `Instrument.memory` tells of a split."""
    beside = references(name)
    parts = beside.split
    return beside.summary(sum(len(overlap(part, parts.test)) for part in (parts.train, parts.val)))


def above_row(answers: Answers) -> dict:
    """Return a result row that says how far a learner is above the best floor, from its answers to a split's test.

    The answers may be to the first test episodes alone.
    """
    part = references(splits.place(answers.task)[0], answers.profile).above(answers.score)
    return answers.row(memory.ABOVE, part.value, len(answers.score), (part.low, part.high), part.interval)


def table(results: pd.DataFrame, task: str) -> pd.DataFrame:
    """Return what everybody gets on the splits of one of the nine tasks, from result rows: the table of a staircase.

    The accuracy of networks becomes skill: the ideal learner is right in every certified episode. Only networks that
    learnt for this split alone count.

    Examples
    --------
    >>> from cogkit.data.results import shipped
    >>> table(shipped("mewl"), "number").query("who == 'slot word learner' and rung == 'iid'").n.item()
    3
    """
    names = [name for name in splits.names() if name.startswith(f"{task}, ")]
    rows = results[results.split.isin(names) & (results.profile == "verified")]
    own = np.array([cell.endswith(f"/{task}") for cell, task in zip(rows.cell, rows.task, strict=True)], bool)
    network = rows.kind == "model"
    skill = rows[~network & (rows.metric == "skill") | network & own & (rows.metric == ACCURACY)]
    skill = skill.assign(zero=np.where(skill.metric == ACCURACY, CHANCE, 0.0))
    return memory.steps(skill.drop_duplicates(["split", "who", "kind", "seed"]))
