"""Things cut out of pictures, with their attributes, to compare renderers by how well a network can read them.

The amount of training is set here too. See `attribute_probe` for the network. This module does not import torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.core.presets import choose
from cogkit.mewl.world import geometry
from cogkit.mewl.world.geometry import HEIGHT, WIDTH
from cogkit.mewl.world.placing import place
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.things import ATTRIBUTES, EVERY, VALUES

SIDE = 64  # pixels of a crop
THINGS = 6  # of a scene
SEEN = 0.5  # smallest visible share of a thing that counts
RENDERERS = TRACER, CYCLES = "tracer", "Cycles"
Box = tuple[int, int, int, int]


@dataclass(frozen=True, eq=False)
class Crops:
    """Things cut out of pictures.

    Attributes
    ----------
    images : (n, SIDE, SIDE, 3) uint8
    values : (n, 4) int64
        Shape, colour, material and size, as places in `things.VALUES`.
    """

    images: np.ndarray
    values: np.ndarray

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class TellingConfig:
    """How a network learns to name the attributes of things.

    Attributes
    ----------
    renderer : {"tracer", "Cycles"}
        The renderer of the training pictures.
    tested_on : tuple of str
        The renderers of the test pictures; the scenes are the same.
    scenes, tested : int
        The numbers of training and test scenes, of six things each.
    channels : tuple of int
        The channels of its convolutions, each of which halves the picture.
    steps, batch : int
        Updates of the weights, and things in each.
    optimiser, learning_rate, weight_decay, schedule
        As in `supervised.Descent`.
    """

    renderer: str = TRACER
    tested_on: tuple[str, ...] = (TRACER,)
    scenes: int = 160
    tested: int = 80
    channels: tuple[int, ...] = (12, 16, 24, 24)
    steps: int = 600
    batch: int = 64
    optimiser: str = "adamw"
    learning_rate: float = 4e-3
    weight_decay: float = 0.01
    schedule: str = "cycle"
    n_evals: int = 1

    def __post_init__(self) -> None:
        for name in (self.renderer, *self.tested_on):
            choose(name, RENDERERS, "renderer")
        if min(self.scenes, self.tested, self.steps, self.batch) < 1:
            raise InputError(f"{self.scenes} and {self.tested} scenes, {self.steps} steps of {self.batch}", "1 or more")


@lru_cache(maxsize=8192)
def scene(part: str, number: int, seed: int = 0) -> Scene:
    """Return a scene of six of the 144 things, all of them visible.

    Examples
    --------
    >>> len(scene("train", 0).things)
    6
    """
    rng = seeding.stream(seed, f"mewl/telling/{part}/{number}")
    return place([EVERY[k] for k in rng.integers(len(EVERY), size=THINGS)], rng, "verified", geometry.clear)


def places(of: Scene) -> dict[int, Box]:
    """Return the squares to cut out for the things of a scene, by their numbers: left, top, right, bottom.

    A square of `SIDE` pixels surrounds the middle of the visible part, and moves inwards at the edge of the picture. A
    thing that is less than half visible has none.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> places(Scene(EVERY[:1], ((0.0, 0.0),), (0.0,)))
    {0: (128, 70, 192, 134)}
    """
    shares = geometry.visible(of) / geometry.unhidden(of)
    squares = {}
    for number, box in enumerate(geometry.boxes(geometry.id_map(of), len(of.things))):
        if box is None or shares[number] < SEEN:
            continue
        left = min(max((box[0] + box[2] - SIDE) // 2, 0), WIDTH - SIDE)
        top = min(max((box[1] + box[3] - SIDE) // 2, 0), HEIGHT - SIDE)
        squares[number] = (left, top, left + SIDE, top + SIDE)
    return squares


def window(of: Scene) -> Box:
    """Return the part of a picture that contains all its squares."""
    boxes = np.array(list(places(of).values()))
    left, top = boxes[:, :2].min(axis=0).tolist()
    right, bottom = boxes[:, 2:].max(axis=0).tolist()
    return left, top, right, bottom


def cut(scenes: Sequence[Scene], pictures: Sequence[np.ndarray]) -> Crops:
    """Return the things of scenes, cut out of their pictures (240, 320, 3) uint8.

    Raises `InputError` for a picture of another size.

    Examples
    --------
    >>> cut([scene("train", 0)], [np.zeros((240, 320, 3), np.uint8)]).images.shape[1:]
    (64, 64, 3)
    """
    images, values = [], []
    for scene, picture in zip(scenes, pictures, strict=True):
        if picture.shape != (HEIGHT, WIDTH, 3) or picture.dtype != np.uint8:
            raise InputError(f"{picture.shape} {picture.dtype}", f"a picture ({HEIGHT}, {WIDTH}, 3) uint8")
        for number, (left, top, right, bottom) in places(scene).items():
            images.append(picture[top:bottom, left:right])
            pairs = zip(ATTRIBUTES, scene.things[number], strict=True)
            values.append([VALUES[attribute].index(value) for attribute, value in pairs])
    return Crops(np.array(images, np.uint8).reshape(-1, SIDE, SIDE, 3), np.array(values, np.int64).reshape(-1, 4))
