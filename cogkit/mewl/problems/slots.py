"""Scenes as sets of slots, one for each thing, for learners that need not learn vision (Jiang et al. 2023, § 4.1)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from cogkit.mewl.problems.episodes import Episode
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import CAMERA, POINTER, Scene
from cogkit.mewl.world.things import ATTRIBUTE_OF
from cogkit.mewl.world.things import VALUES as BY_ATTRIBUTE

SLOTS = 6  # the most things in a scene; a scene with a hand has three
VALUES = tuple(ATTRIBUTE_OF)
ATTRIBUTES = {  # where the values of each attribute are
    attribute: slice(first := VALUES.index(values[0]), first + len(values))
    for attribute, values in BY_ATTRIBUTE.items()
}
PLACE = len(VALUES)  # index of the first number of the place
NUMBERS = PLACE + 3 + 3  # values; across, down and distance; 1 for a hand, and its direction
_HALF = np.array([geometry.WIDTH / 2, geometry.HEIGHT / 2, math.hypot(*CAMERA)])
_AHEAD = 0.1  # units ahead of the hand, to find its direction in the picture


def of(scenes: Sequence[Scene]) -> np.ndarray:
    """Return the slots of scenes, (n, 6, 22) float32.

    There is a row for each thing, in the order of the scene, then the hand if there is one, then zeros. 16 numbers (0
    or 1) give its values. Three give its place: across and down from -1 to 1 over the picture, and the distance
    relative to the mean distance of the camera. Three are for a hand: 1, and its direction in the picture, of length 1.
    The slots do not name the thing that it points at.

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


def of_episodes(episodes: Iterable[Episode]) -> np.ndarray:
    """Return the slots of all scenes of some episodes, (7 n, 6, 22) float32."""
    return of([scene for episode in episodes for scene in episode.trial.scenes])
