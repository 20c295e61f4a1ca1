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
from cogkit.generalization.suites import TABLE
from cogkit.generalization.views import style
from cogkit.generalization.views.style import KEY, KINDS, STROKE, THIN, sided
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.figures import Level, bars, dots, lines
from cogkit.ui.parts import beside

CORRELATIONS = {
    "with_accuracy": "GR* with accuracy<br>(Spearman)",
    "partial_rank": "GR* with D_align, accuracy<br>held fixed (ranks)",
    "partial_linear": "GR* with D_align, accuracy<br>held fixed (linear)",
}
_CHANGES = {"accuracy": "accuracy (better ↑)", "alignment": "D_align", "gr_star": "GR* (better ↑)"}
_MEAN = {"symbol": "line-ew-open", "size": 12} | STROKE


def map_of_tasks(scores: pd.DataFrame, agreement: pd.DataFrame) -> go.Figure:
    """Return GR* of machines against that of proxies, a mark for each task (figure 1b).

    ``scores`` are as `groups.score`, of one seed. ``agreement`` is the row of `paper_analyses.agreement`.
    """
    values, right, row = groups.wide(scores), groups.wide(scores, "accuracy"), agreement.iloc[0]
    rho = f"{row.rho:.2f}, 95 % [{row.low:.2f}, {row.high:.2f}]"
    note = f"Spearman's ρ = {rho}, n = {row.n:.0f} tasks; much is built in: both share D_align, cost"
    first = scores[scores.side == PEOPLE].set_index("task").loc[values.index]
    sizes = first.family.value_counts()
    table = values.assign(family=[f"{name} ({sizes[name]})" for name in first.family], hover=[
        f"{task}<br>proxies: GR* {values[PEOPLE][task]:.3f}, accuracy {right[PEOPLE][task]:.3f}<br>"
        f"machines: GR* {values[MACHINES][task]:.3f}, accuracy {right[MACHINES][task]:.3f}<br>"
        f"D_align {first.alignment[task]:.2f}"
        for task in values.index
    ])  # fmt: skip
    figure = dots(
        table, PEOPLE, MACHINES, group="family", title="GR* of machines against proxies, task by task", height=440,
        notes=[note, "click a name below to hide its tasks, twice to see them alone"], margin={"b": 112},
        looks={f"{name} ({n})": _family(name) | {"opacity": 0.85} for name, n in sizes.items()},
        across=f"GR* of human proxies {style.sign('proxy')} (better →)",
        up=f"GR* of machines {style.sign('model')} (better ↑)",
    )  # fmt: skip
    top = 1.06 * float(values.to_numpy().max())
    figure.update_layout(showlegend=True, legend={"orientation": "h", "y": -0.14})
    figure.add_shape(x0=0, y0=0, x1=top, y1=top, line=THIN, layer="below", type="line")
    side = {"xref": "paper", "yref": "paper", "showarrow": False, "xanchor": "right", "yanchor": "top"}
    figure.add_annotation(x=0.94, y=0.985, text=theme.small("machines score higher"), **side)
    figure.add_annotation(x=0.985, y=0.08, text=theme.small("proxies score higher"), **side)
    figure.update_xaxes(range=[-0.03 * top, top]).update_yaxes(range=[-0.03 * top, top])
    means = values.groupby(first.family, sort=False)[[PEOPLE, MACHINES]].mean()
    pairs = ", ".join(f"{family} {row.iloc[0]:.3f} and {row.iloc[1]:.3f}" for family, row in means.iterrows())
    lead = f"Machines score higher in {(values[MACHINES] > values[PEOPLE]).sum()} of {len(values)} tasks"
    return with_alt(figure, f"Spearman's ρ {rho}. {lead}. Mean GR* of proxies and machines by family: {pairs}.")


def _family(name: str) -> dict:
    """Return the mark of a family of tasks."""
    colour = f"#{TABLE.colour[name]}"
    return {"color": colour, "symbol": TABLE.symbol[name], "size": 8, "line": {"width": 1, "color": colour}}


