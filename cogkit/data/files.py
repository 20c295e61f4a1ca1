"""Files are written completely or not at all, and what a killed run leaves of one is cleared by the next."""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from cogkit.core.contracts import InputError

try:
    import fcntl
except ImportError:  # Windows, where nobody can rename or delete a file that is open
    fcntl = None


def write_whole(path, content: bytes, alone: bool = False) -> Path:
    """Write ``content`` to ``path`` and return the path; a kill or a full disk leaves the old file unchanged.

    The content goes to a hidden file beside it that ends in ``.part``. That file is flushed to the disk and then
    renamed in one step. Hidden files that killed runs left of the same file are deleted: see `clear`.

    Parameters
    ----------
    path : str or Path
        Missing folders are made.
    content : bytes
        The content of the file.
    alone : bool
        Whether the folder is new, so that there is nothing to clear.

    Raises
    ------
    InputError
        The folder cannot be written, or the disk is full.

    Examples
    --------
    >>> import tempfile
    >>> write_whole(Path(tempfile.mkdtemp()) / "runs" / "a.json", b"{}").read_bytes()
    b'{}'
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not alone:
            clear(path)
        with _part(path) as file:
            try:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
                if fcntl is None:
                    file.close()
                os.replace(file.name, path)
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(file.name)
        _sync_folder(path.parent)
    except OSError as error:
        reason = error.strerror or error
        fix = "free the disk or choose another folder"
        raise InputError(f"{path} ({reason})", "a file that can be written", fix) from None
    return path


def _part(path: Path) -> BinaryIO:
    """Return a new hidden file beside a file, locked as long as it is open: so it is no leftover of a killed run."""
    while True:
        part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
        file, is_ours = part.open("xb"), True
        with suppress(OSError):  # a file system without locks, where nothing is cleared
            is_ours = lock(file) and part.exists()  # else another run took it for one before it was locked
        if is_ours:
            return file
        file.close()


def clear(path: Path) -> None:
    """Delete what killed runs left of a file: its hidden parts, unless a live process holds the lock on them.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / ".a.json.0f3a.part").touch()
    >>> clear(folder / "a.json"), list(folder.iterdir())
    (None, [])
    """
    ours, left = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]+\.part"), []
    with suppress(OSError):  # there is no such folder, or nobody may list it
        with os.scandir(path.parent) as entries:
            left = [e.path for e in entries if ours.fullmatch(e.name) and e.is_file(follow_symlinks=False)]
    for part in left:
        with suppress(OSError):  # no permission, or a file system without locks: it stays
            with open(part, "r+b") as file:
                if lock(file):
                    if fcntl is None:
                        file.close()
                    os.unlink(part)  # while it is locked


def lock(file) -> bool:
    """Lock an open file until it is closed or its process ends; return False if another process holds the lock."""
    with suppress(BlockingIOError):
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _sync_folder(folder: Path) -> None:
    """Flush the names in a folder; else a power cut may undo the rename. Windows has no such call."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
