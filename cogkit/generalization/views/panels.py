"""Curves under stress and along a stream (figures 3b and 3c), and panels beyond the paper: chance, columns, claims.

Each function draws a tidy table of `stress`, `paper_analyses`, `rows` or `claims`.
"""

from __future__ import annotations

import re
import textwrap
from itertools import product

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit import stats
from cogkit.generalization.metric import calibrated
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.suites import PLAYERS
from cogkit.generalization.views import style
from cogkit.generalization.views.style import KEY, KINDS, STROKE, THIN, sided
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.figures import Level, dots, lines
from cogkit.ui.parts import span

_MEANT = {
    "A_c": "accuracy above chance",
    "P": "performance, from A_c",
    "S": "A_c under shift / without",
    "L": "importances like the recipe's",
}
_QUANTITIES = {"accuracy": "dot", "f(accuracy)": "dash", "GR*": "solid"}
_FEWEST = 5  # tasks; with fewer the t interval is wider than the page
_STRESSES = {  # panels, by curve and place of the spurious column
    ("spurious", "first"): "spurious column, the first",
    ("spurious", "last"): "spurious column, the last",
    ("shift", ""): "shift",
}
_STREAM = {"gr_star": "GR* now", "past": "accuracy on earlier tasks"}


def stress(curves: pd.DataFrame) -> go.Figure:
    """Return GR*, accuracy and f(accuracy) under stress, divided by their value without it (figure 3b).

    Curves are as `stress.curves` gives them for ``spurious`` and ``shift``. Each task is taken over its own value at
    level 0, and left out where that is 0.
    """
    table = curves.sort_values("level", kind="stable", ignore_index=True).fillna({"place": ""})
    table = table.assign(**{"f(accuracy)": metric.performance(table.accuracy), "GR*": table.gr_star})
    keys = ["curve", "place", "side"]
    start = table.groupby([*keys, "task"])[list(_QUANTITIES)].transform("first")
    table[list(_QUANTITIES)] /= start.where(start > 0)
    means = table.melt([*keys, "level", "task"], list(_QUANTITIES), "quantity").groupby(
        [*keys, "quantity", "level"], sort=False).value.agg(["mean", stats.mean_interval, "count"])  # fmt: skip
    n = np.unique(means["count"])
    means[["low", "high"]] = means.mean_interval.tolist() if n[0] >= _FEWEST else np.nan
    means = sided(means.reset_index())
    panels = [_STRESSES[pair] for pair in zip(means.curve, means.place, strict=True)]
    means["panel"] = pd.Categorical(panels, list(_STRESSES.values()))
    meant = "; ".join(f"{theme.DASHES[dash]} {name}" for name, dash in _QUANTITIES.items())
    bars = ", 95 % t intervals" if n[0] >= _FEWEST else f" (no intervals: fewer than {_FEWEST})"
    figure = lines(
        means, "level", "mean", group="quantity", panel="panel", row="side",
        title="GR*, accuracy and f(accuracy) = Acc (1 − U) under stress", height=220, margin={"r": 100},
        notes=[f"{KEY}; {meant}", f"mean over n = {span(n, ' to ')} tasks, each over its value at level 0{bars}"],
        looks={name: {"dash": dash, "size": 5} for name, dash in _QUANTITIES.items()}, levels=[Level(1)],
        across="strength of the column's link, or shift of columns in SD", up="times the value at level 0",
    )  # fmt: skip
    for row, side in enumerate(dict.fromkeys(means.side), 1):
        figure.update_yaxes(title=f"{side}<br>times the value at level 0", row=row, col=1)
    ends = means.groupby(["panel", "side", "quantity"], sort=False, observed=True).last()
    texts = [
        f"{panel}, {side}, at level {part.level.max():g}: "
        + ", ".join(f"{name} × {part['mean'][panel, side, name]:.2f}" for name in _QUANTITIES)
        for (panel, side), part in ends.groupby(level=[0, 1], sort=False, observed=True)
    ]
    return with_alt(figure, f"Means over {n[-1]} tasks of values over those at level 0. {'; '.join(texts)}.")


