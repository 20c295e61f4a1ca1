"""What stands where in a picture, and which relations that makes true (Jiang et al. 2023, § 3.1).

Ground coordinates are (x, y); heights are those of the things themselves, which stand on the ground.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from cogkit.core.contracts import InputError
from cogkit.mewl.world.things import HALF, Thing

CAMERA = (7.4811, -6.5076, 5.3437)  # before it is moved; it looks at the origin
THRESHOLD = 0.2  # how much farther along a direction something must be to stand there
RELATIONS = ("left", "right", "front", "behind")
ACROSS = {"left": ("front", "behind"), "right": ("front", "behind")}
ACROSS |= {"front": ("left", "right"), "behind": ("left", "right")}
RECORDED = {  # the published directions: those of the camera before it is moved
    "left": (-0.65631, -0.75449), "right": (0.65631, 0.75449),
    "front": (0.75449, -0.65631), "behind": (-0.75449, 0.65631),
}  # fmt: skip
POINTER = 0.6  # scale of the hand


@dataclass(frozen=True)
class Scene:
    """What stands where, and who looks from where.

    Attributes
    ----------
    things : tuple of Thing
    places : tuple of (float, float)
        Where the middle of each is, on the ground.
    turns : tuple of float
        Radians about the vertical.
    camera : (float, float, float)
        Where it is; it looks at the origin.
    lamps : tuple of (float, float, float)
        How far key, fill and back lamp are moved.
    hand : (float, float) or None
        Where a hand points from, if there is one.
    target : int or None
        Which thing it points at.
    recorded : bool
        Whether left and right are as the published program records them, those of a camera that has not moved.
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
        """What left, right, front and behind are on the ground."""
        return RECORDED if self.recorded else directions(self.camera)

    @property
    def heading(self) -> float:
        """Radians about the vertical, from the x axis, in which the hand points."""
        target, hand = self._pointing()
        (x, y), (a, b) = self.places[target], hand
        return math.atan2(y - b, x - a)

    @property
    def pointed(self) -> Thing:
        """The thing that the hand points at."""
        return self.things[self._pointing()[0]]

    def _pointing(self) -> tuple[int, tuple[float, float]]:
        if self.target is None or self.hand is None:
            raise InputError("a scene without a hand", "one in which a hand points at a thing")
        return self.target, self.hand


def directions(camera: tuple[float, float, float] = CAMERA) -> dict[str, tuple[float, float]]:
    """Return what left, right, front and behind are on the ground, seen from a camera: unit vectors.

    Notes
    -----
    Differs from the paper: its program records `RECORDED` for every scene, though its camera has moved since by half a
    unit or less on each axis.

    Examples
    --------
    >>> seen = directions()
    >>> all(abs(a - b) < 1e-5 for name in RELATIONS for a, b in zip(seen[name], RECORDED[name]))
    True
    """
    x, y, _ = camera
    far = math.hypot(x, y)
    bx, by = -x / far, -y / far
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
    """Return every (which, relation, of which) that is so, relation by relation."""
    n, compass, statements = range(len(scene.places)), scene.directions, []
    for name, (dx, dy) in compass.items():
        along = [x * dx + y * dy for x, y in scene.places]
        statements += [(i, name, j) for j in n for i in n if along[i] - along[j] > THRESHOLD]
    return statements


def row(scene: Scene, relation: str) -> tuple[int, ...]:
    """Return the numbers of things, the one that stands farthest along a direction first.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> row(Scene(EVERY[:2], ((0, 0), (2, 0)), (0, 0)), "right")
    (1, 0)
    """
    dx, dy = scene.directions[relation]
    along = [x * dx + y * dy for x, y in scene.places]
    return tuple(sorted(range(len(along)), key=lambda k: -along[k]))


def half(thing: Thing) -> float:
    """Return half the height of a thing, which is half its width too."""
    return HALF[thing.size]


def reach(thing: Thing) -> float:
    """Return how far a thing reaches from its middle on the ground, whichever way it is turned: corners count."""
    return half(thing) * (math.sqrt(2) if thing.shape == "cube" else 1)
