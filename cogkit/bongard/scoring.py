"""From a learner to numbers: one path for people, floors, observers and models (Nie et al. 2020, § 3.2 and 3.3).

Each problem asks twice, about one picture of either side, with the other six of both in view.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from cogkit.bongard.problems import observations, rendering, sets
from cogkit.bongard.problems.records import A_SIDE, KINDS, SIDES, SUPPORT, Problem, Question
from cogkit.bongard.shapes.inventory import Shapes, known
from cogkit.core import contracts, presets, seeding
from cogkit.core.contracts import InputError
from cogkit.stats import wilson
from cogkit.study import answers as shared

TASKS = {  # by the part of the split that each is
    "train": "train", "val": "val", "FF": "test_ff", "BA": "test_bd", "CM": "test_hd_comb", "NV": "test_hd_novel",
}  # fmt: skip
TESTS = ("FF", "BA", "CM", "NV")
ABLATION = "free-form only"  # the set of Table 2: free-form problems and no others
_PARTS = TASKS | {f"{ABLATION}/{task}": part for task, part in (("train", "train"), ("val", "val"), ("FF", "test"))}
EVALUATIONS = {"all": "accuracy", "as_published": "accuracy, as published"}  # and the metric of each
BATCH = 8  # problems that the authors' program draws at a time
_GUESS = 0.5


def problems_of(
    task: str, n: int | None = None, profile: str = "verified", seed: int = 0, source: str = "any"
) -> tuple[Problem, ...]:
    """Return the problems of a task, in no order to speak of: whoever asks for as many is given the same.

    Parameters
    ----------
    task : str
        One of `TASKS`, or with ``free-form only/`` before it ``train``, ``val`` or ``FF`` of the set of Table 2.
    n : int, optional
        The first so many; by default, and where there are no more, all.
    profile, seed, source
        Of the set, as in `sets.specs`.

    Examples
    --------
    >>> [problem.kind for problem in problems_of("FF", 2)]
    ['ff', 'ff']
    """
    if n is not None and n < 1:
        raise InputError(f"{n} problems", "one problem or more")
    return _made(tuple(listed(task, profile, seed, source)[:n]))


@lru_cache(maxsize=16)
def _made(specs: tuple[sets.Spec, ...]) -> tuple[Problem, ...]:
    return tuple(chain.from_iterable(rendering.by_parts(_problems, specs, None)))


def _problems(specs: Sequence[sets.Spec]) -> list[Problem]:
    return [sets.problem(spec) for spec in specs]


def listed(task: str, profile: str = "verified", seed: int = 0, source: str = "any") -> list[sets.Spec]:
    """Return what is in a task, not yet made; as for `problems_of`."""
    part = _PARTS[presets.choose(task, _PARTS, "task")]
    if task.startswith(ABLATION):
        return _split(("ff",), presets.profile(profile), seed, source)[part]
    return _split(tuple(KINDS), presets.profile(profile), seed, known(source).source)[part]  # "any" may change


def one_of_each(task: str, profile: str = "verified", seed: int = 0, source: str = "any") -> dict[str, Problem]:
    """Return one problem of each kind in a task, by kind, without making the others; as for `problems_of`."""
    last = {spec.kind: spec for spec in listed(task, profile, seed, source)}
    return {kind: sets.problem(spec) for kind, spec in last.items()}


@lru_cache(maxsize=4)
def _split(kinds: tuple[str, ...], profile: str, seed: int, source: str) -> dict[str, list[sets.Spec]]:
    specs = {spec.name: spec for spec in sets.specs(profile, kinds, None, seed, source)}
    parts = sets.split(specs)
    return {part: [specs[name] for name in sorted(names, key=_rank)] for part, names in parts.items()}


def _rank(name: str) -> bytes:
    """Return what a part is ordered by: chance alone, so that its beginning is like the whole."""
    return hashlib.blake2b(name.encode()).digest()


class Learner(contracts.Learner, Protocol):
    """A learner of concepts; ``inputs`` is one of `observations.INPUTS`, pixels by default, ``size`` pixels a side."""

    def predict(self, question: Question) -> ArrayLike:
        """Return the chance that each query belongs to the positive side, (n,)."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers(shared.Answers):
    """What a learner answered, a row a problem asked, a column a side.

    Attributes
    ----------
    evaluation : str
        Which problems were asked, and about which pictures: one of `EVALUATIONS`.
    names, concepts : tuple
        Of the problem of each row.
    places : (n, 2) int
        Which picture of each side was asked about.
    chance : (n, 2) float32
        The chance it gave that the picture asked about is a positive; of the positive one, then of the negative.
    given : (n, 2) bool
        Whether it answered "positive"; a chance of one half falls at random, and `score` counts it one half.
    """

    instrument = "bongard"
    evaluation: str = "all"
    names: tuple[str, ...]
    concepts: tuple[tuple[str, ...], ...]
    places: np.ndarray
    chance: np.ndarray
    given: np.ndarray

    @property
    def missing(self) -> np.ndarray:
        """Which queries were not answered, (n, 2) bool."""
        return np.isnan(self.chance)

    @property
    def right(self) -> np.ndarray:
        """Which answers are right, (n, 2) bool."""
        return (self.given == np.array([True, False])) & ~self.missing

    @property
    def score(self) -> np.ndarray:
        """What each answer counts, (n, 2): 1 where it is right, 0 where it is wrong, one half where it is a guess."""
        return np.where(self.chance == _GUESS, _GUESS, self.right)

    def frame(self) -> pd.DataFrame:
        """Return one row a problem asked.

        Returns
        -------
        DataFrame
            Columns problem, kind, concept, score (of both answers, 0 to 2), then chance_positive and chance_negative as
            in `chance`.
        """
        return pd.DataFrame({
            "problem": self.names, "kind": [name[:2] for name in self.names],
            "concept": ["-".join(concept) for concept in self.concepts], "score": self.score.sum(axis=1),
            "chance_positive": self.chance[:, 0], "chance_negative": self.chance[:, 1],
        })  # fmt: skip

    def _trials(self) -> Iterator[dict]:
        """Yield one row an answer.

        The item is the problem and which of its two queries it is, in an order that the seed draws; the side it is from
        stands in ``extra`` alone.
        """
        right, missing = self.right, self.missing
        first = seeding.stream(self.seed, f"bongard/queries/{self.task}").integers(2, size=len(self.names))
        for row, query in np.ndindex(len(self.names), 2):
            side = int(first[row]) ^ query
            extra = {"phase": "judge", "side": SIDES[side], "picture": int(self.places[row, side])}
            chance = None if missing[row, side] else float(self.chance[row, side])
            yield {
                "item": f"{self.names[row]}/{query + 1}", "correct": int(right[row, side]),
                "response": None if chance is None else SIDES[0 if self.given[row, side] else 1],
                "extra": extra | {"chance": chance, "evaluation": self.evaluation},
            }  # fmt: skip


