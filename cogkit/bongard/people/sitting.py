"""A person's sitting of the study of Nie et al. 2020 (§ 3.3), and its current view in words.

An answer is a side and a confidence. It is stored when both are given, and does not change afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass

from cogkit.bongard.people import instructions
from cogkit.bongard.people.study import ANSWER, TYPES, Item
from cogkit.bongard.problems.records import SIDES, SUPPORT
from cogkit.core import presets
from cogkit.core.study import Page
from cogkit.study import sitting as studies
from cogkit.study.sitting import DONE, FEEDBACK, INSTRUCTIONS, ITEMS

GROUPS = ("First group", "Second group")  # the names of the two sides for a person
LEVELS = {0.5: "a guess", 0.7: "unsure", 0.9: "fairly sure", 1.0: "certain"}  # the person's probability of being right
QUERIES = 2


@dataclass
class Sitting(studies.Sitting):
    """One person's sitting of `study.study_of`.

    `next` leaves a page of instructions or feedback, `choose` and `rate` answer a query. ``chosen`` is the side chosen
    for the current query, not stored before it is rated; "" if none is chosen.

    Examples
    --------
    >>> import tempfile
    >>> from cogkit.bongard.people import study
    >>> from cogkit.study.trials import Trials
    >>> sitting = Sitting.begin(study.study_of(1), 0, Trials(tempfile.mkdtemp() + "/trials.sqlite"), who="p-1")
    >>> sitting.next(rt_s=60.0)
    >>> sitting.answer(sitting.correct, confidence=0.9), sitting.phase, sitting.query
    (True, 'answer', 1)
    """

    chosen: str = ""
    _rt_s: float | None = None

    @property
    def query(self) -> int:
        """The picture that is asked about, 0 or 1."""
        return len(self.responses)

    @property
    def correct(self) -> str:
        """The side of the next picture to answer, for a program that plays."""
        return _side(self.presentation.item, self.query)

    @property
    def each(self) -> int:
        """The number of problems of each type."""
        return len(self.order) // len(TYPES)

    def choose(self, side: str, rt_s: float | None = None) -> None:
        """Choose a side for the current picture; until it is rated this can change.

        ``positive`` is the first group.
        """
        self._wants(ITEMS)
        self.chosen, self._rt_s = presets.choose(side, SIDES, "side"), rt_s

    def rate(self, confidence: float | None) -> bool:
        """Store the chosen side with a confidence, and return whether the side is right.

        ``confidence`` is the person's probability of being right, 0.5 to 1. Raises `InputError` if no side is chosen,
        the confidence is not allowed, or the answer could not be stored; it can then be given again.
        """
        self._wants(ITEMS)
        right = self.answer(presets.choose(self.chosen, SIDES, "side that is chosen first"), self._rt_s, confidence)
        self.chosen, self._rt_s = "", None
        return right

    def scene(self) -> dict:
        """Return the current view in words. It gives no concept, name or side before both answers are stored.

        Keys: ``step``, ``phase``, ``head`` (list of str), ``prompt``; ``query`` and ``chosen`` (a number each, -1 where
        there is none); ``page`` with the instructions, ``told`` with the feedback, None where there is none.
        """
        phase = self.phase
        return {
            "step": self.step, "phase": phase, "head": self._head(), "prompt": self._prompt(),
            "query": self.query if phase == ANSWER else -1, "chosen": SIDES.index(self.chosen) if self.chosen else -1,
            "page": told_of(self.page) if phase == INSTRUCTIONS else None,
            "told": self._feedback() if phase == FEEDBACK else None,
        }  # fmt: skip

    def _head(self) -> list[str]:
        if self.phase == DONE:
            return ["All done", f"{len(self.order)} problems"]
        title = instructions.TITLES[self.item.task]
        if self.phase == INSTRUCTIONS:
            return [title, f"Type {list(TYPES).index(self.item.task) + 1} of {len(TYPES)}", "Instructions"]
        done = self.position - self.pending  # problems before the current one
        before = done - done % self.each  # those of other types
        right = self.right[QUERIES * before : QUERIES * self.position]  # without the first of two answers
        picture = [] if self.pending else [f"Picture {self.query + 1} of {QUERIES}"]
        score = [f"{sum(right)} of {len(right)} right so far"] if right else []
        return [title, f"Problem {done - before + 1} of {self.each}", *picture, *score]

    def _prompt(self) -> str:
        if self.phase == INSTRUCTIONS:
            return self.study.prompt if not self.pages else "Another type of problem; what is asked stays the same."
        return instructions.PROMPTS[self.phase]

    def _feedback(self) -> dict:
        words = instructions.worked(self.item.problem, "any").words
        sides = [SIDES.index(_side(self.item, query)) for query in range(QUERIES)]
        return {"sides": sides, "given": [SIDES.index(side) for side in self.feedback.responses], "words": list(words)}


def told_of(page: Page) -> dict:
    """Return what a page of instructions says: title, text, glossary, and the words of its examples."""
    return {
        "title": page.title, "text": list(page.text),
        "glossary": [[name.replace("_", " "), words] for name, words in page.glossary.items()],
        "examples": [list(example.words) for example in page.examples],
    }  # fmt: skip


def _side(item: Item, query: int) -> str:
    """Return the side of a query."""
    return SIDES[item.first if query == 0 else 1 - item.first]


def pictures_of(item: Item) -> tuple:
    """Return the pictures of a problem in their layout: six, six, and the two queries in order.

    Examples
    --------
    >>> from cogkit.bongard.people import study
    >>> [len(pictures) for pictures in pictures_of(study.items("verified/0", 1)[0])]
    [6, 6, 2]
    """
    return *item.support, item.queries


def worked(page: Page) -> list[tuple]:
    """Return the pictures of the examples on a page: six of each group for each example."""
    return [tuple(side[:SUPPORT] for side in example.problem.sides) for example in page.examples]
