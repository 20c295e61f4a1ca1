"""Pictures of whole episodes: several processes draw them, and a cache keeps them.

On one core a picture of three things takes 9, 17 and 25 ms at 64, 96 and 128 pixels of width. A picture of one thing
takes two thirds of that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from tqdm import tqdm

from cogkit.core.processes import in_parts
from cogkit.data import pictures as store
from cogkit.data.home import home
from cogkit.mewl.problems import observations
from cogkit.mewl.problems.episodes import Episode
from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.world import geometry

_QUALITY = "browse"
LIMIT = 4 * 2**30  # most bytes of the cache
_A_PART = 16  # episodes in a file of the cache
_MANY = 64  # episodes that are worth the start of more processes, if ``jobs`` is None


def pictures_of(episodes: Sequence[Episode], width: int = 128, jobs: int | None = 1) -> np.ndarray:
    """Return the pictures of episodes, (n, 7, height, width, 3) uint8: the six panels, then the query.

    The folder ``pictures`` of ``COGKIT_HOME`` keeps all pictures, 16 episodes in a file, for the next call. It takes at
    most 4 GiB; the files that were not used for the longest time are deleted first. ``width`` is as in
    `rendering.render`. ``jobs`` are processes side by side; None takes all cores if there are many episodes, and else
    one process. Raises `InputError` for another width.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> pictures_of([episode("number", 0)], width=32).shape
    (1, 7, 24, 32, 3)
    """
    parts = [episodes[at : at + _A_PART] for at in range(0, len(episodes), _A_PART)]
    rendering.check(_QUALITY, width)
    shape = observations.PICTURES, width * geometry.HEIGHT // geometry.WIDTH, width, 3
    pictures = np.empty((len(episodes), *shape), np.uint8)
    places = np.split(pictures, range(_A_PART, len(episodes), _A_PART))
    folder = home() / "pictures"
    paths = [folder / f"{_key(part, width)}.npy" for part in parts]
    todo = []
    for k, path in enumerate(paths):
        images = store.read(path, places[k].shape)
        if images is None:
            todo.append(k)
        else:
            places[k][:] = images
    jobs = jobs or (-1 if len(todo) * _A_PART >= _MANY else 1)
    batches = in_parts(_images, [_scenes(parts[k]) for k in todo], 1, jobs, width)
    for k, images in zip(todo, tqdm(batches, "pictures", len(todo), disable=len(todo) < 2, leave=False), strict=True):
        places[k][:] = images
        store.write(paths[k], images)
    if todo:
        store.shrink(folder, LIMIT)
    return pictures


def drawer(inputs: str, width: int | None) -> Callable[[Sequence[Episode]], np.ndarray] | None:
    """Return a function that draws pictures for a learner, for `scoring.judge`; None if the inputs need no pictures.

    Examples
    --------
    >>> drawer("captions", None) is None
    True
    """
    return partial(pictures_of, width=width, jobs=None) if inputs in observations.SEEN else None


def _scenes(episodes: Sequence[Episode]) -> list[tuple]:
    return [episode.trial.scenes for episode in episodes]


def _images(parts: Sequence[list[tuple]], width: int) -> np.ndarray:
    return np.array([[rendering.render(scene, _QUALITY, width) for scene in row] for part in parts for row in part])


def _key(episodes: Sequence[Episode], width: int) -> str:
    """Return a unique name for pictures, from their scenes and their renderer."""
    what = rendering.NAME, rendering.VERSION, width, _QUALITY, _scenes(episodes)
    return hashlib.sha256(repr(what).encode()).hexdigest()[:32]
