"""Figures that compare answers: players, training, nodal distance, the paper's tables.

Each takes result rows (`records.RESULT_COLUMNS`) with tasks ``<structure>/<relation>/<group>``, or a tidy table.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.equivalence.problems.records import CHANCE, TYPES
from cogkit.equivalence.scoring import MASTERY
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.dots import BETTER, UP
from cogkit.ui.parts import dashes, error_bars, line, marker, marks, span

_ABREAST = 3  # panels in a row
_GOALS = {CHANCE: theme.stroke("floor"), MASTERY: {"color": theme.INK, "width": 1}}


def players(rows: pd.DataFrame, rule: str = "argmax", title: str = "Everybody on one scale") -> go.Figure:
    """Return every player on one scale: a row for each, a column for each type of trial, conditions below each other.

    ``rows`` are of floors, models, observers and people; several seeds of one player are several marks. ``rule`` is for
    players that have several. A player without rules, such as a person, has the metric ``accuracy``.
    """
    table = _accuracy(rows, rule)
    table = table[table.group.isin(TYPES)]
    conditions = list(dict.fromkeys(table.condition))
    lines = dict.fromkeys(zip(table.condition, table.who, strict=True))
    lines = sorted(lines, key=lambda key: conditions.index(key[0]))
    # Each condition has a heading line above its players.
    place = {line: -(k + conditions.index(line[0])) for k, line in enumerate(lines)}
    heads = {name: max(y for (condition, _), y in place.items() if condition == name) + 1 for name in conditions}
    bars = ", 95 % intervals" if table.low.notna().any() else ""
    figure = theme.figure(
        title, 184 + 26 * (len(lines) + len(conditions)),
        f"{rule}; n = {span(table.n, ' to ')} trials a mark{bars}", "dashed: chance; line: mastery", columns=len(TYPES),
        margin={"b": 48, "t": 136}, shared_yaxes=True, horizontal_spacing=0.02, column_titles=list(TYPES),
    )  # fmt: skip
    for column, name in enumerate(TYPES, 1):
        for (condition, who), part in table[table.group == name].groupby(["condition", "who"], sort=False):
            tips = [f"n {row.n:,}" + ("" if pd.isna(row.seed) else f", seed {row.seed}") for row in part.itertuples()]
            marks(
                figure, part.value, [place[condition, who]] * len(part), marker(who, part.kind.iloc[0]),
                f"{who}, {condition}<br>{name} %{{x:.3f}}<br>%{{customdata}}", customdata=tips,
                error_x=error_bars(part, "value"), row=1, col=column,
            )  # fmt: skip
    for value, style in _GOALS.items():
        figure.add_vline(value, line=style, layer="below")
    ticks = {"tickvals": [0, CHANCE, MASTERY], "ticktext": ["0", "⅓", ".9"], "range": [-0.06, 1.06]}
    figure.update_xaxes(**ticks)
    figure.add_annotation(
        text=BETTER, x=0.5, xref="paper", y=0, yref="paper", yanchor="top", yshift=-24, showarrow=False
    )
    labels = {y: who for (_, who), y in place.items()} | {y: f"<b>{name}</b>" for name, y in heads.items()}
    figure.update_yaxes(
        tickvals=list(labels), ticktext=list(labels.values()), range=[min(labels) - 0.6, max(labels) + 0.6],
        zeroline=False,
    )  # fmt: skip
    means = table.groupby(["condition", "who", "group"], sort=False).value.mean().unstack()
    sentences = [f"{who}, {condition}: {_shares(means.loc[condition, who])}" for condition, who in lines]
    return with_alt(figure, f"Share right, {rule}. {'; '.join(sentences)}.")


def emergence(log: pd.DataFrame, floors: pd.DataFrame | None = None, title: str = "Emergence") -> go.Figure:
    """Return shares of right best answers over training: a row for each learner, a column for each type of trial.

    ``log`` is a training log (columns step and the types, NaN without an evaluation), or several logs in one table with
    the columns ``who`` and ``seed``, as `logs` makes them, and ``kind`` where it is not a model's. ``floors`` are
    result rows of floors, for one condition and rule: drawn as grey lines.
    """
    log = log.dropna(subset=list(TYPES))
    log = log.assign(who=log.get("who", "agent"), seed=log.get("seed", 0), kind=log.get("kind", "model"))
    log = log.fillna({"kind": "model"})
    names = list(dict.fromkeys(log.who))
    levels_of = _split_tasks(pd.DataFrame(columns=["task", "who", "value"], dtype=str) if floors is None else floors)
    levels = dashes(list(dict.fromkeys(levels_of.who)), ("dot", "dashdot", "longdash"))  # chance is dashed
    grey = ", ".join(["- - chance", *(f"{theme.DASHES[dash]} {name}" for name, dash in levels.items())])
    top, row, gap = 136, 132, 20
    figure = theme.figure(
        title, top + 56 + row * len(names), "each line is a run; upper line: mastery", f"grey: {grey}",
        rows=len(names), columns=len(TYPES), margin={"t": top, "l": 88}, shared_xaxes=True, shared_yaxes=True,
        horizontal_spacing=0.03, vertical_spacing=gap / (row * len(names)), column_titles=list(TYPES),
    )  # fmt: skip
    for number, player in enumerate(names, 1):
        runs = log[log.who == player]
        for column, name in enumerate(TYPES, 1):
            cell = {"row": number, "col": column}
            for seed, run in runs.groupby("seed", sort=False):
                hover = f"{player}, seed {seed}<br>{name}, iteration %{{x:,}}<br>%{{y:.3f}}"
                stroke = theme.stroke(run.kind.iloc[0], 1.5) | {"dash": "solid"}
                line(figure, run.step, run[name], stroke, hover, **cell)
            for floor in levels_of[levels_of.group == name].itertuples():
                style = theme.stroke("floor", 1.5) | {"dash": levels[floor.who]}
                figure.add_hline(floor.value, line=style, layer="below", **cell)
        count = runs.seed.nunique()
        words = f"{player}<br>{theme.small(f'{count} run' + 's' * (count > 1))}"
        figure.update_yaxes(title={"text": words, "font": {"size": 12}}, row=number, col=1)
    for value, style in _GOALS.items():
        figure.add_hline(value, line=style, layer="below")
    figure.update_xaxes(rangemode="tozero", nticks=3)
    figure.update_xaxes(title="iteration", row=len(names))
    figure.update_yaxes(range=[-0.02, 1.04], tickvals=[0, 0.5, 1])
    ends = log.groupby(["who", "seed"], sort=False).last()
    texts = [f"{who}, seed {seed}, iteration {end.step:.0f}: {_shares(end)}" for (who, seed), end in ends.iterrows()]
    return with_alt(figure, f"Share of right best answers at the end of training. {'; '.join(texts)}.")


def logs(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the training logs from result rows, for `emergence`: columns who, condition, seed, step and types.

    Examples
    --------
    >>> row = {"task": "LS/select-only/symmetry", "who": "GPT", "seed": 3, "metric": "accuracy, argmax, iteration 250"}
    >>> logs(pd.DataFrame([row | {"value": 0.25}])).to_dict("records")
    [{'who': 'GPT', 'condition': 'LS/select-only', 'seed': 3, 'step': 250, 'symmetry': 0.25}]
    """
    table = _split_tasks(rows)
    step = table.metric.str.extract(r", iteration (\d+)$", expand=False)
    table = table.assign(step=step)[step.notna()].astype({"step": int})
    wide = table.pivot(index=["who", "condition", "seed", "step"], columns="group", values="value")
    return wide.rename_axis(columns=None).reset_index()