def families(scores: pd.DataFrame, table: pd.DataFrame) -> go.Figure:
    """Return ΔGR* by family: all tasks, and the mean with its 95 % interval (figure 1c).

    ``scores`` are as `groups.score`, of one seed, and ``table`` as `paper_analyses.families` for them. A family without
    ``p_adjusted`` is marked as not tested.
    """
    tests = table.p_adjusted.map(style.p_in_words, na_action="ignore").fillna("no test")
    labels = "<b>" + table.family + "</b><br>n = " + table.n.map("{:.0f}<br>".format) + tests
    table = table.assign(label=labels, value=table.difference, mark="mean", hover=[
        f"{row.family}<br>mean Δ {row.difference:.3f}<br>{row.low:.3f} to {row.high:.3f}" for row in table.itertuples()
    ])  # fmt: skip
    change = paper_analyses.delta(scores).merge(table[["family", "label"]])
    change = change.assign(value=change.delta, mark=change.family)
    change["hover"] = change.task + change.delta.map("<br>Δ {:.3f}".format)
    tested = table[table.p_adjusted.notna()]
    aside = change.family.isin(tested.family) * -0.08
    change["shift"] = aside + change.groupby("family").task.transform(lambda tasks: style.spread(len(tasks), 0.36))
    both = pd.concat([change, tested.assign(shift=0.3)])
    both["label"] = pd.Categorical(both.label, labels)
    note = "a mark a task; stroke: mean, 95 % t interval; p: paired t, Benjamini–Hochberg over families"
    figure = dots(
        both.drop(columns="n"), y="label", group="mark", shift="shift", upright=True, height=330, notes=[note],
        title="ΔGR*, machines less proxies, by family", up="ΔGR* (above 0: machines ahead)", margin={"b": 96},
        looks={name: _family(name) for name in TABLE.index} | {"mean": _MEAN},
    )  # fmt: skip
    figure.update_xaxes(ticks="", tickangle=0, tickfont={"size": 10}).update_yaxes(rangemode="tozero")
    texts = [
        f"{row.family} mean {row.difference:.3f}, median {row.median:.3f}, n {row.n:.0f}, "
        + (f"p {row.p_adjusted:.2g}" if pd.notna(row.p_adjusted) else "no inference")
        for row in table.itertuples()
    ]
    return with_alt(figure, f"Difference of GR* by family. {'; '.join(texts)}.")


def rank_stability(sweeps: pd.DataFrame) -> go.Figure:
    """Return how similar the ranks of tasks stay when one constant changes, a panel for each (figure 2a).

    The table is as `paper_analyses.sweeps`. The axis is logarithmic if all values are above 0.
    """
    titles = {name: ", ".join(words) for name, words in style.CONSTANTS.items()}
    figure = lines(
        sided(sweeps).replace({"constant": titles}), "value", "rho", group="side", panel="constant", named=False,
        title="Ranks of tasks under other constants", unit="tasks",
        notes=[f"{KEY}; dashed: the paper's constant, whose ranks the others are held against"],
        across="value of the constant", up="Spearman's ρ of ranks (steadier ↑)",
    )  # fmt: skip
    paper, words = asdict(Constants()), []
    for column, (name, part) in enumerate(sweeps.groupby("constant", sort=False), 1):
        cell = {"row": 1, "col": column}
        figure.add_vline(paper[name], line=THIN, layer="below", **cell)
        ticks = sorted({part.value.min(), paper[name], part.value.max()})  # all of them have no room beside each other
        figure.update_xaxes(
            type="log" if ticks[0] > 0 else "linear", tickvals=ticks, tickangle=0,
            ticktext=[f"{value:g}".replace("0.", ".") for value in ticks], **cell,
        )  # fmt: skip
        least = part.loc[part.groupby("side", sort=False).rho.idxmin()]
        words += [f"{name}, {row.side}: least ρ {row.rho:.3f}, at {row.value:g}" for row in least.itertuples()]
    return with_alt(figure, f"Correlation of ranks with those at the paper's constants. {'; '.join(words)}.")


