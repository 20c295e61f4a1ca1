"""The study: training in blocks to mastery, then a test of what was not trained.

Carrillo & Betancort (2024) gave agents the task that people have; the blocks are those of people's studies (Green &
Saunders, 1998; Arntzen, 2012). `from_trials` reads what people answered, to be judged as a model's answers are.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from cogkit.core import presets
from cogkit.core.contracts import InputError, Practice, Presentation, Study
from cogkit.core.seeding import stream
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import LETTERS, OPTIONS, Design, Trials
from cogkit.equivalence.scoring import MASTERY, Answers
from cogkit.study.sitting import ITEMS, PRACTICE, in_phase

TRAINING, TEST = "training", "test"  # what rows call practice and items
CHOICES = tuple(f"O_{place + 1}" for place in range(OPTIONS))  # the comparisons, from the left
_SMALL = Design(members=3, classes=3, negatives="standard")


@dataclass(frozen=True)
class Plan:
    """What a sitting asks, and how often.

    Attributes
    ----------
    design : Design
        By default three classes of three in a linear series, with wrong comparisons of the right one's letter.
    repeats : int
        Times that every trained pair of every class comes in a block of training.
    each : int
        Times that every pair of every class is tested, the trained ones among them.
    criterion : float
        Share of a block that must be right before the test.

    Raises
    ------
    InputError
        Fewer than one repeat or test, or a criterion that is no share above 0.
    """

    design: Design = _SMALL
    repeats: int = 3
    each: int = 2
    criterion: float = MASTERY

    def __post_init__(self) -> None:
        for name, times in (("repeats", self.repeats), ("each", self.each)):
            if isinstance(times, bool) or not isinstance(times, int) or times < 1:
                raise InputError(f"{name}={times!r}", "a whole number of times, 1 or more")
        if not 0 < self.criterion <= 1:
            raise InputError(f"a criterion of {self.criterion}", "a share above 0 and at most 1")

    def block(self, seed: int, number: int) -> Trials:
        """Return a block of training, shuffled: every trained pair of every class ``repeats`` times.

        The right comparison is equally often in each place, as nearly as the number of trials allows.

        Examples
        --------
        >>> len(Plan().block(seed=0, number=0))
        18
        """
        rng = stream(seed, f"equivalence/block {number}")
        return _shuffled(records.training(self.design), len(self.design.trained), self.repeats, rng)

    def test(self, seed: int) -> Trials:
        """Return the trials of the test, shuffled: every pair of every class ``each`` times, places as in training.

        Examples
        --------
        >>> len(Plan().test(seed=0))
        54
        """
        rng = stream(seed, "equivalence/test")
        return _shuffled(records.tests(self.design), self.design.members**2, self.each, rng)

    def needed(self) -> int:
        """Return how many answers of a block must be right.

        Examples
        --------
        >>> Plan().needed()
        17
        """
        return math.ceil(round(self.criterion * self.length(), 9))  # 0.9 × 20 is 18, not a hair more

    def length(self) -> int:
        """Return how many trials a block of training has."""
        return len(self.design.trained) * self.design.classes * self.repeats

    @classmethod
    def of(cls, stored: dict) -> Plan:
        """Return the plan that a beginning's row tells of."""
        others = {name: value for name, value in stored.items() if name != "design"}
        return cls(Design(**stored["design"]), **others)


def study_of(plan: Plan | None = None) -> Study:
    """Return the study of a plan: blocks of training with feedback until one is mastered, then the test without.

    Examples
    --------
    >>> study = study_of()
    >>> len(study.items("LS/select-reject/standard", 0)), study.practice.needed
    (54, 17)
    """
    plan = plan or Plan()
    design = plan.design

    def of(row) -> Study | None:
        return study if Plan.of(row["extra"]["plan"]) == plan else None

    study = Study(
        "equivalence", lambda seed: design.condition, lambda condition, seed: _singly(plan.test(seed)), answered,
        practice=Practice(lambda condition, seed, k: _singly(plan.block(seed, k)), plan.needed(), skip=True),
        feedback=(PRACTICE,), phases={PRACTICE: TRAINING, ITEMS: TEST}, plan=asdict(plan),
        extra={"phase": TRAINING, "design": asdict(design)}, of=of,
    )  # fmt: skip
    return study


