"""Where a ray meets a sphere, an upright cylinder, a cube or a rod with round ends (compiled).

Each body is a row of numbers: ``kind, x, y, z, half, cosine, sine, x', y', z'``. These are its middle, half its height,
and its turn about the vertical. For a rod they are one end, the radius, and the other end.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from cogkit.core.compiled import compiled
from cogkit.mewl.world.scenes import POINTER, Scene, half
from cogkit.mewl.world.vectors import ZERO, dot, length, minus, over, plus, times, triple, turned

SPHERE, CYLINDER, CUBE, ROD = range(4)
COLUMNS = 10
_KINDS = {"sphere": SPHERE, "cylinder": CYLINDER, "cube": CUBE}
# Our own hand, made of rods: ends and radius in units of its scale. It points along x, at the height of its middle.
_HAND = np.loadtxt(Path(__file__).with_name("hand.csv"), delimiter=",", skiprows=1, usecols=range(1, 8)).tolist()
FAR = 1e9


def bodies(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """Return the bodies of a scene, (m, 10) float64, and the number of the thing that owns each, (m,) int16.

    All rods of a hand have the number after the last thing.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> rows, whose = bodies(Scene(EVERY[:2], ((0.0, 0.0), (1.0, 2.0)), (0.0, 0.0)))
    >>> rows.shape, whose.tolist()
    ((2, 10), [0, 1])
    """
    rows, n = [], len(scene.things)
    for thing, (x, y), turn in zip(scene.things, scene.places, scene.turns, strict=True):
        height = half(thing)
        rows.append((_KINDS[thing.shape], x, y, height, height, math.cos(turn), math.sin(turn), 0.0, 0.0, 0.0))
    if scene.hand is not None:
        (x, y), cosine, sine = scene.hand, math.cos(scene.heading), math.sin(scene.heading)
        for *ends, radius in _HAND:
            (ax, ay, az), (bx, by, bz) = (
                (x + POINTER * (u * cosine - v * sine), y + POINTER * (u * sine + v * cosine), POINTER * (1 + w))
                for u, v, w in (ends[:3], ends[3:])
            )
            rows.append((ROD, ax, ay, az, POINTER * radius, 1.0, 0.0, bx, by, bz))
    return np.array(rows, float).reshape(-1, COLUMNS), np.minimum(np.arange(len(rows)), n).astype(np.int16)


@compiled
def enclosing(body):
    """Return (x, y, z, radius) of a sphere that holds a body."""
    kind, half, middle = int(body[0]), body[4], triple(body, 1)
    if kind == ROD:
        axis = minus(triple(body, 7), middle)
        return plus(middle, times(0.5, axis)) + (half + length(axis) / 2,)
    return middle + (half if kind == SPHERE else half * math.sqrt(2.0 if kind == CYLINDER else 3.0),)


@compiled
def meet(body, origin, towards, least):
    """Return the distance at which a ray first meets a body beyond ``least``, or `FAR`, and the surface normal there.

    The ray has a unit direction. The normal points out of the body, also when the ray comes from inside.
    """
    kind, half = int(body[0]), body[4]
    start = minus(origin, triple(body, 1))
    if kind == SPHERE:
        return _sphere(start, towards, half, least)
    if kind == CYLINDER:
        return _cylinder(start, towards, half, least)
    if kind == CUBE:
        cosine, sine = body[5], body[6]
        at, normal = _cube(turned(start, cosine, -sine), turned(towards, cosine, -sine), half, least)
        return at, turned(normal, cosine, sine)
    return _rod(start, towards, minus(triple(body, 7), triple(body, 1)), half, least)


@compiled
def _sphere(start, towards, radius, least):
    along = dot(start, towards)
    discriminant = along * along - (dot(start, start) - radius * radius)
    if discriminant >= 0:
        root = math.sqrt(discriminant)
        for at in (-along - root, -along + root):
            if at > least:
                return at, over(plus(start, times(at, towards)), radius)
    return FAR, ZERO


@compiled
def _cylinder(start, towards, half, least):
    (x, y, z), (dx, dy, dz) = start, towards
    best, normal = FAR, ZERO
    a = dx * dx + dy * dy
    if a > 1e-12:
        b, c = x * dx + y * dy, x * x + y * y - half * half
        discriminant = b * b - a * c
        if discriminant < 0:
            return FAR, ZERO
        root = math.sqrt(discriminant)
        for at in ((-b - root) / a, (-b + root) / a):
            if least < at < best and abs(z + at * dz) <= half:
                best, normal = at, ((x + at * dx) / half, (y + at * dy) / half, 0.0)
    if abs(dz) > 1e-12:
        for side in (-1.0, 1.0):
            at = (side * half - z) / dz
            px, py = x + at * dx, y + at * dy
            if least < at < best and px * px + py * py <= half * half:
                best, normal = at, (0.0, 0.0, side)
    return best, normal


@compiled
def _cube(start, towards, half, least):
    best, normal = FAR, ZERO
    for axis in range(3):
        if abs(towards[axis]) < 1e-12:
            continue
        for side in (-1.0, 1.0):
            at = (side * half - start[axis]) / towards[axis]
            x, y, z = plus(start, times(at, towards))
            inside = (axis == 0 or abs(x) <= half) and (axis == 1 or abs(y) <= half) and (axis == 2 or abs(z) <= half)
            if least < at < best and inside:
                best = at
                normal = (side if axis == 0 else 0.0, side if axis == 1 else 0.0, side if axis == 2 else 0.0)
    return best, normal


@compiled
def _rod(start, towards, axis, radius, least):
    best, normal = FAR, ZERO
    aa, ad, ao = dot(axis, axis), dot(axis, towards), dot(axis, start)
    do, oo = dot(start, towards), dot(start, start)
    a, b, c = aa - ad * ad, aa * do - ao * ad, aa * oo - ao * ao - radius * radius * aa
    discriminant = b * b - a * c
    if discriminant >= 0 and a > 1e-12:
        root = math.sqrt(discriminant)
        for at in ((-b - root) / a, (-b + root) / a):
            share = (ao + at * ad) / aa
            if least < at < best and 0 <= share <= 1:
                best, normal = at, over(minus(plus(start, times(at, towards)), times(share, axis)), radius)
    for end in (0.0, 1.0):
        beside = minus(start, times(end, axis))
        along = dot(beside, towards)
        discriminant = along * along - (dot(beside, beside) - radius * radius)
        if discriminant < 0:
            continue
        root = math.sqrt(discriminant)
        for at in (-along - root, -along + root):
            share = (ao + at * ad) / aa
            if least < at < best and (share <= 0 if end == 0.0 else share >= 1):
                best, normal = at, over(plus(beside, times(at, towards)), radius)
    return best, normal
