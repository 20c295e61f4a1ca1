"""Shapes and their labels: the 627 published shapes, and our own catalogue for when those are not available."""

from __future__ import annotations

import csv
import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import zip_longest
from pathlib import Path

import numpy as np

from cogkit.bongard.logo.programs import Action, Arc, Line, Program, validate
from cogkit.bongard.shapes.attributes import ATTRIBUTES, MARKED, derive
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
_NAME, _CLASS, _STAMP = "shape function name", "super class", "if stamp"
_VALUES = {"1": 1, "0": 0, "-1": -1}
_TYPING_ERRORS = {("exist_triangle_three_lines4", "unbalanced_two", "10"): -1}  # the only cell that is not a label


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
def catalogue() -> Shapes:
    """Return our own shapes. Labels come from geometry; a label that is not certain is -1.

    The tables are comma-separated, with one shape in each row, and strokes written as in the published table.

    Examples
    --------
    >>> own = catalogue()
    >>> len(own), len(own.super_classes), own.all[0].name
    (343, 25, 'triangle_even')
    """
    strokes, labels = _rows(CATALOGUE, _OWN_HEADER), _rows(LABELS, _LABELS_HEADER)
    pairs = zip(strokes, labels, strict=True)
    return Shapes("catalogue", tuple(_shape(where, row, marks, ATTRIBUTES) for (where, row), (_, marks) in pairs))


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
    paths = Path(shapes_file), Path(attributes_file)
    dialect = {"delimiter": "\t", "quoting": csv.QUOTE_NONE}
    strokes, labels = (_rows(*pair, **dialect) for pair in zip(paths, _HEADERS, strict=True))
    names = [[(row[_NAME], row[_CLASS]) for _, row in table] for table in (strokes, labels)]
    keys = [name for name, _ in names[0]]
    for row, (one, other) in enumerate(zip_longest(*names), start=2):
        if one != other or not one[0] or "-" in one[0] or keys.index(one[0]) != row - 2:
            got = f"{paths[1].name}, row {row}: {other and other[0]!r}"
            raise InputError(got, f"the shapes of {paths[0].name} in order, each once, without '-' in its name")
    shapes = []
    for (where, row), (place, marks) in zip(strokes, labels, strict=True):
        shape = _shape(f"{where} or {place}", row, marks, MARKED)
        shapes.append(replace(shape, attributes=derive(shape.attributes)))
    return Shapes("published", tuple(shapes))


_read_once = cache(read)


def _rows(path: Path, header: tuple[str, ...], delimiter: str = ",", **dialect) -> list[tuple[str, dict[str, str]]]:
    """Return the rows of a table by column, each after its place: file and number (the header is row 1)."""
    wanted = f"a table of shapes, fields parted by {delimiter!r}, in UTF-8: {', '.join(header)}"
    table = readers.rows(path, wanted, delimiter=delimiter, **dialect) or [[]]
    places = [f"{path.name}, row {number}" for number in range(1, len(table) + 1)]
    for where, line in zip(places, table, strict=True):
        if len(line) != len(header) or (line is table[0] and tuple(line) != header):
            raise InputError(f"{where}: {some(line)}", wanted)
    return [(where, dict(zip(header, line, strict=True))) for where, line in zip(places[1:], table[1:], strict=True)]


def _shape(where: str, row: Mapping[str, str], marks: Mapping[str, str], names: Sequence[str]) -> Shape:
    """Return the shape of a row of strokes, with the attributes of these names from a row of labels."""
    column = ""
    try:
        stamp, labels = {"0": False, "1": True}[marks[column := _STAMP]], {}
        for column in names:
            labels[column] = _TYPING_ERRORS.get((row[_NAME], column, marks[column])) or _VALUES[marks[column]]
        column = "set of base actions"
        return Shape(row[_NAME], row[_CLASS], _program(row[column], row["turn angles"]), stamp, labels)
    except (LookupError, ValueError, TypeError) as error:
        wanted = "labels of 1, 0 or -1, and actions line_LENGTH or arc_RADIUS_SWEEP, each with L or R and degrees"
        raise InputError(f"{where}, {column!r}: {error}", wanted) from None


def _program(strokes: str, turns: str) -> Program:
    actions: list[Action] = []
    for text, angle in zip(strokes.split(", "), turns.split("--"), strict=True):
        kind, *numbers = text.split("_")
        turn = float(angle[1:]) * {"L": 1, "R": -1}[angle[:1]] + 0.0
        actions.append({"line": Line, "arc": Arc}[kind](*map(float, numbers), turn=turn))
    return validate(actions)
