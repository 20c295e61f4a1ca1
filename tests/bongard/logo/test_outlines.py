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
HALF = tuple(
    replace(a, length=a.length / 2) if isinstance(a, Line) else replace(a, radius=a.radius / 2) for a in FIGURE
)
CORNERS = (Line(1.0, 0.0, "zigzag"), Line(0.5, 60.0), Line(0.7, 90.0, "circle"))
SQUARE = tuple(Line(1.0, 90.0, type_) for type_ in TYPES[:4])
TRIANGLE = (Line(1.0), Line(1.0, 120.0, "circle"), Line(1.0, 120.0, "square"))
SAME = {
    "turned as a whole": (FIGURE, (replace(FIGURE[0], turn=77.0), *FIGURE[1:])),
    "half as large": (FIGURE, HALF),
    "a mirror image": (CORNERS, tuple(replace(action, turn=-action.turn) for action in CORNERS)),
    "backwards": (CORNERS, (Line(0.7, 0.0, "circle"), Line(0.5, -90.0), Line(1.0, -60.0, "zigzag"))),
    "one line in two": ((Line(1.0), Line(0.5, 90.0)), (Line(0.4), Line(0.6), Line(0.5, 90.0))),
    "one arc in three": ((Arc(0.5, 250.0),), (Arc(0.5, 90.0), Arc(0.5, 100.0), Arc(0.5, 60.0))),
    "a square from another corner": (SQUARE, (*SQUARE[1:], SQUARE[0])),
    "a circle the other way round": ((Arc(0.5, 360.0),), (Arc(0.3, -360.0),)),
}  # fmt: skip


def apart(one, other, **options) -> float:
    """Return how far the signatures of two programs are apart."""
    return np.abs(outlines.signature(one, **options) - outlines.signature(other, **options)).max()


def test_what_draws_the_same_figure_has_the_same_signature():
    distances = {how: apart(*pair) for how, pair in SAME.items()}
    assert max(distances.values()) < outlines.SAME / 100, distances


def test_any_change_of_a_stroke_is_another_figure():
    for k, action in enumerate(FIGURE):
        changes = [replace(action, type=type_) for type_ in TYPES if type_ != action.type]
        changes += [replace(action, turn=action.turn + step) for step in (-60, 30, 90)] if k else []
        changes += [replace(action, length=0.5)] if isinstance(action, Line) else [replace(action, radius=0.35)]
        for change in changes:
            assert apart(FIGURE, (*FIGURE[:k], change, *FIGURE[k + 1 :])) > outlines.SAME, change


def test_types_count_only_where_they_are_asked_for():
    plain = tuple(replace(action, type="normal") for action in FIGURE)
    assert apart(FIGURE, plain, typed=False) < 1e-12 and apart(FIGURE, plain) > 0.1


def test_regular_polygons_and_the_circle_are_told_apart():
    figures = [(Line(1.0),) + (Line(1.0, 360 / k),) * (k - 1) for k in range(3, 10)] + [(Arc(0.5, 360.0),)]
    assert min(apart(*pair, typed=False) for pair in itertools.combinations(figures, 2)) > outlines.SAME


def test_of_the_published_shapes_two_draw_the_same_figure(use_mirror):
    shapes = inventory.published()
    signatures = np.stack([outlines.signature(shape.program, typed=False) for shape in shapes])
    distances = np.abs(signatures[:, None] - signatures).max(axis=2)
    first, second = np.nonzero(np.triu(distances < outlines.SAME, 1))
    (pair,) = zip(first, second, strict=True)  # both a half circle on its diameter
    assert [shapes.all[k].name for k in pair] == ["sector180", "closed_semi_circle"]
    assert np.sort(distances[np.triu_indices(len(shapes), 1)])[1] > 3 * outlines.SAME  # nothing is near the limit


def test_pictures_are_the_same_whichever_shape_comes_first():
    one, other = (Line(1.0), Line(0.5, 90.0)), FIGURE
    pair, swapped, twice = map(outlines.picture_signature, ([one, other], [other, one], [one, one]))
    same, turned, different = outlines.differ(pair, np.stack([pair, swapped, twice]))
    assert same == pytest.approx(0) and turned == pytest.approx(0) and different > outlines.SAME
    assert outlines.differ(pair, np.empty((0, *pair.shape))).shape == (0,)


def test_what_lies_under_the_ink_of_others():
    square = (Line(1.0), Line(0.5, 90.0), Line(0.5, 90.0), Line(1.0, 90.0))
    for program, share, within in (
        ((Line(1.0), Line(1.0, 180.0)), 1 - 0.14, 0.04),  # back again, but for the corner itself
        ((Line(1.0), Line(1.0, 120.0), Line(1.0, 120.0)), 0.0, 0.15),  # a triangle closes
        (square, 0.14, 0.06),  # the last crosses the first
        ((Line(1.0), Line(1.0)), 0.0, 0.0),
        ((Line(1.0),), 0.0, 0.0),
        ((Arc(0.5, 270.0), Arc(0.5, 270.0, 0.0, "zigzag")), 180 / 270, 0.12),  # twice round
    ):
        assert outlines.covered(program) == pytest.approx(share, abs=within), program


def test_seams():
    for program, seam in (
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
    ):
        assert outlines.seams(program) is seam, program
