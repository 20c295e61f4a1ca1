"""Rays from a camera into a scene, and the light that comes back along them (compiled, one thread).

A ray splits at glass and follows mirrors. Metal and rubber blur their reflections, so these show balls in place of
things. Only the shadows of lamps involve chance.
"""

from __future__ import annotations

import math

import numpy as np

from cogkit.core.compiled import compiled, mix
from cogkit.mewl.rendering import lighting
from cogkit.mewl.rendering.lighting import GLASS, LIT, METAL, ambient, direct, floor, open_ground
from cogkit.mewl.rendering.materials import fresnel, mirror, ramp, refract, spot
from cogkit.mewl.world.geometry import ray
from cogkit.mewl.world.solids import FAR, ROD, meet
from cogkit.mewl.world.vectors import ONE, UP, ZERO, blend, dot, length, minus, over, plus, product, times, triple

NEAR = 1e-6
_DEEP, _RAYS, _FAINT = 6, 24, 0.006  # most mirrors and boundaries in a row, most waiting rays, weakest ray to follow
_ROW = 11  # numbers of a waiting ray: origin, direction, share of its light that arrives, depth, and blur of lamps
_POLISHED, _BRUSHED, _SHARP = 0.01, 0.2, 0.6  # alphas of the two lobes of metal, and the share of the first
_ALONG, _ACROSS = 0.75 * _BRUSHED, _BRUSHED / 0.75  # alphas of the second lobe, as if a lathe had turned the metal
_GLASS, _SHINE = 1.1, 1.33  # refraction index, and reflection index (with 1.1, small dark glass would look like felt)
_GLINT = 0.05  # blur of lamps in glass: as wide as a pixel, because rays would miss most sharper ones
_SKIN, _COAT, _DULL, _GREY = 1.4, 1.2, 0.35, 0.8  # rubber: indices of sheen and gloss, alpha and colour of the gloss
_SHEEN = 0.75
_SOFT, _SHY, _SHADE = 0.014, 0.06, 0.55  # a hand: range of rounded normals, range and strength of shade between rods


@compiled
def nearest(world, origin, towards, least):
    """Return the distance at which a ray first meets a thing, or `FAR`, and its body, group and normal there."""
    best, body, owner, normal = FAR, -1, -1, ZERO
    for group in range(len(world.groups)):
        if _misses(world.groups[group], origin, towards, best):
            continue
        for k in range(int(world.groups[group, 4]), int(world.groups[group, 5])):
            at, upright = meet(world.bodies[k], origin, towards, least)
            if at < best:
                best, body, owner, normal = at, k, group, upright
    return best, body, owner, normal


@compiled
def _misses(ball, origin, towards, best):
    middle, radius = minus(triple(ball, 0), origin), ball[3]
    along = dot(middle, towards)
    if along < -radius or along - radius > best:
        return True
    return dot(middle, middle) - along * along > radius * radius


@compiled
def glow(world, origin, towards, limit, blur):
    """Return the radiance of lamps along a ray up to a distance ``limit``: red, green, blue.

    ``blur`` is in radians.
    """
    light = ZERO
    for lamp in range(LIT):
        row = world.lamps[lamp]
        slope = dot(towards, triple(row, 9))
        if slope >= -1e-3:
            continue
        middle = minus(triple(row, 0), origin)
        at = dot(middle, triple(row, 9)) / slope
        if at <= 0 or at >= limit:
            continue
        place, half, wide = minus(times(at, towards), middle), math.sqrt(row[15]) / 2, blur * at
        u, v = dot(place, triple(row, 3)) / half, dot(place, triple(row, 6)) / half
        if abs(u) <= half + 4 * wide and abs(v) <= half + 4 * wide:
            light = plus(light, times(spot(u, half, wide) * spot(v, half, wide) / row[15], triple(row, 12)))
    return light


