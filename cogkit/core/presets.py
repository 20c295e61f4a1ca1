"""Presets (how large a run is), profiles (which rules apply), and the configs of a learner under each preset."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from cogkit.core.errors import InputError, some

if TYPE_CHECKING:  # a name that only type checkers know
    from _typeshed import DataclassInstance

PRESETS = ("quick", "lab", "paper")
PROFILES = ("verified", "as_published")
FLAT = "flat"  # in the metadata of a config's field that holds a recipe: see `learning.recipe`
Config = TypeVar("Config", bound="DataclassInstance")


def choose(value: str, allowed: Iterable[str], noun: str) -> str:
    """Return ``value`` if it is one of ``allowed``, else raise an `InputError` that names the nearest one.

    Examples
    --------
    >>> choose("quick", PRESETS, "preset")
    'quick'
    >>> choose("papre", PRESETS, "preset")
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted a preset (quick, lab or paper), got 'papre': did you mean 'paper'?
    """
    names = list(allowed)
    if value in names:
        return value
    text = str(value)[:100]
    longer = [name for name in names if name.startswith(f"{text}/")]  # whoever writes copy means copy/abstract
    near = longer or difflib.get_close_matches(text, names, 1, cutoff=0.5)
    options = some(names, 16, " or ")
    article = "an" if noun[0] in "aeiou" else "a"
    raise InputError(repr(value), f"{article} {noun} ({options})", f"did you mean {near[0]!r}?" if near else "")


def fill(make: type[Config], settings: Mapping[str, Any], noun: str) -> Config:
    """Return a dataclass with ``settings``, or raise an `InputError` that names a setting it does not have.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Size:
    ...     width: int = 1
    >>> fill(Size, {"width": 8}, "a size")
    Size(width=8)
    >>> fill(Size, {"widht": 8}, "a size")
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted a setting of a size (width), got 'widht': did you mean 'width'?
    """
    return make(**_with_recipe(make, settings, noun))


def changed(config: Config, **settings) -> Config:
    """Return a config with other settings, its own or those of its recipe.

    Examples
    --------
    >>> from cogkit.bongard.learners import agents
    >>> changed(agents.config("anil", "lab"), rate=0.1, batch=4).recipe.batch
    4
    """
    return replace(config, **_with_recipe(config, settings, f"a {type(config).__name__}"))


def _with_recipe(config: Any, settings: Mapping[str, Any], noun: str) -> dict[str, Any]:
    """Return settings with those of the recipe in a recipe, that of a config, or of a class by default."""
    held = {entry.name: entry for entry in fields(config) if FLAT in entry.metadata}
    inner = {name for entry in held.values() for name in vars(entry.default)}
    for name in settings:
        choose(name, [entry.name for entry in fields(config)] + sorted(inner), f"setting of {noun}")
    made = {name: value for name, value in settings.items() if name not in inner}
    for name, entry in held.items():
        recipe = made.get(name, getattr(config, name, entry.default))
        made[name] = replace(recipe, **{name: settings[name] for name in vars(recipe).keys() & settings.keys()})
    return made


def preset(value: str) -> str:
    """Return a valid preset name, or raise `InputError`."""
    return choose(value, PRESETS, "preset")


def profile(value: str) -> str:
    """Return a valid profile name, or raise `InputError`."""
    return choose(value, PROFILES, "profile")


@dataclass(frozen=True)
class Kind:
    """One kind of learner, and its configs by preset.

    Attributes
    ----------
    title : str
        What tables and errors call it.
    sizes : mapping
        For each preset, the settings that differ from the defaults of ``make``.
    own : mapping
        Settings that hold under every preset.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Size:
    ...     width: int = 1
    >>> small = Kind("a size", Size, {"quick": {"width": 8}, "lab": {}, "paper": {}})
    >>> small.config("quick"), small.config("quick", width=3)
    (Size(width=8), Size(width=3))
    """

    title: str
    make: type
    sizes: Mapping[str, Mapping[str, Any]]
    own: Mapping[str, Any] = field(default_factory=dict)

    def settings(self, size: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a preset after ``changes``; a kind may compute some settings from others."""
        return {**self.own, **self.sizes[size], **changes}

    def config(self, size: str, /, **changes) -> Any:
        """Return the config of a preset; ``changes`` are fields that differ from the preset."""
        return fill(self.make, self.settings(preset(size), changes), self.title)

    def configs(self, **changes) -> dict[str, Any]:
        """Return the configs of all presets, by preset; ``changes`` are as in `config`."""
        return {size: self.config(size, **changes) for size in PRESETS}


def layered(sizes: Mapping[str, Mapping], own: Mapping[str, Mapping]) -> dict[str, dict[str, Any]]:
    """Return the settings of each preset, with those that are in ``own`` over them.

    Examples
    --------
    >>> layered({"quick": {"width": 8, "steps": 2}, "lab": {}}, {"quick": {"steps": 4}})
    {'quick': {'width': 8, 'steps': 4}, 'lab': {}}
    """
    return {size: {**settings, **own.get(size, {})} for size, settings in sizes.items()}
