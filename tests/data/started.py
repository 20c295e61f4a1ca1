"""Programs that tests start, to be killed or to meet a full disk: each has the names of this module."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from cogkit.core.errors import InputError  # noqa: F401, which programs need
from cogkit.data.files import clear, lock, whole_folder, write_whole  # noqa: F401
from cogkit.extras.datasets import folders

PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
# A limit on the size of files breaks a write off half-way, as a full disk does.
FULL_DISK = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
PROGRAM = "from data.started import *\nto = Path(sys.argv[1])\n"


def started(code: str, path) -> subprocess.Popen:
    """Start a program with the names of this module, whose file or folder is ``to``."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([sys.executable, "-c", PROGRAM + code, str(path)], env=environment, **PIPES)


def wait() -> None:
    """Say that something has begun, and go on once a line comes in."""
    print("begun", flush=True)
    sys.stdin.readline()


def hold(path: Path) -> None:
    with path.open("xb") as file:
        assert lock(file)
        wait()


def make(root, n: int = 1, before=lambda: None):
    """Make a set of so many items."""

    def write(root, name, checksum):
        before()
        return (folders.put(root, name, ["a"], lambda: {"a": b"x"}, checksum),)

    items = {str(k): (str(k),) for k in range(n)}
    return folders.make(root, "counting/make", {"seed": 0}, [], "items", write, items, 1)
