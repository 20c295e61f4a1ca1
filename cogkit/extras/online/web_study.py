"""What an instrument's module of this extra tells of its study: how it becomes a web page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cogkit.core.study import Page, Presentation, Study


@dataclass(frozen=True)
class WebStudy:
    """How the study of an instrument becomes a web page, for ``cogkit study make``: the widget of the notebooks on it.

    Attributes
    ----------
    title : str
        Of the page.
    conditions : sequence of str
        The conditions that people can be given, each to equally many.
    named : sequence of str
        Other conditions, which people get only if the study is made for one of them.
    study : callable
        ``study(condition, n) -> Study`` whose ``assign`` gives that condition. ``n`` is how much there is to do, as the
        docstring of the function says; None for the size of the paper's study.
    script, style : str
        What draws: the widget of the notebooks, and ``presenter``, which describes its scenes in place of Python.
    still : callable
        ``still(condition, seed) -> mapping`` of what the presenter needs beside items.
    page, item : callable
        ``page(page)`` and ``item(presentation)``, each a mapping that JSON can hold: what the page gets of a page of
        instructions, and of an item. It has the right answer only if the study tells it.
    packed, unpacked : callable or None
        ``packed(items)``, the items as values that JSON holds, and ``unpacked(values)``, the same items again. They are
        for items that depend on published files, which not every computer has: these travel with the study.
    """

    title: str
    conditions: Sequence[str]
    study: Callable[[str, int | None], Study]
    script: str
    style: str
    item: Callable[[Presentation], Mapping[str, Any]]
    page: Callable[[Page], Mapping[str, Any]] = lambda page: {}
    still: Callable[[str, int], Mapping[str, Any]] = lambda condition, seed: {}
    packed: Callable[[Any], Any] | None = None
    unpacked: Callable[[Any], Any] | None = None
    named: Sequence[str] = ()
