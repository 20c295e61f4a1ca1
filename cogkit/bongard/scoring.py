"""From a learner to numbers: one path for people, floors, observers and models (Nie et al. 2020, § 3.2 and 3.3).

Each problem gives two questions, one about a picture of each side. The learner sees the other six pictures of both
sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from cogkit.bongard.problems import observations
from cogkit.bongard.problems.packed import Packed
from cogkit.bongard.problems.records import A_SIDE, CHANCE, KINDS, SIDES, SUPPORT, Items, Problem, Question
from cogkit.bongard.problems.sets import TESTS
from cogkit.bongard.shapes.inventory import Shapes
from cogkit.core import presets, seeding
from cogkit.core.errors import InputError
from cogkit.core.instruments import BaseLearner
from cogkit.stats import wilson
from cogkit.study import answers as shared

EVALUATIONS = {"all": "accuracy", "as_published": "accuracy, as published"}  # and the metric of each
BATCH = 8  # problems that the authors' program draws at a time


class Learner(BaseLearner, Protocol):
    """A learner of concepts; ``inputs`` is one of `observations.INPUTS`, by default pixels, ``size`` a side."""

    def predict(self, question: Question) -> ArrayLike:
        """Return the probability that each query belongs to the positive side, (n,)."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers(shared.Answers):
    """The answers of a learner: one row for each problem asked, one column for each side.

    Attributes
    ----------
    evaluation : str
        The choice of problems and query pictures, one of `EVALUATIONS`.
    rows : (n,) int or None
        The place of each row's problem among the items.
    names, concepts : tuple
        Name in its dataset and concept of the problem of each row.
    places : (n, 2) int
        Place of the query picture of each side.
    chance : (n, 2) float32
        The learner's probability that the query is a positive: first for the positive query, then for the negative.
    choices : (n, 2) bool
        Whether it answered "positive". With a probability of one half, the answer is random and `score` counts one
        half.
    """

    instrument = "bongard"
    evaluation: str = "all"
    rows: np.ndarray | None = None
    names: tuple[str, ...]
    concepts: tuple[tuple[str, ...], ...]
    places: np.ndarray
    chance: np.ndarray
    choices: np.ndarray

    @property
    def missing(self) -> np.ndarray:
        """Whether each query has no answer, (n, 2) bool."""
        return np.isnan(self.chance)

    @property
    def right(self) -> np.ndarray:
        """Whether each answer is right, (n, 2) bool."""
        return (self.choices == np.array([True, False])) & ~self.missing

    @property
    def score(self) -> np.ndarray:
        """The score of each answer, (n, 2): 1 if right, 0 if wrong, one half for a guess."""
        return np.where(self.chance == CHANCE, CHANCE, self.right)

    def _trials(self) -> Iterator[dict]:
        """Yield one row for each answer.

        The item names the problem and the number of the query, 1 or 2. The seed decides the order of the two queries.
        Only ``extra`` has the side of the query.
        """
        right, missing, names = self.right, self.missing, self.names
        if self.items is not None and self.rows is not None:
            names = [self.items.name(row) for row in self.rows]
        first = seeding.stream(self.seed, f"bongard/queries/{self.task}").integers(2, size=len(self.names))
        for row, query in np.ndindex(len(self.names), 2):
            side = int(first[row]) ^ query
            extra = {"phase": "judge", "side": SIDES[side], "picture": int(self.places[row, side])}
            chance = None if missing[row, side] else float(self.chance[row, side])
            yield {
                "item": f"{names[row]}/{query + 1}", "correct": int(right[row, side]),
                "response": None if chance is None else SIDES[0 if self.choices[row, side] else 1],
                "extra": extra | {"chance": chance, "evaluation": self.evaluation} | self.reply_record(row, side),
            }  # fmt: skip


