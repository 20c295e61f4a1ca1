"""Fields of a JSON file from outside: each is checked when it is read, and an error names the file and the field."""

from __future__ import annotations

import math
from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec

from cogkit.core.errors import InputError
from cogkit.data import readers


class FieldError(InputError):
    """Bad input in a file: the file, the field, and the problem."""

    def __init__(self, path, field: str, value: Any, wanted: str) -> None:
        text = repr(value) if isinstance(value, str) else str(value)
        text = text if len(text) <= 80 else f"{text[:79]}…"
        self.path, self.field, self.value, self.problem = str(path), field, value, f"wanted {wanted}, got {text}"
        super().__init__(f"{text} ({field} in {path})", wanted)

    def __reduce__(self):
        return type(self), (self.path, self.field, self.value, self.wanted)


class Field:
    """A value in a file, and its place there, such as ``objects 2, name``.

    Examples
    --------
    >>> Field("a.json", {"places": [[0, 1], [2, "x"]]})["places"].items(2)[1].numbers(2)
    Traceback (most recent call last):
    cogkit.extras.datasets.fields.FieldError: wanted 2 numbers, got [2, 'x'] (places 2 in a.json)
    """

    def __init__(self, path, value: Any, place: str = "") -> None:
        self.path, self.value, self.place = path, value, place

    @classmethod
    def read(cls, path: Path) -> Field:
        """Return the content of a JSON file that holds a mapping of names."""
        return cls(path, readers.json(path))

    def error(self, wanted: str, got: Any = None) -> FieldError:
        """Return the error that this field is not what is wanted; ``got`` is what to show in place of its value."""
        return FieldError(self.path, self.place, self.value if got is None else got, wanted)

    def of(self, kind: Any, wanted: str) -> Any:
        """Return the value, which is of a type as msgspec reads it."""
        try:
            return msgspec.convert(self.value, kind)
        except msgspec.ValidationError:
            raise self.error(wanted) from None

    def __getitem__(self, name: str) -> Field:
        """Return a field of a mapping; its value is None if there is none."""
        value = self.of(dict, "a mapping of names").get(name)
        return Field(self.path, value, f"{self.place}, {name}" if self.place else name)

    def mapping(self) -> dict[str, Field]:
        """Return the fields of a mapping by name."""
        return {name: self[name] for name in self.of(dict, "a mapping of names")}

    def items(self, length: int | None = None) -> list[Field]:
        """Return the items of a list, counted from 1, that is not empty or has this length."""
        values = self.of(list, wanted := f"a list of {length or 'one or more'}")
        if not values or length not in (None, len(values)):
            raise self.error(wanted)
        return [Field(self.path, value, f"{self.place} {k}") for k, value in enumerate(values, start=1)]

    def numbers(self, length: int, limit: float = math.inf) -> list[float]:
        """Return a list of so many numbers of at most this absolute value."""
        wanted = f"{length} numbers" if limit == math.inf else f"{length} numbers of {limit:g} or less"
        values = self.of(list[float], wanted)
        if len(values) != length or max(map(abs, values)) > limit:
            raise self.error(wanted)
        return values

    def one_of(self, choices: Collection, wanted: str = "") -> Any:
        """Return a value that is among these, of the same type."""
        if not any(type(self.value) is type(choice) and self.value == choice for choice in choices):
            raise self.error(wanted or f"one of {', '.join(map(str, choices))}")
        return self.value
