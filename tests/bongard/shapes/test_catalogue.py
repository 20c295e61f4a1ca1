"""Our own shapes: those that were recorded when a program drew them, enough of them, and rightly labelled."""

from __future__ import annotations

import hashlib
import re

import pytest

from cogkit.bongard.shapes import inventory
from cogkit.bongard.shapes.attributes import certain

RECORDED = "944e96bf7002639312d785f45a38303863f8f2166e68017ad9d6e6592de402a1"  # when a program drew them


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
