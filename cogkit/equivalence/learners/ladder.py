"""What stands beside a learner on a split of matching trials: memory of the trained pairs, and their closure."""

from __future__ import annotations

from typing import Any

import pandas as pd

from cogkit.equivalence import scoring
from cogkit.equivalence.learners.floors import Associative
from cogkit.equivalence.learners.observers import Closure
from cogkit.equivalence.problems import splits
from cogkit.equivalence.problems.records import CHANCE
from cogkit.stats import memory


def row(name: str) -> dict[str, Any]:
    """Return what `Instrument.memory` tells of a split. Skill is 0 for guessing, and 1 where every trial is right.

    The *family ideal* is the closure of the trained pairs, which *reject-only* training leaves with nothing to join.

    A test trial has a copy in training if its sample and right comparison were a pair there, in either order.

    Examples
    --------
    >>> split = row("LS/select-only/standard, symmetry")
    >>> split["best floor"], split["floor"], split["copies"] == split["test"]
    ('associative, undirected', 1.0, True)
    """
    parts = splits.split(name)
    design = parts.train.design
    ideal = scoring.judge(Closure(design), parts.test).right.mean()
    floors = {floor.name: scoring.judge(floor, parts.test).right.mean() for floor in _floors(design)}
    best = max(floors, key=lambda who: floors[who])
    trained = {tuple(sorted(pair)) for pair in parts.train.relations()}
    right = parts.test.tokens[range(len(parts.test)), 1 + parts.test.correct]
    pairs = zip(parts.test.tokens[:, 0].tolist(), right.tolist(), strict=True)
    return {
        "split": name, "rung": parts.rung, "train": len(parts.train), "val": 0, "test": len(parts.test),
        "copies": sum(tuple(sorted(pair)) in trained for pair in pairs), "best floor": best,
        "floor": _skill(floors[best]), "bound": parts.bound, "family ideal": _skill(ideal),
    }  # fmt: skip


def table(results: pd.DataFrame, condition: str) -> pd.DataFrame:
    """Return what everybody gets on the splits of a condition: the table of a staircase.

    Networks that learnt the trained pairs are read from result rows, and their runs are averaged by
    `stats.mean_over_runs`. Floors and the closure of the trained pairs answer here and now. Skill is 0 for guessing,
    and 1 if every trial is right.

    Examples
    --------
    >>> from cogkit.data.results import shipped
    >>> steps = table(shipped("equivalence"), "LS/select-reject/standard").set_index(["who", "rung"]).value
    >>> float(steps["associative, undirected", "orbit"]), bool(steps["GPT", "composition"].max() < 0.1)
    (1.0, True)
    """
    trained = (results.kind == "model") & (results.supervision != "")
    records, accuracy = [], results[trained & (results.metric == "accuracy, argmax")]
    for parts in (splits.split(name) for name in splits.names() if name.rpartition(", ")[0] == condition):
        for player in (*_floors(parts.train.design), Closure(parts.train.design)):
            value = _skill(scoring.judge(player, parts.test).right.mean())
            records.append((parts.name, parts.rung, player.name, player.kind, value, value, value, 1))
    learners = accuracy[accuracy.split.isin([record[0] for record in records])].assign(zero=CHANCE, items="fixed")
    learners = memory.steps(learners)
    return pd.concat([pd.DataFrame(records, columns=list(memory.STEPS)), learners], ignore_index=True)


def _skill(accuracy: float) -> float:
    return round(memory.share(accuracy, 1.0, CHANCE), 6) + 0.0


def _floors(design) -> list[Associative]:
    return [Associative(design, undirected) for undirected in (False, True)]
