"""Learners, in a figure of their accuracy after each panel, and in a table of what they reach on a task."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from cogkit.mewl.paper import summary
from cogkit.mewl.problems.episodes import CHANCE, PANELS
from cogkit.mewl.views.names import called
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.dots import UP
from cogkit.ui.figures import Level, lines
from cogkit.ui.parts import span
from cogkit.ui.tables import Table, readable

_LEVELS = ("floor", "observer")
_DASHES = ("dot", "dashdot", "longdash")
_APART = 0.055  # between names of lines that end at the top


def growth(table: pd.DataFrame, title: str = "What six panels teach") -> go.Figure:
    """Return accuracy by the number of visible panels, a line for each learner.

    The table comes from `ablation.growth`. Rows of the kind ``yours`` are the reader's network, and those of ``you``
    are the reader, with other episodes (`Beside.scores`).
    """
    learners, yours = table[table.kind != "you"], table[table.kind == "you"]
    notes = [f"n = {span(learners.n)} episodes, the same for all learners; bars: 95 %; faint line: one in five"]
    if len(yours):
        notes.append(f"★ you, on {span(yours.n)} episodes of your own")
    names, signs, looks = table.who.map(called), {}, {}
    for kind, players in names.groupby(table.kind, sort=False):
        first = theme.WHO[kind].dash if kind in _LEVELS else "solid"
        dashes = (first, *(dash for dash in _DASHES if dash != first))
        for name, dash in zip(players.unique(), dashes, strict=False):
            signs[name] = f"{'★' if kind == 'you' else theme.DASHES[dash]} {name}"
            looks[signs[name]] = {"dash": dash, "width": 2}
    ends = {end: table[end].mask(table.kind.isin(_LEVELS)) for end in ("low", "high")}  # levels have no bars
    shares = table.panels.astype(str) + " panels: " + table.value.map("{:.3f}".format)
    figure = lines(
        table.assign(line=names.map(signs), hover=names + " (" + table.inputs + ")<br>" + shares, **ends), "panels",
        group="line", looks=looks, title=title, notes=notes, across="panels seen", up=UP, height=340,
        levels=[Level(CHANCE, "zero")], reach=(0, 1.04 + _APART * (len(looks) - 1)), margin={"r": 216},
    )  # fmt: skip
    figure.update_xaxes(range=[-0.2, PANELS + 0.2], tickvals=list(range(PANELS + 1)))
    figure.update_yaxes(tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1])
    texts = [f"{name}: {', '.join(part.map('{:.2f}'.format))}" for name, part in table.value.groupby(names, sort=False)]
    return with_alt(figure, f"Share right after 0 to {PANELS} panels. {'; '.join(texts)}.")


def reached(rows: pd.DataFrame, task: str) -> Table:
    """Return what our trained networks reach on a task, the best of them first.

    The table is that of `summary.reached`: shares of right answers about test episodes over all runs, each with a 95 %
    interval over runs and episodes, and about training episodes.
    """
    table = summary.reached(rows, task).drop(columns="inputs")  # a narrow page has no room, and the names tell them
    taught = table.supervision.str.replace(r"answers and (.*)", r"\1 too", regex=True)
    labels = {"who": "network", "supervision": "learns from", "training": "in training"}
    return readable(table.assign(who=table.who.map(called), supervision=taught), labels=labels)
