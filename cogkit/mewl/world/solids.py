"""Where a ray meets a sphere, an upright cylinder, a cube or a rod with round ends (compiled).

Each body is a row of numbers: ``kind, x, y, z, half, cosine, sine, x', y', z'``. These are its middle, half its height,
and its turn about the vertical. For a rod they are one end, the radius, and the other end.
"""

from __future__ import annotations

import math

import numpy as np

from cogkit.core.compiled import compiled
from cogkit.mewl.world.scenes import POINTER, Scene, half

SPHERE, CYLINDER, CUBE, ROD = range(4)
COLUMNS = 10
_KINDS = {"sphere": SPHERE, "cylinder": CYLINDER, "cube": CUBE}
# Our own hand, made of rods: ends and radius in units of its scale. It points along x, at the height of its middle.
_HAND = (
    ((-1.05, -0.22, 0.0), (-0.60, -0.22, 0.0), 0.23),  # wrist
    ((-0.60, -0.46, 0.0), (-0.08, -0.50, 0.0), 0.22),  # palm
    ((-0.60, -0.22, 0.0), (-0.05, -0.24, 0.0), 0.24),
    ((-0.60, 0.02, 0.0), (-0.08, 0.0, 0.02), 0.22),
    ((-0.08, 0.0, 0.02), (0.95, 0.0, 0.05), 0.14),  # the finger that points
    ((-0.05, -0.24, 0.10), (0.16, -0.24, -0.14), 0.15),  # three that are bent
    ((-0.06, -0.44, 0.08), (0.12, -0.44, -0.14), 0.14),
    ((-0.08, -0.62, 0.05), (0.08, -0.62, -0.13), 0.12),
    ((-0.45, 0.12, 0.10), (-0.02, 0.26, 0.22), 0.13),  # thumb
)
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
    rows, owners = [], []
    for number, (thing, (x, y), turn) in enumerate(zip(scene.things, scene.places, scene.turns, strict=True)):
        height = half(thing)
        rows.append((_KINDS[thing.shape], x, y, height, height, math.cos(turn), math.sin(turn), 0.0, 0.0, 0.0))
        owners.append(number)
    if scene.hand is not None:
        (x, y), cosine, sine = scene.hand, math.cos(scene.heading), math.sin(scene.heading)
        for *ends, radius in _HAND:
            (ax, ay, az), (bx, by, bz) = (
                (x + POINTER * (u * cosine - v * sine), y + POINTER * (u * sine + v * cosine), POINTER * (1 + w))
                for u, v, w in ends
            )
            rows.append((ROD, ax, ay, az, POINTER * radius, 1.0, 0.0, bx, by, bz))
            owners.append(len(scene.things))
    return np.array(rows, float).reshape(-1, COLUMNS), np.array(owners, np.int16)


@compiled
def enclosing(body):
    """Return (x, y, z, radius) of a sphere that holds a body."""
    kind, half = int(body[0]), body[4]
    if kind == ROD:
        dx, dy, dz = body[7] - body[1], body[8] - body[2], body[9] - body[3]
        middle = (body[1] + dx / 2, body[2] + dy / 2, body[3] + dz / 2)
        return middle[0], middle[1], middle[2], half + math.sqrt(dx * dx + dy * dy + dz * dz) / 2
    reach = half if kind == SPHERE else half * math.sqrt(2.0 if kind == CYLINDER else 3.0)
    return body[1], body[2], body[3], reach


@compiled
def meet(body, ox, oy, oz, dx, dy, dz, least):
    """Return the distance at which a ray first meets a body beyond ``least``, or `FAR`, and the surface normal there.

    The ray has a unit direction. The normal points out of the body, also when the ray comes from inside.
    """
    kind, half = int(body[0]), body[4]
    x, y, z = ox - body[1], oy - body[2], oz - body[3]
    if kind == SPHERE:
        return _sphere(x, y, z, dx, dy, dz, half, least)
    if kind == CYLINDER:
        return _cylinder(x, y, z, dx, dy, dz, half, least)
    if kind == CUBE:
        cosine, sine = body[5], body[6]
        at, nx, ny, nz = _cube(
            x * cosine + y * sine, y * cosine - x * sine, z, dx * cosine + dy * sine, dy * cosine - dx * sine, dz,
            half, least,
        )  # fmt: skip
        return at, nx * cosine - ny * sine, nx * sine + ny * cosine, nz
    return _rod(x, y, z, dx, dy, dz, body[7] - body[1], body[8] - body[2], body[9] - body[3], half, least)


