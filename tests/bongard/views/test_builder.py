"""`Builder` without a browser: strokes come and go, numbers are looked at, and the attributes are those measured."""

from __future__ import annotations

import json

import pytest

from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.shapes import attributes
from cogkit.bongard.views import Builder
from cogkit.core.contracts import InputError

SQUARE = (Line(0.5), Line(0.5, 90.0), Line(0.5, 90.0), Line(0.5, 90.0))


@pytest.fixture
def builder(two_shapes):
    return Builder(SQUARE, two_shapes)


def send(builder, **message) -> None:
    before = builder.answered
    builder._handle_custom_msg(message, [])
    assert builder.answered == before + 1  # or the browser would wait for ever


def shown(builder) -> dict[str, int]:
    """What the page shows as measured, by the words of an attribute."""
    return {name: value for group in builder.facts for name, value, _ in group["rows"]}


def test_strokes_are_changed_added_moved_and_removed(builder):
    assert builder.set(2, turn=60.0, type="zigzag").program[1] == Line(0.5, 60.0, "zigzag")
    assert builder.chosen == 2 and builder.scene["status"] == "Stroke 2: turn 60.0, type zigzag."
    builder.set(3, kind="arc", size=0.25)
    assert builder.program[2] == Arc(0.25, 90.0, 90.0)
    builder.set(3, sweep=-45.0)
    assert builder.program[2] == Arc(0.25, -45.0, 90.0)
    builder.set(3, kind="line")
    assert builder.program[2] == Line(0.25, 90.0)
    builder.add(Line(1.0, 10.0), after=0)
    assert builder.program[0] == Line(1.0, 10.0) and builder.chosen == 1 and len(builder.program) == 5
    builder.add()
    assert builder.program[1] == Line(1.0, 90.0) and builder.chosen == 2
    builder.move(2, 1)
    assert builder.program[2] == Line(1.0, 90.0) and builder.program[1] == Line(0.5) and builder.chosen == 3
    builder.move(3, 100)
    assert builder.program[-1] == Line(1.0, 90.0) and builder.chosen == 6
    builder.remove(6).remove(1)
    assert builder.program == (Line(0.5), Line(0.5, 60.0, "zigzag"), Line(0.25, 90.0), Line(0.5, 90.0))
    assert builder.chosen == 1 and builder.choose(3) == "Stroke 3: left 90°, line 0.25." == builder.scene["status"]


def test_what_is_not_touched_keeps_every_decimal(two_shapes):
    program = (Line(1 / 3, 100 / 7), Arc(2 / 7, 1000 / 7, 50 / 7))
    builder = Builder(program, two_shapes).set(1, type="circle").set(2, type="zigzag")
    assert builder.program == (Line(1 / 3, 100 / 7, "circle"), Arc(2 / 7, 1000 / 7, 50 / 7, "zigzag"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda b: b.set(2, size=1.5), "a length of 1.5 in action 2"),
        (lambda b: b.set(2, turn=181), "a turn of 181° in action 2"),
        (lambda b: b.set(2, turn="left"), "'left' as turn of stroke 2"),
        (lambda b: b.set(2, size=float("nan")), "a length of nan in action 2"),
        (lambda b: b.set(5, turn=0), "one of the 4 strokes, counted from 1, got stroke 5"),
        (lambda b: b.set(0, turn=0), "stroke 0"),
        (lambda b: b.set(1, colour="red"), "field of a stroke"),
        (lambda b: b.set(1, kind="loop"), "kind of stroke"),
        (lambda b: b.set(1, type="dotted"), "the type 'dotted' in action 1"),
        (lambda b: b.add(Arc(0.5, 400.0)), "a sweep of 400.0° in action 5"),
        (lambda b: b.move(9, 1), "stroke 9"),
        (lambda b: b.remove(-1), "stroke -1"),
        (lambda b: b.choose(None), "stroke None"),
        (lambda b: b.start("bird"), "'bird'"),
        (lambda b: b.paste(""), "a list of one action string or more"),
        (lambda b: b.paste("line_normal_0.500-0.500\n" * 13), "at most 12"),
    ],
)
def test_what_a_stroke_cannot_be_is_refused_and_nothing_is_changed(builder, change, said):
    builder.choose(4)
    scene = builder.scene
    with pytest.raises(InputError, match=said):
        change(builder)
    assert builder.program == SQUARE and builder.chosen == 4 and builder.scene == scene


def test_the_first_and_the_last_stroke_that_there_can_be(two_shapes):
    builder = Builder((Line(1.0),), two_shapes)
    with pytest.raises(InputError, match="one stroke or more"):
        builder.remove(1)
    for _ in range(11):
        builder.add()
    with pytest.raises(InputError, match="13 strokes"):
        builder.add()
    assert len(builder.program) == 12


