"""Scenes as sets of slots, one a thing: what a learner sees who need not learn to see (Jiang et al. 2023, § 4.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import CAMERA, POINTER, Scene
from cogkit.mewl.world.things import ATTRIBUTE_OF

SLOTS = 6  # things a scene may have; a hand is there only beside three
VALUES = tuple(ATTRIBUTE_OF)
PLACE = len(VALUES)  # the first number of where it is
NUMBERS = PLACE + 3 + 3  # values; across, down and far; being a hand, and which way it points
_HALF = np.array([geometry.WIDTH / 2, geometry.HEIGHT / 2, math.hypot(*CAMERA)])
_AHEAD = 0.1  # of the way to where it points, to see which way that is


def of(scenes: Sequence[Scene]) -> np.ndarray:
    """Return the slots of scenes.

    Parameters
    ----------
    scenes : sequence of Scene

    Returns
    -------
    (n, 6, 22) float32
        A row a thing, in the order of the scene, then the hand if there is one, then zeros. 16 numbers say which values
        it has, of 0 and 1; three where its middle is seen, across and down from -1 to 1 over the picture, and how far
        from the mean distance of the camera; three are for a hand: 1, and the direction in the picture in which it
        points, of length 1. Which thing that is is not said.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> found = of([Scene(EVERY[:1], ((0.0, 0.0),), (0.0,))])
    >>> found.shape, [VALUES[k] for k in np.flatnonzero(found[0, 0, :PLACE])]
    ((1, 6, 22), ['cube', 'gray', 'rubber', 'large'])
    """
    slots = np.zeros((len(scenes), SLOTS, NUMBERS), np.float32)
    for row, scene in enumerate(scenes):
        n = len(scene.things)
        points = list(geometry.centres(scene))
        for k, thing in enumerate(scene.things):
            slots[row, k, [VALUES.index(value) for value in thing]] = 1
        if scene.hand is not None:
            hand = np.array([*scene.hand, POINTER])
            ahead = hand + _AHEAD * np.array([np.cos(scene.heading), np.sin(scene.heading), 0])
            points += [hand, ahead]
        pixels = geometry.project(scene, np.array(points).reshape(-1, 3))
        places = (pixels / _HALF - 1).astype(np.float32)
        slots[row, :n, PLACE : PLACE + 3] = places[:n]
        if scene.hand is not None:
            way = pixels[n + 1, :2] - pixels[n, :2]
            slots[row, n, PLACE : PLACE + 3] = places[n]
            slots[row, n, PLACE + 3 :] = 1, *(way / np.linalg.norm(way))
    return slots
