"""The folder for the reader's own files: trials, a pseudonym, results and agents."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import platformdirs

from cogkit.data.readers import faults


def home() -> Path:
    """Return the reader's folder and make it if needed: ``COGKIT_HOME``, or the system's folder for user data.

    Raises
    ------
    InputError
        The folder cannot be made or written, or the system knows of none.

    Examples
    --------
    >>> home().is_dir()
    True
    """
    folder = place("user_data_dir")
    with faults(folder, "a home folder that can be written", "set COGKIT_HOME"):
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise ValueError("no permission to write")
    return folder


def private(path: Path) -> None:
    """Let nobody but the reader open a file of theirs, where the file system knows of people."""
    with suppress(OSError):
        path.chmod(0o600)


def place(kind: str) -> Path:
    """Return ``COGKIT_HOME``, or without it the system's folder of a kind that platformdirs knows.

    Examples
    --------
    >>> place("user_cache_dir").is_absolute()
    True
    """
    with faults("a user without one", "a home folder", "set COGKIT_HOME to a folder of yours"):
        # HOME may be unset, and the user have a number but no name, as in some containers
        folder = os.environ.get("COGKIT_HOME") or getattr(platformdirs, kind)("cogkit", appauthor=False)
        return Path(folder).expanduser()
