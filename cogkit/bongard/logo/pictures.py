"""A picture: its shapes, and where each lies on the paper."""

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
        Where the pen starts, in world units: x right, y up, the origin at the centre of the paper.
    heading : float
        Direction of the pen before the first turn, in degrees counter-clockwise from right.
    scale : float
        World units in one unit of lengths and radii.
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
        Name of the shape in a catalogue; "" for a free-form shape.
    """

    program: Program
    at: Placement = Placement()
    name: str = ""


Picture = tuple[Placed, ...]  # one shape or two; the second is drawn over the first
