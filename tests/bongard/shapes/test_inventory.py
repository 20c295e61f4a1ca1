"""The published shapes as they are read, against cleaned tables of them; and every way a table can be wrong."""

from __future__ import annotations

import json
import pickle
from collections import Counter

import pytest

from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.shapes import inventory
from cogkit.bongard.shapes.inventory import ATTRIBUTES
from cogkit.core.errors import InputError
from cogkit.data import published as files


def as_in_table(action) -> dict:
    if isinstance(action, Line):
        return {"kind": "line", "length": action.length, "turn_deg": action.turn}
    return {"kind": "arc", "radius": action.radius, "arc_deg": action.sweep, "turn_deg": action.turn}


def test_the_published_strokes_and_labels_are_those_of_the_cleaned_tables(shape_set, reference, rows):
    expected = json.loads((reference / "bongard_logo/shapes.json").read_text("utf-8"))
    assert [shape.name for shape in shape_set] == list(expected) and shape_set.source == "published"
    assert shape_set.table.tolist() == [[*shape.attributes.values()] for shape in shape_set]
    assert len(shape_set) == 627 and len(shape_set.super_classes) == 17 and not shape_set.table.flags.writeable
    for shape, row in zip(shape_set, rows.values(), strict=True):
        assert shape.super_class == expected[shape.name]["super_class"]
        assert [as_in_table(action) for action in shape.program] == expected[shape.name]["strokes"]
        assert {action.type for action in shape.program} == {"normal"}
        assert (shape.name, shape.stampable) == (row["name"], row["stampable"] == "1")
        marked = {name: -1 if row[name] == "10" else int(row[name]) for name in ATTRIBUTES[:25]}
        assert {name: shape.attributes[name] for name in marked} == marked
    assert sum(row[name] == "10" for row in rows.values() for name in ATTRIBUTES[:25]) == 1  # a typing error


def test_a_shape_is_found_by_name_or_the_nearest_is_named_and_can_be_a_key(shape_set):
    assert shape_set["open_s1"].program == (Arc(0.5, 90.0), Arc(0.5, -60.0, 180.0))
    with pytest.raises(InputError, match=r"a published shape .*, got 'open_s1x': did you mean 'open_s1'\?"):
        shape_set["open_s1x"]
    shape = shape_set.all[0]
    assert pickle.loads(pickle.dumps(shape)) == shape and len({*shape_set.all, shape}) == 627


def test_the_derived_attribute_follows_from_two(shape_set):
    names = ("symmetric", "self_transposed", "symmetric_transposed")
    counts = Counter(tuple(shape.attributes[name] for name in names) for shape in shape_set)
    assert counts == {(1, 1, 1): 57, (1, 0, 0): 199, (0, 1, 0): 30, (0, 0, 0): 341}
    none = dict.fromkeys(inventory.MARKED, 0)
    for marks in ({"symmetric": 1, "self_transposed": -1}, {"symmetric": -1}):
        assert inventory.derive(none | marks)["symmetric_transposed"] == -1


def test_without_the_published_ones_the_catalogue_is_used_and_said(monkeypatch, home, mirror):
    messages = []
    monkeypatch.setattr(files, "announce", messages.append)
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    assert inventory.available() is inventory.published() and inventory.available("catalogue").source == "catalogue"
    assert messages == []
    monkeypatch.delenv("COGKIT_MIRROR")
    monkeypatch.setenv("COGKIT_OFFLINE", "1")
    assert inventory.available().source == "catalogue"
    assert len(messages) == 1 and "COGKIT_OFFLINE" in messages[0] and "catalogue" in messages[0]
    with pytest.raises(files.Unavailable):
        inventory.available("published")
    with pytest.raises(InputError, match="any, published or catalogue"):
        inventory.available("upstream")
