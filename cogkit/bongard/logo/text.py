"""A picture in words: the program of the pen that drew it."""

from __future__ import annotations

from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.logo.programs import Action, Line

STROKES = {
    "programs": "Each picture is given as the program of the pen that drew it. A program lists the strokes in order: "
    "line(length, turn, type) or arc(radius, sweep, turn, type), with angles in degrees. Before each stroke the pen "
    "turns, to the left if the turn is positive. The centre of an arc is on the left of the pen; with a negative sweep "
    "the pen goes backward on the same circle. The type tells how the stroke looks: normal, zigzag, or a row of "
    "circles, squares or triangles. If a picture has two shapes, | stands between their programs.",
    "pixels": "A pen drew each picture, stroke by stroke: lines and arcs. A stroke is normal, a zigzag, or a row of "
    "circles, squares or triangles. A picture has one shape or two.",
}


def program(picture: Picture) -> str:
    """Return the programs of a picture in words: all numbers with three decimals at most, and angles in degrees.

    Examples
    --------
    >>> from cogkit.bongard.logo.pictures import Placed
    >>> from cogkit.bongard.logo.programs import Arc
    >>> program((Placed((Line(1.0), Arc(0.25, -180.0, 30.0, "circle"))), Placed((Line(0.539, -94.8),))))
    'line(1, 0, normal) arc(0.25, -180, 30, circle) | line(0.539, -94.8, normal)'
    """
    return " | ".join(" ".join(map(_stroke, placed.program)) for placed in picture)


def _stroke(action: Action) -> str:
    name, sizes = ("line", [action.length]) if isinstance(action, Line) else ("arc", [action.radius, action.sweep])
    numbers = [f"{round(number, 3) + 0.0:g}" for number in (*sizes, action.turn)]
    return f"{name}({', '.join([*numbers, action.type])})"
