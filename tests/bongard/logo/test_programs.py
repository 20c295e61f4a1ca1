"""Action strings: written as published, read back, and refused with the place of the fault."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogkit.bongard.logo import programs
from cogkit.bongard.logo.programs import TYPES, Arc, Line
from cogkit.core.contracts import InputError

sizes = st.floats(0.0005, 1)
turns = st.floats(-180, 180)
actions = st.builds(Line, sizes, turns, st.sampled_from(TYPES)) | st.builds(
    Arc, sizes, st.floats(-360, 360), turns, st.sampled_from(TYPES)
)
STRING = re.compile(
    r"(line_(normal|zigzag|circle|square|triangle)_\d\.\d{3}-\d\.\d{3}"
    r"|arc_(normal|zigzag|circle|square|triangle)_\d\.\d{3}_\d\.\d{3}-\d\.\d{3})"
)


@pytest.mark.parametrize(
    ("action", "text"),
    [  # the values of the facts, § 1
        (Line(1.0, 0.0), "line_normal_1.000-0.500"),
        (Line(1.0, 90.0, "zigzag"), "line_zigzag_1.000-0.750"),
        (Line(0.07, 120.0, "circle"), "line_circle_0.070-0.833"),
        (Line(0.5, -90.0, "square"), "line_square_0.500-0.250"),
        (Line(0.518, 60.0, "triangle"), "line_triangle_0.518-0.667"),
        (Arc(0.5, 90.0), "arc_normal_0.500_0.625-0.500"),
        (Arc(0.5, 0.0), "arc_normal_0.500_0.500-0.500"),
        (Arc(0.5, -90.0, 180.0), "arc_normal_0.500_0.375-1.000"),
    ],
)
def test_the_published_numbers_of_angles(action, text):
    assert programs.write(action) == text
    result = programs.parse(text)
    assert type(result) is type(action) and result.type == action.type
    assert result.turn == pytest.approx(action.turn, abs=0.18 + 1e-9)


@given(actions)
def test_what_is_written_can_be_read_and_is_as_near_as_three_decimals_are(action):
    text = programs.write(action)
    assert STRING.fullmatch(text)
    result = programs.parse(text)
    assert programs.write(result) == text
    assert (type(result), result.type) == (type(action), action.type)
    assert abs(result.turn - action.turn) <= 0.18 + 1e-6
    if isinstance(action, Arc):
        assert abs(result.radius - action.radius) <= 0.0005 + 1e-9 and abs(result.sweep - action.sweep) <= 0.36 + 1e-6
    else:
        assert abs(result.length - action.length) <= 0.0005 + 1e-9


def test_every_published_shape_can_be_written_and_read(reference):
    shapes = json.loads((reference / "bongard_logo" / "shapes.json").read_text())
    count = 0
    for shape in shapes.values():
        for stroke in shape["strokes"]:
            turn = (stroke["turn_deg"] + 180) % 360 - 180
            if stroke["kind"] == "line":
                action = Line(stroke["length"], turn)
            else:
                action = Arc(stroke["radius"], stroke["arc_deg"], turn)
            programs.validate([action])
            assert abs(programs.parse(programs.write(action)).turn - turn) <= 0.18 + 1e-6
            count += 1
    assert len(shapes) == 627 and count
    table = (reference / "bongard_logo" / "shapes.tsv").read_text().splitlines()[1:]
    assert count == sum(int(line.split("\t")[3]) for line in table)


@pytest.mark.parametrize(
    ("text", "place", "wanted"),
    [
        ("curve_normal_1.000-0.500", 1, "line or arc"),
        ("", 1, "line or arc"),
        ("line_dotted_1.000-0.500", 6, "stroke type"),
        ("line_normal_x-0.500", 13, "the length"),
        ("line_normal_-1.000-0.500", 13, "the length"),
        ("line_normal_1.001-0.500", 13, "over 0 to 1"),
        ("line_normal_0.000-0.500", 13, "over 0 to 1"),
        ("line_normal_1.000_0.500", 18, "'-' after the length"),
        ("line_normal_1.000-1.500", 19, "of 0 to 1"),
        ("line_normal_1.000-0.500 ", 24, "nothing after the turn"),
        ("line_normal_1.000-0.5.0", 22, "nothing after the turn"),
        ("line_normal_1.000", 18, "'-' after the length"),
        ("line_normal", 6, "'_' and a number"),
        ("arc_normal_0.500-0.500", 17, "'_' after the radius"),
        ("arc_normal_0.500_1.625-0.500", 18, "of 0 to 1"),
        ("arc_normal_0.500_nan-0.500", 18, "the sweep"),
    ],
)
def test_a_malformed_string_is_one_sentence_with_the_character_at_fault(text, place, wanted):
    with pytest.raises(InputError) as caught:
        programs.parse(text)
    assert f"at character {place} of" in str(caught.value) and wanted in caught.value.wanted
    assert "\n" not in str(caught.value)


@given(st.text(max_size=40))
def test_no_text_at_all_brings_another_error(text):
    try:
        assert STRING.fullmatch(programs.write(programs.parse(text)))
    except InputError:
        pass


def test_a_fault_in_a_program_names_the_action_and_where_it_stands():
    with pytest.raises(InputError, match=r"bd_x_0000, positive 3, shape 1, action 2"):
        programs.parse_program(["line_normal_1.000-0.500", "line_norma_1.000-0.500"], "bd_x_0000, positive 3, shape 1")
    for nothing in ([], "line_normal_1.000-0.500", None, 3):
        with pytest.raises(InputError, match="a list of one action string or more"):
            programs.parse_program(nothing)
    with pytest.raises(InputError, match="action 1"):
        programs.parse_program([7])


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (Line(0.0), "a length of 0.0 in action 1"),
        (Line(float("nan")), "a length of nan in action 1"),
        (Arc(1.5, 90), "a radius of 1.5 in action 1"),
        (Arc(0.5, 400), "a sweep of 400° in action 1"),
        (Line(1, 181), "a turn of 181° in action 1"),
        (Line(1, type="dashed"), "the type 'dashed' in action 1"),
        ("line", "'line' as action 1"),
    ],
)
def test_numbers_out_of_range_are_said_with_their_action(action, said):
    with pytest.raises(InputError, match=re.escape(said)):
        programs.validate([action])
    with pytest.raises(InputError, match="no action"):
        programs.validate([])
