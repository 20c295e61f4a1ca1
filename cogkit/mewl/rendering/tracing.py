"""Rays from a camera into a scene, and the light that comes back along them (compiled, one thread).

A ray splits at glass and follows mirrors. Metal and rubber blur their reflections, so these show balls in place of
things. Only the shadows of lamps involve chance.
"""

from __future__ import annotations

import math

import numpy as np

from cogkit.core.compiled import compiled, mix
from cogkit.mewl.rendering.lighting import (  # fmt: skip
    BEHIND,
    BEND,
    BOW,
    DOME,
    FLOOR,
    GLASS,
    LIT,
    METAL,
    ambient,
    direct,
    floor,
    open_ground,
)
from cogkit.mewl.rendering.materials import fresnel, mirror, ramp, refract, spot
from cogkit.mewl.world.geometry import ray
from cogkit.mewl.world.solids import FAR, ROD, meet

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
def nearest(world, ox, oy, oz, dx, dy, dz, least):
    """Return the distance at which a ray first meets a thing, or `FAR`, and its body, group and normal there."""
    rows, balls, groups = world[0], world[1], world[2]
    best, body, owner, bx, by, bz = FAR, -1, -1, 0.0, 0.0, 0.0
    for group in range(len(groups)):
        if _misses(groups[group], ox, oy, oz, dx, dy, dz, best):
            continue
        first, last = int(groups[group, 4]), int(groups[group, 5])
        for k in range(first, last):
            if last - first > 1 and _misses(balls[k], ox, oy, oz, dx, dy, dz, best):
                continue
            at, nx, ny, nz = meet(rows[k], ox, oy, oz, dx, dy, dz, least)
            if at < best:
                best, body, owner, bx, by, bz = at, k, group, nx, ny, nz
    return best, body, owner, bx, by, bz


@compiled
def _misses(ball, ox, oy, oz, dx, dy, dz, best):
    cx, cy, cz = ball[0] - ox, ball[1] - oy, ball[2] - oz
    along, radius = cx * dx + cy * dy + cz * dz, ball[3]
    if along < -radius or along - radius > best:
        return True
    return cx * cx + cy * cy + cz * cz - along * along > radius * radius


@compiled
def glow(world, ox, oy, oz, dx, dy, dz, limit, blur):
    """Return the radiance of lamps along a ray up to a distance ``limit``: red, green, blue.

    ``blur`` is in radians.
    """
    lamps = world[4]
    red = green = blue = 0.0
    for lamp in range(LIT):
        row = lamps[lamp]
        slope = dx * row[9] + dy * row[10] + dz * row[11]
        if slope >= -1e-3:
            continue
        px, py, pz = row[0] - ox, row[1] - oy, row[2] - oz
        at = (px * row[9] + py * row[10] + pz * row[11]) / slope
        if at <= 0 or at >= limit:
            continue
        px, py, pz = at * dx - px, at * dy - py, at * dz - pz
        half = math.sqrt(row[15]) / 2
        u = (px * row[3] + py * row[4] + pz * row[5]) / half
        v = (px * row[6] + py * row[7] + pz * row[8]) / half
        wide = blur * at
        if abs(u) > half + 4 * wide or abs(v) > half + 4 * wide:
            continue
        share = spot(u, half, wide) * spot(v, half, wide) / row[15]
        red, green, blue = red + share * row[12], green + share * row[13], blue + share * row[14]
    return red, green, blue


