"""How bands and types of pairs look, in figures and widgets alike, and where the arrows between members lie."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from cogkit.core.contracts import InputError
from cogkit.equivalence import scoring
from cogkit.equivalence.problems.records import LETTERS, Design
from cogkit.ui import files

STATIC = Path(__file__).parent / "static"
# From worst to best, each darker than the one before. The paper has red, orange, purple and blue; of these four colours
# no two come closer than 24 (CIE 1976) to the eye of a dichromat, of those 17.
BANDS = {"random": "#C4C4C4", "above random": "#E69F00", "soft mastery": "#56B4E9", "mastery": "#0072B2"}
# The paper's line styles; it does not tell equivalence from transitivity.
DASHES = {"baseline": "solid", "reflexivity": "dash", "symmetry": "dash", "transitivity": "dot", "equivalence": "dot"}
_BOW, _SHORT, _LOOP = 0.1, 0.1, 0.17  # of the circle's radius: how far arrows bend, how far they end from a member
_STEPS = np.linspace(0, 1, 9)

script = partial(files.script, STATIC)


@dataclass(frozen=True)
class Arrow:
    """One ordered pair of members in the graph: its line from sample to comparison, and the head at its end.

    Attributes
    ----------
    sample, comparison : int
        Members, from 0.
    relation : str
        Key of `DASHES`.
    path : (k, 2) array
        Points of the line, the circle of members having radius 1, y upwards.
    """

    sample: int
    comparison: int
    relation: str
    path: np.ndarray

    @property
    def heading(self) -> float:
        """Where the head points, in degrees clockwise from up."""
        dx, dy = self.path[-1] - self.path[-2]
        return math.degrees(math.atan2(dx, dy))


def nodes(design: Design) -> np.ndarray:
    """Return where the members stand, (members, 2): clockwise on a circle of radius 1, A at the top."""
    angle = 2 * np.pi * np.arange(design.members) / design.members
    return np.column_stack([np.sin(angle), np.cos(angle)])


def arrows(design: Design) -> Iterator[Arrow]:
    """Yield every ordered pair of members: bent to its own left, so that a pair and its reverse lie apart.

    Examples
    --------
    >>> first = next(arrows(Design()))
    >>> first.relation, first.path[0].round(2).tolist() == first.path[-1].round(2).tolist()
    ('reflexivity', False)
    """
    places = nodes(design)
    for number, relation in enumerate(design.pairs().relation):
        sample, comparison = divmod(number, design.members)
        start, end = places[sample], places[comparison]
        path = _loop(start) if sample == comparison else _bent(start, end)
        yield Arrow(sample, comparison, relation, path)


def _bent(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    way = end - start
    length = np.hypot(*way)
    normal = np.array([-way[1], way[0]]) / length
    t = _STEPS[:, None]
    curve = start + t * way + 4 * t * (1 - t) * _BOW * normal * length**0.5
    outside = (np.hypot(*(curve - start).T) >= _SHORT) & (np.hypot(*(curve - end).T) >= _SHORT)
    head, tail = (_at(place, towards) for place, towards in ((start, curve[outside][0]), (end, curve[outside][-1])))
    return np.vstack([head, curve[outside], tail])


def _at(place: np.ndarray, towards: np.ndarray) -> np.ndarray:
    """Return the point just outside a member on the way to another."""
    way = towards - place
    return place + way / np.hypot(*way) * _SHORT


def _loop(place: np.ndarray) -> np.ndarray:
    """Return a circle outside the members' one that begins and ends at a member."""
    turn = np.arctan2(place[1], place[0]) + np.pi + np.linspace(0.1, 0.9, 11) * 2 * np.pi
    return place * (1 + _LOOP) + _LOOP * np.column_stack([np.cos(turn), np.sin(turn)])


def bands(matrix: np.ndarray, n: int | np.ndarray, design: Design) -> np.ndarray:
    """Return the band of each cell, (members, members) of `BANDS`; an empty string where nothing was tested.

    Parameters
    ----------
    matrix : (members, members) array
        Shares right, sample first; NaN where nothing was tested.
    n : int or (members, members) array
        Trials a cell.

    Raises
    ------
    InputError
        A matrix of another size than the design's.

    Examples
    --------
    >>> bands(np.array([[0.95, 0.36], [0.36, np.nan]]), np.array([[9, 5040], [1260, 0]]), Design(members=2)).tolist()
    [['mastery', 'above random'], ['random', '']]
    """
    if np.shape(matrix) != (design.members, design.members):
        shape = f"shares right by sample and comparison, ({design.members}, {design.members})"
        raise InputError(f"a matrix of shape {np.shape(matrix)}", shape)
    names = [
        "" if np.isnan(share) else scoring.band(share, int(count))
        for share, count in zip(np.ravel(matrix), np.broadcast_to(n, np.shape(matrix)).ravel(), strict=True)
    ]
    return np.array(names, dtype="<U12").reshape(np.shape(matrix))


def letters(design: Design) -> list[str]:
    """Return the members' letters."""
    return list(LETTERS[: design.members])