@compiled
def surroundings(world, place, towards, wide, own):
    """Return the blurred light that comes from a direction, without lamps: red, green, blue.

    ``wide`` is the angle in radians over which edges blur.
    """
    groups, looks = world.groups, world.looks
    (x, y, z), (dx, dy, dz) = place, towards
    at = min((z + 0.01) / -min(dz, -0.06), 30.0)
    ground, rest = (x + at * dx, y + at * dy, 0.0), 1.0
    for k in range(len(groups)):  # things near that place take light from the ground
        middle = minus(triple(groups[k], 0), ground)
        squared = dot(middle, middle)
        rest *= 1 - min(0.9, 1.2 * middle[2] / math.sqrt(squared) * min(1.0, groups[k, 6] ** 2 / squared))
    light = times(rest, open_ground(world, ground, UP))
    above = ramp((dz + wide) / (2 * wide))
    if above > 0:
        sky = lighting.DOME
        s, ds = x * lighting.BEHIND[0] + y * lighting.BEHIND[1], dx * lighting.BEHIND[0] + dy * lighting.BEHIND[1]
        facing = ramp((ds + wide / 2) / wide - 0.2)
        if facing > 0:
            at = (lighting.BEND + 0.7 * lighting.BOW - s) / max(ds, 0.1)
            high = min(z + at * max(dz, 0.0), 30.0)
            slant = min(1.0, high / lighting.BOW)
            leaning = (-slant * lighting.BEHIND[0], -slant * lighting.BEHIND[1], math.sqrt(1 - slant * slant))
            sky = blend(sky, open_ground(world, (x + at * dx, y + at * dy, high), leaning), facing)
        light = blend(light, sky, above)
    for k in range(len(groups)):
        if k == own:
            continue
        middle = minus(triple(groups[k], 0), place)
        far = length(middle)
        size = math.asin(min(0.99, groups[k, 6] / far))
        apart = math.acos(max(-1.0, min(1.0, dot(middle, towards) / far)))
        share = ramp((size + wide - apart) / (2 * wide)) * min(1.0, 2 * size / wide)
        if share > 0:
            light = blend(light, product(triple(looks[k], 1), triple(looks[k], 4)), share)
    return light


@compiled
def _rounded(world, owner, place):
    """Return the normal of a hand, and the share of light that its other rods leave there.

    The normal is a mean over all rods near by, so that the hand has no creases.
    """
    rows, groups = world.bodies, world.groups
    total, near = ZERO, 0.0
    for k in range(int(groups[owner, 4]), int(groups[owner, 5])):
        start, radius = triple(rows[k], 1), rows[k, 4]
        axis, offset = minus(triple(rows[k], 7), start), minus(place, start)
        offset = minus(offset, times(min(1.0, max(0.0, dot(offset, axis) / dot(axis, axis))), axis))
        distance = length(offset)
        near += math.exp(-(distance - radius) / _SHY)
        total = plus(total, over(times(math.exp(-(distance - radius) / _SOFT), offset), distance))
    return over(total, length(total)), 1 / near**_SHADE


@compiled
def _turned(group, place, normal):
    """Return x and y of the level tangent of a metal surface, around the upright axis of a thing."""
    tx, ty = group[1] - place[1], place[0] - group[0]
    into = tx * normal[0] + ty * normal[1]
    tx, ty = tx - into * normal[0], ty - into * normal[1]
    size = math.sqrt(tx * tx + ty * ty)
    return (tx / size, ty / size) if size > 1e-9 else (0.0, 0.0)


@compiled
def _push(stack, top, origin, towards, light, depth, blur):
    if max(light) < _FAINT or depth > _DEEP or top >= _RAYS:
        return top
    row = stack[top]
    row[0], row[1], row[2] = origin
    row[3], row[4], row[5] = towards
    row[6], row[7], row[8] = light
    row[9], row[10] = depth, blur
    return top + 1


