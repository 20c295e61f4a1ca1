"""A papermill engine that runs kernels with this interpreter and records their cost.

The cost goes into the metadata of the executed notebook. This module is imported only to run a notebook, because it
imports papermill.
"""

from __future__ import annotations

import math
import threading
from collections import defaultdict
from pathlib import Path

import psutil
from jupyter_client.kernelspec import KernelSpecManager
from nbclient.exceptions import DeadKernelError
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine, papermill_engines
from traitlets import default

from cogkit.core.cost import cpu_seconds, family

__all__ = ["ENGINE", "DeadKernelError", "Meter", "ThisPython"]

ENGINE = "cogkit"
_EVERY = 0.2  # seconds between looks at a kernel with children


class Meter(threading.Thread):
    """Measures a process and its children while a ``with`` block runs; afterwards `cost` tells what they took.

    Memory is proportional set size (PSS), as if no other program used the same libraries: what several of the
    processes share counts once. A process without children keeps its own peak; with children, all are looked at five
    times a second.

    Examples
    --------
    >>> import os
    >>> with Meter(os.getpid()) as meter:
    ...     pass
    >>> sorted(meter.cost())
    ['cpu_s', 'peak_mb']
    """

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid, self._peak, self._over = pid, 0.0, threading.Event()

    def __enter__(self) -> Meter:
        self.start()
        return self

    def __exit__(self, *error) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        while not self._over.wait(_EVERY):
            members = family(self._pid)
            if len(members) > 1:
                self._peak = max(self._peak, together(members))

    def cost(self) -> dict[str, float]:
        """Return ``cpu_s`` and ``peak_mb``, of a process that still lives; else NaN."""
        try:
            peak = max(self._peak, _own_peak(psutil.Process(self._pid)))
        except psutil.NoSuchProcess:
            return {"cpu_s": math.nan, "peak_mb": math.nan}
        return {"cpu_s": round(cpu_seconds(self._pid), 2), "peak_mb": round(peak / 1e6, 1)}


def together(processes: list[psutil.Process]) -> float:
    """Return the bytes of memory of some processes; pages of a file that several of them hold count once.

    Examples
    --------
    >>> 1e6 < together([psutil.Process()]) < 1e10
    True
    """
    own, files = 0.0, defaultdict(float)
    for process in processes:
        try:
            for part in process.memory_maps():
                if part.path.startswith("["):  # the heap, or memory of no file
                    own += part.pss
                else:
                    files[part.path] = max(files[part.path], part.rss)
        except (psutil.Error, AttributeError):  # it has ended, or this system tells no maps
            continue
    return own + sum(files.values())


def _own_peak(process: psutil.Process) -> float:
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
        return next(float(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM"))
    except (OSError, StopIteration):  # no /proc outside Linux: use Windows' own peak, or else the current memory
        memory = process.memory_info()
        return getattr(memory, "peak_wset", memory.rss)


class ThisPython(KernelSpecManager):
    """Kernel specs without folders to search, so that "python3" is always this interpreter."""

    @default("kernel_dirs")
    def _no_folder(self) -> list[str]:
        return []


class _Client(PapermillNotebookClient):
    def create_kernel_manager(self):
        manager = super().create_kernel_manager()
        manager.kernel_spec_manager = ThisPython()
        if manager.has_trait("transport_encryption"):  # else ipykernel warns at every start that it has none
            manager.transport_encryption = "auto"
        return manager

    def papermill_execute_cells(self):
        with Meter(self.km.provisioner.pid) as meter:
            try:
                super().papermill_execute_cells()
            finally:
                self.nb.metadata.papermill["cogkit"] = meter.cost()


class Engine(NBClientEngine):
    """papermill's standard engine with the client above."""

    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, *, env, start_timeout=60, **ignored):
        client = _Client(nb_man, kernel_name=kernel_name, startup_timeout=start_timeout, timeout=None)
        return client.execute(env=env)


papermill_engines.register(ENGINE, Engine)
