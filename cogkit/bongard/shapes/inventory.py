"""Shapes and their labels: the 627 published shapes, and our own catalogue for when those are not available."""

from __future__ import annotations

import csv
import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from cogkit.bongard.logo.programs import Action, Arc, Line, Program, validate
from cogkit.bongard.shapes.attributes import ATTRIBUTES, MARKED, certain, derive, stampable
from cogkit.core.contracts import InputError
from cogkit.core.presets import choose
from cogkit.data import published as files

SOURCES = ("any", "published", "catalogue")
FILES = ("bongard_logo/data/human_designed_shapes.tsv", "bongard_logo/data/human_designed_shapes_attributes.tsv")
CATALOGUE = Path(__file__).with_name("catalogue.csv")
_HEADERS = (
    ("shape function name", "shape name", "super class", "set of base actions", "turn angles"),
    ("shape function name", "super class", "if stamp", *MARKED),
)
_OWN_HEADER = ("shape function name", "super class", "set of base actions", "turn angles")
_LABELS = {"1": 1, "0": 0, "-1": -1}
_TYPING_ERRORS = {("exist_triangle_three_lines4", "unbalanced_two", "10"): -1}  # the only cell that is not a label
_NUMBER = r"\d+(?:\.\d+)?"
_LINE, _ARC = re.compile(rf"line_({_NUMBER})"), re.compile(rf"arc_({_NUMBER})_(-?{_NUMBER})")
_TURN = re.compile(rf"([LR])({_NUMBER})")


@dataclass(frozen=True)
class Shape:
    """One designed shape.

    Attributes
    ----------
    name : str
        Key of the shape, without '-'.
    super_class : str
        Family of the shape; a basic problem takes its negatives from the same family.
    program : tuple of Action
        The strokes, all of type normal.
    stampable : bool
        Whether the shape can still be read when its strokes are zigzags or stamps.
    attributes : mapping of str to int
        A label for each of `ATTRIBUTES`: 1 present, 0 absent, -1 not applicable or not certain.
    """

    name: str
    super_class: str
    program: Program
    stampable: bool
    attributes: Mapping[str, int] = field(hash=False)


@dataclass(frozen=True, eq=False)
class Shapes:
    """Shapes of one source, in order.

    Attributes
    ----------
    source : str
        ``"published"`` or ``"catalogue"``.
    all : tuple of Shape
    """

    source: str
    all: tuple[Shape, ...]

    def __len__(self) -> int:
        return len(self.all)

    def __iter__(self) -> Iterator[Shape]:
        return iter(self.all)

    def __getitem__(self, name: str) -> Shape:
        """Return a shape by name; for an unknown name, the `InputError` suggests the nearest one."""
        if name not in self.by_name:
            matches = difflib.get_close_matches(str(name), self.by_name, n=1)
            fix = f"did you mean {matches[0]!r}?" if matches else ""
            raise InputError(f"{name!r}", f"the name of one of the {len(self)} {self.source} shapes", fix)
        return self.by_name[name]

    @cached_property
    def by_name(self) -> dict[str, Shape]:
        """Every shape by its name."""
        return {shape.name: shape for shape in self.all}

    @cached_property
    def super_classes(self) -> dict[str, tuple[Shape, ...]]:
        """The shapes of each super class, in order of first appearance."""
        names = dict.fromkeys(shape.super_class for shape in self.all)
        return {name: tuple(shape for shape in self.all if shape.super_class == name) for name in names}

    @cached_property
    def table(self) -> np.ndarray:
        """Labels, int8 of shape (n, 26): one row for each shape, one column for each of `ATTRIBUTES`."""
        rows = [[shape.attributes[name] for name in ATTRIBUTES] for shape in self.all]
        table = np.array(rows, np.int8).reshape(-1, len(ATTRIBUTES))
        table.flags.writeable = False
        return table


def published() -> Shapes:
    """Return the 627 shapes that people designed for the paper, with their labels.

    Raises
    ------
    published.Unavailable
        There is no mirror, no copy in the cache, and no network.
    """
    return _kept(*(files.fetch(name) for name in FILES))


@cache
def _kept(shapes_file: Path, attributes_file: Path) -> Shapes:
    return read(shapes_file, attributes_file)


@cache
def catalogue(path: Path = CATALOGUE) -> Shapes:
    """Return our own shapes. Labels come from geometry; a label that is not certain is -1.

    Parameters
    ----------
    path : Path
        A comma-separated table with one shape in each row, and strokes written as in the published table.

    Raises
    ------
    InputError
        A cell is wrong; the error gives file, row (the header is row 1) and column.

    Examples
    --------
    >>> own = catalogue()
    >>> len(own), len(own.super_classes), own.all[0].name
    (343, 25, 'triangle_even')
    """
    shapes: dict[str, Shape] = {}
    for number, row in enumerate(_rows(path, _OWN_HEADER, delimiter=","), start=2):
        where = f"{path.name}, row {number}"
        name, program = _name(row, where, shapes), _program(row, where)
        shapes[name] = Shape(name, row["super class"], program, stampable(program), certain(program))
    return Shapes("catalogue", tuple(shapes.values()))


