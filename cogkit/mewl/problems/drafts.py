"""Shared parts of the task modules: drafts of episodes, scenes with visible things, random draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from cogkit.mewl.problems.episodes import Meaning
from cogkit.mewl.world import geometry, placing
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.things import EVERY, Thing


@dataclass
class Draft:
    """An episode as its task module makes it.

    Attributes
    ----------
    panels : list of (Scene, str)
    query : Scene
    options : list of str
        In any order.
    answer : str
    lexicon : mapping
    """

    panels: list[tuple[Scene, str]]
    query: Scene
    options: list[str]
    answer: str
    lexicon: Mapping[str, Meaning] = field(default_factory=dict)


def shuffled(values: Sequence, rng: np.random.Generator) -> list:
    """Return values in a random order.

    Examples
    --------
    >>> sorted(shuffled((1, 2, 3), np.random.default_rng(0)))
    [1, 2, 3]
    """
    return [values[k] for k in rng.permutation(len(values))]


def different_things(n: int, rng: np.random.Generator, but: Sequence[Thing] = ()) -> list[Thing]:
    """Return different things, none of those in ``but``."""
    pool = EVERY if not but else [thing for thing in EVERY if thing not in but]
    return [pool[k] for k in rng.choice(len(pool), n, replace=False)]


def scene_of(
    things: Sequence[Thing], rng: np.random.Generator, profile: str, fit: Callable[[Scene], bool] | None = None
) -> Scene:
    """Return a scene that fits and in which all things are visible."""
    return placing.place(things, rng, profile, lambda scene: (fit is None or fit(scene)) and geometry.clear(scene))
