"""Where the pen goes: the trace of a placed program, and its centre lines.

Inside this module a place is a complex number, x + iy, in world units. Outside it is a pair (x, y).
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator

import numpy as np

from cogkit.bongard.logo.pictures import Placed
from cogkit.bongard.logo.programs import Action, Line

_PIECE = 90.0  # degrees: the painter cuts a longer arc into pieces of this size and a shorter rest


def starts(placed: Placed) -> Iterator[tuple[Action, complex, float]]:
    """Yield each action with the pen's place, and its heading after the turn of that action.

    Examples
    --------
    >>> from cogkit.bongard.logo.programs import Line
    >>> list(starts(Placed((Line(1.0, 90.0),))))
    [(Line(length=1.0, turn=90.0, type='normal'), 0j, 90.0)]
    """
    at = placed.at
    place, heading = complex(at.x, at.y), at.heading
    for action in placed.program:
        heading += action.turn
        yield action, place, heading
        place, heading = _end(action, at.scale, place, heading)


def _end(action: Action, scale: float, place: complex, heading: float) -> tuple[complex, float]:
    if isinstance(action, Line):
        return place + cmath.rect(action.length * scale, math.radians(heading)), heading
    to_centre = 1j * cmath.rect(action.radius * scale, math.radians(heading))
    return place + to_centre * (1 - cmath.rect(1.0, math.radians(action.sweep))), heading + action.sweep


def along(action: Action, scale: float, place: complex, heading: float, ticks: np.ndarray) -> np.ndarray:
    """Return the pen's places along a stroke; ticks are world units from the start of a line, or degrees of an arc."""
    towards = cmath.rect(1.0, math.radians(heading))
    if isinstance(action, Line):
        return place + towards * ticks
    return place + 1j * towards * (action.radius * scale) * (1 - np.exp(1j * np.radians(ticks)))


def pieces(sweep: float) -> list[float]:
    """Return the angles that the painter cuts an arc into.

    Examples
    --------
    >>> pieces(-200.0)
    [-90.0, -90.0, -20.0]
    """
    whole, rest = divmod(abs(sweep), _PIECE)
    quarters = [math.copysign(_PIECE, sweep)] * int(whole)
    return quarters + [math.copysign(rest, sweep)] if rest or not quarters else quarters


def trace(placed: Placed) -> np.ndarray:
    """Return the pen's place and heading before the first action and after each action.

    Rows (k + 1, 3) float64 are x and y in world units, and the heading in degrees, which may be more than a full turn.

    Examples
    --------
    >>> from cogkit.bongard.logo.programs import Arc, Line
    >>> trace(Placed((Line(1.0), Arc(0.5, 90.0)))).round(9).tolist()
    [[0.0, 0.0, 0.0], [200.0, 0.0, 0.0], [300.0, 100.0, 90.0]]
    """
    at = placed.at
    rows = [(at.x, at.y, at.heading)]
    for action, place, heading in starts(placed):
        end, heading = _end(action, at.scale, place, heading)
        rows.append((end.real, end.imag, heading))
    return np.array(rows)


def path(placed: Placed, step: float = 5.0) -> list[np.ndarray]:
    """Return the centre line of each stroke, as a plain pen would draw it.

    Each is (m, 2) float64 in world units, and begins with exactly the numbers that end the stroke before it. ``step``
    is the most degrees of an arc from one point to the next.

    Examples
    --------
    >>> from cogkit.bongard.logo.programs import Arc, Line
    >>> [len(stroke) for stroke in path(Placed((Line(1.0), Arc(0.5, 90.0))))]
    [2, 19]
    """
    strokes = []
    for action, place, heading in starts(placed):
        end = _end(action, placed.at.scale, place, heading)[0]
        if isinstance(action, Line):
            points = np.array([place, end])
        else:
            angles = np.linspace(0.0, action.sweep, max(1, math.ceil(abs(action.sweep) / step)) + 1)
            points = along(action, placed.at.scale, place, heading, angles)
            points[-1] = end
        strokes.append(to_xy(points))
    return strokes


def stops(placed: Placed) -> np.ndarray:
    """Return the pen's place after each line, and after each piece of at most 90° of an arc.

    Places are (m, 2) float64 in world units.

    Examples
    --------
    >>> from cogkit.bongard.logo.programs import Arc
    >>> stops(Placed((Arc(0.5, 180.0),))).round(9).tolist()
    [[100.0, 100.0], [0.0, 200.0]]
    """
    places: list[complex] = []
    for action, place, heading in starts(placed):
        if isinstance(action, Line):
            places.append(_end(action, placed.at.scale, place, heading)[0])
        else:
            places.extend(along(action, placed.at.scale, place, heading, np.cumsum(pieces(action.sweep))))
    return to_xy(np.array(places))


def to_xy(places: np.ndarray) -> np.ndarray:
    """Return complex places (...,) as x and y (..., 2)."""
    return np.ascontiguousarray(places, dtype=complex).view(float).reshape(*places.shape, 2)
