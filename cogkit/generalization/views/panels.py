"""Curves under stress and along a stream (figures 3b and 3c), and panels beyond the paper: chance, columns, claims.

Each function draws a tidy table of `stress`, `paper_analyses`, `rows` or `claims`.
"""

from __future__ import annotations

import re
import textwrap

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit import stats
from cogkit.core import presets
from cogkit.core.errors import InputError
from cogkit.generalization.metric import calibrated
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.suites import PLAYERS
from cogkit.generalization.views import style
from cogkit.generalization.views.style import KEY, MARKS, STROKE, THIN, ZERO, mark
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.parts import apart, beside, error_bars, interval, line, marker, marks, name_ends, name_rows, span

_MEANT = {
    "A_c": "accuracy above chance",
    "P": "performance, from A_c",
    "S": "A_c under shift / without",
    "L": "importances like the recipe's",
}
_QUANTITIES = {"accuracy": "dot", "f(accuracy)": "dash", "GR*": "solid"}
_FEWEST = 5  # tasks; with fewer the t interval is wider than the page
_STRESSES = {  # by curve and place of the spurious column: the panel, and the meaning of its levels
    ("spurious", "first"): ("spurious column, the first", "strength of its link"),
    ("spurious", "last"): ("spurious column, the last", "strength of its link"),
    ("shift", ""): ("shift", "shift of columns, SD"),
}
_ROW, _FURTHER = 26, 16  # pixels for a claim, and for each further line of its text


def stress(curves: pd.DataFrame) -> go.Figure:
    """Return GR*, accuracy and f(accuracy) under stress, divided by their value without it (figure 3b).

    Curves are as `stress.curves` gives them for ``spurious`` or ``shift``, or both below each other. Each task is taken
    over its own value at level 0, and left out where that is 0.
    """
    table = curves.sort_values("level", kind="stable")
    worth = {"f(accuracy)": metric.performance(table.accuracy), "GR*": table.gr_star}
    table, keys = table.assign(place=table.place.fillna(""), **worth), ["curve", "place", "side", "task"]
    pairs = set(zip(table.curve, table.place, strict=True))
    start = table.groupby(keys)[list(_QUANTITIES)].transform("first")
    table[list(_QUANTITIES)] /= start.where(start > 0)
    names = [name for name in MARKS if name in set(table.side)]
    panels = [panel for panel in _STRESSES if panel in pairs]
    grid = [[(panel, side) for panel in panels] for side in names]
    grid = [sum(grid, [])] if len(panels) == 1 else grid
    n = np.unique(table.groupby(keys[:3]).task.nunique())
    bars = ", 95 % t intervals" if n[0] >= _FEWEST else f" (no intervals: fewer than {_FEWEST})"
    note = f"{KEY}; mean over n = {' to '.join(map(str, n))} tasks, each over its value at level 0{bars}"
    figure = theme.figure(
        "GR*, accuracy and f(accuracy) = Acc (1 − U) under stress", 160 + 250 * len(grid), note, rows=len(grid),
        columns=len(grid[0]), shared_yaxes=True, horizontal_spacing=0.1, vertical_spacing=0.1, margin={"r": 100},
        column_titles=[_STRESSES[panel][0] for panel in panels] if len(panels) > 1 else names,
    )  # fmt: skip
    texts, highest = [], 1.05
    for r, row in enumerate(grid, 1):
        for c, (panel, side) in enumerate(row, 1):
            part = table[(table.curve == panel[0]) & (table.place == panel[1]) & (table.side == side)]
            ends, cell = {}, {"row": r, "col": c}
            for name, dash in _QUANTITIES.items():
                levels = [(level, values.mean(), *_interval(values)) for level, values in part.groupby("level")[name]]
                means = pd.DataFrame(levels, columns=["level", "mean", "low", "high"])
                line(
                    figure, means.level, means["mean"], {"color": MARKS[side].colour, "dash": dash, "width": 1.8},
                    f"{side}<br>{name} × %{{y:.3f}}<br>level %{{x}}", mode="lines+markers", marker=mark(side, 5),
                    error_y=error_bars(means, "mean") | {"thickness": 1} if n[0] >= _FEWEST else None, **cell,
                )  # fmt: skip
                ends[name] = means["mean"].iloc[-1]
                highest = max(highest, means["mean"].max(), means.high.max() if n[0] >= _FEWEST else 0)
            last = ", ".join(f"{name} × {value:.2f}" for name, value in ends.items())
            texts.append(f"{_STRESSES[panel][0]}, {side}, at level {part.level.max():g}: {last}")
            if abs(ends["GR*"] - ends["f(accuracy)"]) < 0.01:  # the lines overlap, as under a shift
                ends = {"accuracy": ends["accuracy"], "GR* and<br>f(accuracy)": ends["GR*"]}
            labels = [(height, name, None) for name, height in ends.items()]
            name_ends(figure, labels, 0.08, shift=4, size=11, xref="x domain", align="left", **cell)
            figure.add_hline(1, line=THIN, **cell)
            if r == len(grid):
                figure.update_xaxes(title=_STRESSES[panel][1], **cell)
        place = f"{row[0][1]}<br>" if len(panels) > 1 else ""
        figure.update_yaxes(title=f"{place}times the value at level 0", row=r, col=1)
    figure.update_yaxes(range=[0, 1.04 * highest])
    return with_alt(figure, f"Means over {n[-1]} tasks of values over those at level 0. {'; '.join(texts)}.")


