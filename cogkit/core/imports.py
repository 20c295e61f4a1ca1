"""Lazy packages: a module is imported at the first use of what it offers (PEP 562)."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any


def lazy(package: str, places: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package whose names are defined in other modules.

    Parameters
    ----------
    package : str
        The package's own ``__name__``.
    places : mapping of str to str
        For each name that the package offers, the submodule that defines it, such as ``scoring``. With
        ``module:other`` the submodule calls it ``other``, or ``thing.other`` if it is an attribute of something; with
        ``module:`` the name is the submodule itself.

    Examples
    --------
    >>> get, _ = lazy("cogkit.core", {"pick": "presets:choose", "streams": "seeding:"})
    >>> get("pick").__name__, get("streams").__name__
    ('choose', 'cogkit.core.seeding')
    >>> del sys.modules["cogkit.core"].pick, sys.modules["cogkit.core"].streams
    """

    def __getattr__(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, colon, attribute = places[name].partition(":")
        value = importlib.import_module(f"{package}.{module}")
        if attribute or not colon:
            value = attrgetter(attribute or name)(value)
        setattr(sys.modules[package], name, value)  # the next use does not come here
        return value

    def __dir__() -> list[str]:
        return sorted({*vars(sys.modules[package]), *places})

    return __getattr__, __dir__


def files(package: str) -> list[str]:
    """Return the names of the modules in a package's folder, with hyphens for ``_``; none of them is imported.

    Examples
    --------
    >>> "registry" in files("cogkit.core")
    True
    """
    path = importlib.import_module(package).__path__
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(path))


def of_file(package: str, name: str, attribute: str) -> Any:
    """Return what a module calls ``attribute``; ``name`` is one of `files`."""
    return getattr(importlib.import_module(f"{package}.{name.replace('-', '_')}"), attribute)


def front(package: str, **places: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return what `lazy` returns for the front door of an instrument: the names of every door, and ``places``.

    A place without a module is a method of the instrument.
    """
    methods = dict.fromkeys(("items", "learner", "results", "tasks"), "")
    common = methods | {"judge": "scoring", "summarise": "scoring", "figures": "views:"} | places
    return lazy(package, {name: place or f"instrument:INSTRUMENT.{name}" for name, place in common.items()})
