"""A pen that goes to places: a way over the paper becomes actions, and what comes back to its start closes."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from cogkit.bongard.logo.programs import Action, Arc, Line, Program

SIZE = 1.2  # the largest distance between two points of a shape, in units of its scale, where no stroke gets too long
LONGEST = 0.98  # of lengths and radii, whose limit is 1


class Move(NamedTuple):
    """A stroke: from where, to where, and for an arc around what, degrees, positive to the left."""

    start: complex
    end: complex
    centre: complex = 0j
    sweep: float = 0.0

    @property
    def length(self) -> float:
        """Length of a line, radius of an arc."""
        return abs(self.start - self.centre) if self.sweep else abs(self.end - self.start)

    def points(self) -> np.ndarray:
        """Places along it, a few degrees apart on an arc."""
        if not self.sweep:
            return np.array([self.start, self.end])
        angles = np.linspace(0, self.sweep, 2 + int(abs(self.sweep) / 3))
        return self.centre + (self.start - self.centre) * np.exp(1j * np.radians(angles))


class Pen:
    """Strokes one after the other, by the places they lead to; any unit.

    Examples
    --------
    >>> [round(line.length, 9) for line in Pen(0).to(3, 3 + 4j, 0).program(size=0.5)]
    [0.3, 0.4, 0.5]
    """

    def __init__(self, start: complex = 0j) -> None:
        self.at = complex(start)
        self.moves: list[Move] = []

    def to(self, *places: complex) -> Pen:
        """Draw a line to each place in turn."""
        for place in places:
            self.moves.append(Move(self.at, complex(place)))
            self.at = complex(place)
        return self

    def about(self, centre: complex, sweep: float) -> Pen:
        """Draw an arc around a centre, of so many degrees, positive counter-clockwise."""
        end = centre + (self.at - centre) * cmath.rect(1, math.radians(sweep))
        return self._arc(end, complex(centre), sweep)

    def bow(self, place: complex, sweep: float) -> Pen:
        """Draw an arc of so many degrees to a place, bent to the right where positive: it turns left."""
        half, chord = math.radians(sweep) / 2, complex(place) - self.at
        return self._arc(complex(place), self.at + chord / 2 * (1 + 1j / math.tan(half)), sweep)

    def _arc(self, end: complex, centre: complex, sweep: float) -> Pen:
        self.moves.append(Move(self.at, end, centre, sweep))
        self.at = end
        return self

    def program(self, size: float = SIZE) -> Program:
        """Return the actions of the way gone, made so large that ``size`` is its largest width, or less."""
        places = np.concatenate([move.points() for move in self.moves])
        width = np.abs(places[:, None] - places[None]).max()
        scale = float(min(size / width, LONGEST / max(move.length for move in self.moves)))
        actions: list[Action] = []
        heading = None
        for move in self.moves:
            looks = _heading(move)
            turn = 0.0 if heading is None else _turn(looks - heading)
            length = move.length * scale
            actions.append(Arc(length, move.sweep, turn) if move.sweep else Line(length, turn))
            heading = looks + move.sweep
        return tuple(actions)


def _heading(move: Move) -> float:
    """Return where the pen looks at the start of a stroke: an arc to the right is driven backward."""
    way = (move.centre - move.start) / 1j if move.sweep else move.end - move.start
    return math.degrees(cmath.phase(way))


def _turn(angle: float) -> float:
    return round(180.0 - (180.0 - angle) % 360.0, 9) + 0.0


def closed(places: Iterable[complex]) -> Pen:
    """Return lines through places and back to the first.

    Examples
    --------
    >>> len(closed([0, 1, 1j]).moves)
    3
    """
    first, *others = places
    return Pen(first).to(*others, first)


def way(places: Iterable[complex]) -> Pen:
    """Return lines through places, open.

    Examples
    --------
    >>> len(way([0, 1, 1j]).moves)
    2
    """
    first, *others = places
    return Pen(first).to(*others)


def polar(radius: float, angle: float) -> complex:
    """Return a place by its distance from the origin and its direction in degrees."""
    return cmath.rect(radius, math.radians(angle))
