"""The look of bands and types of pairs in figures and widgets, and the arrows between members."""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from cogkit.equivalence import scoring
from cogkit.equivalence.problems.records import Design

# From worst to best, each darker than the one before. For a dichromat, the smallest distance of two of these colours is
# 24 (CIE 1976); for the paper's red, orange, purple and blue it is 17.
BANDS = {"random": "#C4C4C4", "above random": "#E69F00", "soft mastery": "#56B4E9", "mastery": "#0072B2"}
# The paper's line styles; it does not distinguish equivalence from transitivity.
DASHES = {"baseline": "solid", "reflexivity": "dash", "symmetry": "dash", "transitivity": "dot", "equivalence": "dot"}
_BOW, _SHORT, _LOOP = 0.1, 0.1, 0.17  # relative to the radius: bend of arrows, distance of ends
_STEPS = np.linspace(0, 1, 9)


def nodes(design: Design) -> np.ndarray:
    """Return the positions of the members, (members, 2): clockwise on a circle of radius 1, A at the top."""
    angle = 2 * np.pi * np.arange(design.members) / design.members
    return np.column_stack([np.sin(angle), np.cos(angle)])


def arrows(design: Design) -> list[np.ndarray]:
    """Return the arrow of every ordered pair of members: the points of its line (k, 2), y upwards, the head at the end.

    They are bent to the left, so that a pair and its reverse do not overlap.
    """
    places = nodes(design)
    pairs = product(range(len(places)), repeat=2)
    return [_loop(places[a]) if a == b else _bent(places[a], places[b]) for a, b in pairs]


def heading(path: np.ndarray) -> float:
    """Return the direction of an arrow's head, in degrees clockwise from up.

    Examples
    --------
    >>> heading(np.array([[0, 0], [1, 1]]))
    45.0
    """
    dx, dy = path[-1] - path[-2]
    return math.degrees(math.atan2(dx, dy))


def _bent(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    way = end - start
    length = np.hypot(*way)
    normal = np.array([-way[1], way[0]]) / length
    t = _STEPS[:, None]
    curve = start + t * way + 4 * t * (1 - t) * _BOW * normal * length**0.5
    free = curve[(np.hypot(*(curve - start).T) >= _SHORT) & (np.hypot(*(curve - end).T) >= _SHORT)]
    ends = [place + _SHORT * way / np.hypot(*way) for place, way in ((start, free[0] - start), (end, free[-1] - end))]
    return np.vstack([ends[0], free, ends[1]])


def _loop(place: np.ndarray) -> np.ndarray:
    """Return a circle that begins and ends at a member, outside the members' circle."""
    turn = np.arctan2(place[1], place[0]) + np.pi + np.linspace(0.1, 0.9, 11) * 2 * np.pi
    return place * (1 + _LOOP) + _LOOP * np.column_stack([np.cos(turn), np.sin(turn)])


def bands(matrix: np.ndarray, n: int | np.ndarray) -> np.ndarray:
    """Return the band of each cell, (members, members) of `BANDS`; an empty string for untested pairs.

    ``matrix`` (members, members) are shares of right answers, sample first; NaN for untested pairs. ``n`` is trials in
    a cell, in all or in each.

    Examples
    --------
    >>> bands(np.array([[0.95, 0.36], [0.36, np.nan]]), np.array([[9, 5040], [1260, 0]])).tolist()
    [['mastery', 'above random'], ['random', '']]
    """
    name = np.vectorize(lambda share, count: "" if np.isnan(share) else scoring.band(share, int(count)), ["<U12"])
    return name(matrix, n)
