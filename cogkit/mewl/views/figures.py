"""Figures of MEWL: every player's accuracy, by task and by panels, what networks reach, and wrong names."""

from __future__ import annotations

import textwrap

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.mewl.learners.ablation import PARTS, TEXT_ALONE, above
from cogkit.mewl.paper import summary
from cogkit.mewl.paper.reported import PRINTED
from cogkit.mewl.problems.episodes import CHANCE, PANELS, TASKS
from cogkit.mewl.scoring import ACCURACY
from cogkit.mewl.views.names import called
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.dots import BETTER, ORDER, UP, standings
from cogkit.ui.figures import Level, dots, lines
from cogkit.ui.parts import in_words, span
from cogkit.ui.tables import Table, readable

_HALVES, _WHOLE = (0, 0.5, 1), (-0.09, 1.09)
_ACROSS = "share right, 0 to 1 (better →)"
_TILTED = 28  # more pixels that tilted names of columns take
_LETTERS = 14  # in a line of a column's name
_INPUTS = {  # players are compared within these groups, by their inputs
    "pixels": "look at pictures", "learned slots": "slots found by a network", "true slots": "told what is where",
    "captions": "read captions", "symbols": "given scenes as they are",
}  # fmt: skip
_PLAYERS = ("person", "you", "yours", "proxy", "model")
_FLOOR, _TOP, _PAIR = "floor", called("ideal learner"), "unseen pair"
_MARKS = "◆ models (orange: ours, pink: yours), ○ machines as printed, ● people, ★ you"
_SHARE, _ABOVE = "share right", "above text alone"  # columns of `one_task`
_CHOSEN, _RANDOM = "chosen", "if all were equally likely"
_LEVELS = ("floor", "observer")
_DASHES = ("dot", "dashdot", "longdash")
_APART = 0.055  # between names of lines that end at the top


def everybody(rows: pd.DataFrame, title: str = "Everybody on every task") -> go.Figure:
    """Return every player on every task: a row for each, a column for each task.

    ``rows`` are of the metric ``accuracy``; others are left out. Every row is a mark, even if a player has several rows
    for one task. Printed results of models (`reported.result_rows`) have a different mark.
    """
    rows = _accuracies(rows)
    names = (rows.who + " (" + rows.inputs + ")").where(rows.kind.isin(["model", "yours", "proxy"]), rows.who)
    table = standings(rows, PRINTED, names).sort_values("line", kind="stable").drop(columns="who")
    notes = ["lines: 95 %; dashed: one in five"]
    if table.printed.any():
        notes.append("○ printed; do not rank a learner that reads captions against one that sees pixels")
    return _fitted(dots(
        table.assign(task=pd.Categorical(table.task, TASKS)), "share", "line", panel="task", title=title, notes=notes,
        unit="answers a mark", across=_ACROSS, alt=_SHARE.capitalize(), levels=[Level(CHANCE)], reach=_WHOLE,
        ticks=_HALVES,
    ))  # fmt: skip


def by_inputs(rows: pd.DataFrame, title: str = "Everybody, by what they are given") -> go.Figure:
    """Return every model and person on every task, grouped by their inputs.

    Other metrics than ``accuracy`` are left out. Floors and the ideal observer have no separate line. Instead, strokes
    beside each mark show the best floor and the ideal observer on episodes of the same profile.
    """
    rows = _accuracies(rows)
    table = rows[rows.kind.isin(_PLAYERS)]
    floors = rows[(rows.kind == _FLOOR)].sort_values("value").drop_duplicates(["profile", "task"], keep="last")
    return _fitted(_by_input(
        table.assign(column=table.task), rows, floors, TASKS, title, "compare within a group only", "best shortcut",
        across=_ACROSS,
    ))  # fmt: skip