def judge(
    learner: Learner, items: Sequence[Problem], *, profile: str | None = None, seed: int | None = None,
    evaluation: str | None = None, images: np.ndarray | Packed | None = None, shapes: Shapes | None = None,
) -> Answers:  # fmt: skip
    """Return the answers of a learner to some problems.

    Parameters
    ----------
    learner : Learner
        It is asked in batches. Each query is a question of its own, and the order of the questions is random.
    items : sequence of Problem
    profile : {"verified", "as_published"}, optional
        The default rules of the evaluation; see ``evaluation``. By default those of the items.
    seed : int, optional
        Seed of the random choices of ``as_published``, and of the random answers where the probability is one half; by
        default that of the items.
    evaluation : {"all", "as_published"}, optional
        ``all``: every problem, with the seventh picture of each side as query. ``as_published``: as in the authors'
        program, ⌊n/8⌋ batches of eight problems, where batches may share problems, and any of the seven pictures as
        query. The default follows the profile.
    images : (n, 2, 7, size, size) uint8 array, optional
        The pictures of the problems, positives first, 255 is paper; by default they are drawn here. A learner that has
        ``input_shape`` may get what it made of each picture before, ``(n, 2, 7, *input_shape)``, in place of pixels.
    shapes : Shapes, optional
        The shapes that give the labels for ``symbols``; by default those of `inventory.available`.

    Raises
    ------
    InputError
        There are no problems, or fewer than eight for a batch of eight; the kind of input does not exist; or the
        probabilities have another shape or are outside 0 to 1.

    Examples
    --------
    >>> from cogkit.bongard.logo.pictures import Placed
    >>> from cogkit.bongard.logo.programs import Line
    >>> from cogkit.bongard.learners.observers import ProgramOracle
    >>> sides = [((Placed((Line(length),)),),) * 7 for length in (1.0, 0.5)]
    >>> judge(ProgramOracle(), [Problem("ff_nact1_0000", "ff", ("nact1",), *sides)]).right.tolist()
    [[True, True]]
    """
    items = items if isinstance(items, Items) else Items(tuple(items), "bongard", "")
    problems, description = items.entries, shared.described(learner, "pixels", observations.INPUTS)
    rules, task = shared.rules_of(items, profile, seed), items.task
    if evaluation is None:
        evaluation = "all" if rules["profile"] == "verified" else "as_published"
    metric_of(evaluation)
    least = 1 if evaluation == "all" else BATCH
    if len(problems) < least:
        raise InputError(f"{len(problems) or 'no'} problems", f"{least} or more")
    rows, places = _asked(len(problems), evaluation, seeding.stream(rules["seed"], f"bongard/asked/{task}"))
    size, shape = getattr(learner, "size", 64), getattr(learner, "input_shape", None)
    views = observations.Showing(problems, description["inputs"], size, images, shapes, shape)
    chance, replies = np.empty((len(rows), len(SIDES)), np.float32), []
    order = seeding.stream(rules["seed"], f"bongard/order/{task}")
    for start in range(0, len(rows), views.at_once):
        part = slice(start, start + views.at_once)
        chance[part], batch_replies = _answered(learner, views.take(rows[part]), places[part], order)
        replies.append(batch_replies)
    ties = seeding.stream(rules["seed"], f"bongard/ties/{description['who']}/{task}").random(chance.shape) < 0.5
    return Answers(
        **description, **rules, task=task, items=items, evaluation=evaluation, rows=rows,
        names=tuple(problems[row].name for row in rows), concepts=tuple(problems[row].concept for row in rows),
        places=places, chance=chance, choices=np.where(chance == CHANCE, ties, chance > CHANCE),
        replies=shared.joined(replies),
    )  # fmt: skip


def metric_of(evaluation: str) -> str:
    """Return the name of the metric, the share of right answers, in the rows of an evaluation."""
    return EVALUATIONS[presets.choose(evaluation, EVALUATIONS, "evaluation")]