def continual(curves: pd.DataFrame) -> go.Figure:
    """Return GR* of the current task and accuracy on earlier ones along a stream of tasks (figure 3c).

    Curves are as `stress.curves` gives them for ``continual``.
    """
    n = curves.level.nunique()
    table = sided(curves).melt(["level", "side", "kind", "task"], list(_STREAM), "measure").dropna(subset="value")
    table = table.assign(measure=table.measure.map(_STREAM), place=table.level + 1)
    figure = lines(
        table, "place", group="side", row="measure", shared=False, height=180, shared_xaxes=True, margin={"r": 136},
        title="Along a stream of tasks: GR* now, and accuracy on what came before",
        notes=[f"{KEY}; one stream of n = {n} tasks; dashed: chance"],
        levels=[Level(1 / curves.classes.iloc[0], panel=_STREAM["past"])],
        across="place in the stream", up="", alt=f"One stream of {n} tasks",
    )  # fmt: skip
    figure.update_xaxes(dtick=1, range=[0.7, n + 0.3])
    for row, words in enumerate(_STREAM.values(), 1):
        figure.update_yaxes(title=f"{words}<br>(better ↑)", row=row)
    return figure


def chance(players: pd.DataFrame) -> go.Figure:
    """Return the paper's Acc (1 - U) over accuracy, and beside it P, which depends on the number of classes.

    Players are marked on both curves: columns name, accuracy, classes, and kind (a key of `theme.WHO`). The axes reach
    only as far as the marks need.
    """
    players, counts = players.sort_values("accuracy"), sorted(set(players.classes))
    above = calibrated.above_chance(players.accuracy.astype(float), 1 / players.classes.astype(float))
    players = players.assign(f=metric.performance(players.accuracy), p=calibrated.performance(above))
    top = max(1.6 * float(players[["f", "p"]].max().max()), 0.02)
    panels = {"f": "as published: f = Acc (1 − U)", "p": "calibrated: P, of accuracy above chance"}
    grid = np.linspace(0, 1, 201)
    worth = {f"P, {k} classes": calibrated.performance(calibrated.above_chance(grid, 1 / k)) for k in counts}
    curves = {"f": (panels["f"], metric.performance(grid))} | {name: (panels["p"], y) for name, y in worth.items()}
    table = pd.concat([
        pd.DataFrame({"who": name, "panel": panel, "accuracy": grid.round(3), "value": y.round(5)})
        for name, (panel, y) in curves.items()
    ])  # fmt: skip
    words = " and ".join(map(str, counts))
    figure = lines(
        table, "accuracy", panel="panel", named=False, height=300, reach=(-0.04 * top, top), across="accuracy",
        title="What an accuracy is worth: as published, and above chance", up="worth (better ↑)",
        notes=[f"dashed: chance with {words} classes" + "; both curves go on to 1 at an accuracy of 1" * (top < 1)],
        looks={name: {"dash": ("solid", "dash", "dot", "dashdot")[k % 4]} for k, name in enumerate(worth)},
    )  # fmt: skip
    for column, name in enumerate(panels, 1):
        for count in counts:
            figure.add_vline(1 / count, line=THIN, layer="below", row=1, col=column)
        marks = players.assign(value=players[name], hover=[
            f"{row.name}, {row.classes} classes<br>accuracy {row.accuracy:.3f}<br>{getattr(row, name):.5f}"
            for row in players.itertuples()
        ])  # fmt: skip
        dots(marks, y="accuracy", upright=True, on=(figure, 1, column))
        for row in marks.itertuples():
            figure.add_annotation(x=row.accuracy, y=row.value, text=f"{row.name}<br><b>{row.value:.4f}</b>",
                                  showarrow=False, yshift=26, bgcolor="white", row=1, col=column)  # fmt: skip
    figure.update_xaxes(range=[-0.02, 1.02], tickvals=[0, 0.25, 0.5, 0.75, 1]).update_traces(cliponaxis=False)
    texts = [f"f is 0 at one half whatever the classes, P is 0 up to chance, here with {words} classes"] + [
        f"{row.name}: accuracy {row.accuracy:.3f} of {row.classes} classes, f {row.f:.4f}, P {row.p:.4f}"
        for row in players.itertuples()
    ]
    return with_alt(figure, ". ".join(texts) + ".")


