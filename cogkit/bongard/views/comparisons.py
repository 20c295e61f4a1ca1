"""Comparisons of runs: learning curves, sizes, ways of asking, and a table of the article's numbers beside ours."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from cogkit.bongard.paper import claims
from cogkit.bongard.paper.reported import beside
from cogkit.bongard.problems.records import CHANCE
from cogkit.bongard.problems.sets import TESTS
from cogkit.ui import theme
from cogkit.ui.dots import BETTER, QUARTERS, UP
from cogkit.ui.figures import Level, dots, lines
from cogkit.ui.parts import dashes, line, span
from cogkit.ui.tables import Fold, folded, readable

_TAUGHT = [f"{attribute}/{part}" for attribute in ("convex", "has_two_parts") for part in ("train", "test")]
_PAIRS = {  # two players that differ in one thing, each
    "Our backbones on shapes that they know, and on new ones": ("ResNet-15", "ResNet-15, new shapes"),
    "Numbers as a mixture, or by squared error (L2)": ("Meta-Baseline-PS", "Meta-Baseline-PS, L2"),
    "Problems mirrored whole, or picture by picture": ("ProtoNet", "ProtoNet, each picture flipped"),
}


def learning(rows: pd.DataFrame, floors: Mapping[str, float], title: str = "Learning") -> go.Figure:
    """Return the share of right validation answers over training, a thin line for each run.

    ``rows`` have metrics such as ``accuracy, step 150``, as `training.curve` makes them; those of the kind ``yours``
    have the colour of the reader's own network. ``floors`` are levels for comparison.
    """
    table = rows.assign(step=rows.metric.str.extract(r"^accuracy, step (\d+)$", expand=False))
    table = table.dropna(subset=["step", "value"]).astype({"step": int}).drop(columns=["low", "high"])
    yours = table.kind == "yours"
    table = table.assign(run=(table.who + ", seed " + table.seed.astype(str)).mask(yours, "yours"))
    styles = dashes(list(dict.fromkeys(table.who[~yours])))
    looks = {run: {"dash": styles[who], "mode": "lines"} for who, run in set(zip(table.who, table.run, strict=True))
             if who in styles}  # fmt: skip
    key = ", ".join(f"{theme.DASHES[dash]} {name}" for name, dash in styles.items()) or "none of ours is shipped"
    pink = f"; {theme.coloured(theme.WHO['yours'].colour, '◆')} yours" * bool(yours.any())
    levels = [Level(value, "floor", name) for name, value in {"chance": CHANCE, **floors}.items()]
    low, high = min([0.47, *table.value, *floors.values()]) - 0.02, max([0.7, *table.value]) + 0.05
    figure = lines(
        table, "step", group="run", title=title, unit="answers", notes=[f"one line a run; {key}{pink}"], height=260,
        looks=looks, levels=levels, reach=(low, high), across="step (8 problems, each pair of pictures asked)", up=UP,
        alt="Share right on validation problems over training", margin={"r": 176},
    )  # fmt: skip
    return figure.update_xaxes(rangemode="tozero")


def sizes(rows: pd.DataFrame, title: str = "Does a larger network help?") -> go.Figure:
    """Return shares of right answers by the width of the backbone (the article's Fig. 5), a column for each test.

    The axis has the widths that were trained; a note names those of the article that were not. `claims.sized` gives the
    widths of result rows. Seeds are marks, and lines connect means.
    """
    table = claims.sized(rows)
    table = table[table.task.isin(TESTS) & (table.metric == "accuracy")]
    widths = sorted(set(table.alpha), reverse=True)  # the widest is on the right
    table = table.assign(
        width=pd.Categorical("α = " + table.alpha.astype(str), [f"α = {alpha}" for alpha in widths]),
        task=pd.Categorical(table.task, TESTS),
    )  # fmt: skip
    untrained = [str(alpha) for alpha in claims.ALPHAS if alpha not in widths]
    styles = dict(zip(claims.SIZED, ("solid", "dash"), strict=True))
    key = ", ".join(f"{theme.DASHES[dash]} {name}" for name, dash in styles.items())
    figure = dots(
        table, y="width", panel="task", group="model", upright=True, title=title, height=240,
        notes=[f"{key}; one mark a seed; dashed grey: chance",
               f"the paper also has α = {', '.join(untrained)}, not trained here" if untrained else "all of Fig. 5"],
        looks={claims.SIZED[1]: {"symbol": "diamond-open"}}, levels=[Level(CHANCE)], alt="Share right by size",
        across="divisor α of all widths (wider →)", up=UP, reach=(0.45, max([0.8, *(table.value + 0.05)])),
    )  # fmt: skip
    for column, (_, part) in enumerate(table.groupby("task", observed=True), 1):
        for name, seeds in part.groupby("model"):
            means = seeds.groupby("alpha").value.mean()
            style = {"color": theme.WHO["model"].colour, "dash": styles[name], "width": 1.5}
            line(figure, means.index.map(widths.index), means, style, row=1, col=column)
    return figure


def ways(rows: pd.DataFrame, title: str = "One network, asked in several ways") -> go.Figure:
    """Return the shares of right answers of one learner on the same problems, a row for each way of asking.

    Result rows have a column ``asked``, the way in words; rows of one way are drawn as marks in one line.
    """
    return dots(
        rows.astype({"value": float}), y="asked", title=title, unit="answers a mark", across=BETTER, ticks=QUARTERS,
        notes=["lines: 95 %; dashed: chance"], levels=[Level(CHANCE)], reach=(0.26, 1.04), alt="Share right",
    )  # fmt: skip


def others(rows: pd.DataFrame) -> list[Fold]:
    """Return the article's other experiments, a folded table for each: free-form alone, backbones, and two variants."""
    rows = rows[rows.metric == "accuracy"]
    titles = {
        "Table 2": "Networks that learnt free-form problems alone (Table 2)",
        "Appendix C": "The backbone alone, taught one attribute (Appendix C)",
    }
    folds = [folded(title, readable(printed(beside(rows, [table])))) for table, title in titles.items()]
    for title, players in _PAIRS.items():
        means = rows[rows.who.isin(players) & rows.task.isin([*TESTS, *_TAUGHT])].groupby(["who", "task"]).value
        folds.append(folded(title, readable(means.agg(["mean", "std", "size"]).unstack("task"), 3)))
    return folds


def printed(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table for reading: printed numbers and ours, mean ± standard deviation over seeds, as shares.

    The table comes from `reported.beside`.

    Examples
    --------
    >>> from cogkit.bongard.paper.reported import result_rows
    >>> printed(beside(result_rows("Appendix C"), ["Appendix C"])).loc["ResNet-15", ("convex/test", "printed")]
    '0.970'
    """
    runs = table[table.seeds > 0]
    seeds = runs.groupby("who").seeds.agg(lambda counts: span(counts, " to "))
    table = table.assign(
        printed=[_spread(row.published, row.published_sd) for row in table.itertuples()],
        ours=[_spread(row.ours, row.sd) for row in table.itertuples()],
    )
    wide = table.drop_duplicates(["who", "task"]).set_index(["who", "task"])[["printed", "ours"]].unstack("task")
    tasks, names = dict.fromkeys(table.task), dict.fromkeys(table.who)
    wide = wide.swaplevel(axis=1).reindex(columns=[(task, source) for task in tasks for source in ("printed", "ours")])
    wide = wide.reindex(list(names)).fillna("")
    wide["seeds", ""] = [seeds.get(name, "none") for name in names]
    return wide


def _spread(value: float, sd: float) -> str:
    if pd.isna(value):
        return ""
    return f"{value:.3f}" + ("" if pd.isna(sd) else f" ± {sd:.3f}")
