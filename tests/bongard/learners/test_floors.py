"""Floors and observers against plain loops, exact figures, and what a shape's position must not change."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from cases import case
from learners.drawings import question_of

from cogkit.bongard.learners import floors, observers
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import Question
from cogkit.bongard.shapes.inventory import ATTRIBUTES

RNG = np.random.default_rng


def hu_by_hand(picture) -> list[float]:
    """Hu's seven numbers, each as Hu (1962, eq. 8 to 10) writes it, by loops over pixels."""
    pixels = [(x, y, v) for y, row in enumerate(picture.tolist()) for x, v in enumerate(row)]
    mass = sum(v for *_, v in pixels)
    mx, my = (sum(p[axis] * p[2] for p in pixels) / mass for axis in (0, 1))

    def n(p, q):
        return sum((x - mx) ** p * (y - my) ** q * v for x, y, v in pixels) / mass ** (1 + (p + q) / 2)

    n20, n02, n11, n30, n03, n21, n12 = n(2, 0), n(0, 2), n(1, 1), n(3, 0), n(0, 3), n(2, 1), n(1, 2)
    return [
        n20 + n02,
        (n20 - n02) ** 2 + 4 * n11**2,
        (n30 - 3 * n12) ** 2 + (3 * n21 - n03) ** 2,
        (n30 + n12) ** 2 + (n21 + n03) ** 2,
        (n30 - 3 * n12) * (n30 + n12) * ((n30 + n12) ** 2 - 3 * (n21 + n03) ** 2)
        + (3 * n21 - n03) * (n21 + n03) * (3 * (n30 + n12) ** 2 - (n21 + n03) ** 2),
        (n20 - n02) * ((n30 + n12) ** 2 - (n21 + n03) ** 2) + 4 * n11 * (n30 + n12) * (n21 + n03),
        (3 * n21 - n03) * (n30 + n12) * ((n30 + n12) ** 2 - 3 * (n21 + n03) ** 2)
        - (n30 - 3 * n12) * (n21 + n03) * (3 * (n30 + n12) ** 2 - (n21 + n03) ** 2),
    ]


def test_hu_moments_are_those_of_a_plain_loop():
    ink = RNG(0).random((5, 9, 12)) ** 3
    for picture, row in zip(ink, floors.hu_moments(ink), strict=True):
        assert row == pytest.approx(hu_by_hand(picture), rel=1e-9)
    assert floors.hu_moments(np.zeros((2, 5, 5))).tolist() == [[0.0] * 7] * 2


def question(positive, negative, query, size=16) -> Question:
    """One question of pictures given as ink, six the same a side."""
    images = [np.round(255 * (1 - np.asarray(ink, float))).astype(np.uint8) for ink in (positive, negative, query)]
    support = np.stack([np.repeat(ink[None], 6, axis=0) for ink in images[:2]])
    return Question(support[None], images[2][None])


def bar(x, y, width, height, size=16):
    ink = np.zeros((size, size))
    ink[y : y + height, x : x + width] = 1
    return ink


def floor(name: str) -> floors.Prototype:
    return observers.REFERENCES[name](16, "verified")


def predict(learner, positive, negative, query) -> float:
    return float(learner.predict(question(positive, negative, query))[0])


def test_pixels_tell_a_place_hu_moments_a_shape_and_ink_how_much_alone():
    flat, square, moved = bar(1, 1, 8, 1), bar(7, 9, 3, 3), bar(7, 10, 8, 1)
    assert predict(floor("pixel-prototype"), flat, square, flat) > 0.99
    assert predict(floor("pixel-prototype"), flat, square, moved) < 0.5  # it lies on the square
    assert predict(floor("hu-prototype"), flat, square, moved) > 0.99
    assert predict(floor("hu-prototype"), square, flat, moved) < 0.01
    little, much = bar(0, 0, 3, 1), bar(0, 0, 6, 6)
    assert predict(floor("ink-amount"), much, little, bar(9, 9, 5, 5)) > 0.99
    assert predict(floor("ink-amount"), much, little, bar(9, 9, 2, 2)) < 0.01


