"""Figures of shares with their intervals: panels side by side, and a row for each learner or group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.parts import error_bars, small

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
    ticks : sequence of float
    """
    panels = list(dict.fromkeys(table[column]))
    rows = {panel: list(dict.fromkeys(table[line][table[column] == panel])) for panel in panels}
    if shared:
        names = table[line].cat.categories if hasattr(table[line], "cat") else dict.fromkeys(table[line])
        rows = dict.fromkeys(panels, list(names))
    most = max(map(len, rows.values()))
    space = 0.08 / len(panels) if shared else 0.12
    figure = make_subplots(1, len(panels), shared_yaxes=shared, horizontal_spacing=space, column_titles=panels)
    more = 36 * note.count("<br>")  # pixels
    margin = {"l": 64, "r": 24, "t": 96 + more, "b": 48}
    figure.update_layout(theme.figure(f"{title}<br>{small(note)}", 160 + more + 28 * most, margin=margin).layout)
    for number, panel in enumerate(panels, start=1):
        cell, place = {"row": 1, "col": number}, {name: -k for k, name in enumerate(rows[panel])}
        for _, part in table[table[column] == panel].groupby(list(series), sort=False, observed=True):
            labels = [f"{row[line]}, n {int(row.n):,}" for _, row in part.iterrows()]
            limits = part.assign(low=part.low.astype(float), high=part.high.astype(float))
            figure.add_scatter(
                x=part.share, y=part[line].map(place).astype(int) + part["shift"], mode="markers", marker=mark(part),
                error_x=error_bars(limits, "share", width=0), customdata=labels, **cell,
                hovertemplate=f"{part[series[0]].iloc[0]}<br>%{{customdata}}<br>%{{x:.3f}}<extra></extra>",
            )  # fmt: skip
        figure.update_yaxes(
            tickvals=list(place.values()), ticktext=list(place), range=[-most + 0.4, 0.6], zeroline=False, **cell
        )
        if chance is not None:
            grey = {"color": theme.WHO["floor"].colour, "dash": "dash", "width": 1}
            figure.add_vline(chance, line=grey, layer="below", **cell)
    narrow = len(panels) > len(QUARTERS)  # then only the middle panel has an axis title
    edge = 0.09 if narrow else 0.04
    figure.update_xaxes(range=[start - edge, 1 + edge], tickvals=ticks)
    middle = {"row": 1, "col": (len(panels) + 1) // 2} if narrow else {}
    figure.update_xaxes(title={"text": across, "font": {"size": 12}}, **middle)
    figure.update_annotations(font={"size": 13})
    return with_alt(figure, alt)


def span(counts: Iterable[int]) -> str:
    """Return a count as text, or the range of several counts.

    Examples
    --------
    >>> span([40, 600, 40]), span([7])
    ('40–600', '7')
    """
    ends = np.unique(list(counts))[[0, -1]]
    return "–".join(dict.fromkeys(f"{int(count):,}" for count in ends))
