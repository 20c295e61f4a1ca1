"""Programs, pictures and concepts in two forms: as data that the browser draws, and as words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from cogkit.bongard.logo import drawing, geometry, raster
from cogkit.bongard.logo.pictures import HALF, Picture, Placed
from cogkit.bongard.logo.programs import Action, Line, Program, parse_program, validate, write
from cogkit.bongard.problems.records import A_SIDE, SIDES, Problem
from cogkit.core.errors import InputError
from cogkit.ui import files

_MARGIN = 40.0  # world units around a drawing
_LEAST = 200.0  # a drawing smaller than this is not enlarged to fill its frame


def as_picture(drawn: Program | Sequence[str] | Placed | Picture) -> Picture:
    """Return any accepted form of a drawing as a picture.

    A program, or published strings, is placed at the centre of the paper. Raises `InputError` for another form, or a
    program that cannot be drawn.
    """
    if isinstance(drawn, Placed):
        return (drawn,)
    if isinstance(drawn, Sequence) and drawn and not isinstance(drawn, str):
        if all(isinstance(part, Placed) for part in drawn):
            return tuple(drawn)
        if all(isinstance(part, str) for part in drawn):
            return (Placed(parse_program(drawn)),)
        return (Placed(validate(drawn)),)
    raise InputError(repr(drawn)[:80], "a program, its published strings, or a picture")


def number(value: float, digits: int = 1) -> str:
    """Return a number without unnecessary zeros, and with a true minus.

    Examples
    --------
    >>> number(-90.0), number(0.518, 3)
    ('−90', '0.518')
    """
    return f"{round(value, digits) + 0.0:g}".replace("-", "−")


def turned(turn: float) -> str:
    """Return how the pen turns, in words.

    Examples
    --------
    >>> turned(0), turned(-60)
    ('straight on', 'right 60°')
    """
    if round(turn, 1) == 0:
        return "straight on"
    return f"{'left' if turn > 0 else 'right'} {number(abs(turn))}°"


def stroke(action: Action) -> str:
    """Return what an action draws, in words.

    Examples
    --------
    >>> stroke(Line(1.0, 120.0, "zigzag")), stroke(Line(0.5, 0.0, "circle"))
    ('zigzag line 1', 'line 0.5 of circles')
    """
    if isinstance(action, Line):
        text = f"line {number(action.length, 3)}"
    else:
        text = f"arc {number(action.sweep)}° at radius {number(action.radius, 3)}"
    return {"normal": text, "zigzag": f"zigzag {text}"}.get(action.type, f"{text} of {action.type}s")


def words(action: Action) -> str:
    """Return an action in words: the turn, then the stroke."""
    return f"{turned(action.turn)}, {stroke(action)}"


def attribute(name: str) -> str:
    """Return an attribute in words."""
    return name.replace("_", " ")


def condition(kind: str, name: str) -> str:
    """Return one part of a concept in words.

    Examples
    --------
    >>> condition("ff", "nact3_5"), condition("hd", "has_curve"), condition("bd", "bird8")
    ('3 and 5 strokes', 'has curve', 'bird8')
    """
    if kind == "ff":
        return f"{name.removeprefix('nact').replace('_', ' and ')} strokes"
    return attribute(name) if kind == "hd" else name


def concept(problem: Problem) -> str:
    """Return a problem's concept in words.

    Examples
    --------
    >>> concept(Problem("hd_convex-necked_0000", "hd", ("convex", "necked"), (), ()))
    'convex and necked'
    """
    words = conditions(problem)
    return f"the free-form shape{'s' * ('and' in words)} of {words}" if problem.kind == "ff" else words


def conditions(problem: Problem) -> str:
    """Return the parts of a problem's concept in words."""
    return " and ".join(condition(problem.kind, name) for name in problem.concept)


def where(side: int, place: int) -> str:
    """Return the position of a picture in a problem, in words; places count from 0."""
    return f"{SIDES[side].capitalize()} {place + 1} of {A_SIDE}"


def alt(problem: Problem, side: int, place: int, show_concept: bool) -> str:
    """Return the alternative text of a picture. It gives nothing of the concept before that is shown.

    Examples
    --------
    >>> problem = Problem("bd_bird8_0000", "bd", ("bird8",), ((Placed((Line(1.0),), name="bird8"),),), ())
    >>> alt(problem, 0, 0, show_concept=False), alt(problem, 0, 0, show_concept=True)
    ('Positive 1 of 7', 'Positive 1 of 7: bird8')
    """
    if not show_concept:
        return where(side, place)
    names = [part.name for part in problem.sides[side][place] if part.name]
    text = concept(problem) if side == 0 else f"not {concept(problem)}"
    shows = f", shows {' and '.join(names)}" if names and names != list(problem.concept) else ""
    return f"{where(side, place)}: {text}{shows}"


def uri(picture: Picture, size: int) -> str:
    """Return a picture as a data address of a PNG, for an ``img``."""
    return files.uri(raster.png(picture, size), "png")


def frame(picture: Picture) -> list[float]:
    """Return the part of the plane around a drawing as a square SVG viewBox, y downwards.

    Examples
    --------
    >>> frame(as_picture([Line(1.0)]))
    [-40.0, -140.0, 280.0, 280.0]
    """
    points = np.vstack([line for placed in picture for line in geometry.path(placed)])
    low, high = points.min(axis=0), points.max(axis=0)
    side = max((high - low).max(), _LEAST) + 2 * _MARGIN
    x, y = (low + high) / 2
    return [round(float(value), 1) for value in (x - side / 2, -y - side / 2, side, side)]


def paper() -> list[float]:
    """Return the whole paper as an SVG viewBox."""
    return [-HALF - _MARGIN, -HALF - _MARGIN, 2 * (HALF + _MARGIN), 2 * (HALF + _MARGIN)]


def strokes(picture: Picture) -> list[dict]:
    """Return the strokes of a picture in order, in the form that the browser draws, y downwards.

    ``marks``: for each mark [SVG path, width, 1 for a stamp], in painting order. ``way``: points of the centre line.
    ``was``, ``from``, ``to``: heading of the pen before the turn, after it, and at the end of the stroke, in degrees
    clockwise from right. ``words`` and ``text``: the action in words, and in its published form.
    """
    marks: dict[tuple[int, int], list] = {}
    for mark in drawing.draw_list(picture):
        marks.setdefault((mark.shape, mark.action), []).append([_path(mark), round(mark.width, 1), int(mark.stamp)])
    rows = []
    for shape, placed in enumerate(picture):
        headings = pairwise(geometry.trace(placed)[:, 2])
        for place, (line, (start, end)) in enumerate(zip(geometry.path(placed), headings, strict=True)):
            action = placed.program[place]
            rows.append({
                "marks": marks[shape, place],
                "way": (line * [1, -1]).round(1).tolist(),
                "was": round(-start, 2), "from": round(-start - action.turn, 2), "to": round(-end, 2),
                "words": words(action), "text": write(action),
            })  # fmt: skip
    return rows


def _path(mark: drawing.Mark) -> str:
    points = "L".join(f"{x:.1f} {-y:.1f}" for x, y in mark.points)
    return f"M{points}{'Z' * mark.stamp}"
