"""What an instrument's module of this extra tells of each dataset, by name: ``DATASETS``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from cogkit.core import registry
from cogkit.core.errors import Finding


class Dataset(NamedTuple):
    """How a dataset is written and checked.

    Attributes
    ----------
    make : callable
        ``make(out, *, n, seed, …) -> list of paths written``. Its keyword arguments are the options of the command
        line; an annotation says whether one is a number, and ``options`` what it means. All have defaults.
    looks_like : callable
        ``looks_like(dir) -> bool``, whether a folder is such a dataset.
    audit : callable
        ``audit(dir) -> list of Finding``.
    options : mapping of str to str
        What each option of ``make`` is for, as the help of the command line says it.
    """

    make: Callable[..., list]
    looks_like: Callable[[Any], bool]
    audit: Callable[[Any], list[Finding]]
    options: Mapping[str, str] = {}


def datasets() -> dict[str, Dataset]:
    """Return every dataset of every instrument, by name.

    Examples
    --------
    >>> sorted(datasets())
    ['bongard', 'mewl', 'mts', 'tiles']
    """
    return {name: each for part in registry.parts("datasets").values() for name, each in part.DATASETS.items()}