def answered(shown: Presentation, choice: str) -> dict:
    """Return what is stored of a choice, one of `CHOICES`.

    Examples
    --------
    >>> trial = Plan().test(seed=0)[:1]
    >>> row = answered(Presentation("items", "LS", trial, "LS/00", 0, 54), CHOICES[int(trial.correct[0])])
    >>> row["correct"], len(row["item"].split(" "))
    (1, 4)
    """
    trial = shown.item.frame().iloc[0]
    options = [trial[f"comparison_{place + 1}"] for place in range(OPTIONS)]
    correct = int(presets.choose(choice, CHOICES, "comparison") == trial.response)
    # "done" is the last answer of a block or of the test.
    extra = {"sample": trial["sample"], "options": options, "pair": trial["pair"], "position": shown.position}
    extra |= {"done": shown.position == shown.of - 1} | ({"block": shown.attempt} if shown.phase == PRACTICE else {})
    return {
        "task": f"{shown.condition}/{trial['type']}", "item": " ".join([trial["sample"], *options]),
        "response": choice, "correct": correct, "score": float(correct), "extra": extra,
    }  # fmt: skip


def from_trials(trials: pd.DataFrame) -> list[Answers]:
    """Return what each person answered in a test that they finished, one `Answers` a sitting, oldest first.

    Parameters
    ----------
    trials : DataFrame
        Trial rows (`contracts.TRIAL_COLUMNS`), in the order they were made. What was shown is read from the rows
        themselves. Training is left out; so are tests that are not finished.

    Returns
    -------
    list of Answers
        Of the rule ``forced choice``: a person cannot answer with what is no option.

    Examples
    --------
    >>> from cogkit.core.contracts import TRIAL_COLUMNS
    >>> from_trials(pd.DataFrame(columns=TRIAL_COLUMNS))
    []
    """
    test_rows = in_phase(trials, "equivalence", TEST)
    return [_answers(rows) for _, rows in test_rows.groupby("sitting", sort=False) if rows["extra"].iloc[-1]["done"]]


def _answers(rows: pd.DataFrame) -> Answers:
    """Return the answers of one sitting's test."""
    start = rows.iloc[0]
    design = Design(**start["extra"]["design"])
    number = {name: token for token, name in enumerate(design.tokens)}
    tokens_seen = np.array([[number[name] for name in item.split(" ")] for item in rows["item"]])
    places = np.array([number[name] for name in rows["response"]]) - number["O_1"]
    # The right comparison alone is of the sample's class.
    correct = (tokens_seen[:, 1:] // design.members == tokens_seen[:, :1] // design.members).argmax(axis=1)
    letters = [[LETTERS.index(letter) for letter in extra["pair"]] for extra in rows["extra"]]
    pair = np.array(letters) @ [design.members, 1]
    tokens = np.column_stack([tokens_seen, correct + number["O_1"]]).astype(design.dtype)
    scores = (places == correct).astype(np.float32)
    return Answers(
        who=start["who"], kind="person", inputs="symbols", task=design.condition, profile=start["profile"],
        seed=int(start["seed"]), trials=Trials(design, tokens, pair.astype(np.int16)),
        given={"forced choice": places.astype(np.uint8)}, right=scores, other=np.zeros_like(scores), speaks=False,
    )  # fmt: skip


def _singly(trials: Trials) -> list[Trials]:
    return [trials[k : k + 1] for k in range(len(trials))]


def _shuffled(every: Trials, pairs: int, times: int, rng: np.random.Generator) -> Trials:
    """Return ``times`` trials of each of the pairs that ``every`` holds, in every class, in a random order.

    The right comparison goes round the places from cell to cell; what else stands beside it is drawn.
    """
    cells = every.design.classes * pairs
    rows = np.arange(len(every)).reshape(cells, OPTIONS, -1)  # by class and pair, place, wrong comparisons
    k = np.arange(cells * times)
    cell, place = np.tile(rng.permutation(cells), times), (k % cells + k // cells) % OPTIONS
    numbers = rows[cell, place, rng.integers(rows.shape[2], size=len(k))]
    return every[rng.permutation(numbers)]
