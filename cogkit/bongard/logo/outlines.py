"""Whether two programs draw the same figure, apart from place, size, direction and mirror image."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from cogkit.bongard.logo.drawing import PROBLEM
from cogkit.bongard.logo.geometry import along, path, starts, to_xy
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import TYPES, Action, Line, Program

UNIT = Placement(scale=1.0)
SAME = 0.01  # figures whose signatures differ by less count as the same; the nearest published ones differ by 0.03
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
_NODES, _WEIGHTS = (_NODES + 1) / 2, _WEIGHTS / 2
_INK = 0.07  # half the width of a stroke's ink at the smallest scale of a free-form shape, in units
_STEP = 0.04  # from one point of a centre line to the next, in units
_REACH = max(PROBLEM.circle * 10, PROBLEM.square * math.hypot(10, 10), PROBLEM.triangle * 11.55)  # of a stamp
_CHORD = 1.0  # most world units between a drawn arc and its chords
_kept = lru_cache(maxsize=2**13)  # a problem has few shapes, each asked for many times; nobody writes into results


@_kept
def outline(program: Program) -> np.ndarray:
    """Return the centre line of a whole shape as complex numbers, in units; it starts at 0, along the real axis."""
    return np.concatenate([stroke @ (1, 1j) for stroke in path(Placed(program, UNIT))])


def centre_line(placed: Placed) -> np.ndarray:
    """Return the centre line of a placed shape, (m, 2) float64 in world units."""
    at = placed.at
    turn = cmath.rect(at.scale, math.radians(at.heading))
    return to_xy(complex(at.x, at.y) + turn * outline(placed.program))


def half_ink(program: Program, scale: float) -> float:
    """Return the greatest distance of a shape's ink from its centre line, in world units.

    Examples
    --------
    >>> half_ink((Line(1.0),), 180.0)
    5.92
    """
    growth = scale / 180
    reach = {type_: (PROBLEM.outline + PROBLEM.spread) / 2 + _REACH * growth for type_ in TYPES}
    reach["normal"] = (PROBLEM.pen + PROBLEM.spread) / 2 + _CHORD
    reach["zigzag"] = reach["normal"] + math.sqrt(3) / 4 * 1.5 * PROBLEM.zigzag_pitch * growth  # a tooth stretched most
    return max(reach[action.type] for action in program)


@_kept
def covered(program: Program) -> float:
    """Return the largest share of a stroke that lies under the ink of other strokes.

    A point of a centre line is covered when the centre line of another stroke is nearer than half a stroke's width.
    Points within a whole width of the joint between two successive strokes do not count: a corner always covers them.

    Examples
    --------
    >>> there, back = Line(1.0), Line(1.0, 180.0)
    >>> covered((there, back)), covered((there, Line(1.0, 90.0)))
    (0.88, 0.0)
    """
    points, owner = _sampled(program)
    offset = owner[:, None] - owner
    near = np.abs(points[:, None] - points) < _INK
    near &= offset != 0
    if not near.any():
        return 0.0
    joints = np.array([place for _, place, _ in starts(Placed(program, UNIT))])
    for step in (1, -1):  # the joint with the stroke before, and with the one after
        joint = np.append(joints, np.inf)[owner + (step < 0)]
        near &= ~((offset == step) & (np.abs(points - joint) < 2 * _INK)[:, None])
    hidden = near.any(axis=1)
    return float((np.bincount(owner, hidden) / np.bincount(owner)).max())


def _sampled(program: Program) -> tuple[np.ndarray, np.ndarray]:
    """Return the middles of short equal parts of every stroke, and the number of the stroke that each lies on."""
    points, owner = [], []
    for number, (action, place, heading) in enumerate(starts(Placed(program, UNIT))):
        parts = max(1, round(action.length / _STEP))
        points.append(_along(action, place, heading, (np.arange(parts) + 0.5) / parts))
        owner += [number] * parts
    return np.concatenate(points), np.array(owner)


def _along(action: Action, place: complex, heading: float, shares: np.ndarray) -> np.ndarray:
    """Return the pen's places along a stroke, at shares of its length."""
    return along(action, 1.0, place, heading, shares * (action.length if isinstance(action, Line) else action.sweep))


