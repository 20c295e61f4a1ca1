"""What stands beside a learner on a split of Bongard-LOGO: floors of memory, and two observers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from cogkit.bongard import scoring
from cogkit.bongard.learners import memory, observers
from cogkit.bongard.learners.memory import LabelMean, Memory
from cogkit.bongard.learners.observers import AttributeOracle
from cogkit.bongard.problems import abstract, sets, splits
from cogkit.bongard.problems.records import CHANCE
from cogkit.bongard.scoring import Answers
from cogkit.bongard.shapes import inventory
from cogkit.bongard.shapes.inventory import ATTRIBUTES
from cogkit.core.items import overlap
from cogkit.core.splits import Split
from cogkit.stats.memory import ABOVE, References, players, steps

NEAR = (1, 10)  # figures of training that stand for a new one
_CELL = "bongard/memory/"


@lru_cache(maxsize=8)
def references(name: str, profile: str = "verified") -> References:
    """Return what stands beside a learner on a split.

    The ideal observer is the program oracle on free-form and basic problems, and the oracle with the table of
    attributes on abstract ones.
    """
    parts = splits.split(name, profile)
    floors: list[Any] = [*_remembering(tuple(parts.train))]
    if parts.task in sets.NEW_TESTS:
        floors += [floor.nearest(n) for floor in floors for n in NEAR]
    if splits.TESTS[parts.task].kind == "hd":
        floors.append(LabelMean())
    answers = sorted((_judge(floor, parts) for floor in floors), key=lambda floor: -floor.score.mean())
    ideal, family = (_judge(observer, parts) for observer in _observers(parts, profile))
    family = replace(family, who=f"{family.who} of the family")
    return References(parts, CHANCE, players([ideal, family]), players(answers))


def _observers(parts: Split, profile: str) -> tuple[Any, Any]:
    """Return the observer that knows all shapes and concepts, and one that knows which of them the test has."""
    if splits.TESTS[parts.task].kind != "hd":
        return (observers.ProgramOracle(),) * 2
    shapes = inventory.available()
    drawn = abstract.old_and_new(shapes)["new"] if parts.task in sets.NEW_TESTS else shapes
    concepts = {problem.concept for problem in parts.test}
    family = AttributeOracle(drawn.table, [tuple(map(ATTRIBUTES.index, concept)) for concept in sorted(concepts)])
    return observers.attribute_oracle(shapes, profile), family


def _judge(player, parts: Split) -> Answers:
    return scoring.judge(player, parts.test, evaluation="all")


def summary(name: str) -> dict[str, Any]:
    """Return what `Instrument.memory` tells of the split; it makes all training problems, for some seconds."""
    beside = references(name)
    sides = [sets.problem(spec).sides for spec in beside.split.train]
    return beside.summary(len(overlap(sides, [each.sides for each in beside.split.test])))


@lru_cache(maxsize=1)  # the three tests with new shapes have the same training problems
def _remembering(specs: tuple[sets.Spec, ...]) -> list[Memory]:
    problems = [sets.problem(spec) for spec in specs]
    return [Memory(problems, how) for how in memory.HOW]


def rows(name: str, profile: str = "verified") -> list[dict]:
    """Return result rows of both observers and of every floor on a split: skill, and its interval over problems.

    One row more is the share of right answers of the ideal observer, which is skill 1.
    """
    beside = references(name, profile)
    ideal = _judge(_observers(beside.split, profile)[0], beside.split)
    return [*scoring.result_rows(ideal, concepts=False), *beside.rows()]


def above_row(answers: Answers, name: str) -> dict:
    """Return a result row that says how far a learner is above the best floor of a split, from its answers."""
    part = references(name, answers.profile).above(answers.score.mean(axis=1))
    return answers.row(ABOVE, part.value, len(answers.names), (part.low, part.high), part.interval)


def assess(
    learner: scoring.Learner, task: str, n: int | None, *, profile: str, seed: int, source: str, look: Callable
) -> list[dict]:
    """Return the result rows of a learner on the first n problems of a split's test, and how far it is above memory."""
    name = splits.place(task)[0]
    items = splits.split(name, profile).test[:n]
    answers = scoring.judge(learner, items, profile=profile, seed=seed, evaluation="all", images=look(items.entries))
    return [
        row | {"source": source} for row in [*scoring.result_rows(answers, concepts=False), above_row(answers, name)]
    ]


def table(results: pd.DataFrame) -> pd.DataFrame:
    """Return what everybody gets on each split, from result rows: the table of a staircase.

    Splits whose floors are not among the rows are left out. Shares of right answers
    become skill. Floors and observers are those of `references` alone.

    Examples
    --------
    >>> from cogkit.data import rows as data
    >>> table(data.table([])).columns.tolist()
    ['split', 'rung', 'who', 'kind', 'value', 'low', 'high', 'n']
    """
    results = results[results.task.isin(splits.TESTS)]
    beside = results.cell.str.startswith(_CELL)
    ideal = results[beside & (results.metric == "accuracy")].set_index("split").value.to_dict()
    player = ~results.kind.isin(["floor", "observer"]) & (results.metric == "accuracy")
    skill = results[(player | beside & (results.metric == "skill")) & results.split.isin(ideal)]
    skill = skill.assign(zero=np.where(skill.metric == "skill", 0, CHANCE))
    skill = skill.assign(one=skill.split.map(ideal).where(skill.metric == "accuracy", 1.0))
    return steps(skill.drop_duplicates(["split", "who", "kind", "seed"]))
