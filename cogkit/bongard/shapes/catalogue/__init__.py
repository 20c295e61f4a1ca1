"""A catalogue of shapes of cogkit's own, for when the published ones cannot be had: families of lines and arcs."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from cogkit.bongard.logo.programs import Program
from cogkit.bongard.shapes.catalogue import bent, linked, straight
from cogkit.bongard.shapes.planar_graph import figure

PITCH = 20 / 180  # from stamp to stamp, in units of the scale
ROOM = 2 * PITCH  # a stroke with fewer than three stamps, or a passage that two rows of them fill, cannot be read


class Drawn(NamedTuple):
    """A shape of the catalogue before it is labelled."""

    name: str
    super_class: str
    program: Program


@cache
def drawn() -> tuple[Drawn, ...]:
    """Return every shape of the catalogue.

    Examples
    --------
    >>> drawn()[0].name, drawn()[0].super_class
    ('triangle_even', 'triangle')
    """
    families = straight.FAMILIES | bent.FAMILIES | linked.FAMILIES
    return tuple(Drawn(name, family, pen.program()) for family, pens in families.items() for name, pen in pens.items())


def stampable(program: Program) -> bool:
    """Return whether a shape can be read when its strokes are stamped.

    No stroke may be shorter than two pitches of the stamps, and no face narrower anywhere inside. Of the published
    shapes four in five are marked as this says.

    Examples
    --------
    >>> from cogkit.bongard.logo.programs import Line
    >>> stampable((Line(1.0), Line(1.0, 120.0), Line(1.0, 120.0))), stampable((Line(1.0), Line(0.2, 90.0)))
    (True, False)
    """
    shape = figure(program)
    narrow = any(
        face.buffer(-ROOM / 2).geom_type != "Polygon" or face.buffer(-ROOM / 2).is_empty for face in shape.faces
    )
    return not narrow and min(line.length for line in shape.lines) >= ROOM
