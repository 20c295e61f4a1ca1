"""Figures of numbers with their intervals, shares as a rule: panels side by side, a row for each learner or group."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import plotly.graph_objects as go

from cogkit.ui import figures, theme
from cogkit.ui.alt import with_alt
from cogkit.ui.parts import marker

BETTER, UP = "share right (better →)", "share right (better ↑)"  # titles of axes
ORDER = ("floor", "model", "proxy", "person", "yours", "you", "observer")  # of rows, from the bottom
QUARTERS = (0, 0.25, 0.5, 0.75, 1)


def dots(
    table: pd.DataFrame, column: str, line: str, title: str, note: str, across: str, alt: str, *,
    mark: Callable[[pd.DataFrame], dict], series: Sequence[str], shared: bool = False, start: float = 0.0,
    chance: float | None = None, ticks: Sequence[float] | None = QUARTERS, wrap: int = 9,
) -> go.Figure:  # fmt: skip
    """Return a figure of shares: a panel for each value of one column, a row for each value of another.

    Parameters
    ----------
    table : DataFrame
        Columns ``share``, ``low``, ``high``, ``n`` and ``shift`` (how far a mark moves up, in rows).
    column, line : str
        Columns for panels and for rows; a categorical column gives the order of its rows.
    across : str
        Title of the axis; if empty, the caller names the axes.
    mark : callable
        ``mark(part) -> plotly marker`` for the rows of one series.
    series : sequence of str
        Columns that define a series; the first one names it in the hover text.
    shared : bool
        Whether all panels have the same rows; else each panel has its own.
    start : float
        Start of the axis; it ends at 1.
    chance : float, optional
        Position of a dashed line.
    ticks : sequence of float, optional
        Marks of the axis; None for numbers that are no shares, whose axis fits them and is the same in all panels.
    wrap : int
        Most panels side by side; the others follow below.
    """
    table = table.assign(series=table[list(series)].astype(str).agg("\n".join, axis=1))
    looks = {name: mark(part) for name, part in table.groupby("series", sort=False)}
    edge = 0.09 if min(wrap, table[column].nunique()) > len(QUARTERS) else 0.04
    figure = figures.dots(
        table.drop(columns={"who", "kind", "printed"} - {column, line}, errors="ignore"), "share", line, panel=column,
        group="series", looks=looks, shift="shift", title=title, notes=note.split("<br>"), across=across,
        levels=[] if chance is None else [figures.Level(chance)], reach=(start - edge, 1 + edge) if ticks else None,
        ticks=ticks, wrap=wrap, shared=shared, digits=3 if ticks else 2,
    )  # fmt: skip
    for trace in figure.data:
        first = trace.name.partition("\n")[0]
        trace.update(hovertemplate=trace.hovertemplate.replace(trace.name, first), name=first)
    return with_alt(figure, alt)


def standings(
    rows: pd.DataFrame, printed: str | tuple[str, ...], names: pd.Series | None = None, lower: bool = False
) -> pd.DataFrame:
    """Return result rows with the columns for `dots`: share, shift, name, line, and printed (quoted from an article).

    Lines are in the order of the kinds of players, and within a kind by their means, the best one on top. The reader is
    a kind of its own, and so are the networks that the reader has trained. Sources that begin with ``printed`` are
    articles. ``names`` are what the lines are called, ``who`` by default. ``lower`` says that lower values are better.
    """
    quoted = rows.source.astype(str).str.startswith(printed) & (rows.kind == "model")
    kinds = rows.kind.mask(rows.who == "you", "you").mask(rows.who.str.startswith("your "), "yours")
    rows = rows.assign(
        kind=kinds, share=rows.value.astype(float), printed=quoted, shift=0.0,
        name=rows.who if names is None else names,
    )  # fmt: skip
    means = rows.groupby(["kind", "name"]).share.mean() * (-1 if lower else 1)
    lines = sorted(means.index, key=lambda line: (ORDER.index(line[0]), means[line]), reverse=True)
    return rows.assign(line=pd.Categorical(rows.name, list(dict.fromkeys(name for _, name in lines))))


def player_mark(part: pd.DataFrame, size: int = 9) -> dict:
    """Return the mark of the player of `standings` rows; ``size`` is that of printed numbers, an open circle."""
    if part.printed.iloc[0]:
        return {"symbol": "circle-open", "color": theme.INK, "size": size, "line": {"width": 2}}
    return marker(part.who.iloc[0], part.kind.iloc[0])
