"""Our own shapes: enough of them, all drawable, closed where they should be, no two alike, and rightly labelled."""

from __future__ import annotations

import cmath
import hashlib
import math
import re

import numpy as np
import pytest
from cases import case

from cogkit.bongard.logo.geometry import stops
from cogkit.bongard.logo.pictures import HALF, Placed, Placement
from cogkit.bongard.logo.programs import Line, parse_program, validate, write_program
from cogkit.bongard.shapes import inventory
from cogkit.bongard.shapes.attributes import ATTRIBUTES, CERTIFIED, certain

SIZE = 1.2  # the largest distance between two points of a shape, in units of its scale, where no stroke gets too long
LONGEST = 0.98  # of lengths and radii, whose limit is 1
RECORDED = "944e96bf7002639312d785f45a38303863f8f2166e68017ad9d6e6592de402a1"  # when a program drew them
CLOSED = (
    "triangle", "quadrangle", "polygon", "block", "star", "arrow", "house", "crown", "blade", "sector", "moon",
    "necked", "pair", "round_pair", "mixed_pair",
)  # fmt: skip


def trace(program) -> list[complex]:
    """Where the pen has been, by small steps: independent of `cogkit.bongard.logo.geometry`."""
    places, heading = [0j], 0.0
    for action in program:
        heading += action.turn
        start, ahead = places[-1], cmath.rect(1, math.radians(heading))
        if isinstance(action, Line):
            places += [start + action.length * k / 60 * ahead for k in range(1, 61)]
        else:
            centre = start + action.radius * 1j * ahead
            turns = [cmath.rect(1, math.radians(action.sweep * k / 120)) for k in range(1, 121)]
            places += [centre + (start - centre) * turn for turn in turns]
            heading += action.sweep
    return places


@pytest.fixture(scope="module")
def catalogue() -> inventory.Shapes:
    return inventory.catalogue()


def test_every_shape_is_the_recorded_one_to_the_last_bit(catalogue):
    """Names, families, order, and every number as a hexadecimal double."""
    lines = []
    for shape in catalogue:
        strokes = [
            (type(action).__name__, *(getattr(action, name).hex() for name in action.__slots__ if name != "type"))
            for action in shape.program
        ]
        lines.append(repr((shape.name, shape.super_class, strokes)))
    assert len(lines) == 343
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == RECORDED


def test_stored_labels_are_what_geometry_gives(catalogue):
    for shape in catalogue:
        assert shape.attributes == certain(shape.program), shape.name


def test_there_are_enough_shapes_with_names_of_their_own(catalogue, use_mirror):
    assert catalogue.source == "catalogue" and inventory.catalogue() is catalogue
    assert len(catalogue.by_name) == len(catalogue) >= 150 and len(catalogue.super_classes) >= 12
    assert min(map(len, catalogue.super_classes.values())) >= 8  # a basic problem needs others of its own
    assert all(re.fullmatch(r"[a-z]+(_[a-z0-9]+)*", name) for name in [*catalogue.by_name, *catalogue.super_classes])
    assert not set(catalogue.by_name) & set(inventory.published().by_name)


def test_every_shape_can_be_drawn_and_written_and_closed_ones_close_exactly(catalogue):
    for shape in catalogue:
        with case(shape.name):
            assert validate(shape.program) == shape.program and len(shape.program) <= 9
            assert shape.program[0].turn == 0.0 and {action.type for action in shape.program} == {"normal"}
            assert len(parse_program(write_program(shape.program))) == len(shape.program)
            places = np.array(trace(shape.program))
            width = np.abs(places[:, None] - places[None, ::10]).max()
            longest = max(action.length if isinstance(action, Line) else action.radius for action in shape.program)
            assert 0.5 <= width <= SIZE + 1e-3
            assert width == pytest.approx(SIZE, rel=1e-3) or longest == pytest.approx(LONGEST)
            assert shape.super_class not in CLOSED or abs(places[-1]) < 1e-9


def test_shapes_find_room_on_the_paper(catalogue):
    """Of the placements of abstract problems at least a tenth are on the paper: three hundred tries always find one."""
    rng = np.random.default_rng(0)
    for shape in catalogue:
        angles, radii, scales = rng.uniform(0, 360, 120), rng.uniform(1, 250, 120), rng.uniform(150, 320, 120)
        starts = [cmath.rect(radius, math.radians(angle)) for radius, angle in zip(radii, angles, strict=True)]
        count = sum(
            (abs(stops(Placed(shape.program, Placement(start.real, start.imag, angle, scale)))) <= HALF).all()
            for start, angle, scale in zip(starts, angles, scales, strict=True)
        )
        assert count >= 12, shape.name


def test_only_certain_attributes_are_labels(catalogue):
    for name, column in zip(ATTRIBUTES, catalogue.table.T, strict=True):
        if name not in CERTIFIED:
            assert set(column) == {-1}
        elif name != "convex":  # asked of single faces only
            assert (column == -1).mean() < 0.15, name