@compiled
def surroundings(world, x, y, z, dx, dy, dz, wide, own):
    """Return the blurred light that comes from a direction, without lamps: red, green, blue.

    ``wide`` is the angle in radians over which edges blur.
    """
    groups, looks = world[2], world[3]
    low = min(dz, -0.06)
    at = min((z + 0.01) / -low, 30.0)
    gx, gy = x + at * dx, y + at * dy
    r, g, b = open_ground(world, gx, gy, 0.0, 0.0, 0.0, 1.0)
    rest = 1.0
    for k in range(len(groups)):  # things near that place take light from the ground
        cx, cy, cz = groups[k, 0] - gx, groups[k, 1] - gy, groups[k, 2]
        far = cx * cx + cy * cy + cz * cz
        rest *= 1 - min(0.9, 1.2 * cz / math.sqrt(far) * min(1.0, groups[k, 6] ** 2 / far))
    r, g, b = r * rest, g * rest, b * rest
    above = ramp((dz + wide) / (2 * wide))
    if above > 0:
        sr, sg, sb = DOME
        s, ds = x * BEHIND[0] + y * BEHIND[1], dx * BEHIND[0] + dy * BEHIND[1]
        facing = ramp((ds + wide / 2) / wide - 0.2)
        if facing > 0:
            ds = max(ds, 0.1)
            at = (BEND + 0.7 * BOW - s) / ds
            high = min(z + at * max(dz, 0.0), 30.0)
            slant = min(1.0, high / BOW)
            wr, wg, wb = open_ground(
                world,
                x + at * dx,
                y + at * dy,
                high,
                -slant * BEHIND[0],
                -slant * BEHIND[1],
                math.sqrt(1 - slant * slant),
            )
            sr, sg, sb = sr + facing * (wr - sr), sg + facing * (wg - sg), sb + facing * (wb - sb)
        r, g, b = r + above * (sr - r), g + above * (sg - g), b + above * (sb - b)
    for k in range(len(groups)):
        if k == own:
            continue
        cx, cy, cz = groups[k, 0] - x, groups[k, 1] - y, groups[k, 2] - z
        far = math.sqrt(cx * cx + cy * cy + cz * cz)
        size = math.asin(min(0.99, groups[k, 6] / far))
        apart = math.acos(max(-1.0, min(1.0, (cx * dx + cy * dy + cz * dz) / far)))
        share = ramp((size + wide - apart) / (2 * wide)) * min(1.0, 2 * size / wide)
        if share > 0:
            r += share * (looks[k, 1] * looks[k, 4] - r)
            g += share * (looks[k, 2] * looks[k, 5] - g)
            b += share * (looks[k, 3] * looks[k, 6] - b)
    return r, g, b


@compiled
def _rounded(world, owner, x, y, z):
    """Return the normal of a hand, and the share of light that its other rods leave there.

    The normal is a mean over all rods near by, so that the hand has no creases.
    """
    rows, groups = world[0], world[2]
    sx = sy = sz = near = 0.0
    for k in range(int(groups[owner, 4]), int(groups[owner, 5])):
        body = rows[k]
        ax, ay, az = body[7] - body[1], body[8] - body[2], body[9] - body[3]
        px, py, pz = x - body[1], y - body[2], z - body[3]
        share = min(1.0, max(0.0, (px * ax + py * ay + pz * az) / (ax * ax + ay * ay + az * az)))
        px, py, pz = px - share * ax, py - share * ay, pz - share * az
        distance = math.sqrt(px * px + py * py + pz * pz)
        weight = math.exp(-(distance - body[4]) / _SOFT)
        near += math.exp(-(distance - body[4]) / _SHY)
        sx, sy, sz = sx + weight * px / distance, sy + weight * py / distance, sz + weight * pz / distance
    length = math.sqrt(sx * sx + sy * sy + sz * sz)
    return sx / length, sy / length, sz / length, 1 / near**_SHADE


@compiled
def _turned(group, x, y, nx, ny):
    """Return x and y of the level tangent of a metal surface, around the upright axis of a thing."""
    tx, ty = group[1] - y, x - group[0]
    into = tx * nx + ty * ny
    tx, ty = tx - into * nx, ty - into * ny
    length = math.sqrt(tx * tx + ty * ty)
    return (tx / length, ty / length) if length > 1e-9 else (0.0, 0.0)


