"""Pictures as SVG: the marks themselves, so that a page can draw them at any size."""

from __future__ import annotations

from html import escape
from itertools import groupby

from cogkit.bongard.logo.drawing import PROBLEM, Mark, Pens, draw_list
from cogkit.bongard.logo.pictures import Picture
from cogkit.bongard.logo.raster import DOWN, PER_UNIT, PUBLISHED, RIGHT, as_size


def svg(picture: Picture, size: int = PUBLISHED, pens: Pens = PROBLEM, title: str = "") -> str:
    """Return a picture as an SVG element, which shows what `raster.image` shows.

    The marks of an action are one group, with its shape and action in ``data-shape`` and ``data-action``.

    Parameters
    ----------
    picture : Picture
    size : int
        Pixels a side on the page, 16 to 2048.
    pens : Pens
    title : str
        What a screen reader says of it.

    Raises
    ------
    InputError
        Another size.

    Examples
    --------
    >>> from cogkit.bongard.logo.pictures import Placed
    >>> from cogkit.bongard.logo.programs import Line
    >>> svg((Placed((Line(1.0),)),)).partition('round">')[2]
    '<g data-shape="0" data-action="0" stroke-width="9.84"><polyline points="0.00,0.00 200.00,0.00"/></g></g></svg>'
    """
    size = as_size(size)
    said = " ".join("".join(letter if letter.isprintable() else " " for letter in title).split())
    groups = groupby(draw_list(picture, pens), key=lambda mark: (mark.shape, mark.action))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{size}" height="{size}"'
        f' viewBox="0 0 {PUBLISHED} {PUBLISHED}">'
        + (f"<title>{escape(said)}</title>" if said else "")
        + '<rect width="100%" height="100%" fill="white"/>'
        + f'<g transform="matrix({PER_UNIT} 0 0 {-PER_UNIT} {RIGHT} {DOWN})" fill="none" stroke="black"'
        + ' stroke-linecap="round" stroke-linejoin="round">'
        + "".join(_group(list(marks)) for _, marks in groups)
        + "</g></svg>"
    )


def _group(marks: list[Mark]) -> str:
    """Return the marks of one action: they are as wide as one another."""
    _, width, _, shape, action = marks[0]
    return (
        f'<g data-shape="{shape}" data-action="{action}" stroke-width="{width:g}">'
        + "".join(map(_element, marks))
        + "</g>"
    )


def _element(mark: Mark) -> str:
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in mark.points)
    return f'<polygon fill="white" points="{points}"/>' if mark.stamp else f'<polyline points="{points}"/>'
