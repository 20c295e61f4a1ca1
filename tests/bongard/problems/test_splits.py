"""Splits with new shapes: what is held out, what is left of the concepts, and that no figure is on both sides."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from cogkit import bongard
from cogkit.bongard.instrument import INSTRUMENT
from cogkit.bongard.logo import outlines
from cogkit.bongard.problems import certify, sets, splits, stroke_styles
from cogkit.bongard.shapes import attributes, inventory
from cogkit.core.errors import InputError
from cogkit.core.items import overlap

pytestmark = pytest.mark.usefixtures("use_mirror")
HELD_OUT = {"arc", "heptagon", "octagon", "octagon*", "pentagon", "pentagon*", "triangle*"}  # 7 of 17 super classes
SIZES = {"train": (2826, 155), "val": (274, 123), "AB": (392, 56), "CM": (320, 8), "NV": (400, 10)}  # and concepts
RUNGS = {"AB": "interpolation", "CM": "composition", "NV": "rule"}


def specs(part):
    return sets.task_specs(f"new-shapes/{part}")


def drawn(problem):
    """The shapes in all fourteen pictures of a problem."""
    shapes = inventory.available()
    return [shapes[placed.name] for side in problem.sides for picture in side for placed in picture]


@pytest.fixture(scope="module")
def some():
    """Every twentieth problem of each part."""
    return {part: [*map(sets.problem, specs(part)[::20])] for part in SIZES}


def test_parts_are_as_large_as_first_counted():
    assert {part: (len(specs(part)), len({spec.concept for spec in specs(part)})) for part in SIZES} == SIZES
    every = [spec for part in SIZES for spec in specs(part)] + sets.specs(kinds=("hd",))
    assert len({spec.index for spec in every}) == len(every)  # no random stream serves two problems
    assert len({spec.name for spec in every}) == len(every)


def test_no_held_out_shape_is_in_training_and_nothing_else_is_in_the_tests(some):
    for part, problems in some.items():
        classes = [{shape.super_class for shape in drawn(problem)} for problem in problems]
        assert all(each <= HELD_OUT if part in RUNGS else each.isdisjoint(HELD_OUT) for each in classes), part
        assert all(len(drawn(problem)) == 14 for problem in problems)


def test_problems_keep_the_promises_of_their_profile(some):
    shapes = inventory.available()
    assert not [fault for problems in some.values() for problem in problems for fault in certify.check(problem, shapes)]


def test_no_new_shape_draws_the_figure_of_an_old_one(some):
    def signatures(*parts):
        shapes = [shape for part in parts for made in some[part] for shape in drawn(made)]
        return np.stack([outlines.signature(shape.program, typed=False) for shape in shapes])

    assert cdist(signatures("train", "val"), signatures(*RUNGS), "chebyshev").min() > outlines.SAME


def test_concepts_are_those_that_the_shapes_suffice_for():
    """Ten shapes for each way to have a concept or to lack it, in a loop over labels that geometry bears out."""
    shapes = inventory.available()
    copies = {shapes.all[row].name for rows in stroke_styles.repeats(shapes).values() for row in rows}
    labels = {True: [], False: []}  # of new shapes, and of old ones
    for shape in shapes:
        computed = attributes.compute(shape.program)
        sure = {
            name: label for name, label in shape.attributes.items()
            if name not in attributes.CERTIFIED or label == computed[name]
        }  # fmt: skip
        if shape.name not in copies:
            labels[shape.super_class in HELD_OUT].append(sure)

    def enough(concept, new):
        ways = [dict.fromkeys(concept, 1), *({**dict.fromkeys(concept, 1), name: 0} for name in concept)]
        return min(sum(all(sure.get(k) == v for k, v in way.items()) for sure in labels[new]) for way in ways) >= 10

    of = {part: {spec.concept for spec in sets.task_specs(part) if spec.kind == "hd"} for part in sets.TASKS}
    trained = {concept for concept in of["train"] | of["val"] if enough(concept, new=False)}
    assert {spec.concept for part in ("train", "val") for spec in specs(part)} == trained
    taught = {name for concept in trained for name in concept} | {sets.NOVEL}
    for part, whole in (("AB", trained), ("CM", of["CM"]), ("NV", of["NV"])):
        wanted = {concept for concept in whole if {*concept} <= taught and enough(concept, new=True)}
        assert {spec.concept for spec in specs(part)} == wanted, part


def test_a_split_has_its_rung_its_parts_and_a_note_on_what_is_left_out():
    assert {part: splits.place(f"new-shapes/{part}")[1] for part in RUNGS} == RUNGS
    parts = INSTRUMENT.split("abstract, new pairs of attributes, new shapes")
    assert parts.name in INSTRUMENT.splits() and (parts.task, parts.rung) == ("new-shapes/CM", "composition")
    sizes = [len(each) for each in (parts.train, parts.val, parts.test)]
    assert sizes == [SIZES[part][0] for part in ("train", "val", "CM")] and not overlap(parts.train, parts.val)
    assert "8 of 20 concepts" in parts.note and "12 are left out" in parts.note and "eyes" in parts.note
    items = bongard.items("new-shapes/CM", 2)
    assert parts.test[:2].hash == items.hash and {parts.test.split, items.split} == {parts.name}


def test_training_problems_of_a_test_are_found_at_the_front_door():
    items = bongard.items("new-shapes/CM", 3, part="val")
    assert [problem.name for problem in items] == [spec.name for spec in specs("val")[:3]]
    with pytest.raises(InputError, match="wanted a test .*, got 'new-shapes/AC'"):
        bongard.items("new-shapes/AC", 1, part="train")
