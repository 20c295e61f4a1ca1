"""The study: training in blocks up to mastery, then a test with untrained pairs too.

Carrillo & Betancort (2024) gave agents the task that people have; the blocks are those of people's studies (Green &
Saunders, 1998; Arntzen, 2012). `from_trials` reads people's answers, for the same scores as a model's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from cogkit.core import presets
from cogkit.core.errors import InputError
from cogkit.core.seeding import stream
from cogkit.core.study import Practice, Presentation, Sat, Study, Wording
from cogkit.data import results
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.names import names as names_of
from cogkit.equivalence.problems.records import LETTERS, OPTIONS, RELATIONS, STRUCTURES, Design, Trials
from cogkit.equivalence.scoring import MASTERY, Answers, result_rows
from cogkit.study.sitting import ITEMS, PRACTICE, in_phase

TRAINING, TEST = "training", "test"  # names of practice and items in rows
CHOICES = tuple(f"O_{place + 1}" for place in range(OPTIONS))  # the comparisons, from the left
PROMPT = (
    "Each trial shows a sample and three comparisons. Choose the comparison that goes with the sample. In training you "
    "are told whether it was right; in the test you are not."
)
_SMALL = (Design(*pair, "standard", members=3, classes=3) for pair in product(STRUCTURES, RELATIONS))
DESIGNS = {design.condition: design for design in _SMALL}
"""What people learn, by condition: few and small classes, and standard negatives."""


@dataclass(frozen=True)
class Plan:
    """The content of a sitting.

    Attributes
    ----------
    design : Design
        By default three classes of three in a linear series; wrong comparisons have the letter of the right one.
    repeats : int
        Trials for every trained pair of every class in a block of training.
    each : int
        Test trials for every pair of every class, including trained ones.
    criterion : float
        Share of right answers in a block that leads to the test.

    Raises
    ------
    InputError
        There is less than one repeat or test, or the criterion is not a share above 0.
    """

    design: Design = DESIGNS["LS/select-reject/standard"]
    repeats: int = 3
    each: int = 2
    criterion: float = MASTERY

    def __post_init__(self) -> None:
        counts = all(isinstance(times, int) and times >= 1 for times in (self.repeats, self.each))
        if not (counts and 0 < self.criterion <= 1):
            got = f"repeats={self.repeats!r}, each={self.each!r}, criterion={self.criterion!r}"
            raise InputError(got, "repeats and each of 1 or more, and a criterion above 0 and at most 1")

    def block(self, seed: int, number: int) -> Trials:
        """Return a block of training, shuffled: every trained pair of every class ``repeats`` times.

        The right comparison is equally often in each place, as far as the number of trials allows.

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
        """Return the necessary number of right answers in a block.

        Examples
        --------
        >>> Plan().needed()
        17
        """
        return math.ceil(round(self.criterion * self.length(), 9))  # 0.9 × 20 must be exactly 18

    def length(self) -> int:
        """Return the number of trials in a block of training."""
        return len(self.design.trained) * self.design.classes * self.repeats

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Plan:
        """Return the plan of a sitting, from its stored first row."""
        stored = row["extra"]["plan"]
        return cls(**stored | {"design": Design(**stored["design"])})


def study_of(plan: Plan | None = None) -> Study:
    """Return the study of a plan: blocks of training with feedback up to mastery, then the test without feedback.

    Examples
    --------
    >>> study = study_of()
    >>> len(study.items("LS/select-reject/standard", 0)), study.practice.needed
    (54, 17)
    """
    plan = plan or Plan()
    design = plan.design
    study = Study(
        "equivalence", lambda seed: design.condition, lambda condition, seed: _singly(plan.test(seed)), answered,
        prompt=PROMPT,
        practice=Practice(lambda condition, seed, k: _singly(plan.block(seed, k)), plan.needed(), skip=True),
        feedback=(PRACTICE,), phases={PRACTICE: TRAINING, ITEMS: TEST}, plan=asdict(plan),
        extra={"phase": TRAINING, "design": asdict(design)}, of=lambda row: study if Plan.of(row) == plan else None,
        wording=worded,
    )  # fmt: skip
    return study


def answered(presentation: Presentation, choice: str) -> dict:
    """Return the stored fields of a choice, one of `CHOICES`.

    Examples
    --------
    >>> trial = Plan().test(seed=0)[:1]
    >>> row = answered(Presentation("items", "LS", trial, "LS/00", 0, 54), CHOICES[int(trial.correct[0])])
    >>> row["correct"], len(row["item"].split(" "))
    (1, 4)
    """
    trial = presentation.item.frame().iloc[0]
    options = [trial[f"comparison_{place + 1}"] for place in range(OPTIONS)]
    correct = int(presets.choose(choice, CHOICES, "comparison") == trial.response)
    # "done" is the last answer of a block or of the test.
    extra = {"sample": trial["sample"], "options": options, "pair": trial["pair"], "position": presentation.position}
    extra |= {"done": presentation.position == presentation.of - 1}
    extra |= {"block": presentation.attempt} if presentation.phase == PRACTICE else {}
    return {
        "task": f"{presentation.condition}/{trial['type']}", "item": " ".join([trial["sample"], *options]),
        "response": choice, "correct": correct, "score": float(correct), "extra": extra,
    }  # fmt: skip


