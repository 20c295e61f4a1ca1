"""A person's way through the study of Nie et al. 2020 (§ 3.3): a page of instructions, then problems, type after type.

The database alone holds a sitting: where it stands follows from its stored rows, so that it goes on after any kill. An
answer is a side and how sure one is; it is stored once both are said, and changed by nothing afterwards.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import pandas as pd

from cogkit.bongard.people import instructions, study
from cogkit.bongard.people.study import ANSWER, EACH, INSTRUCTIONS, STUDY, TYPES, Item
from cogkit.bongard.problems.records import SIDES, SUPPORT
from cogkit.core import presets
from cogkit.core.contracts import InputError, Study
from cogkit.study import sitting as studies
from cogkit.study.trials import BEGIN, Trials, pseudonym

FEEDBACK, DONE = "feedback", "done"  # and INSTRUCTIONS and ANSWER: the phases of a sitting
GROUPS = ("First group", "Second group")  # what a person reads for the two sides
LEVELS = {0.5: "a guess", 0.7: "unsure", 0.9: "fairly sure", 1.0: "certain"}  # chance given to being right
QUERIES = 2
INSTRUMENT = "bongard"
_PROMPTS = {
    ANSWER: "Does this picture belong to the first group or to the second? Then say how sure you are.",
    FEEDBACK: "So it was:",
    DONE: "That was the last problem; thank you.",
}


def study_of(each: int = EACH, profile: str = "verified") -> Study:
    """Return the study with another number of problems of each type, or under other rules.

    Parameters
    ----------
    each : int
        1 to 20; the paper's people had 20.
    profile : str
        ``verified`` or ``as_published``: the rules that problems are made by.

    Raises
    ------
    InputError
        Another number, or an unknown profile.

    Examples
    --------
    >>> study_of(2, "as_published").assign(np.random.default_rng(0)).partition("/")[0]
    'as_published'
    """
    profile = presets.profile(profile)
    if isinstance(each, bool) or not isinstance(each, int) or not 1 <= each <= EACH:
        raise InputError(f"each={each!r}", f"a whole number of problems of each type, 1 to {EACH}")

    def assign(rng: np.random.Generator) -> str:
        return f"{profile}/{STUDY.assign(rng).partition('/')[2]}"

    return replace(STUDY, assign=assign, items=partial(study.items, each=each))


@dataclass
class Sitting:
    """One person's sitting; made by `begin`, `resume` or `open`.

    `read` leaves a page of instructions, `choose` and `rate` answer a query, `next` goes on from feedback.

    Attributes
    ----------
    run : study.sitting.Sitting
        What is stored: the order of the problems and where in it the person is.
    pages : set of str
        The types whose page is read.
    given : list of str
        What was answered to the problem in view, ``positive`` or ``negative``, by query.
    right : list of bool
        Of every stored answer, oldest first.
    told : study.Item or None
        The problem that feedback is about.
    chosen : str
        The side chosen for the query in view, not stored before it is rated; "" where there is none.

    Examples
    --------
    >>> import tempfile
    >>> sitting = Sitting.begin(1, seed=0, store=Trials(tempfile.mkdtemp() + "/trials.sqlite"), who="p-1")
    >>> sitting.read(rt_s=60.0)
    >>> sitting.answer(sitting.correct, 0.9), sitting.phase, sitting.query
    (True, 'answer', 1)
    """

    run: studies.Sitting
    pages: set[str] = field(default_factory=set)
    given: list[str] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    told: Item | None = None
    chosen: str = ""
    _rt_s: float | None = None

    @classmethod
    def begin(
        cls, each: int = EACH, seed: int | None = None, store: Trials | None = None, who: str | None = None,
        profile: str = "verified",
    ) -> Sitting:  # fmt: skip
        """Return a new sitting, its beginning stored.

        Parameters
        ----------
        each : int
            Problems of each type.
        seed : int, optional
            Draws the problems and their order; a random one by default, so that people get problems at random.
        store : study.trials.Trials, optional
            Where the rows go; the reader's own database by default.
        who : str, optional
            The reader's own pseudonym by default.
        profile : str
            The rules that problems are made by.
        """
        seed = secrets.randbelow(2**31) if seed is None else seed
        return cls(studies.Sitting.begin(study_of(each, profile), INSTRUMENT, seed, store, who, profile=profile))

    @classmethod
    def resume(cls, sitting: str, store: Trials | None = None) -> Sitting:
        """Return a sitting as it stood after its last stored answer, from the database alone.

        Raises
        ------
        InputError
            No such sitting has begun there, or its answers are not to the problems that its seed draws now.
        """
        store = store or Trials()
        rows = store.begun(sitting, instrument=INSTRUMENT)
        first = rows.iloc[0]
        found = cls(studies.Sitting.resume(study_of(_each(first), first["profile"]), sitting, store))
        for row in rows.iloc[1:].itertuples():
            found._recall(row)
        return found

    @classmethod
    def open(
        cls, each: int = EACH, seed: int | None = None, store: Trials | None = None, who: str | None = None,
        profile: str = "verified",
    ) -> Sitting:  # fmt: skip
        """Return a person's own last sitting of this kind if it is not done, else a new one: for a notebook cell.

        A sitting whose problems cannot be had any more, since the shapes have changed, is left as it is.

        Parameters
        ----------
        each, seed, store, who, profile
            As for `begin`.
        """
        study_of(each, profile)  # refused before anything is opened
        store, who = store or Trials(), who or pseudonym()
        begun = store.frame(instrument=INSTRUMENT, who=who, item=BEGIN, kind="person", profile=profile)
        alike = [row["sitting"] for _, row in begun.iterrows() if _each(row) == each]
        if alike:
            try:
                last = cls.resume(alike[-1], store)
            except InputError:
                return cls.begin(each, seed, store, who, profile)
            if not last.run.finished:
                return last
        return cls.begin(each, seed, store, who, profile)

    @property
    def phase(self) -> str:
        """``instructions``, ``answer``, ``feedback`` or ``done``."""
        if self.told:
            return FEEDBACK
        if self.run.finished:
            return DONE
        return ANSWER if self.run.current.task in self.pages else INSTRUCTIONS

    @property
    def item(self) -> Item:
        """The problem in view, or the next one; `InputError` once all are done."""
        return self.told or self.run.current

    @property
    def query(self) -> int:
        """Which of the two pictures is asked about, 0 or 1."""
        return len(self.given)

    @property
    def correct(self) -> str:
        """The side of the next picture to answer: for a player that is a program."""
        return _side(self.run.current, 0 if self.told else self.query)

    @property
    def each(self) -> int:
        """How many problems of each type there are."""
        return len(self.run.order) // len(TYPES)

    @property
    def step(self) -> str:
        """A name for what is in view; another one as soon as something else is."""
        return f"{self.run.rows}/{self.phase}"

    def read(self, rt_s: float | None = None) -> None:
        """Leave the page of instructions for the problems; that it was read is stored.

        Parameters
        ----------
        rt_s : float, optional
            Seconds on the page.
        """
        self._wants(INSTRUCTIONS)
        task = self.run.current.task
        self.run.record(**study.read(task, rt_s))
        self.pages.add(task)

    def choose(self, side: str, rt_s: float | None = None) -> None:
        """Choose a side for the picture asked about; until it is rated, another may be chosen.

        Parameters
        ----------
        side : str
            ``positive``, the first group, or ``negative``.
        rt_s : float, optional
            Seconds that it took.
        """
        self._wants(ANSWER)
        self.chosen, self._rt_s = presets.choose(side, SIDES, "side"), rt_s

    def rate(self, confidence: float | None) -> bool:
        """Return whether the chosen side is right, once it is stored with how sure one is.

        Parameters
        ----------
        confidence : float or None
            The chance that one gives to being right, 0.5 to 1.

        Raises
        ------
        InputError
            No side is chosen, no such confidence, or an answer that could not be stored: then it stays to be given.
        """
        self._wants(ANSWER)
        if not self.chosen:
            raise InputError("no side", "a side before how sure you are", "choose() one of the two groups first")
        row = study.answered(self.item, self.query, self.chosen, self._rt_s, confidence)
        self.run.record(**row)
        self._count(self.chosen, bool(row["correct"]))
        return bool(row["correct"])

    def answer(self, side: str, confidence: float | None = None, rt_s: float | None = None) -> bool:
        """Return whether a side is right, chosen and rated in one."""
        self.choose(side, rt_s)
        return self.rate(confidence)

    def next(self) -> None:
        """Go on from feedback to the next problem, or to the page of the next type."""
        self._wants(FEEDBACK)
        self.told, self.given = None, []

    def answers(self) -> pd.DataFrame:
        """Return what is stored after the beginning, one trial row each, oldest first: pages read and answers."""
        return self.run.trials.frame(sitting=self.run.id).iloc[1:].reset_index(drop=True)

    def scene(self) -> dict:
        """Return what is in view, in words: nothing of concept, name or side before both answers are stored.

        Returns
        -------
        dict
            ``step``, ``phase``, ``head`` (list of str), ``prompt``; ``query`` and ``chosen`` (a number each, -1 where
            there is none); ``page`` with the instructions, ``told`` with the feedback, None where there is none.
        """
        phase = self.phase
        asking = phase == ANSWER
        return {
            "step": self.step, "phase": phase, "head": self._head(), "prompt": self._prompt(),
            "query": self.query if asking else -1, "chosen": SIDES.index(self.chosen) if self.chosen else -1,
            "page": self._page() if phase == INSTRUCTIONS else None,
            "told": self._feedback() if phase == FEEDBACK else None,
        }  # fmt: skip

    def _head(self) -> list[str]:
        if self.phase == DONE:
            return ["All done", f"{len(self.run.order)} problems"]
        title = instructions.TITLES[self.item.task]
        if self.phase == INSTRUCTIONS:
            return [title, f"Type {list(TYPES).index(self.item.task) + 1} of {len(TYPES)}", "Instructions"]
        done = self.run.position - (self.told is not None)  # problems before the one in view
        before = done - done % self.each  # of other types
        told = self.right[QUERIES * before : QUERIES * self.run.position]  # without the first answer of two
        asked = [] if self.told else [f"Picture {self.query + 1} of {QUERIES}"]
        score = [f"{sum(told)} of {len(told)} right so far"] if told else []
        return [title, f"Problem {done - before + 1} of {self.each}", *asked, *score]

    def _prompt(self) -> str:
        if self.phase == INSTRUCTIONS:
            return study.PROMPT if not self.pages else "Another type of problem; what is asked stays the same."
        return _PROMPTS[self.phase]

    def _page(self) -> dict:
        page = study.page(self.run.current.task, self.run.profile)
        return {
            "title": page.title, "text": list(page.text),
            "glossary": [[name.replace("_", " "), words] for name, words in page.glossary.items()],
            "examples": [list(example.words) for example in page.examples],
        }  # fmt: skip

    def _feedback(self) -> dict:
        words = instructions.worked(self.told.problem, "any").words
        sides = [SIDES.index(_side(self.told, query)) for query in range(QUERIES)]
        given = [SIDES.index(side) for side in self.given]
        return {"sides": sides, "given": given, "words": list(words)}

    def _count(self, side: str, right: bool) -> None:
        """Note a stored answer; after the second one of a problem its feedback is in view."""
        item = self.item
        self.chosen, self._rt_s = "", None
        self.given.append(side)
        self.right.append(right)
        if len(self.given) == QUERIES:
            self.told = item
            if self.run.done:
                self.run.advance()

    def _recall(self, row) -> None:
        """Go through a stored row again."""
        if row.extra["phase"] == INSTRUCTIONS:
            self.pages.add(row.task)
            self.told, self.given = None, []
            return
        if len(self.given) == QUERIES:
            self.told, self.given = None, []
        item = self.run.items[self.run.order[row.extra["position"]]]
        expected = f"{item.problem.name}/{self.query + 1}"
        if row.item != expected:
            fix = "begin a new sitting: it drew its problems from other shapes"
            raise InputError(f"an answer to {row.item}", f"one to {expected}", fix)
        self.given.append(row.response)
        self.right.append(row.correct == 1)
        self.told = item if len(self.given) == QUERIES else None

    def _wants(self, phase: str) -> None:
        if self.phase != phase:
            wanted = {INSTRUCTIONS: "a page of instructions", ANSWER: "a picture to answer", FEEDBACK: "feedback"}[
                phase
            ]
            raise InputError(f"a sitting in its phase {self.phase}", f"{wanted} in view")


def _each(first: pd.Series) -> int:
    """Return how many problems of each type a sitting has, by its first row."""
    return len(first["extra"]["order"]) // len(TYPES)


def _side(item: Item, query: int) -> str:
    """Return the side that a query is from."""
    return SIDES[item.first if query == 0 else 1 - item.first]


def shown(item: Item) -> tuple:
    """Return the pictures of a problem as they are laid out: six, six, and the two asked about in order.

    Examples
    --------
    >>> [len(pictures) for pictures in shown(study.items("verified/0", 1)[0])]
    [6, 6, 2]
    """
    return *item.support, item.queries


def worked(page: instructions.Page) -> list[tuple]:
    """Return the pictures of the examples on a page: of each, six of either group."""
    return [tuple(side[:SUPPORT] for side in example.problem.sides) for example in page.examples]