def _asked(n: int, evaluation: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of the problems asked, (m,), and the place of the query of each side, (m, 2)."""
    if evaluation == "all":
        return np.arange(n), np.full((n, len(SIDES)), SUPPORT)
    rows = np.concatenate([rng.choice(n, BATCH, replace=False) for _ in range(n // BATCH)])
    return rows, rng.integers(A_SIDE, size=(len(rows), len(SIDES)))


def _answered(
    learner: Learner, inputs: np.ndarray, places: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the probabilities for some problems, (m, 2), from their input, (m, 2, 7, ...), and any replies, (m, 2)."""
    m, sides = len(inputs), np.arange(len(SIDES))
    others = np.argsort(np.arange(A_SIDE) == places[..., None], axis=-1, kind="stable")[..., :SUPPORT]
    order = rng.permutation(2 * m)  # each entry gives a problem and the side of its query
    row, side = order // 2, order % 2
    support = inputs[row[:, None, None], sides[None, :, None], others[row]]
    answers = learner.predict(Question(support, inputs[row, side, places[row, side]]))
    chance = np.empty((m, 2), np.float32)
    chance[row, side] = shared.checked(
        answers, (2 * m,), "probabilities", f"one number a query, ({2 * m},)", over=0, missing=shared.abstains(learner)
    )
    flat_replies, replies = shared.replies(learner, 2 * m), np.empty((m, 2), object)
    replies[row, side] = flat_replies
    return chance, None if flat_replies is None else replies


def groups(answers: Answers, shapes: Shapes | None = None) -> dict[str, np.ndarray]:
    """Return the rows of each kind of concept.

    Free-form problems are grouped by their numbers of strokes, basic problems by the super classes of their shapes, and
    abstract problems by their concept (``convex``, ``convex-symmetric``) and by each of its attributes (``with
    convex``). A group with all rows is left out. ``shapes`` give the super classes; without them basic problems have no
    groups.
    """
    members: dict[str, list[int]] = {}
    for row, (name, concept) in enumerate(zip(answers.names, answers.concepts, strict=True)):
        for group in _groups(presets.choose(name[:2], KINDS, "kind of problem"), concept, shapes):
            members.setdefault(group, []).append(row)
    return {group: np.array(rows) for group, rows in sorted(members.items()) if len(rows) < len(answers.names)}


def _groups(kind: str, concept: tuple[str, ...], shapes: Shapes | None) -> set[str]:
    if kind == "bd":
        return {shapes[name].super_class for name in concept} if shapes else set()
    if kind == "hd":
        return {"-".join(concept), *(f"with {attribute}" for attribute in concept)}
    return set(concept)


def summarise(answers: Answers, *, concepts: bool = True, shapes: Shapes | None = None) -> pd.DataFrame:
    """Return result rows: the share of right answers, in total and by kind of concept. A guess counts one half.

    Parameters
    ----------
    concepts : bool
        Whether the `groups` also have rows, with tasks such as ``CM/with convex``.
    shapes : Shapes, optional
        As in `groups`.

    Returns
    -------
    DataFrame
        Intervals are over problems (`interval`); rows ``as_published`` have none. ``n`` is the number of answers.
    """
    return answers.table(result_rows(answers, concepts=concepts, shapes=shapes))


def result_rows(answers: Answers, *, concepts: bool = True, shapes: Shapes | None = None) -> list[dict]:
    """Return the rows of `summarise` as dicts, without the columns that a runner fills in."""
    parts = {"": np.arange(len(answers.names))} | (groups(answers, shapes) if concepts else {})
    metric, rows = metric_of(answers.evaluation), []
    for group, part in parts.items():
        shares, task = answers.score[part].mean(axis=1), f"{answers.task}/{group}" if group else answers.task
        limits = interval(shares) if answers.evaluation == "all" else None
        rows.append(answers.row(metric, shares.mean(), 2 * len(part), limits, "95% Wilson, problems", task=task))
    return rows + answers.unanswered(metric.removeprefix("accuracy"))


def interval(shares: np.ndarray) -> tuple[float, float]:
    """Return (low, high), Wilson's 95 % interval of a share of right answers, over problems of two answers each.

    Notes
    -----
    The two answers to a problem are correlated, so n problems are worth fewer than 2n answers. Let v be the variance of
    the mean over problems. Without correlation it would be p(1 - p)/2n. The design effect d is the ratio of the two,
    kept between 1 and 2. It is 2 if both answers are always alike, and also if all are right or all are wrong. Wilson's
    formula is then used for 2n/d answers, the effective number of Korn & Graubard (1998).

    Examples
    --------
    >>> [round(limit, 4) for limit in interval(np.ones(40))]  # as 40 of 40
    [0.9124, 1.0]
    """
    n, p = len(shares), float(np.mean(shares))
    baseline, variance = p * (1 - p) / (2 * n), float(np.var(shares, ddof=1)) / n if n > 1 else 0.0
    design = np.clip(variance / baseline, 1, 2) if n > 1 and baseline > 0 else 2
    size = 2 * n / design
    low, high = wilson(p * size, size)
    return float(low), float(high)


def assess(
    learner: Learner, items: Mapping[str, Sequence[Problem]], *, profile: str = "verified", seed: int = 0,
    source: str = "", shapes: Shapes | None = None,
    look: Callable[[Sequence[Problem]], np.ndarray | Packed] | None = None,
) -> list[dict]:  # fmt: skip
    """Return the result rows of a learner on sets of problems, by task.

    Every problem and both its queries count. Under ``as_published`` there are also rows for the evaluation of the
    authors' program. In the tests, concepts have rows of their own. ``items`` are problems by task, such as
    ``{"FF": ..., "train": ...}``; ``look(problems)`` gives the ``images`` of `judge`. For the other arguments see
    `judge` and `summarise`.
    """
    rows = []
    for task, problems in items.items():
        images = look(problems) if look else None
        for evaluation in ("all",) if presets.profile(profile) == "verified" else ("as_published", "all"):
            rules = {"profile": profile, "seed": seed, "evaluation": evaluation}
            answers = judge(learner, Items(tuple(problems), "bongard", task), shapes=shapes, images=images, **rules)
            concepts = evaluation == "all" and task in TESTS
            rows += result_rows(answers, concepts=concepts, shapes=shapes)
    return shared.sourced(rows, source)
