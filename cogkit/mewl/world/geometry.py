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
    return np.array([right, np.cross(right, forward), forward])


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
    """Return (across, down, radius) of a disc of the picture that covers a body; of no pixel if it is not in front."""
    x, y, z, reach = enclosing(body)
    middle = minus((x, y, z), view.camera)
    u, v, w = dot(middle, view.right), dot(middle, view.up), dot(middle, view.forward)
    if w <= reach:
        return 0.0, 0.0, -2.0
    radius = view.focus * reach / math.sqrt(w * w - reach * reach) * (1 + (abs(u) + abs(v)) / w) + 1
    return view.width / 2 + view.focus * u / w, view.height / 2 - view.focus * v / w, radius


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
        across, down, radius = _disc(rows[k], view)
        for j in range(max(0, int(down - radius)), min(view.height, int(down + radius) + 2)):
            for i in range(max(0, int(across - radius)), min(view.width, int(across + radius) + 2)):
                at, _ = meet(rows[k], view.camera, ray(i, j, view), NEAR)
                if at < depth[j, i]:
                    depth[j, i], ids[j, i] = at, whose[k]
    return ids


@compiled
def _clear(rows, whose, view):
    """Return whether every owner of bodies has `VISIBLE` pixels, as `_seen` counts them; it counts no further."""
    counts = np.zeros(whose[-1] + 1, np.int64)
    for k in range(len(rows)):
        across, down, radius = _disc(rows[k], view)
        for j in range(max(0, int(down - radius)), min(view.height, int(down + radius) + 2)):
            if counts[whose[k]] >= VISIBLE:
                break
            for i in range(max(0, int(across - radius)), min(view.width, int(across + radius) + 2)):
                towards = ray(i, j, view)
                at, _ = meet(rows[k], view.camera, towards, NEAR)
                if at < FAR:
                    hidden = False
                    for other in range(len(rows)):
                        hidden = hidden or (other != k and meet(rows[other], view.camera, towards, NEAR)[0] < at)
                    counts[whose[k]] += not hidden
    return counts.min() >= VISIBLE