def continual(curves: pd.DataFrame) -> go.Figure:
    """Return GR* of the current task and accuracy on earlier ones along a stream of tasks (figure 3c).

    Curves are as `stress.curves` gives them for ``continual``, with classes, if known, for the line of chance.
    """
    names, n = [name for name in MARKS if name in set(curves.side)], curves.level.nunique()
    level = 1 / curves.classes.iloc[0] if "classes" in curves and curves.classes.nunique() == 1 else np.nan
    note = f"{KEY}; one stream of n = {n} tasks" + "; dashed: chance" * (not np.isnan(level))
    figure = theme.figure(
        "Along a stream of tasks: GR* now, and accuracy on what came before", 560, note, rows=2,
        margin={"t": 100, "r": 136}, shared_xaxes=True, vertical_spacing=0.1,
    )  # fmt: skip
    texts = []
    for row, (name, words) in enumerate({"gr_star": "GR* now", "past": "accuracy on earlier tasks"}.items(), 1):
        floor, ends = 0.0 if row == 1 else np.nanmin([level, curves.past.min()]), []
        top = curves[name].max() + 0.08 * (curves[name].max() - floor)
        for side in names:
            part = curves[curves.side == side].sort_values("level").dropna(subset=[name])
            if part.empty:
                continue
            line(
                figure, part.level + 1, part[name], {"color": MARKS[side].colour, "width": 1.5},
                f"%{{customdata}}, {side}<br>{words} %{{y:.3f}}", mode="lines+markers", marker=mark(side),
                customdata=part.task, row=row, col=1,
            )  # fmt: skip
            ends.append((part[name].iloc[-1], side, None))
            texts.append(f"{words}, {side}: {', '.join(f'{value:.3f}' for value in part[name])}")
        name_ends(figure, ends, 0.1 * (top - floor), xref="x domain", row=row, col=1)
        figure.update_yaxes(range=[floor - 0.08 * (top - floor) * (row == 2), top], row=row)
        figure.update_yaxes(title=f"{words}<br>(better ↑)", row=row)
    if not np.isnan(level):
        figure.add_hline(level, line=THIN, row=2, col=1)
    figure.update_xaxes(dtick=1, range=[0.7, n + 0.3])
    figure.update_xaxes(title="place in the stream", row=2)
    return with_alt(figure, f"One stream of {n} tasks. {'; '.join(texts)}.")


