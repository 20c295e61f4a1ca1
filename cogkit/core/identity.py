"""Stable names and hashes of configs, also after their classes grow, and of sets of items.

A field added to a config class says since which version it exists, and which value older configs imply:
``field(default=…, metadata={"since": 2, "absent": …})``, with ``version: ClassVar[int] = 2`` on the class. A field with
``metadata={FLAT: {"steps": "updates"}}`` is a config whose settings are stored among those of the config that holds it,
under these names; what is not named is stored where it differs from the field's default.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import json
import re
import typing
from collections.abc import Iterator, Mapping
from operator import methodcaller
from typing import Any, TypeVar

import msgspec

from cogkit.core import registry
from cogkit.core.errors import InputError, some
from cogkit.core.presets import FLAT

CLASS, VERSION = "class", "version"
Config = TypeVar("Config")


def plain(config: Any) -> dict[str, Any]:
    """Return a config (a dataclass or a mapping) as JSON would give it back.

    Every dataclass, also a nested one, becomes a mapping of its class, the class's version and its fields. A field that
    was added later is left out while it equals the value ``absent`` in its metadata, and the version is then the
    earlier one. A field that equals today's default is kept, since a default may change.

    Examples
    --------
    >>> from cogkit.core.errors import Finding
    >>> plain(Finding("a.csv", "row", "is empty"))
    {'class': 'Finding', 'version': 1, 'path': 'a.csv', 'field': 'row', 'problem': 'is empty'}
    >>> plain({"sizes": (3, 4)})
    {'sizes': [3, 4]}
    """
    return json.loads(json.dumps(_plain(config), default=methodcaller("item")))  # which numpy's numbers have


def config_hash(config: Any) -> str:
    """Return eight hex digits of the SHA-256 of `plain` as canonical JSON; the order of fields does not matter.

    Examples
    --------
    >>> config_hash({"a": 1, "b": (2, 3)}) == config_hash({"b": [2, 3], "a": 1})
    True
    """
    return hashlib.sha256(_text(config).encode()).hexdigest()[:8]


def restored(kind: type[Config] | None, stored: Mapping[str, Any], noun: str = "") -> Config:
    """Return the config behind a mapping from `plain`.

    A field that was added later gets its ``absent`` value. None as ``kind`` means that no class matches; ``noun`` is
    what the error calls the config.

    Raises
    ------
    InputError
        The mapping is not of this class, or is of a version with another meaning.

    Examples
    --------
    >>> from cogkit.core.errors import Finding
    >>> restored(Finding, plain(Finding("a.csv", "row", "is empty"))).field
    'row'
    """
    got, wanted = f"the config {stored}", f"one of {noun or getattr(kind, '__name__', 'no class')}"
    if kind is None:
        raise InputError(got, wanted)
    try:
        config = _made(kind, stored)
    except (TypeError, AttributeError, LookupError, msgspec.ValidationError):
        raise InputError(got, wanted) from None
    if plain(config) != stored:
        raise InputError(got, wanted, "another version of cogkit made it: make it again")
    return config


def content_hash(value: Any) -> str:
    """Return eight hex digits of the SHA-256 of what a value holds: an item, or a list of items.

    Fields count and their names do not, 1 is 1.0, and numbers count to six decimals, since the last digits depend on
    the processor.

    Examples
    --------
    >>> content_hash([1, (2.0, "a")]) == content_hash((1.0000000001, [2, "a"]))
    True
    """
    return hashlib.sha256(json.dumps(content(value)).encode()).hexdigest()[:8]


def hashed(name: str, value: Any) -> str:
    """Return a name that is unique by content: the name, and the hash of what it names.

    Examples
    --------
    >>> hashed("copy/abstract", [1, 2]), unhashed(hashed("ff_nact5_0001", [1, 2]) + "/1")
    ('copy/abstract/96314fde', 'ff_nact5_0001/1')
    """
    return f"{name}/{content_hash(value)}"


def unhashed(name: str) -> str:
    """Return a name without the hash that `hashed` gave it."""
    return re.sub(r"/[0-9a-f]{8}(?=/|$)", "", name)


def content(value: Any) -> Any:
    """Return what a value holds, for JSON: see `content_hash`.

    Examples
    --------
    >>> content({"a": (1, True)})
    [['a', [1.0, 1.0]]]
    """
    if isinstance(getattr(type(value), "hash", None), property):  # `items.Items` say themselves what they hold
        return value.hash
    if dataclasses.is_dataclass(value):
        return [content(getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, Mapping):
        return [[content(key), content(entry)] for key, entry in value.items()]
    if isinstance(value, list | tuple):
        return [content(entry) for entry in value]
    if isinstance(value, set | frozenset):
        return sorted(map(content, value))
    if hasattr(value, "tolist"):  # numpy's arrays and numbers
        return content(value.tolist())
    return round(float(value), 6) + 0.0 if isinstance(value, int | float) else str(value)


def item_set(name: str, version: int, profile: str, seed: int, n: int | None = None) -> str:
    """Return the hash of a set of items: the version of its generator, a dash, and eight hex digits.

    ``version`` is ``GENERATOR`` in the problems of the instrument ``name``. ``n`` is None if the config of a run says
    how many.

    Examples
    --------
    >>> item_set("mewl", 1, "verified", 0)
    '1-da003e17'
    """
    return f"{version}-{config_hash({'name': name, 'version': version, 'profile': profile, 'seed': seed, 'n': n})}"


def items_of(instrument: str, profile: str, seed: int, n: int | None = None) -> str:
    """Return the hash of an instrument's items, whatever was imported before; "" if it declares no ``GENERATOR``."""
    problems = f"{registry.package(instrument)}.problems"
    try:
        version = getattr(importlib.import_module(problems), "GENERATOR", None)
    except ModuleNotFoundError as error:
        if not problems.startswith(str(error.name)):
            raise
        version = None
    return "" if version is None else item_set(instrument, version, profile, seed, n)


