"""The audit of one problem on the disk: whether its pictures, its programs and its name belong together."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cogkit.bongard.logo import raster
from cogkit.bongard.logo.pictures import Placed
from cogkit.bongard.logo.programs import write_program
from cogkit.bongard.logo.render_match import LEAST, UNLIKE, distance
from cogkit.bongard.problems import certify
from cogkit.bongard.problems.records import A_SIDE, Problem, parts, pictures
from cogkit.bongard.problems.stroke_styles import undress
from cogkit.bongard.shapes import inventory
from cogkit.core.errors import InputError
from cogkit.data import readers
from cogkit.data.png import unpack
from cogkit.extras.datasets.auditing import NOTHING
from cogkit.extras.datasets.bongard.layout import FILES, Programs, from_record, parse_problem, position, strings

_PAPER = 224  # lighter pixels have no ink, not even of a thin line in a small picture
_EDGE = 0.02  # share of a picture's ink that may differ if another version of Pillow drew it


class Entry(NamedTuple):
    """The contents of a set's files about one problem.

    Attributes
    ----------
    name : str
    folder : Path
        Folder of its pictures.
    strings : list or None
        Its action strings, exactly as in the file; `NOTHING` if the file does not have the problem, None without a
        file.
    line : str or None
        Its line in the file of placements, likewise.
    sum : str or None
        The SHA-256 of its pictures in the manifest, likewise.
    """

    name: str
    folder: Path
    strings: Any = None
    line: str | None = None
    sum: str | None = None


class Expected(NamedTuple):
    """The requirements for every problem of a set.

    Attributes
    ----------
    size : int or None
        Pixels a side; None if not known.
    source : str or None
        Source of the shapes of its problems; None if they are not available.
    profile : str
        The profile whose promises it must keep.
    exact : bool
        Whether redrawn pictures must agree in every pixel.
    """

    size: int | None
    source: str | None
    profile: str
    exact: bool


@dataclass
class Report:
    """The result of the audit of one problem.

    Attributes
    ----------
    name : str
    faults : list of (str, str)
        Field and problem of each fault.
    size : int
        Pixels a side of its first readable picture; 0 if none is readable.
    pixels : dict of int to bytes
        A checksum of each readable picture, by its place among the fourteen.
    concept : tuple
        What no two problems should have in common; empty if not known.
    repeats : bool
        Whether two negatives have the same programs.
    """

    name: str
    faults: list[tuple[str, str]] = field(default_factory=list)
    size: int = 0
    pixels: dict[int, bytes] = field(default_factory=dict)
    concept: tuple = ()
    repeats: bool = False


def inspect(entry: Entry, expected: Expected) -> Report:
    """Return the report of one problem; each kind of fault names the first picture that has it, and the others."""
    report = Report(entry.name)
    images = _images(entry, expected, report)
    programs = _read(entry.strings, "action programs", partial(parse_problem, where=entry.name), report)
    problem = _read(entry.line, "placements", from_record, report)
    if problem is not None and programs is not None and strings(problem) != entry.strings:
        report.faults.append(("placements", "they are of other programs than the action strings"))
    if problem is not None:
        report.faults += _collapse(_pixel_faults(problem, images, expected.exact))
    elif programs is not None:
        report.faults += _collapse(_outline_faults(programs, images))
        problem = _without_places(entry.name, programs)
    if problem is not None:
        _check(problem, expected, bool(entry.line), report)
    return report


def _images(entry: Entry, expected: Expected, report: Report) -> dict[int, np.ndarray]:
    """Return the readable pictures that have ink, by their place among the fourteen."""
    images, checksum, faults = {}, hashlib.sha256(), []
    for place, file in enumerate(FILES):
        try:
            content = readers.content(entry.folder / file)
        except InputError:
            faults.append(("is missing", place))
            continue
        checksum.update(content)
        try:
            image = _pixels(content, expected.size or report.size)
        except InputError as error:
            faults.append((f"is broken: {error}", place))
        else:
            report.size = report.size or len(image)
            report.pixels[place] = hashlib.sha256(image).digest()
            if image.min() > _PAPER:
                faults.append(("is broken: it has no ink", place))
            else:
                images[place] = image
    report.faults += _collapse(faults)
    if entry.sum is not None and not faults and checksum.hexdigest() != entry.sum:
        report.faults.append(("sha256", "the pictures are not those that the manifest names"))
    return images


def _pixels(content: bytes, size: int) -> np.ndarray:
    """Return the grey pixels of a square PNG file, (size, size) uint8; a size of 0 allows any."""
    wanted = f"a picture of {size}×{size}" if size else "a square picture"
    return unpack(content, "L", lambda width, height: width == height == (size or width) <= raster.LARGEST, wanted)


def _collapse(faults: Iterable[tuple[str, int]]) -> Iterator[tuple[str, str]]:
    """Yield field and problem of each kind of fault, with the first picture that has it and the others."""
    kinds: dict[str, list[tuple[str, int]]] = {}
    for problem, place in faults:
        kinds.setdefault(problem.partition(":")[0], []).append((problem, place))
    for (problem, place), *others in kinds.values():
        more = f"; so {'is' if len(others) == 1 else 'are'} {', '.join(position(other) for _, other in others)}"
        yield position(place), problem + more * bool(others)


def _read(content: Any, field: str, read: Callable, report: Report) -> Any:
    """Return what a reader makes of the content of a file; None if there is none, or if it is faulty."""
    if content == NOTHING:
        report.faults.append((field, "there are none of it"))
    elif content is not None:
        try:
            return read(content)
        except InputError as error:
            report.faults.append((field, str(error)))
    return None


def _pixel_faults(problem: Problem, images: dict[int, np.ndarray], exact: bool) -> Iterator[tuple[str, int]]:
    drawings = pictures([problem])
    for place, image in images.items():
        redrawing = raster.image(drawings[place], len(image))
        difference = image != redrawing if exact else np.abs(image.astype(int) - redrawing) > 127
        count = int(difference.sum())
        if count > (0 if exact else _EDGE * (redrawing < 128).sum()):
            yield f"is not what its programs draw: {count} pixels differ", place


def _outline_faults(programs: Programs, images: dict[int, np.ndarray]) -> Iterator[tuple[str, int]]:
    for place, image in images.items():
        side, number = divmod(place, A_SIDE)
        if len(image) >= LEAST and distance(image, programs[side][number]) > UNLIKE:
            yield "is unlike anything that its programs draw", place


def _without_places(name: str, programs: Programs) -> Problem:
    """Return a problem without real placements: every shape has the default one."""
    first, second = (tuple(tuple(Placed(program) for program in picture) for picture in side) for side in programs)
    kind, concept, _ = parts(name)
    return Problem(name, kind, concept, first, second)


def _check(problem: Problem, expected: Expected, placed: bool, report: Report) -> None:
    """Report faults of the sides, the concept to compare with other problems, and whether negatives repeat."""
    programs = strings(problem)
    report.repeats = any(picture in programs[1][:place] for place, picture in enumerate(programs[1]))
    outlines = [[sorted(_outline(placed) for placed in picture) for picture in side] for side in problem.sides]
    if problem.kind == "ff":
        report.concept = ("ff", str(sorted(programs[0][0])))
    else:
        report.concept = (problem.kind, problem.concept, str(outlines[0][0] if problem.kind == "bd" else outlines))
    shapes = None
    if problem.kind != "ff":
        if expected.source is None:
            return
        shapes = inventory.available(expected.source)
        report.faults += _collapse(_shape_faults(outlines, expected.source))
    report.faults += (("label", fault) for fault in certify.check(problem, shapes, placed, expected.profile))


def _outline(placed: Placed) -> tuple[str, ...]:
    return tuple(write_program(undress(placed.program)))


def _shape_faults(outlines: list[list[list[tuple[str, ...]]]], source: str) -> Iterator[tuple[str, int]]:
    shapes = _known(source)
    for place, picture in enumerate(picture for side in outlines for picture in side):
        if not shapes.issuperset(picture):
            yield f"draws a shape that is none of the {len(shapes)} {source} ones", place


@cache
def _known(source: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(write_program(shape.program)) for shape in inventory.available(source))