def judge(
    learner: Learner, items: Sequence[Problem], *, profile: str = "verified", seed: int = 0, task: str = "",
    evaluation: str | None = None, images: np.ndarray | None = None, shapes: Shapes | None = None,
) -> Answers:  # fmt: skip
    """Return what a learner answers.

    Parameters
    ----------
    learner : Learner
        It is asked in batches, each query on its own, the two of a problem in an order that tells nothing.
    items : sequence of Problem
    profile : {"verified", "as_published"}
        The rules that answers are judged by; see ``evaluation``.
    seed : int
        Seed of what ``as_published`` draws, and of how one half falls in trial rows.
    task : str
        What rows call the problems, such as ``FF``.
    evaluation : {"all", "as_published"}, optional
        Every problem, the seventh picture of each side as query; or as the authors' program asks: ⌊n/8⌋ batches of
        eight problems, drawn with repetition from batch to batch, and any of the seven pictures as query. By default
        as the profile says.
    images : (n, 2, 7, size, size) uint8 array, optional
        The problems drawn, positives first, 255 is paper; drawn here by default.
    shapes : Shapes, optional
        Whose labels ``symbols`` are; by default those known.

    Raises
    ------
    InputError
        No problems, fewer than eight for a batch of eight, inputs that are not there, or chances of another shape
        or outside 0 to 1.

    Examples
    --------
    >>> from cogkit.bongard.logo.pictures import Placed
    >>> from cogkit.bongard.logo.programs import Line
    >>> from cogkit.bongard.learners.observers import ProgramOracle
    >>> sides = [((Placed((Line(length),)),),) * 7 for length in (1.0, 0.5)]
    >>> judge(ProgramOracle(), [Problem("ff_nact1_0000", "ff", ("nact1",), *sides)]).right.tolist()
    [[True, True]]
    """
    problems, description = list(items), shared.described(learner, "pixels", observations.INPUTS)
    if evaluation is None:
        evaluation = "all" if presets.profile(profile) == "verified" else "as_published"
    metric_of(evaluation)
    if not problems:
        raise InputError("no problems", "one problem or more")
    rows, places = _asked(len(problems), evaluation, seeding.stream(seed, f"bongard/asked/{task}"))
    views = observations.Showing(problems, description["inputs"], getattr(learner, "size", 64), images, shapes)
    chance = np.empty((len(rows), len(SIDES)), np.float32)
    order = seeding.stream(seed, f"bongard/order/{task}")
    for part in _parts(len(rows), views.at_once):
        chance[part] = _answered(learner, views.take(rows[part]), places[part], order)
    ties = seeding.stream(seed, f"bongard/ties/{description['who']}/{task}").random(chance.shape) < 0.5
    return Answers(
        **description, task=task, profile=presets.profile(profile), seed=seed, evaluation=evaluation,
        names=tuple(problems[row].name for row in rows), concepts=tuple(problems[row].concept for row in rows),
        places=places, chance=chance, given=np.where(chance == _GUESS, ties, chance > _GUESS),
    )  # fmt: skip