def test_strings_are_those_published_and_pasted_ones_are_drawn(builder):
    assert builder.strings == ["line_normal_0.500-0.500", *["line_normal_0.500-0.750"] * 3]
    text = '[\n  "line_zigzag_1.000-0.500",\n  "arc_normal_0.500_0.375-0.833"\n]\n'  # as it lies in a JSON file
    builder.paste(text)
    assert builder.program == (Line(1.0, 0.0, "zigzag"), Arc(0.5, -90.0, pytest.approx(119.88)))
    assert builder.chosen == 1 and [row["text"] for row in builder.scene["strokes"]] == builder.strings
    again = Builder.from_program(builder.strings, builder._known)
    assert again.program == builder.program == Builder.from_program(builder.program, builder._known).program


def test_a_fault_in_pasted_strings_is_told_with_its_place_beside_them(builder):
    text = builder.scene["written"]
    send(builder, paste="line_normal_0.500-0.500\nline_normal_0.5oo-0.500")
    fault = builder.scene["fault"]
    assert "'oo-0.500' at character 16 of 'line_normal_0.5oo-0.500' (action 2)" in fault and ". " not in fault
    assert builder.scene["status"] == "The strings cannot be drawn." and builder.program == SQUARE
    assert builder.scene["written"] == text  # so what was typed stays
    send(builder, choose=2)
    assert builder.scene["fault"] == ""


def test_messages_do_what_methods_do_and_a_wrong_one_is_told(builder):
    send(builder, set="turn", stroke=2, to=45)
    assert builder.program[1].turn == 45
    send(builder, add=2)
    assert len(builder.program) == 5 and builder.chosen == 3
    send(builder, earlier=3)
    assert builder.chosen == 2
    send(builder, later=2)
    assert builder.chosen == 3
    send(builder, remove=3)
    assert len(builder.program) == 4
    send(builder, start="fish")
    assert builder.program == (Line(1.0),) and builder.scene["status"] == "Begun with fish."
    for wrong in ({"set": "turn", "stroke": 1, "to": 700}, {"set": "turn", "stroke": 1, "to": None}, {"remove": 1},
                  {"start": "nobody"}, {"set": "_program", "stroke": 1, "to": 1}, {"choose": "x"}):  # fmt: skip
        send(builder, **wrong)
        assert builder.scene["status"].startswith("Not done: ") and builder.program == (Line(1.0),)


def test_attributes_are_those_measured_and_the_certain_ones_stand_apart(builder):
    measured = attributes.compute(SQUARE)
    assert builder.attributes == measured and measured["closed_shape"] == 1 and measured["has_curve"] == 0
    assert shown(builder) == {name.replace("_", " "): value for name, value in measured.items()}
    sure, others = builder.facts
    assert [name for name, *_ in sure["rows"]] == [name.replace("_", " ") for name in attributes.CERTIFIED]
    assert len(sure["rows"]) + len(others["rows"]) == 26
    assert not any(changed for group in builder.facts for *_, changed in group["rows"])
    builder.set(3, turn=20.0)
    now = attributes.compute(builder.program)
    assert now["closed_shape"] == 0 and builder.attributes == now
    marked = {name for group in builder.facts for name, _, changed in group["rows"] if changed}
    assert (
        marked == {name.replace("_", " ") for name in now if now[name] != measured[name]} and "closed shape" in marked
    )
    frame = builder.to_frame()
    assert dict(zip(frame.attribute, frame.value, strict=True)) == now
    assert frame[frame.certified].attribute.tolist() == list(attributes.CERTIFIED)


def test_choosing_a_stroke_measures_nothing_anew(builder, monkeypatch):
    builder.set(3, turn=20.0)
    facts = builder.facts
    monkeypatch.setattr(attributes, "compute", lambda program: pytest.fail("measured"))
    builder.choose(1)
    assert builder.facts is facts


def test_the_drawing_is_sent_before_it_is_measured(builder, monkeypatch):
    events = []
    monkeypatch.setattr(attributes, "compute", lambda program: events.append("measured") or builder.attributes)
    builder.observe(lambda change: events.append("drawn"), "scene")
    builder.set(1, size=0.25)
    assert events == ["drawn", "measured"]


def test_one_may_start_from_the_first_shape_of_each_super_class(two_shapes):
    assert Builder(known=two_shapes).still["starts"] == ["nail", "fish"]


def test_what_travels_is_small(two_shapes):
    builder = Builder(tuple(Arc(0.5, 90.0, 60.0, "circle") for _ in range(12)), two_shapes)
    assert len(builder._esm.encode()) <= 15_000
    assert len(json.dumps(builder.scene)) < 60_000 and len(json.dumps(builder.facts)) < 3_000
