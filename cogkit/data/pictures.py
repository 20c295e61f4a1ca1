"""Drawn pictures kept on the disk, so that nobody draws them twice: any array of uint8 in a file of its own."""

from __future__ import annotations

import os
import secrets
import time
from pathlib import Path

import numpy as np

from cogkit.data.published import announce


def kept(path: Path, shape: tuple[int, ...]) -> np.ndarray | None:
    """Return kept pictures, mapped, or None where there are none that are whole and of this shape.

    Examples
    --------
    >>> kept(Path("nowhere.npy"), (2, 3)) is None
    True
    """
    try:
        pictures = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception:  # numpy lets many kinds of error through; whatever is wrong with the file, it is drawn again
        return None
    if pictures.shape != shape or pictures.dtype != np.uint8:
        return None
    _asked(path)
    return pictures


def keep(path: Path, drawn: np.ndarray) -> None:
    """Write pictures as a whole; a full disk keeps nothing, and a line says so. Missing folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            np.save(file, drawn, allow_pickle=False)
        _asked(part)
        os.replace(part, path)
    except OSError as error:
        announce(f"drawn pictures are not kept for the next time: {path.parent}: {error.strerror or error}")
    finally:
        part.unlink(missing_ok=True)


def let_go(folder: Path, limit: int) -> None:
    """Let go of what was not asked for the longest, where all that a folder keeps takes more than so many bytes."""
    size = 0
    for path in sorted(folder.glob("*.npy"), key=lambda path: path.stat().st_mtime_ns, reverse=True):
        size += path.stat().st_size
        if size > limit:
            path.unlink(missing_ok=True)


def _asked(path: Path) -> None:
    """Note that a file was asked for now; a file system's own clock may stand still for some milliseconds."""
    now = time.time_ns()
    os.utime(path, ns=(now, now))
