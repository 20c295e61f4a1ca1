"""The study of people of Jiang et al. 2023 (§ 5.2): one task each, a tutorial, ten test items and two attention checks.

`people` reads its trial rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from cogkit.core import presets, seeding
from cogkit.core.errors import InputError
from cogkit.core.study import Page, Practice, Presentation, Sat, Study, Wording
from cogkit.mewl.people import instructions
from cogkit.mewl.people.items import POOL, SAME, Item, item
from cogkit.mewl.problems.episodes import CHANCE, TASKS
from cogkit.study.sitting import INSTRUCTIONS, ITEMS, PRACTICE, in_phase, shuffled

INSTRUMENT = "mewl"
BESIDE = "beside learners"  # the source of rows of `beside_of`: they are no sitting of the paper's study
TESTS, CHECKS = 10, 2  # test items of a sitting, and attention checks among them
TRIES = 2  # at the check of the tutorial
TUTORIAL, CHECK, ANSWER = "tutorial", "check", "answer"  # names of a sitting's phases in trial rows
PHASES = {INSTRUCTIONS: TUTORIAL, PRACTICE: CHECK, ITEMS: ANSWER}
CONFIDENCE = (CHANCE, 1.0)  # from a guess to certain
REASONS = ("tutorial failed", "not finished", "attention failed")
_DRAWS = 2**31
_NUMBER = "(0|[1-9][0-9]*)"
_CONDITION = re.compile(f"([^/]*)/([^/]*)/{_NUMBER}/{_NUMBER}[+]{_NUMBER}(/feedback)?")


@dataclass(frozen=True)
class Plan:
    """The content of a sitting.

    Attributes
    ----------
    task : str
        One of `episodes.TASKS`: each person does one task.
    draw : int
        Seed that draws the items.
    profile : str
        The rules of the episodes.
    tests, attention : int
        Number of test items, and of attention checks.
    feedback : bool
        Whether the person learns if each answer was right. By default only the tutorial tells, as in the paper.

    Raises
    ------
    InputError
        The task or profile is unknown, or a number is out of range.

    Examples
    --------
    >>> Plan("shape", 7).condition, Plan.of("verified/shape/7/10+2") == Plan("shape", 7)
    ('verified/shape/7/10+2', True)
    """

    task: str
    draw: int
    profile: str = "verified"
    tests: int = TESTS
    attention: int = CHECKS
    feedback: bool = False

    def __post_init__(self) -> None:
        presets.choose(self.task, TASKS, "task")
        presets.profile(self.profile)
        for name, low, high in (("draw", 0, _DRAWS - 1), ("tests", 1, 100), ("attention", 0, 100)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise InputError(f"{name}={value!r}", f"a whole number, {low} to {high}")

    @property
    def condition(self) -> str:
        """The plan in one word, as trial rows hold it."""
        word = f"{self.profile}/{self.task}/{self.draw}/{self.tests}+{self.attention}"
        return word + "/feedback" * self.feedback

    @classmethod
    def of(cls, condition: str) -> Plan:
        """Return the plan of a condition."""
        match = _CONDITION.fullmatch(str(condition))
        if not match:
            raise InputError(repr(condition), "a condition such as 'verified/shape/7/10+2'")
        profile, task, *numbers, feedback = match.groups()
        return cls(task, int(numbers[0]), profile, int(numbers[1]), int(numbers[2]), bool(feedback))


@lru_cache(maxsize=8)
def items(condition: str) -> tuple[Item, ...]:
    """Return the items of a condition: first the test items, then the attention checks. No episode occurs twice.

    Raises `InputError` if the condition is not valid.
    """
    plan = Plan.of(condition)
    rng = seeding.stream(plan.draw, f"mewl/study/{plan.task}")
    numbers = rng.choice(POOL, plan.tests + plan.attention, replace=False)
    names = [f"{plan.profile}/test/{plan.task}/{number:04d}" for number in numbers]
    return tuple(item(name + f"/{SAME}" * (k >= plan.tests)) for k, name in enumerate(names))


def sat(trials: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of people in the paper's study: without other instruments, programs and `beside_of`."""
    is_person = (trials["instrument"] == INSTRUMENT) & (trials["kind"] == "person")
    return trials[is_person & (trials["source"] != BESIDE)]


def failures(trials: pd.DataFrame) -> dict[str, str]:
    """Return the reasons why sittings are not counted, by sitting: the first of `REASONS` that applies.

    ``trials`` are in the order they were made.
    """
    reasons = {}
    mine = sat(trials)
    for sitting, rows in mine.groupby("sitting", sort=False):
        phases = np.array([extra.get("phase", "") for extra in rows["extra"]], dtype=object)
        checks, answers = rows[phases == CHECK], rows[phases == ANSWER]
        attention = np.array([bool(extra.get("attention")) for extra in answers["extra"]], dtype=bool)
        flags = (
            len(checks) >= TRIES and not checks["correct"].any(),
            answers.empty or answers["item"].nunique() < answers["extra"].iloc[0]["of"],
            not answers["correct"][attention].all(),
        )
        if any(flags):
            reasons[sitting] = REASONS[flags.index(True)]
    return reasons


