"""Floors of memory for abstract problems, against loops over the training problems."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from learners.drawings import question_of

from cogkit import bongard
from cogkit.bongard.learners import memory
from cogkit.bongard.logo import outlines
from cogkit.bongard.problems import sets, splits
from cogkit.core.splits import HIGHER


@pytest.fixture(scope="module")
def problems():
    """Four problems of each of sixteen concepts, and problems to ask."""
    specs = [spec for spec in sets.task_specs("train") if spec.kind == "hd"]
    concepts = sorted({spec.concept for spec in specs})[::12]
    chosen = [[spec for spec in specs if spec.concept == concept][:5] for concept in concepts]
    made = [[sets.problem(spec) for spec in some] for some in chosen]
    return [each for some in made for each in some[1:]], [some[0] for some in made]


def sides_of(problem):
    return [{memory.shapes_of(picture) for picture in side} for side in problem.sides]


def vote(training, made, query, how, alike) -> int:
    """The vote of memory on a query of a problem whose first six pictures a side are shown, in loops.

    ``alike(shapes)`` are the figures of training that it takes for those of a picture.
    """
    groups, twelve, votes = {}, Counter(), []
    for number, problem in enumerate(training):
        group = groups.setdefault(problem.concept if how == "concepts" else number, Counter())
        for sign, shapes in zip((1, -1), sides_of(problem), strict=True):
            group.update(dict.fromkeys(shapes, sign))
    for sign, side in zip((1, -1), made.sides, strict=True):
        for shapes in map(memory.shapes_of, side[:6]):
            if shapes != query:
                twelve.update(dict.fromkeys(alike(shapes), sign))
    for group in groups.values():
        own = sum(np.sign(group[figure]) for figure in alike(query))
        votes.append((own, sum(np.sign(group[figure]) * n for figure, n in twelve.items())))
    best = max((agrees for own, agrees in votes if own), default=0)
    return np.sign(sum(own * agrees if how == "pairs" else own * (agrees == best) for own, agrees in votes))


@pytest.mark.parametrize("how", memory.HOW)
def test_memory_votes_as_a_loop_does(how, problems):
    training, tests = problems
    floor, outcomes = memory.Memory(training, how), set()
    for made in tests:
        for picture in (made.positives[6], made.negatives[6]):
            sign = vote(training, made, memory.shapes_of(picture), how, lambda shapes: [shapes])
            outcomes.add(sign)
            assert floor.predict(question_of(*made.sides, picture)).tolist() == [(sign + 1) / 2], made.name
    assert {1, -1} <= outcomes


@pytest.fixture(scope="module")
def new_shapes():
    """Forty problems of old shapes, and six with new shapes alone."""
    parts = (("train", 40), ("AB", 6))
    return tuple([*map(sets.problem, sets.task_specs(f"new-shapes/{part}")[:n])] for part, n in parts)


@pytest.mark.parametrize("near", [1, 4])
@pytest.mark.parametrize("how", memory.HOW)
def test_a_shape_never_met_is_taken_for_those_most_like_it(how, near, new_shapes):
    training, tests = new_shapes
    figures = [*dict.fromkeys(shape for problem in training for side in sides_of(problem) for shape in side)]
    numbers = {figure: outlines.signature(figure[0], typed=False) for figure in figures}
    spread = np.std([*numbers.values()], axis=0)

    def alike(shape):
        one = outlines.signature(shape[0], typed=False)
        return sorted(figures, key=lambda figure: np.sum(((numbers[figure] - one) / spread) ** 2))[:near]

    exact, outcomes = memory.Memory(training, how), set()
    for made in tests:
        for picture in (made.positives[6], made.negatives[6]):
            sign, question = (
                vote(training, made, memory.shapes_of(picture), how, alike),
                question_of(*made.sides, picture),
            )
            outcomes.add(sign)
            assert exact.nearest(near).predict(question).tolist() == [(sign + 1) / 2], made.name
            assert exact.predict(question).tolist() == [0.5]
    assert {1, -1} <= outcomes


def test_a_turned_shape_in_other_strokes_is_the_same_shape(problems):
    spec = next(spec for spec in sets.task_specs("train") if spec.kind == "bd")
    made = sets.problem(spec)  # its positives are one pair of shapes, in other places and strokes
    assert len({memory.shapes_of(picture) for picture in made.positives}) == 1
    assert len({memory.shapes_of(picture) for picture in (*made.positives, *made.negatives)}) > 1


def test_each_test_is_a_split_with_its_rung():
    assert [splits.place(task)[1] for task in sets.TESTS] == ["extrapolation", "composition", "composition", "rule"]
    assert {splits.place(task)[1] for task in sets.TESTS} <= {*HIGHER} and splits.place("all tests") == ("", "")
    rows = bongard.results()
    assert rows[rows.task == "NV"].rung.eq("rule").all() and rows[rows.task == "val/FF"].rung.eq("").all()
