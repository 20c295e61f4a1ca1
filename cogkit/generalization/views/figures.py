"""The paper's panels on tasks, figures 1b to 3a: map, families, sweeps, correlations, permutations, matched pairs.

Each function draws tables of `groups` and `paper_analyses`.
"""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit import stats
from cogkit.generalization.learners import groups
from cogkit.generalization.metric.gr_star import Constants
from cogkit.generalization.paper import paper_analyses
from cogkit.generalization.paper.paper_analyses import MACHINES, PEOPLE
from cogkit.generalization.views import style
from cogkit.generalization.views.style import KEY, MARKS, SIGNS, STROKE, THIN, ZERO, mark
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.parts import beside, interval, line, marks, name_rows

# None of these colours marks a player. For a dichromat their distances are 22 or more (CIE 1976). The two real sets are
# both in ink.
FAMILIES = {
    "Linear": ("#332288", "square"),
    "Poly": ("#EE3377", "pentagon"),
    "Moons": ("#997700", "triangle-down"),
    "Circles": ("#1B5E20", "circle-open-dot"),
    "Imbalance": ("#E69F00", "triangle-up"),
    "Shift": ("#AA4499", "triangle-right"),
    "Iris": (theme.INK, "hexagram"),
    "Digits": (theme.INK, "x"),
}
CORRELATIONS = {
    "with_accuracy": "GR* with accuracy<br>(Spearman)",
    "partial_rank": "GR* with D_align, accuracy<br>held fixed (ranks)",
    "partial_linear": "GR* with D_align, accuracy<br>held fixed (linear)",
}
_CHANGES = {"accuracy": "accuracy (better ↑)", "alignment": "D_align", "gr_star": "GR* (better ↑)"}
_GREY = "#9A9A9A"


def map_of_tasks(scores: pd.DataFrame, agreement: pd.DataFrame | None = None) -> go.Figure:
    """Return GR* of machines against that of proxies, a mark for each task (figure 1b).

    ``scores`` are as `groups.score`, of one seed. ``agreement`` is the row of `paper_analyses.agreement`: columns rho,
    n, and low and high where it has an interval.
    """
    values, right = groups.wide(scores), groups.wide(scores, "accuracy")
    first = scores[scores.side == PEOPLE].set_index("task")
    values = values.assign(family=first.family, alignment=first.alignment, p=right[PEOPLE], m=right[MACHINES])
    note, correlation = f"n = {len(values)} tasks", ""
    if agreement is not None:
        row = agreement.iloc[0]
        limits = f", 95 % [{row.low:.2f}, {row.high:.2f}]" if pd.notna(row.get("low")) else ""
        note = (
            f"Spearman's ρ = {row.rho:.2f}{limits}, n = {row.n:.0f} tasks; much is built in: both share D_align, cost"
        )
        correlation = f"Spearman's ρ {row.rho:.2f}{limits}. "
    top = 1.06 * float(values[[PEOPLE, MACHINES]].to_numpy().max())
    figure = theme.figure(
        "GR* of machines against proxies, task by task", 640, note,
        "click a name below to hide its tasks, twice to see them alone",
        margin={"b": 112}, showlegend=True, legend={"orientation": "h", "y": -0.14},
    )  # fmt: skip
    figure.add_shape(x0=0, y0=0, x1=top, y1=top, line=THIN, layer="below", type="line")
    hover = (
        "%{customdata[0]}<br>proxies: GR* %{x:.3f}, accuracy %{customdata[1]:.3f}"
        "<br>machines: GR* %{y:.3f}, accuracy %{customdata[2]:.3f}<br>D_align %{customdata[3]:.2f}"
    )
    for family, part in values.groupby("family", sort=False):
        colour, symbol = FAMILIES[family]
        outline = {"width": 1.5 if symbol.endswith("dot") else 0.5, "color": colour}
        marks(
            figure, part[PEOPLE], part[MACHINES],
            {"color": colour, "symbol": symbol, "size": 9, "opacity": 0.85, "line": outline}, hover,
            name=f"{family} ({len(part)})",
            customdata=np.column_stack([part.index, part[["p", "m", "alignment"]].round(4)]),
        )  # fmt: skip
    note_of_side = {"xref": "paper", "yref": "paper", "showarrow": False, "xanchor": "right", "yanchor": "top"}
    note_of_side |= {"font": {"size": 12, "color": theme.QUIET}}
    figure.add_annotation(x=0.94, y=0.985, text="machines score higher", **note_of_side)
    figure.add_annotation(x=0.985, y=0.08, text="proxies score higher", **note_of_side)
    figure.update_xaxes(title=f"GR* of human proxies {SIGNS[PEOPLE]} (better →)", range=[-0.03 * top, top], **ZERO)
    figure.update_yaxes(title=f"GR* of machines {SIGNS[MACHINES]} (better ↑)", range=[-0.03 * top, top])
    means = values.groupby("family", sort=False)[[PEOPLE, MACHINES]].mean()
    pairs = ", ".join(f"{family} {row.iloc[0]:.3f} and {row.iloc[1]:.3f}" for family, row in means.iterrows())
    lead = f"Machines score higher in {(values[MACHINES] > values[PEOPLE]).sum()} of {len(values)} tasks"
    return with_alt(figure, f"{correlation}{lead}. Mean GR* of proxies and machines by family: {pairs}.")


