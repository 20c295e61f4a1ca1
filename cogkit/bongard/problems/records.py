"""Problems of Bongard-LOGO: seven pictures with a concept, seven without, and questions (Nie et al. 2020, § 2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cogkit.bongard.logo import raster
from cogkit.bongard.logo.pictures import Picture
from cogkit.core import items
from cogkit.core.errors import InputError
from cogkit.core.identity import hashed

SIDES = ("positive", "negative")
A_SIDE = 7  # pictures on each side: six are shown, and one is the query
SUPPORT = 6
CHANCE = 1 / len(SIDES)  # share of right answers without knowledge
KINDS = {"ff": "free-form", "bd": "basic", "hd": "abstract"}
FLIPS = ("problem", "picture", "none")  # what is mirrored at random in training
_NAME = re.compile(rf"({'|'.join(KINDS)})_(\w+(?:-\w+)?)_(\d{{4,}})", re.ASCII)  # as published


@dataclass(frozen=True)
class Problem:
    """One problem.

    Attributes
    ----------
    name : str
        The published name, such as ``ff_nact6_0292``, ``bd_bird8-bridge1_0000`` or ``hd_convex_0004``.
    kind : str
        Key of `KINDS`.
    concept : tuple of str
        What the positives have in common: ``("nact6",)`` or ``("nact3_5",)``, the names of one shape or two, or one
        attribute or two.
    positives, negatives : tuple of Picture
        Seven pictures each.
    profile : str
        The rules by which it was made.
    """

    name: str
    kind: str
    concept: tuple[str, ...]
    positives: tuple[Picture, ...]
    negatives: tuple[Picture, ...]
    profile: str = "verified"

    @property
    def sides(self) -> tuple[tuple[Picture, ...], tuple[Picture, ...]]:
        """Positives and negatives."""
        return self.positives, self.negatives


class Items(items.Entries):
    """Problems of one test, as a sequence that shows the first picture of each.

    Examples
    --------
    >>> from cogkit import bongard
    >>> problems = bongard.items("FF", 40)
    >>> repr(problems)[:46]
    '<40 items of bongard, FF: part test, verified,'
    >>> problems[:2].to_frame().kind.tolist()
    ['ff', 'ff']
    """

    @property
    def contents(self) -> list[Any]:
        """The pictures of each problem: programs and places."""
        return [problem.sides for problem in self.entries]

    def name(self, index: int) -> str:
        """Return the name of a problem in its dataset, and the hash of its pictures."""
        return hashed(self.entries[index].name, self.entries[index])

    def row(self, index: int) -> dict[str, Any]:
        """Return a problem's kind and concept."""
        return {"kind": self.entries[index].kind, "concept": " + ".join(self.entries[index].concept)}

    def png(self, index: int) -> bytes:
        return raster.png(self.entries[index].positives[0], 64)


@dataclass(frozen=True, eq=False)
class Question:
    """What a learner sees of n questions: two sides of six pictures, and one picture that belongs to one of them.

    Attributes
    ----------
    support : (n, 2, 6, ...) array
        Positives first. ``pixels``: uint8, (n, 2, 6, size, size), 255 is paper. ``programs``: an object array of
        `Picture`. ``symbols``: int8, (n, 2, 6, attributes), 1 present, 0 absent, -1 not applicable.
    query : (n, ...) array
        The pictures whose side the learner must tell.
    """

    support: np.ndarray
    query: np.ndarray

    def __len__(self) -> int:
        return len(self.query)

    def __getitem__(self, rows: slice) -> Question:
        return Question(self.support[rows], self.query[rows])


def pictures(problems: Sequence[Problem]) -> list[Picture]:
    """Return every picture of some problems: for each problem seven positives, then seven negatives."""
    return [picture for problem in problems for side in problem.sides for picture in side]


def name(kind: str, concept: Iterable[str], number: int = 0) -> str:
    """Return the name of a problem.

    Examples
    --------
    >>> name("bd", ("bird8", "bridge1"))
    'bd_bird8-bridge1_0000'
    """
    return f"{kind}_{'-'.join(concept)}_{number:04d}"


def parts(name: str) -> tuple[str, tuple[str, ...], int]:
    """Return kind, concept and number of a name, without a check that the concept exists.

    Examples
    --------
    >>> parts("ff_nact4_5_0299")
    ('ff', ('nact4_5',), 299)
    """
    match = _NAME.fullmatch(name) if isinstance(name, str) else None
    if not match:
        raise InputError(f"{name!r}"[:80], "the name of a problem, such as ff_nact6_0292 or hd_convex-has_curve_0004")
    kind, concept, number = match.groups()
    return kind, tuple(concept.split("-")), int(number)
