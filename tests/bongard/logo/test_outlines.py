"""What is the same figure and what is not; what lies under other ink; what looks like one stroke."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from cogkit.bongard.logo import outlines
from cogkit.bongard.logo.programs import TYPES, Arc, Line
from cogkit.bongard.shapes import inventory

FIGURE = (
    Line(1.0, 0.0, "zigzag"),
    Arc(0.5, 90.0, 60.0, "circle"),
    Line(0.7, -30.0),
    Arc(0.25, -180.0, 120.0, "square"),
)

TRIANGLE = (Line(1.0), Line(1.0, 120.0, "circle"), Line(1.0, 120.0, "square"))
CORNERS = (Line(1.0), Line(0.5, 60.0), Line(0.7, 90.0))


def backwards(program):
    """Return a program that draws the same strokes from the last to the first."""
    turned = []
    for k, action in enumerate(reversed(program)):
        after = program[len(program) - k].turn if k else 0.0
        turned.append(
            replace(action, turn=-after)
            if isinstance(action, Line)
            else replace(action, sweep=-action.sweep, turn=-after)
        )
    return tuple(turned)


SAME = {
    "turned as a whole": (FIGURE, (replace(FIGURE[0], turn=77.0), *FIGURE[1:])),
    "half as large": (
        FIGURE,
        tuple(
            replace(a, length=a.length / 2) if isinstance(a, Line) else replace(a, radius=a.radius / 2) for a in FIGURE
        ),
    ),
    "a mirror image": (CORNERS, tuple(replace(action, turn=-action.turn) for action in CORNERS)),
    "one line in two": ((Line(1.0), Line(0.5, 90.0)), (Line(0.4), Line(0.6), Line(0.5, 90.0))),
    "one arc in three": ((Arc(0.5, 250.0),), (Arc(0.5, 90.0), Arc(0.5, 100.0), Arc(0.5, 60.0))),
    "a square from another corner": (
        tuple(Line(1.0, 90.0, type_) for type_ in TYPES[:4]),
        tuple(Line(1.0, 90.0, type_) for type_ in (*TYPES[1:4], TYPES[0])),
    ),
    "a circle the other way round": ((Arc(0.5, 360.0),), (Arc(0.3, -360.0),)),
}  # fmt: skip


@pytest.mark.parametrize("how", SAME)
def test_what_draws_the_same_figure_has_the_same_signature(how):
    one, other = SAME[how]
    assert np.abs(outlines.signature(one) - outlines.signature(other)).max() < outlines.SAME / 100


def test_drawn_backwards_it_is_the_same_figure():
    program = (Line(1.0, 0.0, "zigzag"), Line(0.5, 60.0), Line(0.7, -90.0, "circle"))
    assert np.abs(outlines.signature(program) - outlines.signature(backwards(program))).max() < 1e-6


def test_any_change_of_a_stroke_is_another_figure():
    base = outlines.signature(FIGURE)
    for k, action in enumerate(FIGURE):
        changes = [replace(action, type=type_) for type_ in TYPES if type_ != action.type]
        changes += [replace(action, turn=action.turn + step) for step in (-60, 30, 90)] if k else []
        changes += [replace(action, length=0.5)] if isinstance(action, Line) else [replace(action, radius=0.35)]
        for change in changes:
            other = outlines.signature((*FIGURE[:k], change, *FIGURE[k + 1 :]))
            assert np.abs(base - other).max() > outlines.SAME, change


def test_types_count_only_where_they_are_asked_for():
    plain = tuple(replace(action, type="normal") for action in FIGURE)
    assert np.abs(outlines.signature(FIGURE, typed=False) - outlines.signature(plain, typed=False)).max() < 1e-12
    assert np.abs(outlines.signature(FIGURE) - outlines.signature(plain)).max() > 0.1


def test_regular_polygons_and_the_circle_are_told_apart():
    signatures = [outlines.signature((Line(1.0),) + (Line(1.0, 360 / k),) * (k - 1), typed=False) for k in range(3, 10)]
    signatures.append(outlines.signature((Arc(0.5, 360.0),), typed=False))
    assert min(np.abs(a - b).max() for a, b in itertools.combinations(signatures, 2)) > outlines.SAME


def test_of_the_published_shapes_two_draw_the_same_figure(use_mirror):
    shapes = inventory.published()
    signatures = np.stack([outlines.signature(shape.program, typed=False) for shape in shapes])
    apart = np.abs(signatures[:, None] - signatures).max(axis=2)
    first, second = np.nonzero(np.triu(apart < outlines.SAME, 1))
    assert [(shapes.all[a].name, shapes.all[b].name) for a, b in zip(first, second, strict=True)] == [
        ("sector180", "closed_semi_circle")  # both a half circle on its diameter
    ]
    assert np.sort(apart[np.triu_indices(len(shapes), 1)])[1] > 3 * outlines.SAME  # nothing is near the limit


def test_pictures_are_the_same_whichever_shape_comes_first():
    one, other = (Line(1.0), Line(0.5, 90.0)), FIGURE
    pair = outlines.picture_signature([one, other])
    swapped, twice = outlines.picture_signature([other, one]), outlines.picture_signature([one, one])
    assert outlines.differ(pair, np.stack([pair, swapped, twice])) == pytest.approx(
        [0, 0, outlines.differ(pair, twice[None])[0]]
    )
    assert outlines.differ(pair, twice[None])[0] > outlines.SAME
    assert outlines.differ(pair, np.empty((0, *pair.shape))).shape == (0,)


def test_what_lies_under_the_ink_of_others():
    back = (Line(1.0), Line(1.0, 180.0))
    assert outlines.covered(back) == pytest.approx(1 - 0.14, abs=0.04)  # but for the corner itself
    assert outlines.covered((Line(1.0), Line(1.0, 120.0), Line(1.0, 120.0))) < 0.15  # a triangle closes
    crossing = (Line(1.0), Line(0.5, 90.0), Line(0.5, 90.0), Line(1.0, 90.0))
    assert outlines.covered(crossing) == pytest.approx(0.14 / 1.0, abs=0.06)
    assert outlines.covered((Line(1.0), Line(1.0))) == 0.0
    assert outlines.covered((Line(1.0),)) == 0.0
    twice_round = (Arc(0.5, 270.0), Arc(0.5, 270.0, 0.0, "zigzag"))
    assert outlines.covered(twice_round) == pytest.approx(180 / 270, abs=0.12)


@pytest.mark.parametrize(
    ("program", "seam"),
    [
        ((Line(1.0), Line(0.5)), True),
        ((Line(1.0), Line(0.5, 0.0, "zigzag")), False),
        ((Line(1.0), Line(0.5, 30.0)), False),
        ((Line(1.0), Arc(0.5, 90.0)), False),  # tangent, but a line is no arc
        ((Arc(0.5, 90.0), Arc(0.5, 90.0)), True),
        ((Arc(0.5, 90.0), Arc(0.25, 90.0)), False),
        ((Arc(0.5, 90.0), Arc(0.5, -90.0, 180.0)), False),  # the bend goes over to the other side
        ((Arc(0.5, -90.0), Arc(0.5, -90.0)), True),
        ((Arc(0.5, 90.0), Arc(0.5, 270.0)), True),
        ((Arc(0.5, 360.0),), True),  # goes on into itself
        (TRIANGLE + (Line(0.5, 120.0),), False),  # goes over its first side again
        (TRIANGLE + (Line(0.5, -60.0),), True),  # goes on where its first side began
    ],
)  # fmt: skip
def test_seams(program, seam):
    assert outlines.seams(program) is seam