def families(scores: pd.DataFrame, table: pd.DataFrame) -> go.Figure:
    """Return ΔGR* by family: all tasks, a box plot, and the mean with its 95 % interval (figure 1c).

    ``scores`` are as `groups.score`, of one seed, and ``table`` as `paper_analyses.families` for them. A family without
    ``p_adjusted`` is marked as not tested.
    """
    change = paper_analyses.delta(scores)
    note = "a mark a task; box: quartiles; stroke: mean, 95 % t interval; p: paired t, Benjamini–Hochberg over families"
    figure = theme.figure("ΔGR*, machines less proxies, by family", 480, note, margin={"b": 96})
    labels, texts = [], []
    for place, row in enumerate(table.itertuples()):
        part = change[change.family == row.family]
        colour, symbol = FAMILIES[row.family]
        valid = pd.notna(row.p_adjusted)
        aside = 0.08 * valid
        if valid:
            figure.add_box(
                x=[place - aside] * len(part), y=part.delta, boxpoints=False, width=0.5, hoverinfo="skip",
                line={"color": _GREY, "width": 1.2}, fillcolor="rgba(0,0,0,0)",
            )  # fmt: skip
            marks(
                figure, place + 0.3, row.difference, {"symbol": "line-ew-open", "size": 11} | STROKE,
                f"{row.family}<br>mean Δ %{{y:.3f}}<br>{row.low:.3f} to {row.high:.3f}",
                error_y=interval(row.difference, row.low, row.high),
            )  # fmt: skip
        marks(
            figure, place - aside + style.spread(len(part), 0.36), part.delta,
            {"color": colour, "symbol": symbol, "size": 8, "line": {"width": 1, "color": colour}},
            "%{customdata}<br>Δ %{y:.3f}", customdata=part.task,
        )  # fmt: skip
        test = style.p_in_words(row.p_adjusted) if valid else "no test"
        labels.append(f"<b>{row.family}</b><br>n = {row.n:.0f}<br>{test}")
        words = f"p {row.p_adjusted:.2g}" if valid else "no inference"
        texts.append(f"{row.family} mean {row.difference:.3f}, median {row.median:.3f}, n {row.n:.0f}, {words}")
    figure.update_xaxes(tickvals=list(range(len(labels))), ticktext=labels, ticks="", range=[-0.6, len(labels) - 0.4])
    figure.update_xaxes(tickangle=0, tickfont={"size": 10})
    figure.update_yaxes(title="ΔGR* (above 0: machines ahead)", rangemode="tozero")
    return with_alt(figure, f"Difference of GR* by family. {'; '.join(texts)}.")


def rank_stability(sweeps: pd.DataFrame) -> go.Figure:
    """Return how similar the ranks of tasks stay when one constant changes, a panel for each (figure 2a).

    The table is as `paper_analyses.sweeps`. The axis is logarithmic if all values are above 0.
    """
    names = list(dict.fromkeys(sweeps.constant))
    note = (
        f"{KEY}; n = {sweeps.n.max():.0f} tasks; dashed: the paper's constant, whose ranks the others are held against"
    )
    figure = theme.figure(
        "Ranks of tasks under other constants", 400, note, columns=len(names), margin={"b": 64}, shared_yaxes=True,
        horizontal_spacing=0.03, column_titles=[", ".join(style.CONSTANTS[name]) for name in names],
    )  # fmt: skip
    paper, words = asdict(Constants()), []
    for column, name in enumerate(names, 1):
        part, cell = sweeps[sweeps.constant == name], {"row": 1, "col": column}
        for side, curve in part.sort_values("value").groupby("side", sort=False):
            line_style = {"color": MARKS[side].colour, "width": 1.5}
            line(
                figure, curve.value, curve.rho, line_style, f"{side}<br>{name} %{{x}}<br>ρ %{{y:.3f}}",
                mode="lines+markers", marker=mark(side), **cell,
            )  # fmt: skip
            least = curve.loc[curve.rho.idxmin()]
            words.append(f"{name}, {side}: least ρ {least.rho:.3f}, at {least.value:g}")
        figure.add_vline(paper[name], line=THIN, layer="below", **cell)
        values = sorted(set(part.value))
        ticks = sorted({values[0], paper[name], values[-1]})  # all of them have no room beside each other
        figure.update_xaxes(
            type="log" if values[0] > 0 else "linear", tickvals=ticks, tickangle=0,
            ticktext=[f"{value:g}".replace("0.", ".") for value in ticks], **cell,
        )  # fmt: skip
    bottom = np.floor(min(float(sweeps.rho.min()) - 0.01, 0.89) * 20) / 20
    figure.update_yaxes(range=[bottom, 1 + 0.04 * (1 - bottom)])
    figure.update_yaxes(title="Spearman's ρ of ranks (steadier ↑)", col=1)
    return with_alt(figure, f"Correlation of ranks with those at the paper's constants. {'; '.join(words)}.")