def worded(presentation: Presentation) -> Wording:
    """Return a choice in words: a made-up name, the same in all sittings, stands for each shape.

    Examples
    --------
    >>> trial = Plan().test(seed=0)[:1]
    >>> said = worded(Presentation("items", "LS", trial, "LS/00", 0, 54, responses=(CHOICES[2],)))
    >>> len(said.options), said.choice, said.text.startswith("Sample: ")
    (3, 2, True)
    """
    question = presentation.item.question()
    names = names_of(presentation.item.design)
    options = tuple(names[token] for token in question.comparisons[0])
    choice, right = CHOICES.index(presentation.responses[-1]), int(presentation.item.correct[0])
    feedback = "Right." if choice == right else f"Wrong: {options[right]} is right."
    text = f"Sample: {names[question.sample[0]]}. Comparisons: {', '.join(options)}. You choose"
    return Wording(text, options, choice, feedback if presentation.phase == PRACTICE else "")


def sitting(task: str, *, profile: str = "verified", seed: int = 0) -> Sat:
    """Return the trials of a person's test in a condition; see `extras.models.interview.Interview`.

    People learn few small classes, so the task that a learner gets is their design.

    Examples
    --------
    >>> sat = sitting("OTM/select-only/standard", seed=4)
    >>> len(sat.items), sat.task.classes, sat.task.members
    (54, 3, 3)
    """
    presets.profile(profile)
    plan = Plan(DESIGNS[presets.choose(task, DESIGNS, "condition that people sit")])
    trials = plan.test(seed)
    return Sat(plan.design, trials, trials)


def from_trials(trials: pd.DataFrame) -> list[Answers]:
    """Return people's answers in finished tests, one `Answers` for each sitting, oldest first.

    ``trials`` are in the order they were made. The stimuli are read from the rows. Training and unfinished tests are
    left out. Answers are under the rule ``forced choice``, because a person always chooses an option.

    Examples
    --------
    >>> from cogkit.core.records import TRIAL_COLUMNS
    >>> from_trials(pd.DataFrame(columns=TRIAL_COLUMNS))
    []
    """
    test_rows = in_phase(trials, "equivalence", TEST)
    return [_answers(rows) for _, rows in test_rows.groupby("sitting", sort=False) if rows["extra"].iloc[-1]["done"]]


def rows(trials: pd.DataFrame) -> pd.DataFrame:
    """Return result rows of every finished test in trial rows, under the name of the person.

    Examples
    --------
    >>> from cogkit.core.records import TRIAL_COLUMNS
    >>> rows(pd.DataFrame(columns=list(TRIAL_COLUMNS))).empty
    True
    """
    records = [row | {"profile": answers.profile} for answers in from_trials(trials) for row in result_rows(answers)]
    return results.table(records, cell="equivalence/person", instrument="equivalence", preset="lab", seed=0)


def _answers(rows: pd.DataFrame) -> Answers:
    """Return the answers of one sitting's test."""
    row = rows.iloc[0]
    design = Design(**row["extra"]["design"])
    number = {name: token for token, name in enumerate(design.tokens)}
    questions = np.array([[number[name] for name in item.split(" ")] for item in rows["item"]])
    places = np.array([number[name] for name in rows["response"]]) - number["O_1"]
    # Only the right comparison belongs to the sample's class.
    correct = (questions[:, 1:] // design.members == questions[:, :1] // design.members).argmax(axis=1)
    letters = [[LETTERS.index(letter) for letter in extra["pair"]] for extra in rows["extra"]]
    pair = np.array(letters) @ [design.members, 1]
    tokens = np.column_stack([questions, correct + number["O_1"]]).astype(design.dtype)
    scores = (places == correct).astype(np.float32)
    return Answers(
        who=row["who"], kind="person", inputs="symbols", task=design.condition, profile=row["profile"],
        seed=int(row["seed"]), items=Trials(design, tokens, pair.astype(np.int16)),
        choices={"forced choice": places.astype(np.uint8)}, right=scores, other=np.zeros_like(scores), speaks=False,
    )  # fmt: skip


def _singly(trials: Trials) -> list[Trials]:
    return [trials[k : k + 1] for k in range(len(trials))]


def _shuffled(every: Trials, pairs: int, times: int, rng: np.random.Generator) -> Trials:
    """Return ``times`` trials for each pair in ``every`` and each class, in a random order.

    The place of the right comparison changes in turn from cell to cell; the other comparisons are random.
    """
    cells = every.design.classes * pairs
    rows = np.arange(len(every)).reshape(cells, OPTIONS, -1)  # by class and pair, place, wrong comparisons
    k = np.arange(cells * times)
    cell, place = np.tile(rng.permutation(cells), times), (k % cells + k // cells) % OPTIONS
    numbers = rows[cell, place, rng.integers(rows.shape[2], size=len(k))]
    return every[rng.permutation(numbers)]
