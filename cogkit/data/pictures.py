"""A cache of drawn pictures on the disk: each file holds one array of uint8."""

from __future__ import annotations

import os
import secrets
import time
from pathlib import Path

import numpy as np

from cogkit.core.errors import InputError
from cogkit.data import readers
from cogkit.data.published import announce


def read(path: Path, shape: tuple[int, ...] | None) -> np.ndarray | None:
    """Return cached pictures as a memory map, or None if there is no complete file of this shape, or of any shape."""
    try:
        pictures = readers.array(path)
    except InputError:  # it is drawn again in any case
        return None
    if shape not in (None, pictures.shape) or pictures.dtype != np.uint8:
        return None
    _touch(path)
    return pictures


def write(path: Path, images: np.ndarray) -> None:
    """Write pictures to a complete file. If the disk is full, write nothing and print a line. Make missing folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            np.save(file, images, allow_pickle=False)
        _touch(part)
        os.replace(part, path)
    except OSError as error:
        announce(f"drawn pictures are not kept for the next time: {path.parent}: {error.strerror or error}")
    finally:
        part.unlink(missing_ok=True)


def shrink(folder: Path, limit: int) -> None:
    """Delete the files used longest ago, so that the files of a folder take at most ``limit`` bytes."""
    size = 0
    for path in sorted(folder.glob("*.npy"), key=lambda path: path.stat().st_mtime_ns, reverse=True):
        size += path.stat().st_size
        if size > limit:
            path.unlink(missing_ok=True)


def _touch(path: Path) -> None:
    """Set the time of a file to now; the clock of a file system may not change for some milliseconds."""
    now = time.time_ns()
    os.utime(path, ns=(now, now))
