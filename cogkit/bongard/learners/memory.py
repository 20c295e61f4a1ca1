"""Floors of memory for abstract problems: they see every shape perfectly, and remember the training problems.

None of them knows an attribute. Each knows which shapes stood on which side of which training problem, and answers by
that. The paper has no such floor; all shapes of its abstract tests occur in training.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from cogkit.bongard.learners.floors import nearer
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

    kind, inputs = "floor", "programs"

    def __init__(self, problems: Sequence[Problem], how: str = "pairs") -> None:
        self.name, self._votes = f"memory of {how}", HOW[how]
        groups = [problem.concept for problem in problems] if how == "concepts" else [*range(len(problems))]
        self._numbers: dict[Key, int] = {}
        rows = {group: row for row, group in enumerate(dict.fromkeys(groups))}
        seen = []  # (problem or concept, shape, side)
        for group, problem in zip(groups, problems, strict=True):
            for side, pictures in zip((1, -1), problem.sides, strict=True):
                seen += [(rows[group], self._number(picture), side) for picture in pictures]
        self._sides = np.zeros((len(rows), len(self._numbers)))
        np.add.at(self._sides, tuple(np.array(seen)[:, :2].T), np.array(seen)[:, 2])
        self._sides = np.sign(self._sides)

    def _number(self, picture: Picture) -> int:
        return self._numbers.setdefault(shapes_of(picture), len(self._numbers))

    def predict(self, question: Question) -> np.ndarray:
        """Return the probability that each query belongs to the positive side, (n,): 1, 0, or one half if undecided."""
        chances = []
        for support, query in zip(question.support, question.query, strict=True):
            twelve = np.zeros(self._sides.shape[1])
            for side, pictures in zip((1, -1), support, strict=True):
                for place in self._known(pictures):
                    twelve[place] = side
            places = self._known([query])
            vote = self._votes(self._sides, twelve, places[0]) if places else 0.0
            chances.append((np.sign(vote) + 1) / 2)
        return np.array(chances)

    def _known(self, pictures: Iterable[Picture]) -> list[int]:
        keys = map(shapes_of, pictures)
        return [self._numbers[key] for key in keys if key in self._numbers]


def _pairs(sides: np.ndarray, twelve: np.ndarray, query: int) -> float:
    others = np.where(np.arange(len(twelve)) == query, 0, twelve)
    return float((sides[:, query] @ sides) @ others)


def _nearest(sides: np.ndarray, twelve: np.ndarray, query: int) -> float:
    holding = sides[sides[:, query] != 0]
    alike = holding @ np.where(np.arange(len(twelve)) == query, 0, twelve)
    return float(holding[alike == alike.max(initial=-np.inf), query].sum())


HOW: dict[str, Callable[[np.ndarray, np.ndarray, int], float]] = {
    "pairs": _pairs, "nearest problem": _nearest, "concepts": _nearest
}  # fmt: skip
"""How memory answers, from the sides of all shapes in training (problems, shapes), those of the twelve (shapes,), and
the number of the query: above 0 for the positive side."""


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
