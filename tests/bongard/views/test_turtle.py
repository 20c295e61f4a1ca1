"""`Turtle` without a browser: what it sends is what the painter draws, and where it says the pen is, it is."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

from cogkit.bongard.logo import drawing
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.views import Turtle, style
from cogkit.core.contracts import InputError

PROGRAM = (Line(1.0, 30), Arc(0.5, 90, -90, "circle"), Line(0.5, 120, "zigzag"), Arc(0.25, -180, 45))
AT = Placement(-50.0, 20.0, 10.0, 180.0)


def walked(program, at: Placement) -> list[tuple[float, float, float]]:
    """Where the pen is after each action, by a plain walk: an arc as many short steps along its circle."""
    x, y, heading, poses = at.x, at.y, math.radians(at.heading), []
    for action in program:
        heading += math.radians(action.turn)
        if isinstance(action, Line):
            x, y = x + action.length * at.scale * math.cos(heading), y + action.length * at.scale * math.sin(heading)
        else:
            steps, way = 20_000, math.radians(action.sweep)
            chord = action.radius * at.scale * way / steps  # backwards where the sweep is negative
            for k in range(steps):
                towards = heading + (k + 0.5) * way / steps
                x, y = x + chord * math.cos(towards), y + chord * math.sin(towards)
            heading += way
        poses.append((x, y, math.degrees(heading)))
    return poses


def test_the_frame_says_where_the_pen_is_after_each_action():
    frame = Turtle(Placed(PROGRAM, AT)).to_frame()
    np.testing.assert_allclose(frame[["x", "y", "heading"]], walked(PROGRAM, AT), atol=1e-4)
    assert frame.kind.tolist() == ["line", "arc", "line", "arc"] and frame.action.tolist() == [1, 2, 3, 4]
    assert frame["size"].tolist() == [1.0, 0.5, 0.5, 0.25] and frame.turn.tolist() == [30, -90, 120, 45]
    assert frame.sweep.isna().tolist() == [True, False, True, False] and frame.sweep[3] == -180
    assert frame.text[1] == "arc_circle_0.500_0.625-0.250"  # (90 + 360) / 720 and (-90 + 180) / 360


def test_what_is_sent_are_the_marks_of_the_painter_upside_down():
    picture = (Placed(PROGRAM, AT), Placed((Line(0.5, 0, "square"), Line(0.5, 90))))
    strokes, marks = Turtle(picture).still["strokes"], drawing.draw_list(picture)
    rows = [(k, *mark) for k, stroke in enumerate(strokes) for mark in stroke["marks"]]
    assert len(rows) == len(marks) and len(strokes) == 6
    for (k, path, width, stamp), mark in zip(rows, marks, strict=True):
        assert k == mark.shape * len(PROGRAM) + mark.action
        points = np.array([pair.split() for pair in re.split("[ML]", path.rstrip("Z"))[1:]], float)
        np.testing.assert_allclose(points, mark.points * [1, -1], atol=0.051)
        assert path.endswith("Z") == bool(stamp) == mark.stamp and width == pytest.approx(mark.width, abs=0.051)


def test_a_stroke_begins_where_the_one_before_ended_and_looks_where_it_was_turned():
    turtle = Turtle(Placed(PROGRAM, AT))
    x, y, heading = AT.x, AT.y, AT.heading
    assert turtle.still["start"] == [-50, -20, -10]
    for action, stroke, end in zip(PROGRAM, turtle.still["strokes"], walked(PROGRAM, AT), strict=True):
        assert stroke["way"][0] == pytest.approx([x, -y], abs=0.051)
        assert (stroke["was"], stroke["from"]) == pytest.approx((-heading, -heading - action.turn), abs=0.006)
        x, y, heading = end
        assert stroke["way"][-1] == pytest.approx([x, -y], abs=0.051) and stroke["to"] == pytest.approx(
            -heading, abs=0.006
        )


def test_the_words_of_each_position():
    turtle = Turtle((*PROGRAM[:2], Arc(0.25, -180.0, 45.04, "zigzag")), "Mine")
    assert turtle.status == "The pen is put down, heading 0° (0° is right, 90° up)."
    assert [turtle.step() for _ in range(3)] == [
        "Stroke 1 of 3: left 30°, line 1. Heading 30°.",
        "Stroke 2 of 3: right 90°, arc 90° at radius 0.5 of circles. Heading 30°.",
        "Stroke 3 of 3: left 45°, zigzag arc −180° at radius 0.25. Heading 255°.",
    ]
    two = Turtle((Placed(PROGRAM[:1]), Placed(PROGRAM[:1], AT)))
    assert two.show(2) == "Stroke 2 of 2: the pen is put down anew; left 30°, line 1. Heading 40°."
    assert "anew" not in two.show(1)


def test_positions_end_where_the_drawing_does_and_others_are_refused():
    turtle = Turtle(PROGRAM)
    for strokes, place in [(-1, 0), (1, 1), (100, 4), (1, 4), (-2, 2), (-100, 0)]:
        turtle.step(strokes)
        assert turtle.position == place
    for position in (-1, 5):
        with pytest.raises(InputError, match="a number between 0, the empty paper, and 4"):
            turtle.show(position)
    assert turtle.position == 0


def test_play_pause_and_moving_by_hand():
    turtle = Turtle(PROGRAM)
    turtle.show(2)
    turtle.play()
    assert turtle.playing and turtle.position == 2
    turtle.pause()
    assert not turtle.playing and turtle.position == 2
    turtle.play()
    turtle.step()
    assert not turtle.playing and turtle.position == 3
    turtle.show(4)
    turtle.play()
    assert turtle.playing and turtle.position == 0  # from the end it begins again


def test_a_program_fills_the_frame_and_a_picture_lies_on_its_paper():
    x, y, wide, high = Turtle(PROGRAM).still["view"]
    ink = np.vstack([mark.points for mark in drawing.draw_list((Placed(PROGRAM),))])
    assert wide == high and x <= ink[:, 0].min() and ink[:, 0].max() <= x + wide
    assert y <= (-ink[:, 1]).min() and (-ink[:, 1]).max() <= y + high
    assert max(np.ptp(ink, axis=0)) > 0.7 * wide
    for placed in (Placed(PROGRAM, AT), (Placed(PROGRAM, AT),), [Placed(PROGRAM, AT)]):
        assert Turtle(placed).still["view"] == [-400, -400, 800, 800]


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        (
            ["line_normal_1.000-0.500", "line_norml_1.000-0.500"],
            r"at character 6 of 'line_norml_1.000-0.500' \(action 2\)",
        ),
        ((Line(1.0), Arc(2.0, 90.0)), "a radius of 2.0 in action 2"),
        ((), "a program, its published strings, or a picture"),
        ("line_normal_1.000-0.500", "a program, its published strings, or a picture"),
        (7, "a program, its published strings, or a picture"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(drawn, said):
    with pytest.raises(InputError, match=said):
        Turtle(drawn)


def test_what_travels_is_small():
    long = tuple(Arc(0.5, 90.0, 60.0, "circle") for _ in range(9))
    turtle = Turtle((Placed(long, Placement(scale=320.0)),) * 2)
    assert len(turtle._esm.encode()) <= 15_000 and len(json.dumps(turtle.still)) < 100_000


def test_a_pictures_address_holds_its_pixels():
    import base64
    import io

    from PIL import Image

    from cogkit.bongard.logo import raster

    picture = (Placed(PROGRAM, AT),)
    kind, data = style.uri(picture, 64).split(",")
    assert kind == "data:image/png;base64"
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(base64.b64decode(data)))), raster.image(picture, 64))
