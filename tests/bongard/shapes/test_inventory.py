"""The published shapes as they are read, against cleaned tables of them; and every way a table can be wrong."""

from __future__ import annotations

import csv
import json
import pickle
from collections import Counter
from itertools import combinations

import pytest

from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.shapes import inventory
from cogkit.bongard.shapes.inventory import ATTRIBUTES, Shapes
from cogkit.core.contracts import InputError
from cogkit.data import published as files

CONCEPT_CELL = 10  # shapes that a pair of attributes needs with both, and with either alone


@pytest.fixture
def published(use_mirror) -> Shapes:
    return inventory.published()


def _rows(path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def _stroke(action) -> dict:
    if isinstance(action, Line):
        return {"kind": "line", "length": action.length, "turn_deg": action.turn}
    return {"kind": "arc", "radius": action.radius, "arc_deg": action.sweep, "turn_deg": action.turn}


def test_the_published_strokes_are_those_of_the_cleaned_table(published, reference):
    expected = json.loads((reference / "bongard_logo/shapes.json").read_text("utf-8"))
    assert [shape.name for shape in published] == list(expected)
    for shape in published:
        assert shape.super_class == expected[shape.name]["super_class"]
        assert [_stroke(action) for action in shape.program] == expected[shape.name]["strokes"]
        assert {action.type for action in shape.program} == {"normal"}


def test_the_published_labels_are_those_of_the_cleaned_table(published, reference):
    typing_errors = 0
    for shape, row in zip(published, _rows(reference / "bongard_logo/attributes.tsv"), strict=True):
        assert (shape.name, shape.stampable) == (row["name"], row["stampable"] == "1")
        for name in ATTRIBUTES[:25]:
            typing_errors += row[name] == "10"
            assert shape.attributes[name] == (-1 if row[name] == "10" else int(row[name])), (shape.name, name)
    assert typing_errors == 1


def test_the_published_counts_are_those_measured(published, reference):
    """Facts, § 4."""
    assert (published.source, len(published), len(published.super_classes)) == ("published", 627, 17)
    assert sum(shape.stampable for shape in published) == 312
    strokes = Counter(len(shape.program) for shape in published)
    assert strokes == {1: 6, 2: 42, 3: 61, 4: 109, 5: 76, 6: 127, 7: 83, 8: 94, 9: 29}
    expected = {
        row["super_class"]: int(row["n_shapes"]) for row in _rows(reference / "bongard_logo/super_class_counts.tsv")
    }
    assert {name: len(members) for name, members in published.super_classes.items()} == expected
    assert published.table.shape == (627, 26)
    for row in _rows(reference / "bongard_logo/attribute_counts.tsv"):
        if row["attribute"] == "stampable":
            continue
        counts = Counter(published.table[:, ATTRIBUTES.index(row["attribute"])].tolist())
        missing = int(row["not_applicable"]) + int(row["other"])
        assert (counts[1], counts[0], counts[-1]) == (int(row["positive"]), int(row["negative"]), missing), row[
            "attribute"
        ]


def test_the_table_gives_the_220_concepts_of_the_abstract_problems(published, reference):
    concepts = json.loads((reference / "bongard_logo/abstract_concepts.json").read_text("utf-8"))
    has = dict(zip(ATTRIBUTES, published.table.T, strict=True))
    cells = [(1, 1), (1, 0), (0, 1)]
    pairs = [
        pair
        for pair in combinations(ATTRIBUTES, 2)
        if min(((has[pair[0]] == a) & (has[pair[1]] == b)).sum() for a, b in cells) >= CONCEPT_CELL
    ]
    assert len(pairs) == 194
    assert {frozenset(concept["attributes"]) for concept in concepts} == {
        *(frozenset([name]) for name in ATTRIBUTES),
        *map(frozenset, pairs),
    }


def test_a_shape_is_found_by_name_or_the_nearest_is_named(published):
    assert published["open_s1"].program == (Arc(0.5, 90.0), Arc(0.5, -60.0, 180.0))
    with pytest.raises(InputError, match=r"one of the 627 published shapes, got 'open_s1x': did you mean 'open_s1'\?"):
        published["open_s1x"]


def test_shapes_travel_and_can_be_keys(published):
    shape = published.all[0]
    assert pickle.loads(pickle.dumps(shape)) == shape
    assert len({*published.all, shape}) == 627
    assert not published.table.flags.writeable


def test_the_derived_attribute_follows_from_two(published):
    counts = Counter(
        tuple(shape.attributes[name] for name in ("symmetric", "self_transposed", "symmetric_transposed"))
        for shape in published
    )
    assert counts == {(1, 1, 1): 57, (1, 0, 0): 199, (0, 1, 0): 30, (0, 0, 0): 341}
    none = dict.fromkeys(inventory.MARKED, 0)
    assert inventory.derive(none | {"symmetric": 1, "self_transposed": -1})["symmetric_transposed"] == -1
    assert inventory.derive(none | {"symmetric": -1})["symmetric_transposed"] == -1


def test_without_the_published_ones_the_catalogue_is_used_and_said_once(monkeypatch, home, capsys):
    monkeypatch.delenv("COGKIT_MIRROR", raising=False)
    monkeypatch.setenv("COGKIT_OFFLINE", "1")
    monkeypatch.setattr(files, "_said", set())
    assert (inventory.available().source, inventory.available().source) == ("catalogue", "catalogue")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert "COGKIT_OFFLINE" in lines[0] and "catalogue" in lines[0]
    with pytest.raises(files.Unavailable):
        inventory.available("published")
    with pytest.raises(InputError, match="any, published or catalogue"):
        inventory.available("upstream")


def test_with_the_mirror_the_published_ones_are_used(use_mirror, capsys):
    assert inventory.available() is inventory.published()
    assert inventory.available("catalogue").source == "catalogue"
    assert capsys.readouterr().err == ""


SHAPES = (
    "shape function name\tshape name\tsuper class\tset of base actions\tturn angles\n"
    "nail\ta nail\ttriangle\tline_1.0, line_1.0, line_0.5\tL0--L150.0--R105.0\n"
    "moon\ta moon\tarc\tarc_0.5_180.0, arc_0.5_-90\tL0--R180\n"
)
LABELS = "".join(
    "\t".join(row) + "\n"
    for row in (
        ["shape function name", "super class", "if stamp", *inventory.MARKED],
        ["nail", "triangle", "0", "1", *"0" * 24],
        ["moon", "arc", "1", "-1", *"1" * 24],
    )
)


def _read(folder, drawn: str = SHAPES, labels: str = LABELS) -> Shapes:
    (folder / "s.tsv").write_text(drawn, "utf-8")
    (folder / "a.tsv").write_text(labels, "utf-8")
    return inventory.read(folder / "s.tsv", folder / "a.tsv")


def test_a_table_is_read(tmp_path):
    nail, moon = _read(tmp_path)
    assert nail.program == (Line(1.0), Line(1.0, 150.0), Line(0.5, -105.0))
    assert moon.program == (Arc(0.5, 180.0), Arc(0.5, -90.0, -180.0))
    assert (nail.stampable, moon.stampable) == (False, True)
    assert (nail.attributes["convex"], moon.attributes["convex"], moon.attributes["necked"]) == (1, -1, 1)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("line_0.5\t", "lime_0.5\t", r"s\.tsv, row 2, 'set of base actions': 'lime_0\.5'"),
        ("line_0.5\t", "line_0.5_90\t", r"s\.tsv, row 2, 'set of base actions': 'line_0\.5_90'"),
        ("arc_0.5_-90", "arc_0.5", r"s\.tsv, row 3, 'set of base actions': 'arc_0\.5'"),
        ("arc_0.5_-90", "arc_0.5_-9O", r"s\.tsv, row 3, 'set of base actions'"),
        ("arc_0.5_-90", "arc_0.5_-990", r"over|-360 to 360, got s\.tsv, row 3: a sweep of -990"),
        ("line_0.5\t", "line_1.5\t", r"got s\.tsv, row 2: a length of 1\.5 in action 3"),
        ("line_0.5\t", "line_nan\t", r"'line_nan'"),
        ("R105.0", "105.0", r"s\.tsv, row 2, 'turn angles': '105\.0'"),
        ("R105.0", "R1050", r"s\.tsv, row 2: a turn of -1050"),
        ("--R105.0", "", r"s\.tsv, row 2, 'turn angles': 2 of them"),
        ("moon\ta moon", "nail\ta moon", r"a\.tsv, row 3, 'shape function name': 'moon'"),
        ("nail\ta nail", "na-il\ta nail", r"'na-il' as in the other table"),
        ("\tarc\t", "\tarc", r"s\.tsv, row 3: 4 fields"),
        ("turn angles", "turns", r"s\.tsv, row 1"),
        (SHAPES, "", r"s\.tsv, row 1: an empty file"),
        (SHAPES.splitlines(keepends=True)[2], "", r"2 shapes in a\.tsv"),
    ],
)
def test_a_wrong_stroke_is_told_with_file_row_and_column(tmp_path, old, new, said):
    assert SHAPES.count(old) == 1
    with pytest.raises(InputError, match=said):
        _read(tmp_path, SHAPES.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("moon\tarc\t1\t-1", "moon\tarc\t1\t2", r"a\.tsv, row 3, 'convex': '2'"),
        ("moon\tarc\t1\t-1", "moon\tarc\t-1\t1", r"a\.tsv, row 3, 'if stamp': -1"),
        ("moon\tarc\t1\t-1", "moon\tarc\tyes\t1", r"a\.tsv, row 3, 'if stamp': 'yes'"),
        ("moon\tarc\t1\t-1", "moon\tsector\t1\t-1", r"a\.tsv, row 3, 'super class': 'sector'"),
        ("moon\tarc\t1\t-1", "moon\tarc\t1\t-1\t1", r"a\.tsv, row 3: 29 fields"),
        ("nail\ttriangle\t0\t1", "nail\ttriangle\t0\t10", r"a\.tsv, row 2, 'convex': '10'"),
        ("necked", "neck", r"a\.tsv, row 1"),
    ],
)
def test_a_wrong_label_is_told_with_file_row_and_column(tmp_path, old, new, said):
    assert LABELS.count(old) == 1
    with pytest.raises(InputError, match=said):
        _read(tmp_path, labels=LABELS.replace(old, new))


def test_a_name_twice_or_with_a_dash_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"s\.tsv, row 3: 'nail' again"):
        _read(
            tmp_path,
            SHAPES.replace("moon\ta moon\tarc", "nail\ta moon\tarc"),
            LABELS.replace("moon\tarc", "nail\tarc"),
        )
    with pytest.raises(InputError, match=r"s\.tsv, row 3, 'shape function name': 'mo-on'"):
        _read(tmp_path, SHAPES.replace("moon\ta", "mo-on\ta"), LABELS.replace("moon\t", "mo-on\t"))


def test_a_file_that_is_no_table_is_refused(tmp_path):
    (tmp_path / "a.tsv").write_text(LABELS, "utf-8")
    with pytest.raises(InputError, match="a table of shapes"):
        inventory.read(tmp_path / "none.tsv", tmp_path / "a.tsv")
    (tmp_path / "s.tsv").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(InputError, match="a table of shapes"):
        inventory.read(tmp_path / "s.tsv", tmp_path / "a.tsv")
