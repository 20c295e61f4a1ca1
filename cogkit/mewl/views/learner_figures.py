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
from cogkit.ui.parts import error_bars, line, name_ends, span
from cogkit.ui.tables import Table, readable

_DASHES = ("dot", "dashdot", "longdash")


def growth(table: pd.DataFrame, title: str = "What six panels teach") -> go.Figure:
    """Return accuracy by the number of visible panels, a line for each learner.

    The table comes from `ablation.growth`. Rows of the kind ``yours`` are the reader's network, and those of ``you``
    are the reader, with other episodes (`Beside.scores`).
    """
    learners, yours = table[table.kind != "you"], table[table.kind == "you"]
    notes = [f"n = {span(learners.n)} episodes, the same for all learners; bars: 95 %; faint line: one in five"]
    if len(yours):
        notes.append(f"★ you, on {span(yours.n)} episodes of your own")
    figure = theme.figure(title, 440, *notes, margin={"r": 216, "t": 84 + 18 * bool(len(yours))})
    figure.add_hline(CHANCE, line={"color": theme.HAIRLINE, "width": 1}, layer="below")
    ends, texts, counts = [], [], dict.fromkeys(theme.WHO, 0)
    for (player, kind, inputs), part in table.groupby(["who", "kind", "inputs"], sort=False):
        mark, place = theme.WHO[kind], counts[kind]
        counts[kind] += 1
        player = called(player)
        is_level = kind in ("floor", "observer")
        dashes = (mark.dash, *(style for style in _DASHES if style != mark.dash)) if is_level else ("solid", *_DASHES)
        dash = dashes[place]
        line(
            figure, part.panels, part.value, {"color": mark.colour, "dash": dash, "width": 2},
            f"{player} ({inputs})<br>%{{x}} panels: %{{y:.3f}}", mode="lines" if is_level else "lines+markers",
            marker={"symbol": mark.symbol, "size": 9}, error_y=None if is_level else error_bars(part, "value"),
            name=player,
        )  # fmt: skip
        sign = (
            theme.DASHES[dash]
            if is_level
            else {"you": "★"}.get(kind, "◆" if dash == "solid" else f"◆ {theme.DASHES[dash]}")
        )
        ends.append((part.value.iloc[-1], f"{sign} {player}", mark.colour))
        texts.append(f"{player}: " + ", ".join(f"{value:.2f}" for value in part.value))
    ends.reverse()  # learners with the same end are named in their order, from the top
    heights = name_ends(figure, sorted(ends, key=lambda end: end[0]), 0.055, shift=8, size=12)
    figure.update_xaxes(title="panels seen", range=[-0.2, PANELS + 0.2], tickvals=list(range(PANELS + 1)))
    figure.update_yaxes(title=UP, range=[0, max(1.04, *(heights + 0.04))],
                        tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1])  # fmt: skip
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