def test_what_is_alike_on_both_sides_tells_nothing_and_every_question_is_answered_alone():
    rng, blank, block = RNG(3), np.zeros((16, 16)), bar(1, 1, 3, 3)
    questions = Question(*(rng.integers(0, 256, (7, *more, 16, 16), dtype=np.uint8) for more in ((2, 6), ())))
    for name in ("pixel-prototype", "hu-prototype", "ink-amount"):
        with case(name):
            learner = floor(name)
            assert {predict(learner, ink, ink, query) for ink in (blank, block) for query in (blank, block)} == {0.5}
            chances = learner.predict(questions)
            alone = [learner.predict(questions[k : k + 1])[0] for k in range(7)]
            assert chances == pytest.approx(alone) and len(set(chances.tolist())) == 7
            swapped = learner.predict(Question(questions.support[:, ::-1], questions.query))
            assert swapped == pytest.approx(1 - chances)


# The program oracle


def picture(*shapes, x=0.0):
    return tuple(Placed(tuple(shape), Placement(x=x)) for shape in shapes)


def typed(shape, *types):
    return [replace(action, type=type_) for action, type_ in zip(shape, types, strict=True)]


CONE = [Line(1.0), Arc(0.5, 90.0, 30.0), Line(1.0, 120.0)]
NAIL = [Line(0.7), Line(0.3, 90.0)]
HOOK = [Line(0.7), Arc(0.3, 90.0, 90.0)]
TYPES = ["normal", "zigzag", "circle", "square", "triangle"]


def read(positives, negatives, query) -> float:
    return float(observers.ProgramOracle().predict(question_of(positives, negatives, query))[0])


def test_free_form_is_the_same_program_wherever_it_lies():
    concept = typed(CONE, "zigzag", "normal", "circle")
    positives = [picture(concept, x=float(k)) for k in range(7)]
    negatives = [picture(typed(CONE, "zigzag", "normal", "square"))] * 6
    assert read(positives[:6], negatives, positives[6]) == 1
    other = picture(typed(CONE, "zigzag", "normal", "triangle"))
    assert read(positives[:6], negatives, other) == 0  # a type is another stroke
    assert read(positives[:6], negatives, picture(concept[:2] + [Line(1.0, 90.0, "circle")])) == 0


def test_basic_is_the_same_strokes_whatever_their_types_and_whichever_is_drawn_first():
    rng = RNG(5)
    pairs = [[typed(CONE, *rng.choice(TYPES, 3)), typed(NAIL, *rng.choice(TYPES, 2))] for _ in range(7)]
    positives = [picture(*(shapes if k % 2 else shapes[::-1])) for k, shapes in enumerate(pairs)]
    negatives = [picture(typed(CONE, *rng.choice(TYPES, 3)), typed(HOOK, *rng.choice(TYPES, 2))) for _ in range(7)]
    assert read(positives[:6], negatives[:6], positives[6]) == 1
    assert read(positives[:6], negatives[:6], negatives[6]) == 0
    assert read(positives[:6], negatives[:6], picture(CONE)) == 0
    assert read(positives[:6], negatives[:6], picture(CONE, CONE)) == 0  # one shape twice is not the two


def test_where_positives_share_no_program_it_knows_nothing():
    positives = [picture([Line(length)]) for length in np.linspace(0.1, 0.7, 7)]
    negatives = [picture(CONE)] * 6
    assert read(positives[:6], negatives, positives[6]) == read(positives[:6], negatives, negatives[0]) == 0.5


# The attribute table


def table_and_concepts(seed=0, shapes=60, attributes=5):
    """Labels of which some go together, so that twelve pictures leave several concepts open."""
    rng = RNG(seed)
    table = rng.choice([-1, 0, 1], size=(shapes, attributes), p=[0.1, 0.4, 0.5]).astype(np.int8)
    table[:, 1:4] = np.where(rng.random((shapes, 3)) < 0.75, table[:, :1], table[:, 1:4])
    concepts = [(a,) for a in range(attributes)] + [(a, b) for a in range(attributes) for b in range(a)]
    return table, [concept for concept in concepts if drawable(table, concept)]


def pools(table, concept):
    """The shapes of each side of a concept: those that have it, and a list of ways to lack it, from the facts' rule."""
    rows = table.tolist()
    if len(concept) == 1:
        (a,) = concept
        return [v for v in rows if v[a] == 1], [[v for v in rows if v[a] == 0]]
    a, b = concept
    ways = [[v for v in rows if (v[a], v[b]) == labels] for labels in ((0, 1), (1, 0))]
    return [v for v in rows if (v[a], v[b]) == (1, 1)], ways


