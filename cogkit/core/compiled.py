"""Compiled loops, their cache on disk, the one-line notice while they compile, and the hash for compiled code.

Compiled loops are decorated ``@compiled``. numba's own cache checks only the file that holds the loop, so it keeps old
constants and old functions of other files. Here the cache key covers everything that a loop is compiled from.
``item_state``, ``item_word``, ``mix`` and ``to_unit`` are the functions of `cogkit.core.seeding` themselves: importing
them from here makes them callable in compiled code too, so there is one definition of the hash.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserWideCacheLocator
from numba.core.registry import CPUDispatcher
from numba.extending import register_jitable

from cogkit.core import seeding

_said: set[str] = set()
_packages = {"cogkit"}  # and those of other instruments that have loops


class _Places(CompileResultCacheImpl):
    """Where numba looks for a folder that can be written; for a user without a home, not in one named ``~`` here."""

    _locator_classes = [
        kind for kind in CompileResultCacheImpl._locator_classes
        if kind is not UserWideCacheLocator or os.path.isabs(os.path.expanduser("~"))
    ]  # fmt: skip


class _Cache(FunctionCache):
    """numba's cache, which is a help and never a hindrance: what it cannot read or write is compiled again."""

    _impl_class = _Places

    def load_overload(self, sig, target_context):
        loop = None
        try:
            loop = super().load_overload(sig, target_context)
        except Exception:  # no permission, or a broken file, at which the reader can raise anything
            with suppress(OSError):
                self.flush()
        if loop is None:
            _say("compiling loops for this processor, once (some seconds)…")
        return loop

    def save_overload(self, sig, data) -> None:
        try:
            super().save_overload(sig, data)
        except Exception as error:  # the same, or a full disk
            _say(f"compiled loops are not kept for the next time: {getattr(error, 'strerror', None) or error}")

    def _index_key(self, sig, codegen):
        stamp = hashlib.sha256(b"\0".join(_made_of(self._py_func, set()))).hexdigest()
        return *super()._index_key(sig, codegen), stamp


def _is_ours(module: str) -> bool:
    return module.split(".")[0] in _packages


def _made_of(function: FunctionType, seen: set[FunctionType]) -> Iterator[bytes]:
    """Yield what a function is compiled from: its code, the values it names, and the same for functions it calls."""
    if function in seen or not _is_ours(function.__module__):
        return
    seen.add(function)
    code = function.__code__
    yield code.co_code
    yield repr([constant for constant in code.co_consts if not hasattr(constant, "co_code")]).encode()
    values = [function.__globals__.get(name) for name in code.co_names]
    modules = [value for value in values if isinstance(value, ModuleType)]
    namespaces = [vars(module) for module in modules if _is_ours(module.__name__)]
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


def compiled(function: FunctionType, **options) -> CPUDispatcher:
    """Return a function as machine code. It is compiled at the first call, and kept on the disk if that is possible."""
    _packages.add(function.__module__.split(".")[0])
    dispatcher: Any = njit(**options)(function)  # numba's types do not declare the attribute `_cache`
    try:
        dispatcher._cache = _Cache(function)
    except RuntimeError:  # no folder of numba's can be written: the loop works, and is not kept
        _say("compiled loops are not kept for the next time: set NUMBA_CACHE_DIR to a folder for them")
    return dispatcher


def _say(line: str) -> None:
    """Print a line, once per process."""
    if line not in _said:
        _said.add(line)
        kernel = sys.modules.get("ipykernel.kernelapp")
        in_notebook = kernel is not None and kernel.IPKernelApp.initialized()
        # a script reads what a command prints; a notebook shows what goes to stderr in red, as if it were an error
        print(line, file=sys.stdout if in_notebook else sys.stderr)


mix = register_jitable(seeding.mix)
item_state = register_jitable(seeding.item_state)
item_word = register_jitable(seeding.item_word)
to_unit = register_jitable(seeding.to_unit)
