"""Observers of Bongard-LOGO, which read the programs or a table of attributes in place of pictures; and a control.

They show how much of a problem is left without seeing. The program observer is right on every free-form and basic
problem. The table observer is not: six and six labels leave several concepts possible. It is therefore a reference, and
a ceiling only for learners that weigh concepts in the same way. The control is the label search, which lacks the novel
attribute. `REFERENCES` has the floors beside them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from cogkit.bongard.learners import floors
from cogkit.bongard.learners.floors import Prototype
from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.problems import abstract
from cogkit.bongard.problems.records import SUPPORT, Question
from cogkit.bongard.problems.sets import NOVEL
from cogkit.bongard.problems.stroke_styles import undress
from cogkit.bongard.shapes import inventory
from cogkit.bongard.shapes.inventory import ATTRIBUTES, Shapes

_UNKNOWN = 0.5


class ProgramOracle:
    """The observer that reads programs. The concept is what all six positives share; the query has it or not.

    If all positives are one program, the concept is this program with its stroke types (free-form). If they are one
    program apart from the stroke types, the concept is the program without stroke types (basic). Otherwise the answer
    is one half (abstract).

    Examples
    --------
    >>> from cogkit.bongard.logo.pictures import Placed
    >>> from cogkit.bongard.logo.programs import Line
    >>> support, query = np.empty((1, 2, 6), object), np.empty(1, object)
    >>> for k in range(6):
    ...     support[0, 0, k], support[0, 1, k] = (Placed((Line(1.0),)),), (Placed((Line(0.5),)),)
    >>> query[0] = (Placed((Line(1.0, type="zigzag"),)),)
    >>> ProgramOracle().predict(Question(support, query)).tolist()  # the type of stroke counts here
    [0.0]
    """

    name, kind, inputs = "program oracle", "observer", "programs"

    def predict(self, question: Question) -> np.ndarray:
        """Return the probability that each query belongs to the positive side, (n,)."""
        pairs = zip(question.support[:, 0], question.query, strict=True)
        return np.array([_shared(positives, query) for positives, query in pairs], float)


def _shared(positives: Sequence[Picture], query: Picture) -> float:
    for typed in (True, False):
        concept, *others, query_programs = (_programs(picture, typed) for picture in (*positives, query))
        if all(other == concept for other in others):
            return float(query_programs == concept)
    return _UNKNOWN


def _programs(picture: Picture, typed: bool) -> Counter:
    """Return how often a picture has each program, with its stroke types or without them."""
    return Counter(placed.program if typed else undress(placed.program) for placed in picture)


class AttributeOracle:
    """The observer that knows the attributes of every shape, and weighs all concepts by Bayes' rule.

    A concept is one attribute or two. Positives have all of it. Negatives lack one attribute; of two attributes they
    have the other one. An attribute that is not applicable counts as neither present nor absent. Each picture is taken
    as an independent draw from all shapes that its side allows. A concept that few shapes have is therefore more likely
    if pictures fit it. ``table`` (shapes, attributes) int8 has all shapes that pictures are drawn from: 1 has it, 0
    does not have it, -1 not applicable. ``concepts`` are the columns of each concept, one or two.

    Notes
    -----
    Let ``P`` and ``N`` be the sets of shapes that a concept allows on the two sides. Its weight after six and six
    pictures is proportional to ``|P|⁻⁶ |N|⁻⁶`` if all twelve fit, and 0 otherwise. With two attributes, each way to
    lack the concept has probability one half and its own set ``N``. This differs from the samplers: they draw without
    repetition, and at least three of seven negatives lack the concept in each way.

    Examples
    --------
    >>> table = np.array([[1, 1], [1, 0], [0, 1], [0, 0]], np.int8)
    >>> oracle = AttributeOracle(table, [(0,), (1,)])
    >>> support = np.array([[[[1, 0]] * 3 + [[1, 1]] * 3, [[0, 1]] * 3 + [[0, 0]] * 3]], np.int8)
    >>> oracle.predict(Question(support, np.array([[1, 1]], np.int8))).tolist()
    [1.0]
    """

    name, kind, inputs = "attribute-table oracle", "observer", "symbols"

    def __init__(self, table: np.ndarray, concepts: Sequence[tuple[int, ...]]) -> None:
        self.concepts = tuple(concepts)
        self._first, self._second = np.array([(concept[0], concept[-1]) for concept in concepts]).T
        self._single = self._first == self._second
        pools = np.array([mask.sum(axis=0) for mask in self._ways(table)], float)
        pools[1, self._single] = 1  # with one attribute there is only one way to lack it; this is the second
        ways = np.where(self._single, 1, 2)
        self._log = -np.log(pools * [np.ones_like(ways), ways, ways])

    def _ways(self, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return concepts that pictures have, lack by attribute one, lack by attribute two; each (..., concepts)."""
        positive, negative = labels == 1, labels == 0
        first, second = positive[..., self._first], positive[..., self._second]
        return (
            first & second,
            negative[..., self._first] & second & ~self._single,
            (first | self._single) & negative[..., self._second],
        )

    def posterior(self, support: np.ndarray) -> np.ndarray:
        """Return the weight of each concept after the support (n, 2, 6, attributes), (n, concepts).

        Weights sum to 1, or are all 0 where no concept fits.
        """
        full = self._ways(support[:, 0])[0]
        by_first, by_second = self._ways(support[:, 1])[1:]
        fits = full.all(axis=1) & (by_first | by_second).all(axis=1)
        pairs = zip(self._log, (full, by_first, by_second), strict=True)
        log_weight = sum(log * mask.sum(axis=1) for log, mask in pairs)
        log_weight = np.where(fits, log_weight, -np.inf)
        best = log_weight.max(axis=1, keepdims=True)
        weight = np.exp(log_weight - np.where(np.isfinite(best), best, 0))
        return weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-300)

    def predict(self, question: Question) -> np.ndarray:
        """Return the probability that each query belongs to the positive side, (n,); one half where nothing fits."""
        weight = self.posterior(question.support)
        full, *partial = (np.exp(log) * mask for log, mask in zip(self._log, self._ways(question.query), strict=True))
        positive, negative = (weight * full).sum(axis=1), (weight * sum(partial)).sum(axis=1)
        valid = positive + negative > 0
        return np.divide(positive, positive + negative, out=np.full(len(weight), _UNKNOWN), where=valid)


