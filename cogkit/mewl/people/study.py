"""The study of people of Jiang et al. 2023 (§ 5.2): one task each, a tutorial, ten test items and two attention checks.

What a person does is stored as trial rows; `read` and `answered` make them, so that whoever runs a sitting stores the
same, and `people` reads them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd

from cogkit.core import presets, seeding
from cogkit.core.contracts import InputError, Study
from cogkit.mewl.problems import making
from cogkit.mewl.problems.drafts import shuffled
from cogkit.mewl.problems.episodes import OPTIONS, SIZES, TASKS, Asked, Episode
from cogkit.mewl.problems.tasks import module
from cogkit.mewl.world.words import PARTS
from cogkit.study.trials import BEGIN

INSTRUMENT = "mewl"
TESTS, CHECKS = 10, 2  # items of a sitting: of the test part, and attention checks among them
POOL = SIZES["test"]  # episodes of the test part that they are drawn from
TRIES = 2  # at the check of the tutorial
TUTORIAL, CHECK, ANSWER = "tutorial", "check", "answer"  # phases of a sitting, as ``extra`` of its rows tells them
SAME = "same"  # ends the name of an item whose query is one of its six pictures
CONFIDENCE = (1 / OPTIONS, 1.0)  # from a guess to certain
REASONS = ("tutorial failed", "not finished", "attention failed")
_DRAWS = 2**31

PROMPT = (
    "You learn words of a language that nobody speaks. Six pictures have a name each, written under them. Work out "
    "what the words mean, then choose the one of five names that fits a seventh picture."
)


@dataclass(frozen=True)
class Plan:
    """What a sitting asks.

    Attributes
    ----------
    task : str
        One of `episodes.TASKS`: a person has one.
    draw : int
        Draws the items.
    profile : str
        The rules that episodes are made by.
    tests, attention : int
        How many items, and how many attention checks.
    feedback : bool
        Whether each answer is told to be right or wrong. As in the study, by default, only the tutorial tells.

    Raises
    ------
    InputError
        An unknown task or profile, or another number than the test part has.

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
        for name, least, most in (("draw", 0, _DRAWS - 1), ("tests", 1, 100), ("attention", 0, 100)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise InputError(f"{name}={value!r}", f"a whole number, {least} to {most}")

    @property
    def condition(self) -> str:
        """The plan in one word, as trial rows tell it."""
        told = f"{self.profile}/{self.task}/{self.draw}/{self.tests}+{self.attention}"
        return told + "/feedback" * self.feedback

    @classmethod
    def of(cls, condition: str) -> Plan:
        """Return the plan that a condition tells."""
        parts = str(condition).split("/")
        numbers = [parts[2], *parts[3].split("+")] if len(parts) in (4, 5) else []
        if len(numbers) != 3 or not all(each.isascii() and each.isdigit() for each in numbers):
            raise InputError(repr(condition), "a condition such as 'verified/shape/7/10+2'")
        plan = cls(parts[1], int(numbers[0]), parts[0], int(numbers[1]), int(numbers[2]), len(parts) == 5)
        if plan.condition != condition:
            raise InputError(repr(condition), f"a condition such as {plan.condition!r}")
        return plan


@dataclass(frozen=True)
class Item:
    """One question as a person gets it.

    Attributes
    ----------
    name : str
        Profile, part, task and number of its episode; ``same`` at the end of an attention check's.
    episode : Episode
        What is asked, and what is right.
    """

    name: str
    episode: Episode

    @property
    def asked(self) -> Asked:
        """What a person may know."""
        return self.episode.asked

    @property
    def attention(self) -> bool:
        """Whether the query is one of the six pictures."""
        return self.name.endswith(f"/{SAME}")


@lru_cache(maxsize=1024)
def item(name: str) -> Item:
    """Return an item by its name.

    Raises
    ------
    InputError
        No such name.

    Examples
    --------
    >>> item("verified/test/number/0003").asked.task, item("verified/test/number/0003/same").attention
    ('number', True)
    """
    profile, part, task, number, *same = name.split("/") if name.count("/") in (3, 4) else [""] * 4
    known = profile in presets.PROFILES and part in PARTS and task in TASKS and same in ([], [SAME])
    if not known or not (number.isascii() and number.isdigit() and len(number) == 4 and int(number) < POOL):
        raise InputError(repr(name), "the name of an item, such as 'verified/test/shape/0007'")
    episode = making.episode(task, int(number), profile, part=part)
    return Item(name, attended(episode, seeding.stream(0, f"mewl/{name}")) if same else episode)


def attended(episode: Episode, rng: np.random.Generator) -> Episode:
    """Return an attention check made of an episode: its query is one of the six pictures, whose name is right.

    The other options are names of the other five pictures, and then the episode's own options, such that the task's
    exact solver finds none of them to be right; so who recognises the picture has but to read what is written there.

    Notes
    -----
    Differs from the paper, or may: it does not say what the other options of its checks were.

    Examples
    --------
    >>> check = attended(making.episode("object", 0), np.random.default_rng(0))
    >>> [panel.utterance for panel in check.asked.panels if panel.scene == check.asked.query] == [
    ...     check.asked.options[check.answer]]
    True
    """
    asked = episode.asked
    for panel in shuffled(asked.panels, rng):
        others = shuffled([each.utterance for each in asked.panels], rng) + shuffled(asked.options, rng)
        others = [text for text in dict.fromkeys(others) if text != panel.utterance]
        fits = module(asked.task).solve(replace(asked, query=panel.scene, options=tuple(others)))[1]
        wrong = [text for text, fit in zip(others, fits, strict=True) if not fit][: OPTIONS - 1]
        if len(wrong) == OPTIONS - 1:
            options = tuple(shuffled([panel.utterance, *wrong], rng))
            check, answer = replace(asked, query=panel.scene, options=options), options.index(panel.utterance)
            return replace(episode, asked=check, answer=answer, certificate=making.certificate(check, answer))
    raise InputError(f"{asked.task} episode {episode.number}", "an episode with a picture that four options do not fit")


def assign(rng: np.random.Generator) -> str:
    """Return a condition: a task, each as likely, and which of its items."""
    return Plan(TASKS[rng.integers(len(TASKS))], int(rng.integers(_DRAWS))).condition


@lru_cache(maxsize=8)
def items(condition: str) -> tuple[Item, ...]:
    """Return the items of a condition: those of the test part first, then the attention checks, no episode twice.

    Raises
    ------
    InputError
        No such condition.
    """
    plan = Plan.of(condition)
    rng = seeding.stream(plan.draw, f"mewl/study/{plan.task}")
    drawn = rng.choice(POOL, plan.tests + plan.attention, replace=False)
    names = [f"{plan.profile}/test/{plan.task}/{number:04d}" for number in drawn]
    return tuple(item(name + f"/{SAME}" * (k >= plan.tests)) for k, name in enumerate(names))


def order(rng: np.random.Generator, n: int) -> list[int]:
    """Return a random order of n items."""
    return rng.permutation(n).tolist()


def failures(trials: pd.DataFrame) -> dict[str, str]:
    """Return why sittings are not to be counted, by sitting: one of `REASONS`, the first that is so.

    Parameters
    ----------
    trials : DataFrame
        Trial rows (`contracts.TRIAL_COLUMNS`), in the order they were made.
    """
    found = {}
    mine = trials[(trials["instrument"] == INSTRUMENT) & (trials["kind"] == "person")]
    for sitting, rows in mine.groupby("sitting", sort=False):
        phases = np.array([extra.get("phase", "") for extra in rows["extra"]], dtype=object)
        checked, answers = rows[phases == CHECK], rows[phases == ANSWER]
        attention = np.array([bool(extra.get("attention")) for extra in answers["extra"]], dtype=bool)
        so = (
            len(checked) >= TRIES and not checked["correct"].any(),
            answers.empty or answers["item"].nunique() < answers["extra"].iloc[0]["of"],
            not answers["correct"][attention].all(),
        )
        if any(so):
            found[sitting] = REASONS[so.index(True)]
    return found


def exclude(trials: pd.DataFrame) -> pd.Series:
    """Return which rows are of a sitting that is not to be counted; outliers are found among all, by `people.log`."""
    return trials["sitting"].isin(list(failures(trials)))


STUDY = Study(prompt=PROMPT, assign=assign, items=items, order=order, exclude=exclude)
"""Differs from the paper, or may: it does not say how its tutorial was failed (1 of 271 people did). Here its last step
is a check, easy to who has understood what is asked, and two wrong answers to it are a failure."""


def read(task: str, step: int, rt_s: float | None = None) -> dict:
    """Return what is stored when somebody has read a page of the tutorial: fields for `sitting.Sitting.record`.

    Parameters
    ----------
    task : str
        One of `episodes.TASKS`.
    step : int
        Which page, from 0.
    rt_s : float, optional
        Seconds on it.
    """
    presets.choose(task, TASKS, "task")
    told = {"task": task, "item": f"{TUTORIAL}/{task}/{step}", "response": "read", "rt_s": rt_s}
    return told | {"done": False, "extra": {"phase": TUTORIAL}}


def answered(
    item: Item, option: int, of: int, phase: str = ANSWER, rt_s: float | None = None, confidence: float | None = None
) -> dict:
    """Return what is stored of an answer: the fields for `sitting.Sitting.record`.

    Parameters
    ----------
    item : Item
    option : int
        Which of its five, 0 to 4.
    of : int
        How many items the sitting has, so that its rows say whether it is whole.
    phase : str
        ``answer``, or ``check`` in the tutorial, which leaves more to do.
    rt_s : float, optional
        Seconds that it took.
    confidence : float, optional
        0.2 to 1: the chance that the person gives to being right.

    Raises
    ------
    InputError
        No such option, phase or confidence.

    Examples
    --------
    >>> asked = items("verified/number/0/1+0")[0]
    >>> row = answered(asked, asked.episode.answer, 1)
    >>> row["correct"], row["response"] == asked.asked.options[asked.episode.answer]
    (1, True)
    """
    presets.choose(phase, (ANSWER, CHECK), "phase")
    if isinstance(option, bool) or not isinstance(option, int | np.integer) or not 0 <= option < OPTIONS:
        raise InputError(f"option {option!r}", f"one of the five, 0 to {OPTIONS - 1}")
    if confidence is not None and not CONFIDENCE[0] <= confidence <= CONFIDENCE[1]:
        raise InputError(f"a confidence of {confidence!r}", "0.2 (a guess) to 1 (certain)")
    right, options = int(option == item.episode.answer), list(item.asked.options)
    extra = {"phase": phase, "attention": item.attention, "options": options, "choice": int(option), "of": int(of)}
    return {
        "done": phase == ANSWER, "task": item.asked.task, "item": item.name, "response": options[option],
        "correct": right, "score": float(right), "rt_s": rt_s, "extra": extra | {"confidence": confidence},
    }  # fmt: skip


def answers(trials: pd.DataFrame, attention: bool | None = None) -> pd.DataFrame:
    """Return the rows in which people answered an item of the test, the first of each; BEGIN and tutorial left out.

    Parameters
    ----------
    trials : DataFrame
        As for `failures`.
    attention : bool, optional
        Only attention checks, or only the others; both by default.
    """
    mine = trials[(trials["instrument"] == INSTRUMENT) & (trials["kind"] == "person") & (trials["item"] != BEGIN)]
    mine = mine[np.array([extra.get("phase") == ANSWER for extra in mine["extra"]], dtype=bool)]
    if attention is not None:
        mine = mine[np.array([bool(extra["attention"]) is attention for extra in mine["extra"]], dtype=bool)]
    return mine.drop_duplicates(["sitting", "item"])
