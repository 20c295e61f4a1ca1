"""The staircase: what is new in the test grows from left to right, and memory of the training items is a floor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.core.splits import RUNGS
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.figures import lines
from cogkit.ui.parts import line

_HALF = 0.42  # of the width of a step
_RUNG = 20  # pixels: the height of the name of a rung
_LETTER = 7  # pixels of a letter in the name of a player
_FILL = "rgba(118,118,118,0.22)"
_DASHES = ("solid", "dash", "dashdot", "longdash", "dot")  # of several learners of one kind


def staircase(
    table: pd.DataFrame, *, title: str, unit: str = "items", low: float = -0.5, notes: Sequence[str] = ()
) -> go.Figure:
    """Return a staircase of splits, a step each, in the order of their rungs.

    Parameters
    ----------
    table : DataFrame
        A row for each player on each split: split, rung, who, kind, value, and perhaps low, high and n. On each step
        the best row of the kind *floor* is the top of the grey band, and each *observer* is a dotted line.
    title, notes
        As for all figures.
    unit : str
        What n counts.
    low : float
        Bottom of the axis; a value below it is drawn there. An interval that leaves the axis ends at its edge.

    Examples
    --------
    >>> table = pd.DataFrame({"split": ["b, far", "a, near"] * 2, "rung": ["rule", "orbit"] * 2})
    >>> table = table.assign(who=["net"] * 2 + ["memory"] * 2, kind=["model"] * 2 + ["floor"] * 2)
    >>> staircase(table.assign(value=[0.1, 0.9, 0.2, 0.95]), title="t").layout.meta["alt"]
    'a, near (orbit): memory 0.95, net 0.90. b, far (rule): memory 0.20, net 0.10.'
    """
    steps = table[["rung", "split"]].drop_duplicates()
    steps = steps.sort_values("rung", key=lambda rungs: rungs.map(RUNGS.index), kind="stable").reset_index(drop=True)
    table = table.assign(step=table.split.map({split: k for k, split in enumerate(steps.split)}))
    players = table[~table.kind.isin(["floor", "observer"])]
    top = max(1.1, float(np.nanmax(table.value))) if len(table) else 1.1
    ends = {name: players[name].clip(low, top) for name in ("value", "low", "high") if name in players}
    names = players[players.kind == "model"].who.unique()
    looks = {who: {"dash": _DASHES[k % len(_DASHES)]} for k, who in enumerate(names)}
    bands = f"grey: the best floor of memory; {theme.coloured(theme.WHO['observer'].colour, '·····')} ideal observer"
    figure = lines(
        players.assign(**ends), "step", across="what is new in the test →", group="who", looks=looks, digits=2,
        up="skill (better ↑)", reach=(low, top), title=title, notes=[*notes, bands], height=320,
        unit=f"{unit} a mark" * ("n" in table), margin={"r": 8 + _LETTER * max([13, *map(len, players.who)])},
    )  # fmt: skip
    for (k, kind), part in table[table.kind.isin(["floor", "observer"])].groupby(["step", "kind"]):
        edge, drawn = [k - _HALF, k + _HALF], part.nlargest(1, "value") if kind == "floor" else part
        for row in drawn.itertuples():
            line(figure, edge, [row.value] * 2, theme.stroke(kind, 2), f"{row.who}<br>{row.value:.2f}")
        if kind == "floor":
            box = {"x0": edge[0], "x1": edge[1], "y0": low, "y1": max(float(drawn.value.iloc[0]), low)}
            figure.add_shape(type="rect", fillcolor=_FILL, line_width=0, layer="below", **box)
    parts = [split.split(", ") for split in steps.split]
    if len({first for first, *_ in parts}) == 1:  # the title says it
        parts = [rest or [first] for first, *rest in parts]
    texts = [theme.small(" ".join(part).replace(" ", "<br>")) for part in parts]  # a line a word: steps are narrow
    ticks = {"tickvals": list(range(len(steps))), "ticktext": texts, "tickangle": 0}
    ticks |= {"ticks": "outside", "ticklen": _RUNG, "tickcolor": "rgba(0,0,0,0)"}  # room for the rungs
    figure.update_xaxes(range=[-0.6, len(steps) - 0.4], showgrid=False, zeroline=False, title_standoff=12, **ticks)
    for rung, places in steps.groupby("rung", sort=False).groups.items():
        place = {"x": np.mean(places), "y": 0, "yref": "paper", "yanchor": "top"}
        figure.add_annotation(text=f"<b>{rung}</b>", showarrow=False, font_size=11, **place)
    names_high = 18 + 14 * max((text.count("<br>") + 1 for text in texts), default=0)  # pixels
    figure.update_layout(margin_b=42 + _RUNG + names_high, height=figure.layout.height + names_high)
    return with_alt(figure, " ".join(_words(table[table.step == k], *step) for k, step in enumerate(steps.values)))


def _words(part: pd.DataFrame, rung: str, split: str) -> str:
    """Return a sentence on one step: its best floor, and everybody else."""
    floors = part[part.kind == "floor"].nlargest(1, "value")
    rows = pd.concat([floors, part[part.kind != "floor"]])
    return f"{split} ({rung}): {', '.join(f'{row.who} {row.value:.2f}' for row in rows.itertuples())}."
