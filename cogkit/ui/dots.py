"""Figures of shares with their intervals: panels side by side, and a row for each learner or group."""

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
    chance: float | None = None, ticks: Sequence[float] = QUARTERS,
) -> go.Figure:  # fmt: skip
    """Return a figure of shares: a panel for each value of one column, a row for each value of another.

    Parameters
    ----------
    table : DataFrame
        Columns ``share``, ``low``, ``high``, ``n`` and ``shift`` (how far a mark moves up, in rows).
    column, line : str
        Columns for panels and for rows; a categorical column gives the order of its rows.
    title, note : str
        The note appears in small type under the title; it may have line breaks.
    across : str
        Title of the axis.
    alt : str
        The figure in words.
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
    """
    panels = list(dict.fromkeys(table[column]))
    rows = {panel: list(dict.fromkeys(table[line][table[column] == panel])) for panel in panels}
    if shared:
        names = table[line].cat.categories if hasattr(table[line], "cat") else dict.fromkeys(table[line])
        rows = dict.fromkeys(panels, list(names))
    most = max(map(len, rows.values()))
    more = 36 * note.count("<br>")  # pixels
    figure = theme.figure(
        title, 160 + more + 28 * most, note, columns=len(panels), margin={"t": 96 + more, "b": 48},
        shared_yaxes=shared, horizontal_spacing=0.08 / len(panels) if shared else 0.12, column_titles=panels,
    )  # fmt: skip
    for number, panel in enumerate(panels, start=1):
        cell, place = {"row": 1, "col": number}, {name: -k for k, name in enumerate(rows[panel])}
        for _, part in table[table[column] == panel].groupby(list(series), sort=False, observed=True):
            labels = [f"{row[line]}, n {int(row.n):,}" for _, row in part.iterrows()]
            marks(
                figure, part.share, part[line].map(place).astype(int) + part["shift"], mark(part),
                f"{part[series[0]].iloc[0]}<br>%{{customdata}}<br>%{{x:.3f}}", error_x=error_bars(part, "share"),
                customdata=labels, **cell,
            )  # fmt: skip
        name_rows(figure, place, range=[-most + 0.4, 0.6], **cell)
        if chance is not None:
            figure.add_vline(chance, line=theme.stroke("floor"), layer="below", **cell)
    narrow = len(panels) > len(QUARTERS)  # then only the middle panel has an axis title
    edge = 0.09 if narrow else 0.04
    figure.update_xaxes(range=[start - edge, 1 + edge], tickvals=ticks)
    middle = {"row": 1, "col": (len(panels) + 1) // 2} if narrow else {}
    figure.update_xaxes(title={"text": across, "font": {"size": 12}}, **middle)
    return with_alt(figure, alt)


def standings(rows: pd.DataFrame, printed: str | tuple[str, ...], names: pd.Series | None = None) -> pd.DataFrame:
    """Return result rows with the columns for `dots`: share, shift, name, line, and printed (quoted from an article).

    Lines are in the order of the kinds of players, and within a kind by mean share. The reader is a kind of its own.

    Parameters
    ----------
    rows : DataFrame
        Result rows (`contracts.RESULT_COLUMNS`).
    printed : str or tuple of str
        Beginnings of the sources that are articles.
    names : Series, optional
        What the lines are called; ``who`` by default.
    """
    quoted = rows.source.astype(str).str.startswith(printed) & (rows.kind == "model")
    rows = rows.assign(
        kind=rows.kind.mask(rows.who == "you", "you"), share=rows.value.astype(float), printed=quoted, shift=0.0,
        name=rows.who if names is None else names,
    )  # fmt: skip
    means = rows.groupby(["kind", "name"]).share.mean()
    lines = sorted(means.index, key=lambda line: (ORDER.index(line[0]), means[line]), reverse=True)
    return rows.assign(line=pd.Categorical(rows.name, list(dict.fromkeys(name for _, name in lines))))


def player_mark(part: pd.DataFrame, size: int = 9) -> dict:
    """Return the mark of the player of `standings` rows; ``size`` is that of printed numbers, an open circle."""
    if part.printed.iloc[0]:
        return {"symbol": "circle-open", "color": theme.INK, "size": size, "line": {"width": 2}}
    return marker(part.who.iloc[0], part.kind.iloc[0])
