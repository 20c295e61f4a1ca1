"""Figures of MEWL: the accuracy of every player on every task, and the wrong names that they choose."""

from __future__ import annotations

import textwrap

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.mewl.learners import agents
from cogkit.mewl.learners.ablation import TEXT_ALONE, above
from cogkit.mewl.paper.reported import PRINTED
from cogkit.mewl.problems.episodes import CHANCE, TASKS
from cogkit.mewl.scoring import ACCURACY
from cogkit.mewl.views.names import called
from cogkit.ui import theme
from cogkit.ui.dots import BETTER, ORDER, dots, player_mark, standings
from cogkit.ui.parts import in_words, span

_WAY = "of the way to<br>all right (better →)"  # two lines: long names leave little room
_HALVES = (0, 0.5, 1)
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


def everybody(rows: pd.DataFrame, title: str = "Everybody on every task") -> go.Figure:
    """Return every player on every task: a row for each, a column for each task.

    ``rows`` are of the metric ``accuracy``; others are left out. Every row is a mark, even if a player has several rows
    for one task. Printed results of models (`reported.result_rows`) have a different mark.
    """
    rows = _accuracies(rows)
    names = (rows.who + " (" + rows.inputs + ")").where(rows.kind.isin(["model", "yours", "proxy"]), rows.who)
    rows = standings(rows, PRINTED, names)
    rows = rows.assign(task=pd.Categorical(rows.task, TASKS)).sort_values(["task", "line"])
    note = f"n = {span(rows.n)} answers a mark; lines: 95 %; dashed: one in five"
    note += "<br>○ printed; do not rank a learner that reads captions against one that sees pixels" * bool(
        rows.printed.any()
    )
    words = in_words(rows.sort_values(["line", "task"]), "line", "task")
    return _fitted(dots(
        rows, "task", "line", title, note, _ACROSS, f"Share right. {words}.", shared=True,
        mark=player_mark, series=["name", "printed"], chance=CHANCE,
    ))  # fmt: skip


