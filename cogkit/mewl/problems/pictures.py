"""Pictures of whole episodes, for who looks at them: drawn by several processes, and kept so that none is drawn twice.

A picture of three things takes 9, 17 and 25 ms of a core at 64, 96 and 128 pixels of width, and one of a single thing
two thirds of that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import joblib
import numpy as np
from tqdm import tqdm

from cogkit.core.contracts import InputError
from cogkit.core.processes import side_by_side
from cogkit.data import pictures as store
from cogkit.data.home import home
from cogkit.mewl.problems import observations
from cogkit.mewl.problems.episodes import Episode
from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.world import geometry

LIMIT = 4 * 2**30  # bytes that the kept pictures may take together
_A_PART = 16  # episodes drawn and kept as one
_MANY = 64  # episodes that are worth the start of a second process, where nobody says how many


def pictures_of(
    episodes: Sequence[Episode], width: int = 128, quality: str = "browse", jobs: int | None = 1, keep: bool = True
) -> np.ndarray:
    """Return the pictures of episodes, (n, 7, height, width, 3) uint8: the six panels, then what is asked about.

    What was drawn lies in the folder ``pictures`` of ``COGKIT_HOME``, 16 episodes a file, and is read from there the
    next time, by who asks for more of the same too. All of that takes 4 GiB at most: what was not asked for the longest
    goes first.

    Parameters
    ----------
    episodes : sequence of Episode
        One or more.
    width, quality
        As in `rendering.render`.
    jobs : int, optional
        Processes side by side; None for as many as there are cores where there are many episodes, and else for one.
    keep : bool
        Whether to read what was kept, and to keep what is drawn.

    Raises
    ------
    InputError
        No episodes, or another quality or width.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> pictures_of([episode("number", 0)], width=32).shape
    (1, 7, 24, 32, 3)
    """
    parts = [episodes[at : at + _A_PART] for at in range(0, len(episodes), _A_PART)]
    if not parts:
        raise InputError("no episodes", "one or more to draw")
    rendering.check(episodes[0].asked.query, quality, width)
    shape = observations.PICTURES, width * geometry.HEIGHT // geometry.WIDTH, width, 3
    pictures = np.empty((len(episodes), *shape), np.uint8)
    places = np.split(pictures, range(_A_PART, len(episodes), _A_PART))
    folder = home() / "pictures"
    paths = [folder / f"{_key(part, width, quality)}.npy" if keep else None for part in parts]
    todo = [k for k, path in enumerate(paths) if not _read(path, places[k])]
    batches = _drawn([parts[k] for k in todo], width, quality, jobs)
    for k, images in zip(todo, tqdm(batches, "pictures", len(todo), disable=len(todo) < 2, leave=False), strict=True):
        places[k][:] = images
        if keep:
            store.keep(paths[k], images)
    if keep and todo:
        store.let_go(folder, LIMIT)
    return pictures


def drawer(inputs: str, width: int | None) -> Callable[[Sequence[Episode]], np.ndarray] | None:
    """Return what draws the pictures of a learner of some inputs, as `scoring.judge` takes it; None if it sees none.

    Examples
    --------
    >>> drawer("captions", None) is None
    True
    """
    return partial(pictures_of, width=width, jobs=None) if inputs in observations.SEEN else None


def _drawn(parts: list[Sequence[Episode]], width: int, quality: str, jobs: int | None) -> Iterator[np.ndarray]:
    jobs = jobs or (-1 if len(parts) * _A_PART >= _MANY else 1)
    with side_by_side(jobs):
        yield from joblib.Parallel(return_as="generator")(
            joblib.delayed(_images)(list(map(observations.scenes, part)), width, quality) for part in parts
        )


def _images(rows: list[tuple], width: int, quality: str) -> np.ndarray:
    return np.array([[rendering.render(scene, quality, width) for scene in scenes] for scenes in rows])


def _key(episodes: Sequence[Episode], width: int, quality: str) -> str:
    """Return a name for pictures that no others have: by what they show, and what draws them."""
    what = rendering.NAME, rendering.VERSION, width, quality, list(map(observations.scenes, episodes))
    return hashlib.sha256(repr(what).encode()).hexdigest()[:32]


def _read(path: Path | None, place: np.ndarray) -> bool:
    """Return whether kept pictures are there and whole, and copied to their place."""
    images = path and store.kept(path, place.shape)
    if images is None:
        return False
    place[:] = images
    return True
