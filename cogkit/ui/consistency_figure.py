"""A figure of error consistency: how alike the errors of two players are, and how alike they could be."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.parts import error_bars, marks

_GREY = theme.WHO["floor"].colour
_CEILING = {"symbol": "line-ns-open", "size": 13, "color": _GREY, "line": {"width": 2.5}}
_KEY = f"dot: κ, 95 % interval; {theme.coloured(_GREY, '┃')} ceiling: the most that the two players' accuracies allow"


def consistency(table: pd.DataFrame, title: str, note: str) -> go.Figure:
    """Return a figure with a row for each pair of players, under the heading of its group.

    Parameters
    ----------
    table : DataFrame
        As `stats.error_consistency_table`, and ``group``, the heading; groups follow one another. A pair without
        kappa, such as two players who are always right, keeps its row and has no mark.
    note : str
        What an item is, the number of items, and what was resampled.
    """
    pairs = table.assign(name=table["first"] + " · " + table.second)
    labels: list[str] = []
    heights: list[int] = []
    for group, part in pairs.groupby("group", sort=False):
        labels += [f"<b>{group}</b>", *part.name]
        heights += range(len(labels) - len(part), len(labels))
    figure = theme.figure(title, 176 + 24 * len(labels), note, _KEY, margin={"t": 112})
    name = "%{customdata}<br>"
    marks(figure, pairs.kappa_max, heights, _CEILING, f"{name}at most %{{x:.2f}}", customdata=pairs.name)
    dot = {"color": theme.INK, "size": 9}
    bars = error_bars(pairs, "kappa")
    marks(figure, pairs.kappa, heights, dot, f"{name}κ %{{x:.2f}}", customdata=pairs.name, error_x=bars)
    figure.add_vline(0, line={"color": theme.QUIET, "width": 1}, layer="below")
    figure.update_xaxes(title="κ (0: chance; 1: the same errors)")
    figure.update_yaxes(
        tickvals=list(range(len(labels))), ticktext=labels, range=[len(labels) - 0.4, -0.6], zeroline=False,
        showgrid=False, ticks="",
    )  # fmt: skip
    words = "; ".join(
        f"{pair.name}: {pair.kappa:.2f}, at most {pair.kappa_max:.2f}" for pair in pairs.itertuples(False)
    )
    return with_alt(figure, f"Error consistency. {words}.")