def same_items(*sets: str, fix: str = "run what is older again") -> None:
    """Return None if all hashes of items agree. "", from results stored before hashes existed, agrees with all.

    Raises
    ------
    InputError
        The hashes, or the versions of a generator, differ.

    Examples
    --------
    >>> same_items("1-da003e17", "", "1-da003e17")
    >>> same_items("1", "2")
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted results on the same items, got items 1 and 2: run what is older again
    """
    if len(hashes := sorted({*sets} - {""})) > 1:
        raise InputError(f"items {some(hashes, last=' and ')}", "results on the same items", fix)


def _text(config: Any) -> str:
    """Return what `plain` gives as canonical JSON."""
    return json.dumps(_plain(config), sort_keys=True, separators=(",", ":"), default=methodcaller("item"))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if not dataclasses.is_dataclass(value):
        return value
    fields, absent, present = {}, set(), set()
    for field in dataclasses.fields(value):
        if FLAT in field.metadata:
            fields |= _flat(field, getattr(value, field.name))
            continue
        content, since = _plain(getattr(value, field.name)), field.metadata.get("since")
        if since and _text(content) == _text(field.metadata["absent"]):
            absent.add(since)
        else:
            present.add(since)
            fields[field.name] = content
    version = getattr(type(value), VERSION, 1)
    while version in absent - present:
        version -= 1
    return {CLASS: type(value).__name__, VERSION: version} | fields


def _flat(field: dataclasses.Field, value: Any) -> dict[str, Any]:
    """Return the settings of a config that are stored among those of the config that holds it."""
    names, settings = field.metadata[FLAT], _plain(value)
    usual = _plain(field.default)
    return {
        names.get(name, name): entry
        for name, entry in settings.items()
        if name in names or (name not in (CLASS, VERSION) and entry != usual[name])
    }


def _nested(field: dataclasses.Field, stored: dict[str, Any]) -> dict[str, Any]:
    """Return stored fields with those of a config that was stored among them in a mapping of their own."""
    names, usual = field.metadata[FLAT], field.default
    settings = {name: names.get(name, name) for name in vars(usual)}
    own = {name: stored[place] for name, place in settings.items() if place in stored}
    rest = {name: value for name, value in stored.items() if name not in settings.values()}
    return rest | {field.name: _plain(usual) | own}


def _made(kind: type, stored: Mapping[str, Any]) -> Any:
    """Return the config, of a class or a subclass, with the stored fields; an error of any kind if they do not fit."""
    kind = {each.__name__: each for each in [*_family(kind)][::-1]}[stored[CLASS]]
    values, hints = dict(stored), typing.get_type_hints(kind)
    for field in dataclasses.fields(kind):
        values = _nested(field, values) if FLAT in field.metadata else values
    for field in dataclasses.fields(kind):
        name, hint = field.name, hints[field.name]
        values[name] = _value(hint, values[name]) if name in values else field.metadata["absent"]
        msgspec.convert(values[name], hint, from_attributes=True)  # which raises an error if it is of another type
    return kind(**{field.name: values[field.name] for field in dataclasses.fields(kind)})


def _family(kind: type) -> Iterator[type]:
    yield kind
    for subclass in kind.__subclasses__():
        yield from _family(subclass)


def _value(hint: Any, value: Any) -> Any:
    """Return a stored value with configs in place of mappings, and tuples in place of lists."""
    if isinstance(value, list):
        return tuple(_value(hint, entry) for entry in value)
    return _made(_kinds(hint)[0], value) if isinstance(value, Mapping) and _kinds(hint) else value


def _kinds(hint: Any) -> list[type]:
    """Return the classes of configs that a type names."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return [hint]
    return [kind for part in typing.get_args(hint) for kind in _kinds(part)]
