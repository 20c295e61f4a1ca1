"""Scenes in words, for learners that read and do not look (Jiang et al. 2023, § 4 and appendix B)."""

from __future__ import annotations

import numpy as np

from cogkit.mewl.problems.drafts import shuffled
from cogkit.mewl.world.scenes import Scene, row

PREFIX = "Please name the target object according to the above context."


def caption(task: str, scene: Scene, rng: np.random.Generator | None = None) -> str:
    """Return the caption of a scene.

    Parameters
    ----------
    task : str
    scene : Scene
    rng : numpy.random.Generator, optional
        Draws a random order of things, and leaves out the hand. By default things keep the order of the scene and, as
        published, a small yellow rubber arrow among them stands for a hand.

    Notes
    -----
    Differs from the paper: there things have the order of the words, so that the n-th word means the n-th thing
    (``object``), and the arrow has values that words may mean (``pragmatic``).

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> caption("number", Scene(EVERY[:2], ((0, 0), (1, 1)), (0, 0)))
    'A large gray rubber cube and a small gray rubber cube.'
    """
    if task in ("relation", "bootstrap"):
        return _spatial(scene)
    names = [str(thing) for thing in (shuffled(scene.things, rng) if rng else scene.things)]
    if scene.hand is not None and not rng:
        names.append("small yellow rubber arrow")
    end = "" if scene.hand is None else f" And a finger is pointing to the {scene.pointed}."
    return f"A {' and a '.join(names)}.{end}"


def _spatial(scene: Scene) -> str:
    """Return the places of three things: for each direction, the middle one between the other two."""
    front, middle, rear = (scene.things[k] for k in row(scene, "front"))
    left, between, right = (scene.things[k] for k in row(scene, "left"))
    return (
        f"The {middle} is in front of the {rear} and behind the {front}. "
        f"The {between} is on the left of the {right} and on the right of the {left}."
    )
