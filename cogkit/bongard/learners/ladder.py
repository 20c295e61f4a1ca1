"""What stands beside a learner on a split of Bongard-LOGO: memory of the training problems, and an observer."""

from __future__ import annotations

from typing import Any

from cogkit.bongard import scoring
from cogkit.bongard.learners import memory, observers
from cogkit.bongard.learners.memory import LabelMean, Memory
from cogkit.bongard.problems import sets, splits
from cogkit.bongard.problems.records import CHANCE
from cogkit.bongard.shapes import inventory
from cogkit.core.items import overlap
from cogkit.stats.memory import share


def row(name: str, profile: str = "verified") -> dict[str, Any]:
    """Return what `Instrument.memory` tells of a split; it makes all training problems of the kind, for some seconds.

    Skill is 0 for guessing. It is 1 for the program oracle on free-form and basic problems, and for the oracle with the
    table of attributes on abstract ones.
    """
    parts = splits.split(name, profile)
    problems = [sets.problem(spec) for spec in parts.train]
    floors = [Memory(problems, how) for how in memory.HOW]
    oracle = observers.ProgramOracle()
    if splits.TESTS[parts.task].kind == "hd":
        floors.append(LabelMean())
        oracle = observers.attribute_oracle(inventory.available(), profile)
    right = {each.name: scoring.judge(each, parts.test).right.mean() for each in (*floors, oracle)}
    best = max((floor.name for floor in floors), key=lambda who: right[who])
    return {
        "split": name, "rung": parts.rung, "train": len(parts.train), "val": len(parts.val), "test": len(parts.test),
        "copies": len(overlap([problem.sides for problem in problems], [each.sides for each in parts.test])),
        "best floor": best, "floor": share(right[best], right[oracle.name], CHANCE), "bound": parts.bound,
        "family ideal": share(right[oracle.name], 1.0, CHANCE),
    }  # fmt: skip