@compiled
def radiance(world, origin, towards, count, word, stack):
    """Return the radiance that comes back along a ray (red, green, blue) and the group that it meets first, or -1.

    ``count`` rays to each lamp test for shadows, and a quarter as many beyond the first surface. ``stack`` is a scratch
    array.
    """
    looks, light = world.looks, ZERO
    top, group = _push(stack, 0, origin, towards, ONE, 0, 0.0), -1
    while top > 0:
        top -= 1
        row = stack[top]
        origin, towards, weight, depth, blur = triple(row, 0), triple(row, 3), triple(row, 6), int(row[9]), row[10]
        at, body, owner, normal = nearest(world, origin, towards, NEAR)
        ground, upright = floor(origin, towards)
        if depth == 0 and at < ground:
            group = owner
        elif depth > 0:
            light = plus(light, product(weight, glow(world, origin, towards, min(at, ground), blur)))
        rays = count if depth == 0 else max(4, count // 4)
        if ground <= at:
            seen = lighting.DOME
            if ground < FAR:
                place = plus(origin, times(ground, towards))
                lit, _ = direct(world, place, upright, ZERO, (0.0, 0.0), 0.0, 0.0, rays, word)
                seen = times(lighting.FLOOR / math.pi, plus(lit, ambient(world, place, upright, -1)))
            light = plus(light, product(weight, seen))
            continue
        place, colour, slope = plus(origin, times(at, towards)), triple(looks[owner], 1), dot(towards, normal)
        if looks[owner, 0] == GLASS:
            reflected, into = mirror(towards, normal), slope <= 0
            ratio = _GLASS if into else 1 / _GLASS
            share = fresnel(-slope, _SHINE) if into else fresnel(slope, ratio)
            back, through = times(share, weight), product(times(1 - share, weight), colour)
            if not into:
                back, normal = product(back, colour), times(-1.0, normal)
            top = _push(stack, top, place, reflected, back, depth + 1, _GLINT)
            if share < 1:
                top = _push(stack, top, place, refract(towards, normal, ratio), through, depth + 1, _GLINT / 4)
            continue
        open_ = 1.0
        if world.bodies[body, 0] == ROD:
            normal, open_ = _rounded(world, owner, place)
        viewer, reflected = times(-1.0, towards), mirror(towards, normal)
        facing = max(1e-3, dot(viewer, normal))
        if looks[owner, 0] == METAL:
            tangent = _turned(world.groups[owner], place, normal)
            _, shine = direct(world, place, normal, viewer, tangent, _ALONG, _ACROSS, rays, word)
            seen = times(1 - _SHARP, plus(shine, surroundings(world, place, reflected, 2 * _BRUSHED, owner)))
            weight, sharp = product(weight, colour), product(times(_SHARP, weight), colour)
            if depth >= 3:
                seen = plus(seen, times(_SHARP, surroundings(world, place, reflected, 0.1, owner)))
            else:
                top = _push(stack, top, place, reflected, sharp, depth + 1, 2 * _POLISHED)
            light = plus(light, product(weight, seen))
            continue
        lit, shine = direct(world, place, normal, viewer, (0.0, 0.0), _DULL, _DULL, rays, word)
        lit = plus(lit, ambient(world, place, normal, owner))
        shine = plus(shine, surroundings(world, place, reflected, 2 * _DULL, owner))
        coat = fresnel(facing, _COAT)
        share = open_ * (1 - coat) * (1 - (1 - _SHEEN) * fresnel(facing, _SKIN)) / math.pi
        seen = plus(product(times(share, colour), lit), times(coat * _GREY, shine))
        light = plus(light, product(weight, seen))
    return light, group


@compiled
def _sampled(world, view, i, j, ids, count, samples, stack):
    """Return the mean light of ``samples`` rays through a pixel; one ray also writes the pixel's id.

    A single ray goes through the middle of the pixel.
    """
    side, light = int(math.sqrt(samples)), ZERO
    for k in range(samples):
        word = mix(np.uint64((j * view.width + i) * 64 + k + (32 if samples > 1 else 0)))
        u = v = 0.0
        if samples > 1:
            u = (k % side + (k // side + 0.5) / side) / side - 0.5  # no two samples share a row or column
            v = (k // side + (k % side + 0.5) / side) / side - 0.5
        (r, g, b), group = radiance(world, view.camera, ray(i + u, j + v, view), count, word, stack)
        if samples == 1:
            ids[j, i] = group
            return r, g, b
        light = plus(light, (min(r, 2.0), min(g, 2.0), min(b, 2.0)))  # else the edge of a highlight would be all white
    return over(light, samples)


@compiled
def trace(world, view, picture, ids, wanted, count, samples):
    """Trace each pixel that is ``wanted`` with ``samples`` rays, each with ``count`` rays to a partly hidden lamp.

    ``world`` comes from `lighting.world`. ``picture`` (height, width, 3) receives the light, and ``ids`` the groups.
    """
    stack = np.empty((_RAYS, _ROW))
    for j in range(ids.shape[0]):
        for i in range(ids.shape[1]):
            if wanted[j, i]:
                r, g, b = _sampled(world, view, i, j, ids, count, samples, stack)
                picture[j, i, 0], picture[j, i, 1], picture[j, i, 2] = r, g, b
