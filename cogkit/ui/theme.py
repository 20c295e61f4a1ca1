"""The common style of all figures: the marks of each kind of player, and the plotly template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots


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
DASHES = {"solid": "—", "dash": "- - -", "dot": "·····", "dashdot": "- · -", "longdash": "— —"}  # and signs for keys
RED, BLUE = "#D55E00", "#0072B2"
COVERED, HAIRLINE, INK, QUIET = "#F2F2F2", "#D0D0D0", "#222222", "#5F5F5F"
BLACK, WHITE = "#000000", "#FEFEFE"  # on a coloured patch; white, the greys and INK follow the theme in JupyterLab
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"
_MARGIN = {"l": 64, "r": 24, "t": 56, "b": 56}
_PANELS = {
    "shared_xaxes", "shared_yaxes", "horizontal_spacing", "vertical_spacing", "column_titles", "subplot_titles",
    "column_widths",
}  # fmt: skip

# A small template of our own, because plotly's templates add 8 kB to every stored figure.
TEMPLATE = go.layout.Template(
    layout={
        "meta": "cogkit",  # how JupyterLab knows our figures (app/jupyter)
        "font": {"family": FONT, "size": 13, "color": INK},
        "paper_bgcolor": "white",
        "plot_bgcolor": "white",
        "margin": _MARGIN,
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


def figure(
    title: str, height: float = 420, *notes: str, rows: int = 1, columns: int = 1,
    margin: Mapping[str, int] | None = None, **options: Any,
) -> go.Figure:  # fmt: skip
    """Return an empty figure with the common template, as wide as its page.

    Parameters
    ----------
    height : float
        In pixels.
    *notes : str
        Lines in small type under the title.
    rows, columns : int
        Number of panels.
    margin : mapping, optional
        Pixels at the sides l, r, t and b; a side that is left out has its usual margin.
    **options
        Options of `make_subplots` for the panels; all others go to the layout.

    Examples
    --------
    >>> figure("Boards").layout.title.text
    'Boards'
    >>> figure("Boards", 300, "n = 7", columns=2).layout.margin.t
    88
    """
    panels = {name: options.pop(name) for name in _PANELS & options.keys()}
    empty = make_subplots(rows, columns, **panels) if panels or rows * columns > 1 else go.Figure()
    empty.update_annotations(font={"size": 13})
    text = "<br>".join([title, *map(small, notes)])
    top = 112 if "column_titles" in panels else 88 if notes else _MARGIN["t"]
    sides = _MARGIN | {"t": top} | dict(margin or {})
    return empty.update_layout(template=TEMPLATE, title_text=text, height=int(height), margin=sides, **options)


def small(text: str) -> str:
    """Return a note in the small style for the line under a title and the second line of a label."""
    return coloured(QUIET, text, "font-size:11px;")


def coloured(colour: str, text: str, style: str = "") -> str:
    """Return text in a colour, for titles and labels."""
    return f"<span style='{style}color:{colour}'>{text}</span>"


def stroke(kind: str, width: float = 1.0) -> dict:
    """Return the line of a kind of player: its colour and dash.

    Examples
    --------
    >>> stroke("floor")
    {'color': '#767676', 'dash': 'dash', 'width': 1.0}
    """
    return {"color": WHO[kind].colour, "dash": WHO[kind].dash, "width": width}


def mark(kind: str, size: float = 8, outline: float = 1.5) -> dict:
    """Return the marker of a kind of player, with an outline in its colour."""
    look = WHO[kind]
    return {"color": look.colour, "symbol": look.symbol, "size": size, "line": {"color": look.colour, "width": outline}}
