"""`Builder` without a browser: strokes come and go, numbers are looked at, and the attributes are those measured."""

from __future__ import annotations

import pytest
from cases import case

from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.shapes import attributes
from cogkit.bongard.views import Builder
from cogkit.core.errors import InputError

SQUARE = (Line(0.5), Line(0.5, 90.0), Line(0.5, 90.0), Line(0.5, 90.0))


@pytest.fixture
def builder(two_shapes):
    return Builder(SQUARE, two_shapes)


def send(builder, **message) -> None:
    before = builder.answered
    builder._handle_custom_msg(message, [])
    assert builder.answered == before + 1  # or the browser would wait for ever


def test_strokes_are_changed_added_moved_and_removed(builder):
    assert builder.set(2, turn=60.0, type="zigzag").program[1] == Line(0.5, 60.0, "zigzag") and builder.chosen == 2
    assert builder.set(3, kind="arc", size=0.25).program[2] == Arc(0.25, 90.0, 90.0)
    assert builder.set(3, sweep=-45.0).program[2] == Arc(0.25, -45.0, 90.0)
    assert builder.set(3, kind="line").program[2] == Line(0.25, 90.0)
    builder.add(0, Line(1.0, 10.0))
    assert builder.program[0] == Line(1.0, 10.0) and builder.chosen == 1 and len(builder.program) == 5
    builder.add()
    assert builder.program[1] == Line(1.0, 90.0) and builder.chosen == 2
    builder.move(2, 100)
    assert builder.program[-1] == Line(1.0, 90.0) and builder.chosen == 6
    builder.remove(6).remove(1)
    assert builder.program == (Line(0.5), Line(0.5, 60.0, "zigzag"), Line(0.25, 90.0), Line(0.5, 90.0))
    assert builder.chosen == 1 and builder.choose(3) == builder.scene["status"] and builder.chosen == 3


REFUSED = (
    (lambda b: b.set(5, turn=0), "one of the 4 strokes, counted from 1, got stroke 5"),
    (lambda b: b.paste("line_normal_0.500-0.500\n" * 13), "at most 12"),
)


def test_what_a_stroke_cannot_be_is_refused_and_nothing_is_changed(builder):
    builder.choose(4)
    scene = builder.scene
    for change, message in REFUSED:
        with case(message), pytest.raises(InputError, match=message):
            change(builder)
        assert builder.program == SQUARE and builder.chosen == 4 and builder.scene == scene, message
    for _ in range(8):
        builder.add()
    with pytest.raises(InputError, match="13 strokes"):
        builder.add()


def test_strings_are_those_published_and_pasted_ones_are_drawn(builder):
    assert builder.strings == ["line_normal_0.500-0.500", *["line_normal_0.500-0.750"] * 3]
    builder.paste('[\n  "line_zigzag_1.000-0.500",\n  "arc_normal_0.500_0.375-0.833"\n]\n')  # as it lies in a JSON file
    assert builder.program == (Line(1.0, 0.0, "zigzag"), Arc(0.5, -90.0, pytest.approx(119.88)))
    text, before = builder.scene["written"], builder.program
    send(builder, paste="line_normal_0.500-0.500\nline_normal_0.5oo-0.500")
    assert "'0.5oo-0.500' at character 13 of 'line_normal_0.5oo-0.500' (action 2)" in builder.scene["fault"]
    assert builder.program == before and builder.scene["written"] == text  # so what was typed stays


def test_messages_do_what_methods_do_and_a_wrong_one_is_told(builder):
    send(builder, set="turn", stroke=2, to=45)
    assert builder.program[1].turn == 45
    for message, chosen in (({"add": 2}, 3), ({"earlier": 3}, 2), ({"later": 2}, 3)):
        send(builder, **message)
        assert len(builder.program) == 5 and builder.chosen == chosen
    send(builder, remove=3)
    assert len(builder.program) == 4
    send(builder, start="fish")
    assert builder.program == (Line(1.0),) and builder.still["starts"] == ["nail", "fish"]
    for wrong in ({"set": "turn", "stroke": 1, "to": 700}, {"set": "turn", "stroke": 1, "to": None}, {"remove": 1},
                  {"start": "nobody"}, {"set": "_program", "stroke": 1, "to": 1}, {"choose": "x"}):  # fmt: skip
        send(builder, **wrong)
        assert builder.scene["status"].startswith("Not done: ") and builder.program == (Line(1.0),), wrong


def test_attributes_are_those_measured_and_the_certain_ones_stand_apart(builder):
    measured = attributes.compute(SQUARE)
    assert builder.attributes == measured
    rows = [row for group in builder.facts for row in group["rows"]]
    assert {name: value for name, value, _ in rows} == {name.replace("_", " "): v for name, v in measured.items()}
    sure = [name for name, *_ in builder.facts[0]["rows"]]
    assert sure == [name.replace("_", " ") for name in attributes.CERTIFIED] and len(rows) == 26
    builder.set(3, turn=20.0)
    now = attributes.compute(builder.program)
    assert now["closed_shape"] == 0 and builder.attributes == now
