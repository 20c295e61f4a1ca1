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
from cogkit.ui.alt import with_alt
from cogkit.ui.dots import BETTER, UP, dots
from cogkit.ui.parts import dashes, error_bars, in_words, line, marker, marks, name_ends, span
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
    table = table.dropna(subset=["step", "value"]).astype({"step": int}).sort_values("step")
    names = list(dict.fromkeys(table.who[table.kind != "yours"]))
    styles = dashes(names)
    key = ", ".join(f"{theme.DASHES[styles[name]]} {name}" for name in names) or "none of ours is shipped"
    pink = f"; {theme.coloured(theme.WHO['yours'].colour, '◆')} yours" * bool((table.kind == "yours").any())
    n = span(table.n, " to ") if len(table) else "0"
    figure = theme.figure(title, 400, f"one line a run, n = {n} answers; {key}{pink}", margin={"r": 176, "t": 84})
    ends, words = [], []
    for (model, seed), run in table.groupby(["who", "seed"], sort=False):
        yours = run.kind.iloc[0] == "yours"
        look = theme.WHO["yours" if yours else "model"]
        line(
            figure, run.step, run.value,
            {"color": look.colour, "width": 2 if yours else 1.3, "dash": styles.get(model, "solid")},
            f"{model}, seed {seed}<br>step %{{x:,}}<br>%{{y:.3f}}", mode="lines+markers" if yours else "lines",
            marker={"symbol": look.symbol, "size": 8},
        )  # fmt: skip
        last = run.iloc[-1]
        words.append(f"{model}, seed {seed}: {last.value:.3f} at step {last.step:,}")
        ends.append((last.value, "yours" if yours else f"{model}, seed {seed}", look.colour))
    for name, value in {"chance": CHANCE, **floors}.items():
        figure.add_hline(value, line=theme.stroke("floor", 1 if name == "chance" else 2), layer="below")
        ends.append((value, name, theme.WHO["floor"].colour))
        words.append(f"{name}: {value:.3f}")
    name_ends(figure, ends, 0.028, size=12)
    low = min([0.45, *(end[0] - 0.02 for end in ends), *(table.value - 0.02)])
    figure.update_xaxes(title="step (8 problems, each pair of pictures asked)", rangemode="tozero")
    figure.update_yaxes(title=UP, range=[low, max([0.75, *(table.value + 0.05)])], zeroline=False)
    return with_alt(figure, f"Share right on validation problems at the end of training. {'; '.join(words)}.")


def sizes(rows: pd.DataFrame, title: str = "Does a larger network help?") -> go.Figure:
    """Return shares of right answers by the width of the backbone (the article's Fig. 5), a column for each test.

    The axis has the widths that were trained; a note names those of the article that were not. `claims.sized` gives the
    widths of result rows. Seeds are marks, and lines connect means.
    """
    table = claims.sized(rows)
    table = table[table.task.isin(TESTS) & (table.metric == "accuracy")]
    styles = dict(zip(claims.SIZED, ("solid", "dash"), strict=True))
    places = {alpha: k for k, alpha in enumerate(sorted(set(table.alpha), reverse=True))}  # the widest is on the right
    untrained = [str(alpha) for alpha in claims.ALPHAS if alpha not in places]
    key = ", ".join(f"{theme.DASHES[dash]} {name}" for name, dash in styles.items())
    figure = theme.figure(
        title, 424, f"{key}; one mark a seed; dashed grey: chance",
        f"the paper also has α = {', '.join(untrained)}, not trained here" if untrained else "all sizes of Fig. 5",
        columns=len(TESTS), margin={"t": 136}, shared_yaxes=True, horizontal_spacing=0.03, column_titles=list(TESTS),
    )  # fmt: skip
    words, colour = [], theme.WHO["model"].colour
    for column, test in enumerate(TESTS, 1):
        cell = {"row": 1, "col": column}
        for name, part in table[table.task == test].groupby("model", sort=False):
            means = part.groupby("alpha").value.mean()
            look = {"color": colour, "symbol": "diamond" if styles[name] == "solid" else "diamond-open"}
            hover = f"{name}, {test}<br>%{{customdata}}: %{{y:.3f}}"
            marks(
                figure, part.alpha.map(places), part.value, look, hover, error_y=error_bars(part, "value"),
                customdata=[f"α = {alpha}" for alpha in part.alpha], **cell,
            )  # fmt: skip
            style = {"color": colour, "dash": styles[name], "width": 1.5}
            line(figure, means.index.map(places), means, style, "", **cell)
            words += [f"{test}, {name}, α {alpha}: {value:.3f}" for alpha, value in means.items()]
        figure.add_hline(CHANCE, line=theme.stroke("floor"), layer="below", **cell)
    ticks = {"tickvals": list(places.values()), "ticktext": [f"α = {alpha}" for alpha in places]}
    figure.update_xaxes(range=[-0.5, max(len(places), 1) - 0.5], **ticks)
    figure.update_xaxes(title="divisor α of all widths (wider →)", col=2)
    figure.update_yaxes(range=[0.45, max([0.8, *(table.value + 0.05)])], zeroline=False)
    figure.update_yaxes(title=UP, col=1)
    return with_alt(figure, f"Share right by size. {'; '.join(words) or 'No size is shipped'}.")


def ways(rows: pd.DataFrame, title: str = "One network, asked in several ways") -> go.Figure:
    """Return the shares of right answers of one learner on the same problems, a row for each way of asking.

    Result rows have a column ``asked``, the way in words; rows of one way are drawn as marks in one line.
    """
    rows = rows.assign(share=rows.value.astype(float), shift=0.0, panel="")
    note = f"n = {span(rows.n, ' to ')} answers a mark; lines: 95 %; dashed: chance"
    return dots(
        rows, "panel", "asked", title, note, BETTER, f"Share right. {in_words(rows, 'asked', 'task')}.", start=0.3,
        mark=lambda part: marker(part.who.iloc[0], part.kind.iloc[0]), series=["who"], chance=CHANCE,
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
