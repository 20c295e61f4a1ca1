"""Figures of several architectures: Figs 4, S4, S7 and S8 of Kumar et al. 2023, and what teaches each more."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.tiles.paper.architectures import ARCHITECTURES, PEOPLE
from cogkit.tiles.paper.teaching import pairs
from cogkit.tiles.problems.records import KINDS
from cogkit.tiles.rules import PAPER_RULES
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.figures import Level, dots, heatmap, lines
from cogkit.ui.parts import in_words, span

_BOARDS = {"abstract": "rule", "metamer": "metamers"}
_NOUNS = {"person": "people", "model": "networks"}
_HOLLOW = {"people, metamers": {"symbol": "circle-open"}, "networks, metamers": {"symbol": "diamond-open"}}
_NEAREST, _WIDE = Level(0, "floor"), 3
_THIN = {"color": theme.WHO["model"].colour, "width": 1, "opacity": 0.45}
_DASHED = "; dashed: nearest neighbour"


def architectures(table: pd.DataFrame) -> go.Figure:
    """Return figure S7A: a panel for each rule, and in it a row for people and for each architecture.

    The table is as `architectures.means` of the paper's analyses gives it.
    """
    boards = table.kind.map(_BOARDS)
    table = table.assign(
        shift=np.where(boards == "rule", 0.14, -0.14), mark=table.player.map(_NOUNS) + ", " + boards, boards=boards,
        kind=table.player, line=_lines(table.who), rule=pd.Categorical(table.rule, PAPER_RULES),
    ).sort_values(["line", "rule"], kind="stable")  # fmt: skip
    n = " and ".join(f"{span(part.n)} {_NOUNS[player]}" for player, part in table.groupby("player", sort=False))
    key, note = f"solid: the rule, hollow: its metamers; n = {n} a task", f"lines: 95 % t intervals{_DASHED}"
    figure = dots(
        table, y="line", panel="rule", wrap=4, group="mark", shift="shift", looks=_HOLLOW, levels=[_NEAREST], digits=2,
        title="People and architectures", notes=[key, note], across="z (fewer blue tiles, better ←)",
    )  # fmt: skip
    words = table.assign(task=table.rule.astype(str) + " " + table.boards)
    return with_alt(figure, f"z. {in_words(words, 'line', 'task', 'value', 2)}.")


def preferences(table: pd.DataFrame) -> go.Figure:
    """Return figure 4: t of metamers against the rule, a row for people and for each architecture.

    The table is as `architectures.comparisons` gives it. A small mark is one rule, a large one all rules together.
    Comparisons without a test are left out.
    """
    table = table.dropna(subset="t").drop(columns=["low", "high"])
    table = table.assign(kind=table.player, line=_lines(table.who), name=table.rule.replace("all", "all rules"))
    table = table.assign(mark=np.where(table.rule == "all", "all rules", "one rule"))
    figure = dots(
        table, "t", "line", group="mark", levels=[_NEAREST], digits=2, title="Is a rule easier than its metamers?",
        notes=["small: one rule, large: all rules; two-sample t over people, or over networks of other seeds"],
        looks={"one rule": {"size": 5, "opacity": 0.45}}, across="t, metamers minus rule (rule easier →)",
    )  # fmt: skip
    return with_alt(figure, f"t. {in_words(table, 'line', 'name', 't', digits=2)}.")


def curves(rows: pd.DataFrame) -> go.Figure:
    """Return figure S4: blue tiles on validation boards over training, a panel for each architecture.

    ``rows`` are result rows; drawn are those of `training.curve`, and the level of the nearest neighbour if it is among
    them. A thin line is one task, as the mean over seeds; a thick one is the mean over all of them.

    Differs from the paper: it draws rewards. On a board that is finished they are 8 points and a point for each red
    tile, minus the blue tiles.
    """
    clicks = rows.metric.str.extract(r"^blue, click (\d+)$", expand=False).astype(float)
    table = rows.assign(clicks=clicks / 1e6).dropna(subset=["clicks", "value"])
    table["boards"] = table.task.str.partition("/")[2].map(_BOARDS)
    table = table.groupby(["who", "boards", "task", "clicks"]).value.mean().reset_index()
    every = table.groupby(["who", "boards"]).task.transform("nunique")
    means = table.groupby(["who", "boards", "clicks"]).value.agg(value="mean", n="size").reset_index()
    means = means.merge(table.assign(n=every)[["who", "boards", "clicks", "n"]].drop_duplicates())  # with all tasks
    means = means.assign(task="", mark="mean of " + means.boards)
    both = pd.concat([table.assign(mark=table.boards), means.drop(columns="n")])
    names = list(dict.fromkeys((*ARCHITECTURES, *sorted(both.who))))  # others, such as agents of all rules, come last
    both["who"] = pd.Categorical(both.who, names)
    nearest = rows.value[(rows.metric == "blue") & (rows.kind == "floor") & (rows.who == "nearest neighbour")]
    levels = [Level(nearest.mean(), "floor")] * bool(len(nearest))
    looks = {
        f"{mean}{name}": {"dash": dash, "mode": "lines"} | look
        for name, dash in (("rule", "solid"), ("metamers", "dot"))
        for mean, look in (("", _THIN), ("mean of ", {"width": 2.5}))
    }
    figure = lines(
        both, "clicks", panel="who", wrap=_WIDE, group="mark", each="task", looks=looks, levels=levels, named=False,
        title="Learning: blue tiles on validation boards", height=180, digits=2, reach=(0, 1.05 * both.value.max()),
        notes=["thin: one task; thick: their mean; solid: rules, dotted: metamers" + _DASHED * bool(levels)],
        across="million clicks", up="blue tiles a board (better ↓)",
    )  # fmt: skip
    figure.update_xaxes(type="log", dtick=1, matches="x")
    ends = means.groupby(["who", "boards"], sort=False).value.last()
    words = "; ".join(f"{who}, {boards}: {value:.2f}" for (who, boards), value in ends.items())
    words += "".join(f"; nearest neighbour: {level.value:.2f}" for level in levels)
    return with_alt(figure, f"Mean blue tiles a board at the end of training. {words}.")


def teaching(table: pd.DataFrame) -> go.Figure:
    """Return skill by what networks were taught from: a panel for each architecture, and in it a row for each rule.

    The table is as `paper.teaching.teaching` gives it. The fewest clicks in it are everybody's budget.
    """
    both = pairs(table)
    below = f"{both.below.sum()} of {len(both)} networks taught by boards are below the same one taught by points"
    more = table.clicks > table.clicks.min() * 1.01  # whole updates do not always make up the same number
    boards = table.taught == "boards"
    table = table.assign(
        kind="model", who=_lines(table.who), rule=pd.Categorical(table.rule, PAPER_RULES),
        shift=np.select([boards, more], [-0.18, 0.18], 0.0),
        symbol=np.select([more, boards], ["star-diamond", "diamond-open"], "diamond"),
        name=np.where(boards, "taught by boards", "taught by points")
        + (table.clicks / 1e6).map(", {:.1f} million clicks".format),
    ).sort_values(["who", "rule", "clicks"])  # fmt: skip
    key = "◆ taught by points, ◇ taught by boards, ✦ by points with more clicks"
    note = "dashed: nearest neighbour; dotted: ideal observer; lines: 95 % t intervals over three networks"
    figure = dots(
        table, y="rule", panel="who", wrap=_WIDE, group="name", shift="shift", digits=2, notes=[key, below, note],
        looks={name: {"symbol": symbol} for name, symbol in zip(table.name, table.symbol, strict=True)},
        levels=[_NEAREST, Level(1, "observer")], title="What networks learn from points, and from boards",
        across="skill on held-out boards (better →)",
    )  # fmt: skip
    words = table.assign(who=table.who.astype(str) + ", " + table.name)
    return with_alt(figure, f"Skill; {below}. {in_words(words, 'who', 'rule', 'value', 2)}.")


def matrix(table: pd.DataFrame) -> go.Figure:
    """Return figure S8: z of the agent of each task on the boards of every task, as a heatmap with its diagonal boxed.

    The table is as `transfer.matrix` gives it, of one architecture.
    """
    tasks = [f"{rule}/{kind}" for kind in KINDS for rule in PAPER_RULES]
    own = table.trained == table.tested
    table = table.assign(box=np.where(own, "solid", "")).sort_values(
        ["trained", "tested"], key=lambda column: column.map(tasks.index)
    )
    pair = ["trained", "tested"]
    table[pair] = table[pair].apply(lambda names: names.str.replace("/abstract", "").str.replace("/", " "))
    table["hover"] = [f"trained on {r.trained}, tested on {r.tested}<br>z {r.value:.2f}" for r in table.itertuples()]
    figure = heatmap(
        table, "tested", "trained", box="box", better="low", scale="z", across="tested on", up="trained on",
        title=f"Trained on one task, tested on every other: {', '.join(dict.fromkeys(table.who))}",
        notes=[f"n = {span(table.n)} boards a cell; bright is better, 0 is the nearest neighbour"], margin={"b": 116},
    )  # fmt: skip
    figure.update_xaxes(tickangle=-90)
    rows = in_words(table, "trained", None, "value", digits=2)
    away = f", on another's {table.value[~own].mean():.2f}" if not own.all() else ""
    mean = table.value[own].mean()
    return with_alt(figure, f"Mean z on the own task {mean:.2f}{away}. By training, over all tests: {rows}.")


def _lines(who: pd.Series) -> pd.Categorical:
    """Return the rows of a panel in order: people, then the architectures that the table has."""
    return pd.Categorical(who, [name for name in (PEOPLE, *ARCHITECTURES) if name in set(who)])
