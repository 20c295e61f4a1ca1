"""Shapes and their labels: the 627 published shapes, and our own catalogue for when those are not available."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from cogkit.bongard.logo.programs import Action, Arc, Line, Program
from cogkit.bongard.shapes.attributes import ATTRIBUTES, MARKED, derive
from cogkit.core.presets import choose
from cogkit.data import published as files
from cogkit.data import readers

SOURCES = ("any", "published", "catalogue")
FILES = ("bongard_logo/data/human_designed_shapes.tsv", "bongard_logo/data/human_designed_shapes_attributes.tsv")
CATALOGUE = Path(__file__).with_name("catalogue.csv")
LABELS = Path(__file__).with_name("catalogue_labels.csv")  # of its shapes by geometry, which takes seconds to compute
_TYPING_ERROR = "10"  # the only cell of the published labels that is not a label


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
        return self.by_name[choose(name, self.by_name, f"{self.source} shape")]

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
    return _published(*map(files.fetch, FILES))


@cache
def _published(strokes: Path, labels: Path) -> Shapes:
    pairs = zip(*(_rows(path, delimiter="\t", quoting=csv.QUOTE_NONE) for path in (strokes, labels)), strict=True)
    return Shapes("published", tuple(_shape(row, derive(_labels(marks, MARKED)), marks) for row, marks in pairs))


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
    pairs = zip(_rows(CATALOGUE), _rows(LABELS), strict=True)
    return Shapes("catalogue", tuple(_shape(row, _labels(marks, ATTRIBUTES), marks) for row, marks in pairs))


def available(source: str = "any") -> Shapes:
    """Return the shapes of a source.

    ``source`` is one of `SOURCES`. ``any`` gives the published shapes, or our own with a message if those are not
    available.

    Examples
    --------
    >>> available("catalogue").source
    'catalogue'
    """
    if choose(source, SOURCES, "source of shapes") != "any":
        return published() if source == "published" else catalogue()
    return files.or_else(published, catalogue, "cogkit's own catalogue stands in for the published Bongard-LOGO shapes")


def _rows(path: Path, **dialect) -> list[dict[str, str]]:
    header, *lines = readers.rows(path, **dialect)
    return [dict(zip(header, line, strict=True)) for line in lines]


def _labels(marks: Mapping[str, str], names: Sequence[str]) -> dict[str, int]:
    return {name: -1 if marks[name] == _TYPING_ERROR else int(marks[name]) for name in names}


def _shape(row: Mapping[str, str], labels: Mapping[str, int], marks: Mapping[str, str]) -> Shape:
    """Return the shape of a row of strokes, such as ``line_1.0, arc_0.5_180.0`` with turns ``L0--R105.0``."""
    actions: list[Action] = []
    for text, angle in zip(row["set of base actions"].split(", "), row["turn angles"].split("--"), strict=True):
        kind, *numbers = text.split("_")
        turn = float(angle[1:]) * {"L": 1, "R": -1}[angle[0]] + 0.0
        actions.append({"line": Line, "arc": Arc}[kind](*map(float, numbers), turn=turn))
    return Shape(row["shape function name"], row["super class"], tuple(actions), marks["if stamp"] == "1", labels)
