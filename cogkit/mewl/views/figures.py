"""Figures of MEWL: who is how right on which task, and which wrong names are chosen."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from cogkit.contracts import InputError
from cogkit.mewl.episodes import OPTIONS, TASKS
from cogkit.mewl.reported import PRINTED
from cogkit.mewl.scoring import ACCURACY
from cogkit.plots import theme
from cogkit.plots.dots import dots, span
from cogkit.plots.parts import marker

BETTER = "share right (better →)"
_ORDER = ("floor", "model", "proxy", "person", "you", "observer")
_HALVES = (0, 0.5, 1)


def everybody(rows: pd.DataFrame, title: str = "Everybody on every task") -> go.Figure:
    """Return every player on every task: a row for each, a column for each task.

    Parameters
    ----------
    rows : DataFrame
        Result rows (`contracts.RESULT_COLUMNS`) of the metric ``accuracy``; other rows are left out. Of several rows of
        one player and task each is a mark. What is printed (`reported.result_rows`) of models has a mark of its own.
    title : str

    Raises
    ------
    InputError
        No row of any task.
    """
    rows = rows[(rows.metric == ACCURACY) & rows.task.isin(TASKS)]
    if rows.empty:
        raise InputError("no accuracy on a task", f"result rows of {', '.join(TASKS)}")
    printed = rows.source.astype(str).str.startswith(PRINTED) & (rows.kind == "model")
    rows = rows.assign(
        kind=rows.kind.mask(rows.who == "you", "you"), share=rows.value.astype(float), printed=printed, shift=0.0
    )
    rows["name"] = rows.who + " (" + rows.inputs + ")"
    rows["name"] = rows.name.where(rows.kind.isin(["model", "proxy"]), rows.who)
    means = rows.groupby(["kind", "name"]).share.mean()
    lines = sorted(means.index, key=lambda line: (_ORDER.index(line[0]), means[line]), reverse=True)
    rows["line"] = pd.Categorical(rows.name, list(dict.fromkeys(name for _, name in lines)))
    rows = rows.assign(task=pd.Categorical(rows.task, TASKS)).sort_values(["task", "line"])
    note = f"n = {span(rows.n)} answers a mark; lines: 95 %; dashed: one in five"
    note += "<br>○ printed; what is read, or seen as true slots, is not to be ranked with pixels" * bool(printed.any())
    told = []
    for line, own in rows.groupby("line", observed=True):
        shares = own.groupby("task", observed=True).share.mean()
        told.append(f"{line}: " + ", ".join(f"{task} {share:.3f}" for task, share in shares.items()))
    return dots(
        rows, "task", "line", title, note, BETTER, f"Share right. {'; '.join(told)}.", shared=True, mark=_mark,
        series=["name", "printed"], chance=1 / OPTIONS, ticks=_HALVES,
    )  # fmt: skip


def _mark(part: pd.DataFrame) -> dict:
    if part.printed.iloc[0]:
        return {"symbol": "circle-open", "color": theme.INK, "size": 9, "line": {"width": 2}}
    return marker(part.who.iloc[0], part.kind.iloc[0])


def wrong(table: pd.DataFrame, title: str = "Which wrong names are chosen") -> go.Figure:
    """Return kinds of wrong names as shares of all wrong ones, task by task, beside what chance would choose.

    Parameters
    ----------
    table : DataFrame
        As `patterns.errors` gives it.
    title : str

    Raises
    ------
    InputError
        Nobody was wrong.
    """
    if table.empty:
        raise InputError("no wrong answer", "a table of patterns.errors with some")
    table = table.assign(line=table.task + ": " + table.kind, panel="", shift=0.0, n=table.errors)
    chosen = table.assign(who="chosen", colour=theme.INK, symbol="circle")
    chance = table.assign(
        who="if all were as likely", share=table.at_random, low=float("nan"), high=float("nan"),
        colour=theme.WHO["floor"].colour, symbol="circle-open",
    )  # fmt: skip
    note = f"● chosen, with 95 %; ○ if all were as likely; n = {span(table.errors)} wrong answers a task"
    told = [f"{row.line} {row.share:.2f}, by chance {row.at_random:.2f}" for row in table.itertuples()]
    return dots(
        pd.concat([chosen, chance]), "panel", "line", title, note, "share of wrong answers",
        f"Wrong names. {'; '.join(told)}.", mark=_as_told, series=["who"],
    )  # fmt: skip


def _as_told(part: pd.DataFrame) -> dict:
    colour = part.colour.iloc[0]
    return {"symbol": part.symbol.iloc[0], "size": 9, "color": colour, "line": {"width": 2, "color": colour}}
