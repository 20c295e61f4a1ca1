"""The common style of all figures: the marks of each kind of player, and the plotly template."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go


@dataclass(frozen=True)
class Mark:
    """The mark of one kind of player: colour (Okabe–Ito), marker symbol, line dash, and the word in labels."""

    colour: str
    symbol: str
    dash: str
    label: str


WHO = {
    "person": Mark("#0072B2", "circle", "solid", "people"),
    "you": Mark("#CC79A7", "star", "solid", "you"),
    "proxy": Mark("#56B4E9", "circle-open", "solid", "proxies"),
    "model": Mark("#D55E00", "diamond", "solid", "models"),
    "floor": Mark("#767676", "line-ew-open", "dash", "floor"),
    "observer": Mark("#009E73", "line-ew-open", "dot", "ideal observer"),
}
RED, BLUE = "#D55E00", "#0072B2"
COVERED, HAIRLINE, INK, QUIET = "#F2F2F2", "#D0D0D0", "#222222", "#5F5F5F"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"

# A small template of our own, because plotly's templates add 8 kB to every stored figure.
TEMPLATE = go.layout.Template(
    layout={
        "font": {"family": FONT, "size": 13, "color": INK},
        "paper_bgcolor": "white",
        "plot_bgcolor": "white",
        "margin": {"l": 64, "r": 24, "t": 56, "b": 56},
        "title": {"x": 0, "xref": "paper", "xanchor": "left", "font": {"size": 16}},
        "xaxis": {
            "showgrid": False,
            "showline": True,
            "linecolor": QUIET,
            "ticks": "outside",
            "zeroline": False,
            "automargin": True,
            "title": {"font": {"size": 13}},
        },
        "yaxis": {
            "gridcolor": "#ECECEC",
            "zeroline": True,
            "zerolinecolor": QUIET,
            "zerolinewidth": 1,
            "automargin": True,
            "title": {"font": {"size": 13}},
        },
        "hoverlabel": {"font": {"family": FONT}},
        "showlegend": False,
        "modebar": {"remove": ["zoom", "pan", "select", "lasso2d", "zoomIn", "zoomOut", "autoScale"], "color": QUIET},
        "colorway": [mark.colour for mark in WHO.values()],
    }
)


def figure(title: str, height: int = 420, **layout) -> go.Figure:
    """Return an empty figure with the common template, as wide as its page.

    Examples
    --------
    >>> figure("Boards").layout.title.text
    'Boards'
    """
    return go.Figure(layout={"template": TEMPLATE, "title": {"text": title}, "height": height, **layout})
