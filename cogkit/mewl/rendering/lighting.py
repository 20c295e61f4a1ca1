"""Lamps, the ground, and how much light falls on a point (Jiang et al. 2023, § 3.1).

Three square lamps shine at the origin from places that vary a little between scenes, and a sun is far away. The ground
bends upwards far behind the things, like the paper in a photographer's studio, under a dim dome. Compiled code contains
the values of the constants: after a change here, compile other modules anew.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from cogkit.core.compiled import compiled, mix, to_unit
from cogkit.mewl.rendering.materials import lobe
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.solids import CUBE, CYLINDER, FAR, ROD, bodies, enclosing, meet
from cogkit.mewl.world.things import RGB
from cogkit.mewl.world.vectors import ONE, UP, ZERO, dot, length, minus, over, plus, product, times, triple

# Place, half a side, radiance times area, and colour. The paper gives watts: pi times the radiance times area.
_LAMPS = (
    ((6.4467, -2.9052, 4.2584), 0.25, 75.0, (1.0, 0.932, 0.817)),  # key
    ((-4.6711, -4.0136, 3.0112), 0.25, 20.0, (0.762, 0.818, 1.0)),  # fill
    ((-1.1685, 2.646, 5.8157), 0.5, 37.5, (1.0, 1.0, 1.0)),  # back
)
_SUN, _SUN_TURNS, _SUN_WIDE, _SUN_FAR = 0.45, (0.236, 0.417, 0.097), 0.199, 400.0
_HAND_RGB = (240, 191, 29)
_STUFF = {"rubber": 0, "metal": 1, "glass": 2}
RUBBER, METAL, GLASS = _STUFF.values()
FLOOR = 0.5  # share of light that the ground reflects
LIFT = 1e-3  # height of things above the ground
BEHIND = (-0.75449, 0.65631)  # direction on the ground, away from a camera that has not moved
BEND, BOW = 6.0, 12.0  # the ground begins to bend this far behind the origin; radius of the bend
DOME = (0.16, 0.165, 0.175)
_BULK = {CUBE: (6 / math.pi) ** (1 / 3), CYLINDER: 1.5 ** (1 / 3)}  # radius of a ball of equal volume over half a side
_GRASP = 0.42  # radius of a ball that stands for a hand
LIT = 4  # number of lamps
CLEAR, RIM = 1.2, 0.25  # glass gathers light in the middle of its shadow, and scatters it at the rim


def lamps(scene: Scene) -> np.ndarray:
    """Return the lamps of a scene, (4, 16): centre, two half sides, direction, radiance times area, and area."""
    rows = []
    for (at, side, power, colour), shift in zip(_LAMPS, scene.lamps, strict=True):
        rows.append(_lamp(np.add(at, shift), side, np.multiply(power, colour)))
    a, b, c = _SUN_TURNS  # about x, then y, then z
    x, y, z = math.sin(b) * math.cos(a), -math.sin(a), math.cos(a) * math.cos(b)
    toward = np.array([x * math.cos(c) - y * math.sin(c), x * math.sin(c) + y * math.cos(c), z])
    side = _SUN_FAR * _SUN_WIDE / 2 * math.sqrt(math.pi) / 2  # a square of the sun's area
    rows.append(_lamp(_SUN_FAR * toward, side, np.full(3, _SUN * _SUN_FAR**2)))
    return np.array(rows)


def _lamp(at: np.ndarray, side: float, power: np.ndarray) -> np.ndarray:
    toward = -at / np.linalg.norm(at)
    across = np.cross(toward, (0, 0, 1))
    across /= np.linalg.norm(across)
    return np.concatenate([at, side * across, side * np.cross(across, toward), toward, power, [4 * side * side]])


class World(NamedTuple):
    """The input of the compiled functions: bodies, groups (one for each thing, and one for a hand), looks and lamps.

    A group is x, y, z and radius of a ball around it, its first body and the one after its last, the radius of a ball
    of equal volume, and the height of its centre. A look of a group is material, colour, and mean radiance.
    """

    bodies: np.ndarray
    groups: np.ndarray
    looks: np.ndarray
    lamps: np.ndarray


def world(scene: Scene) -> World:
    """Return the world of a scene."""
    rows, owners = bodies(scene)
    balls = np.array([enclosing(row) for row in rows]).reshape(-1, 4)
    groups, looks, lights = [], [], lamps(scene)
    paints = [(thing.material, RGB[thing.color]) for thing in scene.things]
    if scene.hand is not None:
        paints.append(("rubber", _HAND_RGB))
    for owner, (stuff, colour) in enumerate(paints):
        members = np.flatnonzero(owners == owner)
        middle = (balls[members, :3].min(axis=0) + balls[members, :3].max(axis=0)) / 2
        reach = (np.linalg.norm(balls[members, :3] - middle, axis=1) + balls[members, 3]).max()
        kind, half = int(rows[members[0], 0]), rows[members[0], 4]
        bulk = _GRASP if kind == ROD else half * _BULK.get(kind, 1.0)
        groups.append((*middle, reach, members[0], members[-1] + 1, bulk, middle[2]))
        offsets = lights[:, :3] - middle
        falls = (lights[:, 12:15] / (offsets**2).sum(axis=1)[:, None]).sum(axis=0) / 4  # the mean over all directions
        looks.append((_STUFF[stuff], *(np.array(colour) / 255), *(falls / math.pi + np.array(DOME) / 2)))
    return World(rows, np.array(groups).reshape(-1, 8), np.array(looks).reshape(-1, 7), lights)


@compiled
def floor(origin, towards):
    """Return the distance at which a ray meets the ground from above, or `FAR`, and the normal of the ground there."""
    s, ds = origin[0] * BEHIND[0] + origin[1] * BEHIND[1], towards[0] * BEHIND[0] + towards[1] * BEHIND[1]
    z, dz = origin[2] + LIFT, towards[2]
    if dz < 0:
        at = max(-z / dz, 0.0)
        if s + at * ds <= BEND:
            return at, UP
    if ds <= 0 and s < BEND:
        return FAR, ZERO
    a, b, c = ds * ds + dz * dz, (s - BEND) * ds + (z - BOW) * dz, (s - BEND) ** 2 + (z - BOW) ** 2 - BOW * BOW
    discriminant = b * b - a * c
    if discriminant > 0 and a > 1e-12:
        at = (-b + math.sqrt(discriminant)) / a
        across, high = s + at * ds - BEND, z + at * dz - BOW
        if at > 0 and across >= 0 and high <= 0:
            return at, (-across / BOW * BEHIND[0], -across / BOW * BEHIND[1], -high / BOW)
    if ds > 0:
        at = (BEND + BOW - s) / ds
        if at > 0 and z + at * dz > BOW:
            return at, (-BEHIND[0], -BEHIND[1], 0.0)
    return FAR, ZERO


@compiled
def passed(world, place, lamp, count, word):
    """Return the share of a lamp's light that reaches a place: red, green, blue.

    Rays to the corners and the middle of the lamp test all groups that may lie between. If these rays differ, or pass
    through glass, ``count`` more rays go to points spread evenly over the lamp, shifted by a random ``word``.
    """
    row = world.lamps[lamp]
    towards = minus(triple(row, 0), place)
    distance = length(towards)
    towards = over(towards, distance)
    spread = math.sqrt(row[15] / 2) / distance  # half the diagonal of the lamp, as an angle at the place
    blockers, tinted = 0, False
    for group in range(len(world.groups)):
        if not _aside(world.groups[group], place, towards, spread):
            blockers |= 1 << group
            tinted |= world.looks[group, 0] == GLASS
    if blockers == 0:
        return ONE
    if not tinted:
        open_ = 0
        for k in range(5):
            u = 0.0 if k == 4 else (0.95 if k & 1 else -0.95)
            v = 0.0 if k == 4 else (0.95 if k & 2 else -0.95)
            open_ += _through(world, row, place, u, v, blockers)[0] > 0
        if open_ == 0 or open_ == 5:
            return times(open_ / 5, ONE)
    word = mix(word + np.uint64(lamp))
    u, v, light = to_unit(word), to_unit(mix(word)), ZERO
    for k in range(count):
        a, b = (k + u) / count, (k * 0.6180339887498949 + v) % 1.0
        light = plus(light, _through(world, row, place, 2 * a - 1, 2 * b - 1, blockers))
    return over(light, count)


@compiled
def _aside(ball, place, towards, spread):
    """Return whether a ball lies outside the cone from a place to a lamp."""
    middle = minus(triple(ball, 0), place)
    along = dot(middle, towards)
    if along < -ball[3]:
        return True
    wide = ball[3] + spread * max(along, 0.0) * 1.05
    return dot(middle, middle) - along * along > wide * wide * (1 + spread * spread)


@compiled
def _through(world, row, place, u, v, between):
    """Return the light that some groups, given as bits, let through between a place and a point on a lamp."""
    point = plus(plus(triple(row, 0), times(u, triple(row, 3))), times(v, triple(row, 6)))
    towards, light = minus(point, place), ONE
    distance = length(towards)
    towards = over(towards, distance)
    for group in range(len(world.groups)):
        if not between >> group & 1:
            continue
        for k in range(int(world.groups[group, 4]), int(world.groups[group, 5])):
            at, normal = meet(world.bodies[k], place, towards, 2e-4)
            if at >= distance:
                continue
            if world.looks[group, 0] != GLASS:
                return ZERO
            slant = abs(dot(normal, towards))
            light = times(CLEAR * slant / (slant + RIM), product(light, triple(world.looks[group], 1)))
    return light


@compiled
def direct(world, place, normal, viewer, tangent, alpha, beta, count, word):
    """Return the light that falls on a surface from lamps, and the light that its facets send to a viewer.

    These are irradiance and, where ``alpha`` is above 0, radiance. ``viewer`` is a direction, and ``tangent`` the x and
    y of the level tangent of `materials.facets`.
    """
    light, shine, out = ZERO, ZERO, dot(normal, viewer)
    for lamp in range(LIT):
        row = world.lamps[lamp]
        towards = minus(triple(row, 0), place)
        squared = dot(towards, towards)
        towards = over(towards, math.sqrt(squared))
        into, leaves = dot(normal, towards), -dot(towards, triple(row, 9))
        if into <= 0 or leaves <= 0:
            continue
        share = passed(world, plus(place, times(1e-4, normal)), lamp, count, word)
        ray = product(times(leaves / squared, share), triple(row, 12))
        light = plus(light, times(into, ray))
        if alpha > 0 and out > 0:
            halfway = plus(towards, viewer)
            size = length(halfway)
            along = (tangent[0] * halfway[0] + tangent[1] * halfway[1]) / size
            shine = plus(shine, times(lobe(into, out, dot(normal, halfway) / size, along, alpha, beta), ray))
    return light, shine


@compiled
def open_ground(world, place, normal):
    """Return the radiance of the ground without any shade: red, green, blue."""
    light = times(math.pi, DOME)
    for lamp in range(LIT):
        row = world.lamps[lamp]
        towards = minus(triple(row, 0), place)
        squared = dot(towards, towards)
        into, leaves = dot(normal, towards), -dot(towards, triple(row, 9))
        if into > 0 and leaves > 0:
            light = plus(light, times(into * leaves / (squared * squared), triple(row, 12)))
    return times(FLOOR / math.pi, light)


@compiled
def ball_share(cosine, sine):
    """Return the share of a surface's view that a ball takes, weighted by cosines (1: it sees nothing else).

    ``cosine`` belongs to the angle between the normal and the centre of the ball, and ``sine`` to half the angle that
    the ball fills. The value is exact for a ball wholly above the surface's plane, and smooth for one that sinks below.
    """
    if cosine >= sine:
        return cosine * sine * sine
    if cosine <= -sine:
        return 0.0
    return (cosine + sine) ** 2 / (4 * sine) * sine * sine


@compiled
def ambient(world, place, normal, own):
    """Return the light that falls on a surface from everything but lamps: the dome, the ground, and other things.

    This is irradiance: red, green, blue. Balls stand for things. ``own`` is the surface's own group, or -1.
    """
    groups, looks = world.groups, world.looks
    up = (1 + normal[2]) / 2
    down = 1 - up
    if own >= 0:  # a thing shades the ground under it, so its lower parts receive less light from below
        high = max(place[2], 0.0)
        down *= high / (high + 0.3 * groups[own, 6])
    rest, light = 1.0, ZERO
    for k in range(len(groups)):
        if k == own:
            continue
        towards = minus(triple(groups[k], 0), place)
        distance = length(towards)
        share = ball_share(dot(towards, normal) / distance, min(groups[k, 6] / distance, 0.97))
        if share > 1e-4:
            rest *= 1 - share
            light = plus(light, product(times(share, triple(looks[k], 1)), triple(looks[k], 4)))
    ground = open_ground(world, (place[0], place[1], 0.0), UP)
    sky = plus(times(up, DOME), times(down, ground))
    return times(math.pi, plus(times(rest, sky), light))
