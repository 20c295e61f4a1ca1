"""The sitting of Nie et al. 2020 (§ 3.3): for each type of problem a page of instructions, then twenty problems.

What a person does is stored as trial rows; `read` and `answered` make them, so that whoever runs a sitting stores the
same, and `people` reads them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cogkit.bongard import scoring
from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.people import instructions
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import SIDES, SUPPORT, Problem
from cogkit.core import presets, seeding
from cogkit.core.contracts import InputError, Study

TYPES = {"FF": ("FF",), "BA": ("BA",), "abstract": ("CM", "NV")}  # by the tests that their problems are from
EACH = 20  # problems of a type
INSTRUCTIONS, ANSWER = "instructions", "answer"  # phases of a sitting, as ``extra`` of its rows tells them
CONFIDENCE = (0.5, 1.0)  # from a guess to certain
_DRAWS = 2**31

PROMPT = (
    "You see two groups of six pictures. All pictures of the first have something in common, the concept, and none of "
    "the second has it. Two more pictures follow. Say of each whether it belongs to the first group or to the second. "
    "There are three types of problem; each begins with a page that tells what its concepts are like."
)


@dataclass(frozen=True)
class Item:
    """One problem as a person gets it.

    Attributes
    ----------
    task : str
        One of `TYPES`.
    test : str
        Which of the four tests it is from.
    problem : Problem
    first : int
        Which side the first query is from, 0 for the positives; the second is from the other.
    """

    task: str
    test: str
    problem: Problem
    first: int

    @property
    def queries(self) -> tuple[Picture, Picture]:
        """The two pictures asked about, in order."""
        return tuple(self.problem.sides[side][SUPPORT] for side in (self.first, 1 - self.first))

    @property
    def support(self) -> tuple[tuple[Picture, ...], tuple[Picture, ...]]:
        """The six pictures of the first group, and of the second."""
        return tuple(side[:SUPPORT] for side in self.problem.sides)


def assign(rng: np.random.Generator) -> str:
    """Return which problems a person gets, as a condition: the profile of the set, and a number to draw them by."""
    return f"verified/{rng.integers(_DRAWS)}"


@lru_cache(maxsize=4)
def items(condition: str, each: int = EACH) -> tuple[Item, ...]:
    """Return the problems of a condition: ``each`` of every type, none twice.

    Parameters
    ----------
    condition : str
        As `assign` gives it, such as ``verified/7``; ``as_published/7`` for problems made as the authors' were.
    each : int

    Raises
    ------
    InputError
        No such condition.

    Notes
    -----
    Differs from the paper, or may: it says 20 problems "from each test set", and one score for CM and NV, which may
    mean 40 abstract problems; people here have 20 of both sets together. Of the two queries of a problem one is of
    either side, as in the paper, so that who has noticed knows the second answer from the first; a learner is asked
    each on its own.
    """
    profile, _, number = condition.partition("/")
    if profile not in presets.PROFILES or not number.isdecimal():
        raise InputError(repr(condition), "a profile and a number, such as 'verified/7'")
    found = []
    for task, tests in TYPES.items():
        rng = seeding.stream(int(number), f"bongard/study/{task}")
        pool = [(test, spec) for test in tests for spec in scoring.listed(test, profile)]
        drawn = rng.choice(len(pool), each, replace=False)
        for (test, spec), first in zip((pool[k] for k in drawn), rng.integers(2, size=each), strict=True):
            found.append(Item(task, test, sets.problem(spec), int(first)))
    return tuple(found)


def order(rng: np.random.Generator, n: int) -> list[int]:
    """Return an order of n problems: one type after the other, each shuffled."""
    blocks = np.arange(n).reshape(len(TYPES), -1)
    return rng.permuted(blocks, axis=1).ravel().tolist()


STUDY = Study(prompt=PROMPT, assign=assign, items=items, order=order)


def page(task: str, profile: str = "verified") -> instructions.Page:
    """Return the page of instructions of a type, with worked examples from the training problems.

    Examples
    --------
    >>> page("FF").title
    'Free-form shapes'
    """
    return instructions.page(presets.choose(task, TYPES, "type of problem"), scoring.listed("train", profile))


def read(task: str, rt_s: float) -> dict:
    """Return what is stored when somebody has read the page of a type: the fields for `sitting.Sitting.record`.

    Parameters
    ----------
    task : str
        One of `TYPES`.
    rt_s : float
        Seconds on the page.
    """
    presets.choose(task, TYPES, "type of problem")
    return {
        "done": False, "task": task, "item": f"{INSTRUCTIONS}/{task}", "response": "read", "rt_s": rt_s,
        "extra": {"phase": INSTRUCTIONS},
    }  # fmt: skip


def answered(item: Item, query: int, response: str, rt_s: float | None = None, confidence: float | None = None) -> dict:
    """Return what is stored of an answer: the fields for `sitting.Sitting.record`.

    Parameters
    ----------
    item : Item
    query : int
        Which of its two, 0 or 1; the second is the last answer to the item.
    response : str
        ``positive`` (the first group) or ``negative``.
    rt_s : float, optional
        Seconds that it took.
    confidence : float, optional
        0.5 to 1: the chance that the person gives to being right.

    Raises
    ------
    InputError
        No such query, response or confidence.

    Examples
    --------
    >>> item = Item("FF", "FF", Problem("ff_nact4_0000", "ff", ("nact4",), (), ()), first=1)
    >>> row = answered(item, 0, "positive")
    >>> row["item"], row["correct"]
    ('ff_nact4_0000/1', 0)
    """
    if query not in (0, 1):
        raise InputError(f"query {query!r}", "0 or 1")
    presets.choose(response, SIDES, "side")
    if confidence is not None and not CONFIDENCE[0] <= confidence <= CONFIDENCE[1]:
        raise InputError(f"a confidence of {confidence!r}", "0.5 (a guess) to 1 (certain)")
    side = SIDES[item.first if query == 0 else 1 - item.first]
    right = int(response == side)
    extra = {"phase": ANSWER, "query": query, "side": side, "test": item.test, "confidence": confidence}
    extra |= {"concept": list(item.problem.concept)}
    return {
        "done": query == 1, "task": item.task, "item": f"{item.problem.name}/{query + 1}", "response": response,
        "correct": right, "score": float(right), "rt_s": rt_s, "extra": extra,
    }  # fmt: skip
