"""Things laid on the ground at random until none is too close and every two are clearly beside and before one another.

Jiang et al. 2023, § 3.1; rules of the published program.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from cogkit.mewl.world.scenes import CAMERA, POINTER, RECORDED, Scene, directions, half, reach
from cogkit.mewl.world.things import HALF, Thing

GROUND = ((-3.0, 3.0), (-3.0, 3.0))
GAP = 0.25  # at least, between what two things reach
MARGIN = 0.4  # by which two things are at least apart along both directions, or not at all
MOVED = 0.5  # at most, by which the camera is moved on each axis
LAMP_MOVED = 1.0
SLOTS = (((-2.25, -0.05), (-3.25, -1.05)), ((-2.25, -0.05), (0.05, 2.25)), ((1.05, 3.25), (0.05, 2.25)))
HAND_SLOT = ((1.05, 3.25), (-3.25, -1.05))  # of the pointing hand, at the front; those of things: left, back, right
Places = list[tuple[float, float]]
_CORNER = 0.55  # a square that is cut off the outermost corners
_TRIES = 50
_BATCH = 64


def place(
    things: Sequence[Thing], rng: np.random.Generator, profile: str = "verified",
    fit: Callable[[Scene], bool] | None = None,
) -> Scene:  # fmt: skip
    """Return a scene of things, in their order.

    Parameters
    ----------
    things : sequence of Thing
    rng : numpy.random.Generator
    profile : str
        ``as_published``: corners of cubes do not count, and left and right are those of a camera that has not moved.
        ``verified``: they do, and directions are those of the camera that takes the picture.
    fit : callable, optional
        What else a scene must be; by default nothing.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> len(place(EVERY[:3], np.random.default_rng(0)).places)
    3
    """
    return _placed(things, rng, profile, fit)


def pointed(
    things: Sequence[Thing], target: int, rng: np.random.Generator, profile: str = "verified",
    fit: Callable[[Scene], bool] | None = None,
) -> Scene:  # fmt: skip
    """Return a scene of three things, each in its corner of the ground, and a hand that points at one of them.

    Parameters
    ----------
    things : sequence of three Thing
        Left, back and right.
    target : int
        Which of them.
    rng, profile, fit
        As for `place`.
    """
    return _placed(things, rng, profile, fit, target)


def _placed(things: Sequence[Thing], rng, profile: str, fit, target: int | None = None) -> Scene:
    things, published = tuple(things), profile == "as_published"
    reaches = [(half if published else reach)(thing) for thing in things]
    while True:
        camera, lamps = _looked_from(rng)
        compass = RECORDED if published else directions(camera)
        if target is None:
            places, hand = _laid(reaches, rng, compass), None
        else:
            *places, hand = _in_slots([*reaches, POINTER], rng, compass)
        turns = tuple((rng.random(len(things)) * 2 * math.pi).tolist())
        scene = Scene(things, tuple(places), turns, camera, lamps, hand, target, published)
        if fit is None or fit(scene):
            return scene


def _looked_from(rng: np.random.Generator) -> tuple:
    """Return where the camera is, and how far the lamps are moved."""
    shifts = rng.uniform(-1, 1, 12).tolist()
    camera = tuple(at + MOVED * shift for at, shift in zip(CAMERA, shifts, strict=False))
    lamps = tuple(tuple(LAMP_MOVED * shift for shift in shifts[k : k + 3]) for k in (3, 6, 9))
    return camera, lamps


def _points(rng: np.random.Generator) -> Iterator[list[float]]:
    while True:
        yield from rng.random((_BATCH, 2)).tolist()


def _laid(wide: Sequence[float], rng: np.random.Generator, seen) -> Places:
    """Return places anywhere on the ground, for things as wide as this."""
    (lx, ly), (bx, by) = seen["left"], seen["behind"]

    def free(k: int, x: float, y: float, places: Places) -> bool:
        for (a, b), width in zip(places, wide, strict=False):
            dx, dy = x - a, y - b
            if math.hypot(dx, dy) - wide[k] - width < GAP:
                return False
            if abs(dx * lx + dy * ly) < MARGIN or abs(dx * bx + dy * by) < MARGIN:
                return False
        return True

    return _tried([GROUND] * len(wide), free, rng)


def _in_slots(wide: Sequence[float], rng: np.random.Generator, seen) -> Places:
    """Return places of three things and a hand, each within its own slot."""
    lx, ly = seen["left"]

    def free(k: int, x: float, y: float, places: Places) -> bool:
        if _cut_off(x, y):
            return False
        for (a, b), width in zip(places, wide, strict=False):
            dx, dy = x - a, y - b
            if math.hypot(dx, dy) < GAP + width + max(wide[k], HALF["small"]):
                return False
            if k < len(SLOTS) and abs(dx * lx + dy * ly) < MARGIN:  # a hand may be before or behind anything
                return False
        return True

    return _tried([*SLOTS, HAND_SLOT], free, rng)


def _tried(slots: Sequence, free: Callable[[int, float, float, Places], bool], rng: np.random.Generator) -> Places:
    """Return a place in every slot, one after another, each free of those before; all over again where none is."""
    points = _points(rng)
    while True:
        places: Places = []
        for k, ((left, right), (low, high)) in enumerate(slots):
            for _ in range(_TRIES):
                u, v = next(points)
                x, y = left + u * (right - left), low + v * (high - low)
                if free(k, x, y, places):
                    places.append((x, y))
                    break
            else:
                break
        else:
            return places


def _cut_off(x: float, y: float) -> bool:
    """Return whether a place is in one of the two corners that are at the picture's edge."""
    (left, _), (low, _) = SLOTS[0]
    (_, right), (_, high) = SLOTS[2]
    return (x < left + _CORNER and y < low + _CORNER) or (x > right - _CORNER and y > high - _CORNER)
