"""Compiled loops, their cache on disk, the one-line notice while they compile, and the hash for compiled code.

Compiled loops are decorated ``@compiled``. numba's own cache checks only the file that holds the loop, so it keeps old
constants and old functions of other files. Here the cache key covers everything that a loop is compiled from.
``item_state``, ``item_word``, ``mix`` and ``to_unit`` are the functions of `cogkit.core.seeding` themselves: importing
them from here makes them callable in compiled code too, so there is one definition of the hash.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import njit
from numba.core import event
from numba.core.caching import FunctionCache
from numba.core.registry import CPUDispatcher
from numba.extending import register_jitable

from cogkit.core import seeding


class _Cache(FunctionCache):
    def _index_key(self, sig, codegen):
        stamp = hashlib.sha256(b"\0".join(_made_of(self._py_func, set()))).hexdigest()
        return *super()._index_key(sig, codegen), stamp


def _made_of(function: FunctionType, seen: set[FunctionType]) -> Iterator[bytes]:
    """Yield what a function is compiled from: its code, the values it names, and the same for functions it calls."""
    if function in seen or not function.__module__.startswith("cogkit."):
        return
    seen.add(function)
    code = function.__code__
    yield code.co_code
    yield repr([constant for constant in code.co_consts if not hasattr(constant, "co_code")]).encode()
    values = [function.__globals__.get(name) for name in code.co_names]
    modules = [value for value in values if isinstance(value, ModuleType)]
    namespaces = [vars(module) for module in modules if module.__name__.startswith("cogkit.")]
    values += [names.get(name) for names in namespaces for name in code.co_names]
    for value in values:
        if isinstance(value, CPUDispatcher):
            yield from _made_of(value.py_func, seen)
        elif isinstance(value, FunctionType):
            yield from _made_of(value, seen)
        elif isinstance(value, np.ndarray):
            yield f"{value.shape}{value.dtype}".encode() + value.tobytes()
        elif isinstance(value, bool | int | float | str | tuple | np.generic):
            yield repr(value).encode()


def compiled(function: FunctionType) -> CPUDispatcher:
    """Return a function as machine code. It is compiled at the first call and kept on the disk."""
    dispatcher: Any = njit(function)  # numba's types do not declare the attribute `_cache`
    dispatcher._cache = _Cache(function)
    return dispatcher


mix = register_jitable(seeding.mix)
item_state = register_jitable(seeding.item_state)
item_word = register_jitable(seeding.item_word)
to_unit = register_jitable(seeding.to_unit)


class _Notice(event.Listener):
    """Prints one line per process when a loop is compiled; loops loaded from numba's cache raise no event."""

    said = False

    def on_start(self, event) -> None:
        if not self.said and event.data["dispatcher"].py_func.__module__.startswith("cogkit."):
            self.said = True
            # a notebook shows what goes to stderr in red, as if it were an error
            stream = sys.stdout if "ipykernel" in sys.modules else sys.stderr
            print("compiling loops for this processor, once (some seconds)…", file=stream)

    def on_end(self, event) -> None:
        pass


event.register("numba:compile", _Notice())