def chance(accuracies: pd.DataFrame | None = None, classes: int = 5) -> go.Figure:
    """Return the paper's Acc (1 - U) over accuracy, and beside it P, which depends on the number of classes.

    ``accuracies`` are players to mark on both curves: columns name, accuracy, classes, and kind (a key of `theme.WHO`)
    if it is known. The axes then reach only as far as the marks need. ``classes`` is for the curve of P without marks.
    """
    players = pd.DataFrame({"name": [], "accuracy": [], "classes": [], "kind": []})
    if accuracies is not None:
        players = accuracies.assign(kind=accuracies.get("kind", "you")).sort_values("accuracy")
    counts = sorted({int(k) for k in players.classes}) or [classes]
    if counts[0] < 2:
        raise InputError(f"{counts[0]} classes", "two or more")
    above = calibrated.above_chance(players.accuracy.astype(float), 1 / players.classes.astype(float))
    players = players.assign(f=metric.performance(players.accuracy), p=calibrated.performance(above))
    top = max(1.6 * float(players[["f", "p"]].max().max()), 0.02) if len(players) else 1.04
    words = " and ".join(map(str, counts))
    note = f"dashed: chance with {words} classes" + "; both curves go on to 1 at an accuracy of 1" * (top < 1)
    figure = theme.figure(
        "What an accuracy is worth: as published, and above chance", 440, note, columns=2, shared_yaxes=True,
        horizontal_spacing=0.05,
        column_titles=["as published: f = Acc (1 − U)", "calibrated: P, of accuracy above chance"],
    )  # fmt: skip
    grid = np.linspace(0, 1, 201)
    curves = [(1, "f", metric.performance(grid), "solid")]
    for k, count in enumerate(counts):
        worth = calibrated.performance(calibrated.above_chance(grid, 1 / count))
        curves.append((2, f"P, {count} classes", worth, ("solid", "dash", "dot", "dashdot")[k % 4]))
    for column, name, worth, dash in curves:
        stroke = {"color": theme.INK, "width": 1.5, "dash": dash, "simplify": False}
        hover = f"{name} %{{y:.4f}}<br>accuracy %{{x:.3f}}"
        line(figure, grid.round(3), worth.round(5), stroke, hover, row=1, col=column)
    # Labels are in a row at the top, in the order of the marks, so that no lines cross. Labels of P, which rises, are
    # a little to the left.
    heights = apart(players.accuracy, 0.14)
    heights -= (heights - players.accuracy).mean() if len(players) else 0
    for column, measure, left in ((1, "f", 0), (2, "p", 0.06)):
        for count in counts:
            figure.add_vline(1 / count, line=THIN, layer="below", row=1, col=column)
        for row, label in zip(players.itertuples(), heights - left, strict=True):
            value, kind = getattr(row, measure), presets.choose(row.kind, theme.WHO, "kind of player")
            marks(
                figure, row.accuracy, value, theme.mark(kind, 10, 2),
                f"{row.name}, {row.classes} classes<br>accuracy %{{x:.3f}}<br>%{{y:.5f}}", row=1, col=column,
                cliponaxis=False,
            )  # fmt: skip
            axes = {"axref": ("x", "x2")[column - 1], "ayref": ("y", "y2")[column - 1]}
            figure.add_annotation(
                x=row.accuracy, y=value, ax=label, ay=0.9 * top, text=f"{row.name}<br><b>{value:.4f}</b>", **axes,
                arrowhead=0, arrowwidth=1, arrowcolor=theme.QUIET, standoff=7, bgcolor="white", row=1, col=column,
            )  # fmt: skip
    figure.update_xaxes(title="accuracy", range=[-0.02, 1.02], tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure.update_yaxes(range=[-0.04 * top, top])
    figure.update_yaxes(title="worth (better ↑)", col=1)
    texts = [f"f is 0 at one half whatever the classes, P is 0 up to chance, here with {words} classes"] + [
        f"{row.name}: accuracy {row.accuracy:.3f} of {row.classes} classes, f {row.f:.4f}, P {row.p:.4f}"
        for row in players.itertuples()
    ]
    return with_alt(figure, ". ".join(texts) + ".")


def column_orders(table: pd.DataFrame) -> go.Figure:
    """Return how similarly GR* ranks tasks after only the order of columns changes, a dot for each new order.

    The table is as `paper_analyses.column_orders`.
    """
    names = [name for name in MARKS if name in set(table.side)]
    n = " and ".join(dict.fromkeys(str((table.side == name).sum()) for name in names))
    note = f"n = {n} new orders of every task's columns, a dot each; stroke: median, line: 95 % of the dots"
    title = "Does GR* agree with itself when columns change places?"
    figure = theme.figure(title, 150 + 88 * len(names), note)
    words = []
    for place, name in enumerate(names):
        rho = np.sort(table.rho[table.side == name].to_numpy())
        low, middle, high = np.quantile(rho, [0.025, 0.5, 0.975])
        marks(
            figure, rho, -place + style.spread(len(rho), 0.4), mark(name, 6) | {"opacity": 0.6},
            f"{name}<br>ρ with itself %{{x:.3f}}",
        )  # fmt: skip
        marks(
            figure, middle, -place - 0.3, {"symbol": "line-ns-open", "size": 12} | STROKE, f"{name}, median %{{x:.3f}}",
            mode="markers+text", error_x=interval(middle, low, high), text=[f"{middle:.2f}"],
            textposition="bottom center",
        )  # fmt: skip
        words.append(f"{name}: median {middle:.2f}, 95 % from {low:.2f} to {high:.2f}, {len(rho)} orders")
    figure.add_vline(1, line=THIN, layer="below")
    figure.add_annotation(
        x=1, y=1, yref="paper", text="the same ranks", showarrow=False, xanchor="right", yanchor="bottom",
        font={"size": 11, "color": theme.QUIET},
    )  # fmt: skip
    least = min(0.0, float(table.rho.min()))
    figure.update_xaxes(title="Spearman's ρ of GR* with itself (steadier →)", range=[least - 0.06, 1.03], **ZERO)
    rows = {f"{name} {style.SIGNS[name]}": -k for k, name in enumerate(names)}
    name_rows(figure, rows, range=[0.34 - len(names), 0.34], showgrid=False)
    return with_alt(figure, f"Spearman's correlation of GR* with itself after shuffling columns. {'; '.join(words)}.")


def components(rows: pd.DataFrame, task: str = "all") -> go.Figure:
    """Return the calibrated components of all players: a row for each, floors first, a column for each component.

    The rows are under ``verified``: columns task, who, kind, metric, value, low, high, and n if it is known. Several
    seeds of one player are several marks. ``task`` is a family, or all.
    """
    table = rows[rows.metric.isin(calibrated.COMPONENTS) & rows.value.notna()]
    table = table[table.task == presets.choose(task, dict.fromkeys(table.task), "set of tasks")]
    order, roster = list(style.GLYPHS), list(PLAYERS)
    kinds = table.drop_duplicates("who").set_index("who").kind
    kinds = dict(sorted(
        ((player, presets.choose(kind, order, "kind of player")) for player, kind in kinds.items()),
        key=lambda pair: (order.index(pair[1]), roster.index(pair[0]) if pair[0] in roster else len(roster)),
    ))  # fmt: skip
    place = {player: -k for k, player in enumerate(kinds)}
    n = span(table.n, " to ") if "n" in table else "unknown"
    bars = "; 95 % intervals" if table.low.notna().any() else ""
    note = f"{style.key(dict.fromkeys(kinds.values()))}; n = {n} test rows{bars}; dashed: L unrelated"
    figure = theme.figure(
        f"Components of every player: {'all tasks' if task == 'all' else task}", 176 + 30 * len(place), note, columns=4,
        margin={"t": 136}, shared_yaxes=True, horizontal_spacing=0.03,
        column_titles=[f"{name}<br>{theme.small(words)}" for name, words in _MEANT.items()],
    )  # fmt: skip
    texts: dict[str, list[str]] = {player: [] for player in kinds}
    for column, name in enumerate(calibrated.COMPONENTS, 1):
        for player, kind in kinds.items():
            part = table[(table.metric == name) & (table.who == player)]
            texts[player].append(f"{name} {part.value.mean():.3f}" if len(part) else f"{name} not there")
            if part.empty:
                figure.add_annotation(
                    x=0.5, y=place[player], text="not there", showarrow=False, row=1, col=column, bgcolor="white",
                    font={"size": 11, "color": theme.QUIET},
                )  # fmt: skip
                continue
            marks(
                figure, part.value, [place[player]] * len(part), marker(player, kind),
                f"{player}<br>{name} %{{x:.3f}}<br>%{{customdata}}", error_x=error_bars(part, "value"),
                customdata=[f"n {n}" for n in part.get("n", part.who)], row=1, col=column,
            )  # fmt: skip
    figure.update_xaxes(range=[-0.05, 1.05], tickvals=[0, 0.5, 1], ticktext=["0", ".5", "1"], title="better →", **ZERO)
    figure.add_vline(0.5, line=THIN, layer="below", row=1, col=4)
    name_rows(figure, place)
    summary = "; ".join(f"{player}: {', '.join(values)}" for player, values in texts.items())
    return with_alt(figure, f"Components over tasks {task}. {summary}.")


def claims_over_seeds(table: pd.DataFrame) -> go.Figure:
    """Return in how many of the seeds each claim holds, a row for each claim, with a 95 % interval.

    The table is as `claims.claims`.
    """
    table = table.reset_index(drop=True)
    can = table[table.n > 0]
    low, high = stats.wilson(can.holds, can.n)
    can = can.assign(share=can.holds / can.n, low=low, high=high)
    texts = [f"{row.holds:.0f} of {row.n:.0f}" if row.n > 0 else "cannot be tested" for row in table.itertuples()]
    labels = [_claim(row.claim, row.printed) for row in table.itertuples()]
    heights = np.array([_ROW + _FURTHER * label.count("<br>") for label in labels])
    middles = heights / 2 - np.cumsum(heights)  # the axis is in pixels
    n = span(can.n, " to ") if len(can) else "0"
    note = f"n = {n} seeds of the generator of tasks; 95 % intervals (Wilson)"
    figure = theme.figure(
        "What of the paper holds, and in how many seeds", 152 + heights.sum(), note, margin={"r": 136},
    )  # fmt: skip
    marks(
        figure, can.share, middles[can.index], {"color": theme.INK, "size": 9}, "%{customdata} seeds",
        error_x=error_bars(can, "share"), customdata=[texts[k] for k in can.index],
    )  # fmt: skip
    for y, text in zip(middles, texts, strict=True):
        beside(figure, y, text, 12)
    figure.update_xaxes(
        title="share of seeds in which it holds (better →)", range=[-0.02, 1.02], tickvals=[0, 0.5, 1], **ZERO
    )
    figure.update_yaxes(tickvals=middles, ticktext=labels, range=[-heights.sum() - 4, 4], zeroline=False)
    summary = "; ".join(f"{claim}: {text}" for claim, text in zip(table.claim, texts, strict=True))
    return with_alt(figure, f"Seeds in which each claim holds. {summary}.")


def _claim(claim: str, printed) -> str:
    """Return a claim in lines, with the printed number if the claim does not contain it."""
    lines = textwrap.wrap(re.sub(r" ([<>=≥]) ", "\u00a0\\1\u00a0", claim), 46)  # a number stays with its sign
    number = "" if pd.isna(printed) else printed if isinstance(printed, str) else f"{printed:g}"
    if number and number.removeprefix("0") not in claim:
        lines[-1] += f" {theme.small(f'printed: {number}')}"
    return "<br>".join(lines)


def _interval(values: pd.Series) -> tuple[float, float]:
    values = values.dropna()
    return stats.mean_interval(values) if len(values) else (np.nan, np.nan)