def one_task(rows: pd.DataFrame, task: str, title: str = "") -> go.Figure:
    """Return everybody on one task: accuracy, and accuracy rescaled from text alone (0) to all right (1).

    ``rows`` are of any tasks. Missing rows of ``accuracy above text alone`` are computed by `ablation.above`. Random
    guessing is left out. For ``composite``, names of unseen pairs have a separate column.
    """
    rows = _players(rows[rows.kind.isin(ORDER)])
    plain, new_pairs = (rows[(rows.metric == ACCURACY) & (rows.task == name)] for name in (task, f"{task}/{_PAIR}"))
    text = plain[plain.who == TEXT_ALONE]
    as_much = plain.value.astype(float) == plain.profile.map(text.groupby("profile").value.first())
    marks = plain[~plain.who.isin(["random", _TOP]) & ~((plain.kind == _FLOOR) & as_much)]
    further = above(rows)
    parts = {_SHARE: marks, _ABOVE: further[(further.task == task) & further.who.isin(marks.who)]}
    parts |= {f"of an {_PAIR}": new_pairs[new_pairs.who.isin(marks.who)]} if len(new_pairs) else {}
    table = pd.concat([part.assign(column=name) for name, part in parts.items()], ignore_index=True)
    figure = _by_input(
        table, plain, text, list(parts), title or f"Everybody on {task}", "dashed: no more than text alone",
        "text alone", levels=[Level(0, _FLOOR, panel=_ABOVE)],
    )  # fmt: skip
    low, small = min(-0.1, table.value[table.column == _ABOVE].astype(float).min() - 0.05), {"size": 12}
    figure.update_xaxes(title={"text": BETTER, "font": small}, col=1)
    way = "of the way to<br>all right (better →)"  # two lines: long names leave little room
    figure.update_xaxes(range=[low, 1.06], title={"text": way, "font": small}, col=2)
    return _at_the_edge(figure)


def wrong(table: pd.DataFrame, title: str = "Which wrong names are chosen") -> go.Figure:
    """Return kinds of wrong names as shares of all wrong names, task by task, and the same shares by chance.

    The table comes from `patterns.errors`. If it has a column ``who``, the figure has a column for each player.
    """
    whose = table.get("who", pd.Series("", table.index)).map(lambda who: "<br>".join(textwrap.wrap(who, _LETTERS)))
    names = table.kind if table.task.nunique() == 1 else table.task + ": " + table.kind
    table = table.assign(line=pd.Categorical(names, list(dict.fromkeys(names))), panel=whose, n=table.errors)
    colours = theme.INK, theme.WHO[_FLOOR].colour
    parts = [table.assign(mark=_CHOSEN), table.assign(mark=_RANDOM, share=table.at_random, low=np.nan, high=np.nan)]
    looks = {
        name: {"symbol": symbol, "size": 9, "color": colour, "line": {"width": 2, "color": colour}}
        for name, symbol, colour in zip((_CHOSEN, _RANDOM), ("circle", "line-ns-open"), colours, strict=True)
    }
    figure = dots(
        pd.concat(parts).drop(columns=["who", "kind"], errors="ignore"), "share", "line", group="mark", looks=looks,
        panel="panel", title=title, unit="wrong answers a task", notes=["● chosen, with 95 %", f"grey: {_RANDOM}"],
        across="share of wrong names", shared=bool(whose.nunique() > 1), reach=_WHOLE, ticks=_HALVES,
    )  # fmt: skip
    texts = [f"{row.panel} {row.line} {row.share:.2f}, by chance {row.at_random:.2f}".strip().replace("<br>", " ")
            for row in table.itertuples()]  # fmt: skip
    return with_alt(_at_the_edge(figure), f"Wrong names. {'; '.join(texts)}.")


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


def _at_the_edge(figure: go.Figure) -> go.Figure:
    """Put title and notes into the corner of the page, so that a narrow page does not cut them."""
    return figure.update_layout(
        title={"xref": "container", "x": 0, "y": 1, "yanchor": "top", "pad": {"l": 12, "t": 20}}
    )


