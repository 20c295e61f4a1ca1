"""A package of somebody else's, with one more instrument and one more extra, installed into a folder of its own."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path


@cache
def installed() -> str:
    """Return the folder that pip has installed the package into, once a process."""
    folder = Path(tempfile.mkdtemp(prefix="sixth-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    source = shutil.copytree(Path(__file__).parent / "sixth", folder / "source")  # building writes beside it
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    subprocess.run([*pip, "--target", folder / "site", source], check=True)
    return str(folder / "site")


def path_with() -> str:
    """Return a PYTHONPATH with which every new interpreter, worker and kernel finds the package."""
    return os.pathsep.join([installed(), os.environ.get("PYTHONPATH", "")])
