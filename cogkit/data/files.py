"""Files are written completely or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from cogkit.core.contracts import InputError


def write_whole(path, content: bytes) -> Path:
    """Write ``content`` to ``path`` and return the path; a kill or a full disk leaves the old file unchanged.

    The content goes to a hidden file beside it that ends in ``.part``. That file is flushed to the disk and then
    renamed in one step.

    Parameters
    ----------
    path : str or Path
        Missing folders are made.
    content : bytes
        The content of the file.

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
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except OSError as error:
        reason = error.strerror or error
        fix = "free the disk or choose another folder"
        raise InputError(f"{path} ({reason})", "a file that can be written", fix) from None
    return path


def _sync_folder(folder: Path) -> None:
    """Flush the names in a folder; else a power cut may undo the rename. Windows has no such call."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
