"""A language model on problems, whose twelve pictures it reads as programs or sees (Nie et al. 2020, § 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cogkit.bongard import scoring
from cogkit.bongard.problems.records import SIDES, SUPPORT, Items, Question
from cogkit.bongard.problems.text import STROKES, program
from cogkit.data import png
from cogkit.extras.models.lm.cache import Participant
from cogkit.extras.models.lm.learner import PromptedLearner
from cogkit.extras.models.lm.prompts import CUE, LABELS, Prompt, closing, fingerprint, rotation
from cogkit.extras.models.lm.replies import Reply

SIZE = 512  # pixels a side of a picture, as published
_CONCEPTS = (
    "Six pictures have a concept, and six do not have it. The concept is of one of three kinds. It may be a drawing, "
    "with the type of each stroke: a picture without the concept has one stroke changed. It may be one shape or two, "
    "whatever the types of their strokes: a picture without the concept has another shape in place of one. Or it may "
    "be one attribute of a shape or two, whatever the types of its strokes: a picture without the concept lacks one of "
    "them. Place, size and rotation of a shape never matter."
)
_TITLES = ("with the concept", "without the concept")  # of each side
_SETS = ("set A", "set B")  # as options
_LAST = len(SIDES) * SUPPORT + 1  # number of the picture to tell the set of


@dataclass(frozen=True)
class Sets:
    """The beginning of a prompt: two sets of six pictures.

    Attributes
    ----------
    text : str
    order : tuple of int
        The side that is set A, then the other; 0 has the concept.
    views : tuple of str or bytes
        The program or the PNG file of each picture, in the order of the text.
    item : str
        The hash of the twelve pictures.
    """

    text: str
    order: tuple[int, ...]
    views: tuple[str | bytes, ...]
    item: str


class Looking(PromptedLearner):
    """A language model that is asked about two sets of pictures.

    The prompt tells which set has the concept, as people and networks know it. Whether that is set A or set B depends
    on the twelve pictures and the seed. All questions about the same pictures begin alike.

    Parameters
    ----------
    participant, how, seed
        As for `lm.learner.PromptedLearner`.
    task : str
        What result rows call the problems.
    pictures : bool
        Whether it sees the pictures, in place of their programs.
    """

    size = SIZE

    def __init__(
        self, participant: Participant, task: str = "", how: str = "text", pictures: bool = False, seed: int = 0
    ) -> None:
        super().__init__(participant, how, seed, pictures)
        self.task, self.inputs = task, "pixels" if pictures else "programs"

    def sets(self, support: np.ndarray) -> Sets:
        """Return the beginning of a prompt, from the support of one question, (2, 6, ...)."""
        views = [[self.view(picture) for picture in side] for side in support]
        item = fingerprint(*views[0], *views[1])
        order = tuple(rotation(item, len(SIDES), self.seed).tolist())
        blocks, numbers = [STROKES[self.inputs], _CONCEPTS], iter(range(1, _LAST))
        for place, side in enumerate(order):
            lines = [self.line(next(numbers), view) for view in views[side]]
            blocks.append("\n".join([f"Set {LABELS[place]}, pictures {_TITLES[side]}:", *lines]))
        return Sets("\n\n".join(blocks), order, tuple(view for side in order for view in views[side]), item)

    def view(self, picture) -> str | bytes:
        """Return what a prompt holds of a picture: its program, or a PNG file."""
        return png.pack(picture) if self.inputs == "pixels" else program(picture)

    def line(self, number: int, view: str | bytes) -> str:
        """Return the line of a picture in the text."""
        return f"[picture {number}]" if isinstance(view, bytes) else f"{number}. {view}"

    def prompt(self, sets: Sets, question: str, options: Sequence[str], view: str | bytes | None = None) -> Prompt:
        """Return a prompt: the two sets, a question and perhaps one more picture; options have letters in the text."""
        views = sets.views if view is None else (*sets.views, view)
        words = self.how == "text"
        text = "\n\n".join([sets.text, question, closing() if words else CUE])
        return Prompt(
            item=fingerprint(sets.item, *views[len(sets.views) :], *sorted(options)),
            turns=(("user", text),),
            options=tuple(options),
            endings=() if words else tuple(f" {label}" for label in LABELS[: len(options)]),
            pictures=tuple(view for view in views if isinstance(view, bytes)),
            labelled=True,
        )

    def ask(self, prompts: Sequence[Prompt], orders: Sequence[Sequence[int]] | None = None) -> list[Reply]:
        """Return the replies to some prompts, in their order; prompts that begin alike are asked one after another."""
        turns = sorted(range(len(prompts)), key=lambda k: (prompts[k].text, prompts[k].pictures))
        replies = super().ask([prompts[k] for k in turns], None if orders is None else [orders[k] for k in turns])
        self.replies = [replies[k] for k in np.argsort(turns)]
        return self.replies


class Sided(Looking):
    """A language model that says to which of two sets a picture belongs."""

    def predict(self, question: Question) -> np.ndarray:
        """Return the probability that each query belongs to the side with the concept, (n,), or NaN for no answer."""
        prompts, orders = [], []
        for support, query in zip(question.support, question.query, strict=True):
            sets, view = self.sets(support), self.view(query)
            query_text = f"One more picture:\n{self.line(_LAST, view)}\n\n"
            query_text += f"Does it belong to {_SETS[0]} or to {_SETS[1]}?"
            prompts.append(self.prompt(sets, query_text, _SETS, view))
            orders.append(sets.order)
        return self.chances(self.ask(prompts, orders), len(SIDES))[:, 0]


def learner(participant: Participant, task: str, *, how: str, pictures: bool, seed: int) -> Sided:
    """Return the learner of a test, see `Sided`; the four tests are asked alike."""
    return Sided(participant, task, how, pictures, seed)


def judge(learner: Sided, items: Items, *, profile: str | None = None, seed: int | None = None) -> scoring.Answers:
    """Return a model's answers to the problems of its test; see `scoring.judge`.

    Under both profiles every problem is asked, once: in batches as published some would be asked again.
    """
    return scoring.judge(learner, items, profile=profile, seed=seed, evaluation="all")
