"""A language model on problems, whose twelve pictures it reads as programs or sees (Nie et al. 2020, § 2).

It says to which side a picture belongs. A second question is scored on its own: of abstract problems an attribute of
the concept, of free-form problems the stroke that a picture without the concept has changed. Basic problems have no
such question: their concepts are shapes without common names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from cogkit.bongard import scoring
from cogkit.bongard.instrument import INSTRUMENT
from cogkit.bongard.logo.text import STROKES, program
from cogkit.bongard.people.instructions import GLOSSARY
from cogkit.bongard.people.study import sitting
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.observations import Showing
from cogkit.bongard.problems.records import SIDES, SUPPORT, Items, Problem, Question
from cogkit.bongard.shapes.attributes import ATTRIBUTES
from cogkit.core import seeding
from cogkit.data import png
from cogkit.extras.models.interview import Interview
from cogkit.extras.models.lm.cache import Participant
from cogkit.extras.models.lm.learner import PromptedLearner
from cogkit.extras.models.lm.prompts import CUE, LABELS, Prompt, closing, fingerprint, lettered, rotation
from cogkit.extras.models.lm.replies import Reply
from cogkit.stats import wilson
from cogkit.study import answers as shared

SIZE = 512  # pixels a side of a picture, as published
FOLLOWING = ("FF/stroke", "CM/concept", "NV/concept")  # a test, and what is asked for
_CONCEPTS = (
    "Six pictures have a concept, and six do not have it. The concept is of one of three kinds. It may be a drawing, "
    "with the type of each stroke: a picture without the concept has one stroke changed. It may be one shape or two, "
    "whatever the types of their strokes: a picture without the concept has another shape in place of one. Or it may "
    "be one attribute of a shape or two, whatever the types of its strokes: a picture without the concept lacks one of "
    "them. Place, size and rotation of a shape never matter."
)
_ATTRIBUTE = (
    "Here the concept is one attribute of the shape, or two together. Of two attributes, each picture without the "
    "concept has one and lacks the other. Name an attribute of the concept."
)
_STROKE = (
    "Here the concept is a drawing, and picture {0} has one of its strokes changed. Count strokes from 1 on; those of "
    "a second shape follow those of the first. Which stroke of picture {0} is changed?"
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


class Solver(PromptedLearner):
    """A language model that is asked about two sets of pictures.

    The prompt tells which set has the concept, as people and networks know it. Whether that is set A or set B depends
    on the twelve pictures and the seed. All questions about the same pictures begin alike.

    Parameters are those of `lm.learner.PromptedLearner`, and the task: ``pictures`` show it the pictures, in place of
    their programs.
    """

    size = SIZE

    def __init__(
        self, participant: Participant, task: str = "", how: str = "text", pictures: bool = False, seed: int = 0
    ) -> None:
        super().__init__(participant, how, seed, pictures)
        self.task, self.inputs = task, "pixels" if pictures else "programs"

    def predict(self, question: Question) -> np.ndarray:
        """Return the probability that each query belongs to the side with the concept, (n,), or NaN for no answer."""
        prompts, orders = [], []
        for support, query in zip(question.support, question.query, strict=True):
            first, view = self._sets(support), self._view(query)
            text = f"One more picture:\n{self._line(_LAST, view)}\n\n"
            text += f"Does it belong to {_SETS[0]} or to {_SETS[1]}?"
            prompts.append(self._prompt(first, text, _SETS, view))
            orders.append(first.order)
        return self.chances(self.ask(prompts, orders), len(SIDES))[:, 0]

    def following(self, support: np.ndarray, options: Sequence[str]) -> tuple[Prompt, list[int]]:
        """Return the second question about the pictures of a problem, (2, 6, ...), and the order of its options."""
        first = self._sets(support)
        order: list[int] = rotation(first.item, len(options), self.seed).tolist()
        names = lines = [options[k] for k in order]
        if self.task.endswith("/stroke"):
            # the number of the first picture without the concept
            question = _STROKE.format(1 + SUPPORT * first.order.index(1))
        else:
            question = _ATTRIBUTE
            lines = [f"{name}: {GLOSSARY[ATTRIBUTES[k]]}" for name, k in zip(names, order, strict=True)]
        return self._prompt(first, f"{question}\n{lettered(lines)}", names), order

    def ask(self, prompts: Sequence[Prompt], orders: Sequence[Sequence[int]] | None = None) -> list[Reply]:
        """Return the replies to some prompts, in their order; prompts that begin alike are asked one after another."""
        turns = sorted(range(len(prompts)), key=lambda k: (prompts[k].text, prompts[k].pictures))
        replies = super().ask([prompts[k] for k in turns], None if orders is None else [orders[k] for k in turns])
        self.replies = [replies[k] for k in np.argsort(turns)]
        return self.replies

    def _sets(self, support: np.ndarray) -> Sets:
        """Return the beginning of a prompt, from the support of one question, (2, 6, ...)."""
        views = [[self._view(picture) for picture in side] for side in support]
        item = fingerprint(*views[0], *views[1])
        order = tuple(rotation(item, len(SIDES), self.seed).tolist())
        blocks, numbers = [STROKES[self.inputs], _CONCEPTS], iter(range(1, _LAST))
        for place, side in enumerate(order):
            lines = [self._line(next(numbers), view) for view in views[side]]
            blocks.append("\n".join([f"Set {LABELS[place]}, pictures {_TITLES[side]}:", *lines]))
        return Sets("\n\n".join(blocks), order, tuple(view for side in order for view in views[side]), item)

    def _view(self, picture) -> str | bytes:
        """Return what a prompt holds of a picture: its program, or a PNG file."""
        return png.pack(picture) if self.pictures else program(picture)

    def _line(self, number: int, view: str | bytes) -> str:
        """Return the line of a picture in the text."""
        return f"[picture {number}]" if isinstance(view, bytes) else f"{number}. {view}"

    def _prompt(self, first: Sets, question: str, options: Sequence[str], view: str | bytes | None = None) -> Prompt:
        """Return a prompt: the two sets, a question and perhaps one more picture; options have letters in the text."""
        views = first.views if view is None else (*first.views, view)
        words = self.how == "text"
        return Prompt(
            item=fingerprint(first.item, *views[len(first.views) :], *sorted(options)),
            turns=(("user", "\n\n".join([first.text, question, closing() if words else CUE])),),
            options=tuple(options),
            endings=() if words else tuple(f" {label}" for label in LABELS[: len(options)]),
            pictures=tuple(view for view in views if isinstance(view, bytes)),
            labelled=True,
            cue=CUE,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Named(shared.Answers):
    """What a model named, one row for each problem.

    Attributes
    ----------
    names : tuple of str
        Name of the problem of each row.
    options : tuple of str
        What can be named in the problem with most options.
    scores : (n, options) float
        The score of each option: all NaN for no answer, minus infinity for one that a question does not have.
    truth : (n, options) bool
        Which options are right: each attribute of the concept, or the stroke that is changed.
    """

    instrument = "bongard"
    names: tuple[str, ...]
    options: tuple[str, ...]
    scores: np.ndarray
    truth: np.ndarray

    @property
    def wanted(self) -> str:
        """What was asked for: ``concept`` or ``stroke``."""
        return self.task.partition("/")[2]

    @property
    def missing(self) -> np.ndarray:
        """Whether each problem has no answer, (n,) bool."""
        return np.isnan(self.scores.max(axis=1))

    @property
    def best(self) -> np.ndarray:
        """Which options have the highest score, (n, options) bool; none where an answer is missing."""
        return self.scores == self.scores.max(axis=1, keepdims=True)

    @property
    def score(self) -> np.ndarray:
        """The score of each answer, (n,): the share of the right ones among the options with the highest score."""
        return (shared.shares(self.best) * self.truth).sum(axis=1)

    def _trials(self) -> Iterator[dict]:
        """Yield one row for each problem; of several best options one is drawn."""
        drawn = shared.drawn(self.best, seeding.stream(self.seed, f"bongard/named/{self.who}/{self.task}"))
        for row, option in enumerate(drawn.tolist()):
            missing, right = self.missing[row], [self.options[k] for k in np.flatnonzero(self.truth[row])]
            yield {
                "item": f"{self.names[row]}/{self.wanted}", "response": None if missing else self.options[option],
                "correct": int(not missing and self.truth[row, option]),
                "extra": {"phase": "name", "right": right} | self.reply_record(row),
            }  # fmt: skip


def judge(learner: Solver, items: Items, *, profile: str = "verified", seed: int = 0) -> scoring.Answers | Named:
    """Return a model's answers to problems: on which side pictures belong, or what the concept is.

    Under both profiles every problem is asked, once: in batches as published some would be asked again.
    """
    if learner.task not in FOLLOWING:
        return scoring.judge(learner, items, profile=profile, seed=seed, evaluation="all")
    problems = list(items)
    options = [_options(learner.task, problem) for problem in problems]
    most = max(options, key=len)
    showing, questions = Showing(problems, learner.inputs, learner.size, None, None), []
    scores, truth = np.full((len(problems), len(most)), -np.inf), np.zeros((len(problems), len(most)), bool)
    for row, problem in enumerate(problems):
        truth[row, _right(learner.task, problem)] = True
        (pictures,) = showing.take(np.array([row]))
        questions.append(learner.following(pictures[:, :SUPPORT], options[row]))
    replies = learner.ask(*zip(*questions, strict=True))
    for row, reply in enumerate(replies):
        scores[row, : len(options[row])] = learner.scores([reply], len(options[row]))
    return Named(
        **shared.described(learner, learner.inputs), task=learner.task, profile=profile, seed=seed,
        names=tuple(problem.name for problem in problems), options=tuple(most), scores=scores, truth=truth,
        replies=shared.replies(learner, len(problems)),
    )  # fmt: skip


def result_rows(answers: scoring.Answers | Named) -> list[dict]:
    """Return result rows: those of `scoring.summarise`, or the share of problems whose concept or stroke is named.

    Notes
    -----
    By chance one attribute in 26 is right, or two if the concept has two, as nearly all concepts of CM and NV. The six
    pictures with the concept share about six attributes, so a model that compares no sides is right of about one in
    three. An observer that knows all attributes of the twelve shapes is always right. Of strokes one is right, of nine
    in FF.
    """
    if not isinstance(answers, Named):
        return scoring.result_rows(answers)
    score, n = answers.score, len(answers.names)
    row = answers.row(f"{answers.wanted} named", score.mean(), n, wilson(score.sum(), n), "95% Wilson")
    return [row, *answers.unanswered()]


def _options(task: str, problem: Problem) -> list[str]:
    """Return what can be named in a problem: attributes, or the strokes of its first picture with the concept."""
    if task.endswith("/concept"):
        return [attribute.replace("_", " ") for attribute in ATTRIBUTES]
    return [f"stroke {number + 1}" for number in range(len(_strokes(problem, 0)))]


def _right(task: str, problem: Problem) -> list[int]:
    """Return the numbers of the right options: attributes, or the stroke that the first negative has changed."""
    if task.endswith("/concept"):
        return [ATTRIBUTES.index(name) for name in problem.concept]
    pairs = zip(_strokes(problem, 0), _strokes(problem, 1), strict=True)
    return [number for number, (old, new) in enumerate(pairs) if old != new]


def _strokes(problem: Problem, side: int) -> list:
    """Return the strokes of the first picture of a side, those of all its shapes in turn."""
    return [*chain.from_iterable(placed.program for placed in problem.sides[side][0])]


INTERVIEW = Interview(
    tasks=lambda: (*sets.TESTS, *FOLLOWING),
    items=lambda task, n, **rules: INSTRUMENT.items(task.partition("/")[0], n, **rules),
    learner=Solver,
    judge=judge,
    result_rows=result_rows,
    pictures=lambda: (*sets.TESTS, *FOLLOWING[1:]),  # no picture tells the strokes of its pen
    sitting=sitting,
    n=50,
)