def beyond_accuracy(table: pd.DataFrame, printed: pd.DataFrame) -> go.Figure:
    """Return the correlations of GR* on both sides, beside the printed ones (figure 2b).

    The table is as `paper_analyses.beyond_accuracy`. ``printed`` has the paper's numbers in the same columns: side, and
    any of the three.
    """
    numbers, sides = printed.set_index("side"), list(dict.fromkeys(table.side))
    table = pd.concat([
        table[["side", "n"]].assign(
            words=words, value=table[name], low=table.get(f"{name}_low", np.nan),
            high=table.get(f"{name}_high", np.nan), printed_value=table.side.map(numbers.get(name, {})).astype(float))
        for name, words in CORRELATIONS.items()
    ], ignore_index=True)  # fmt: skip
    is_printed = table.printed_value.notna()
    beside_it = table.printed_value.map(", printed {:.2f}".format).where(is_printed, "")
    table = table.assign(
        mark="", kind=table.side.map(KINDS), aside=table.value.map("{:.2f}".format) + beside_it,
        shift=-0.36 * (table.side.map(sides.index) - (len(sides) - 1) / 2),
    )  # fmt: skip
    strokes = table[is_printed].assign(value=table.printed_value, mark="printed", low=np.nan, high=np.nan, aside="")
    figure = dots(
        pd.concat([table, strokes]), y="words", group="mark", shift="shift", aside="aside", unit="tasks", height=200,
        title="What GR* goes with: accuracy, and D_align at like accuracy", margin={"r": 144}, across="correlation",
        notes=[f"{KEY}&nbsp; <b>|</b> printed; lines: 95 % bootstrap of tasks; D_align is a factor of GR*"],
        reach=(min(0.0, float(table.value.min())) - 0.02, 1.02), levels=[Level(0, "zero")],
        looks={"printed": {"symbol": "line-ns-open", "size": 14} | STROKE},
    )  # fmt: skip
    names = table.words.str.replace("<br>", " ") + ", " + table.side + ": " + table.value.map("{:.3f}".format)
    return with_alt(figure, f"Correlations of GR*. {'; '.join(names + beside_it)}.")


def permutations(true: pd.DataFrame, shuffled: pd.DataFrame, repaired: pd.DataFrame) -> go.Figure:
    """Return machines' GR* before and after shuffling labels, and p over re-pairings of D_align (figure 2c).

    ``true`` and ``shuffled`` are as `groups.score` for such labels, and ``repaired`` as `paper_analyses.repaired`.
    """
    before, after = (table[table.side == MACHINES].set_index("task").gr_star for table in (true, shuffled))
    before, test, p = before.loc[after.index], paper_analyses.label_shuffle(true, shuffled).iloc[0], repaired.p
    verdict = f"{(p < 0.05).sum()} of {len(p)} below .05"
    figure = theme.figure(
        "GR* with labels shuffled, and with D_align of other tasks", 460,
        f"{style.sign('model')} machines; left: n = {len(after)} tasks, a line each, stroke: mean, 95 % t interval, "
        f"one-sided paired t: {style.p_in_words(test.p)}",
        f"right: a two-sided paired t test for each of {len(p)} re-pairings", columns=2, horizontal_spacing=0.1,
        column_titles=["labels shuffled before training", "D_align taken from another task"],
    )  # fmt: skip
    ends = {0: ("true<br>labels", before), 1: ("shuffled<br>labels", after)}
    slopes = pd.concat([pd.DataFrame({"task": part.index, "end": end, "value": part.to_numpy()})
                        for end, (_, part) in ends.items()]).assign(kind="model", side=MACHINES)  # fmt: skip
    lines(slopes, "end", group="side", each="task", named=False, across="", up="GR* of machines (better ↑)",
          looks={MACHINES: {"color": "rgba(213,94,0,.3)", "width": 1, "size": 6}}, on=(figure, 1, 1))  # fmt: skip
    means = [(end - 0.14 + 0.28 * end, part.mean(), *stats.mean_interval(part)) for end, (_, part) in ends.items()]
    means = pd.DataFrame(means, columns=["end", "value", "low", "high"]).assign(side="mean")
    dots(means, y="end", group="side", upright=True, looks={"mean": _MEAN}, on=(figure, 1, 1))
    for mean in means.itertuples():
        figure.add_annotation(x=mean.end, y=mean.value, text=f"{mean.value:.3f}", showarrow=False,
                              xshift=-30 if mean.end < 0 else 30, row=1, col=1)  # fmt: skip
    figure.update_xaxes(tickvals=[0, 1], ticktext=[name for name, _ in ends.values()], range=[-0.9, 1.9], ticks="",
                        tickangle=0, row=1, col=1)  # fmt: skip
    counts, edges = np.histogram(p, np.linspace(0, 1, 21))
    histogram = pd.DataFrame({"p": (edges[:-1] + 0.025).round(3), "value": counts})
    bars(histogram, "p", across="p of a re-pairing", up="re-pairings", digits=0,
         levels=[Level(0.05, "goal")], on=(figure, 1, 2))  # fmt: skip
    beside(figure, 0.95 * counts.max(), verdict, 4, x=0.05, xref=None, row=1, col=2)
    return with_alt(
        figure,
        f"Machines' mean GR* {before.mean():.3f} with true labels, {after.mean():.3f} with shuffled ones, one-sided "
        f"paired t p {test.p:.1e}, {len(after)} tasks. Re-pairing: median p {p.median():.3f}, {verdict}.",
    )