def column_orders(table: pd.DataFrame) -> go.Figure:
    """Return how similarly GR* ranks tasks after only the order of columns changes, a dot for each new order.

    The table is as `paper_analyses.column_orders`.
    """
    table = sided(table).assign(value=table.rho, mark="one order")
    middle = table.groupby("side", sort=False, observed=True).rho.quantile([0.025, 0.5, 0.975]).unstack()
    middle = middle.set_axis(["low", "value", "high"], axis=1).reset_index().assign(mark="median", shift=-0.3)
    middle = middle.assign(aside=middle.value.map("median {:.2f}".format), kind=middle.side.map(KINDS).astype(str))
    spots = table.groupby("side", observed=True).rho.transform(lambda rho: style.spread(len(rho), 0.4))
    both = pd.concat([table.assign(shift=spots, low=np.nan, high=np.nan, aside=""), middle])
    both["label"] = both.side.astype(str).map(lambda side: f"{side} {style.sign(KINDS[side])}")
    counts = table.groupby("side", sort=False, observed=True).size()
    n = " and ".join(dict.fromkeys(map(str, counts)))
    figure = dots(
        both, y="label", group="mark", shift="shift", aside="aside", height=20 + 88 * len(middle), margin={"r": 110},
        title="Does GR* agree with itself when columns change places?",
        notes=[f"n = {n} new orders of every task's columns, a dot each; stroke: median, line: 95 % of the dots"],
        across="Spearman's ρ of GR* with itself (steadier →)", levels=[Level(1, label="the same ranks")],
        looks={"one order": {"size": 6, "opacity": 0.6}, "median": {"symbol": "line-ns-open", "size": 12} | STROKE},
        reach=(min(0.0, float(table.rho.min())) - 0.06, 1.03),
    )  # fmt: skip
    words = [
        f"{row.side}: median {row.value:.2f}, 95 % from {row.low:.2f} to {row.high:.2f}, {counts[row.side]} orders"
        for row in middle.itertuples()
    ]
    return with_alt(figure, f"Spearman's correlation of GR* with itself after shuffling columns. {'; '.join(words)}.")


def components(rows: pd.DataFrame) -> go.Figure:
    """Return the calibrated components of all players: a row for each, floors first, a column for each component.

    The rows are under ``verified``: columns task, who, kind, metric, value, low, high and n. Several seeds of one
    player are several marks.
    """
    table = rows[rows.metric.isin(calibrated.COMPONENTS) & rows.value.notna() & (rows.task == "all")]
    kinds, roster = table.drop_duplicates("who").set_index("who").kind, list(PLAYERS)
    players = sorted(kinds.index, key=lambda who: (list(style.GLYPHS).index(kinds[who]), roster.index(who)))
    there = set(zip(table.who, table.metric, strict=True))
    every = pd.DataFrame(product(players, calibrated.COMPONENTS), columns=["who", "metric"])
    names = {name: f"{name}<br>{theme.small(words)}" for name, words in _MEANT.items()}
    table = every.merge(table.drop(columns="kind"), how="left")
    table = table.assign(kind=table.who.map(kinds), panel=table.metric.map(names))
    n = span(table.n.dropna(), " to ")
    figure = dots(
        table, panel="panel", title="Components of every player: all tasks", across="better →", ticks=(0, 0.5, 1),
        notes=[f"{style.key(dict.fromkeys(kinds[players]))}; n = {n} test rows; 95 % intervals; dashed: L unrelated"],
        reach=(-0.05, 1.05), levels=[Level(0.5, panel=names["L"])],
    )  # fmt: skip
    means = table.groupby(["who", "metric"], observed=True).value.mean()
    texts = [
        f"{who}: " + ", ".join(f"{name} {means[who, name]:.3f}" if (who, name) in there else f"{name} not there"
                               for name in calibrated.COMPONENTS)
        for who in players
    ]  # fmt: skip
    return with_alt(figure, f"Components over tasks all. {'; '.join(texts)}.")


