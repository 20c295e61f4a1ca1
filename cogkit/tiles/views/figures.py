"""Figures of the tile game. Each takes tidy tables or boards and returns a figure with a text alternative."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from cogkit.stats import mean_interval
from cogkit.tiles.paper.published import sample
from cogkit.tiles.rules import RULES
from cogkit.tiles.rules.boards import SIZE
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.consistency import consistency
from cogkit.ui.parts import error_bars, marker, span
from cogkit.ui.theme import small

BETTER = "z of blue tiles opened (fewer is better ↓)"


def gallery(rows: dict[str, np.ndarray], title: str, tile: int = 10) -> go.Figure:
    """Return a sheet of boards, one named row for each entry (Fig. 1B).

    Parameters
    ----------
    rows : dict of str to (k, 7, 7) array
        Row name to its boards; every row holds the same number.
    title : str
        Title of the figure.
    tile : int
        Side of a tile in pixels.
    """
    count = len(next(iter(rows.values())))
    step = SIZE + 2  # a space of two tiles between boards
    sheet = np.full((len(rows) * step - 2, count * step - 2), np.nan)
    for r, boards in enumerate(rows.values()):
        for c, board in enumerate(boards):
            sheet[r * step : r * step + SIZE, c * step : c * step + SIZE] = board
    figure = theme.figure(
        title,
        width=112 + sheet.shape[1] * tile,
        height=72 + sheet.shape[0] * tile,
        margin={"l": 96, "r": 16, "t": 48, "b": 16},
    )
    figure.add_heatmap(
        z=sheet,
        colorscale=[[0, theme.BLUE], [1, theme.RED]],
        zmin=0,
        zmax=1,
        showscale=False,
        xgap=1,
        ygap=1,
        hoverinfo="skip",
    )
    reds = np.argwhere(sheet == 1)
    figure.add_scatter(
        x=reds[:, 1],
        y=reds[:, 0],
        mode="markers",
        hoverinfo="skip",
        marker={"color": "white", "size": max(3, tile * 0.32)},
    )
    figure.update_xaxes(visible=False, range=[-0.5, sheet.shape[1] - 0.5], constrain="domain")
    figure.update_yaxes(
        range=[sheet.shape[0] - 0.5, -0.5], showgrid=False, zeroline=False, ticks="", linewidth=0, scaleanchor="x",
        tickvals=[r * step + SIZE / 2 - 0.5 for r in range(len(rows))], ticktext=list(rows), constrain="domain",
    )  # fmt: skip
    return with_alt(
        figure,
        f"{count} boards of seven by seven tiles for each of: {', '.join(rows)}. Red tiles carry a dot.",
    )


def people_and_agents(
    cells: pd.DataFrame,
    scores: pd.DataFrame | None = None,
    pinned: pd.DataFrame | None = None,
    players: pd.DataFrame | None = None,
    you: pd.DataFrame | None = None,
    ours: pd.DataFrame | None = None,
) -> go.Figure:
    """Return Fig. 3A: for each rule, a dot for every person and agent pass, means with 95 % intervals.

    Parameters
    ----------
    cells : DataFrame
        ``rule, kind (abstract | metamer), who (person | agent), n, mean, sd``, as `people.cells` gives them.
    scores : DataFrame, optional
        ``rule, kind, who, z``: one row per person or pass, as `people.scores` gives them; without it there are no dots.
    pinned : DataFrame, optional
        ``rule, kind``: agent cells that hold one repeated constant; they are drawn hollow and marked.
    players : DataFrame, optional
        Result rows of floors and observers (metric ``z``): drawn as lines.
    you : DataFrame, optional
        Result rows of the reader's own sittings: drawn as stars.
    ours : DataFrame, optional
        Result rows of agents trained here, one a task: a group of their own, intervals over boards.
    """
    marks = {"person": theme.WHO["person"], "agent": theme.WHO["model"]}
    places = {
        ("abstract", "person"): 0,
        ("metamer", "person"): 1,
        ("abstract", "agent"): 2.4,
        ("metamer", "agent"): 3.4,
    }
    figure = make_subplots(
        2,
        4,
        subplot_titles=[f"<b>{rule}</b>" for rule in RULES],
        horizontal_spacing=0.06,
        vertical_spacing=0.15,
    )
    ranges = {who: "–".join(map(str, sorted(set(cells.n[cells.who == who])))) for who in marks}
    note = (
        f"n = {ranges['person']} people and {ranges['agent']} passes of one network a cell; means with 95 % t intervals"
    )
    title = f"People and agents on the boards of each rule, and on its metamers<br>{small(note)}"
    figure.update_layout(theme.figure(title, 752, margin={"l": 64, "r": 24, "t": 104, "b": 56}).layout)
    stuck = set() if pinned is None else set(zip(pinned.rule, pinned.kind, strict=True))
    jitter = np.random.default_rng(0)
    for k, rule in enumerate(RULES):
        cell = {"row": k // 4 + 1, "col": k % 4 + 1}
        for (kind, who), x in places.items():
            mark, is_stuck = marks[who], who == "agent" and (rule, kind) in stuck
            symbol = f"{mark.symbol}-open" if is_stuck else mark.symbol
            if scores is not None:
                z = scores.loc[(scores.rule == rule) & (scores.kind == kind) & (scores.who == who), "z"].to_numpy()
                figure.add_scatter(
                    x=x + jitter.uniform(-0.28, 0.28, len(z)), y=z, mode="markers", **cell,
                    marker={"color": mark.colour, "symbol": symbol, "size": 4.5, "opacity": 0.45},
                    hovertemplate=f"{mark.label}, {kind}<br>z %{{y:.2f}}<extra></extra>",
                )  # fmt: skip
            summary = sample(cells, rule=rule, kind=kind, who=who)
            low, high = mean_interval(summary)
            figure.add_scatter(
                x=[x], y=[summary.mean], mode="markers", **cell,
                marker={"color": mark.colour, "symbol": symbol, "size": 10, "line": {"color": theme.INK, "width": 1}},
                error_y={
                    "array": [high - summary.mean], "arrayminus": [summary.mean - low],
                    "thickness": 1.5, "width": 4, "color": theme.INK,
                },
                hovertemplate=(
                    f"mean of {summary.n} {mark.label}, {kind}<br>z %{{y:.2f}} [{low:.2f}, {high:.2f}]<extra></extra>"
                ),
            )  # fmt: skip
            if is_stuck:
                figure.add_annotation(
                    x=x, y=high if scores is None else max(high, z.max()), text="pinned", showarrow=False, yshift=11,
                    font={"size": 11}, **cell,
                )  # fmt: skip
        for kind, x in (("abstract", 0), ("metamer", 1)):
            _reader_and_players(figure, cell, rule, kind, x, players, you)
            if ours is not None:
                _ours(figure, cell, ours[(ours.task == f"{rule}/{kind}") & (ours.metric == "z")], 4.8 + x)
        figure.add_hline(y=0, line={"color": theme.WHO["floor"].colour, "dash": "dash", "width": 1}, **cell)
    # The groups' names stand on a second line between the two ticks that they belong to.
    groups = ["people", "agents"] + ["ours"] * (ours is not None)
    figure.update_xaxes(
        tickvals=[2.4 * g + step for g in range(len(groups)) for step in (0, 0.5, 1)], tickangle=0, ticks="",
        ticktext=[text for group in groups for text in ("abs", f"<br>{group}", "met")],
        tickfont={"size": 11 - 2 * (ours is not None)}, range=[-0.6, 2.4 * len(groups) - 0.8],
    )  # fmt: skip
    figure.update_yaxes(zeroline=False, nticks=6)  # the dashed line of the heuristic is the zero
    for row in (1, 2):
        figure.update_yaxes(title={"text": BETTER, "font": {"size": 12}}, row=row, col=1)
    means = {(who, kind): sample(cells, who=who, kind=kind).mean for who in marks for kind in ("abstract", "metamer")}
    return with_alt(
        figure,
        "Z-scores of people and agents on eight rules. Mean over rules: "
        + "; ".join(f"{who} {kind} {z:.2f}" for (who, kind), z in means.items())
        + f". {len(stuck)} agent cells are pinned at one constant. Zero is the nearest-neighbour heuristic.",
    )


def _ours(figure, cell, rows: pd.DataFrame, x: float) -> None:
    mark = theme.WHO["model"]
    figure.add_scatter(
        x=[x] * len(rows), y=rows.value, mode="markers", error_y=error_bars(rows, "value", width=3), **cell,
        marker={"color": mark.colour, "symbol": mark.symbol, "size": 9},
        customdata=rows[["who", "task"]],
        hovertemplate="%{customdata[0]}, trained here<br>%{customdata[1]}<br>z %{y:.2f}<extra></extra>",
    )  # fmt: skip


def _reader_and_players(figure, cell, rule, kind, x, players, you) -> None:
    task = f"{rule}/{kind}"
    if players is not None:
        ideal = players[(players.task == task) & (players.kind == "observer") & (players.metric == "z")]
        for value in ideal.value:
            if rule == RULES[0]:
                figure.add_annotation(
                    x=x + 0.45, y=value, text="ideal", showarrow=False, xanchor="left", xshift=3,
                    font={"size": 11, "color": theme.WHO["observer"].colour}, **cell,
                )  # fmt: skip
            figure.add_scatter(
                x=[x - 0.45, x + 0.45], y=[value, value], mode="lines", **cell,
                line={"color": theme.WHO["observer"].colour, "dash": "dot", "width": 2.5},
                hovertemplate=f"ideal observer<br>z {value:.2f}<extra></extra>",
            )  # fmt: skip
    if you is not None:
        mark, mine = theme.WHO["you"], you.loc[(you.task == task) & (you.metric == "z"), "value"]
        figure.add_scatter(
            x=[x] * len(mine), y=mine, mode="markers+text", text=["you"] * len(mine), textposition="middle right",
            marker={"color": mark.colour, "symbol": mark.symbol, "size": 14, "line": {"color": theme.INK, "width": 1}},
            hovertemplate="you<br>z %{y:.2f}<extra></extra>", **cell,
        )  # fmt: skip


def differences(table: pd.DataFrame) -> go.Figure:
    """Return the inset of Fig. 3A: abstract minus metamer for people and agents, with 95 % Welch intervals.

    Parameters
    ----------
    table : DataFrame
        ``rule, who (person | agent), difference, low, high, pinned``: one row per rule and group.
    """
    note = small("95 % Welch intervals; hollow: one of the two cells is pinned")
    title = f"Abstract minus metamer: below zero, the rule itself was the easier task<br>{note}"
    figure = theme.figure(title, 400, margin={"l": 64, "r": 24, "t": 80, "b": 56})
    marks = {"person": ("people", theme.WHO["person"], -0.12), "agent": ("agents", theme.WHO["model"], 0.12)}
    for who, (label, mark, shift) in marks.items():
        part = table[table.who == who]
        x = np.array([RULES.index(rule) for rule in part.rule]) + shift
        figure.add_scatter(
            x=x, y=part.difference, mode="markers",
            marker={
                "color": mark.colour, "size": 11,
                "symbol": [f"{mark.symbol}-open" if stuck else mark.symbol for stuck in part.pinned],
            },
            error_y=error_bars(part, "difference", 4),
            customdata=part.rule, hovertemplate=label + ", %{customdata}<br>difference %{y:.2f}<extra></extra>",
        )  # fmt: skip
        end = part[part.rule == RULES[-1]].iloc[0]
        figure.add_annotation(
            x=RULES.index(end.rule) + shift + 0.1, y=end.difference, text=label, showarrow=False, xanchor="left",
            yshift=10 if who == "agent" else -10, font={"color": mark.colour},
        )  # fmt: skip
    figure.update_xaxes(tickvals=list(range(len(RULES))), ticktext=list(RULES), range=[-0.5, len(RULES) - 0.1])
    figure.update_yaxes(title="difference in z (better on the rule ↓)")
    hollow = table[table.pinned].rule.unique()
    return with_alt(
        figure,
        "Difference in z between abstract and metamer boards. People: "
        + ", ".join(f"{r.rule} {r.difference:.2f}" for r in table[table.who == "person"].itertuples())
        + ". Agents: " + ", ".join(f"{r.rule} {r.difference:.2f}" for r in table[table.who == "agent"].itertuples())
        + f". Hollow marks hold a pinned cell: {', '.join(hollow)}.",
    )  # fmt: skip


def estimates(
    table: pd.DataFrame,
    title: str = "One contrast, several analyses",
    across: str = "people's gain from the rule minus the agents' (z; supports the paper ←)",
    note: str = "",
) -> go.Figure:
    """Return a forest plot: the same contrast under several analyses.

    Parameters
    ----------
    table : DataFrame
        ``analysis, estimate, low, high, note``: one row per analysis, in the order to draw from the top.
    title, across, note : str
        Title of the figure, of its axis, and a line under the first.
    """
    height = 130 + 44 * len(table)
    margin = {"l": 280, "r": 24, "t": 56 + 28 * bool(note), "b": 64}
    figure = theme.figure(f"{title}<br>{small(note)}" if note else title, height + 28 * bool(note), margin=margin)
    y = np.arange(len(table))[::-1]
    figure.add_scatter(
        x=table.estimate, y=y, mode="markers", marker={"color": theme.INK, "size": 9},
        error_x=error_bars(table, "estimate", 4),
        text=table.note, hovertemplate="%{x:.2f}<br>%{text}<extra></extra>",
    )  # fmt: skip
    figure.add_vline(x=0, line={"color": theme.QUIET, "width": 1})
    figure.update_yaxes(
        tickvals=y, ticktext=[f"{row.analysis}<br>{small(row.note)}" for row in table.itertuples()],
        range=[-0.6, len(table) - 0.4], zeroline=False, showgrid=False,
    )  # fmt: skip
    figure.update_xaxes(title=across)
    return with_alt(
        figure,
        "; ".join(f"{r.analysis}: {r.estimate:.2f} from {r.low:.2f} to {r.high:.2f}" for r in table.itertuples()) + ".",
    )


def same_losses(table: pd.DataFrame) -> go.Figure:
    """Return whether players lose the same boards, a row per pair.

    Parameters
    ----------
    table : DataFrame
        As `learners.consistency.consistency`.
    """
    note = (
        f"n = {span(table.n)} boards; won: fewer blue tiles than the heuristic's mean; intervals resample whole rules"
    )
    return consistency(table, "Do they lose the same boards?", note)


def gains(table: pd.DataFrame) -> go.Figure:
    """Return how much more often players win boards of a rule than of its metamers, under each choice of units.

    Parameters
    ----------
    table : DataFrame
        As `learners.consistency.gains`.
    """
    across = "log odds of winning, rule over metamers (easier →)"
    note = f"95 % intervals; n = {span(table.n)} first games of all players"
    return estimates(table, "Boards won: a rule over its metamers", across, note)


def blue_counts(runs: np.ndarray, ideal: float | None = None, you: float | None = None, title: str = "") -> go.Figure:
    """Return how many blue tiles the heuristic opens on one board, with the ideal player and the reader.

    Parameters
    ----------
    runs : (n,) int
        Blue tiles of each run of the heuristic.
    ideal, you : float, optional
        Blue tiles of the ideal observer (mean) and of the reader.
    """
    counts = np.bincount(runs, minlength=runs.max() + 1)
    figure = theme.figure(title or "Blue tiles on this board", 396, margin={"l": 64, "r": 80, "t": 128, "b": 56})
    figure.add_bar(
        x=np.arange(len(counts)), y=counts / len(runs), marker={"color": "#C9C9C9"},
        hovertemplate="%{x} blue tiles<br>%{y:.1%} of runs<extra></extra>",
    )  # fmt: skip
    lines = [
        (runs.mean(), theme.WHO["floor"], "heuristic"),
        (ideal, theme.WHO["observer"], "ideal observer"),
        (you, theme.WHO["you"], "★ you"),
    ]
    levels = [line for line in lines if line[0] is not None]
    for place, (value, mark, label) in enumerate(levels):
        figure.add_vline(x=value, line={"color": mark.colour, "dash": mark.dash, "width": 2.5})
        # Each label has its own line above the bars, because two players often need the same number.
        figure.add_annotation(
            x=value, y=1, yref="paper", text=f"{label} {value:.1f}", showarrow=False, xanchor="left", yanchor="bottom",
            xshift=4, yshift=17 * place, font={"color": mark.colour},
        )  # fmt: skip
    figure.update_xaxes(title="blue tiles opened (fewer is better ←)", rangemode="tozero")
    figure.update_yaxes(title=f"share of {len(runs):,} runs", tickformat=".0%")
    numbers = "; ".join(f"{label} {value:.1f}" for value, _, label in levels)
    return with_alt(figure, f"Distribution of blue tiles over {len(runs)} runs of the heuristic. Means: {numbers}.")


def ranks(
    table: pd.DataFrame,
    group: str,
    groups: list[str],
    title: str,
    height: int,
    margin: dict,
    spread: float,
    number: str,
) -> go.Figure:
    """Return a row for each group from the bottom, and in it a mark for each player with its interval.

    Parameters
    ----------
    table : DataFrame
        ``who, kind, value, low, high, n`` and a column named ``group``.
    spread : float
        Share of a row that its players lie on, under each other, so that no mark hides another.
    number : str
        How plotly is to print a value.
    """
    figure = theme.figure(
        title, height, showlegend=True, margin=margin,
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "itemsizing": "constant"},
    )  # fmt: skip
    figure.update_layout(title={"y": 1, "yref": "container", "yanchor": "top", "pad": {"t": 20}})  # clear of the legend
    names = list(dict.fromkeys(table.who))
    for place, who in enumerate(names):
        rows = table[table.who == who]
        down = spread * place / max(len(names) - 1, 1)
        figure.add_scatter(
            x=rows.value, y=[groups.index(name) + spread / 2 - down for name in rows[group]], mode="markers", name=who,
            error_x=error_bars(rows, "value", width=0), marker=marker(who, rows.kind.iloc[0]),
            customdata=np.column_stack([rows[group], rows.n]),
            hovertemplate=f"{who}<br>%{{customdata[0]}}, n %{{customdata[1]}}<br>%{{x:{number}}}<extra></extra>",
        )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(len(groups))), ticktext=groups, range=[-0.6, len(groups) - 0.4], zeroline=False,
        showgrid=False,
    )  # fmt: skip
    for line in range(len(groups) - 1):
        figure.add_hline(y=line + 0.5, line={"color": "#ECECEC", "width": 1})
    return figure


def players(table: pd.DataFrame, metric: str = "z") -> go.Figure:
    """Return every player on one scale: a row for each task, a mark for each kind of player.

    Parameters
    ----------
    table : DataFrame
        Result rows (`contracts.RESULT_COLUMNS`) of one metric or several.
    metric : str
        The metric to draw.
    """
    part = table[table.metric == metric]
    tasks = list(dict.fromkeys(part.task))[::-1]
    figure = ranks(
        part, "task", tasks, f"Everybody on one scale: {metric} on {len(tasks)} tasks", 224 + 58 * len(tasks),
        {"l": 150, "r": 24, "t": 150, "b": 64}, spread=0.64, number=".2f",
    )  # fmt: skip
    figure.update_xaxes(title=BETTER.replace("↓", "←") if metric == "z" else metric)
    figure.add_vline(x=0, line={"color": theme.WHO["floor"].colour, "width": 1, "dash": "dash"})
    return with_alt(figure, "; ".join(f"{r.who} on {r.task}: {r.value:.2f}" for r in part.itertuples()) + ".")
