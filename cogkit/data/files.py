"""Files and folders are written whole or not at all, and what a killed run leaves of one is cleared by the next."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from cogkit.core.errors import InputError

try:
    import fcntl
except ImportError:  # Windows, where nobody can rename or delete a file that is open
    fcntl = None


def write_whole(path, content: bytes, alone: bool = False) -> Path:
    """Write ``content`` to ``path`` and return the path; a kill or a full disk leaves the old file unchanged.

    The content goes to a hidden file beside it that ends in ``.part``. That file is flushed to the disk and then
    renamed in one step. Hidden files that killed runs left of the same file are deleted: see `clear`. Missing folders
    are made. ``alone`` says that the folder is new, so that there is nothing to clear.

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
    with writing(path):
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
        with opened(path.parent) as folder:  # Windows has no such call
            if folder is not None:
                os.fsync(folder)  # the names in it; else a power cut may undo the rename
    return path


def unused(folder: Path | str) -> Path:
    """Return a folder for `whole_folder`; raise `InputError` unless it is new or empty.

    Examples
    --------
    >>> import tempfile
    >>> unused(Path(tempfile.mkdtemp()) / "new").exists()
    False
    """
    folder = Path(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder}, which is there", "a new or an empty folder", "choose another name")
    return folder


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Yield a hidden folder to write into, which becomes ``folder`` at the end; after an error nothing is left of it.

    The folder is not there yet, or is empty.

    Raises
    ------
    InputError
        The folder cannot be written, or the disk is full.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()) / "study"
    >>> with whole_folder(folder) as part:
    ...     (part / "index.html").touch()
    >>> [path.name for path in folder.iterdir()], [path.name for path in folder.parent.iterdir()]
    (['index.html'], ['study'])
    """
    wanted = "a folder that can be written"
    with ExitStack() as stack:
        with writing(folder, wanted):
            clear(folder, folders=True)
            part = _part_folder(folder, stack)
        yield part
        with writing(folder, wanted):
            if folder.exists():
                folder.rmdir()
            part.rename(folder)


@contextmanager
def opened(folder) -> Iterator[int | None]:
    """Yield the handle of a folder while it is open; None on Windows, where a folder cannot be opened."""
    handle = os.open(folder, os.O_RDONLY) if os.name == "posix" else None
    try:
        yield handle
    finally:
        if handle is not None:
            os.close(handle)


@contextmanager
def writing(path: Path, wanted: str = "a file that can be written") -> Iterator[None]:
    """Tell an error of the system while a file or folder is written as one sentence about it.

    Examples
    --------
    >>> with writing(Path("a.json"), "room"):
    ...     raise OSError(28, "No space left")
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted room, got a.json (No space left): free the disk or choose another folder
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{path} ({reason})", wanted, "free the disk or choose another folder") from None


def _hidden(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")


def _part(path: Path) -> BinaryIO:
    """Return a new hidden file beside a file, locked as long as it is open: so it is no leftover of a killed run."""
    while True:
        part = _hidden(path)
        file, is_ours = part.open("xb"), True
        with suppress(OSError):  # a file system without locks, where nothing is cleared
            is_ours = lock(file) and part.exists()  # else another run took it for one before it was locked
        if is_ours:
            return file
        file.close()


def _part_folder(folder: Path, stack: ExitStack) -> Path:
    """Return a new hidden folder beside a folder, locked until the stack ends, when it is deleted."""
    while True:
        part = _hidden(folder)
        part.mkdir(parents=True)
        stack.callback(shutil.rmtree, part, ignore_errors=True)
        with suppress(FileNotFoundError):  # another run took it for one of a killed run before it was opened
            handle, is_ours = stack.enter_context(opened(part)), True
            with suppress(OSError):  # a file system without locks, where nothing is cleared
                is_ours = lock(handle) and part.exists()
            if is_ours:
                return part


def clear(path: Path, folders: bool = False) -> None:
    """Delete what killed runs left of a file, or of a folder: hidden parts, unless a live process has locked them.

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
            parts = [entry for entry in entries if ours.fullmatch(entry.name)]
            left = [e.path for e in parts if (e.is_dir if folders else e.is_file)(follow_symlinks=False)]
    for part in left:
        with suppress(OSError):  # no permission, or a file system without locks: it stays
            (_clear_folder if folders else _clear_file)(part)


def _clear_file(part: str) -> None:
    with open(part, "r+b") as file:
        if lock(file):
            if fcntl is None:
                file.close()
            os.unlink(part)  # while it is locked


def _clear_folder(part: str) -> None:
    if fcntl is not None:  # elsewhere nobody can tell whose it is
        with opened(part) as handle:
            if lock(handle):
                shutil.rmtree(part)


def lock(file) -> bool:
    """Lock an open file until it is closed or its process ends; return False if another process holds the lock."""
    with suppress(BlockingIOError):
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False
