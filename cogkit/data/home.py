"""The folder for the reader's own files: trials, a pseudonym, results and agents."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from cogkit.core.contracts import InputError


def home() -> Path:
    """Return the reader's folder and make it if needed: ``COGKIT_HOME``, or the system's folder for user data.

    Raises
    ------
    InputError
        The folder cannot be made or written.

    Examples
    --------
    >>> home().is_dir()
    True
    """
    place = os.environ.get("COGKIT_HOME") or platformdirs.user_data_dir("cogkit", appauthor=False)
    folder = Path(place).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        reason = "" if os.access(folder, os.W_OK) else "no permission to write"
    except OSError as error:
        reason = error.strerror or str(error)
    if reason:
        raise InputError(f"{folder} ({reason})", "a home folder that can be written", "set COGKIT_HOME")
    return folder
