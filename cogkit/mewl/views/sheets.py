"""Sheets of pictures: episodes with their names, and the same scenes by several renderers with the differences."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from cogkit.mewl.problems.episodes import PANELS, Episode
from cogkit.mewl.rendering import render
from cogkit.mewl.views import pictures
from cogkit.ui import theme
from cogkit.ui.alt import with_alt

_WIDE = 220  # pixels of a picture on the page
_GREY, _TWICE = 128, 2
_SMALL, _LETTERS = 160, 12  # pixels of a picture of an episode, and letters in a line of its name
_HIGH, _LINE = 76, 14  # pixels of a picture and of a line, on the page
_COLUMN, _PICTURE = 1.03, 0.96  # widths of a column and of its picture


def episodes(rows: Sequence[Episode], title: str = "One episode of each task") -> go.Figure:
    """Return episodes as a sheet: a row for each, with six named pictures and the one to name; no answer is shown."""
    names = [[*episode.trial.utterances, "?"] for episode in rows]
    lines = [[textwrap.wrap(name, _LETTERS) for name in row] for row in names]
    heights = [_HIGH + _LINE * (2.5 + max(map(len, row))) for row in lines]
    figure = theme.figure(title, 80 + sum(heights), "the last picture has no name yet", margin={"l": 8, "r": 8, "b": 8})
    figure.add_scatter(x=[None], y=[None])
    top = 0.0
    for episode, row, height in zip(rows, lines, heights, strict=True):
        figure.add_annotation(
            x=0, y=-top, text=f"<b>{episode.task}</b>", xanchor="left", yanchor="top", showarrow=False
        )  # fmt: skip
        for k, (scene, words) in enumerate(zip(episode.trial.scenes, row, strict=True)):
            middle, foot = _COLUMN * k + _PICTURE / 2, -top - 1.5 * _LINE - _HIGH
            figure.add_layout_image(
                source=pictures.uri(pictures.sharp(scene, width=_SMALL)), xref="x", yref="y", x=middle, y=foot,
                sizex=_PICTURE, sizey=_HIGH, xanchor="center", yanchor="bottom", sizing="contain", layer="above",
            )  # fmt: skip
            figure.add_annotation(
                x=middle, y=foot, text="<br>".join(words), yanchor="top", showarrow=False, font={"size": 11}
            )  # fmt: skip
        top += height
    figure.update_xaxes(range=[0, _COLUMN * PANELS + _PICTURE], visible=False)
    figure.update_yaxes(range=[-top, 0], visible=False)
    texts = [f"{episode.task}: {', '.join(row[:-1])}" for episode, row in zip(rows, names, strict=True)]
    return with_alt(figure, f"Six named pictures of each episode. {'; '.join(texts)}.")


def difference(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return twice the difference of two pictures: grey if they are equal, lighter where the second is lighter.

    Examples
    --------
    >>> dark, light = np.zeros((1, 1, 3), np.uint8), np.full((1, 1, 3), 100, np.uint8)
    >>> int(difference(dark, light)[0, 0, 0]), int(difference(light, light)[0, 0, 0])
    (255, 128)
    """
    change = second.astype(np.int16) - first
    return np.clip(_GREY + _TWICE * change, 0, 255).astype(np.uint8)


def renderers(
    drawn: Mapping[str, Sequence[np.ndarray]], names: Sequence[str], title: str = "The same scenes by other renderers"
) -> go.Figure:
    """Return scenes by several renderers: a row for each scene, a column for each renderer, and one for a difference.

    ``drawn`` has for each of two or more renderers, by name, its pictures (height, width, 3) uint8 of the same scenes.
    The last two are compared. ``names`` are those of the scenes.
    """
    *_, before, after = drawn
    columns = dict(drawn) | {
        f"{after} − {before}": [difference(a, b) for a, b in zip(drawn[before], drawn[after], strict=True)]
    }
    note = f"last column: grey where both have the same, lighter where {after} has more than {before}; twice as much"
    figure = theme.figure(
        title, 116 + round(0.78 * _WIDE) * len(names), note, width=116 + round(1.03 * _WIDE) * len(columns),
        margin={"l": 92, "r": 16, "t": 100, "b": 8},
    )  # fmt: skip
    for x, (column, row) in enumerate(columns.items()):
        figure.add_annotation(x=x + 0.485, y=0, yshift=10, text=column, showarrow=False)
        for k, picture in enumerate(row):
            figure.add_layout_image(
                source=pictures.uri(render.webp(picture)), xref="x", yref="y", x=x, y=-k, sizex=0.97,
                sizey=0.97, sizing="stretch", layer="above",
            )  # fmt: skip
    figure.add_scatter(x=[None], y=[None])
    figure.update_xaxes(range=[0, len(columns)], visible=False)
    figure.update_yaxes(
        range=[-len(names), 0], tickvals=[-k - 0.5 for k in range(len(names))], ticktext=list(names), ticks="",
        showgrid=False, zeroline=False,
    )  # fmt: skip
    distances = [np.abs(a.astype(int) - b).mean() for a, b in zip(drawn[before], drawn[after], strict=True)]
    texts = ", ".join(f"{name} {distance:.1f}" for name, distance in zip(names, distances, strict=True))
    return with_alt(
        figure, f"{len(names)} scenes by {', '.join(drawn)}; mean bytes by which the last two differ: {texts}."
    )
