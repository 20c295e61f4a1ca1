"""Floors of memory for abstract problems: they see every shape perfectly, and remember the training problems.

None of them knows an attribute. Each knows which shapes stood on which side of which training problem, and answers by
that. The paper has no such floor; all shapes of its abstract tests occur in training. Where shapes are new, a shape is
taken for those of training that are most like it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy

import numpy as np

from cogkit.bongard.learners.floors import nearer
from cogkit.bongard.logo import outlines
from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.problems.records import Problem, Question
from cogkit.bongard.problems.sets import NOVEL
from cogkit.bongard.problems.stroke_styles import undress
from cogkit.bongard.shapes.inventory import ATTRIBUTES

Key = tuple[object, ...]
_UNTAUGHT = ATTRIBUTES.index(NOVEL)


def shapes_of(picture: Picture) -> Key:
    """Return what a picture shows, whatever its place, size, turn and types of stroke: its programs without types."""
    return tuple(sorted((undress(placed.program) for placed in picture), key=repr))


class Memory:
    """A floor that remembers on which side shapes stood in training.

    Parameters
    ----------
    problems : sequence of Problem
        The training problems.
    how : str
        One of `HOW`. ``pairs``: how often the query shared a side with each of the twelve shapes. ``nearest problem``:
        the side of the query in those training problems that agree with most of the twelve. ``concepts``: the same, but
        all problems of a concept are remembered together.

    Attributes
    ----------
    near : int
        How many training shapes a shape that was never met is taken for; see `nearest`. With 0 it knows nothing of it.

    Examples
    --------
    >>> from cogkit.bongard.problems import sets
    >>> problems = [sets.problem(spec) for spec in sets.specs(n=3, kinds=("hd",))]
    >>> made = problems[0]
    >>> support, query = np.empty((1, 2, 6), object), np.empty(1, object)
    >>> for k in range(6):
    ...     support[0, 0, k], support[0, 1, k] = made.positives[k], made.negatives[k]
    >>> query[0] = made.positives[6]
    >>> [Memory(problems, how).predict(Question(support, query)).tolist() for how in HOW]
    [[1.0], [1.0], [1.0]]
    """

    kind, inputs, near = "floor", "programs", 0

    def __init__(self, problems: Sequence[Problem], how: str = "pairs") -> None:
        self.name, self._votes = f"memory of {how}", HOW[how]
        groups = [problem.concept for problem in problems] if how == "concepts" else [*range(len(problems))]
        self._numbers: dict[Key, int] = {}
        rows = {group: row for row, group in enumerate(dict.fromkeys(groups))}
        seen = []  # (problem or concept, shape, side)
        for group, problem in zip(groups, problems, strict=True):
            for side, pictures in zip((1, -1), problem.sides, strict=True):
                for key in map(shapes_of, pictures):
                    seen.append((rows[group], self._numbers.setdefault(key, len(self._numbers)), side))
        self._sides = np.zeros((len(rows), len(self._numbers)), np.float32)
        np.add.at(self._sides, tuple(np.array(seen)[:, :2].T), np.array(seen)[:, 2])
        self._sides = np.sign(self._sides)

    def nearest(self, near: int) -> Memory:
        """Return the same memory, which takes a shape that it never met for the ``near`` most like it in training.

        Shapes are alike by the distance of their signatures (`outlines.signature`), each of the numbers in units of its
        spread over the training shapes. Each picture must have one shape.
        """
        other = copy(self)
        other.near, other.name = near, f"{self.name}, {f'{near} nearest figures' if near > 1 else 'nearest figure'}"
        signatures = np.stack([outlines.signature(key[0], typed=False) for key in self._numbers])
        other._spread = signatures.std(axis=0)
        other._signatures = signatures / other._spread
        return other

    def predict(self, question: Question) -> np.ndarray:
        """Return the probability that each query belongs to the positive side, (n,): 1, 0, or one half if undecided."""
        pairs = zip(question.support, question.query, strict=True)
        return np.array([(np.sign(self._vote(support, shapes_of(query))) + 1) / 2 for support, query in pairs])

    def _vote(self, support: np.ndarray, key: Key) -> float:
        """Return how much speaks for the positive side of a query. The same shape among the twelve tells nothing."""
        query, sides = self._shares(key), np.zeros(len(self._numbers), np.float32)
        if not query.any():
            return 0.0
        twelve = {shapes_of(picture): side for side, part in zip((1, -1), support, strict=True) for picture in part}
        for other, side in twelve.items():
            sides += side * self._shares(other) * (other != key)
        return self._votes(self._sides, sides, query)

    def _shares(self, key: Key) -> np.ndarray:
        """Return how much each training shape stands for a shape, (shapes,): whole numbers, so that ties stay ties."""
        shares = np.zeros(len(self._numbers), np.float32)
        if key in self._numbers:
            shares[self._numbers[key]] = max(1, self.near)
        elif self.near:
            away = self._signatures - outlines.signature(key[0], typed=False) / self._spread
            shares[np.argsort((away**2).sum(axis=1), kind="stable")[: self.near]] = 1
        return shares


def _pairs(sides: np.ndarray, twelve: np.ndarray, query: np.ndarray) -> float:
    return float((sides @ query) @ (sides @ twelve))


def _nearest(sides: np.ndarray, twelve: np.ndarray, query: np.ndarray) -> float:
    own = sides @ query
    alike = np.where(own != 0, sides @ twelve, -np.inf)
    return float(own[alike == alike.max()].sum())


HOW: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], float]] = {
    "pairs": _pairs, "nearest problem": _nearest, "concepts": _nearest
}  # fmt: skip
"""How memory answers, from the sides of all shapes in training (problems, shapes), those of the twelve, and the query,
(shapes,) each: above 0 for the positive side."""


class LabelMean:
    """A floor that reads the true labels of the taught attributes, and compares a query with the mean of each side.

    It remembers nothing, and looks for no concept.

    Examples
    --------
    >>> labels = np.eye(2, len(ATTRIBUTES), dtype=np.int8)
    >>> support = np.repeat(labels[None, :, None], 6, axis=2)
    >>> LabelMean().predict(Question(support, labels[:1])).round(2).tolist()
    [1.0]
    """

    name, kind, inputs = "nearest mean of true labels", "floor", "symbols"

    def predict(self, question: Question) -> np.ndarray:
        """Return the probability that each query belongs to the positive side, (n,)."""
        support, query = (np.delete(part, _UNTAUGHT, axis=-1) == 1 for part in (question.support, question.query))
        return nearer(support.astype(float), query.astype(float))
