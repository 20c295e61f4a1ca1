"""Parts of figures that several instruments use: marks and lines with their hover texts, labels, rows, error bars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.ui import theme

_UPRIGHT = {"floor": "line-ns-open", "observer": "line-ns-open"}  # a short stroke, as their lines are vertical here


def marks(figure: go.Figure, x: Any, y: Any, marker: Mapping, hover: str = "", **options: Any) -> None:
    """Draw marks with a hover text; without one, they do not react to the pointer.

    ``options`` are those of ``add_scatter``; of these, ``x`` and ``y`` may be single numbers.
    """
    _scatter(figure, x, y, hover, {"mode": "markers", "marker": dict(marker)} | options)


def line(figure: go.Figure, x: Any, y: Any, style: Mapping, hover: str = "", **options: Any) -> None:
    """Draw a line with a hover text; otherwise as `marks`."""
    _scatter(figure, x, y, hover, {"mode": "lines", "line": dict(style)} | options)


def _scatter(figure: go.Figure, x: Any, y: Any, hover: str, options: dict) -> None:
    x, y = ([values] if np.isscalar(values) else values for values in (x, y))
    text = {"hovertemplate": f"{hover}<extra></extra>"} if hover else {"hoverinfo": "skip"}
    figure.add_scatter(x=x, y=y, **(options if "hovertemplate" in options else text | options))


def beside(figure: go.Figure, y: float, text: str, shift: int | None = 6, **options: Any) -> None:
    """Write a text at the right of the axes, at a height; ``options`` are those of ``add_annotation``."""
    options = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": shift, "showarrow": False} | options
    figure.add_annotation(y=y, text=text, **options)


def name_ends(
    figure: go.Figure, ends: Iterable[tuple[float, str, str | None]], least: float, top: float = np.inf,
    shift: int = 6, size: int | None = None, **options: Any,
) -> np.ndarray:  # fmt: skip
    """Write the names of lines at their right ends, at least ``least`` apart and not above ``top``; return heights."""
    ends = list(ends)
    heights = apart((end[0] for end in ends), least)
    heights -= max(0.0, heights.max(initial=-np.inf) - top)
    for height, (_, name, colour) in zip(heights, ends, strict=True):
        font = {name: value for name, value in (("color", colour), ("size", size)) if value}
        beside(figure, height, name, shift, font=font or None, **options)
    return heights


def name_rows(figure: go.Figure, places: Mapping[str, float], pad: float = 0.6, **options: Any) -> None:
    """Name the rows of a figure, from their places on the y axis; ``pad`` is the space beyond the outer rows."""
    heights = list(places.values())
    options = {"range": [min(heights) - pad, max(heights) + pad], "zeroline": False} | options
    figure.update_yaxes(tickvals=heights, ticktext=list(places), **options)


def interval(middle: Any, low: Any, high: Any, width: float = 0) -> dict:
    """Return plotly error bars, of one mark or several; no bar where an end is missing."""
    middle, low, high = (np.atleast_1d(np.asarray(values, dtype=float)) for values in (middle, low, high))
    return {"array": high - middle, "arrayminus": middle - low, "thickness": 1.5, "width": width}


def error_bars(table: pd.DataFrame, centre: str, width: float = 0) -> dict:
    """Return plotly error bars from a column to the columns low and high."""
    return interval(table[centre], table.low, table.high, width)


def marker(who: str, kind: str) -> dict:
    """Return the mark of a player on a horizontal scale: floors and observers are short upright strokes.

    Examples
    --------
    >>> marker("associative", "floor")["symbol"], marker("you", "person")["symbol"]
    ('line-ns-open', 'star')
    """
    kind = "you" if who == "you" else kind
    look = theme.mark(kind, 9, 2)
    return look | {"symbol": _UPRIGHT.get(kind, look["symbol"])}


def apart(heights: Iterable[float], least: float) -> np.ndarray:
    """Return heights in their given order, moved up where two are closer than ``least``.

    Examples
    --------
    >>> apart([0.5, 0.9, 0.5], 0.1).round(2).tolist()
    [0.5, 0.9, 0.6]
    """
    heights = np.array(list(heights), dtype=float)
    top = -np.inf
    for k in np.argsort(heights, kind="stable"):
        heights[k] = top = max(heights[k], top + least)
    return heights


def dashes(names: Sequence[str], styles: Sequence[str] = tuple(theme.DASHES)[:4]) -> dict[str, str]:
    """Return a line style for each name, of which there are no more than styles."""
    return dict(zip(names, styles, strict=False))


def span(counts: Iterable[int], between: str = "–") -> str:
    """Return a count as text, or the range of several counts.

    Examples
    --------
    >>> span([40, 600, 40]), span([7]), span([1000, 20], " to ")
    ('40–600', '7', '20 to 1,000')
    """
    ends = np.unique(list(counts))[[0, -1]]
    return between.join(dict.fromkeys(f"{int(count):,}" for count in ends))


def in_words(table: pd.DataFrame, row: str, column: str | None, value: str = "share", digits: int = 3) -> str:
    """Return mean values in words, by one or two columns, for the text of a figure.

    Examples
    --------
    >>> in_words(pd.DataFrame({"who": ["a", "a", "b"], "task": [1, 2, 2], "share": [0.5, 1, 0]}), "who", "task")
    'a: 1 0.500, 2 1.000; b: 2 0.000'
    """
    if column is None:
        alone = table.groupby(row, sort=False, observed=True)[value].mean()
        return "; ".join(f"{name}: {mean:.{digits}f}" for name, mean in alone.items())
    means = table.groupby([row, column], sort=False, observed=True)[value].mean()
    return "; ".join(
        f"{name}: " + ", ".join(f"{key} {mean:.{digits}f}" for (_, key), mean in part.items())
        for name, part in means.groupby(level=0, sort=False, observed=True)
    )
