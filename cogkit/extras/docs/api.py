"""The pages of the interface, from docstrings: the front door of each instrument, and the folders that all share."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

from cogkit.app import gallery
from cogkit.core import registry
from cogkit.core.errors import some
from cogkit.extras.docs.outline import Page, Section, code, line, listed, tree

FOLDERS = ("core", "stats", "data", "learning", "study", "ui", "extras.models.lm")
_ABOUT = "Every name of the front doors and of the shared folders, with its arguments and an example."


def apis() -> list[str]:
    """Return the modules that are front doors of instruments.

    Examples
    --------
    >>> apis()[0]
    'cogkit.tiles'
    """
    return [registry.package(name) for name in gallery.in_order(sorted(registry.instruments()))]


def modules(folder: str) -> list[str]:
    """Return the modules of a shared folder.

    Examples
    --------
    >>> modules("core")[:2]
    ['cogkit.core.compiled', 'cogkit.core.cost']
    """
    package = importlib.import_module(f"cogkit.{folder}")
    return sorted(module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."))


def section() -> Section:
    """Return the pages of the interface: the list of all, then a page a module."""
    fronts = [_api(name) for name in apis()]
    figures = [_figures(name) for name in apis()]
    inner = {folder: [_module(name) for name in modules(folder)] for folder in FOLDERS}
    shared = [_folder(folder, pages) for folder, pages in inner.items()]
    text = (
        f"# API\n\n{_ABOUT}\n\n## Front doors\n\n{listed(fronts)}\n\n## Figures\n\n{listed(figures)}\n\n"
        f"## Shared folders\n\n{listed(shared)}\n\n{tree([*fronts, *shared])}\n"
    )
    return Section(
        "API", (Page("api/index", "API", _ABOUT, text), *fronts, *figures, *shared), tuple(sum(inner.values(), []))
    )


def _api(name: str) -> Page:
    module = importlib.import_module(name)
    entries = [_entry(name, each, getattr(module, each)) for each in module.__all__ if each != "figures"]
    figures = f".. py:data:: figures\n   :module: {name}\n\n   Every figure and widget: see :doc:`/api/{name}.figures`."
    text = "\n\n".join([f".. automodule:: {name}\n   :no-members:", figures, *entries])
    return _page(f"api/{name}", name, _about(name), f"{code(text)}\n\n{tree([Page(f'api/{name}.figures', '')])}")


def _figures(name: str) -> Page:
    """Return the page of the figures and widgets of an instrument, under the name by which a reader knows them."""
    views = importlib.import_module(name).figures
    entries = [_entry(views.__name__, each, getattr(views, each)) for each in views.__all__]
    overview = "\n".join([".. autosummary::", "   :nosignatures:", "", *(f"   {each}" for each in views.__all__)])
    head = f".. automodule:: {views.__name__}\n   :no-members:\n\n.. currentmodule:: {views.__name__}"
    text = "\n\n".join([head, overview, *entries])
    return _page(f"api/{name}.figures", f"{name}.figures", _about(views.__name__), code(text), "figures")


def _folder(folder: str, pages: list[Page]) -> Page:
    name = f"cogkit.{folder}"
    about = _about(name) or f"The modules {some([page.short for page in pages], 99, ' and ')}."
    text = "\n\n".join([code(f".. automodule:: {name}\n   :no-members:"), listed(pages), tree(pages)])
    return _page(f"api/{name}", name, about, text)


def _module(name: str) -> Page:
    directive = code(f".. automodule:: {name}\n   :members:")
    return _page(f"api/{name}", name, _about(name), directive, name.split(".", 2)[-1])


def _entry(module: str, name: str, value: object) -> str:
    if inspect.ismodule(value):
        return f".. automodule:: {value.__name__}\n   :members:"
    kind = "autoclass" if inspect.isclass(value) else "autofunction" if callable(value) else "autodata"
    return f".. {kind}:: {module}.{name}"


def _about(module: str) -> str:
    return line(importlib.import_module(module).__doc__ or "")


def _page(name: str, title: str, about: str, text: str, short: str = "") -> Page:
    return Page(name, title, about, f"# {title}\n\n{text}\n", short)
