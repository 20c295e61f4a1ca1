"""What stands beside a learner on a split of boards: the floors of memory, and two ideal observers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from cogkit.core import presets
from cogkit.core.records import result_row
from cogkit.core.splits import Split
from cogkit.stats import mean_of_rows
from cogkit.stats import memory as above
from cogkit.tiles import scoring
from cogkit.tiles.learners import memory, standards
from cogkit.tiles.learners.observers import BayesGreedy
from cogkit.tiles.problems import splits
from cogkit.tiles.problems.yardstick import heuristic
from cogkit.tiles.rules.boards import Items
from cogkit.tiles.rules.game import GameConfig

ERROR = 0.01  # largest standard error of a floor's skill
PASSES = 8, 256  # least and most games on each board
NEAREST = "nearest neighbour"


@dataclass(frozen=True)
class References:
    """What others get on the test boards of a split: mean blue tiles on each board, (boards,).

    Attributes
    ----------
    nearest : (boards,) array
        Of the nearest neighbour.
    observers : dict of str to (boards,) array
        Of the ideal observer of the rule; and of one that knows which family is asked, and may therefore be better, or
        that expects any rule.
    floors : DataFrame
        A row for each floor, the best first: who, skill, se (over games), passes, blue (boards,).
    """

    split: Split
    nearest: np.ndarray
    observers: dict[str, np.ndarray]
    floors: pd.DataFrame

    @property
    def ideal(self) -> np.ndarray:
        """Of the ideal observer of the rule."""
        return self.observers[splits.IDEAL]

    def above(self, blue: np.ndarray):
        """Return how far a learner is above the best floor, from its blue tiles (runs, boards); see `above_memory`."""
        return above.above_memory(-blue, -self.floors.blue.iloc[0], -self.ideal, -self.nearest)

    def row(self) -> dict:
        """Return what `Instrument.memory` tells of the split."""
        best, parts = self.floors.iloc[0], self.split
        return {
            "split": parts.name, "rung": parts.rung, "train": len(parts.train), "val": len(parts.val),
            "test": len(parts.test), "copies": splits.copies(parts), "best floor": best.who, "floor": float(best.skill),
            "bound": parts.bound,
            "family ideal": scoring.skill([*self.observers.values()][-1], self.nearest, self.ideal),
        }  # fmt: skip


def rows(name: str, seed: int = 0) -> list[dict]:
    """Return result rows of both ideal observers and of every floor on a split: skill, and its interval over boards.

    Examples
    --------
    >>> {row["who"] for row in rows("tree, beyond a chain")} > {"memory, exact", "fragments 3×3", "Bayes-greedy"}
    True
    """
    beside, out = references(name, seed), []
    players = [("observer", *each) for each in beside.observers.items()]
    players += [("floor", who, blue) for who, blue in beside.floors[["who", "blue"]].values]
    for kind, who, blue in players:
        skill = above.above_memory(-blue, -beside.nearest, -beside.ideal, -beside.nearest)
        player = {"who": who, "kind": kind, "inputs": "board", "supervision": ""}
        limits, source = (skill.low, skill.high), beside.split.test.source
        row = result_row(player, beside.split.task, "skill", skill.value, len(blue), limits, skill.interval, source)
        out.append(row)
    return out


def table(results: pd.DataFrame, rule: str) -> pd.DataFrame:
    """Return what everybody gets on the splits of a rule, from result rows: the table of a staircase.

    Runs of a learner are averaged by `stats.mean_over_runs`. A player that has a cell of its own, and stands among the
    floors too, counts once. Columns split, rung, who, kind, value (skill), low, high, n (networks; 1 for floors and
    observers).

    Examples
    --------
    >>> from cogkit.data.results import shipped
    >>> table(shipped("tiles"), "tree").query("kind == 'observer'").who.unique().tolist()
    ['Bayes-greedy', 'Bayes-greedy of the family']
    """
    names = [name for name in splits.names() if name.startswith(f"{rule}, ")]
    skill = results[(results.metric == "skill") & results.split.isin(names)]
    own = [cell.endswith(f"/{task}") for cell, task in zip(skill.cell, skill.task, strict=True)]
    skill = skill[(skill.kind != "model") | np.array(own, bool)]  # without those that learnt other boards
    skill = skill.drop_duplicates(["split", "who", "kind", "seed"])
    records = []
    for (split, rung, who, kind), part in skill.groupby(["split", "rung", "who", "kind"], sort=False, observed=True):
        mean = mean_of_rows(part, "fixed" if rung == "orbit" else "sample")
        records.append((split, rung, who, kind, mean.value, mean.low, mean.high, mean.runs))
    return pd.DataFrame(records, columns=["split", "rung", "who", "kind", "value", "low", "high", "n"])


def family(rule: str) -> str:
    """Return the task of a rule's family, which an agent can train without.

    Examples
    --------
    >>> family("cross")
    'cross/diagonal'
    """
    return splits.task_of(f"{rule}, {splits.FAMILIES[presets.choose(rule, splits.FAMILIES, 'rule')].name}")


def climbed(results: pd.DataFrame) -> pd.DataFrame:
    """Return how far each trained learner is above memory on each split, as `stats.memory.climbed`, with its rule.

    Examples
    --------
    >>> from cogkit.data.results import shipped
    >>> table = climbed(shipped("tiles")).set_index(["who", "rule"])
    >>> table.verdict["LSTM, 2 M clicks", "symmetry"]
    'not shown'
    """
    table = above.climbed(results)
    return table.assign(rule=table.split.str.partition(", ")[0])


def assess(learner, test: Items, rules: str | GameConfig, passes: int, seed: int) -> list[dict]:
    """Return the result rows of a learner on the test of a split, and one more: how far it is above the best floor."""
    answers = scoring.judge(learner, test, profile=rules, seed=seed, passes=passes)
    yardstick, ideal = standards.standards(test, passes, seed)
    part = references(test.split).above(answers.charged.mean(axis=0))
    row = answers.row(above.ABOVE, part.value, len(test), (part.low, part.high), part.interval)
    return [*scoring.result_rows(answers, yardstick=yardstick, ideal=ideal), row]


@lru_cache(maxsize=4)
def references(name: str, seed: int = 0) -> References:
    """Return what stands beside a learner on the test boards of a split.

    Each floor plays every board until its skill has a standard error of `ERROR`, so that the best of them is no lucky
    one.

    Examples
    --------
    >>> beside = references("tree, beyond a chain")
    >>> beside.floors.who.iloc[0], beside.above(beside.ideal).value
    ('fragments 3×3', 1.0)
    """
    parts = splits.split(name)
    nearest = heuristic(parts.test, seed=seed).mean
    known = splits.boards(name).known.items()
    observers = {who: _blue(BayesGreedy(support), parts, seed, PASSES[0]) for who, support in known}
    floors = [{"who": NEAREST, "skill": 0.0, "se": 0.0, "passes": 1000, "blue": nearest}]
    for floor in memory.floors(parts.train):
        floors.append(_measured(floor, parts, seed, nearest, observers[splits.IDEAL]))
    table = pd.DataFrame(floors).sort_values("skill", ascending=False, ignore_index=True, kind="stable")
    return References(parts, nearest, observers, table)


def _blue(player, parts: Split, seed: int, passes: int) -> np.ndarray:
    return scoring.judge(player, parts.test, seed=seed, passes=passes).blue.mean(axis=0)


def _measured(floor, parts: Split, seed: int, nearest: np.ndarray, ideal: np.ndarray) -> dict:
    passes, most = PASSES
    while True:
        blue = scoring.judge(floor, parts.test, seed=seed, passes=passes).blue
        skill = (nearest - blue).sum(axis=1) / (nearest - ideal).sum()
        error = skill.std(ddof=1) / np.sqrt(passes)
        if error <= ERROR or passes >= most:
            whole = {"passes": passes, "blue": blue.mean(axis=0)}
            return {"who": floor.name, "skill": skill.mean(), "se": error} | whole
        passes = min(most, int(passes * max(1.5, 1.2 * (error / ERROR) ** 2)))
