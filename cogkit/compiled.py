"""How loops are compiled here: cached on disk, one line said when it really happens, and the hash inside.

Compiled loops are decorated ``@compiled``. ``item_state``, ``item_word``, ``mix`` and ``to_unit`` are the functions of
`cogkit.seeding` themselves: importing them from here makes them callable in compiled code too, so there is one
definition of the hash.
"""

from __future__ import annotations

import sys

from numba import njit
from numba.core import event
from numba.extending import register_jitable

from cogkit import seeding

compiled = njit(cache=True)
mix = register_jitable(seeding.mix)
item_state = register_jitable(seeding.item_state)
item_word = register_jitable(seeding.item_word)
to_unit = register_jitable(seeding.to_unit)


class _Notice(event.Listener):
    """Says once a process that kernels are being compiled; those loaded from numba's cache raise no event."""

    said = False

    def on_start(self, event) -> None:
        if not self.said and event.data["dispatcher"].py_func.__module__.startswith("cogkit."):
            self.said = True
            print("compiling loops for this processor, once (some seconds)…", file=sys.stderr)

    def on_end(self, event) -> None:
        pass


event.register("numba:compile", _Notice())
