"""Lazy packages: a package offers a few names and imports the module behind each name at its first use (PEP 562)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def lazy(package: str, places: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package whose names are defined in other modules.

    Parameters
    ----------
    package : str
        The package's own ``__name__``.
    places : mapping of str to str
        For each name that the package offers, the submodule that defines it, such as ``scoring``. With
        ``module:other`` the submodule calls it ``other``; with ``module:`` the name is the submodule itself.

    Examples
    --------
    >>> get, _ = lazy("json", {"parse": "decoder:JSONDecoder", "reader": "decoder:"})
    >>> get("parse").__name__, get("reader").__name__
    ('JSONDecoder', 'json.decoder')
    """

    def __getattr__(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, colon, attribute = places[name].partition(":")
        value = importlib.import_module(f"{package}.{module}")
        if attribute or not colon:
            value = getattr(value, attribute or name)
        setattr(sys.modules[package], name, value)  # the next use does not come here
        return value

    def __dir__() -> list[str]:
        return sorted({*vars(sys.modules[package]), *places})

    return __getattr__, __dir__
