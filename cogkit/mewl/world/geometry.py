"""What a camera sees of a scene, without a renderer: places in the picture, masks, and which thing hides another.

The pinhole camera has 320 × 240 pixels, counted from the upper left corner (Jiang et al. 2023, § 3.1).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from cogkit.core.compiled import compiled
from cogkit.mewl.world.scenes import Scene, half, true_statements
from cogkit.mewl.world.solids import FAR, bodies, enclosing, meet
from cogkit.mewl.world.vectors import Vector, dot, minus, over, plus, times

WIDTH, HEIGHT = 320, 240  # pixels
LENS = 35 / 32  # focal length over the width of the sensor
NOTHING = -1
VISIBLE = 200  # the fewest visible pixels of a thing, or of a hand
APART = 4  # pixels
NEAR = 1e-9


def axes(camera: tuple[float, float, float]) -> np.ndarray:
    """Return right, up and forward of a camera that looks at the origin and is not tilted sideways: (3, 3)."""
    x, y, z = camera
    distance, level = math.sqrt(x * x + y * y + z * z), math.hypot(x, y)
    forward = (-x / distance, -y / distance, -z / distance)
    right = (-y / level, x / level, 0.0)
    up = (
        right[1] * forward[2] - right[2] * forward[1], right[2] * forward[0] - right[0] * forward[2],
        right[0] * forward[1] - right[1] * forward[0],
    )  # fmt: skip
    return np.array([right, up, forward])


class View(NamedTuple):
    """A camera and its picture, for compiled loops; ``focus`` is the focal length in pixels."""

    camera: Vector
    right: Vector
    up: Vector
    forward: Vector
    width: int
    height: int
    focus: float


def view_of(scene: Scene, width: int = WIDTH) -> View:
    """Return the view of a scene's camera, on a picture of some width."""
    camera, right, up, forward = map(tuple, np.vstack([scene.camera, axes(scene.camera)]).tolist())
    return View(camera, right, up, forward, width, width * HEIGHT // WIDTH, LENS * width)


def project(scene: Scene, points, width: int = WIDTH) -> np.ndarray:
    """Return the places of world points (..., 3) in the picture: (..., 3), pixels from left and top, and depth.

    Examples
    --------
    >>> project(Scene((), (), ()), (0, 0, 0)).round(2).tolist()
    [160.0, 120.0, 11.26]
    """
    right, up, depth = np.moveaxis((np.asarray(points, float) - scene.camera) @ axes(scene.camera).T, -1, 0)
    scale, height = LENS * width / depth, width * HEIGHT / WIDTH
    return np.stack([width / 2 + scale * right, height / 2 - scale * up, depth], axis=-1)


def centres(scene: Scene) -> np.ndarray:
    """Return the centres of things in the world, (n, 3)."""
    points = [(x, y, half(thing)) for thing, (x, y) in zip(scene.things, scene.places, strict=True)]
    return np.array(points).reshape(-1, 3)


def feet(scene: Scene) -> np.ndarray:
    """Return where things stand in the world, (n, 3)."""
    return centres(scene) * (1, 1, 0)


def id_map(scene: Scene, width: int = WIDTH) -> np.ndarray:
    """Return the number of the thing at each pixel, or `NOTHING`: (height, width) int16.

    A hand has the number after the last thing. Glass hides what is behind it, as in the published program.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> seen = id_map(Scene(EVERY[:1], ((0.0, 0.0),), (0.0,)))
    >>> seen.shape, int(seen[110, 160]), int(seen[0, 0])
    ((240, 320), 0, -1)
    """
    return _seen(*bodies(scene), view_of(scene, width))


def visible(scene: Scene, width: int = WIDTH) -> np.ndarray:
    """Return the number of visible pixels of each thing, and last of the hand if there is one: (n,) or (n + 1,) int."""
    count = len(scene.things) + (scene.hand is not None)
    ids = id_map(scene, width)
    return np.bincount(ids[ids != NOTHING], minlength=count)


def unhidden(scene: Scene, width: int = WIDTH) -> np.ndarray:
    """Return the number of pixels that each thing, and a hand, would have if it were alone; the form is `visible`'s."""
    (rows, owners), view = bodies(scene), view_of(scene, width)
    return np.array([
        (_seen(rows[owners == owner], owners[owners == owner], view) != NOTHING).sum()
        for owner in range(owners.max(initial=-1) + 1)
    ])  # fmt: skip


def boxes(seen: np.ndarray, n: int) -> list[tuple[int, int, int, int] | None]:
    """Return the boxes of the first ``n`` things in an id map: left, top, right, bottom.

    Right and bottom lie just outside. A thing that is not visible has None.
    """
    rectangles = []
    for number in range(n):
        down, across = np.nonzero(seen == number)
        box = (across.min(), down.min(), across.max() + 1, down.max() + 1) if len(down) else None
        rectangles.append(box and tuple(map(int, box)))
    return rectangles


def clear(scene: Scene) -> bool:
    """Return whether every thing of a scene, and its hand, has at least `VISIBLE` visible pixels."""
    return _clear(*bodies(scene), view_of(scene))


def agrees(scene: Scene) -> bool:
    """Return whether every relation on the ground also holds in the picture, by at least `APART` pixels.

    A thing that is left of another must appear farther left, and a thing in front of another must appear lower.
    """
    across, down, _ = project(scene, feet(scene)).T.tolist()
    gaps = {"left": across, "behind": down}
    return all(
        gaps[relation][j] - gaps[relation][i] >= APART for i, relation, j in true_statements(scene) if relation in gaps
    )


@compiled
def _disc(body, view):
    """Return (across, down, radius, depth, reach) of a disc of the picture that covers a body.

    The radius is 0 for a body behind the camera.
    """
    x, y, z, reach = enclosing(body)
    middle = minus((x, y, z), view.camera)
    u, v, w = dot(middle, view.right), dot(middle, view.up), dot(middle, view.forward)
    if w <= reach:
        return 0.0, 0.0, 0.0, w, reach
    radius = view.focus * reach / math.sqrt(w * w - reach * reach) * (1 + (abs(u) + abs(v)) / w) + 1
    return view.width / 2 + view.focus * u / w, view.height / 2 - view.focus * v / w, radius, w, reach


@compiled
def ray(i, j, view):
    """Return the unit direction from the camera through the middle of a pixel."""
    a, b = (i + 0.5 - view.width / 2) / view.focus, (view.height / 2 - j - 0.5) / view.focus
    return over(plus(plus(view.forward, times(a, view.right)), times(b, view.up)), math.sqrt(1 + a * a + b * b))


@compiled
def _seen(rows, whose, view):
    ids = np.full((view.height, view.width), np.int16(NOTHING))
    depth = np.full((view.height, view.width), FAR)
    for k in range(len(rows)):
        across, down, radius, _, _ = _disc(rows[k], view)
        if radius == 0:
            continue
        for j in range(max(0, int(down - radius)), min(view.height, int(down + radius) + 2)):
            for i in range(max(0, int(across - radius)), min(view.width, int(across + radius) + 2)):
                at, _ = meet(rows[k], view.camera, ray(i, j, view), NEAR)
                if at < depth[j, i]:
                    depth[j, i], ids[j, i] = at, whose[k]
    return ids


@compiled
def _clear(rows, whose, view):
    """Return whether every owner of bodies has `VISIBLE` pixels; it stops counting as soon as that is certain."""
    n, width, height = len(rows), view.width, view.height
    discs = np.empty((n, 5))
    for k in range(n):
        discs[k, 0], discs[k, 1], discs[k, 2], discs[k, 3], discs[k, 4] = _disc(rows[k], view)  # a row compiles longer
        if discs[k, 2] == 0:
            return False
    for owner in range(whose[-1] + 1):
        left, top, right, bottom, crowded, ball = 1e9, 1e9, -1e9, -1e9, False, 0.0
        hiding = np.zeros(n, np.bool_)
        for k in range(n):
            if whose[k] != owner:
                continue
            left, right = min(left, discs[k, 0] - discs[k, 2]), max(right, discs[k, 0] + discs[k, 2])
            top, bottom = min(top, discs[k, 1] - discs[k, 2]), max(bottom, discs[k, 1] + discs[k, 2])
            ball = max(ball, view.focus * rows[k, 4] / discs[k, 3])  # a ball fits inside each body
            for neighbour in range(n):
                apart = math.hypot(discs[k, 0] - discs[neighbour, 0], discs[k, 1] - discs[neighbour, 1])
                behind = discs[neighbour, 3] - discs[neighbour, 4] > discs[k, 3] + discs[k, 4]
                if whose[neighbour] != owner and apart < discs[k, 2] + discs[neighbour, 2] and not behind:
                    hiding[neighbour] = crowded = True
        enough = not crowded and math.pi * ball * ball > 1.1 * VISIBLE
        if enough and left >= 0 and top >= 0 and right < width and bottom < height:
            continue
        count = 0
        for j in range(max(0, int(top)), min(height, int(bottom) + 2)):
            for i in range(max(0, int(left)), min(width, int(right) + 2)):
                towards, depth, other_depth = ray(i, j, view), FAR, FAR
                for k in range(n):
                    if whose[k] == owner and math.hypot(i + 0.5 - discs[k, 0], j + 0.5 - discs[k, 1]) <= discs[k, 2]:
                        depth = min(depth, meet(rows[k], view.camera, towards, NEAR)[0])
                if depth == FAR:
                    continue
                for k in range(n):
                    if hiding[k]:
                        other_depth = min(other_depth, meet(rows[k], view.camera, towards, NEAR)[0])
                count += depth < other_depth
            if count >= VISIBLE:
                break
        if count < VISIBLE:
            return False
    return True
