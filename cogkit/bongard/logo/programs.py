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
_FIELDS = {"line": ("length", "turn"), "arc": ("radius", "sweep", "turn")}
_NUMBER = re.compile(r"\d+(\.\d+)?")


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
    if not isinstance(text, str):
        raise InputError(f"{text!r}", "an action string, such as line_normal_1.000-0.500")
    kind, rest = _word(text, 0, _FIELDS, "line or arc")
    type_, rest = _word(text, rest, TYPES, f"a stroke type ({', '.join(TYPES)})")
    fields, numbers = _FIELDS[kind], []
    for place, field in enumerate(fields):
        end = "" if place == len(fields) - 1 else "-" if place == len(fields) - 2 else "_"
        number, rest = _number(text, rest, field, end)
        numbers.append(number)
    turn = _clean(numbers[-1] * 360 - 180)
    if kind == "line":
        return Line(numbers[0], turn, type_)
    return Arc(numbers[0], _clean(numbers[1] * 720 - 360), turn, type_)


def _word(text: str, start: int, words: Iterable[str], wanted: str) -> tuple[str, int]:
    end = text.find("_", start)
    word = text[start:] if end < 0 else text[start:end]
    if word not in words or end < 0:
        raise _fault(text, start, wanted if word not in words else f"'_' and a number after {word}")
    return word, end + 1


def _number(text: str, start: int, field: str, end: str) -> tuple[float, int]:
    """Return the number at a place, and where the next field starts; ``end`` is the character that must follow."""
    match = _NUMBER.match(text, start)
    if not match:
        raise _fault(text, start, f"the {field}, a number of 0 to 1")
    number, stop = float(match[0]), match.end()
    if number > 1 or (number == 0 and field in ("length", "radius")):
        raise _fault(text, start, f"a {field} {'over 0 ' if field in ('length', 'radius') else 'of 0 '}to 1")
    if text[stop : stop + len(end)] != end or (not end and stop != len(text)):
        raise _fault(text, stop, f"{end!r} after the {field}" if end else f"nothing after the {field}")
    return number, stop + len(end)


def _fault(text: str, place: int, wanted: str) -> InputError:
    excerpt = text[place : place + 20]
    return InputError(f"{excerpt!r} at character {place + 1} of {text[:60]!r}", wanted)


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
    if not program:
        raise InputError("no action", "a program of one action or more")
    for place, action in enumerate(program, start=1):
        if not isinstance(action, Action):
            raise InputError(f"{action!r} as action {place}", "a Line or an Arc")
        size = ("length", action.length) if isinstance(action, Line) else ("radius", action.radius)
        if not 0 < size[1] <= 1:
            raise InputError(f"a {size[0]} of {size[1]!r} in action {place}", "over 0 to 1, in units of the scale")
        if not -180 <= action.turn <= 180:
            raise InputError(f"a turn of {action.turn!r}° in action {place}", "-180 to 180, left positive")
        if isinstance(action, Arc) and not -360 <= action.sweep <= 360:
            raise InputError(f"a sweep of {action.sweep!r}° in action {place}", "-360 to 360")
        if action.type not in TYPES:
            raise InputError(f"the type {action.type!r} in action {place}", f"one of {', '.join(TYPES)}")
    return program