class LabelSearch:
    """A control: it reads exact labels, but of the 25 taught attributes alone, and searches them and their pairs.

    What it gets on NV, the test of the attribute that it does not have, is likeness: some other concepts are nearly
    right there. Those that are right about most of the twelve pictures have one vote each. If ``strict``, a concept has
    a vote only if it is right about all twelve, and where there is none, the answer is one half.

    Examples
    --------
    >>> labels = np.zeros((2, 6, len(ATTRIBUTES)), np.int8)
    >>> labels[0, :5, 0] = 1  # five of six positives have the first attribute, and no negative
    >>> question = Question(labels[None], labels[0, :1])
    >>> [LabelSearch(strict).predict(question).tolist() for strict in (False, True)]
    [[1.0], [0.5]]
    """

    kind, inputs = "model", "symbols"

    def __init__(self, strict: bool = False) -> None:
        self.name, self.strict = f"search with exact labels{', all must fit' * strict}", strict
        taught = [k for k, name in enumerate(ATTRIBUTES) if name != NOVEL]
        self._first, self._second = np.array([*zip(taught, taught, strict=True), *combinations(taught, 2)]).T

    def predict(self, question: Question) -> np.ndarray:
        """Return the probability that each query belongs to the positive side, (n,)."""
        sides = self._having(question.support)  # (n, 2, 6, concepts)
        right = sides[:, 0].sum(axis=1) + (~sides[:, 1]).sum(axis=1)
        votes = right == (2 * SUPPORT if self.strict else right.max(axis=1, keepdims=True))
        total = votes.sum(axis=1)
        having = (votes & self._having(question.query)).sum(axis=1)
        return np.divide(having, total, out=np.full(len(total), _UNKNOWN), where=total > 0)

    def _having(self, labels: np.ndarray) -> np.ndarray:
        return (labels[..., self._first] == 1) & (labels[..., self._second] == 1)


def attribute_oracle(shapes: Shapes, profile: str = "verified") -> AttributeOracle:
    """Return the oracle that knows some shapes, and the concepts that a profile makes of them.

    Examples
    --------
    >>> from cogkit.bongard.shapes.inventory import catalogue
    >>> len(attribute_oracle(catalogue()).concepts) > 26
    True
    """
    concepts = [tuple(map(ATTRIBUTES.index, concept)) for concept in abstract.concepts(shapes, profile)]
    return AttributeOracle(shapes.table, concepts)


REFERENCES = {  # learners that need no training, by name: ``make(size, profile)``
    "pixel-prototype": lambda size, _: Prototype("pixel prototype", lambda ink: ink.reshape(len(ink), -1), size),
    "hu-prototype": lambda size, _: Prototype("Hu-moment prototype", floors.log_hu, size, standardised=True),
    "ink-amount": lambda size, _: Prototype(
        "ink amount", lambda ink: ink.mean(axis=(1, 2), dtype=float)[:, None], size
    ),
    "majority": lambda size, profile: floors.Majority(),
    "program-oracle": lambda size, profile: ProgramOracle(),
    "label-search": lambda size, profile: LabelSearch(),
    "label-search-strict": lambda size, profile: LabelSearch(strict=True),
    "attribute-oracle": lambda size, profile: attribute_oracle(inventory.available(), profile),
}
