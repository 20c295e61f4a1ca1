"""The things in a picture, their places, and which relations are true of them (Jiang et al. 2023, § 3.1).

Ground coordinates are (x, y). All things stand on the ground.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from cogkit.mewl.world.things import HALF, Thing

CAMERA = (7.4811, -6.5076, 5.3437)  # before it moves; it looks at the origin
THRESHOLD = 0.2  # a thing is left of another if it lies farther left by more than this, and so on
RELATIONS = ("left", "right", "front", "behind")
IN_WORDS = {"left": "left of", "right": "right of", "front": "in front of", "behind": "behind"}
CONVERSE = {"left": "right", "right": "left", "front": "behind", "behind": "front"}
ACROSS = {"left": ("front", "behind"), "right": ("front", "behind")}
ACROSS |= {"front": ("left", "right"), "behind": ("left", "right")}
RECORDED = {  # the published directions: those of the camera before it moves
    "left": (-0.65631, -0.75449), "right": (0.65631, 0.75449),
    "front": (0.75449, -0.65631), "behind": (-0.75449, 0.65631),
}  # fmt: skip
POINTER = 0.6  # scale of the hand


@dataclass(frozen=True)
class Scene:
    """Things and their places, a camera, and lamps.

    Attributes
    ----------
    things : tuple of Thing
    places : tuple of (float, float)
        The centre of each thing on the ground.
    turns : tuple of float
        Radians about the vertical.
    camera : (float, float, float)
        Its place; it looks at the origin.
    lamps : tuple of (float, float, float)
        How far the key, fill and back lamps have moved.
    hand : (float, float) or None
        The place of the pointing hand, if there is one.
    target : int or None
        The number of the thing that the hand points at.
    recorded : bool
        Whether directions are those that the published program records, of a camera that has not moved.
    """

    things: tuple[Thing, ...]
    places: tuple[tuple[float, float], ...]
    turns: tuple[float, ...]
    camera: tuple[float, float, float] = CAMERA
    lamps: tuple[tuple[float, float, float], ...] = ((0.0, 0.0, 0.0),) * 3
    hand: tuple[float, float] | None = None
    target: int | None = None
    recorded: bool = False

    @cached_property
    def directions(self) -> dict[str, tuple[float, float]]:
        """The directions left, right, front and behind on the ground."""
        return RECORDED if self.recorded else directions(self.camera)

    @property
    def heading(self) -> float:
        """The direction in which the hand points: radians about the vertical, from the x axis."""
        assert self.target is not None and self.hand is not None
        (x, y), (a, b) = self.places[self.target], self.hand
        return math.atan2(y - b, x - a)

    @property
    def pointed(self) -> Thing:
        """The thing that the hand points at."""
        assert self.target is not None
        return self.things[self.target]


def directions(camera: tuple[float, float, float] = CAMERA) -> dict[str, tuple[float, float]]:
    """Return the directions left, right, front and behind on the ground, as a camera sees them: unit vectors.

    Notes
    -----
    Differs from the paper: its program records `RECORDED` for every scene, although its camera then moves by up to
    half a unit on each axis.

    Examples
    --------
    >>> seen = directions()
    >>> all(abs(a - b) < 1e-5 for name in RELATIONS for a, b in zip(seen[name], RECORDED[name]))
    True
    """
    x, y, _ = camera
    distance = math.hypot(x, y)
    bx, by = -x / distance, -y / distance
    return {"left": (-by, bx), "right": (by, -bx), "front": (-bx, -by), "behind": (bx, by)}


def stands(scene: Scene, which: int, of: int, relation: str) -> bool:
    """Return whether one thing is left of, right of, in front of or behind another one.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> stands(Scene(EVERY[:2], ((0, 0), (2, 0)), (0, 0)), 1, 0, "right")
    True
    """
    (x, y), (a, b), (dx, dy) = scene.places[which], scene.places[of], scene.directions[relation]
    return (x - a) * dx + (y - b) * dy > THRESHOLD


def true_statements(scene: Scene) -> list[tuple[int, str, int]]:
    """Return every true statement (which, relation, of which), one relation after another."""
    n, statements = range(len(scene.places)), []
    for name in scene.directions:
        along = _along(scene, name)
        statements += [(i, name, j) for j in n for i in n if along[i] - along[j] > THRESHOLD]
    return statements


def row(scene: Scene, relation: str) -> tuple[int, ...]:
    """Return the numbers of the things in order, the one farthest along a direction first.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> row(Scene(EVERY[:2], ((0, 0), (2, 0)), (0, 0)), "right")
    (1, 0)
    """
    along = _along(scene, relation)
    return tuple(sorted(range(len(along)), key=lambda k: -along[k]))


def _along(scene: Scene, relation: str) -> list[float]:
    dx, dy = scene.directions[relation]
    return [x * dx + y * dy for x, y in scene.places]


def half(thing: Thing) -> float:
    """Return half the height of a thing, which is also half its width."""
    return HALF[thing.size]


def reach(thing: Thing) -> float:
    """Return how far a thing reaches from its centre on the ground in any turn; the corners of cubes count."""
    return half(thing) * (math.sqrt(2) if thing.shape == "cube" else 1)