def nodal(rows: pd.DataFrame, rule: str = "argmax", title: str = "Nodal distance") -> go.Figure:
    """Return accuracy on derived pairs by the number of members between the two, a panel for each player.

    ``rows`` are of one condition. With several seeds, the line is their mean, and every seed is a small mark.
    """
    table = _accuracy(rows, rule)
    table = table[table.group.str.startswith("nodes ")]
    table = table.assign(nodes=table.group.str.removeprefix("nodes ").astype(int))
    names = list(table.groupby("who").value.mean().sort_values(ascending=False, kind="stable").index)
    rows_of = -(-len(names) // _ABREAST)
    figure = theme.figure(
        title, 184 + 136 * rows_of, f"{table.condition.iloc[0]}, {rule}; n = {span(table.n, ' to ')} trials a mark",
        "the best first; dashed: chance, upper line: mastery", rows=rows_of, columns=_ABREAST, margin={"t": 128},
        shared_xaxes="all", shared_yaxes="all", horizontal_spacing=0.04, vertical_spacing=0.3 / rows_of,
        subplot_titles=[name.replace(", by ", ",<br>by ") for name in names],  # a model's, with how it was asked
    )  # fmt: skip
    cells, sentences = [{"row": k // _ABREAST + 1, "col": k % _ABREAST + 1} for k in range(len(names))], []
    for player, cell in zip(names, cells, strict=True):
        part = table[table.who == player]
        kind = "you" if player == "you" else part.kind.iloc[0]
        means = part.groupby("nodes").value.mean()
        hover = f"{player}<br>%{{x}} between<br>%{{y:.3f}}"
        look = theme.mark(kind, 7 if len(part) == len(means) else 4) | {"symbol": marker(player, kind)["symbol"]}
        line(figure, means.index, means, theme.stroke(kind, 1.5), hover, **cell)
        marks(figure, part.nodes, part.value, look, hover, **cell)
        sentences.append(f"{player} " + ", ".join(f"{nodes} between {value:.3f}" for nodes, value in means.items()))
    for value, style in _GOALS.items():
        figure.add_hline(value, line=style, layer="below")
    figure.update_annotations(font={"size": 12})
    figure.update_xaxes(dtick=1, range=[0.7, table.nodes.max() + 0.3])
    for cell in cells[-_ABREAST:]:  # the lowest panel of each column
        figure.update_xaxes(title={"text": "members between", "font": {"size": 12}}, showticklabels=True, **cell)
    figure.update_yaxes(range=[-0.02, 1.06], tickvals=[0, 0.5, 1])
    figure.update_yaxes(title={"text": UP, "font": {"size": 11}}, col=1)
    return with_alt(figure, f"Share right by nodal distance. {'; '.join(sentences)}.")


def against_published(table: pd.DataFrame, title: str = "The paper's tables and ours") -> go.Figure:
    """Return the paper's numbers and ours, cell by cell: a line for each simulation, a column for each type of trial.

    The table from `reported.against` has one row for each cell: simulation, transformer, structure, relation, group,
    metric, published, ours, and low and high, its interval. Each metric has separate panels, one below another.
    """
    metrics, groups = (list(dict.fromkeys(table[name])) for name in ("metric", "group"))
    runs = table.drop_duplicates("simulation")
    names = [f"{r.simulation} {r.transformer} {r.structure} {r.relation}" for r in runs.itertuples()]
    place = {simulation: -k for k, simulation in enumerate(runs.simulation)}
    step = 64 + 20 * len(runs)  # pixels of a panel
    kinds = {"published": ("proxy", "○", 11), "ours": ("model", "◆", 7)}
    signs = {name: theme.coloured(theme.WHO[kind].colour, sign) for name, (kind, sign, _) in kinds.items()}
    figure = theme.figure(
        title, 120 + step * len(metrics),
        f"{signs['published']} published &nbsp;{signs['ours']} ours, with its interval where there is one",
        rows=len(metrics), columns=len(groups), margin={"t": 96, "b": 24}, shared_yaxes=True, horizontal_spacing=0.02,
        vertical_spacing=52 / (step * len(metrics)),
    )  # fmt: skip
    for (metric, group), part in table.groupby(["metric", "group"], sort=False):
        row, column = metrics.index(metric), groups.index(group)
        y, cell = part.simulation.map(place), {"row": row + 1, "col": column + 1}
        ends = np.column_stack([part.published, part.ours, np.full(len(part), np.nan)])
        line(figure, ends.ravel(), np.repeat(y, 3), {"color": theme.HAIRLINE, "width": 3}, "", **cell)
        for name, (kind, _, size) in reversed(kinds.items()):
            marks(
                figure, part[name], y, theme.mark(kind, size, 2),
                f"simulation %{{customdata}}, {group}<br>{name} %{{x:.3f}}", customdata=part.simulation,
                error_x=error_bars(part, "ours") if name == "ours" else None, **cell,
            )  # fmt: skip
        above = {"x": 0, "xref": "x domain", "y": 1, "yref": "y domain", "yanchor": "bottom", "showarrow": False}
        figure.add_annotation(text=group, xanchor="left", **above, **cell)
        if column == 0:
            figure.add_annotation(text=theme.small(metric), xanchor="right", xshift=-8, **above, **cell)
    figure.update_xaxes(range=[-0.06, 1.06], tickvals=[0, 0.5, 1])
    figure.update_yaxes(tickvals=list(place.values()), ticktext=names, range=[0.6 - len(runs), 0.6], zeroline=False)
    gap = (table.ours - table.published).abs().groupby(table.metric, sort=False)
    sentences = [f"{name}: median difference {part.median():.3f}, largest {part.max():.3f}" for name, part in gap]
    return with_alt(figure, f"Published and own numbers, {len(table)} cells. {'; '.join(sentences)}.")


def _split_tasks(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with their task split into condition and group."""
    parts = rows.task.str.rsplit("/", n=1)
    return rows.assign(condition=parts.str[0], group=parts.str[-1])


def _accuracy(rows: pd.DataFrame, rule: str) -> pd.DataFrame:
    """Return the rows of one rule, and of players without rules; every sitting of the reader's is ``you``."""
    table = _split_tasks(rows)
    table = table[table.metric.isin(["accuracy", f"accuracy, {rule}"])]
    return table.assign(seed=table.get("seed"), who=table.who.mask(table.kind == "you", "you"))


def _shares(values: pd.Series) -> str:
    return ", ".join(f"{name} {values[name]:.3f}" for name in TYPES if name in values and pd.notna(values[name]))
