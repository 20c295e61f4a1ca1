"""Processes that a test starts: each ends with the process that started it, however that one ends."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
from collections.abc import Sequence
from functools import partial

_LIBC = ctypes.CDLL(None)
_PARENT_DEATH = 1  # PR_SET_PDEATHSIG of prctl(2)


def end_with(parent: int) -> None:
    """Have this process killed when its parent, or the thread of it that started this one, ends or is killed."""
    _LIBC.prctl(_PARENT_DEATH, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        os.kill(os.getpid(), signal.SIGKILL)


def start(command: Sequence[str], **options) -> subprocess.Popen:
    """Start a process as `subprocess.Popen` does; it ends with this one."""
    return subprocess.Popen(command, preexec_fn=partial(end_with, os.getpid()), **options)


def run(command: Sequence[str], **options) -> subprocess.CompletedProcess:
    """Run a process as `subprocess.run` does, with what it prints as texts; it ends with this one."""
    options = {"capture_output": True, "text": True} | options
    return subprocess.run(command, preexec_fn=partial(end_with, os.getpid()), **options)
