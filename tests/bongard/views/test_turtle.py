"""`Turtle` without a browser: what it sends is what the painter draws, and where it says the pen is, it is."""

from __future__ import annotations

import re

import numpy as np
import pytest
from turtles import Ink, paint

from cogkit.bongard.logo import drawing
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.views import Turtle
from cogkit.core.errors import InputError

PROGRAM = (Line(1.0, 30), Arc(0.5, 90, -90, "circle"), Line(0.5, 120, "zigzag"), Arc(0.25, -180, 45))
AT = Placement(-50.0, 20.0, 10.0, 180.0)


def test_what_is_sent_are_the_marks_of_the_painter_upside_down():
    (walked,) = paint((Placed(PROGRAM, AT),), Ink())  # where the pen is, and looks, at first and after each action
    picture = (Placed(PROGRAM, AT), Placed((Line(0.5, 0, "square"), Line(0.5, 90))))
    still, marks = Turtle(picture).still, drawing.draw_list(picture)
    rows = [(k, *mark) for k, stroke in enumerate(still["strokes"]) for mark in stroke["marks"]]
    for (k, path, width, stamp), mark in zip(rows, marks, strict=True):
        assert k == mark.shape * len(PROGRAM) + mark.action
        points = np.array([pair.split() for pair in re.split("[ML]", path.rstrip("Z"))[1:]], float)
        np.testing.assert_allclose(points, mark.points * [1, -1], atol=0.051)
        assert path.endswith("Z") == bool(stamp) == mark.stamp and width == pytest.approx(mark.width, abs=0.051)
    assert still["start"] == [-50, -20, -10]
    for action, stroke, before, after in zip(PROGRAM, still["strokes"], walked, walked[1:], strict=False):
        ends = [*stroke["way"][0], *stroke["way"][-1]]
        assert ends == pytest.approx([before[0], -before[1], after[0], -after[1]], abs=0.051)
        turns = (stroke["was"], stroke["from"], stroke["to"])
        assert turns == pytest.approx((-before[2], -before[2] - action.turn, -after[2]), abs=0.006)


def test_positions_end_where_the_drawing_does_and_say_what_was_done():
    turtle = Turtle(PROGRAM)
    for strokes, place in [(-1, 0), (1, 1), (100, 4), (1, 4), (-2, 2), (-100, 0)]:
        turtle.step(strokes)
        assert turtle.position == place
    assert turtle.show(2) == "Stroke 2 of 4: right 90°, arc 90° at radius 0.5 of circles. Heading 30°."


def test_what_cannot_be_shown_is_refused():
    with pytest.raises(InputError, match="a number between 0, the empty paper, and 4"):
        Turtle(PROGRAM).show(5)
