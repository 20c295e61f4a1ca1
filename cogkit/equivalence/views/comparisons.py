"""Figures that compare answers: players, training, nodal distance, the paper's tables.

Each takes result rows (`records.RESULT_COLUMNS`) with tasks ``<structure>/<relation>/<group>``, or a tidy table.
"""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from cogkit.equivalence.problems.records import CHANCE, TYPES
from cogkit.equivalence.scoring import MASTERY
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.dots import BETTER, UP
from cogkit.ui.figures import Level, dots, lines
from cogkit.ui.parts import dashes, span

_GOALS = (Level(CHANCE), Level(MASTERY, "goal"))
_REACH = (-0.06, 1.06)  # of shares


def players(rows: pd.DataFrame, rule: str = "argmax", title: str = "Everybody on one scale") -> go.Figure:
    """Return every player on one scale: a row for each, a column for each type of trial, conditions below each other.

    ``rows`` are of floors, models, observers and people; several seeds of one player are several marks. ``rule`` is for
    players that have several. A player without rules, such as a person, has the metric ``accuracy``.
    """
    table = _accuracy(rows, rule)
    table = table[table.group.isin(TYPES)]
    table = table.assign(group=pd.Categorical(table.group, TYPES), hover=[
        f"{row.who}, {row.condition}<br>{row.group} {row.value:.3f}<br>n {row.n:,}"
        + (f", seed {row.seed}" if pd.notna(row.seed) else "")
        for row in table.itertuples()
    ])  # fmt: skip
    return dots(
        table, panel="group", head="condition", title=title, unit="trials a mark", horizontal_spacing=0.02,
        notes=[f"{rule}, 95 % intervals; dashed: chance; line: mastery"], levels=_GOALS, reach=_REACH, across=BETTER,
        ticks=(0, round(CHANCE, 2), MASTERY), alt=f"Share right, {rule}",
    )  # fmt: skip


def emergence(log: pd.DataFrame, floors: pd.DataFrame) -> go.Figure:
    """Return shares of right best answers over training: a row for each learner, a column for each type of trial.

    ``log`` holds training logs, as `logs` makes them (NaN without an evaluation), and ``kind`` where it is not a
    model's. ``floors`` are result rows of floors, for one condition and rule: drawn as grey lines.
    """
    log = log.dropna(subset=list(TYPES)).assign(kind=log.get("kind", "model")).fillna({"kind": "model"})
    long, levels = log.melt(["who", "seed", "kind", "step"], list(TYPES), "group"), _split_tasks(floors)
    runs = long.groupby("who", sort=False).seed.nunique()
    styles = dashes(list(dict.fromkeys(levels.who)), ("dot", "dashdot", "longdash"))  # chance is dashed
    ends = levels.merge(long[["step"]].agg(["min", "max"]), how="cross").assign(kind="floor", seed=0)
    parts = [long.assign(learner=long.who), *(ends.assign(learner=who) for who in runs.index)]
    columns = ["learner", "who", "kind", "seed", "group", "step", "value"]
    grey = ", ".join(["- - chance", *(f"{theme.DASHES[dash]} {name}" for name, dash in styles.items())])
    looks = {who: {"mode": "lines", "dash": "solid"} for who in runs.index}
    figure = lines(
        pd.concat([part[columns] for part in parts]), "step", panel="group", row="learner", each="seed",
        title="Emergence", notes=["each line is a run; upper line: mastery", f"grey: {grey}"], levels=_GOALS,
        looks=looks | {who: {"dash": dash} for who, dash in styles.items()}, reach=(-0.02, 1.04), shared_xaxes=True,
        across="iteration", up="", alt="Share of right best answers", gap=20, margin={"l": 88}, named=False, height=112,
    )  # fmt: skip
    for number, (who, count) in enumerate(runs.items(), 1):
        words = f"{who}<br>{theme.small(f'{count} run' + 's' * (count > 1))}"
        figure.update_yaxes(title={"text": words, "font": {"size": 12}}, row=number, col=1)
    figure.update_yaxes(tickvals=[0, 0.5, 1]).update_xaxes(rangemode="tozero", nticks=3)
    return figure


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


def nodal(rows: pd.DataFrame, rule: str = "argmax") -> go.Figure:
    """Return accuracy on derived pairs by the number of members between the two, a panel for each player.

    ``rows`` are of one condition. With several seeds, the line is their mean, and every seed is a small mark.
    """
    table = _accuracy(rows, rule)
    table = table[table.group.str.startswith("nodes ")]
    table = table.assign(nodes=table.group.str.removeprefix("nodes ").astype(int), mark="run")
    ranks = table.groupby("who").value.mean().sort_values(ascending=False, kind="stable").index
    means = table.groupby(["who", "kind", "nodes"], sort=False).value.mean().reset_index().assign(mark="mean")
    names = pd.Categorical([*means.who, *table.who], list(ranks))
    names = names.rename_categories([name.replace(", ", "<br>", 1) for name in ranks])  # long ones, in narrow panels
    both = pd.concat([means, table[["who", "kind", "nodes", "value", "mark"]]]).assign(player=names)
    figure = lines(
        both, "nodes", group="mark", panel="player", wrap=3, levels=_GOALS, named=False, height=104, up=UP, gap=56,
        looks={"mean": {"mode": "lines"}, "run": {"mode": "markers", "size": 5}}, reach=_REACH, shared_xaxes="all",
        notes=[f"{table.condition.iloc[0]}, {rule}; n = {span(table.n, ' to ')} trials a mark",
               "the best first; dashed: chance, upper line: mastery"],
        across="members between", title="Nodal distance",
    )  # fmt: skip
    texts = (means.nodes.astype(str) + means.value.map(" between {:.3f}".format)).groupby(means.who).agg(", ".join)
    words = "; ".join(f"{who} {texts[who]}" for who in ranks)
    figure.update_yaxes(tickvals=[0, 0.5, 1]).update_xaxes(dtick=1, range=[0.7, table.nodes.max() + 0.3])
    return with_alt(figure, f"Share right by nodal distance. {words}.")


def against_published(table: pd.DataFrame) -> go.Figure:
    """Return the paper's numbers and ours, cell by cell: a line for each simulation, a column for each type of trial.

    The table from `reported.against` has one row for each cell: simulation, transformer, structure, relation, group,
    metric, published, ours, and low and high, its interval. Each metric has separate panels, one below another.
    """
    names = table[["simulation", "transformer", "structure", "relation"]].astype(str).agg(" ".join, axis=1)
    ours = table.assign(name=names, value=table.ours, kind="model", mark="ours")
    ends = ours[["published", "ours"]].agg(["min", "max"], axis=1)
    published = ours.assign(value=table.published, kind="proxy", mark="published", low=ends["min"], high=ends["max"])
    signs = [theme.coloured(theme.WHO[kind].colour, sign) for kind, sign in (("proxy", "○"), ("model", "◆"))]
    figure = dots(
        pd.concat([published, ours]).drop(columns="n", errors="ignore"), y="name", panel="group", row="metric",
        group="mark", title="The paper's tables and ours", reach=_REACH, ticks=(0, 0.5, 1), horizontal_spacing=0.02,
        margin={"b": 24},
        notes=["{} published &nbsp;{} ours, with its interval where there is one".format(*signs)],
        looks={"published": {"size": 11, "bar": {"thickness": 3, "color": theme.HAIRLINE}}, "ours": {"size": 7}},
    )  # fmt: skip
    for row, metric in enumerate(dict.fromkeys(table.metric), 1):
        figure.update_yaxes(title={"text": metric, "font": {"size": 12}}, row=row, col=1)
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
