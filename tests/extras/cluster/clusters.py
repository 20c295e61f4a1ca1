"""Real dask schedulers and workers on this machine, in processes that end with the test, even if it is killed."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
from children import start
from sixth_package import installed

_LOOK = threading.Event()
_DASK = [sys.executable, "-m", "dask"]


class Cluster:
    """A scheduler and its workers; `start` what is needed, and leave the ``with`` block to end all of it.

    Parameters
    ----------
    folder : path
        Where logs and workers' own files go.
    path : str
        ``PYTHONPATH`` of the processes; by default it has the sixth instrument.
    """

    def __init__(self, folder: Path, path: str | None = None) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self.folder, self.processes = folder, []
        self.env = os.environ | {"OMP_NUM_THREADS": "1"}
        self.env["PYTHONPATH"] = os.pathsep.join([path or installed(), self.env.get("PYTHONPATH", "")])

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error) -> None:
        for process in self.processes:
            end(process)

    def _start(self, ready: str, *command: str, **env: str) -> subprocess.Popen:
        """Start a process in a group of its own, and go on when it has said that it is ready."""
        log = self.folder / f"{len(self.processes)}.log"
        with log.open("wb") as out:
            options = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": subprocess.STDOUT, "env": self.env | env}
            process = start([*_DASK, *command], start_new_session=True, cwd=self.folder, **options)
        self.processes.append(process)
        until(lambda: re.search(ready, log.read_text()), process)
        return process

    def scheduler(self) -> subprocess.Popen:
        """Return a scheduler's process, always at the same address."""
        port = self.address.rpartition(":")[2]
        return self._start("Scheduler at:", "scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")

    def workers(self, n: int = 1, *options: str, threads: int = 1, path: str = "") -> subprocess.Popen:
        """Return the process that holds n workers with so many threads each."""
        env = {"PYTHONPATH": os.pathsep.join([path or installed(), self.env["PYTHONPATH"]])} if path else {}
        many = [f"--nworkers={n}", f"--nthreads={threads}", f"--local-directory={self.folder}", "--no-dashboard"]
        return self._start(rf"(Registered to:[\s\S]*){{{n}}}", "worker", self.address, *many, *options, **env)


def children(process: subprocess.Popen) -> list[int]:
    """Return the processes that are workers of a process that holds them."""
    each = [child for child in psutil.Process(process.pid).children() if "resource_tracker" not in str(child.cmdline())]
    return [child.pid for child in each]


def kill(process: subprocess.Popen) -> None:
    """Kill a process alone, and wait until it is gone."""
    process.kill()
    process.wait()


def end(process: subprocess.Popen) -> None:
    """Kill a process with all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def until(happened: Callable[[], object], process: subprocess.Popen | None = None) -> None:
    """Look again and again, and return once something has happened; a process that must live may not have ended."""
    while not happened():
        assert process is None or process.poll() is None, process.args
        _LOOK.wait(0.01)  # nobody sets it: so many seconds between two looks
