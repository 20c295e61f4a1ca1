"""The pen's places against a turtle that walks there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from turtles import Ink, paint

from cogkit.bongard.logo import geometry
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import TYPES, Arc, Line

sizes, angles = st.floats(0.01, 1), st.floats(-180, 180)
actions = st.builds(Line, sizes, angles, st.sampled_from(TYPES)) | st.builds(
    Arc, sizes, st.floats(-360, 360), angles, st.sampled_from(TYPES)
)
places = st.builds(Placement, st.floats(-360, 360), st.floats(-360, 360), st.floats(0, 360), st.floats(80, 320))
shapes = st.builds(Placed, st.lists(actions, min_size=1, max_size=9).map(tuple), places)


def walked(placed: Placed) -> np.ndarray:
    (rows,) = paint((placed,), Ink())
    return np.array(rows)


def at(x: float = 0.0, y: float = 0.0, heading: float = 0.0, scale: float = 200.0) -> Placement:
    return Placement(x, y, heading, scale)


@given(shapes)
@settings(deadline=None)
def test_trace_is_where_a_turtle_walks(placed):
    np.testing.assert_allclose(geometry.trace(placed), walked(placed), rtol=0, atol=1e-8)


@given(shapes, st.floats(0.5, 45))
@settings(deadline=None)
def test_path_lies_on_lines_and_circles_and_hangs_together(placed, step):
    rows, scale = walked(placed), placed.at.scale
    strokes = geometry.path(placed, step)
    assert len(strokes) == len(placed.program)
    for k, (action, points) in enumerate(zip(placed.program, strokes, strict=True)):
        np.testing.assert_allclose(points[[0, -1]], rows[k : k + 2, :2], rtol=0, atol=1e-8)
        if k:
            assert (points[0] == strokes[k - 1][-1]).all()  # to the last bit: what joins them must not see a gap
        if isinstance(action, Line):
            assert len(points) == 2
            continue
        radius, left = action.radius * scale, math.radians(rows[k, 2] + action.turn + 90)
        centre = rows[k, :2] + radius * np.array([math.cos(left), math.sin(left)])
        np.testing.assert_allclose(np.hypot(*(points - centre).T), radius, rtol=0, atol=1e-8)
        turned = np.hypot(*np.diff(points, axis=0).T) / radius
        assert (turned <= 2 * math.sin(math.radians(step) / 2) + 1e-9).all()
        total = 2 * np.arcsin(np.minimum(turned / 2, 1)).sum()
        assert total == pytest.approx(math.radians(abs(action.sweep)), abs=1e-6)


def test_arcs_are_cut_at_right_angles_and_stops_are_their_ends():
    cuts = {90: [90], -90: [-90], 200: [90, 90, 20], -360: [-90] * 4, 0: [0]}
    assert {sweep: geometry.pieces(float(sweep)) for sweep in cuts} == cuts
    placed = Placed((Line(1.0), Arc(0.5, -200.0), Line(0.5, 90.0)), at())
    cut = Placed((Line(1.0), Arc(0.5, -90.0), Arc(0.5, -90.0), Arc(0.5, -20.0), Line(0.5, 90.0)), at())
    np.testing.assert_allclose(geometry.stops(placed), walked(cut)[1:, :2], rtol=0, atol=1e-9)
