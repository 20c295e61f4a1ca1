"""Figures of several architectures: Figs 4, S4, S7 and S8 of Kumar et al. 2023, and what each could know."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.tiles.paper.architectures import ARCHITECTURES, PEOPLE
from cogkit.tiles.problems.records import KINDS
from cogkit.tiles.rules import PAPER_RULES
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.dots import dots
from cogkit.ui.parts import in_words, line, span

_ORANGE = theme.WHO["model"].colour
_KIND = {"abstract": ("rule", "solid"), "metamer": ("metamers", "dot")}
_NOUNS = {"person": "people", "model": "networks"}
_SIDE, _WIDE = 180, 3  # pixels of a panel of curves, and how many stand side by side


def architectures(table: pd.DataFrame) -> go.Figure:
    """Return figure S7A: a panel for each rule, and in it a row for people and for each architecture.

    The table is as `architectures.means` of the paper's analyses gives it.
    """
    table = table.assign(
        share=table.value, shift=np.where(table.kind == "abstract", 0.14, -0.14), line=_lines(table.who),
        boards=table.kind.map({kind: name for kind, (name, _) in _KIND.items()}),
    ).sort_values(["line", "kind"])  # fmt: skip
    table["panel"] = pd.Categorical(table.rule, PAPER_RULES)
    table = table.sort_values("panel", kind="stable")
    counts = {player: span(part.n) for player, part in table.groupby("player")}
    n = " and ".join(f"{counts[player]} {noun}" for player, noun in _NOUNS.items() if player in counts)
    note = (
        f"solid: the rule, hollow: its metamers; n = {n} a task<br>lines: 95 % t intervals; dashed: nearest neighbour"
    )
    words = table.assign(task=table.rule + " " + table.boards)
    return dots(
        table, "panel", "line", "People and architectures", note, "z (fewer blue tiles, better ←)",
        f"z. {in_words(words, 'line', 'task', digits=2)}.", series=["boards", "line"], shared=True,
        mark=lambda part: _mark(part.player.iloc[0], part.kind.iloc[0] == "metamer"), chance=0.0, ticks=None, wrap=4,
    )  # fmt: skip


def preferences(table: pd.DataFrame) -> go.Figure:
    """Return figure 4: t of metamers against the rule, a row for people and for each architecture.

    The table is as `architectures.comparisons` gives it. A small mark is one rule, a large one all rules together.
    Comparisons without a test are left out.
    """
    table = table.dropna(subset="t").assign(low=np.nan, high=np.nan, shift=0.0, line=lambda t: _lines(t.who), panel="")
    table = table.assign(share=table.t, name=table.rule.replace("all", "all rules"))
    table = table.sort_values("line", kind="stable")
    note = "small: one rule, large: all rules; two-sample t over people, or over networks of other seeds"
    return dots(
        table, "panel", "line", "Is a rule easier than its metamers?", note, "t, metamers minus rule (rule easier →)",
        f"t. {in_words(table, 'line', 'name', digits=2)}.", series=["name", "line"], chance=0.0, ticks=None,
        mark=lambda part: _mark(part.player.iloc[0], False, None if part.rule.iloc[0] == "all" else 5),
    )  # fmt: skip


def curves(rows: pd.DataFrame) -> go.Figure:
    """Return figure S4: blue tiles on validation boards over training, a panel for each architecture.

    ``rows`` are result rows; drawn are those of `training.curve`, and the level of the nearest neighbour if it is among
    them. A thin line is one task, as the mean over seeds; a thick one is the mean over all of them.

    Differs from the paper: it draws rewards. On a board that is finished they are 8 points and a point for each red
    tile, minus the blue tiles.
    """
    clicks = rows.metric.str.extract(r"^blue, click (\d+)$", expand=False).astype(float)
    table = rows.assign(clicks=clicks / 1e6).dropna(subset=["clicks", "value"])
    table[["rule", "boards"]] = [task.split("/") for task in table.task]
    table = table.groupby(["who", "boards", "task", "clicks"]).value.mean().reset_index()
    names = sorted(set(table.who), key=lambda who: (ARCHITECTURES.index(who) if who in ARCHITECTURES else 99, who))
    wide = min(_WIDE, len(names))
    deep = -(-len(names) // wide)
    floor = rows[(rows.metric == "blue") & (rows.kind == "floor") & (rows.who == "nearest neighbour")].value
    note = "thin: one task; thick: their mean; solid: rules, dotted: metamers"
    figure = theme.figure(
        "Learning: blue tiles on validation boards", 152 + deep * _SIDE,
        note + "; dashed: nearest neighbour" * bool(len(floor)),
        rows=deep, columns=wide, subplot_titles=names, shared_yaxes=True, horizontal_spacing=0.03,
        vertical_spacing=0.3 / deep, margin={"t": 96},
    )  # fmt: skip
    ends = []
    for number, who in enumerate(names):
        cell = {"row": number // wide + 1, "col": number % wide + 1}
        for boards, (noun, dash) in _KIND.items():
            part = table[(table.who == who) & (table.boards == boards)]
            for task, run in part.groupby("task"):
                look = {"color": _ORANGE, "width": 1, "dash": dash}
                hover = f"{who}, {task}<br>%{{x:.2f}} million clicks<br>%{{y:.2f}} blue"
                line(figure, run.clicks, run.value, look, hover, opacity=0.45, **cell)
            mean = part.groupby("clicks").value.agg(["mean", "size"])
            mean = mean["mean"][mean["size"] == part.task.nunique()]  # where all tasks were measured
            hover = f"{who}, mean of {noun}<br>%{{x:.2f}} million clicks<br>%{{y:.2f}} blue"
            line(figure, mean.index, mean, {"color": theme.INK, "width": 2.5, "dash": dash}, hover, **cell)
            ends += [f"{who}, {noun}: {value:.2f}" for value in mean.tail(1)]
        if len(floor):
            figure.add_hline(floor.mean(), line=theme.stroke("floor", 1.5), **cell)
    figure.update_xaxes(type="log", dtick=1, matches="x")
    figure.update_xaxes(title="million clicks", row=deep)
    figure.update_yaxes(rangemode="tozero", matches="y")
    figure.update_yaxes(title="blue tiles a board (better ↓)", col=1)
    level = f"; nearest neighbour: {floor.mean():.2f}" if len(floor) else ""
    return with_alt(figure, f"Mean blue tiles a board at the end of training. {'; '.join(ends)}{level}.")


def ceilings(table: pd.DataFrame) -> go.Figure:
    """Return skill by what networks were taught from: a panel for each architecture, and in it a row for each rule.

    The table is as `paper.ceilings.ceilings` gives it. The fewest clicks in it are everybody's budget.
    """
    fewest = table.clicks.min() * 1.01  # whole updates do not always make up the same number
    more = table.clicks > fewest
    table = table.assign(
        share=table.value, line=pd.Categorical(table.rule, PAPER_RULES), panel=_lines(table.who),
        shift=np.select([table.taught == "boards", more], [-0.18, 0.18], 0.0), more=more,
        name=table.taught.map({"points": "taught by points", "boards": "shown the boards"})
        + (table.clicks / 1e6).map(", {:.1f} million clicks".format),
    ).sort_values(["panel", "line", "clicks"])  # fmt: skip
    table["panel"] = table.panel.astype(str)
    note = "◆ taught by points, ◇ shown the boards, ✦ by points with more clicks"
    note += "<br>dashed: nearest neighbour and ideal observer; lines: 95 % t intervals over three networks"
    figure = dots(
        table, "panel", "line", "What could each network know?", note, "skill on held-out boards (better →)",
        f"Skill. {in_words(table.assign(who=table.panel + ', ' + table.name), 'who', 'line', digits=2)}.",
        series=["name"], shared=True, chance=0.0, ticks=None, wrap=_WIDE,
        mark=lambda part: _mark("model", part.taught.iloc[0] == "boards")
        | ({"symbol": "star-diamond"} if part.more.iloc[0] else {}),
    )  # fmt: skip
    return figure.add_vline(1, line=theme.stroke("observer"), layer="below", row="all", col="all")


def matrix(table: pd.DataFrame) -> go.Figure:
    """Return figure S8: z of the agent of each task on the boards of every task, as a heatmap with its diagonal boxed.

    The table is as `transfer.matrix` gives it, of one architecture.
    """
    tasks = [f"{rule}/{kind}" for kind in KINDS for rule in PAPER_RULES if f"{rule}/{kind}" in set(table.trained)]
    z = table.pivot(index="trained", columns="tested", values="value").loc[tasks, tasks].to_numpy()
    names = [task.replace("/abstract", "").replace("/", " ") for task in tasks]
    who, n = ", ".join(dict.fromkeys(table.who)), span(table.n)
    figure = theme.figure(
        f"Trained on one task, tested on every other: {who}", 200 + 26 * len(tasks),
        f"rows: trained on, columns: tested on; n = {n} boards a cell; bright is better, 0 is the nearest neighbour",
        margin={"l": 128, "t": 84, "b": 116, "r": 24},
    )  # fmt: skip
    words = [[f"trained on {a}, tested on {b}" for b in names] for a in names]
    figure.add_heatmap(
        z=z, colorscale="Cividis", reversescale=True, xgap=1, ygap=1, customdata=words,
        hovertemplate="%{customdata}<br>z %{z:.2f}<extra></extra>", colorbar={"title": "z", "thickness": 12},
    )  # fmt: skip
    place = np.arange(len(tasks))[:, None]
    x = (place + [-0.5, 0.5, 0.5, -0.5, -0.5, np.nan]).ravel()
    y = (place + [-0.5, -0.5, 0.5, 0.5, -0.5, np.nan]).ravel()
    line(figure, x, y, {"color": _ORANGE, "width": 2})
    axis = {"tickvals": list(range(len(tasks))), "ticktext": names, "showgrid": False, "zeroline": False, "ticks": ""}
    figure.update_xaxes(axis | {"tickangle": -90})
    figure.update_yaxes(axis | {"range": [len(tasks) - 0.5, -0.5]})
    own = np.eye(len(tasks), dtype=bool)
    rows = "; ".join(f"{name}: {values.mean():.2f}" for name, values in zip(names, z, strict=True))
    away = f", on another's {z[~own].mean():.2f}" if len(tasks) > 1 else ""
    return with_alt(figure, f"Mean z on the own task {z[own].mean():.2f}{away}. By training, over all tests: {rows}.")


def _lines(who: pd.Series) -> pd.Categorical:
    """Return the rows of a panel in order: people, then the architectures that the table has."""
    return pd.Categorical(who, [name for name in (PEOPLE, *ARCHITECTURES) if name in set(who)])


def _mark(player: str, hollow: bool, size: int | None = None) -> dict:
    """Return the mark of people or of a network; one with a size is small, and lets others be seen."""
    look = theme.WHO[player]
    symbol = f"{look.symbol}-open" if hollow else look.symbol
    small = {"size": size, "opacity": 0.45} if size else {"size": 9, "line": {"width": 2, "color": look.colour}}
    return {"symbol": symbol, "color": look.colour} | small