@_kept
def seams(program: Program) -> bool:
    """Return whether a stroke runs smoothly into another of the same type, so that the two look like one.

    Examples
    --------
    >>> seams((Line(1.0), Line(0.5))), seams((Line(1.0), Line(0.5, 0.0, "zigzag")))
    (True, False)
    """
    places, directions, bends, types = [], [], [], []
    for action, place, heading in starts(Placed(program, UNIT)):
        radius, sweep = (math.inf, 0.0) if isinstance(action, Line) else (action.radius, action.sweep)
        sign = -1 if sweep < 0 else 1
        end = _along(action, place, heading, np.ones(1))[0]
        first, last = (np.exp(1j * math.radians(angle)) * sign for angle in (heading, heading + sweep))
        places += [place, end]
        directions += [first, -last]
        bends += [sign / radius, -sign / radius]
        types += [action.type] * 2
    places, directions, bends, types = map(np.array, (places, directions, bends, types))
    meets = np.abs(places[:, None] - places) < 1e-6
    meets &= np.abs(directions[:, None] + directions) < 1e-6
    meets &= np.abs(bends[:, None] + bends) < 1e-6
    meets &= types[:, None] == types
    return bool(meets.any())


@_kept
def signature(program: Program, typed: bool = True) -> np.ndarray:
    """Return numbers that are the same for every program that draws the same figure, (65,) or (20,) float64.

    They are moments of the ink's centre line about its middle: of the whole line and, if ``typed``, of each stroke
    type. Joints, order, direction, place, size and mirror image do not change them.

    Examples
    --------
    >>> one, other = (Line(1.0), Line(0.5, 90.0)), (Line(0.5), Line(0.5, 0.0), Line(0.5, -90.0))
    >>> bool(np.allclose(signature(one), signature(other)))
    True
    """
    points, weight, kind = [], [], []
    for action, place, heading in starts(Placed(program, UNIT)):
        pieces = 1 if isinstance(action, Line) else math.ceil(abs(action.sweep) / 90 - 1e-9) or 1
        shares = ((np.arange(pieces)[:, None] + _NODES) / pieces).ravel()
        points.append(_along(action, place, heading, shares))
        weight.append(np.tile(_WEIGHTS, pieces) * (action.length / pieces))
        kind += [TYPES.index(action.type)] * len(shares)
    z, w = np.concatenate(points), np.concatenate(weight)
    w = w / w.sum()
    z = z - w @ z
    square = (z * z.conj()).real
    size = w @ square
    z, square = z / math.sqrt(size), square / size
    powers = z[:, None] ** np.arange(2, 11)
    m2, m3, m4, *more = w @ powers
    n1, n2, n3 = w @ (z * square), w @ (z**2 * square), w @ (z**3 * square)
    whole = [w @ square**2, w @ square**3, *map(abs, (m2, m3, m4, *more, n1, n2, n3))]
    whole += [(m3**2 * m2.conjugate() ** 3).real, (m4 * m2.conjugate() ** 2).real, (m3 * (n1 * m2).conjugate()).real]
    whole += [(n1**2 * m2.conjugate()).real, (n2 * m2.conjugate()).real, (n3 * m3.conjugate()).real]
    if not typed:
        return np.array(whole)
    by_type = np.zeros((len(TYPES), len(z)))
    by_type[kind, np.arange(len(z))] = w
    first, second = by_type @ z, by_type @ z**2
    upper = np.triu_indices(len(TYPES))
    grams = [np.outer(part, part.conj()).real[upper] for part in (first, second)]
    return np.concatenate([whole, by_type.sum(axis=1), by_type @ square, by_type @ square**2, *grams])


def picture_signature(programs: Sequence[Program], typed: bool = True) -> np.ndarray:
    """Return the signatures of a picture's shapes, (shapes, k)."""
    return np.stack([signature(program, typed) for program in programs])


def differ(one: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return how much a picture differs from others by their signatures, in either order of its shapes.

    Signatures are (shapes, k) and (n, shapes, k). The result (n,) is the largest difference between two numbers; it is
    over `SAME` where the figures differ.
    """
    straight = np.abs(others - one).max(axis=(1, 2), initial=0.0)
    if len(one) == 1:
        return straight
    return np.minimum(straight, np.abs(others - one[::-1]).max(axis=(1, 2), initial=0.0))
