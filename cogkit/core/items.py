"""What is asked: items of one task as a sequence that knows where they are from."""

from __future__ import annotations

import base64
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, NamedTuple, overload

from cogkit.core.identity import content_hash

PARTS = ("test", "train", "val")
_STRIP = 6  # pictures in a notebook


class Items(Sequence):
    """Items of one task. An instrument has a subclass that says what its items are called, look like and ask.

    Attributes
    ----------
    instrument, task, part, profile, source : str
        What they are items of; ``part`` is ``train``, ``val`` or ``test``.
    seed : int
        Seed of the generator that made them.
    split, rung : str
        The `splits.Split` that they are a part of, and what is new in its test; empty if they are of none.
    """

    instrument: str
    task: str
    part: str = "test"
    profile: str = "verified"
    seed: int = 0
    source: str
    split: str = ""
    rung: str = ""

    def __repr__(self) -> str:
        where = f"part {self.part}, {self.profile}, seed {self.seed}, {self.source}"
        return f"<{len(self)} items of {self.instrument}, {self.task}: {where}>"

    def _repr_html_(self) -> str:
        """Return a line about the items, and the pictures of the first few."""
        first = ((escape(self.name(k)), self.png(k)) for k in range(min(len(self), _STRIP)))
        strip = "".join(
            f'<img src="data:image/png;base64,{base64.b64encode(png).decode()}" alt="{name}" title="{name}" '
            'style="height: 64px; margin: 2px">'
            for name, png in first if png
        )  # fmt: skip
        return f"<p>{escape(repr(self)[1:-1])}</p>{strip}"

    @property
    def names(self) -> tuple[str, ...]:
        """What each item is called in rows of trials: items that differ have names that differ."""
        return tuple(map(self.name, range(len(self))))

    @property
    def hash(self) -> str:
        """The hash of what the items hold; see `identity.content_hash`."""
        return content_hash(list(self))

    @property
    def contents(self) -> Sequence[Hashable]:
        """What each item holds, whatever it is called and wherever it stands; `overlap` compares these."""
        return list(map(content_hash, self))

    @abstractmethod
    def name(self, index: int) -> str:
        """Return what an item is called."""

    def row(self, index: int) -> dict[str, Any]:
        """Return what `to_frame` tells of an item beside its name."""
        return {}

    def png(self, index: int) -> bytes:
        """Return a small picture of an item as a PNG file; none by default."""
        return b""

    def to_frame(self) -> Any:
        """Return a DataFrame with a row for each item."""
        import pandas as pd

        return pd.DataFrame([{"name": self.name(k), **self.row(k)} for k in range(len(self))])


@dataclass(frozen=True, eq=False, repr=False)
class Entries(Items):
    """Items that are objects, such as problems or episodes."""

    entries: tuple[Any, ...]
    instrument: str
    task: str
    part: str = "test"
    profile: str = "verified"
    seed: int = 0
    source: str = "cogkit"
    split: str = ""
    rung: str = ""

    def __len__(self) -> int:
        return len(self.entries)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Entries: ...
    def __getitem__(self, index):
        """Return one item, or for a slice some of them as items."""
        return replace(self, entries=self.entries[index]) if isinstance(index, slice) else self.entries[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.entries)

    def __add__(self, other: Sequence[Any]) -> tuple[Any, ...]:
        """Return these items and others, which are no longer items of one task."""
        return (*self, *other)


class Exposure(NamedTuple):
    """What a learner has met and what it is tested on: one kind of content that must be new in the test.

    Attributes
    ----------
    what : str
        The kind, in the plural, such as ``boards``.
    train, test : Items or iterable
        Items, or keys, which are equal where the content is. What chooses the weights counts as training.
    """

    what: str
    train: Iterable[Hashable]
    test: Iterable[Hashable]


def overlap(train: Iterable[Hashable], test: Iterable[Hashable]) -> list[Hashable]:
    """Return the test items that training holds too, each as often as the test has it; empty if nothing leaks.

    ``train`` and ``test`` are `Items`, which are compared by their `Items.contents`, or keys, also as an array. Only
    equal content counts. What is merely like a training item, such as its mirror image, is no overlap.

    Examples
    --------
    >>> overlap(["pado", "tif"], ["gakar", "tif", "tif"])
    ['tif', 'tif']
    """
    known = set(keys(train))
    return [key for key in keys(test) if key in known]


def keys(entries: Iterable[Hashable]) -> list[Hashable]:
    """Return what `overlap` compares: the contents of `Items`, or keys as they are."""
    return list(entries.contents if isinstance(entries, Items) else getattr(entries, "tolist", lambda: entries)())
