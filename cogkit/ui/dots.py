"""Figures of numbers with their intervals, shares as a rule: panels side by side, a row for each learner or group."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import plotly.graph_objects as go

from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.parts import error_bars, marker, marks, name_rows

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
    panels = list(dict.fromkeys(table[column]))
    rows = {panel: list(dict.fromkeys(table[line][table[column] == panel])) for panel in panels}
    if shared:
        names = table[line].cat.categories if hasattr(table[line], "cat") else dict.fromkeys(table[line])
        rows = dict.fromkeys(panels, list(names))
    most, wide = max(map(len, rows.values())), min(wrap, len(panels))
    deep = -(-len(panels) // wide)
    more = 36 * note.count("<br>")  # pixels
    top, each = 96 + more, 28 * most + 16
    between = 56 if deep > 1 else 0
    height = top + 48 + deep * each + (deep - 1) * between
    titles = {"column_titles" if deep == 1 else "subplot_titles": panels}
    figure = theme.figure(
        title, height, *note.split("<br>"), rows=deep, columns=wide, margin={"t": top, "b": 48}, shared_yaxes=shared,
        horizontal_spacing=0.08 / wide if shared else 0.12, vertical_spacing=between / (height - top - 48), **titles,
    )  # fmt: skip
    for number, panel in enumerate(panels):
        cell = {"row": number // wide + 1, "col": number % wide + 1}
        place = {name: -k for k, name in enumerate(rows[panel])}
        for _, part in table[table[column] == panel].groupby(list(series), sort=False, observed=True):
            labels = [f"{row[line]}, n {int(row.n):,}" for _, row in part.iterrows()]
            marks(
                figure, part.share, part[line].map(place).astype(int) + part["shift"], mark(part),
                f"{part[series[0]].iloc[0]}<br>%{{customdata}}<br>%{{x:.{3 if ticks else 2}f}}",
                error_x=error_bars(part, "share"), customdata=labels, **cell,
            )  # fmt: skip
        name_rows(figure, place, range=[-most + 0.4, 0.6], **cell)
        if chance is not None:
            figure.add_vline(chance, line=theme.stroke("floor"), layer="below", **cell)
    if ticks is None:
        figure.update_xaxes(matches="x", nticks=5)
    else:
        edge = 0.09 if wide > len(QUARTERS) else 0.04
        short = [f"{tick:g}".replace("0.", ".") for tick in ticks]  # upright on a narrow page too
        figure.update_xaxes(range=[start - edge, 1 + edge], tickvals=ticks, ticktext=short, tickangle=0)
    if wide > 1 and across:  # a title under each panel would run into the next one's
        below = {"x": 0.5, "y": 0, "xref": "paper", "yref": "paper", "yanchor": "top", "yshift": -24}
        figure.add_annotation(text=across, font={"size": 12}, showarrow=False, **below)
    else:
        figure.update_xaxes(title={"text": across, "font": {"size": 12}})
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