def beyond_accuracy(table: pd.DataFrame, printed: pd.DataFrame | None = None) -> go.Figure:
    """Return the correlations of GR* on both sides, beside the printed ones (figure 2b).

    The table is as `paper_analyses.beyond_accuracy`; limits such as ``partial_rank_low`` are drawn if they exist.
    ``printed`` has the paper's numbers in the same columns: side, and any of the three.
    """
    reference = {}
    if printed is not None:
        numbers = printed.set_index("side").reindex(columns=list(CORRELATIONS))
        reference = {(side, name): value for name in numbers for side, value in numbers[name].dropna().items()}
    bars = "; lines: 95 % bootstrap of tasks" if "partial_rank_low" in table else ""
    signs = KEY + "&nbsp; <b>|</b> printed" * bool(reference)
    note = f"{signs}; n = {table.n.max():.0f} tasks{bars}; D_align is a factor of GR*"
    title = "What GR* goes with: accuracy, and D_align at like accuracy"
    figure = theme.figure(title, 400, note, margin={"r": 144})
    texts = []
    for k, (name, words) in enumerate(CORRELATIONS.items()):
        for j, row in enumerate(table.itertuples()):
            y, value = -k - 0.36 * (j - (len(table) - 1) / 2), getattr(row, name)
            bars = interval(value, *(getattr(row, f"{name}_{end}", np.nan) for end in ("low", "high")))
            marks(figure, value, y, mark(row.side, 10), f"{row.side}<br>{words}<br>%{{x:.3f}}", error_x=bars)
            other = reference.get((row.side, name))
            if other is not None:
                tick = {"symbol": "line-ns-open", "size": 14} | STROKE
                marks(figure, other, y, tick, f"printed, {row.side}<br>%{{x:.2f}}")
            suffix = "" if other is None else f", printed {other:.2f}"
            beside(figure, y, f"{value:.2f}{suffix}", 8, font={"size": 12})
            texts.append(f"{words.replace('<br>', ' ')}, {row.side}: {value:.3f}{suffix}")
    least = min(0.0, float(table[list(CORRELATIONS)].min().min()))
    figure.update_xaxes(title="correlation", range=[least - 0.02, 1.02], **ZERO)
    rows = {words: -k for k, words in enumerate(CORRELATIONS.values())}
    name_rows(figure, rows, pad=0.5, showgrid=False)
    return with_alt(figure, f"Correlations of GR*. {'; '.join(texts)}.")