def known(source: str = "any") -> Shapes:
    """Return the shapes of a source.

    Parameters
    ----------
    source : str
        One of `SOURCES`. ``any`` gives the published shapes, or our own with a message if those are not available.

    Examples
    --------
    >>> known("catalogue").source
    'catalogue'
    """
    choose(source, SOURCES, "source of shapes")
    if source == "catalogue":
        return catalogue()
    try:
        return published()
    except files.Unavailable as error:
        if source == "published":
            raise
        files.announce(f"the published Bongard-LOGO shapes are not there ({error.got}); cogkit's own catalogue is used")
        return catalogue()


def read(shapes_file: str | Path, attributes_file: str | Path) -> Shapes:
    """Return the shapes of two tables in the published format: strokes in one, labels in the other.

    Raises
    ------
    InputError
        A cell is wrong; the error gives file, row (the header is row 1) and column.
    """
    shapes_file, attributes_file = Path(shapes_file), Path(attributes_file)
    stroke_rows, label_rows = (
        _rows(*pair, delimiter="\t", quoting=csv.QUOTE_NONE)
        for pair in zip((shapes_file, attributes_file), _HEADERS, strict=True)
    )
    if len(stroke_rows) != len(label_rows):
        raise InputError(
            f"{len(label_rows)} shapes in {attributes_file.name}", f"the {len(stroke_rows)} of {shapes_file.name}"
        )
    shapes: dict[str, Shape] = {}
    for number, (strokes, labels) in enumerate(zip(stroke_rows, label_rows, strict=True), start=2):
        where = f"{attributes_file.name}, row {number}"
        for column in _HEADERS[1][:2]:
            if labels[column] != strokes[column]:
                raise InputError(
                    f"{where}, {column!r}: {labels[column]!r}", f"{strokes[column]!r} as in the other table"
                )
        where_strokes = f"{shapes_file.name}, row {number}"
        name = _name(strokes, where_strokes, shapes)
        shapes[name] = _shape(name, strokes, labels, where_strokes, where)
    return Shapes("published", tuple(shapes.values()))


def _rows(path: Path, header: tuple[str, ...], **dialect) -> list[dict[str, str]]:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            lines = list(csv.reader(stream, strict=True, **dialect))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"{path} ({error})", f"a table of shapes, fields parted by {dialect['delimiter']!r}, in UTF-8"
        ) from None
    if not lines or tuple(lines[0]) != header:
        columns = ", ".join(lines[0]) if lines else "an empty file"
        raise InputError(f"{path.name}, row 1: {columns[:80]}", f"the columns {', '.join(header)}")
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(header):
            raise InputError(f"{path.name}, row {number}: {len(line)} fields", f"{len(header)} of them")
    return [dict(zip(header, line, strict=True)) for line in lines[1:]]


def _name(row: Mapping[str, str], where: str, before: Mapping[str, Shape]) -> str:
    name = row["shape function name"]
    if not name or "-" in name:
        raise InputError(f"{where}, 'shape function name': {name!r}", "a name without '-', which parts two of them")
    if name in before:
        raise InputError(f"{where}: {name!r} again", "each shape once")
    return name


def _shape(name: str, strokes: Mapping[str, str], labels: Mapping[str, str], where: str, where_labels: str) -> Shape:
    stamp = _label(name, "if stamp", labels["if stamp"], where_labels)
    if stamp < 0:
        raise InputError(f"{where_labels}, 'if stamp': -1", "1 or 0")
    marks = {column: _label(name, column, labels[column], where_labels) for column in MARKED}
    return Shape(name, strokes["super class"], _program(strokes, where), stamp == 1, derive(marks))


def _label(name: str, column: str, text: str, where: str) -> int:
    label = _LABELS.get(text, _TYPING_ERRORS.get((name, column, text)))
    if label is None:
        raise InputError(f"{where}, {column!r}: {text!r}", "1, 0 or -1")
    return label


def _program(row: Mapping[str, str], where: str) -> Program:
    strokes, turns = row["set of base actions"].split(", "), row["turn angles"].split("--")
    if len(strokes) != len(turns):
        raise InputError(f"{where}, 'turn angles': {len(turns)} of them", f"one to each of the {len(strokes)} actions")
    actions = []
    for stroke, turn in zip(strokes, turns, strict=True):
        match = _TURN.fullmatch(turn)
        if not match:
            raise InputError(f"{where}, 'turn angles': {turn!r}", "L or R and degrees, such as L120.0")
        actions.append(_action(stroke, float(match[2]) * (1 if match[1] == "L" else -1) + 0.0, where))
    try:
        return validate(actions)
    except InputError as error:
        raise InputError(f"{where}: {error.got}", error.wanted) from None


def _action(stroke: str, turn: float, where: str) -> Action:
    if match := _LINE.fullmatch(stroke):
        return Line(float(match[1]), turn)
    if match := _ARC.fullmatch(stroke):
        return Arc(float(match[1]), float(match[2]), turn)
    raise InputError(f"{where}, 'set of base actions': {stroke!r}", "line_LENGTH or arc_RADIUS_SWEEP")
