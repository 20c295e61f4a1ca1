"""Problems of Bongard-LOGO: seven pictures with a concept, seven without, and questions (Nie et al. 2020, § 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cogkit.bongard.logo.pictures import Picture

SIDES = ("positive", "negative")
A_SIDE = 7  # pictures on each side: six are shown, and one is the query
SUPPORT = 6
KINDS = {"ff": "free-form", "bd": "basic", "hd": "abstract"}
FLIPS = ("problem", "picture", "none")  # what is mirrored at random in training


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