def metric_of(evaluation: str) -> str:
    """Return what the rows of an evaluation call their share of right answers."""
    return EVALUATIONS[presets.choose(evaluation, EVALUATIONS, "evaluation")]


def _asked(n: int, evaluation: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return which problems are asked, (m,), and which picture of each side is the query, (m, 2)."""
    if evaluation == "all":
        return np.arange(n), np.full((n, len(SIDES)), SUPPORT)
    if n < BATCH:
        raise InputError(f"{n} problems", f"{BATCH} or more, for a batch as published")
    rows = np.concatenate([rng.choice(n, BATCH, replace=False) for _ in range(n // BATCH)])
    return rows, rng.integers(A_SIDE, size=(len(rows), len(SIDES)))


def _parts(n: int, at_once: int) -> Iterator[slice]:
    return (slice(start, min(start + at_once, n)) for start in range(0, n, at_once))


def _answered(learner: Learner, shown: np.ndarray, places: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the probabilities for some problems, (m, 2), from what is shown of them, (m, 2, 7, ...)."""
    m, sides = len(shown), np.arange(len(SIDES))
    others = np.argsort(np.arange(A_SIDE) == places[..., None], axis=-1, kind="stable")[..., :SUPPORT]
    order = rng.permutation(2 * m)  # which problem, and of which side its query is
    row, side = order // 2, order % 2
    support = shown[row[:, None, None], sides[None, :, None], others[row]]
    answers = learner.predict(Question(support, shown[row, side, places[row, side]]))
    chance = np.empty((m, 2), np.float32)
    chance[row, side] = shared.checked(
        answers, (2 * m,), "probabilities", f"one number a query, ({2 * m},)", over=0, missing=shared.abstains(learner)
    )
    return chance


def groups(answers: Answers, shapes: Shapes | None = None) -> dict[str, np.ndarray]:
    """Return the rows of each kind of concept.

    Free-form problems go by their numbers of strokes, basic ones by the super classes of their shapes, abstract ones by
    their concept (``convex``, ``convex-symmetric``) and by each attribute of it (``with convex``). A group that is all
    rows is left out.

    Parameters
    ----------
    answers : Answers
    shapes : Shapes, optional
        Who knows super classes; without them basic problems have no groups.
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


def summarise(answers: Answers, *, concepts: bool = True, shapes: Shapes | None = None) -> list[dict]:
    """Return result rows: the share of right answers, guesses counted one half, in all and by kind of concept.

    Parameters
    ----------
    answers : Answers
    concepts : bool
        Whether the `groups` have rows too, of tasks such as ``CM/with convex``.
    shapes : Shapes, optional
        As in `groups`.

    Returns
    -------
    list of dict
        Intervals are over problems (`interval`); a draw with repetition has none. ``n`` is the number of answers.
    """
    parts = {"": np.arange(len(answers.names))} | (groups(answers, shapes) if concepts else {})
    metric, rows = metric_of(answers.evaluation), []
    for group, part in parts.items():
        shares, task = answers.score[part].mean(axis=1), f"{answers.task}/{group}" if group else answers.task
        limits = interval(shares) if answers.evaluation == "all" else None
        rows.append(answers.row(metric, shares.mean(), 2 * len(part), limits, "95% Wilson, problems", task=task))
    return rows + answers.unanswered(metric.removeprefix("accuracy"))


def interval(shares: np.ndarray) -> tuple[float, float]:
    """Return (low, high), Wilson's 95 % interval of a share of right answers, over problems of two answers each.

    Parameters
    ----------
    shares : (n,) array
        Share of right answers of each problem, 0 to 1.

    Notes
    -----
    The two answers to a problem hang together: n problems are worth fewer than 2n answers. With v the variance of the
    mean over problems and p(1 - p)/2n what it would be without that, the design effect d is their ratio, held between 1
    and 2 (both answers always alike; taken too where all are right, or all wrong), and Wilson's formula is that of 2n/d
    answers, the effective number of Korn & Graubard (1998).

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
) -> list[dict]:  # fmt: skip
    """Return the result rows of a learner on sets of problems, by task.

    Every problem and both its queries count; under ``as_published`` it is asked as the authors' program asked as well.
    Concepts have rows of their own in the tests.

    Parameters
    ----------
    learner, profile, seed, source, shapes
        As in `judge` and `summarise`.
    items : mapping of str to sequence of Problem
        By task, such as ``{"FF": ..., "train": ...}``.
    """
    rows = []
    for task, problems in items.items():
        for evaluation in ("all",) if presets.profile(profile) == "verified" else ("as_published", "all"):
            answers = judge(
                learner, problems, profile=profile, seed=seed, task=task, evaluation=evaluation, shapes=shapes
            )
            concepts = evaluation == "all" and task in TESTS
            rows += summarise(answers, concepts=concepts, shapes=shapes)
    return shared.sourced(rows, source)