def permutations(true: pd.DataFrame, shuffled: pd.DataFrame, repaired: pd.DataFrame) -> go.Figure:
    """Return machines' GR* before and after shuffling labels, and p over re-pairings of D_align (figure 2c).

    ``true`` and ``shuffled`` are as `groups.score` for such labels, and ``repaired`` as `paper_analyses.repaired`.
    """
    before, after = (table[table.side == MACHINES].set_index("task").gr_star for table in (true, shuffled))
    before, test = before.loc[after.index], paper_analyses.label_shuffle(true, shuffled).iloc[0]
    p = repaired.p
    verdict = f"{(p < 0.05).sum()} of {len(p)} below .05"
    note = (
        f"{SIGNS[MACHINES]} machines; left: n = {len(after)} tasks, a line each, stroke: mean with 95 % t interval; "
        f"one-sided paired t: {style.p_in_words(test.p)}; right: a two-sided paired t test for each of {len(p)} "
        "re-pairings"
    )
    left, right = ({"row": 1, "col": column} for column in (1, 2))
    figure = theme.figure(
        "GR* with labels shuffled, and with D_align of other tasks", 460, note, columns=2, horizontal_spacing=0.1,
        column_titles=["labels shuffled before training", "D_align taken from another task"],
    )  # fmt: skip
    x, y = _apart([0, 1], np.column_stack([before, after]))
    line(
        figure, x, y, {"color": "rgba(213,94,0,.3)", "width": 1}, "%{customdata}<br>GR* %{y:.3f}", mode="lines+markers",
        marker=mark(MACHINES, 6), customdata=np.repeat(after.index, 3), **left,
    )  # fmt: skip
    for x, values, place in ((-0.14, before, "middle left"), (1.14, after, "middle right")):
        mean = values.mean()
        marks(
            figure, x, mean, {"symbol": "line-ew-open", "size": 14} | STROKE, "mean %{y:.4f}", mode="markers+text",
            error_y=interval(mean, *stats.mean_interval(values)), text=[f"&nbsp; {mean:.3f} &nbsp;"],
            textposition=place, **left,
        )  # fmt: skip
    labels = ["true<br>labels", "shuffled<br>labels"]
    figure.update_xaxes(tickvals=[0, 1], ticktext=labels, range=[-0.9, 1.9], ticks="", tickangle=0, **left)
    figure.update_yaxes(title="GR* of machines (better ↑)", **left)
    counts, edges = np.histogram(p, np.linspace(0, 1, 21))
    figure.add_bar(
        x=(edges[:-1] + 0.025).round(3), y=counts, marker={"color": _GREY}, width=0.044, **right,
        hovertemplate="p about %{x}<br>%{y} re-pairings<extra></extra>",
    )  # fmt: skip
    figure.add_vline(
        0.05, line={"color": theme.INK, "width": 1.5}, annotation_text=verdict, annotation_position="top right", **right
    )
    figure.update_xaxes(title="p of a re-pairing", range=[-0.02, 1.02], **right)
    figure.update_yaxes(title="re-pairings", **right)
    return with_alt(
        figure,
        f"Machines' mean GR* {before.mean():.3f} with true labels, {after.mean():.3f} with shuffled ones, one-sided "
        f"paired t p {test.p:.1e}, {len(after)} tasks. Re-pairing: median p {p.median():.3f}, {verdict}.",
    )


def matched_pairs(matched: pd.DataFrame, scores: pd.DataFrame | None = None) -> go.Figure:
    """Return Linear and Poly tasks of similar accuracy, a line per pair, for accuracy, D_align and GR* (figure 3a).

    ``matched`` is as `paper_analyses.matched`, Poly − Linear. With ``scores`` lines connect the tasks' values; without
    them, lines go from 0 to the difference.
    """
    names, texts = [name for name in MARKS if name in set(matched.side)], []
    levels = None if scores is None else scores.set_index(["side", "task"])
    start = "the Linear task set to 0" if levels is None else "at the values of both tasks"
    absent = "".join(f"; no pair of {name}" for name in MARKS if name not in names)
    note = f"a line a pair, {start}; below: the mean difference and its 95 % t interval{absent}"
    figure = theme.figure(
        "Linear and Poly tasks of like accuracy", 136 + 248 * len(names), note, rows=len(names), columns=3,
        margin={"b": 48}, horizontal_spacing=0.08, vertical_spacing=0.22, shared_yaxes="columns",
        column_titles=list(_CHANGES.values()),
    )  # fmt: skip
    for column, (name, words) in enumerate(_CHANGES.items(), 1):
        for row, side in enumerate(names, 1):
            part, cell = matched[matched.side == side], {"row": row, "col": column}
            first = np.zeros(len(part))
            if levels is not None:
                first = levels.loc[[(side, task) for task in part.linear], name].to_numpy()
            x, y = _apart([0, 1], np.column_stack([first, first + part[name]]))
            line(
                figure, x, y, {"color": MARKS[side].colour, "width": 1}, f"%{{customdata}}, {side}<br>%{{y:.3f}}",
                mode="lines+markers", marker=mark(side, 7), **cell,
                customdata=np.repeat([f"{pair.linear} and {pair.poly}" for pair in part.itertuples()], 3),
            )  # fmt: skip
            mean, (low, high) = part[name].mean(), stats.mean_interval(part[name])
            limits = "one pair, no interval" if np.isnan(low) else f"{low:+.3f} to {high:+.3f}"
            number, limits = (text.replace("-", "−") for text in (f"{mean:+.3f}", limits))
            labels = ["Linear", f"<br>{number}<br>{theme.small(limits)}", "Poly"]
            figure.update_xaxes(tickvals=[0, 0.5, 1], ticktext=labels, range=[-0.5, 1.5], tickangle=0, ticks="", **cell)
            if column == 1:
                figure.update_yaxes(title=f"{SIGNS[side]} {side}<br>{theme.small(f'n = {len(part)} pairs')}", **cell)
            texts.append(f"{words.split(' (')[0]}, {side}: mean difference {mean:+.3f}, {len(part)} pairs")
    return with_alt(figure, f"Poly less Linear at like accuracy. {'; '.join(texts)}.")


def _apart(x: list[float], y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y of one line for each row of values (n, 2), with a gap after each."""
    return np.tile([*x, np.nan], len(y)), np.column_stack([y, np.full(len(y), np.nan)]).ravel()
