"""The study of Nie et al. 2020 (§ 3.3): a page of instructions and then twenty problems for each type of problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.logo.text import STROKES, program
from cogkit.bongard.people import instructions
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import SIDES, SUPPORT, Problem
from cogkit.core import presets, seeding
from cogkit.core.errors import InputError
from cogkit.core.identity import hashed
from cogkit.core.study import Page, Presentation, Sat, Study, Wording
from cogkit.study.sitting import ITEMS

TYPES = {"FF": ("FF",), "BA": ("BA",), "abstract": ("CM", "NV")}  # the tests that the problems of each type come from
EACH = 20  # problems of a type
ANSWER = "answer"  # the phase of the problems in trial rows
CONFIDENCE = (0.5, 1.0)  # from a guess to certain
_DRAWS = 2**31


@dataclass(frozen=True)
class Item:
    """One problem as a person sees it.

    Attributes
    ----------
    task : str
        One of `TYPES`.
    test : str
        The one of the four tests that it comes from.
    problem : Problem
    first : int
        Side of the first query, 0 for the positives. The second query is from the other side.
    """

    task: str
    test: str
    problem: Problem
    first: int

    @property
    def queries(self) -> tuple[Picture, Picture]:
        """The two pictures asked about, in order."""
        sides = self.problem.sides
        return sides[self.first][SUPPORT], sides[1 - self.first][SUPPORT]

    @property
    def support(self) -> tuple[tuple[Picture, ...], tuple[Picture, ...]]:
        """The six pictures of the first group, and of the second."""
        positives, negatives = self.problem.sides
        return positives[:SUPPORT], negatives[:SUPPORT]


@lru_cache(maxsize=4)
def items(condition: str, each: int = EACH) -> tuple[Item, ...]:
    """Return the problems of a condition: ``each`` of every type, without repetition.

    ``condition`` is the profile of the set and a number for the random draw, such as ``verified/7``; ``as_published/7``
    has problems made by the authors' rules. Raises `InputError` for another condition.

    Notes
    -----
    Possibly differs from the paper. The paper says 20 problems "from each test set", but gives one score for CM and NV,
    so it may have had 40 abstract problems. Here people have 20 from both sets together. The two queries of a problem
    are from different sides, as in the paper. A person who notices this can infer the second answer from the first. A
    learner answers each query separately.
    """
    profile, _, number = condition.partition("/")
    if profile not in presets.PROFILES or not number.isdecimal():
        raise InputError(repr(condition), "a profile and a number, such as 'verified/7'")
    problems = []
    for task, tests in TYPES.items():
        rng = seeding.stream(int(number), f"bongard/study/{task}")
        pool = [(test, spec) for test in tests for spec in sets.task_specs(test, profile)]
        numbers = rng.choice(len(pool), each, replace=False)
        for (test, spec), first in zip((pool[k] for k in numbers), rng.integers(2, size=each), strict=True):
            problems.append(Item(task, test, sets.problem(spec), int(first)))
    return tuple(problems)


def order(seed: int, n: int) -> list[int]:
    """Return an order of n problems: one type after another, shuffled within each type."""
    blocks = np.arange(n).reshape(len(TYPES), -1)
    return seeding.stream(seed, "bongard/order").permuted(blocks, axis=1).ravel().tolist()


@lru_cache(maxsize=16)
def page(task: str, profile: str = "verified", before: int = 0) -> Page:
    """Return the page of instructions of a type, with worked examples from the training problems.

    Examples
    --------
    >>> page("FF").title
    'Free-form shapes'
    """
    return instructions.page(presets.choose(task, TYPES, "type of problem"), sets.task_specs("train", profile), before)


def answered(presentation: Presentation, side: str) -> dict:
    """Return the stored form of an answer, ``positive`` (the first group) or ``negative``. The second ends the problem.

    Examples
    --------
    >>> item = Item("FF", "FF", Problem("ff_nact4_0000", "ff", ("nact4",), (), ()), first=1)
    >>> row = answered(Presentation("items", "verified/7", item, "verified/7/00", 0, 60), "positive")
    >>> row["item"], row["correct"], row["done"]
    ('ff_nact4_0000/7b25d712/1', 0, False)
    """
    item, query = presentation.item, len(presentation.responses)
    truth = SIDES[item.first if query == 0 else 1 - item.first]
    right = int(presets.choose(side, SIDES, "side") == truth)
    return {
        "task": item.task, "item": f"{hashed(item.problem.name, item.problem)}/{query + 1}", "response": side,
        "correct": right, "score": float(right), "done": query == 1,
        "extra": {"query": query, "side": truth, "test": item.test, "concept": list(item.problem.concept)},
    }  # fmt: skip


def worded(presentation: Presentation) -> Wording:
    """Return an answer in words: the program of the pen stands for each picture that the person saw.

    Examples
    --------
    >>> item = items("verified/7", 1)[0]
    >>> said = worded(Presentation("items", "verified/7", item, "verified/7/00", 0, 3, responses=("negative",)))
    >>> said.options[said.choice], said.text[-30:], said.feedback
    ('the second group', 'Where does it belong? You say:', '')
    """
    item, query = presentation.item, len(presentation.responses) - 1
    groups = ("the first group", "the second group")
    blocks = [] if presentation.position else [STROKES["programs"]]
    for group, pictures in zip(groups, item.support, strict=True):
        blocks.append("\n".join([f"Six pictures of {group}:", *map(program, pictures)]))
    truths = [groups[item.first], groups[1 - item.first]]
    own = f"A picture to sort:\n{program(item.queries[query])}\n\nWhere does it belong? You say:"
    feedback = f"The first picture belongs to {truths[0]}, and the second to {truths[1]}." if query else ""
    return Wording(
        "\n\n".join([*([] if query else blocks), own]), groups, SIDES.index(presentation.responses[-1]), feedback
    )


def sitting(task: str, *, profile: str = "verified", seed: int = 0) -> Sat:
    """Return the problems of one test in a person's sitting; see `extras.models.interview.Interview`.

    The sitting has problems of all four tests. Its abstract problems are of two of them, see `items`.

    Examples
    --------
    >>> [len(sitting(test, seed=4).items) for test in ("FF", "BA")]
    [20, 20]
    """
    study = study_of(profile=profile)
    every = study.items(study.assign(seed), seed)
    return Sat(task, tuple(item.problem for item in every if item.test == task.partition("/")[0]), every)


def of_row(row: Mapping[str, Any]) -> Study:
    """Return the study that a stored first row belongs to."""
    problems = row["extra"].get("whole") or len(row["extra"]["order"])  # a pilot has some of the whole
    return study_of(problems // len(TYPES), row["profile"])


def study_of(each: int = EACH, profile: str = "verified") -> Study:
    """Return the study with a given number of problems of each type, under the rules of a profile.

    ``each`` is 1 to 20; the paper's people had 20. Raises `InputError` for another number or profile.

    Examples
    --------
    >>> study_of(2, "as_published").assign(0).partition("/")[0]
    'as_published'
    """
    profile = presets.profile(profile)
    if isinstance(each, bool) or not isinstance(each, int) or not 1 <= each <= EACH:
        raise InputError(f"each={each!r}", f"a whole number of problems of each type, 1 to {EACH}")

    def assign(seed: int) -> str:
        return f"{profile}/{seeding.stream(seed, 'bongard/condition').integers(_DRAWS)}"

    def of(row) -> Study | None:
        same = row["profile"] == profile and len(row["extra"]["order"]) == each * len(TYPES)
        return study if same else None

    study = Study(
        "bongard", assign, lambda condition, seed: items(condition, each), answered, order, instructions.PROMPT,
        instructions=lambda condition: [page(task, profile, each * k) for k, task in enumerate(TYPES)],
        feedback=(ITEMS,), confidence=CONFIDENCE, phases={ITEMS: ANSWER}, profile=profile, of=of, wording=worded,
    )  # fmt: skip
    return study


STUDY = study_of()
