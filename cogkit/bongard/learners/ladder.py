"""What stands beside a learner on a split of Bongard-LOGO: floors of memory, and two observers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

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
from cogkit.stats import mean_of_rows
from cogkit.stats.memory import ABOVE, above_memory, share

NEAR = (1, 10)  # figures of training that stand for a new one
_CELL = "bongard/memory/"


@dataclass(frozen=True, eq=False)
class References:
    """What others answer to the test problems of a split.

    Attributes
    ----------
    ideal, family : Answers
        Of the observer that knows all shapes and concepts, and of the one that knows which of them the test has.
    floors : tuple of Answers
        Of each floor, the best one first.
    """

    split: Split
    ideal: Answers
    family: Answers
    floors: tuple[Answers, ...]

    def skill(self, answers: Answers) -> float:
        """Return the skill of a player: 0 for guessing, 1 for the ideal observer."""
        return share(answers.score, self.ideal.score, CHANCE)

    def above(self, answers: Answers):
        """Return how far a learner is above the best floor on the problems that it was asked, the first of the test."""
        scores, floor, ideal = (
            each.score.mean(axis=1)[: len(answers.names)] for each in (answers, self.floors[0], self.ideal)
        )
        return above_memory(scores, floor, ideal, CHANCE)

    def row(self) -> dict[str, Any]:
        """Return what `Instrument.memory` tells of the split; it makes all training problems, for some seconds."""
        best, parts = self.floors[0], self.split
        copies = overlap([sets.problem(spec).sides for spec in parts.train], [each.sides for each in parts.test])
        return {
            "split": parts.name, "rung": parts.rung, "train": len(parts.train), "val": len(parts.val),
            "test": len(parts.test), "copies": len(copies), "best floor": best.who, "floor": self.skill(best),
            "bound": parts.bound, "family ideal": self.skill(self.family),
        }  # fmt: skip


@lru_cache(maxsize=8)
def references(name: str, profile: str = "verified") -> References:
    """Return what stands beside a learner on a split.

    The ideal observer is the program oracle on free-form and basic problems, and the oracle with the table of
    attributes on abstract ones.
    """
    parts = splits.split(name, profile)
    new, kind = parts.task in sets.NEW_TESTS, splits.TESTS[parts.task].kind
    floors: list[Any] = [*_remembering(tuple(parts.train))]
    if new:
        floors += [floor.nearest(n) for floor in floors for n in NEAR]
    ideal = family = observers.ProgramOracle()
    if kind == "hd":
        floors.append(LabelMean())
        shapes = inventory.available()
        ideal = observers.attribute_oracle(shapes, profile)
        drawn = abstract.old_and_new(shapes)["new"] if new else shapes
        concepts = {problem.concept for problem in parts.test}
        family = AttributeOracle(drawn.table, [tuple(map(ATTRIBUTES.index, concept)) for concept in sorted(concepts)])
    judge = partial(scoring.judge, items=parts.test, evaluation="all")
    answers = sorted(map(judge, floors), key=lambda floor: -floor.score.mean())
    return References(parts, judge(ideal), judge(family), tuple(answers))


@lru_cache(maxsize=1)  # the three tests with new shapes have the same training problems
def _remembering(specs: tuple[sets.Spec, ...]) -> list[Memory]:
    problems = [sets.problem(spec) for spec in specs]
    return [Memory(problems, how) for how in memory.HOW]


def rows(name: str, profile: str = "verified") -> list[dict]:
    """Return result rows of both observers and of every floor on a split: skill, and its interval over problems.

    One row more is the share of right answers of the ideal observer, which is skill 1.
    """
    beside = references(name, profile)
    out = [_skill(beside, beside.ideal), _skill(beside, beside.family, " of the family")]
    out += [_skill(beside, floor) for floor in beside.floors]
    return [*scoring.result_rows(beside.ideal, concepts=False), *out]


def _skill(beside: References, answers: Answers, words: str = "") -> dict:
    scores, ideal = (each.score.mean(axis=1) for each in (answers, beside.ideal))
    skill = above_memory(scores, CHANCE, ideal, CHANCE)
    row = answers.row("skill", skill.value, len(scores), (skill.low, skill.high), skill.interval)
    return row | {"who": answers.who + words}


def above_row(answers: Answers, name: str) -> dict:
    """Return a result row that says how far a learner is above the best floor of a split, from its answers."""
    part = references(name, answers.profile).above(answers)
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


def table(results: pd.DataFrame, names: Collection[str] = ()) -> pd.DataFrame:
    """Return what everybody gets on some splits, from result rows: the table of a staircase.

    Splits whose floors are not among the rows are left out; by default all others are there. Shares of right answers
    become skill. Runs of a learner are averaged by `stats.mean_over_runs`. A player that has a cell of its own, and
    stands among the observers too, counts once. Columns split, rung, who, kind, value (skill), low, high, n (runs).

    Examples
    --------
    >>> from cogkit.data import rows as data
    >>> table(data.table([])).columns.tolist()
    ['split', 'rung', 'who', 'kind', 'value', 'low', 'high', 'n']
    """
    results = results[results.split.isin(names or splits.names()) & results.task.isin(splits.TESTS)]
    beside = results.cell.str.startswith(_CELL)
    ideal = results[beside & (results.metric == "accuracy")].set_index("split").value.to_dict()
    skill = results[(beside & (results.metric == "skill")) | (~beside & (results.metric == "accuracy"))]
    skill = skill[skill.split.isin(ideal)].sort_values(
        "cell", key=lambda cell: ~cell.str.startswith(_CELL), kind="stable"
    )
    skill = skill.drop_duplicates(["split", "who", "kind", "seed"])
    records = []
    for (split, rung, who, kind, metric), part in skill.groupby(
        ["split", "rung", "who", "kind", "metric"], sort=False, observed=True
    ):
        mean = mean_of_rows(part)
        zero, one = (0.0, 1.0) if metric == "skill" else (CHANCE, ideal[split])
        values = ((number - zero) / (one - zero) for number in (mean.value, mean.low, mean.high))
        records.append((split, rung, who, kind, *values, mean.runs))
    return pd.DataFrame(records, columns=["split", "rung", "who", "kind", "value", "low", "high", "n"])
