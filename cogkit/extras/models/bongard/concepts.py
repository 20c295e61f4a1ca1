"""Which concept? A second question to a language model about the twelve pictures of a problem, scored on its own.

Of abstract problems it is asked for an attribute of the concept, of free-form problems for the stroke that a picture
without the concept has changed. Basic problems have no such question: their concepts are shapes without common names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np

from cogkit.bongard import scoring
from cogkit.bongard.instrument import INSTRUMENT
from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.logo.programs import Action
from cogkit.bongard.people.instructions import GLOSSARY
from cogkit.bongard.people.study import sitting
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.observations import Showing
from cogkit.bongard.problems.records import SUPPORT, Items, Problem
from cogkit.bongard.shapes.attributes import ATTRIBUTES
from cogkit.core import presets, seeding
from cogkit.core.errors import InputError
from cogkit.extras.models.bongard import sides
from cogkit.extras.models.bongard.sides import Looking, Sided
from cogkit.extras.models.interview import Interview
from cogkit.extras.models.lm.cache import Participant
from cogkit.extras.models.lm.prompts import Prompt, lettered, rotation
from cogkit.stats import wilson
from cogkit.study import answers as shared

KIND = {"concept": "hd", "stroke": "ff"}  # what is asked for, and the kind of problem
FOLLOWING = ("FF/stroke", "CM/concept", "NV/concept")  # a test, and what is asked for
_ATTRIBUTE = (
    "Here the concept is one attribute of the shape, or two together. Of two attributes, each picture without the "
    "concept has one and lacks the other. Name an attribute of the concept."
)
_STROKE = (
    "Here the concept is a drawing, and picture {0} has one of its strokes changed. Count strokes from 1 on; those of "
    "a second shape follow those of the first. Which stroke of picture {0} is changed?"
)


class Namer(Looking):
    """A language model that names an attribute of the concept, or the stroke that is changed.

    Parameters
    ----------
    participant, how, pictures, seed
        As for `sides.Looking`. The changed stroke is asked for in words alone: no picture shows where the pen began.
    task : str
        One of `FOLLOWING`.
    meaning : callable, optional
        ``meaning(attribute) -> str``, in words; by default the prompt has the names alone.
    """

    def __init__(
        self, participant: Participant, task: str, how: str = "text", pictures: bool = False, seed: int = 0,
        meaning: Callable[[str], str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(participant, presets.choose(task, FOLLOWING, "question"), how, pictures, seed)
        self.wanted, self.meaning = task.partition("/")[2], meaning
        if pictures and task not in pictured():
            raise InputError(f"pictures of {task}", "a question about programs", "ask it in words")

    def choose(self, support: np.ndarray) -> np.ndarray:
        """Return a score for each option, (n, most options), from support (n, 2, 6, ...).

        All options of a question are NaN for no answer; one that a question does not have is minus infinity.
        """
        questions = [self._question(pictures) for pictures in support]
        orders = [order for _, order in questions]
        replies = self.ask([prompt for prompt, _ in questions], orders)
        scores = np.full((len(replies), max(map(len, orders))), -np.inf)
        for row, reply, order in zip(scores, replies, orders, strict=True):
            row[: len(order)] = self.scores([reply], len(order))
        return scores

    def _question(self, support: np.ndarray) -> tuple[Prompt, list[int]]:
        """Return the prompt about the support of one question, and the order of its options."""
        context, options = self.sets(support), _options(self.wanted, support[0, 0])
        order = rotation(context.item, len(options), self.seed).tolist()
        names = [options[k] for k in order]
        if self.wanted == "stroke":
            first = 1 + SUPPORT * context.order.index(1)  # the number of the first picture without the concept
            question, lines = _STROKE.format(first), names
        else:
            question, lines = _ATTRIBUTE, names
            if self.meaning is not None:
                lines = [f"{name}: {self.meaning(ATTRIBUTES[k])}" for name, k in zip(names, order, strict=True)]
        return self.prompt(context, f"{question}\n{lettered(lines)}", names), order


@dataclass(frozen=True, eq=False, kw_only=True)
class Named(shared.Answers):
    """What a model named, one row for each problem.

    Attributes
    ----------
    wanted : str
        ``concept`` or ``stroke``.
    names : tuple of str
        Name of the problem of each row.
    options : tuple of str
        What can be named in the problem with most options.
    scores : (n, options) float
        As `Namer.choose` returns them.
    truth : (n, options) bool
        Which options are right: each attribute of the concept, or the stroke that is changed.
    """

    instrument = "bongard"
    wanted: str
    names: tuple[str, ...]
    options: tuple[str, ...]
    scores: np.ndarray
    truth: np.ndarray

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


def tasks() -> tuple[str, ...]:
    """Return what a language model can be asked: the four tests, and the questions that follow three of them.

    Examples
    --------
    >>> tasks()
    ('FF', 'BA', 'CM', 'NV', 'FF/stroke', 'CM/concept', 'NV/concept')
    """
    return (*sets.TESTS, *FOLLOWING)


def pictured() -> tuple[str, ...]:
    """Return those of `tasks` whose problems can be shown as pictures: no picture tells the strokes of its pen.

    Examples
    --------
    >>> set(tasks()) - set(pictured())
    {'FF/stroke'}
    """
    return tuple(task for task in tasks() if not task.endswith("/stroke"))


def learner(
    participant: Participant, task: str, *, how: str, pictures: bool, seed: int,
    meaning: Callable[[str], str] | None = None,
) -> Sided | Namer:  # fmt: skip
    """Return the learner of one of `tasks`; for ``meaning`` see `Namer`."""
    if presets.choose(task, tasks(), "task to ask") in FOLLOWING:
        return Namer(participant, task, how, pictures, seed, meaning)
    return sides.learner(participant, task, how=how, pictures=pictures, seed=seed)


def judge(learner: Sided | Namer, items: Items, *, profile: str = "verified", seed: int = 0) -> scoring.Answers | Named:
    """Return a model's answers to problems: on which side pictures belong, or what the concept is.

    Raises
    ------
    InputError
        There are no problems, or the concepts of some are of another kind.
    """
    if not isinstance(learner, Namer):
        return sides.judge(learner, items, profile=profile, seed=seed)
    problems, description = list(items), shared.described(learner, learner.inputs)
    kinds = {problem.kind for problem in problems}
    if kinds != {KIND[learner.wanted]}:
        raise InputError(f"problems of the kinds {sorted(kinds)}", f"problems of the kind {KIND[learner.wanted]}")
    options = [_options(learner.wanted, problem.positives[0]) for problem in problems]
    most = max(options, key=len)
    scores, truth = np.full((len(problems), len(most)), -np.inf), np.zeros((len(problems), len(most)), bool)
    for row, problem in zip(truth, problems, strict=True):
        row[_right(learner.wanted, problem)] = True
    showing, replies = Showing(problems, learner.inputs, learner.size, None, None), []
    for start in range(0, len(problems), showing.at_once):
        rows = np.arange(start, min(start + showing.at_once, len(problems)))
        part = learner.choose(showing.take(rows)[:, :, :SUPPORT])
        scores[rows, : part.shape[1]] = part
        replies.append(shared.replies(learner, len(rows)))
    return Named(
        **description, task=learner.task, profile=presets.profile(profile), seed=seed, wanted=learner.wanted,
        names=tuple(problem.name for problem in problems), options=tuple(most), scores=scores, truth=truth,
        replies=shared.joined(replies),
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


def _options(wanted: str, picture) -> list[str]:
    """Return what can be named in a problem, from its first picture with the concept."""
    if wanted == "concept":
        return [attribute.replace("_", " ") for attribute in ATTRIBUTES]
    return [f"stroke {number + 1}" for number in range(len(_strokes(picture)))]


def _right(wanted: str, problem: Problem) -> list[int]:
    """Return the numbers of the right options: attributes, or the stroke that the first negative has changed."""
    if wanted == "concept":
        return [ATTRIBUTES.index(name) for name in problem.concept]
    pairs = zip(_strokes(problem.positives[0]), _strokes(problem.negatives[0]), strict=True)
    return [number for number, (old, new) in enumerate(pairs) if old != new]


def _strokes(picture: Picture) -> list[Action]:
    return [*chain.from_iterable(placed.program for placed in picture)]


INTERVIEW = Interview(
    tasks=tasks,
    items=lambda task, n, **rules: INSTRUMENT.items(task.partition("/")[0], n, **rules),
    single=lambda problems, k: problems[k : k + 1],
    learner=partial(learner, meaning=GLOSSARY.__getitem__),
    judge=judge,
    result_rows=result_rows,
    pictures=pictured,
    sitting=sitting,
    n=50,
)
