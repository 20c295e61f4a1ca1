"""What a cell or a training run has freed goes back to the system when it is done.

The C library keeps up to 64 MB of freed memory for later. Two open notebooks on a small machine cannot spare it.
"""

from __future__ import annotations

import ctypes
import sys


def give_back(*ignored) -> None:
    """Give freed memory back, where the C library can (glibc, on Linux). It takes some milliseconds.

    Examples
    --------
    >>> give_back()
    """
    if arrow := sys.modules.get("pyarrow"):  # the texts of pandas, in a store of their own
        arrow.default_memory_pool().release_unused()
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


def after_every_cell() -> None:
    """Give memory back after every cell from now on, if this is a notebook."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        shell.events.register("post_run_cell", give_back)
