"""A papermill engine that runs kernels with this interpreter and records their cost.

The cost goes into the metadata of the executed notebook. This module is imported only to run a notebook, because it
imports papermill.
"""

from __future__ import annotations

import math
from pathlib import Path

import psutil
from jupyter_client.kernelspec import KernelSpecManager
from nbclient.exceptions import DeadKernelError
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine, papermill_engines
from traitlets import default

__all__ = ["ENGINE", "DeadKernelError", "ThisPython", "cost"]

ENGINE = "cogkit"


def cost(pid: int) -> dict[str, float]:
    """Return ``cpu_s`` and ``peak_mb`` of a live process and its children.

    The peak is the sum of the highest memory of the kernel and of every child that is still alive. ``getrusage`` is not
    used, because a child inherits its number from the process that started it.

    Examples
    --------
    >>> import os
    >>> sorted(cost(os.getpid()))
    ['cpu_s', 'peak_mb']
    """
    cpu = peak = 0.0
    try:
        process = psutil.Process(pid)
        for member in [process, *process.children(recursive=True)]:
            times = member.cpu_times()
            cpu += times.user + times.system
            peak += _peak(member)
        totals = process.cpu_times()
        cpu += getattr(totals, "children_user", 0.0) + getattr(totals, "children_system", 0.0)
    except psutil.NoSuchProcess:
        return {"cpu_s": math.nan, "peak_mb": math.nan}
    return {"cpu_s": round(cpu, 2), "peak_mb": round(peak / 1e6, 1)}


def _peak(process: psutil.Process) -> float:
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
        try:
            super().papermill_execute_cells()
        finally:
            self.nb.metadata.papermill["cogkit"] = cost(self.km.provisioner.pid)


class Engine(NBClientEngine):
    """papermill's standard engine with the client above."""

    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, *, env, start_timeout=60, **ignored):
        client = _Client(nb_man, kernel_name=kernel_name, startup_timeout=start_timeout, timeout=None)
        return client.execute(env=env)


papermill_engines.register(ENGINE, Engine)
