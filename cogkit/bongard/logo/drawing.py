"""What the pen draws: a picture as marks in painting order, each a thick line or a stamp (Nie et al. 2020, § 2.1).

Every number here is that of the published painter. A stroke of type ``normal`` is a line along the stroke and
``zigzag`` a toothed one; the others lift the pen and stamp a small outline, white inside, at even distances.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from cogkit.bongard.logo.geometry import along, pieces, starts, to_xy
from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.logo.programs import Action, Arc, Line
from cogkit.core.contracts import InputError

_UNIT = 180.0  # the scale at which pitches and stamps have the sizes that `Pens` says
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
        What a raster that blackens every pixel it touches, as Ghostscript's does, adds to both widths.
    stamp_pitch, zigzag_pitch : float
        From stamp to stamp, and of one tooth; stretched so that a whole number of them fits the stroke.
    circle, square, triangle : float
        Size of a stamp, as a factor of its outline.
    magnify : bool
        Whether pitches and stamps grow with the shape; they are as said at a scale of 180.

    Raises
    ------
    InputError
        A size that is not over 0; ``spread`` may be 0.
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

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not (0 < value < math.inf or field.name in ("spread", "magnify") and value == 0):
                raise InputError(f"{field.name}={value!r}", "sizes of the pens that are over 0")


PROBLEM = Pens()
# The previews of shapes. They were exported from a coarser screen, so their lines spread further: measured on sixty.
PREVIEW = Pens(spread=3.5, stamp_pitch=25.0, zigzag_pitch=20.0, magnify=False)


class Mark(NamedTuple):
    """One thing that the painter puts on the paper.

    Attributes
    ----------
    points : (n, 2) float64
        World units: a line with round caps and joins, or the closed outline of a stamp, a regular polygon.
    width : float
        Of the ink, in world units.
    stamp : bool
        Whether it is an outline that is closed and filled with white, which hides what lies under it.
    shape, action : int
        Which shape of the picture it belongs to, and which action of that shape.
    """

    points: np.ndarray
    width: float
    stamp: bool
    shape: int
    action: int


def draw_list(picture: Picture, pens: Pens = PROBLEM) -> list[Mark]:
    """Return the marks of a picture in painting order: what comes later covers what came before.

    Parameters
    ----------
    picture : Picture
    pens : Pens

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
    """Return where along a stroke its repeats begin and end: world units on a line, degrees on an arc."""
    if isinstance(action, Line):
        length = action.length * scale
        return np.linspace(0.0, length, halves * _repeats(length, pitch) + 1)
    degrees = math.degrees(pitch / (action.radius * scale))
    return _divided(action.sweep, [halves * _repeats(abs(piece), degrees) for piece in pieces(action.sweep)])


def _chords(action: Action, scale: float) -> np.ndarray:
    """Return the ends of the straight lines that a plain stroke is made of: an arc has as many as Python's turtle."""
    if isinstance(action, Line):
        return np.array([0.0, action.length * scale])
    per_circle = min(11 + action.radius * scale / 6, 59.0)
    return _divided(action.sweep, [1 + int(per_circle * abs(piece) / 360) for piece in pieces(action.sweep)])


def _divided(sweep: float, counts: list[int]) -> np.ndarray:
    """Return the angles at which an arc is divided, each of its pieces into so many equal parts."""
    steps = np.repeat(np.divide(pieces(sweep), counts), counts)
    return np.concatenate([[0.0], np.cumsum(steps)])


def _repeats(length: float, pitch: float) -> int:
    return max(1, math.floor(length / pitch + 0.5))


def _zigzag(feet: np.ndarray, left: bool) -> np.ndarray:
    """Return a toothed line over its feet: equilateral teeth on either side in turn, the first on the left or not."""
    side = np.exp(1j * np.pi / 3 * np.where(np.arange(len(feet) - 1) % 2, -1, 1) * (1 if left else -1))
    points = np.empty(2 * len(feet) - 1, complex)
    points[::2] = feet
    points[1::2] = feet[:-1] + np.diff(feet) * side
    return points