def answered(presentation: Presentation, name: str) -> dict:
    """Return the stored fields of an answer to the tutorial's check or to an item. It is one of five names.

    Examples
    --------
    >>> item = items("verified/number/0/1+0")[0]
    >>> right = item.trial.options[item.episode.answer]
    >>> answered(Presentation("items", "verified/number/0/1+0", item, item.name, 0, 1), right)["correct"]
    1
    """
    item, plan, options = presentation.item, Plan.of(presentation.condition), list(presentation.item.trial.options)
    if name not in options:
        raise InputError(f"the name {name!r}", f"one of {', '.join(options)}")
    correct = int(options.index(name) == item.episode.answer)
    return {
        "task": item.trial.task, "item": item.name, "response": name, "correct": correct, "score": float(correct),
        "extra": {
            "attention": item.attention, "options": options, "choice": options.index(name),
            "of": plan.tests + plan.attention,  # so that the rows show whether a sitting is complete
        },
    }  # fmt: skip


def worded(presentation: Presentation) -> Wording:
    """Return an answer in words: captions stand for the pictures that the person saw.

    Examples
    --------
    >>> item = items("verified/number/0/1+0")[0]
    >>> right = item.trial.options[item.episode.answer]
    >>> said = worded(Presentation("items", "verified/number/0/1+0", item, item.name, 0, 1, responses=(right,)))
    >>> said.options[said.choice] == right, said.text[-29:]
    (True, 'name fits scene 7? You choose')
    """
    from cogkit.mewl.problems import captions  # this and the next are not needed before
    from cogkit.mewl.problems.observations import question

    caption_question = question([presentation.item.episode], "captions")
    options, name = caption_question.options[0], presentation.responses[-1]
    feedback = ""
    if presentation.phase == ITEMS and Plan.of(presentation.condition).feedback:
        right = options[presentation.item.episode.answer]
        feedback = "Right." if name == right else f"Wrong: {right} is right."
    scenes = captions.scenes_of(caption_question.observations[0], caption_question.utterances[0])
    text = f"{scenes}\n\nThe names are {', '.join(options)}. Which name fits scene 7? You choose"
    return Wording(text, tuple(options), options.index(name), feedback)


def study_of(task: str | None = None, beside: bool = False, **options) -> Study:
    """Return the study of one task or, as in the paper, of a random task for each person.

    ``options`` are ``profile``, ``tests``, ``attention`` and ``feedback`` of a `Plan`. ``beside`` is for `beside_of`.

    Examples
    --------
    >>> study_of("color").assign(3), study_of(tests=2).assign(1)
    ('verified/color/3/10+2', 'verified/shape/1/2+2')

    Notes
    -----
    May differ from the paper, which does not say how a person failed its tutorial (1 of 271 people did). Here the last
    step of the tutorial is an easy check of understanding, and two wrong answers to it are a failure.
    """
    plan = Plan(task or TASKS[0], 0, **options)

    def assign(seed: int) -> str:
        choice = task or TASKS[seeding.stream(seed, f"{INSTRUMENT}/task").integers(len(TASKS))]
        return replace(plan, task=choice, draw=seed).condition

    def of(row) -> Study | None:
        plan_of_row = Plan.of(row["response"])
        return study if plan_of_row == replace(plan, task=task or plan_of_row.task, draw=plan_of_row.draw) else None

    def pages(condition: str) -> tuple[Page, ...]:
        return instructions.pages(Plan.of(condition).task, plan.profile)

    def check(condition: str, seed: int, attempt: int) -> tuple[Item]:
        return (instructions.check(Plan.of(condition).task, plan.profile),)

    practice = Practice(check, needed=1, tries=TRIES)
    study = Study(
        INSTRUMENT, assign, lambda condition, seed: items(condition), answered, shuffled(INSTRUMENT),
        instructions.PROMPT, instructions=None if beside else pages,
        practice=None if beside else practice, source=BESIDE if beside else Study.source,
        checks=range(plan.tests, plan.tests + plan.attention), feedback=(ITEMS,) * plan.feedback,
        confidence=CONFIDENCE, phases=PHASES, profile=plan.profile, of=of, wording=worded,
    )  # fmt: skip
    return study


def beside_of(task: str | None = None, **options) -> Study:
    """Return a short study that a person plays beside learners: no tutorial, no check, and feedback.

    ``options`` are ``profile`` and ``tests`` of a `Plan`.

    Examples
    --------
    >>> beside_of("color", tests=5).assign(3)
    'verified/color/3/5+0/feedback'
    """
    return study_of(task, beside=True, attention=0, feedback=True, **options)


STUDY = study_of()


def sitting(task: str, *, profile: str = "verified", seed: int = 0) -> Sat:
    """Return the episodes of a person's sitting of a task, without attention checks; see `models.interview`.

    Examples
    --------
    >>> len(sitting("shape", seed=4).items)
    10
    """
    study = study_of(task, profile=profile)
    every = study.items(study.assign(seed), seed)
    return Sat(task, tuple(item.episode for item in every if not item.attention), every)


def of_row(row: Mapping[str, Any]) -> Study:
    """Return the study that a stored first row belongs to."""
    plan = Plan.of(row["response"])
    own = {"profile": plan.profile, "tests": plan.tests, "attention": plan.attention, "feedback": plan.feedback}
    return study_of(plan.task, row["source"] == BESIDE, **own)


def answers(trials: pd.DataFrame, attention: bool | None = None) -> pd.DataFrame:
    """Return the rows of people's first answers to each item, without BEGIN and the tutorial.

    ``attention`` is True for attention checks only, False for test items only; both by default.
    """
    mine = in_phase(sat(trials), INSTRUMENT, ANSWER)
    if attention is not None:
        mine = mine[np.array([bool(extra["attention"]) is attention for extra in mine["extra"]], dtype=bool)]
    return mine.drop_duplicates(["sitting", "item"])
