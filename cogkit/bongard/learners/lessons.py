"""What eyes are taught about the shapes of pictures: strokes, angles and attributes. No name of a shape is among it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cogkit.bongard.learners.windows import SIZE, Windows
from cogkit.bongard.logo.geometry import along, starts
from cogkit.bongard.logo.pictures import Picture, Placed
from cogkit.bongard.logo.programs import TYPES, Arc
from cogkit.bongard.logo.raster import DOWN, PER_UNIT, PUBLISHED, RIGHT
from cogkit.bongard.problems.sets import NOVEL
from cogkit.bongard.shapes.inventory import ATTRIBUTES, Shapes

TAUGHT = tuple(name for name in ATTRIBUTES if name != NOVEL)  # NOVEL is for a test alone
STROKES = tuple(f"{kind} {type_}" for kind in ("line", "arc") for type_ in TYPES)
ANGLES = (0, 30, 60, 90, 120, 150, 180)  # degrees by which a way turns from one stroke to the next; the nearest counts
SWEEPS = (45, 90, 135, 180, 270)  # degrees of arcs; the nearest counts
LENGTHS = (0.15, 0.3, 0.5, 0.8)  # ends of the ranges of a stroke's length, as shares of the window's side
COUNTED = {"stroke": len(STROKES), "angle": len(ANGLES), "sweep": len(SWEEPS), "length": len(LENGTHS) + 1}
MOST = 9  # strokes of a shape: each number is 0 to 9
ALONG = 12  # places along a stroke at which its kind is taught
UNKNOWN = -1
_SHARES = np.array([0, 0.5, *(np.arange(ALONG) + 0.5) / ALONG])  # of a stroke's length, where its places are
_NUMBERS = 4 + len(_SHARES)  # of a stroke


@dataclass(frozen=True, eq=False)
class Lessons:
    """What is to be told of m windows.

    Attributes
    ----------
    counts : (m, 27) int8
        How often a shape has each of `COUNTED`, in this order: each kind of stroke, each angle from one stroke to the
        next, each sweep of an arc, each length of a stroke.
    attributes : (m, 25) int8
        1 and 0 for each of `TAUGHT`; `UNKNOWN` where the label is not applicable, and for shapes without a name.
    strokes, angles, sweeps, lengths : (m, 9) int
        Of each stroke in turn, the index into `STROKES`, `ANGLES`, `SWEEPS` and the ranges of `LENGTHS`; `UNKNOWN`
        where there is no further stroke. The angle is that before a stroke, and `UNKNOWN` before the first; the sweep
        of a line is `UNKNOWN`.
    places : (m, 9, 14, 2) float32
        Places as shares of the window, x right and y down: where the stroke begins, its middle, and `ALONG` places from
        its beginning to its end.
    """

    counts: np.ndarray
    attributes: np.ndarray
    strokes: np.ndarray
    angles: np.ndarray
    sweeps: np.ndarray
    lengths: np.ndarray
    places: np.ndarray

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, rows: np.ndarray) -> Lessons:
        return Lessons(*(part[rows] for part in vars(self).values()))

    @classmethod
    def joined(cls, parts: Sequence[Lessons]) -> Lessons:
        """Return the lessons of several sets of windows as one."""
        return cls(*map(np.concatenate, zip(*(vars(part).values() for part in parts), strict=True)))

    def turned(self, turns: np.ndarray) -> Lessons:
        """Return the lessons of windows that are mirrored if ``turns`` (m,) is odd, then turned left turns // 2 times.

        Only places change.
        """
        x, y = self.places[..., 0], self.places[..., 1]
        turns = turns[:, None, None]
        x = np.where(turns % 2, 1 - x, x)
        for quarter in range(1, 4):
            x, y = np.where(turns // 2 >= quarter, (y, 1 - x), (x, y))
        return replace(self, places=np.stack([x, y], axis=-1))


def lessons(pictures: Sequence[Picture], windows: Windows, known: Shapes) -> tuple[np.ndarray, Lessons]:
    """Return the windows that show exactly one shape of their picture, (m,), and what is to be told of these.

    Windows of a picture in which fewer or more shapes were found than it has are left out. ``known`` gives the
    attributes of shapes by name.

    Examples
    --------
    >>> from cogkit.bongard.learners.windows import windows
    >>> from cogkit.bongard.logo.programs import Line
    >>> from cogkit.bongard.logo.raster import images
    >>> from cogkit.bongard.shapes.inventory import catalogue
    >>> corner = (Placed((Line(1.0), Line(1.0, 90.0))),)
    >>> rows, told = lessons([corner], windows(images([corner], 512), 32), catalogue())
    >>> rows.tolist(), told.counts[0, :10].tolist(), told.angles.tolist()
    ([0], [2, 0, 0, 0, 0, 0, 0, 0, 0, 0], [[-1, 3, -1, -1, -1, -1, -1, -1, -1]])
    """
    rows, shapes, strokes = _matched(pictures, windows)
    table = np.full((len(rows), MOST, _NUMBERS), np.nan, complex)
    for row, part in zip(table, strokes, strict=True):
        row[: len(part)] = part
    kinds, angles, sweeps, spans = np.moveaxis(table[..., :4].real, 2, 0)
    side = windows.sides[rows][:, None]
    within = (pixels_of(table[..., 4:]) - windows.corners[rows][:, None, None]) / side[..., None, None]
    sizes = np.searchsorted(LENGTHS, spans * PER_UNIT * SIZE / PUBLISHED / side)
    targets = {
        "strokes": _nearest(kinds, range(len(STROKES))), "angles": _nearest(angles, ANGLES),
        "sweeps": _nearest(sweeps, SWEEPS), "lengths": np.where(np.isnan(spans), UNKNOWN, sizes),
    }  # fmt: skip
    counts = [
        (target[..., None] == np.arange(n)).sum(axis=1)
        for target, n in zip(targets.values(), COUNTED.values(), strict=True)
    ]
    columns = [ATTRIBUTES.index(name) for name in TAUGHT]
    nothing = np.full(len(TAUGHT), UNKNOWN, np.int8)
    labels = {shape.name: row[columns] for shape, row in zip(known, known.table, strict=True)}
    attributes = np.array([labels.get(shape.name, nothing) for shape in shapes], np.int8).reshape(-1, len(TAUGHT))
    counts = np.concatenate(counts, axis=1).clip(0, MOST).astype(np.int8)
    return rows, Lessons(counts, attributes, **targets, places=within.astype(np.float32))


def pixels_of(places: np.ndarray) -> np.ndarray:
    """Return complex places (...,) of the world as columns and rows of a picture of 512 pixels, (..., 2).

    Examples
    --------
    >>> pixels_of(np.array([0j])).tolist()
    [[257.5, 257.8]]
    """
    return np.stack([RIGHT + PER_UNIT * np.real(places), DOWN - PER_UNIT * np.imag(places)], axis=-1)


def _matched(pictures: Sequence[Picture], windows: Windows) -> tuple[np.ndarray, list[Placed], list[np.ndarray]]:
    """Return the windows that show one shape each, these shapes and their `_strokes`.

    Of two shapes, each window shows the nearer one.
    """
    rows, shapes, strokes = [], [], []
    centres = windows.corners + windows.sides[:, None] / 2
    bounds = np.searchsorted(windows.owners, np.arange(len(pictures) + 1))
    for picture, start, stop in zip(pictures, bounds, bounds[1:], strict=False):
        if stop - start != len(picture):
            continue
        drawn = [_strokes(shape) for shape in picture]
        middles = np.array([table[:, 5].mean() for table in drawn])
        far = centres[start:stop, None] - pixels_of(middles)
        nearest = np.hypot(*np.moveaxis(far, 2, 0)).argmin(axis=1)
        if len(set(nearest.tolist())) == len(picture):
            rows += range(start, stop)
            shapes += [picture[number] for number in nearest]
            strokes += [drawn[number] for number in nearest]
    return np.array(rows, int), shapes, strokes


def _strokes(shape: Placed) -> np.ndarray:
    """Return of each stroke its kind, the angle before it, its sweep, its length, then its places in the world."""
    rows, before, scale = [], np.nan, shape.at.scale
    for action, place, heading in starts(shape):
        kind, sweep = TYPES.index(action.type), 0.0
        ticks = action.length * scale
        if isinstance(action, Arc):
            kind, sweep = kind + len(TYPES), action.sweep
            ticks = sweep
        ahead = heading + (180.0 if sweep < 0 else 0.0)  # such an arc is drawn backward
        angle = abs((ahead - before + 180) % 360 - 180)
        before = ahead + sweep
        points = along(action, scale, place, heading, ticks * _SHARES)
        rows.append((kind, angle, abs(sweep) or np.nan, action.length * scale, *points))
    return np.array(rows, complex)


def _nearest(values: np.ndarray, levels: Sequence[float]) -> np.ndarray:
    nearest = np.abs(values[..., None] - np.array(levels)).argmin(axis=-1)
    return np.where(np.isnan(values), UNKNOWN, nearest)
