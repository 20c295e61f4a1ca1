"""A picture: which shapes, and where each lies on the paper."""

from __future__ import annotations

from dataclasses import dataclass

from cogkit.bongard.logo.programs import Program

HALF = 360.0  # the pen must stay within ±HALF world units in x and y


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a shape begins, and how large it is.

    Attributes
    ----------
    x, y : float
        Where the pen is put down, in world units: x right, y up, the origin at the centre of the paper.
    heading : float
        Where it looks before the first turn, degrees counter-clockwise from right.
    scale : float
        World units to the unit of lengths and radii.
    """

    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0
    scale: float = 200.0


@dataclass(frozen=True, slots=True)
class Placed:
    """A shape on the paper.

    Attributes
    ----------
    program : tuple of Action
    at : Placement
    name : str
        Which shape it is, by its name in a catalogue; "" for a free-form one.
    """

    program: Program
    at: Placement = Placement()
    name: str = ""


Picture = tuple[Placed, ...]  # one shape or two; the second is drawn over the first