def _fitted(figure: go.Figure) -> go.Figure:
    """Fit a figure with a column for each task to a narrow page: names of columns are tilted, and one tick is named."""
    figure.for_each_annotation(lambda text: text.update(textangle=-65, font_size=12), lambda text: text.text != _ACROSS)
    figure.update_traces(cliponaxis=False)
    figure.update_xaxes(ticktext=["", "0.5", ""], tickangle=0)
    figure.update_layout(margin_t=figure.layout.margin.t + _TILTED, height=figure.layout.height + _TILTED)
    return _at_the_edge(figure)


def _accuracies(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of accuracy on a task, of `_players`."""
    rows = _players(rows)
    return rows[(rows.metric == ACCURACY) & rows.task.isin(TASKS)]


def _players(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with the names that people read, without the runs with one thing changed of `ablation.parts`."""
    changed = [f"mewl/{cell}" for cell, _ in PARTS.values() if cell.startswith("parts/")]
    return rows[~rows.cell.isin(changed)].assign(who=lambda table: table.who.map(called))


def _by_input(
    rows: pd.DataFrame, every: pd.DataFrame, floors: pd.DataFrame, columns, title: str, note: str, floor: str, **options
) -> go.Figure:  # fmt: skip
    """Return rows as lines of players under headings with their inputs, with strokes of their levels.

    The levels are those of ``floors``, and of the ideal observer in ``every`` row, on episodes of the same profile.
    """
    table, key = standings(rows, PRINTED), ["head", "line", "kind"]
    as_published = (table.profile == "as_published") & ~table.printed & ~table.kind.isin(("person", "you"))
    table["name"] = table.who + np.where(as_published, ", as published", "")
    others = table.kind.map({_FLOOR: "shortcuts", "observer": "observers"})
    heads = others.fillna(table.inputs.map(_INPUTS)).fillna(table.inputs)
    table = table.assign(head=heads, line="&nbsp;&nbsp;" + table.name)
    order = {head: k for k, head in enumerate((*_INPUTS.values(), "shortcuts", "observers"))}
    means = table.groupby(key).share.mean().reset_index()
    means = means.assign(place=means["head"].map(order).fillna(len(order)), machine=~means.kind.isin(("person", "you")))
    means = means.sort_values(["place", "machine", "share"], ascending=[True, True, False], kind="stable")
    table = table.merge(means[key].assign(at=range(len(means))), on=key)
    tops = every[every.who == _TOP].drop_duplicates(["profile", "task"])
    levels = pd.concat([floors, tops])[["profile", "task", "who", "kind", "value", "n"]]
    marks = table[table.kind.isin(_PLAYERS) & table.column.isin([*TASKS, _SHARE])]
    strokes = marks[["profile", "task", "column", "head", "line", "at"]].drop_duplicates()
    strokes = strokes.merge(levels, on=["profile", "task"])
    strokes = strokes.assign(share=strokes.value.astype(float), printed=False, name=strokes.who)
    drawn = pd.concat([strokes, table], ignore_index=True).sort_values("at", kind="stable")
    drawn = drawn.assign(
        column=pd.Categorical(drawn.column, columns), hover=drawn.name + "<br>" + drawn.line + ", n "
        + drawn.n.map("{:,.0f}".format) + drawn.share.map("<br>{:.3f}".format),
    )  # fmt: skip
    notes = [f"lines: 95 %; {note}", _MARKS, f"strokes: {floor} (grey) and ideal observer (green) on such episodes"]
    figure = dots(
        drawn.drop(columns="who"), "share", "line", panel="column", head="head", title=title, unit="answers a mark",
        notes=notes, reach=_WHOLE, ticks=_HALVES, **options,
    )  # fmt: skip
    named = drawn[drawn.column.isin([*TASKS, _SHARE])]
    return with_alt(figure, f"Share right. {in_words(named, 'name', 'task')}.")
