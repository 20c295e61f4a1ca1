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
from cogkit.core.errors import InputError, some
from cogkit.core.presets import choose
from cogkit.data import published as files
from cogkit.data import readers

SOURCES = ("any", "published", "catalogue")
FILES = ("bongard_logo/data/human_designed_shapes.tsv", "bongard_logo/data/human_designed_shapes_attributes.tsv")
CATALOGUE = Path(__file__).with_name("catalogue.csv")
LABELS = Path(__file__).with_name("catalogue_labels.csv")  # of its shapes by geometry, which takes seconds to compute
_HEADERS = (
    ("shape function name", "shape name", "super class", "set of base actions", "turn angles"),
    ("shape function name", "super class", "if stamp", *MARKED),
)
_OWN_HEADER = ("shape function name", "super class", "set of base actions", "turn angles")
_LABELS_HEADER = ("shape function name", "if stamp", *ATTRIBUTES)
_LABELS = {"1": 1, "0": 0, "-1": -1}
_TYPING_ERRORS = {("exist_triangle_three_lines4", "unbalanced_two", "10"): -1}  # the only cell that is not a label
_NUMBER = r"\d+(?:\.\d+)?"
_STROKE = re.compile(rf"line_({_NUMBER})|arc_({_NUMBER})_(-?{_NUMBER})")
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

    Raises `published.Unavailable` if there is no mirror, no copy in the cache, and no network.
    """
    return _read_once(*(files.fetch(name) for name in FILES))


@cache
def catalogue(path: Path = CATALOGUE) -> Shapes:
    """Return our own shapes. Labels come from geometry; a label that is not certain is -1.

    ``path`` is a comma-separated table with one shape in each row, and strokes written as in the published table. The
    labels of the default table are stored; those of another one are computed. Raises an `InputError` that gives file,
    row (the header is row 1) and column if a cell is wrong.

    Examples
    --------
    >>> own = catalogue()
    >>> len(own), len(own.super_classes), own.all[0].name
    (343, 25, 'triangle_even')
    """
    shapes: dict[str, Shape] = {}
    stored = _stored_labels() if path == CATALOGUE else {}
    for where, row in _rows(path, _OWN_HEADER, delimiter=","):
        program = _program(where, row)
        labels = stored.get(row["shape function name"]) or (stampable(program), certain(program))
        _add(shapes, where, row, program, *labels)
    return Shapes("catalogue", tuple(shapes.values()))


def _stored_labels() -> dict[str, tuple[bool, dict[str, int]]]:
    """Return whether each shape of the default table can be stamped, and its attributes."""
    labels = {}
    for where, row in _rows(LABELS, _LABELS_HEADER, delimiter=","):
        values = {column: _label(where, row, column) for column in _LABELS_HEADER[1:]}
        labels[row["shape function name"]] = values.pop("if stamp") == 1, values
    return labels


def available(source: str = "any") -> Shapes:
    """Return the shapes of a source.

    ``source`` is one of `SOURCES`. ``any`` gives the published shapes, or our own with a message if those are not
    available.

    Examples
    --------
    >>> available("catalogue").source
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

    Raises an `InputError` that gives file, row (the header is row 1) and column if a cell is wrong.
    """
    tables = Path(shapes_file), Path(attributes_file)
    strokes, labels = (
        _rows(*pair, delimiter="\t", quoting=csv.QUOTE_NONE) for pair in zip(tables, _HEADERS, strict=True)
    )
    if len(strokes) != len(labels):
        raise InputError(f"{len(labels)} shapes in {tables[1].name}", f"the {len(strokes)} of {tables[0].name}")
    shapes: dict[str, Shape] = {}
    for (where, row), (place, marks) in zip(strokes, labels, strict=True):
        for column in _HEADERS[1][:2]:
            if marks[column] != row[column]:
                raise _fault(place, column, marks[column], f"{row[column]!r} as in the other table")
        values = {column: _label(place, marks, column) for column in _HEADERS[1][2:]}
        if (stamp := values.pop("if stamp")) < 0:
            raise InputError(f"{place}, 'if stamp': -1", "1 or 0")
        _add(shapes, where, row, _program(where, row), stamp == 1, derive(values))
    return Shapes("published", tuple(shapes.values()))


_read_once = cache(read)


def _rows(path: Path, header: tuple[str, ...], **dialect) -> list[tuple[str, dict[str, str]]]:
    """Return the rows of a table by column, each after its place: file and number (the header is row 1)."""
    wanted = f"a table of shapes, fields parted by {dialect['delimiter']!r}, in UTF-8"
    first, *lines = readers.rows(path, wanted, **dialect) or [["an empty file"]]
    if tuple(first) != header:
        raise InputError(f"{path.name}, row 1: {some(first)}", f"the columns {', '.join(header)}")
    rows = [(f"{path.name}, row {number}", line) for number, line in enumerate(lines, start=2)]
    for where, line in rows:
        if len(line) != len(header):
            raise InputError(f"{where}: {len(line)} fields", f"{len(header)} of them")
    return [(where, dict(zip(header, line, strict=True))) for where, line in rows]


def _fault(where: str, column: str, got: str, wanted: str) -> InputError:
    return InputError(f"{where}, {column!r}: {got!r}", wanted)


def _add(shapes: dict[str, Shape], where: str, row: Mapping[str, str], *fields) -> None:
    """Add the shape of a row, with its program and the fields after that, unless its name is wrong."""
    name = row["shape function name"]
    if not name or "-" in name:
        raise _fault(where, "shape function name", name, "a name without '-', which parts two of them")
    if name in shapes:
        raise InputError(f"{where}: {name!r} again", "each shape once")
    shapes[name] = Shape(name, row["super class"], *fields)


def _label(where: str, row: Mapping[str, str], column: str) -> int:
    label = _LABELS.get(row[column], _TYPING_ERRORS.get((row["shape function name"], column, row[column])))
    if label is None:
        raise _fault(where, column, row[column], "1, 0 or -1")
    return label


def _program(where: str, row: Mapping[str, str]) -> Program:
    strokes, turns = row["set of base actions"].split(", "), row["turn angles"].split("--")
    if len(strokes) != len(turns):
        raise InputError(f"{where}, 'turn angles': {len(turns)} of them", f"one to each of the {len(strokes)} actions")
    actions: list[Action] = []
    for text, angle in zip(strokes, turns, strict=True):
        turn, stroke = _TURN.fullmatch(angle), _STROKE.fullmatch(text)
        if not turn:
            raise _fault(where, "turn angles", angle, "L or R and degrees, such as L120.0")
        if not stroke:
            raise _fault(where, "set of base actions", text, "line_LENGTH or arc_RADIUS_SWEEP")
        degrees = float(turn[2]) * (1 if turn[1] == "L" else -1) + 0.0
        length, radius, sweep = stroke.groups()
        actions.append(Line(float(length), degrees) if length else Arc(float(radius), float(sweep), degrees))
    try:
        return validate(actions)
    except InputError as error:
        raise InputError(f"{where}: {error.got}", error.wanted) from None
