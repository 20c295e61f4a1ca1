"""Nothing that a learner is shown gives an answer away: its fields, its order, what lies behind its arrays."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Line
from cogkit.bongard.problems import observations
from cogkit.bongard.problems.records import Items, Problem
from cogkit.bongard.scoring import judge
from cogkit.bongard.shapes.inventory import ATTRIBUTES, Shapes
from cogkit.core.errors import InputError


def strings(value) -> set[str]:
    """Every string anywhere in a question, and the names of what it is made of."""
    if isinstance(value, str):
        return {value}
    if dataclasses.is_dataclass(value):
        names = {field.name for field in dataclasses.fields(value)} | getattr(value, "__dict__", {}).keys()
        return set().union(*(strings(getattr(value, name)) for name in names))
    if isinstance(value, np.ndarray):
        return set().union(*map(strings, value.ravel())) if value.dtype == object else set()
    return set().union(*map(strings, value)) if isinstance(value, tuple | list) else set()


class Looks:
    """Keeps the question, and answers nothing."""

    kind, size = "model", 16

    def __init__(self, inputs):
        self.name, self.inputs, self.questions = f"looks at {inputs}", inputs, []

    def predict(self, question):
        self.questions.append(question)
        return np.full(len(question), 0.5)


@pytest.mark.parametrize("inputs", observations.INPUTS)
def test_a_question_holds_the_pictures_and_no_more(numbered, two_shapes, inputs):
    learner, problems = Looks(inputs), numbered(5)
    if inputs == "symbols":
        problems = [named(problem, two_shapes) for problem in problems]
    judge(learner, Items(tuple(problems), "bongard", "FF"), shapes=two_shapes)
    for question in learner.questions:
        assert set(vars(question)) == {"support", "query"}
        assert strings(question) <= {"", "normal"}  # no shape's name, no problem's, no concept
        for array in (question.support, question.query):
            owner = array if array.base is None else array.base
            assert owner.nbytes == array.nbytes  # nothing lies behind it
        if inputs == "programs":
            assert {placed.at for picture in question.query for placed in picture} == {Placement()}


def test_pixels_are_what_was_drawn(numbered):
    images = np.random.default_rng(0).integers(0, 256, (9, 2, 7, 16, 16), dtype=np.uint8)
    learner = Looks("pixels")
    judge(learner, numbered(9), images=images)
    (question,) = learner.questions
    for support, query in zip(question.support, question.query, strict=True):
        (k,) = np.flatnonzero((images[:, :, :6] == support).all(axis=(1, 2, 3, 4)))
        assert any((images[k, side, 6] == query).all() for side in (0, 1))
    question.support[:] = 0
    assert images.any()


def test_the_order_of_queries_tells_nothing(numbered, number):
    learner = Looks("programs")
    for seed in range(5):
        judge(learner, Items(tuple(numbered(320)), "bongard", "FF"), seed=seed)
    batches = [[number(picture)[1] for picture in question.query] for question in learner.questions]
    assert {len(batch) for batch in batches} == {128} and len(batches) == 25
    table = np.array(batches)
    assert table.sum(axis=1).tolist() == [64] * 25  # as many of either side in each batch
    for half in (table[:, ::2], table[:, 1::2], table[:, :64], table[:, 0:1]):
        assert abs(half.mean() - 0.5) < 4 * 0.5 / math.sqrt(half.size)
    assert abs((table[:, 1:] == table[:, :-1]).mean() - 63 / 127) < 4 * 0.5 / math.sqrt(25 * 127)
    assert len({tuple(batch) for batch in batches}) == 25


# Symbols


def named(problem: Problem, shapes: Shapes) -> Problem:
    sides = [tuple((Placed(shape.program, name=shape.name),) for _ in range(7)) for shape in shapes]
    return dataclasses.replace(problem, positives=sides[0], negatives=sides[1])


def test_symbols_are_the_labels_of_the_one_shape(numbered, two_shapes):
    learner, problem = Looks("symbols"), named(numbered(1)[0], two_shapes)
    pair = (Placed((Line(1.0),), name="nail"), Placed((Line(1.0),), name="fish"))
    mixed = dataclasses.replace(problem, negatives=(pair, *problem.negatives[1:6], (Placed((Line(1.0),)),)))
    judge(learner, [mixed], shapes=two_shapes)
    (question,) = learner.questions
    column = {name: k for k, name in enumerate(ATTRIBUTES)}
    assert question.support.dtype == np.int8 and question.support.shape == (2, 2, 6, 26)
    nail, fish = question.support[0, 0, 0], question.support[0, 1, 1]
    assert (nail[column["convex"]], nail[column["necked"]], nail.sum()) == (1, -1, 0)
    assert fish[column["symmetric"]] == 1 and fish.sum() == 1
    assert (question.support[0, 1, 0] == -1).all()  # of two shapes
    assert sorted(query.sum() for query in question.query) == [-26, 0]  # of a shape without a name, and the nail


def test_a_shape_that_nobody_knows_is_named(numbered, two_shapes):
    with pytest.raises(InputError, match="'shape 1'"):
        judge(Looks("symbols"), numbered(1), shapes=two_shapes)
