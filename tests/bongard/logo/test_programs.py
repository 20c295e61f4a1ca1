"""Action strings: written as published, read back, and refused with the place of the fault."""

from __future__ import annotations

import re

import pytest
from cases import case
from hypothesis import given, settings
from hypothesis import strategies as st

from cogkit.bongard.logo import programs
from cogkit.bongard.logo.pictures import Placed
from cogkit.bongard.logo.programs import TYPES, Arc, Line
from cogkit.bongard.logo.tokens import AND, ARC, LINE, STOP, encode
from cogkit.core.errors import InputError

sizes, turns = st.floats(0.0005, 1), st.floats(-180, 180)
actions = st.builds(Line, sizes, turns, st.sampled_from(TYPES)) | st.builds(
    Arc, sizes, st.floats(-360, 360), turns, st.sampled_from(TYPES)
)
programs_of = st.lists(actions, min_size=1, max_size=9).map(tuple)
STRING = re.compile(
    r"(line_(normal|zigzag|circle|square|triangle)_\d\.\d{3}-\d\.\d{3}"
    r"|arc_(normal|zigzag|circle|square|triangle)_\d\.\d{3}_\d\.\d{3}-\d\.\d{3})"
)
WRITTEN = {  # the values of the facts, § 1
    "line_normal_1.000-0.500": Line(1.0, 0.0), "line_zigzag_1.000-0.750": Line(1.0, 90.0, "zigzag"),
    "line_circle_0.070-0.833": Line(0.07, 120.0, "circle"), "line_square_0.500-0.250": Line(0.5, -90.0, "square"),
    "line_triangle_0.518-0.667": Line(0.518, 60.0, "triangle"), "arc_normal_0.500_0.625-0.500": Arc(0.5, 90.0),
    "arc_normal_0.500_0.500-0.500": Arc(0.5, 0.0), "arc_normal_0.500_0.375-1.000": Arc(0.5, -90.0, 180.0),
}  # fmt: skip
MALFORMED = (
    ("curve_normal_1.000-0.500", 1, "line or arc"),
    ("line_dotted_1.000-0.500", 6, "stroke type"),
    ("line_normal_x-0.500", 13, "a length"),
    ("line_normal_0.000-0.500", 13, "over 0 to 1"),
    ("line_normal_1.001-0.500", 13, "over 0 to 1"),
    ("line_normal_1.000_0.500", 13, "'-' after it"),
    ("line_normal_1.000-0.5.0", 19, "nothing after it"),
    ("arc_normal_0.500_nan-0.500", 18, "a sweep"),
)


def near(action, wanted) -> bool:
    """Return whether an action is another, as near as three decimals are."""
    sizes = [(one.length,) if isinstance(one, Line) else (one.radius,) for one in (action, wanted)]
    sweeps = [getattr(one, "sweep", 0.0) for one in (action, wanted)]
    return (
        (type(action), action.type) == (type(wanted), wanted.type)
        and abs(action.turn - wanted.turn) <= 0.18 + 1e-6
        and abs(sizes[0][0] - sizes[1][0]) <= 0.0005 + 1e-9
        and abs(sweeps[0] - sweeps[1]) <= 0.36 + 1e-6
    )


def test_the_published_numbers_of_angles():
    assert {text: programs.write(action) for text, action in WRITTEN.items()} == {text: text for text in WRITTEN}
    assert all(near(programs.parse(text), action) for text, action in WRITTEN.items())


@given(actions)
@settings(deadline=None)
def test_what_is_written_can_be_read_and_is_as_near_as_three_decimals_are(action):
    text = programs.write(action)
    assert STRING.fullmatch(text)
    assert near(programs.parse(text), action) and programs.write(programs.parse(text)) == text


def test_a_malformed_string_is_one_sentence_with_the_character_at_fault():
    for text, place, wanted in MALFORMED:
        with case(text), pytest.raises(InputError) as caught:
            programs.parse(text)
        assert f"at character {place} of" in str(caught.value) and wanted in caught.value.wanted, text
        assert "\n" not in str(caught.value)


@given(st.text(max_size=40))
@settings(deadline=None)
def test_no_text_at_all_brings_another_error(text):
    try:
        assert STRING.fullmatch(programs.write(programs.parse(text)))
    except InputError:
        pass


def test_a_fault_in_a_program_names_the_action_and_where_it_stands():
    strings = ["line_normal_1.000-0.500", "line_norma_1.000-0.500"]
    with pytest.raises(InputError, match=r"bd_x_0000, positive 3, shape 1, action 2"):
        programs.parse_program(strings, "bd_x_0000, positive 3, shape 1")
    for nothing in ([], strings[0], None, [7]):
        with pytest.raises(InputError, match="a list of one|action 1"):
            programs.parse_program(nothing)
    for action, message in (
        (Line(float("nan")), "a length of nan in action 1"),
        (Arc(1.5, 90), "a radius of 1.5 in action 1"),
        (Line(1, type="dashed"), "the type 'dashed' in action 1"),
    ):
        with pytest.raises(InputError, match=re.escape(message)):
            programs.validate([action])


# Programs as the tokens that a decoder names


@given(programs_of, programs_of)
@settings(deadline=None, max_examples=40)
def test_tokens_hold_programs_as_they_are_published(one, other):
    tokens = encode([(Placed(one), Placed(other)), (Placed(one),)])
    assert tokens.kinds[0, len(one) + 1] == AND and tokens.kinds[1, len(one) + 1] == STOP
    places = [*range(1, len(one) + 1), *range(len(one) + 2, len(one) + len(other) + 2)]
    for place, action in zip(places, map(programs.parse, map(programs.write, one + other)), strict=True):
        size, sweep, turn = tokens.numbers[0, place].tolist()
        assert tokens.kinds[0, place] == (ARC if isinstance(action, Arc) else LINE)
        assert TYPES[tokens.types[0, place]] == action.type
        numbers = (action.radius, action.sweep) if isinstance(action, Arc) else (action.length, -360)
        expected = (numbers[0], (numbers[1] + 360) / 720, action.turn / 360 + 0.5)
        assert (size, sweep, turn) == pytest.approx(expected, abs=1e-6)


def test_two_longest_shapes_have_room():
    assert encode([(Placed((Line(1.0),) * 9), Placed((Line(0.5),) * 9))]).kinds[0, -1] == STOP