def matched_pairs(matched: pd.DataFrame, scores: pd.DataFrame) -> go.Figure:
    """Return Linear and Poly tasks of similar accuracy, a line per pair, for accuracy, D_align and GR* (figure 3a).

    ``matched`` is as `paper_analyses.matched`, Poly − Linear; lines connect the tasks' values in ``scores``.
    """
    matched, parts = sided(matched).reset_index(drop=True), []
    absent = "".join(f"; no pair of {name}" for name in KINDS if name not in set(matched.side))
    tasks = scores.set_index(["side", "task"]).loc[list(zip(matched.side, matched.linear, strict=True))]
    for name, words in _CHANGES.items():
        pairs = matched[["side", "kind"]].assign(panel=words, pair=matched.linear + " and " + matched.poly)
        first = tasks[name].to_numpy()
        parts += [pairs.assign(end=0, value=first), pairs.assign(end=1, value=first + matched[name])]
    figure = lines(
        pd.concat(parts), "end", row="side", panel="panel", group="side", each="pair", named=False, shared=False,
        title="Linear and Poly tasks of like accuracy", height=200, gap=96, across="", up="", horizontal_spacing=0.08,
        notes=[f"a line a pair, at both tasks' values; below: the mean difference and its 95 % t interval{absent}"],
    )  # fmt: skip
    texts = []
    for row, (side, part) in enumerate(matched.groupby("side", sort=False, observed=True), 1):
        for column, (name, words) in enumerate(_CHANGES.items(), 1):
            mean, (low, high) = part[name].mean(), stats.mean_interval(part[name])
            limits = "one pair, no interval" if np.isnan(low) else f"{low:+.3f} to {high:+.3f}"
            number, limits = (text.replace("-", "−") for text in (f"{mean:+.3f}", limits))
            labels = ["Linear", f"<br>{number}<br>{theme.small(limits)}", "Poly"]
            cell = {"row": row, "col": column}
            figure.update_xaxes(tickvals=[0, 0.5, 1], ticktext=labels, range=[-0.5, 1.5], tickangle=0, ticks="", **cell)
            texts.append(f"{words.split(' (')[0]}, {side}: mean difference {mean:+.3f}, {len(part)} pairs")
        title = f"{style.sign(KINDS[side])} {side}<br>{theme.small(f'n = {len(part)} pairs')}"
        figure.update_yaxes(title=title, row=row, col=1)
    return with_alt(figure, f"Poly less Linear at like accuracy. {'; '.join(texts)}.")
