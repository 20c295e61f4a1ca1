"""A person's matching-to-sample sitting: training in blocks to mastery, then a test of what was not trained.

Carrillo & Betancort (2024) gave agents the task that people have; the blocks are those of people's studies (Green &
Saunders, 1998; Arntzen, 2012). The database alone holds a sitting, so that it goes on after any kill.
"""

from __future__ import annotations

import itertools
import math
import secrets
from dataclasses import asdict, dataclass, field

import numpy as np
import pandas as pd

from cogkit.core.contracts import InputError
from cogkit.core.seeding import stream
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import OPTIONS, Design, Trials
from cogkit.equivalence.scoring import MASTERY
from cogkit.study.trials import BEGIN, now, pseudonym
from cogkit.study.trials import Trials as Store

TRAINING, TEST, DONE = "training", "test", "done"
SKIP = "skip"  # the item of the row that says: training was left before mastery
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
        return cls(**stored | {"design": Design(**stored["design"])})


@dataclass
class Sitting:
    """One person's way through a plan; made by `begin`, `resume` or `open`.

    Attributes
    ----------
    plan, seed
        What is asked; the seed draws every trial and their order.
    id, who
        Names of the sitting and of the person (a pseudonym).
    phase : {"training", "test", "done"}
    blocks : list of list of bool
        Which answers were right, by block of training; the last block may be unfinished.
    tested : list of bool
        Which answers of the test were right.
    skipped : bool
        Whether training was left before mastery.

    Examples
    --------
    >>> import tempfile
    >>> sitting = Sitting.begin(Plan(), 0, Store(tempfile.mkdtemp() + "/trials.sqlite"), who="p-1")
    >>> sitting.answer(int(sitting.current.correct[0]))
    True
    >>> sitting.phase, sitting.position
    ('training', 1)
    """

    plan: Plan
    seed: int
    store: Store = field(compare=False, repr=False)
    id: str
    who: str
    phase: str = TRAINING
    blocks: list[list[bool]] = field(default_factory=lambda: [[]])
    tested: list[bool] = field(default_factory=list)
    skipped: bool = False
    rows: int = 0

    def __post_init__(self) -> None:
        self.trials = self.plan.block(self.seed, 0)

    @classmethod
    def begin(cls, plan: Plan, seed: int, store: Store | None = None, who: str | None = None) -> Sitting:
        """Return a new sitting, its beginning stored.

        Parameters
        ----------
        plan : Plan
        seed : int
        store : study.trials.Trials, optional
            Where the rows go; the reader's own database by default.
        who : str, optional
            The reader's own pseudonym by default.
        """
        sitting = cls(plan, int(seed), store or Store(), secrets.token_hex(8), who or pseudonym())
        condition = plan.design.condition
        sitting._add(task=condition, item=BEGIN, response=condition, extra={"plan": asdict(plan)})
        return sitting

    @classmethod
    def resume(cls, sitting: str, store: Store | None = None) -> Sitting:
        """Return a sitting as it stood after its last stored answer, from the database alone.

        Raises
        ------
        InputError
            No such sitting has begun there, or its answers are not to the trials that its seed gives now.
        """
        store = store or Store()
        rows = store.begun(sitting, instrument="equivalence")
        first = rows.iloc[0]
        found = cls(Plan.of(first["extra"]["plan"]), int(first["seed"]), store, sitting, first["who"])
        for item, right in rows[["item", "correct"]].iloc[1:].itertuples(index=False):
            if item == SKIP:
                found._go_to_test()
                found.skipped = True
                continue
            if found.phase == DONE or item != found.item:
                raise InputError(
                    f"an answer to {item}", "answers to the trials that the seed draws", "begin a new sitting"
                )
            found._count(right == 1)
        found.rows = len(rows)
        return found

    @classmethod
    def open(cls, plan: Plan, seed: int = 0, store: Store | None = None, who: str | None = None) -> Sitting:
        """Return a person's own last sitting of a plan if it is not done, else a new one, as a notebook cell wants it.

        Parameters
        ----------
        plan, store, who
            As for `begin`.
        seed : int
            Of a new sitting; the next free one where the person has begun with this seed before.
        """
        store, who = store or Store(), who or pseudonym()
        begun = store.frame(instrument="equivalence", who=who, item=BEGIN, kind="person")
        begun = begun[np.array([Plan.of(extra["plan"]) == plan for extra in begun["extra"]], dtype=bool)]
        if len(begun):
            last = cls.resume(begun["sitting"].iloc[-1], store)
            if last.phase != DONE:
                return last
        fresh = next(number for number in itertools.count(seed) if number not in set(begun["seed"]))
        return cls.begin(plan, fresh, store, who)

    @property
    def position(self) -> int:
        """How many trials of this block, or of the test, are answered."""
        return len(self.blocks[-1] if self.phase == TRAINING else self.tested)

    @property
    def current(self) -> Trials:
        """The trial to answer, alone; `InputError` once all are."""
        self._refuse_if_done()
        return self.trials[self.position : self.position + 1]

    @property
    def item(self) -> str:
        """The current trial by the names of its tokens: sample, then comparisons, such as ``A1 B2 B1 B3``."""
        return " ".join(self.plan.design.tokens[token] for token in self.current.tokens[0, :4])

    @property
    def mastered(self) -> bool:
        """Whether a whole block has reached the criterion."""
        return any(len(block) == self.plan.length() and sum(block) >= self.plan.needed() for block in self.blocks)

    def answer(self, place: int, rt_s: float | None = None) -> bool:
        """Return whether an answer to the current trial is right, once it is stored; the next one is current then.

        Parameters
        ----------
        place : int
            Of the comparison chosen, 0 to 2 from the left.
        rt_s : float, optional
            Seconds that it took.

        Raises
        ------
        InputError
            No such place, nothing left to answer, or an answer that could not be stored: then the trial stays.
        """
        if isinstance(place, bool) or not isinstance(place, int | np.integer) or not 0 <= place < OPTIONS:
            raise InputError(repr(place), f"the place of a comparison, 0 to {OPTIONS - 1}")
        trial = self.current
        right = bool(place == trial.correct[0])
        told = trial.frame().iloc[0]
        options = [told[f"comparison_{k + 1}"] for k in range(OPTIONS)]
        extra = {"sample": told["sample"], "options": options, "pair": told["pair"]}
        extra |= {"block": len(self.blocks) - 1} if self.phase == TRAINING else {}
        self._add(
            task=f"{self.plan.design.condition}/{told['type']}", item=self.item, response=f"O_{place + 1}",
            correct=int(right), score=float(right), rt_s=rt_s,
            extra=extra | {"position": self.position, "done": self.position == len(self.trials) - 1},
        )  # fmt: skip
        self._count(right)
        return right

    def skip(self) -> None:
        """Leave training before mastery and go to the test, as one asks for in so many words; it is stored as such."""
        if self.phase != TRAINING:
            raise InputError(f"a sitting in its phase {self.phase}", "one in training", "there is nothing to skip")
        self._add(task=self.plan.design.condition, item=SKIP, response=TEST, extra={"block": len(self.blocks) - 1})
        self.skipped = True
        self._go_to_test()

    def answers(self) -> pd.DataFrame:
        """Return the stored answers, one trial row each, oldest first."""
        rows = self.store.frame(sitting=self.id)
        return rows[~rows["item"].isin([BEGIN, SKIP])].reset_index(drop=True)

    def _count(self, right: bool) -> None:
        """Note an answer; at the end of a block or of the test go on to what follows."""
        (self.blocks[-1] if self.phase == TRAINING else self.tested).append(right)
        if self.position < len(self.trials):
            return
        if self.phase == TEST:
            self.phase = DONE
        elif self.mastered:
            self._go_to_test()
        else:
            self.trials = self.plan.block(self.seed, len(self.blocks))
            self.blocks.append([])

    def _go_to_test(self) -> None:
        self.phase, self.trials = TEST, self.plan.test(self.seed)

    def _refuse_if_done(self) -> None:
        if self.phase == DONE:
            raise InputError(f"sitting {self.id}, done", "a sitting with trials left", "begin a new one")

    def _add(self, **fields) -> None:
        extra = {"phase": self.phase, "design": asdict(self.plan.design)} | fields.pop("extra")
        of_sitting = {
            "sitting": self.id, "order": self.rows, "at": now(), "who": self.who, "kind": "person",
            "instrument": "equivalence", "seed": self.seed, "profile": "verified", "preset": "lab",
            "source": "sitting", "extra": extra,
        }  # fmt: skip
        self.store.add(dict.fromkeys(("correct", "score", "rt_s")) | fields | of_sitting)
        self.rows += 1


def _shuffled(every: Trials, pairs: int, times: int, rng: np.random.Generator) -> Trials:
    """Return ``times`` trials of each of the pairs that ``every`` holds, in every class, in a random order.

    The right comparison goes round the places from cell to cell; what else stands beside it is drawn.
    """
    cells = every.design.classes * pairs
    rows = np.arange(len(every)).reshape(cells, OPTIONS, -1)  # by class and pair, place, wrong comparisons
    k = np.arange(cells * times)
    cell, place = np.tile(rng.permutation(cells), times), (k % cells + k // cells) % OPTIONS
    chosen = rows[cell, place, rng.integers(rows.shape[2], size=len(k))]
    return every[rng.permutation(chosen)]
