"""What stands beside a learner on a split of boards: the floors of memory, and two ideal observers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from cogkit.core import presets
from cogkit.core.splits import Split
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


def rows(name: str, seed: int = 0) -> list[dict]:
    """Return result rows of both ideal observers and of every floor on a split: skill, and its interval over boards.

    Examples
    --------
    >>> {row["who"] for row in rows("tree, beyond a chain")} > {"memory, exact", "fragments 3×3", "Bayes-greedy"}
    True
    """
    return references(name, seed).rows()


def summary(name: str) -> dict[str, Any]:
    """Return what `Instrument.memory` tells of a split."""
    beside = references(name)
    return beside.summary(splits.copies(beside.split))


def table(results: pd.DataFrame, rule: str) -> pd.DataFrame:
    """Return what everybody gets on the splits of a rule, from result rows: the table of a staircase.

    A player that has a cell of its own, and stands among the floors too, counts once.

    Examples
    --------
    >>> from cogkit.data.results import shipped
    >>> table(shipped("tiles"), "tree").query("kind == 'observer'").who.unique().tolist()
    ['Bayes-greedy', 'Bayes-greedy of the family', 'Bayes-greedy of all rules']
    """
    names = [name for name in splits.names() if name.startswith(f"{rule}, ")]
    skill = results[(results.metric == "skill") & results.split.isin(names)]
    own = [cell.endswith(f"/{task}") for cell, task in zip(skill.cell, skill.task, strict=True)]
    skill = skill[(skill.kind != "model") | np.array(own, bool)]  # without those that learnt other boards
    skill = skill.drop_duplicates(["split", "who", "kind", "seed"])
    every = skill.rung == "orbit"  # these boards are all that there are
    return above.steps(skill.assign(items=np.where(every, "fixed", "sample")))


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
    part = references(test.split).above(-answers.charged.mean(axis=0))
    row = answers.row(above.ABOVE, part.value, len(test), (part.low, part.high), part.interval)
    return [*scoring.result_rows(answers, yardstick=yardstick, ideal=ideal), row]


@lru_cache(maxsize=4)
def references(name: str, seed: int = 0) -> above.References:
    """Return what stands beside a learner on the test boards of a split; a score is minus the mean of blue tiles.

    Each floor plays every board until its skill has a standard error of `ERROR`, so that the best of them is no lucky
    one. Floors have three columns more: skill, se (over games) and passes.

    Examples
    --------
    >>> beside = references("tree, beyond a chain")
    >>> beside.floors.who[0], beside.above(beside.ideal).value
    ('fragments 3×3', 1.0)
    """
    parts = splits.split(name)
    nearest = -heuristic(parts.test, seed=seed).mean
    known = [(who, BayesGreedy(support)) for who, support in splits.boards(name).known.items()]
    observers = pd.DataFrame(
        [(who, "board", _scores(each, parts, seed, PASSES[0]).mean(axis=0)) for who, each in known],
        columns=["who", "inputs", "scores"],
    )
    floors = [{"who": NEAREST, "scores": nearest, "skill": 0.0, "se": 0.0, "passes": 1000}]
    floors += [_measured(floor, parts, seed, nearest, observers.scores[0]) for floor in memory.floors(parts.train)]
    table = pd.DataFrame(floors).assign(inputs="board")
    table = table.sort_values("skill", ascending=False, ignore_index=True, kind="stable")
    return above.References(parts, nearest, observers, table)


def _scores(player, parts: Split, seed: int, passes: int) -> np.ndarray:
    return -scoring.judge(player, parts.test, seed=seed, passes=passes).blue


def _measured(floor, parts: Split, seed: int, nearest: np.ndarray, ideal: np.ndarray) -> dict:
    passes, most = PASSES
    while True:
        scores = _scores(floor, parts, seed, passes)
        skill = (scores - nearest).sum(axis=1) / (ideal - nearest).sum()
        error = skill.std(ddof=1) / np.sqrt(passes)
        if error <= ERROR or passes >= most:
            whole = {"skill": skill.mean(), "se": error, "passes": passes}
            return {"who": floor.name, "scores": scores.mean(axis=0)} | whole
        passes = min(most, int(passes * max(1.5, 1.2 * (error / ERROR) ** 2)))
