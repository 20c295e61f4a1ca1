"""What stands beside a learner on a split of MEWL: nearest training episode, text alone, and the ideal learner.

Skill is 0 for guessing, and 1 for the ideal learner.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from cogkit.core.items import overlap
from cogkit.core.splits import Split
from cogkit.mewl.learners import floors
from cogkit.mewl.learners.memory import NearestEpisode
from cogkit.mewl.problems import splits
from cogkit.mewl.problems.episodes import CHANCE
from cogkit.mewl.scoring import ACCURACY, Answers, judge
from cogkit.stats import mean_of_rows
from cogkit.stats import memory as above

SKILL = "skill"


@dataclass(frozen=True)
class References:
    """What others answer to the test episodes of a split: the floors, the best first, and the ideal learner."""

    split: Split
    floors: tuple[Answers, ...]
    ideal: Answers

    def skill(self, answers: Answers):
        """Return the skill of answers to all test episodes, with its interval over episodes; see `above_memory`."""
        return above.above_memory(answers.score, CHANCE, self.ideal.score, CHANCE)

    def row(self) -> dict[str, Any]:
        """Return what `Instrument.memory` tells of the split."""
        parts, best = self.split, self.floors[0]
        copies = sum(len(overlap(part, parts.test)) for part in (parts.train, parts.val))
        return {
            "split": parts.name, "rung": parts.rung, "train": len(parts.train), "val": len(parts.val),
            "test": len(parts.test), "copies": copies, "best floor": best.who, "floor": self.skill(best).value,
            "bound": parts.bound, "family ideal": above.share(self.ideal.score, 1.0, CHANCE),
        }  # fmt: skip


@lru_cache(maxsize=4)
def references(name: str, profile: str = "verified") -> References:
    """Return what stands beside a learner on the test episodes of a split.

    Examples
    --------
    >>> beside = references("number, 5-6")
    >>> beside.floors[0].who, beside.ideal.score.mean()
    ('nearest training episode', np.float64(1.0))
    """
    parts = splits.split(name, profile)
    players = NearestEpisode(parts.train), floors.reference("text-alone"), floors.reference("ideal-learner")
    *low, ideal = (judge(player, parts.test) for player in players)
    return References(parts, tuple(sorted(low, key=lambda answers: -answers.score.mean())), ideal)


def rows(name: str, profile: str = "verified") -> list[dict]:
    """Return result rows of every floor and of the ideal learner on a split: skill, and its interval over episodes.

    Examples
    --------
    >>> [(row["who"], round(row["value"], 2)) for row in rows("number, 5-6")]
    [('nearest training episode', 0.09), ('text alone', 0.0), ('ideal learner', 1.0)]
    """
    beside, out = references(name, profile), []
    for answers in (*beside.floors, beside.ideal):
        skill = beside.skill(answers)
        out.append(answers.row(SKILL, skill.value, len(answers.score), (skill.low, skill.high), skill.interval))
    return out


def above_row(answers: Answers) -> dict:
    """Return a result row that says how far a learner is above the best floor, from its answers to a split's test.

    The answers may be to the first test episodes alone.
    """
    name, n = splits.place(answers.task)[0], len(answers.score)
    beside = references(name, answers.profile)
    part = above.above_memory(answers.score, beside.floors[0].score[:n], beside.ideal.score[:n], CHANCE)
    return answers.row(above.ABOVE, part.value, n, (part.low, part.high), part.interval)


def table(results: pd.DataFrame, task: str) -> pd.DataFrame:
    """Return what everybody gets on the splits of one of the nine tasks, from result rows: the table of a staircase.

    The accuracy of networks becomes skill: the ideal learner is right in every certified episode. Only networks that
    learnt for this split alone count; `stats.mean_over_runs` averages their runs. Columns split, rung, who, kind, value
    (skill), low, high, n (networks; 1 for floors and observers).

    Examples
    --------
    >>> from cogkit.data.results import shipped
    >>> table(shipped("mewl"), "number").query("who == 'slot word learner'").n.tolist()
    [3]
    """
    names = [name for name in splits.names() if name.startswith(f"{task}, ")]
    rows = results[results.split.isin(names) & (results.profile == "verified")]
    own = np.array([cell.endswith(f"/{task}") for cell, task in zip(rows.cell, rows.task, strict=True)], bool)
    levels = rows[rows.kind.isin(["floor", "observer"]) & (rows.metric == SKILL)]
    players = rows[own & (rows.kind == "model") & (rows.metric == ACCURACY)]
    records, key = [], ["split", "rung", "who", "kind"]
    for part, zero in ((levels.drop_duplicates([*key, "seed"]), 0.0), (players, CHANCE)):
        for place, runs in part.groupby(key, sort=False, observed=True):
            mean = mean_of_rows(runs)
            skill = ((value - zero) / (1 - zero) for value in (mean.value, mean.low, mean.high))
            records.append((*place, *skill, mean.runs))
    return pd.DataFrame(records, columns=[*key, "value", "low", "high", "n"])
