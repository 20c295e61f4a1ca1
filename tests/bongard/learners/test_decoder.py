"""Programs as the tokens that a decoder writes, and back."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cogkit.bongard.logo import tokens
from cogkit.bongard.logo.programs import TYPES, Arc, Line, parse_program, write_program
from cogkit.bongard.logo.tokens import AND, LINE, PAD, START, STOP, Tokens, decode, encode
from cogkit.bongard.shapes import inventory

TRIANGLE = parse_program(["line_circle_1.000-0.500", "line_circle_1.000-0.833", "line_circle_1.000-0.833"])
BOW = parse_program(["arc_normal_0.500_0.625-0.750", "line_zigzag_0.700-0.250"])

sizes, angles = st.floats(0.0006, 1.0), st.floats(-180.0, 180.0)
lines = st.builds(Line, sizes, angles, st.sampled_from(TYPES))
arcs = st.builds(Arc, sizes, st.floats(-360.0, 360.0), angles, st.sampled_from(TYPES))
programs = st.lists(lines | arcs, min_size=1, max_size=9).map(tuple)
drawings = st.lists(programs, min_size=1, max_size=2).map(tuple)


def as_written(drawn):
    """Return programs as anybody reads them from the published strings."""
    return [tuple(parse_program(write_program(program)) for program in shapes_) for shapes_ in drawn]


@given(st.lists(drawings, min_size=1, max_size=4))
@settings(deadline=None, max_examples=40)
def test_programs_come_back_as_they_are_published(drawn):
    assert decode(encode(drawn)) == as_written(drawn)


def test_every_published_shape_and_the_longest_pairs_come_back(mirror):
    alone = [shape.program for shape in inventory.published()]
    longest = sorted(alone, key=len)[-20:]
    assert max(map(len, longest)) == 9
    pictures = [(program,) for program in alone] + [(longest[k], longest[-1 - k]) for k in range(10)]
    assert decode(encode(pictures)) == as_written(pictures)


def test_two_longest_shapes_have_room():
    assert encode([((Line(1.0),) * 9, (Line(0.5),) * 9)]).kinds[0, -1] == STOP


def test_tokens_that_say_no_picture_are_none():
    rows = [
        [START, LINE, LINE], [LINE, LINE, STOP], [START, STOP], [START, LINE, AND, STOP], [START, AND, LINE, STOP],
        [START, LINE, AND, LINE, AND, LINE, STOP], [START, LINE, PAD, LINE, STOP], [START, START, LINE, STOP],
    ]  # fmt: skip
    kinds = np.array([row + [PAD] * (tokens.LENGTH - len(row)) for row in rows])
    code = Tokens(kinds, np.zeros_like(kinds), np.full((*kinds.shape, 3), 0.5, np.float32))
    assert decode(code) == [None] * len(rows)


def test_what_follows_stop_is_not_read_and_numbers_are_brought_into_range():
    code = encode([((Arc(0.5, 0.0, 0.0),),)])
    code.kinds[0, 3:] = LINE
    code.numbers[0, 1] = [-2.0, 1.7, np.nan]
    assert decode(code) == [((Arc(0.001, 360.0, -180.0),),)]