@compiled
def _sphere(x, y, z, dx, dy, dz, radius, least):
    along = x * dx + y * dy + z * dz
    discriminant = along * along - (x * x + y * y + z * z - radius * radius)
    if discriminant < 0:
        return FAR, 0.0, 0.0, 0.0
    root = math.sqrt(discriminant)
    at = -along - root
    if at <= least:
        at = -along + root
    if at <= least:
        return FAR, 0.0, 0.0, 0.0
    return at, (x + at * dx) / radius, (y + at * dy) / radius, (z + at * dz) / radius


@compiled
def _cylinder(x, y, z, dx, dy, dz, half, least):
    best, nx, ny, nz = FAR, 0.0, 0.0, 0.0
    a = dx * dx + dy * dy
    if a > 1e-12:
        b, c = x * dx + y * dy, x * x + y * y - half * half
        discriminant = b * b - a * c
        if discriminant < 0:
            return FAR, 0.0, 0.0, 0.0
        root = math.sqrt(discriminant)
        for at in ((-b - root) / a, (-b + root) / a):
            if least < at < best and abs(z + at * dz) <= half:
                best, nx, ny, nz = at, (x + at * dx) / half, (y + at * dy) / half, 0.0
    if abs(dz) > 1e-12:
        for side in (-1.0, 1.0):
            at = (side * half - z) / dz
            px, py = x + at * dx, y + at * dy
            if least < at < best and px * px + py * py <= half * half:
                best, nx, ny, nz = at, 0.0, 0.0, side
    return best, nx, ny, nz


@compiled
def _cube(x, y, z, dx, dy, dz, half, least):
    best, nx, ny, nz = FAR, 0.0, 0.0, 0.0
    for axis in range(3):
        d = dx if axis == 0 else (dy if axis == 1 else dz)
        if abs(d) < 1e-12:
            continue
        o = x if axis == 0 else (y if axis == 1 else z)
        for side in (-1.0, 1.0):
            at = (side * half - o) / d
            if not least < at < best:
                continue
            px, py, pz = x + at * dx, y + at * dy, z + at * dz
            inside = (
                (axis == 0 or abs(px) <= half) and (axis == 1 or abs(py) <= half) and (axis == 2 or abs(pz) <= half)
            )
            if inside:
                best = at
                nx, ny, nz = (side if axis == 0 else 0.0), (side if axis == 1 else 0.0), (side if axis == 2 else 0.0)
    return best, nx, ny, nz


@compiled
def _rod(x, y, z, dx, dy, dz, ax, ay, az, radius, least):
    best, nx, ny, nz = FAR, 0.0, 0.0, 0.0
    aa = ax * ax + ay * ay + az * az
    ad, ao = ax * dx + ay * dy + az * dz, ax * x + ay * y + az * z
    do, oo = x * dx + y * dy + z * dz, x * x + y * y + z * z
    a, b, c = aa - ad * ad, aa * do - ao * ad, aa * oo - ao * ao - radius * radius * aa
    discriminant = b * b - a * c
    if discriminant >= 0 and a > 1e-12:
        root = math.sqrt(discriminant)
        for at in ((-b - root) / a, (-b + root) / a):
            share = (ao + at * ad) / aa
            if least < at < best and 0 <= share <= 1:
                best = at
                nx, ny, nz = (x + at * dx - share * ax), (y + at * dy - share * ay), (z + at * dz - share * az)
                nx, ny, nz = nx / radius, ny / radius, nz / radius
    for end in (0.0, 1.0):
        sx, sy, sz = x - end * ax, y - end * ay, z - end * az
        along = sx * dx + sy * dy + sz * dz
        discriminant = along * along - (sx * sx + sy * sy + sz * sz - radius * radius)
        if discriminant < 0:
            continue
        root = math.sqrt(discriminant)
        for at in (-along - root, -along + root):
            share = (ao + at * ad) / aa
            if least < at < best and (share <= 0 if end == 0.0 else share >= 1):
                best = at
                nx, ny, nz = (sx + at * dx) / radius, (sy + at * dy) / radius, (sz + at * dz) / radius
    return best, nx, ny, nz
