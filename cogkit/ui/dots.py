"""Shares as marks with their limits: panels side by side, a row for each of whoever or whatever is compared."""

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
    """Return shares as marks: a panel for each value of a column, a row for each of another.

    Parameters
    ----------
    table : DataFrame
        With ``share``, ``low``, ``high``, ``n`` and ``shift`` (by how much of a row a mark lies higher).
    column, line : str
        Columns of panels and of rows; rows of a categorical one are in its order.
    title, note : str
        The note stands small under the title; it may have line breaks.
    across : str
        What the axis says.
    alt : str
        The figure in words.
    mark : callable
        ``mark(part) -> plotly marker`` of the rows that are one series.
    series : sequence of str
        Columns that tell one series from another; the first names it where a mark is pointed at.
    shared : bool
        Whether panels have the same rows; else each has its own.
    start : float
        Where the axis begins; it ends at 1.
    chance : float, optional
        Where a dashed line stands.
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
    narrow = len(panels) > len(QUARTERS)  # then the axis is named once, below the middle
    edge = 0.09 if narrow else 0.04
    figure.update_xaxes(range=[start - edge, 1 + edge], tickvals=ticks)
    middle = {"row": 1, "col": (len(panels) + 1) // 2} if narrow else {}
    figure.update_xaxes(title={"text": across, "font": {"size": 12}}, **middle)
    figure.update_annotations(font={"size": 13})
    return with_alt(figure, alt)


def span(counts: Iterable[int]) -> str:
    """Return how many there are, or from how many to how many.

    Examples
    --------
    >>> span([40, 600, 40]), span([7])
    ('40–600', '7')
    """
    ends = np.unique(list(counts))[[0, -1]]
    return "–".join(dict.fromkeys(f"{int(count):,}" for count in ends))
