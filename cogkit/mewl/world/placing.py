"""Random places for things on the ground: no two are too close, and each pair differs clearly in both directions.

The rules are those of the published program (Jiang et al. 2023, § 3.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import count

import numpy as np

from cogkit.mewl.world.scenes import CAMERA, POINTER, RECORDED, Scene, directions, half, reach
from cogkit.mewl.world.things import Thing

GROUND = ((-3.0, 3.0), (-3.0, 3.0))
GAP = 0.25  # the least distance between the edges of two things
MARGIN = 0.4  # the least distance of two things along each of the two directions
MOVED = 0.5  # the camera moves at most this far on each axis
LAMP_MOVED = 1.0
SLOTS = (((-2.25, -0.05), (-3.25, -1.05)), ((-2.25, -0.05), (0.05, 2.25)), ((1.05, 3.25), (0.05, 2.25)))
HAND_SLOT = ((1.05, 3.25), (-3.25, -1.05))  # the hand points from the front; `SLOTS` of things are left, back, right
Places = list[tuple[float, float]]
_CORNER = 0.55  # side of the square that is cut off each outermost corner
_TRIES = 50
_BATCH = 64


def place(
    things: Sequence[Thing], rng: np.random.Generator, profile: str = "verified",
    fit: Callable[[Scene], bool] | None = None, target: int | None = None,
) -> Scene:  # fmt: skip
    """Return a scene of things; it keeps their order.

    ``as_published``: the corners of cubes do not count, and left and right belong to a camera that has not moved.
    ``verified``: the corners count, and directions belong to the camera that takes the picture. ``fit`` is a further
    test that the scene must pass. ``target`` is the number of the thing that a hand points at. There are then three
    things, each in its own corner of the ground: left, back and right. By default there is no hand.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> len(place(EVERY[:3], np.random.default_rng(0)).places)
    3
    """
    things, published = tuple(things), profile == "as_published"
    reaches = [(half if published else reach)(thing) for thing in things]
    while True:
        shifts = rng.uniform(-1, 1, 12).tolist()
        x, y, z = (at + MOVED * shift for at, shift in zip(CAMERA, shifts, strict=False))
        lamps = tuple(tuple(LAMP_MOVED * shift for shift in shifts[k : k + 3]) for k in (3, 6, 9))
        compass = RECORDED if published else directions((x, y, z))
        places = _places(reaches, rng, compass, target is not None)
        hand = places.pop() if target is not None else None
        turns = tuple((rng.random(len(things)) * 2 * math.pi).tolist())
        scene = Scene(things, tuple(places), turns, (x, y, z), lamps, hand, target, published)
        if fit is None or fit(scene):
            return scene


def _places(reaches: Sequence[float], rng: np.random.Generator, compass, pointed: bool) -> Places:
    """Return places for things that reach so far: anywhere, or in their slots, with that of a hand at the end.

    It starts again from the first place when there is no free one.
    """
    slots, wide = ([*SLOTS, HAND_SLOT], [*reaches, POINTER]) if pointed else ([GROUND] * len(reaches), reaches)
    (lx, ly), (bx, by) = compass["left"], compass["behind"]
    ((left, _), (low, _)), ((_, right), (_, high)) = SLOTS[0], SLOTS[2]

    def free(k: int, x: float, y: float, places: Places) -> bool:
        if pointed and ((x < left + _CORNER and y < low + _CORNER) or (x > right - _CORNER and y > high - _CORNER)):
            return False  # at the edge of the picture
        for (a, b), width in zip(places, wide, strict=False):
            dx, dy = x - a, y - b
            if math.hypot(dx, dy) < GAP + width + wide[k]:
                return False
            if k < len(reaches) and abs(dx * lx + dy * ly) < MARGIN:  # a hand may be before or behind anything
                return False
            if not pointed and abs(dx * bx + dy * by) < MARGIN:
                return False
        return True

    points = (point for _ in count() for point in rng.random((_BATCH, 2)).tolist())
    while True:
        places: Places = []
        for k, ((west, east), (south, north)) in enumerate(slots):
            tries = (next(points) for _ in range(_TRIES))
            spots = ((west + u * (east - west), south + v * (north - south)) for u, v in tries)
            spot = next((spot for spot in spots if free(k, *spot, places)), None)
            if spot is None:
                break
            places.append(spot)
        else:
            return places