@compiled
def _push(stack, top, ox, oy, oz, dx, dy, dz, r, g, b, depth, blur):
    if max(r, max(g, b)) < _FAINT or depth > _DEEP or top >= _RAYS:
        return top
    row = stack[top]
    row[0], row[1], row[2], row[3], row[4], row[5] = ox, oy, oz, dx, dy, dz
    row[6], row[7], row[8], row[9], row[10] = r, g, b, depth, blur
    return top + 1


@compiled
def radiance(world, ox, oy, oz, dx, dy, dz, count, word, stack):
    """Return the radiance that comes back along a ray (red, green, blue) and the group that it meets first, or -1.

    ``count`` rays to each lamp test for shadows, and a quarter as many beyond the first surface. ``stack`` is a scratch
    array.
    """
    looks = world[3]
    red = green = blue = 0.0
    top, group = _push(stack, 0, ox, oy, oz, dx, dy, dz, 1.0, 1.0, 1.0, 0, 0.0), -1
    while top > 0:
        top -= 1
        row = stack[top]
        ox, oy, oz, dx, dy, dz = row[0], row[1], row[2], row[3], row[4], row[5]
        tr, tg, tb, depth, blur = row[6], row[7], row[8], int(row[9]), row[10]
        at, body, owner, nx, ny, nz = nearest(world, ox, oy, oz, dx, dy, dz, NEAR)
        ground, gx, gy, gz = floor(ox, oy, oz, dx, dy, dz)
        if depth == 0 and at < ground:
            group = owner
        elif depth > 0:
            r, g, b = glow(world, ox, oy, oz, dx, dy, dz, min(at, ground), blur)
            red, green, blue = red + tr * r, green + tg * g, blue + tb * b
        rays = count if depth == 0 else max(4, count // 4)
        if ground <= at:
            if ground == FAR:
                r, g, b = DOME
            else:
                x, y, z = ox + ground * dx, oy + ground * dy, oz + ground * dz
                r, g, b, _, _, _ = direct(world, x, y, z, gx, gy, gz, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, rays, word)
                ar, ag, ab = ambient(world, x, y, z, gx, gy, gz, -1)
                share = FLOOR / math.pi
                r, g, b = share * (r + ar), share * (g + ag), share * (b + ab)
            red, green, blue = red + tr * r, green + tg * g, blue + tb * b
            continue
        x, y, z = ox + at * dx, oy + at * dy, oz + at * dz
        cr, cg, cb = looks[owner, 1], looks[owner, 2], looks[owner, 3]
        slope = dx * nx + dy * ny + dz * nz
        if looks[owner, 0] == GLASS:
            mx, my, mz = mirror(dx, dy, dz, nx, ny, nz)
            if slope > 0:  # from within
                share = fresnel(slope, 1 / _GLASS)
                r, g, b = share * tr * cr, share * tg * cg, share * tb * cb
                nx, ny, nz, ratio = -nx, -ny, -nz, 1 / _GLASS
            else:
                share, ratio = fresnel(-slope, _SHINE), _GLASS
                r, g, b = share * tr, share * tg, share * tb
            top = _push(stack, top, x, y, z, mx, my, mz, r, g, b, depth + 1, _GLINT)
            if share < 1:
                mx, my, mz = refract(dx, dy, dz, nx, ny, nz, ratio)
                r, g, b = (1 - share) * tr * cr, (1 - share) * tg * cg, (1 - share) * tb * cb
                top = _push(stack, top, x, y, z, mx, my, mz, r, g, b, depth + 1, _GLINT / 4)
            continue
        open_ = 1.0
        if world[0][body, 0] == ROD:
            nx, ny, nz, open_ = _rounded(world, owner, x, y, z)
        facing = max(1e-3, -(dx * nx + dy * ny + dz * nz))
        mx, my, mz = mirror(dx, dy, dz, nx, ny, nz)
        if looks[owner, 0] == METAL:
            tx, ty = _turned(world[2][owner], x, y, nx, ny)
            _, _, _, r, g, b = direct(world, x, y, z, nx, ny, nz, -dx, -dy, -dz, tx, ty, _ALONG, _ACROSS, rays, word)
            er, eg, eb = surroundings(world, x, y, z, mx, my, mz, 2 * _BRUSHED, owner)
            share, dull = _SHARP, 1 - _SHARP
            r, g, b = dull * (r + er), dull * (g + eg), dull * (b + eb)
            if depth >= 3:
                er, eg, eb = surroundings(world, x, y, z, mx, my, mz, 0.1, owner)
                r, g, b = r + share * er, g + share * eg, b + share * eb
            else:
                top = _push(
                    stack, top, x, y, z, mx, my, mz, share * tr * cr, share * tg * cg, share * tb * cb, depth + 1,
                    2 * _POLISHED,
                )  # fmt: skip
            red, green, blue = red + tr * cr * r, green + tg * cg * g, blue + tb * cb * b
            continue
        r, g, b, sr, sg, sb = direct(world, x, y, z, nx, ny, nz, -dx, -dy, -dz, 0.0, 0.0, _DULL, _DULL, rays, word)
        ar, ag, ab = ambient(world, x, y, z, nx, ny, nz, owner)
        er, eg, eb = surroundings(world, x, y, z, mx, my, mz, 2 * _DULL, owner)
        coat = fresnel(facing, _COAT)
        share = open_ * (1 - coat) * (1 - (1 - _SHEEN) * fresnel(facing, _SKIN)) / math.pi
        red += tr * (cr * share * (r + ar) + coat * _GREY * (sr + er))
        green += tg * (cg * share * (g + ag) + coat * _GREY * (sg + eg))
        blue += tb * (cb * share * (b + ab) + coat * _GREY * (sb + eb))
    return red, green, blue, group


@compiled
def _sampled(world, camera, seen_along, focus, i, j, picture, ids, count, samples, stack):
    """Trace ``samples`` rays through a pixel and write their mean into a picture; one ray also writes the pixel's id.

    A single ray goes through the middle of the pixel.
    """
    height, width = ids.shape
    side = int(math.sqrt(samples))
    red = green = blue = 0.0
    group = -1
    for k in range(samples):
        word = mix(np.uint64((j * width + i) * 64 + k + (32 if samples > 1 else 0)))
        u = v = 0.0
        if samples > 1:
            u = (k % side + (k // side + 0.5) / side) / side - 0.5  # no two samples share a row or column
            v = (k // side + (k % side + 0.5) / side) / side - 0.5
        dx, dy, dz = ray(i + u, j + v, seen_along, width, height, focus)
        r, g, bl, group = radiance(world, camera[0], camera[1], camera[2], dx, dy, dz, count, word, stack)
        cap = 2.0 if samples > 1 else 1e9  # otherwise the edge of a highlight would be all white
        red, green, blue = red + min(r, cap), green + min(g, cap), blue + min(bl, cap)
    picture[j, i, 0], picture[j, i, 1], picture[j, i, 2] = red / samples, green / samples, blue / samples
    if samples == 1:
        ids[j, i] = group


@compiled
def once(world, camera, seen_along, focus, picture, ids, count, step, done):
    """Trace the pixels whose row and column are multiples of ``step``, but skip multiples of ``done`` (0: skip none).

    ``world`` comes from `lighting.world`. ``picture`` (height, width, 3) receives the light, and ``ids`` the groups.
    """
    height, width = ids.shape
    stack = np.empty((_RAYS, _ROW))
    for j in range(0, height, step):
        for i in range(0, width, step):
            if done == 0 or j % done or i % done:
                _sampled(world, camera, seen_along, focus, i, j, picture, ids, count, 1, stack)


@compiled
def again(world, camera, seen_along, focus, picture, ids, wanted, count, samples):
    """Trace each pixel that is ``wanted`` with ``samples`` rays."""
    stack = np.empty((_RAYS, _ROW))
    for j in range(ids.shape[0]):
        for i in range(ids.shape[1]):
            if wanted[j, i]:
                _sampled(world, camera, seen_along, focus, i, j, picture, ids, count, samples, stack)
