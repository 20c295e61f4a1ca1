"""The same scenes by several renderers, side by side, and how they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from cogkit.core.contracts import InputError
from cogkit.mewl.rendering import render
from cogkit.mewl.views import pictures
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.parts import small

_WIDE = 220  # pixels of a picture on the page
_GREY, _TWICE = 128, 2


def difference(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return a picture of what the second has more than the first, or less, twice as much: grey where they are alike.

    Examples
    --------
    >>> dark, light = np.zeros((1, 1, 3), np.uint8), np.full((1, 1, 3), 100, np.uint8)
    >>> int(difference(dark, light)[0, 0, 0]), int(difference(light, light)[0, 0, 0])
    (255, 128)
    """
    apart = second.astype(np.int16) - first
    return np.clip(_GREY + _TWICE * apart, 0, 255).astype(np.uint8)


def renderers(
    drawn: Mapping[str, Sequence[np.ndarray]], names: Sequence[str], title: str = "The same scenes by other renderers"
) -> go.Figure:
    """Return scenes as several renderers draw them: a row for each scene, a column for each, then a difference.

    Parameters
    ----------
    drawn : mapping of str to sequence of (height, width, 3) uint8
        By the names of two renderers or more, their pictures of the same scenes; the last two are compared.
    names : sequence of str
        Of the scenes.
    title : str

    Raises
    ------
    InputError
        One renderer only, or not as many pictures of one size by each as there are names.
    """
    shapes = {picture.shape for row in drawn.values() for picture in row}
    if len(drawn) < 2 or not names or {len(row) for row in drawn.values()} != {len(names)} or len(shapes) != 1:
        got = ", ".join(f"{len(row)} by {name}" for name, row in drawn.items()) or "none"
        raise InputError(got, f"{len(names)} pictures of one size by each of two renderers or more")
    *_, before, last = drawn
    columns = dict(drawn) | {
        f"{last} − {before}": [difference(a, b) for a, b in zip(drawn[before], drawn[last], strict=True)]
    }
    note = small(
        f"last column: grey where both have the same, lighter where {last} has more than {before}; twice as much"
    )
    figure = theme.figure(
        f"{title}<br>{note}", 116 + round(0.78 * _WIDE) * len(names), width=116 + round(1.03 * _WIDE) * len(columns),
        margin={"l": 92, "r": 16, "t": 100, "b": 8},
    )  # fmt: skip
    for across, (column, row) in enumerate(columns.items()):
        figure.add_annotation(x=across + 0.485, y=0, yshift=10, text=column, showarrow=False)
        for down, picture in enumerate(row):
            figure.add_layout_image(
                source=pictures.uri(render.webp(picture)), xref="x", yref="y", x=across, y=-down, sizex=0.97,
                sizey=0.97, sizing="stretch", layer="above",
            )  # fmt: skip
    figure.add_scatter(x=[None], y=[None])
    figure.update_xaxes(range=[0, len(columns)], visible=False)
    figure.update_yaxes(
        range=[-len(names), 0], tickvals=[-down - 0.5 for down in range(len(names))], ticktext=list(names), ticks="",
        showgrid=False, zeroline=False,
    )  # fmt: skip
    apart = [np.abs(a.astype(int) - b).mean() for a, b in zip(drawn[before], drawn[last], strict=True)]
    told = ", ".join(f"{name} {far:.1f}" for name, far in zip(names, apart, strict=True))
    return with_alt(
        figure, f"{len(names)} scenes by {', '.join(drawn)}; mean bytes by which the last two differ: {told}."
    )
