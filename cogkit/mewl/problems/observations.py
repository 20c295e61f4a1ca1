"""What a learner sees of episodes: scenes, captions, slots or pictures, but never the right option."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.mewl.problems import captions, slots
from cogkit.mewl.problems.episodes import PANELS, Episode, Question
from cogkit.mewl.world import geometry

INPUTS = ("symbols", "captions", "true slots", "learned slots", "pixels")
SEEN = ("learned slots", "pixels")  # inputs that need pictures
PICTURES = PANELS + 1


def question(episodes: Sequence[Episode], inputs: str, images: np.ndarray | None = None) -> Question:
    """Return the question of each episode, as one kind of input.

    ``inputs`` is one of `INPUTS`. ``images`` (n, 7, height, width, 3) uint8 are for learners that look at them. Raises
    `InputError` for pictures that are missing or of another shape.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> question([episode("number", 0)], "captions").observations[0][6].split()[0]
    'A'
    """
    problems = [episode.trial for episode in episodes]
    return Question(
        tuple(problem.task for problem in problems),
        _pictures(images, len(problems)) if inputs in SEEN else _UNSEEN[inputs](episodes),
        tuple(problem.utterances for problem in problems),
        tuple(problem.options for problem in problems),
    )


def mentioned(episode: Episode) -> tuple[tuple[int, ...], ...]:
    """Return for each of the seven captions of an episode the numbers of the things that it names, in its order.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> [sorted(order) for order in mentioned(episode("object", 0))][0]
    [0, 1, 2]
    """
    rng = _order(episode)
    return tuple(captions.mentioned(episode.task, scene, rng) for scene in episode.trial.scenes)


def _captions(episode: Episode) -> tuple[str, ...]:
    rng = _order(episode)
    return tuple(captions.caption(episode.task, scene, rng) for scene in episode.trial.scenes)


def _order(episode: Episode) -> np.random.Generator | None:
    """Return what draws the order of things in captions; as published, things come in the scene's order."""
    name = f"mewl/captions/{episode.name}"
    return seeding.stream(episode.seed, name) if episode.profile == "verified" else None


def _pictures(images: np.ndarray | None, n: int) -> np.ndarray:
    if images is not None and images.dtype == np.uint8 and images.ndim == 5:
        pictures, (high, wide), colours = images.shape[:2], images.shape[2:4], images.shape[4]
        right = (*pictures, colours) == (n, PICTURES, 3)
        if right and wide in (high, round(high * geometry.WIDTH / geometry.HEIGHT)):
            return images
    got = "no pictures" if images is None else f"pictures of shape {images.shape} and type {images.dtype}"
    raise InputError(got, f"({n}, {PICTURES}, height, width, 3) of uint8, square, or 4 wide to 3 high")


_UNSEEN = {
    "symbols": lambda episodes: [episode.trial.scenes for episode in episodes],
    "captions": lambda episodes: list(map(_captions, episodes)),
    "true slots": lambda episodes: np.reshape(slots.of_episodes(episodes), (-1, PICTURES, slots.SLOTS, slots.NUMBERS)),
}
