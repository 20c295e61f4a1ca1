"""Scenes as pictures for widgets, first a coarse one, then a sharp one; and episodes as sheets of pictures."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import lru_cache

import plotly.graph_objects as go

from cogkit.mewl.problems.episodes import PANELS, Episode
from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.world.geometry import WIDTH
from cogkit.mewl.world.scenes import Scene
from cogkit.ui import files, theme
from cogkit.ui.alt import with_alt

_KEPT = 2048  # pictures of each kind; about 2 kB each
_SMALL, _LETTERS = 160, 12  # pixels of a picture of an episode, and letters in a line of its name
_HIGH, _LINE = 76, 14  # pixels of a picture and of a line, on the page
_COLUMN, _PICTURE = 1.03, 0.96  # widths of a column and of its picture


@lru_cache(maxsize=_KEPT)
def sharp(scene: Scene, quality: str = "browse", width: int = WIDTH) -> bytes:
    """Return a picture of a scene as a WebP file; earlier pictures come from the cache.

    Parameters and errors are those of `rendering.render`.

    Examples
    --------
    >>> from cogkit.mewl.world.things import EVERY
    >>> sharp(Scene(EVERY[:1], ((0.0, 0.0),), (0.0,)), width=64)[:4]
    b'RIFF'
    """
    return rendering.webp(rendering.render(scene, quality, width))


@lru_cache(maxsize=_KEPT)
def coarse(scene: Scene, width: int = WIDTH) -> bytes:
    """Return a coarse picture of a scene as a WebP file, for a browser to enlarge: a tenth of the time of `sharp`."""
    return rendering.webp(rendering.coarse(scene, width))


def uri(picture: bytes) -> str:
    """Return a WebP file as an address that an ``img`` can show."""
    return files.uri(picture, "webp")


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
                source=uri(sharp(scene, width=_SMALL)), xref="x", yref="y", x=middle, y=foot,
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
