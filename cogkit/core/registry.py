"""What is there: the instruments and the extras of this package, and those of packages that are installed beside it.

An instrument is a folder of this package with a module ``instrument`` that defines ``INSTRUMENT``; an extra is a folder
of ``cogkit.extras`` with a module ``extra`` that defines ``EXTRA``. A package of somebody else's has the same module,
and names itself by an entry point in its ``pyproject.toml``::

    [project.entry-points."cogkit.instruments"]
    counting = "counting"
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from cogkit.core.instruments import Extra, Instrument
from cogkit.core.presets import choose


@cache
def _packages(place: str, declaration: str, path: tuple[str, ...]) -> dict[str, str]:
    """Return the dotted package of each instrument, or of each extra, by name; ``path`` is where Python looks."""
    own = {name: f"{place}.{name}" for name in _inside(place) if declaration in _inside(f"{place}.{name}")}
    return own | {entry.name: entry.value for entry in entry_points(group=f"cogkit.{declaration}s")}


def _folders(package: str) -> tuple[str, ...]:
    """Return where a package lies, whether it exists or not. It is not imported."""
    first, *rest = package.split(".")
    top = find_spec(first)
    return tuple("/".join([path, *rest]) for path in (top and top.submodule_search_locations) or ())


def _inside(package: str) -> frozenset[str]:
    """Return the names of the modules in a package; none if it is no package. The package is not imported."""
    return _in_folders(_folders(package))


@cache
def _in_folders(folders: tuple[str, ...]) -> frozenset[str]:
    return frozenset(module.name for module in pkgutil.iter_modules(folders))


def _instruments() -> dict[str, str]:
    return _packages("cogkit", "instrument", tuple(sys.path))


def _extras() -> dict[str, str]:
    return _packages("cogkit.extras", "extra", tuple(sys.path))


def package(instrument: str) -> str:
    """Return the dotted package of an instrument; of one that is not there, where ours would be.

    Examples
    --------
    >>> package("tiles"), package("chess")
    ('cogkit.tiles', 'cogkit.chess')
    """
    return _instruments().get(instrument, f"cogkit.{instrument}")


def folder(instrument: str) -> Path:
    """Return the folder of an instrument's package.

    Examples
    --------
    >>> folder("tiles").name
    'tiles'
    """
    return Path(_folders(package(instrument))[0])


def instruments() -> dict[str, Instrument]:
    """Return every instrument by name.

    Examples
    --------
    >>> all(name == instrument.name for name, instrument in instruments().items())
    True
    """
    return {name: instrument(name) for name in sorted(_instruments())}


def instrument(name: str) -> Instrument:
    """Return one instrument without loading the others.

    Examples
    --------
    >>> instrument("mewl").chance
    0.2
    """
    package = _instruments()[choose(name, _instruments(), "instrument")]
    return importlib.import_module(f"{package}.instrument").INSTRUMENT


def extras() -> dict[str, Extra]:
    """Return every extra by name.

    Examples
    --------
    >>> "classroom" in extras()
    True
    """
    return {name: importlib.import_module(f"{package}.extra").EXTRA for name, package in sorted(_extras().items())}


def extra(name: str) -> ModuleType:
    """Return the package of one extra, which offers what a command of the bench hands on to it.

    Examples
    --------
    >>> extra("cluster").__name__
    'cogkit.extras.cluster'
    """
    return importlib.import_module(_extras()[choose(name, _extras(), "extra")])


def place(name: str, cell: str, task: str) -> tuple[str, str]:
    """Return split and rung of result rows of an instrument, `Instrument.place`; of one that is not here, none."""
    return instrument(name).place(cell, task) if name in _instruments() else ("", "")


def names(module: str = "instrument") -> list[str]:
    """Return the instruments that have a module of this name, such as ``paper.claims``; nothing is imported."""
    *wings, last = module.split(".")
    return [name for name, package in _instruments().items() if last in _inside(".".join([package, *wings]))]


def modules(name: str) -> Iterator[tuple[str, ModuleType]]:
    """Yield each instrument that has a module such as ``paper.claims``, and this module; the most used ones first."""
    used = Counter(".".join(module.split(".")[:2]) for module in sys.modules)
    for instrument in sorted(names(name), key=lambda instrument: used[package(instrument)], reverse=True):
        yield instrument, importlib.import_module(f"{package(instrument)}.{name}")


def part(extra: str, instrument: str) -> ModuleType | None:
    """Return what an extra has for an instrument: its module of that name, such as ``cogkit.extras.models.tiles``.

    The package of an instrument that is not ours may have it instead, under the name of the extra: ``counting.models``.
    None if there is neither.
    """
    choose(instrument, _instruments(), "instrument")
    for package, module in ((_extras()[extra], instrument), (_instruments()[instrument], extra)):
        if module in _inside(package):
            return importlib.import_module(f"{package}.{module}")
    return None


def parts(extra: str) -> dict[str, ModuleType]:
    """Return what an extra has for each instrument, by the instrument's name."""
    modules = {name: part(extra, name) for name in sorted(_instruments())}
    return {name: module for name, module in modules.items() if module is not None}