def by_inputs(rows: pd.DataFrame, title: str = "Everybody, by what they are given") -> go.Figure:
    """Return every model and person on every task, grouped by their inputs.

    Other metrics than ``accuracy`` are left out. Floors and the ideal observer have no separate line. Instead, strokes
    beside each mark show the best floor and the ideal observer on episodes of the same profile.
    """
    rows = _accuracies(rows)
    table = _lines_by_input(rows[rows.kind.isin(_PLAYERS)]).assign(column=lambda t: t.task)
    floors = rows[(rows.kind == _FLOOR)].sort_values("value").drop_duplicates(["profile", "task"], keep="last")
    table = pd.concat([_strokes(rows, floors, table), table], ignore_index=True)
    table = table.assign(column=pd.Categorical(table.column, TASKS)).sort_values("column", kind="stable")
    note = f"n = {span(table.n)} answers a mark; lines: 95 %; compare within a group only"
    note += f"<br>{_MARKS}<br>strokes: best shortcut (grey) and ideal observer (green) on such episodes"
    return _fitted(dots(
        table, "column", "line", title, note, _ACROSS, f"Share right. {in_words(table, 'name', 'task')}.", shared=True,
        mark=player_mark, series=["name", "kind", "printed"],
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
    parts = {"share right": marks, "above text alone": further[(further.task == task) & further.who.isin(marks.who)]}
    parts |= {f"of an {_PAIR}": new_pairs[new_pairs.who.isin(marks.who)]} if len(new_pairs) else {}
    table = _lines_by_input(pd.concat([part.assign(column=name) for name, part in parts.items()], ignore_index=True))
    strokes = _strokes(plain, text, table[(table.column == "share right") & table.playing])
    table = pd.concat([strokes, table], ignore_index=True)
    table = table.assign(column=pd.Categorical(table.column, list(parts))).sort_values("column", kind="stable")
    note = f"n = {span(table.n)} answers a mark; lines: 95 %; dashed: no more than text alone"
    note += f"<br>{_MARKS}<br>strokes: text alone (grey) and ideal observer (green) on such episodes"
    figure = dots(
        table, "column", "line", title or f"Everybody on {task}", note, "",
        f"Share right. {in_words(table[table.column == 'share right'], 'name', 'task')}.", shared=True,
        mark=player_mark, series=["name", "kind", "printed"], ticks=_HALVES,
    )  # fmt: skip
    low = min(-0.1, table.share[table.column == "above text alone"].min() - 0.05)
    small = {"size": 12}
    figure.update_xaxes(title={"text": BETTER, "font": small}, col=1)
    figure.update_xaxes(range=[low, 1.06], title={"text": _WAY, "font": small}, col=2)
    figure.add_vline(0, line=theme.stroke(_FLOOR), layer="below", col=2, row=1)
    return _at_the_edge(figure)


def _at_the_edge(figure: go.Figure) -> go.Figure:
    """Put title and notes into the corner of the page, so that a narrow page does not cut them."""
    return figure.update_layout(
        title={"xref": "container", "x": 0, "y": 1, "yanchor": "top", "pad": {"l": 12, "t": 20}}
    )


def _fitted(figure: go.Figure) -> go.Figure:
    """Fit a figure with a column for each task to a narrow page: names of columns are tilted, and one tick is named."""
    figure.for_each_annotation(lambda text: text.update(textangle=-65, font_size=12), lambda text: text.text != _ACROSS)
    figure.update_traces(cliponaxis=False)
    figure.update_xaxes(tickvals=_HALVES, ticktext=["", "0.5", ""], tickangle=0)
    figure.update_layout(margin_t=figure.layout.margin.t + _TILTED, height=figure.layout.height + _TILTED)
    return _at_the_edge(figure)


def _accuracies(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of accuracy on a task, of `_players`."""
    rows = _players(rows)
    return rows[(rows.metric == ACCURACY) & rows.task.isin(TASKS)]


def _players(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with the names that people read, without those of a learner with one thing changed.

    These stand in the table of `ablation.parts`.
    """
    changed = rows.who.str.endswith(tuple(f", {change}" for change in agents.CHANGES.values()))
    return rows[~changed].assign(who=lambda table: table.who.map(called))


def _lines_by_input(rows: pd.DataFrame) -> pd.DataFrame:
    """Return result rows with the columns for `dots`: a line for each player, under a heading with its inputs."""
    rows = standings(rows, PRINTED)
    as_published = (rows.profile == "as_published") & ~rows.printed & ~rows.kind.isin(("person", "you"))
    rows = rows.assign(name=rows.who + np.where(as_published, ", as published", ""), playing=rows.kind.isin(_PLAYERS))
    headings = rows.inputs.map(_INPUTS).fillna(rows.inputs)
    headings = headings.where(rows.playing, rows.kind.map({_FLOOR: "shortcuts", "observer": "observers"}))
    rows = rows.assign(group="<b>" + headings + "</b>", line="&nbsp;&nbsp;" + rows.name)
    order = {f"<b>{name}</b>": k for k, name in enumerate((*_INPUTS.values(), "shortcuts", "observers"))}
    means = rows.groupby(["group", "line", "kind"]).agg(share=("share", "mean")).reset_index()
    means = means.assign(
        place=means.group.map(order).fillna(len(order)), machine=~means.kind.isin(("person", "you"))
    ).sort_values(["place", "machine", "share"], ascending=[True, True, False], kind="stable")
    lines = []
    for group, part in means.groupby("group", sort=False):
        lines += [group, *part.line]
    return rows.assign(line=pd.Categorical(rows.line, list(dict.fromkeys(lines))))


def _strokes(rows: pd.DataFrame, floors: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Return, for each line and column of a table, the accuracy of a floor and the ideal observer on such episodes."""
    tops = rows[rows.who == _TOP].drop_duplicates(["profile", "task"])
    levels = pd.concat([floors, tops])[["profile", "task", "who", "kind", "value", "n"]]
    places = table[["profile", "task", "column", "line"]].drop_duplicates()
    lines = places.merge(levels, on=["profile", "task"])
    return lines.assign(
        share=lines.value.astype(float), low=float("nan"), high=float("nan"), shift=0.0, printed=False, name=lines.who,
        line=lines.line.astype(table.line.dtype),
    )  # fmt: skip


def wrong(table: pd.DataFrame, title: str = "Which wrong names are chosen") -> go.Figure:
    """Return kinds of wrong names as shares of all wrong names, task by task, and the same shares by chance.

    The table comes from `patterns.errors`. If it has a column ``who``, the figure has a column for each player.
    """
    whose = table.get("who", pd.Series("", table.index)).map(lambda who: "<br>".join(textwrap.wrap(who, _LETTERS)))
    lines = table.kind if table.task.nunique() == 1 else table.task + ": " + table.kind
    table = table.assign(line=pd.Categorical(lines, list(dict.fromkeys(lines))), panel=whose, shift=0.0, n=table.errors)
    choices = table.assign(who="chosen", colour=theme.INK, symbol="circle")
    chance = table.assign(
        who="if all were equally likely", share=table.at_random, low=float("nan"), high=float("nan"),
        colour=theme.WHO["floor"].colour, symbol="line-ns-open",
    )  # fmt: skip
    note = f"● chosen, with 95 %; n = {span(table.errors)} wrong answers a task<br>grey: if all were equally likely"
    texts = [f"{row.panel} {row.line} {row.share:.2f}, by chance {row.at_random:.2f}".strip().replace("<br>", " ")
            for row in table.itertuples()]  # fmt: skip
    return _at_the_edge(dots(
        pd.concat([choices, chance]), "panel", "line", title, note, "share of wrong names",
        f"Wrong names. {'; '.join(texts)}.", mark=_choice_mark, series=["who"], shared=bool(whose.nunique() > 1),
        ticks=_HALVES,
    ))  # fmt: skip


def _choice_mark(part: pd.DataFrame) -> dict:
    colour = part.colour.iloc[0]
    return {"symbol": part.symbol.iloc[0], "size": 9, "color": colour, "line": {"width": 2, "color": colour}}
