"""Problems of Bongard-LOGO: seven pictures with a concept and seven without; what is asked (Nie et al. 2020, § 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cogkit.bongard.logo.pictures import Picture

SIDES = ("positive", "negative")
A_SIDE = 7  # pictures; six are shown, and one of each side is asked about
SUPPORT = 6
KINDS = {"ff": "free-form", "bd": "basic", "hd": "abstract"}
FLIPS = ("problem", "picture", "none")  # what may be mirrored in training, by lot: all pictures of a problem, or each


@dataclass(frozen=True)
class Problem:
    """One problem.

    Attributes
    ----------
    name : str
        As published, such as ``ff_nact6_0292``, ``bd_bird8-bridge1_0000`` or ``hd_convex_0004``.
    kind : str
        Key of `KINDS`.
    concept : tuple of str
        What the positives have in common: ``("nact6",)`` or ``("nact3_5",)``, the names of one shape or two, or one
        attribute or two.
    positives, negatives : tuple of Picture
        Seven each.
    profile : str
        Under which rules it was made.
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
    """What a learner sees of n questions: two sides of six pictures, and one picture that belongs to either.

    Attributes
    ----------
    support : (n, 2, 6, ...) array
        Positives first. ``pixels``: uint8, (n, 2, 6, size, size), 255 is paper. ``programs``: an object array of
        `Picture`. ``symbols``: int8, (n, 2, 6, attributes), 1 has it, 0 has it not, -1 not applicable.
    query : (n, ...) array
        The pictures asked about.
    """

    support: np.ndarray
    query: np.ndarray

    def __len__(self) -> int:
        return len(self.query)

    def __getitem__(self, rows: slice) -> Question:
        return Question(self.support[rows], self.query[rows])


def pictures(problems: Sequence[Problem]) -> list[Picture]:
    """Return every picture of some problems: by problem, positives then negatives, seven each."""
    return [picture for problem in problems for side in problem.sides for picture in side]