def claims_over_seeds(table: pd.DataFrame) -> go.Figure:
    """Return in how many of the seeds each claim holds, a row for each claim, with a 95 % interval.

    The table is as `claims.claims`.
    """
    can = table[table.n > 0]
    low, high = (pd.Series(ends, can.index) for ends in stats.wilson(can.holds, can.n))
    texts = [f"{row.holds:.0f} of {row.n:.0f}" if row.n > 0 else "cannot be tested" for row in table.itertuples()]
    labels = [_claim(row.claim, row.printed) for row in table.itertuples()]
    n = span(can.n, " to ") if len(can) else "0"
    figure = dots(
        table.assign(value=can.holds / can.n, low=low, high=high, text=texts, label=labels)
        .drop(columns=["n", "printed"]),
        y="label", aside="text", title="What of the paper holds on our tasks, and in how many seeds", margin={"r": 136},
        notes=[f"n = {n} seeds of the generator of tasks; 95 % intervals (Wilson)"],
        across="share of seeds in which it holds (better →)", reach=(-0.02, 1.02), ticks=(0, 0.5, 1),
        levels=[Level(0, "zero")],
    )  # fmt: skip
    summary = "; ".join(f"{claim}: {text}" for claim, text in zip(table.claim, texts, strict=True))
    return with_alt(figure, f"Seeds in which each claim holds. {summary}.")


def claims_over_recipes(shares: pd.DataFrame, seeds: pd.DataFrame) -> go.Figure:
    """Return in which share of recipes each claim holds, beside the share of seeds of our own recipe.

    ``shares`` are as `multiverse.shares`, ``seeds`` as `claims.claims`. A note counts the claims
    without any recipe.
    """
    own = seeds.set_index("claim").loc[shares.claim].reset_index()
    table = shares.assign(
        value=shares.holds / shares.n, mark="", label=[_claim(row.claim, row.printed) for row in own.itertuples()],
        text=[f"{row.holds} of {row.n}" for row in shares.itertuples()], own=own.holds / own.n,
    )  # fmt: skip
    table = table[table.n > 0]
    marks = pd.concat([table, table.assign(value=table.own, mark="ours", text="")])
    left = len(shares) - len(table)
    figure = dots(
        marks.drop(columns="n"), y="label", aside="text", group="mark", margin={"r": 136},
        title="What of the paper holds in how many recipes that it allows",
        notes=[
            f"● n = {span(table.n, ' to ')} recipes, one seed each: a description, so no interval; □ our own recipe",
            f"claims that need other runs, or cannot be tested, have no share: {left}",
        ],
        across="share in which it holds (better →)", reach=(-0.02, 1.02), ticks=(0, 0.5, 1), levels=[Level(0, "zero")],
        looks={"ours": {"symbol": "square-open", "size": 10} | STROKE},
    )  # fmt: skip
    summary = "; ".join(f"{row.claim}: {row.text}, own recipe {row.own:.2f}" for row in table.itertuples())
    return with_alt(figure, f"Recipes in which each claim holds. {summary}.")


def _claim(claim: str, printed) -> str:
    """Return a claim in lines, with the printed number if the claim does not contain it."""
    lines = textwrap.wrap(re.sub(r" ([<>=≥]) ", "\u00a0\\1\u00a0", claim), 46)  # a number stays with its sign
    number = "" if pd.isna(printed) else printed if isinstance(printed, str) else f"{printed:g}"
    if number and number.removeprefix("0") not in claim:
        lines[-1] += f" {theme.small(f'printed: {number}')}"
    return "<br>".join(lines)
