"""What the pen draws: a picture as marks in painting order, each a thick line or a stamp (Nie et al. 2020, § 2.1).

Every number here comes from the published painter. A ``normal`` stroke is a plain line and a ``zigzag`` stroke a
toothed line. For the other types the pen is lifted, and small outlines, white inside, are stamped at even distances.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cogkit.bongard.logo.geometry import along, pieces, starts, to_xy
from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.logo.programs import Action, Arc, Line

_UNIT = 180.0  # the scale at which pitches and stamps have the sizes in `Pens`
_CIRCLE = 10 * np.exp(2j * np.pi * np.arange(20) / 20)
_SQUARE = np.array([10 - 10j, 10 + 10j, -10 + 10j, -10 - 10j])
_TRIANGLE = np.array([10 - 5.77j, 11.55j, -10 - 5.77j])
_OUTLINES = {"circle": _CIRCLE * -1j, "square": _SQUARE * -1j, "triangle": _TRIANGLE * -1j}  # +y looks along the pen


@dataclass(frozen=True)
class Pens:
    """Sizes that the painter draws with, in world units.

    Attributes
    ----------
    pen : float
        Width of a line; it does not grow with the shape.
    outline : float
        Width of a stamp's outline; it does not grow either.
    spread : float
        Added to both widths. Ghostscript blackens every pixel that a line touches, which makes lines this much wider.
    stamp_pitch, zigzag_pitch : float
        Distance from stamp to stamp, and length of one tooth. Both are stretched so that a whole number of them fits
        the stroke.
    circle, square, triangle : float
        Size of a stamp, as a factor of its outline.
    magnify : bool
        Whether pitches and stamps grow with the shape. At a scale of 180 they have the sizes given here.
    """

    pen: float = 8.0
    outline: float = 2.5
    spread: float = 1.84
    stamp_pitch: float = 20.0
    zigzag_pitch: float = 17.0
    circle: float = 0.75
    square: float = 0.65
    triangle: float = 0.80
    magnify: bool = True


PROBLEM = Pens()
# For the previews of shapes. They were exported from a coarser screen, so their lines are wider (measured on sixty).
PREVIEW = Pens(spread=3.5, stamp_pitch=25.0, zigzag_pitch=20.0, magnify=False)


class Mark(NamedTuple):
    """One line or stamp on the paper.

    Attributes
    ----------
    points : (n, 2) float64
        World units. A line has round caps and joins; a stamp is a closed outline, a regular polygon.
    width : float
        Width of the ink, in world units.
    stamp : bool
        Whether it is a closed outline, filled with white, which hides the ink under it.
    shape, action : int
        Number of the shape in the picture, and of the action in that shape.
    """

    points: np.ndarray
    width: float
    stamp: bool
    shape: int
    action: int


def draw_list(picture: Picture, pens: Pens = PROBLEM) -> list[Mark]:
    """Return the marks of a picture in painting order: later marks cover earlier ones.

    Examples
    --------
    >>> from cogkit.bongard.logo.pictures import Placed
    >>> marks = draw_list((Placed((Line(1.0), Line(0.5, 90.0, "circle"))),))
    >>> [mark.stamp for mark in marks], marks[0].points.tolist()
    ([False, True, True, True, True, True, True], [[0.0, 0.0], [200.0, 0.0]])
    """
    marks = []
    for shape, placed in enumerate(picture):
        scale = placed.at.scale
        growth = scale / _UNIT if pens.magnify else 1.0
        for number, (action, place, heading) in enumerate(starts(placed)):
            stamp = action.type in _OUTLINES
            width = (pens.outline if stamp else pens.pen) + pens.spread
            draw = _stamps if stamp else _line
            marks += [
                Mark(points, width, stamp, shape, number)
                for points in to_xy(draw(action, scale, place, heading, pens, growth))
            ]
    return marks


def _stamps(action: Action, scale: float, place: complex, heading: float, pens: Pens, grown: float) -> np.ndarray:
    """Return the outlines (k, n) of the stamps along a stroke."""
    ticks = _ticks(action, scale, pens.stamp_pitch * grown)
    turns = ticks if isinstance(action, Arc) else np.zeros(len(ticks))
    outline = _OUTLINES[action.type] * (getattr(pens, action.type) * grown)
    directions = np.exp(1j * np.radians(heading + turns))
    return along(action, scale, place, heading, ticks)[:, None] + directions[:, None] * outline


def _line(action: Action, scale: float, place: complex, heading: float, pens: Pens, grown: float) -> np.ndarray:
    """Return the corners (1, n) of a plain stroke or of a zigzag one."""
    if action.type == "normal":
        return along(action, scale, place, heading, _chords(action, scale))[None]
    feet = along(action, scale, place, heading, _ticks(action, scale, pens.zigzag_pitch * grown, halves=2))
    return _zigzag(feet, left=isinstance(action, Line))[None]


def _ticks(action: Action, scale: float, pitch: float, halves: int = 1) -> np.ndarray:
    """Return where the repeats along a stroke begin and end, in world units on a line and in degrees on an arc."""
    if isinstance(action, Line):
        length = action.length * scale
        return np.linspace(0.0, length, halves * _repeats(length, pitch) + 1)
    degrees = math.degrees(pitch / (action.radius * scale))
    return _divided(action.sweep, [halves * _repeats(abs(piece), degrees) for piece in pieces(action.sweep)])


def _chords(action: Action, scale: float) -> np.ndarray:
    """Return the ends of the straight lines in a plain stroke; Python's turtle draws an arc with as many."""
    if isinstance(action, Line):
        return np.array([0.0, action.length * scale])
    per_circle = min(11 + action.radius * scale / 6, 59.0)
    return _divided(action.sweep, [1 + int(per_circle * abs(piece) / 360) for piece in pieces(action.sweep)])


def _divided(sweep: float, counts: list[int]) -> np.ndarray:
    """Return the angles that divide an arc, with each piece cut into its count of equal parts."""
    steps = np.repeat(np.divide(pieces(sweep), counts), counts)
    return np.concatenate([[0.0], np.cumsum(steps)])


def _repeats(length: float, pitch: float) -> int:
    return max(1, math.floor(length / pitch + 0.5))


def _zigzag(feet: np.ndarray, left: bool) -> np.ndarray:
    """Return a line of equilateral teeth over its feet, on alternate sides; ``left`` puts the first on the left."""
    side = np.exp(1j * np.pi / 3 * np.where(np.arange(len(feet) - 1) % 2, -1, 1) * (1 if left else -1))
    points = np.empty(2 * len(feet) - 1, complex)
    points[::2] = feet
    points[1::2] = feet[:-1] + np.diff(feet) * side
    return points
