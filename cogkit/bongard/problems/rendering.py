"""Many pictures at once: several processes draw them, and the disk keeps them so that each is drawn only once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import resources
from importlib.metadata import version

from cogkit.bongard.logo import raster
from cogkit.bongard.logo.drawing import PROBLEM
from cogkit.bongard.problems.packed import Packed
from cogkit.bongard.problems.records import A_SIDE, SIDES, Problem, pictures
from cogkit.core.processes import in_parts
from cogkit.data import pictures as store
from cogkit.data.home import home

LIMIT = 4 * 2**30  # most bytes of stored pictures
_PAINTER = ("geometry.py", "drawing.py", "raster.py")  # the files of `logo` that decide how a picture looks
_A_TASK = 32  # problems
MANY = 1000  # from this many problems on, several processes start by default


def by_parts(work: Callable, problems: Sequence, jobs: int | None, *rest) -> Iterator:
    """Yield ``work(part, *rest)`` for each part of the problems, in order, from ``jobs`` processes of one thread each.

    None means one process for each core if there are many problems, and only this process otherwise.
    """
    return in_parts(work, problems, _A_TASK, jobs or (-1 if len(problems) >= MANY else 1), *rest)


def key(problems: Sequence[Problem], size: int) -> str:
    """Return a unique name for these pictures, which changes with the code that draws them."""
    digest = hashlib.sha256(f"{code_of('logo', *_PAINTER)} pillow {version('pillow')} {size} {PROBLEM}".encode())
    for problem in problems:
        digest.update(repr(problem.sides).encode())
    return digest.hexdigest()[:32]


@cache
def code_of(folder: str, *names: str) -> str:
    """Return a checksum of modules of this instrument. New code then does not use what old code has drawn.

    Examples
    --------
    >>> code_of("logo", "raster.py") == code_of("logo", "drawing.py")
    False
    """
    files = resources.files("cogkit.bongard").joinpath(folder)
    return hashlib.sha256(b"".join(files.joinpath(name).read_bytes() for name in names)).hexdigest()


def pictures_of(problems: Sequence[Problem], size: int, jobs: int | None = 1) -> Packed:
    """Return the pictures of some problems, (n, 2, 7, size, size), from the disk if they were drawn before.

    Positives come first, and 255 is paper. ``jobs`` is the number of parallel processes; None means one for each core
    if there are many problems, and one otherwise.

    Examples
    --------
    >>> from cogkit.bongard.problems import freeform
    >>> pictures_of([freeform.problem(0)], size=32).shape
    (1, 2, 7, 32, 32)
    """

    def draw() -> Packed:
        return Packed.joined([*by_parts(_pack, problems, jobs, raster.as_size(size))])

    return packed(f"{key(problems, size)}-packed", (len(problems), len(SIDES), A_SIDE, size, size), draw)


def packed(name: str, shape: tuple[int, ...], draw: Callable[[], Packed]) -> Packed:
    """Return pictures of this shape: from the disk if they are there by this name, or else ``draw()``.

    They lie in the folder ``rendered`` of ``COGKIT_HOME``, which takes at most 4 GiB: the files that were unused the
    longest are deleted first.
    """
    path = home() / "rendered" / f"{name}.npy"
    record = store.read(path, None)
    held = None if record is None else Packed.restored(record, shape)
    if held is None:
        held = draw()
        store.write(path, held.record)
        store.shrink(path.parent, LIMIT)
    return held


def _pack(problems: Sequence[Problem], size: int) -> Packed:
    return Packed.of(raster.images(pictures(problems), size).reshape(-1, len(SIDES), A_SIDE, size, size))
