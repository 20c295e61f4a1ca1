"""Programs as the tokens that a decoder names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cogkit.bongard.logo.pictures import Placed
from cogkit.bongard.logo.programs import TYPES, Arc, Line, parse, write
from cogkit.bongard.logo.tokens import AND, ARC, LINE, STOP, encode

sizes, angles = st.floats(0.0006, 1.0), st.floats(-180.0, 180.0)
lines = st.builds(Line, sizes, angles, st.sampled_from(TYPES))
arcs = st.builds(Arc, sizes, st.floats(-360.0, 360.0), angles, st.sampled_from(TYPES))
programs = st.lists(lines | arcs, min_size=1, max_size=9).map(tuple)


@given(programs, programs)
@settings(deadline=None, max_examples=40)
def test_tokens_hold_programs_as_they_are_published(one, other):
    tokens = encode([(Placed(one), Placed(other)), (Placed(one),)])
    assert tokens.kinds[0, len(one) + 1] == AND and tokens.kinds[1, len(one) + 1] == STOP
    places = [*range(1, len(one) + 1), *range(len(one) + 2, len(one) + len(other) + 2)]
    for place, action in zip(places, map(parse, map(write, one + other)), strict=True):
        size, sweep, turn = tokens.numbers[0, place].tolist()
        assert tokens.kinds[0, place] == (ARC if isinstance(action, Arc) else LINE)
        assert TYPES[tokens.types[0, place]] == action.type
        numbers = (action.radius, action.sweep) if isinstance(action, Arc) else (action.length, -360)
        expected = (numbers[0], (numbers[1] + 360) / 720, action.turn / 360 + 0.5)
        assert (size, sweep, turn) == pytest.approx(expected, abs=1e-6)


def test_two_longest_shapes_have_room():
    assert encode([(Placed((Line(1.0),) * 9), Placed((Line(0.5),) * 9))]).kinds[0, -1] == STOP
