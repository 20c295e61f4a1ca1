"""Parts of figures that several instruments use: notes, error bars, the marks of players."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from cogkit.ui import theme

_UPRIGHT = {"floor": "line-ns-open", "observer": "line-ns-open"}  # a short stroke, as their lines are vertical here


def small(text: str) -> str:
    """Return a note in the small style for the line under a title and the second line of a label."""
    return f"<span style='font-size:11px;color:{theme.QUIET}'>{text}</span>"


def error_bars(table: pd.DataFrame, centre: str, width: int = 4) -> dict:
    """Return plotly error bars from a centre to the columns low and high; no bar where these are missing."""
    low, middle, high = (table[name].astype(float) for name in ("low", centre, "high"))
    return {"array": high - middle, "arrayminus": middle - low, "thickness": 1.5, "width": width}


def marker(who: str, kind: str) -> dict:
    """Return the mark of a player on a horizontal scale: floors and observers are short upright strokes.

    Examples
    --------
    >>> marker("associative", "floor")["symbol"], marker("you", "person")["symbol"]
    ('line-ns-open', 'star')
    """
    kind = "you" if who == "you" else kind
    mark = theme.WHO[kind]
    outline = {"width": 2, "color": mark.colour}
    return {"color": mark.colour, "symbol": _UPRIGHT.get(kind, mark.symbol), "size": 9, "line": outline}


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
