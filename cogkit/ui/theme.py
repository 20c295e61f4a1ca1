"""The common style of all figures: the marks of each kind of player, and the plotly template."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
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
    "yours": Mark("#CC79A7", "diamond", "longdash", "your network"),  # the star is the reader alone
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
_TITLE, _NOTE, _HEADS = 72, 100, 72  # letters of a line that fit at 640 px: of a title, a note, all column titles
# What begins a tag that our figures do not have.
_FOREIGN = re.compile(r"<(?!/?b>|br>|/?extra>|/span>|span style='(?:font-size:11px;)?color:[#\w(),.]+'>)")
_PANELS = {
    "shared_xaxes", "shared_yaxes", "horizontal_spacing", "vertical_spacing", "column_titles", "subplot_titles",
    "column_widths", "row_heights",
}  # fmt: skip

_NAMES = ("column_titles", "subplot_titles")  # of panels: they need room above

# A small template of our own, because plotly's templates add 8 kB to every stored figure.
TEMPLATE = go.layout.Template(
    layout={
        "meta": "cogkit",  # how JupyterLab knows our figures (app/jupyter)
        "font": {"family": FONT, "size": 13, "color": INK},
        "paper_bgcolor": "white",
        "plot_bgcolor": "white",
        "margin": _MARGIN,
        "title": {
            "x": 0,
            "xref": "container",
            "xanchor": "left",
            "y": 1,
            "yref": "container",
            "yanchor": "top",
            "pad": {"l": 16, "t": 20},
            "font": {"size": 16},
        },
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


class Figure(go.Figure):
    """A figure whose texts hold no tags but ours when it is drawn or stored, whatever a learner or a file is called.

    plotly makes links and formatted text of tags.

    Examples
    --------
    >>> Figure(layout_title_text="<b>by</b> <a href='//x'>me</a>").to_dict()["layout"]["title"]["text"]
    "<b>by</b> &lt;a href='//x'>me&lt;/a>"
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as plotly's plain values."""
        return _escaped(super().to_dict())


def _escaped(value: Any) -> Any:
    """Return plain values in whose texts each ``<`` that begins no tag of ours is escaped."""
    if isinstance(value, str):
        return _FOREIGN.sub("&lt;", value)
    if isinstance(value, dict):
        return {key: part if key == "meta" else _escaped(part) for key, part in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.kind in "OU":
        value = value.tolist()
    return [_escaped(part) for part in value] if isinstance(value, list | tuple) else value


def figure(
    title: str, height: float = 420, *notes: str, rows: int = 1, columns: int = 1,
    margin: Mapping[str, int] | None = None, **options: Any,
) -> go.Figure:  # fmt: skip
    """Return an empty figure with the common template, as wide as its page; long texts over it get more lines.

    Heights and margins are in pixels; a side (l, r, t, b) that is left out has its usual margin. Notes are lines in
    small type under the title. Of the options, those of `make_subplots` go to the panels, all others to the layout.

    Examples
    --------
    >>> figure("Boards").layout.title.text
    'Boards'
    >>> figure("Boards", 300, "n = 7", columns=2).layout.margin.t
    88
    """
    panels = {name: options.pop(name) for name in _PANELS & options.keys()}
    before = _lines(panels)
    if "column_titles" in panels:
        parts = [title.split("<br>") for title in panels["column_titles"]]
        panels["column_titles"] = [
            "<br>".join(line for part in title for line in wrapped(part, _HEADS // columns)) for title in parts
        ]
    several = panels or rows * columns > 1
    empty = make_subplots(rows, columns, figure=Figure(), **panels) if several else Figure()
    empty.update_annotations(font={"size": 13})
    heads, lines = wrapped(title, _TITLE), [wrapped(note, _NOTE) for note in notes]
    text = "<br>".join([*heads, *(small("<br>".join(note)) for note in lines)])
    top = _MARGIN["t"] + 10 * bool(notes) + 22 * len(notes) + 24 * any(panels.get(name) for name in _NAMES)
    sides = _MARGIN | {"t": top} | dict(margin or {})
    more = 22 * (len(heads) - 1 + sum(map(len, lines)) - len(notes)) + 16 * (_lines(panels) - before)
    sides["t"] += more
    return empty.update_layout(template=TEMPLATE, title_text=text, height=int(height) + more, margin=sides, **options)


def wrapped(text: str, letters: int) -> list[str]:
    """Return a text of a figure in lines of at most so many visible letters; its tags stay whole.

    Examples
    --------
    >>> wrapped("<b>three blue</b> tiles", 10)
    ['<b>three blue</b>', 'tiles']
    """
    lines = [""]
    for word in re.split(r"(?<!^) (?![^<]*>)", text):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        visible = html.unescape(re.sub("<[^>]*>", "", longer)).strip()
        if lines[-1] and len(visible) > letters:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _lines(panels: Mapping[str, Any]) -> int:
    """Return the most lines of a column's title."""
    return max((title.count("<br>") + 1 for title in panels.get("column_titles") or ()), default=0)


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
    look = WHO[kind]
    return {"color": look.colour, "dash": look.dash, "width": width}


def mark(kind: str, size: float = 8, outline: float = 1.5) -> dict:
    """Return the marker of a kind of player, with an outline in its colour."""
    look = WHO[kind]
    return {"color": look.colour, "symbol": look.symbol, "size": size, "line": {"color": look.colour, "width": outline}}
