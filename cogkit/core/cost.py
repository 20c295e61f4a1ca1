"""What a run costs: the CPU-seconds of a process and of its child processes."""

from __future__ import annotations

import contextlib
import functools
import math
import os
import sys
import time

import psutil

_CACHED = type(functools.cache(abs))


def family(pid: int) -> list[psutil.Process]:
    """Return a process and all processes that it began, with theirs; none if it has ended.

    Examples
    --------
    >>> family(os.getpid())[0].pid == os.getpid()
    True
    """
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def cpu_seconds(pid: int | None = None) -> float:
    """Return the CPU-seconds of a process so far, all threads, and of its child processes; NaN if it has ended.

    By default the process is this one. A child process counts while it lives and after it has ended (on Windows only
    while it lives).

    Examples
    --------
    >>> 0 < cpu_seconds() < math.inf
    True
    """
    members = family(os.getpid() if pid is None else pid)
    total = 0.0 if members else math.nan
    for member in members:
        with contextlib.suppress(psutil.Error):  # it has just ended
            times = member.cpu_times()
            total += getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0)
            # The system counts in hundredths of a second; a process knows its own time to the microsecond.
            total += time.process_time() if member.pid == os.getpid() else times.user + times.system
    return total


class Spent:
    """Measures the CPU-seconds of a ``with`` block: of this process, all threads, and of its child processes.

    What child processes took before does not count, although they still live, as those of a pool do.

    Examples
    --------
    >>> with Spent() as spent:
    ...     total = sum(range(10_000))
    >>> 0 < spent.seconds < 10
    True
    """

    seconds = 0.0

    def __enter__(self) -> Spent:
        self._before = cpu_seconds()
        return self

    def __exit__(self, *error) -> None:
        self.seconds = max(0.0, cpu_seconds() - self._before)


def forget() -> None:
    """Empty the caches of all functions of cogkit, so that the next run pays for all that it needs.

    Two cells on the same data share what the first of them has made. This leaves alone what lies on the disk, such as
    pictures that were drawn before, and compiled loops.

    Examples
    --------
    >>> forget()
    """
    modules = [module for name, module in sys.modules.copy().items() if name.startswith("cogkit.")]
    for thing in [thing for module in modules for thing in vars(module).values()]:
        if isinstance(thing, _CACHED):
            thing.cache_clear()