def drawable(table, concept) -> bool:
    has, ways = pools(table, concept)
    return all((has, *ways))


def chance_of(vector, pool) -> Fraction:
    """Of drawing a shape with these labels from a pool."""
    return Fraction(pool.count(vector), len(pool))


def by_hand(table, concepts, support, query):
    """Posterior of every concept and of the positive side, in fractions and by loops over pools."""
    weights, positive, negative = [], Fraction(0), Fraction(0)
    for concept in concepts:
        has, ways = pools(table, concept)
        lacks = lambda v, ways=ways: sum(chance_of(v, way) for way in ways) / len(ways)  # noqa: E731
        weight = math.prod(chance_of(v, has) for v in support[0]) * math.prod(lacks(v) for v in support[1])
        weights.append(weight)
        positive += weight * chance_of(query, has)
        negative += weight * lacks(query)
    total = sum(weights)
    shares = [float(weight / total) if total else 0.0 for weight in weights]
    return shares, float(positive / (positive + negative)) if positive + negative else 0.5


def episodes(table, concepts, n, rng):
    """Concepts drawn with equal chances, each picture on its own: support, query, and the concepts' numbers."""

    def drawn(concept, side):
        has, ways = pools(table, concept)
        pool = ways[rng.integers(len(ways))] if side else has
        return pool[rng.integers(len(pool))]

    picks = rng.integers(len(concepts), size=n)
    support = [[[drawn(concepts[k], side) for _ in range(6)] for side in (0, 1)] for k in picks]
    query = [drawn(concepts[k], side) for k, side in zip(picks, rng.integers(2, size=n), strict=True)]
    return np.array(support, np.int8), np.array(query, np.int8), picks


def test_the_posterior_is_that_of_fractions():
    table, concepts = table_and_concepts()
    oracle = observers.AttributeOracle(table, concepts)
    support, query, picks = episodes(table, concepts, 60, RNG(6))
    support[-3:] = RNG(7).choice([-1, 0, 1], size=(3, 2, 6, 5))  # fits nothing
    weights, chances = oracle.posterior(support), oracle.predict(Question(support, query))
    several = 0
    for k in range(60):
        expected, p = by_hand(table, concepts, support[k].tolist(), query[k].tolist())
        assert weights[k] == pytest.approx(expected, abs=1e-12) and chances[k] == pytest.approx(p, abs=1e-12)
        several += sum(share > 1e-3 for share in expected) > 1
    assert several > 5  # else nothing was weighed
    assert (weights[np.arange(57), picks[:57]] > 0).all() and weights[-3:].sum() == 0
    assert chances[-3:].tolist() == [0.5] * 3


def test_a_search_without_the_novel_attribute_has_likeness_alone():
    """Against loops, in problems of which half have a concept that is right about all twelve pictures."""
    known = [name != sets.NOVEL for name in ATTRIBUTES]
    concepts = [(a, b) for a, b in itertools.combinations_with_replacement(np.flatnonzero(known).tolist(), 2)]
    assert len(concepts) == 325
    rng = RNG(3)
    support, query = rng.choice([-1, 0, 1], (40, 2, 6, 26), p=[0.1, 0.3, 0.6]), rng.choice([-1, 0, 1], (40, 26))
    support[:20, 0, :, :2], support[:20, 1, :, 1] = 1, 0  # the second attribute fits all twelve, and so does the pair
    question = Question(support.astype(np.int8), query.astype(np.int8))
    for strict in (False, True):
        answers, sure = observers.LabelSearch(strict).predict(question), 0
        for (positives, negatives), image, answer in zip(support.tolist(), query.tolist(), answers, strict=True):
            has = [[sum(v[a] == v[b] == 1 for v in side) for side in (positives, negatives)] for a, b in concepts]
            right = [first + 6 - second for first, second in has]
            least = 12 if strict else max(right)
            votes = [image[a] == image[b] == 1 for (a, b), score in zip(concepts, right, strict=True) if score == least]
            assert answer == pytest.approx(np.mean(votes) if votes else 0.5)
            sure += bool(votes)
        assert sure < 40 if strict else sure == 40
