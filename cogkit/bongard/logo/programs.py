"""Action programs: what the pen does, stroke by stroke, and their published strings (Nie et al. 2020, § 2.1).

A sequence of actions draws a shape in one go. Each action first turns the pen, then draws one stroke. Programs hold
the full numbers; the published strings hold three decimals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cogkit.core.errors import InputError

TYPES = ("normal", "zigzag", "circle", "square", "triangle")
_FIELDS = {"line": {"length": "-", "turn": ""}, "arc": {"radius": "_", "sweep": "-", "turn": ""}}  # and what follows
_SHARE = r"(0*1(?:\.0+)?|0+(?:\.\d+)?)"  # a number of 0 to 1
_SIZES = ("length", "radius")  # which are over 0


@dataclass(frozen=True, slots=True)
class Line:
    """A straight stroke.

    Attributes
    ----------
    length : float
        In units of the shape's scale, over 0 to 1.
    turn : float
        Degrees the pen turns before the stroke, left positive, -180 to 180.
    type : str
        How the stroke is drawn, one of `TYPES`.
    """

    length: float
    turn: float = 0.0
    type: str = "normal"


@dataclass(frozen=True, slots=True)
class Arc:
    """A stroke along a circle whose centre lies to the left of the pen.

    Attributes
    ----------
    radius : float
        In units of the shape's scale, over 0 to 1.
    sweep : float
        Degrees, -360 to 360. Positive: forward and to the left. Negative: backward along the same circle.
    turn, type
        As in `Line`.
    """

    radius: float
    sweep: float
    turn: float = 0.0
    type: str = "normal"

    @property
    def length(self) -> float:
        """The length of the stroke, in the units of the radius."""
        return self.radius * math.radians(abs(self.sweep))


Action = Line | Arc
Program = tuple[Action, ...]


def write(action: Action) -> str:
    """Return the published string of an action: angles as shares of their range, three decimals.

    Examples
    --------
    >>> write(Line(1.0, 120.0)), write(Arc(0.5, -90.0, 0.0, "zigzag"))
    ('line_normal_1.000-0.833', 'arc_zigzag_0.500_0.375-0.500')
    """
    turn = (action.turn + 180) / 360
    if isinstance(action, Line):
        return f"line_{action.type}_{action.length:.3f}-{turn:.3f}"
    return f"arc_{action.type}_{action.radius:.3f}_{(action.sweep + 360) / 720:.3f}-{turn:.3f}"


def parse(text: str) -> Action:
    """Return the action that a published string describes.

    With three decimals, a turn is known to 0.18° and a sweep to 0.36°. Raises an `InputError` that gives the first
    wrong character, counted from 1.

    Examples
    --------
    >>> parse("line_zigzag_0.500-0.750")
    Line(length=0.5, turn=90.0, type='zigzag')
    """
    kind, place = _next(text, 0, "(line|arc)_", "line or arc, and '_'")
    type_, place = _next(text, place, f"({'|'.join(TYPES)})_", f"a stroke type ({', '.join(TYPES)}), and '_'")
    numbers = {}
    for field, end in _FIELDS[kind].items():
        least, share = ("over 0", rf"(?!0+(?:\.0+)?(?!\.?\d)){_SHARE}") if field in _SIZES else ("of 0", _SHARE)
        wanted = f"a {field} {least} to 1, and {f'{end!r} after it' if end else 'nothing after it'}"
        number, place = _next(text, place, share + (end or "$"), wanted)
        numbers[field] = float(number)
    numbers["turn"] = _clean(numbers["turn"] * 360 - 180)
    if kind == "line":
        return Line(**numbers, type=type_)
    return Arc(**numbers | {"sweep": _clean(numbers["sweep"] * 720 - 360)}, type=type_)


def _next(text: str, place: int, pattern: str, wanted: str) -> tuple[str, int]:
    """Return what the pattern captures at a place, and where the text goes on."""
    match = isinstance(text, str) and re.compile(pattern, re.ASCII).match(text, place)
    if not match:
        got = str(text)
        raise InputError(f"{got[place : place + 20]!r} at character {place + 1} of {got[:60]!r}", wanted)
    return match[1], match.end()


def _clean(angle: float) -> float:
    """Return an angle without the rounding error of decimal fractions, which is far below the published precision."""
    return round(angle, 9) + 0.0


def write_program(program: Iterable[Action]) -> list[str]:
    """Return the published strings of a shape, one for each action."""
    return [write(action) for action in program]


def parse_program(strings: Sequence[str], where: str = "") -> Program:
    """Return the shape that published strings draw.

    Raises an `InputError` that gives the action and the character, counted from 1, if a string is wrong; ``where``
    begins the place that it names, such as ``"bd_x_0000, positive 3, shape 1"``.

    Examples
    --------
    >>> len(parse_program(["line_normal_1.000-0.500", "arc_circle_0.500_0.625-0.500"]))
    2
    """
    prefix = f"{where}, " if where else ""
    if isinstance(strings, str) or not isinstance(strings, Sequence) or not strings:
        raise InputError(f"{strings!r} ({prefix}a shape)"[:120], "a list of one action string or more")
    actions = []
    for place, text in enumerate(strings, start=1):
        try:
            actions.append(parse(text))
        except InputError as error:
            raise InputError(f"{error.got} ({prefix}action {place})", error.wanted, error.fix) from None
    return tuple(actions)


def validate(program: Iterable[Action]) -> Program:
    """Return a program as a tuple, after a check that every number can be drawn and written.

    Raises an `InputError` that gives the number of a wrong action, counted from 1.

    Examples
    --------
    >>> validate([Line(1.0), Arc(0.5, 90.0)])
    (Line(length=1.0, turn=0.0, type='normal'), Arc(radius=0.5, sweep=90.0, turn=0.0, type='normal'))
    """
    program = tuple(program)
    for place, action in enumerate(program or [None], start=1):
        if not isinstance(action, Action):
            raise InputError(f"{action!r} as action {place}", "a Line or an Arc")
        name, size = ("length", action.length) if isinstance(action, Line) else ("radius", action.radius)
        sweep = action.sweep if isinstance(action, Arc) else 0.0
        for right, got, wanted in (
            (0 < size <= 1, f"a {name} of {size!r}", "over 0 to 1, in units of the scale"),
            (-180 <= action.turn <= 180, f"a turn of {action.turn!r}°", "-180 to 180, left positive"),
            (-360 <= sweep <= 360, f"a sweep of {sweep!r}°", "-360 to 360"),
            (action.type in TYPES, f"the type {action.type!r}", f"one of {', '.join(TYPES)}"),
        ):
            if not right:
                raise InputError(f"{got} in action {place}", wanted)
    return program
