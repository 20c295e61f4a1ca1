"""Figures of the tile game. Each takes tidy tables or boards and returns a figure with a text alternative."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.stats import mean_interval
from cogkit.tiles.paper.published import sample
from cogkit.tiles.rules import PAPER_RULES
from cogkit.tiles.rules.boards import SIZE
from cogkit.tiles.views.scene import IN_WORDS
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.dots import dots, player_mark, standings
from cogkit.ui.figures import consistency
from cogkit.ui.parts import beside, error_bars, in_words, interval, line, marks, name_rows, span
from cogkit.ui.tables import VALUES, Fold, folded

_KINDS = ("abstract", "metamer")
BETTER = "z of blue tiles opened (fewer is better ↓)"
_PRINTED = "Kumar"  # how the sources of printed numbers begin
_NAMES = VALUES["who"] | {"people (Kumar et al. 2023)": "people", "lstm (Kumar et al. 2023)": "LSTM"}
_ACROSS = {"z": "z (fewer blue tiles, better ←)", "skill": "skill (better →)"}


def gallery(rows: dict[str, np.ndarray], title: str, tile: int = 8) -> go.Figure:
    """Return a sheet of boards, one named row for each entry (Fig. 1B).

    Every row holds the same number of boards (7, 7). On a narrow page tiles are smaller than ``tile`` pixels.
    """
    count = len(next(iter(rows.values())))
    step = SIZE + 2  # a space of two tiles between boards
    sheet = np.full((len(rows) * step - 2, count * step - 2), np.nan, np.float32)  # half the size in a stored notebook
    for r, boards in enumerate(rows.values()):
        for c, board in enumerate(boards):
            sheet[r * step : r * step + SIZE, c * step : c * step + SIZE] = board
    height, width = sheet.shape
    margin = {"l": 96, "r": 16, "t": 48, "b": 16}
    figure = theme.figure(title, 72 + height * tile, margin=margin)
    colours = {"colorscale": [[0, theme.BLUE], [1, theme.RED]], "zmin": 0, "zmax": 1, "showscale": False}
    figure.add_heatmap(z=sheet, xgap=1, ygap=1, hoverinfo="skip", **colours)
    y, x = np.argwhere(sheet == 1).T.astype(np.int16)
    marks(figure, x, y, {"color": theme.WHITE, "size": max(3, tile * 0.32)})
    figure.update_xaxes(visible=False, range=[-0.5, width - 0.5], constrain="domain", constraintoward="left")
    figure.update_yaxes(
        range=[height - 0.5, -0.5], showgrid=False, zeroline=False, ticks="", linewidth=0, scaleanchor="x",
        tickvals=[r * step + SIZE / 2 - 0.5 for r in range(len(rows))], ticktext=list(rows), constrain="domain",
        constraintoward="top",
    )  # fmt: skip
    names = ", ".join(rows)
    return with_alt(figure, f"{count} boards of seven by seven tiles for each of: {names}. Red tiles carry a dot.")


def rules() -> Fold:
    """Return the eight rules in words, in a fold that the reader opens."""
    table = pd.DataFrame({"rule": IN_WORDS.keys(), "in words": IN_WORDS.values()})
    return folded("Show the eight rules in words", table)


def people_and_agents(
    cells: pd.DataFrame, scores: pd.DataFrame | None = None, pinned: pd.DataFrame | None = None,
    players: pd.DataFrame | None = None, you: pd.DataFrame | None = None, ours: pd.DataFrame | None = None,
) -> go.Figure:  # fmt: skip
    """Return figure 3A: for each rule, a dot for every person and agent pass, means with 95 % intervals.

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
    kinds = {"person": theme.WHO["person"], "agent": theme.WHO["model"]}
    places = {(kind, who): 2.4 * g + k for g, who in enumerate(kinds) for k, kind in enumerate(_KINDS)}
    people, passes = (span(cells.n[cells.who == who]) for who in kinds)
    figure = theme.figure(
        "People and agents: each rule and its metamers", 752,
        f"n = {people} people and {passes} passes of one network a cell; means with 95 % t intervals", rows=2,
        columns=4, margin={"t": 104}, subplot_titles=[f"<b>{rule}</b>" for rule in PAPER_RULES],
        horizontal_spacing=0.06, vertical_spacing=0.15,
    ).update_annotations(font={"size": 16})  # fmt: skip
    stuck = set() if pinned is None else set(zip(pinned.rule, pinned.kind, strict=True))
    jitter = np.random.default_rng(0)
    for k, rule in enumerate(PAPER_RULES):
        cell = {"row": k // 4 + 1, "col": k % 4 + 1}
        for (kind, who), x in places.items():
            mark, is_stuck = kinds[who], who == "agent" and (rule, kind) in stuck
            look = {"color": mark.colour, "symbol": f"{mark.symbol}{'-open' * is_stuck}"}
            if scores is not None:
                z = scores.loc[(scores.rule == rule) & (scores.kind == kind) & (scores.who == who), "z"].to_numpy()
                marks(
                    figure, x + jitter.uniform(-0.28, 0.28, len(z)), z, look | {"size": 4.5, "opacity": 0.45},
                    f"{mark.label}, {kind}<br>z %{{y:.2f}}", **cell,
                )  # fmt: skip
            summary = sample(cells, rule=rule, kind=kind, who=who)
            low, high = mean_interval(summary)
            marks(
                figure, x, summary.mean, look | {"size": 10, "line": {"color": theme.INK, "width": 1}},
                f"mean of {summary.n} {mark.label}, {kind}<br>z %{{y:.2f}} [{low:.2f}, {high:.2f}]",
                error_y=interval(summary.mean, low, high, 4) | {"color": theme.INK}, **cell,
            )  # fmt: skip
            if is_stuck:
                figure.add_annotation(
                    x=x, y=high if scores is None else max(high, z.max()), text="pinned", showarrow=False, yshift=11,
                    font={"size": 11}, **cell,
                )  # fmt: skip
        for x, kind in enumerate(_KINDS):
            _reader_and_players(figure, cell, rule, kind, x, players, you)
            if ours is not None:
                _ours(figure, cell, ours[(ours.task == f"{rule}/{kind}") & (ours.metric == "z")], 4.8 + x)
        figure.add_hline(y=0, line=theme.stroke("floor"), **cell)
    # The groups' names stand on a second line between the two ticks that they belong to.
    groups = ["people", "agents"] + ["ours"] * (ours is not None)
    figure.update_xaxes(
        tickvals=[2.4 * g + step for g in range(len(groups)) for step in (0, 0.5, 1)], tickangle=0, ticks="",
        ticktext=[text for group in groups for text in ("r", f"<br>{group}", "m")],
        tickfont={"size": 11 - 2 * (ours is not None)}, range=[-0.6, 2.4 * len(groups) - 0.8],
    )  # fmt: skip
    figure.update_yaxes(zeroline=False, nticks=6)  # the dashed line of the nearest neighbour is the zero
    figure.update_yaxes(title={"text": BETTER, "font": {"size": 12}}, col=1)
    means = {(who, kind): sample(cells, who=who, kind=kind).mean for who in kinds for kind in _KINDS}
    return with_alt(
        figure,
        "Z-scores of people and agents on eight rules. Mean over rules: "
        + "; ".join(f"{who} {kind} {z:.2f}" for (who, kind), z in means.items())
        + f". {len(stuck)} agent cells are pinned at one constant. Zero is the nearest neighbour.",
    )


def _ours(figure, cell, rows: pd.DataFrame, x: float) -> None:
    look = {"color": theme.WHO["model"].colour, "symbol": theme.WHO["model"].symbol, "size": 9}
    marks(
        figure, [x] * len(rows), rows.value, look, "%{customdata[0]}, trained here<br>%{customdata[1]}<br>z %{y:.2f}",
        error_y=error_bars(rows, "value", 3), customdata=rows[["who", "task"]], **cell,
    )  # fmt: skip


def _reader_and_players(figure, cell, rule, kind, x, players, you) -> None:
    task = f"{rule}/{kind}"
    if players is not None:
        ideal = players[(players.task == task) & (players.kind == "observer") & (players.metric == "z")]
        for value in ideal.value:
            if rule == PAPER_RULES[0]:
                figure.add_annotation(
                    x=x + 0.45, y=value, text="ideal", showarrow=False, xanchor="left", xshift=3,
                    font={"size": 11, "color": theme.WHO["observer"].colour}, **cell,
                )  # fmt: skip
            hover = f"ideal observer<br>z {value:.2f}"
            line(figure, [x - 0.45, x + 0.45], [value, value], theme.stroke("observer", 2.5), hover, **cell)
    if you is not None:
        mine = you.loc[(you.task == task) & (you.metric == "z"), "value"]
        star = theme.mark("you", 14) | {"line": {"color": theme.INK, "width": 1}}
        marks(
            figure, [x] * len(mine), mine, star, "you<br>z %{y:.2f}", mode="markers+text", text=["you"] * len(mine),
            textposition="middle right", **cell,
        )  # fmt: skip


def differences(table: pd.DataFrame) -> go.Figure:
    """Return the inset of Fig. 3A: abstract minus metamer for people and agents, with 95 % Welch intervals.

    Columns are ``rule, who (person | agent), difference, low, high, pinned``: one row per rule and group.
    """
    title = "The rule minus its metamers"
    note = "below zero, the rule itself was easier; 95 % Welch intervals; hollow: a cell is pinned"
    figure = theme.figure(title, 400, note, margin={"t": 80})
    groups = {"person": ("people", theme.WHO["person"], -0.12), "agent": ("agents", theme.WHO["model"], 0.12)}
    for who, (label, mark, shift) in groups.items():
        part = table[table.who == who]
        symbols = [f"{mark.symbol}-open" if stuck else mark.symbol for stuck in part.pinned]
        marks(
            figure, np.array([PAPER_RULES.index(rule) for rule in part.rule]) + shift, part.difference,
            {"color": mark.colour, "size": 11, "symbol": symbols}, f"{label}, %{{customdata}}<br>difference %{{y:.2f}}",
            error_y=error_bars(part, "difference", 4), customdata=part.rule,
        )  # fmt: skip
        end = part[part.rule == PAPER_RULES[-1]].iloc[0]
        beside(
            figure, end.difference, label, None, x=PAPER_RULES.index(end.rule) + shift + 0.1, xref=None,
            yshift=10 if who == "agent" else -10, font={"color": mark.colour},
        )  # fmt: skip
    names = [f"{'<br>' * (k % 2)}{rule}" for k, rule in enumerate(PAPER_RULES)]  # on two lines they have room
    figure.update_xaxes(
        tickvals=list(range(len(PAPER_RULES))), ticktext=names, tickangle=0, range=[-0.5, len(PAPER_RULES) - 0.1]
    )
    figure.update_yaxes(title="difference in z (better on the rule ↓)")
    hollow = table[table.pinned].rule.unique()
    people, agents = (
        ", ".join(f"{r.rule} {r.difference:.2f}" for r in table[table.who == who].itertuples()) for who in groups
    )
    return with_alt(
        figure, f"Difference in z between abstract and metamer boards. People: {people}. Agents: {agents}. "
        f"Hollow marks hold a pinned cell: {', '.join(hollow)}.",
    )  # fmt: skip


def estimates(
    table: pd.DataFrame, title: str = "One contrast, several analyses",
    across: str = "people's gain minus agents', in z<br>(for the paper ←)", note: str = "",
) -> go.Figure:  # fmt: skip
    """Return a forest plot: the same contrast under several analyses.

    Columns are ``analysis, estimate, low, high, note``: one row per analysis, in the order to draw from the top.
    """
    figure = theme.figure(
        title, 146 + 44 * len(table) + 28 * bool(note), *[note] * bool(note),
        margin={"l": 280, "t": 56 + 28 * bool(note), "b": 80},
    )  # fmt: skip
    rows = {f"{r.analysis}<br>{theme.small(r.note)}": len(table) - 1 - k for k, r in enumerate(table.itertuples())}
    marks(
        figure, table.estimate, np.arange(len(table))[::-1], {"color": theme.INK, "size": 9}, "%{x:.2f}<br>%{text}",
        error_x=error_bars(table, "estimate", 4), text=table.note,
    )  # fmt: skip
    figure.add_vline(x=0, line={"color": theme.QUIET, "width": 1})
    name_rows(figure, rows, showgrid=False)
    figure.update_xaxes(title=across)
    return with_alt(
        figure,
        "; ".join(f"{r.analysis}: {r.estimate:.2f} from {r.low:.2f} to {r.high:.2f}" for r in table.itertuples()) + ".",
    )


def same_losses(table: pd.DataFrame) -> go.Figure:
    """Return whether players lose the same boards, a row per pair.

    The table is as `learners.board_errors.consistency` gives it.
    """
    note = f"n = {span(table.n)} boards; intervals resample whole rules"
    return consistency(table, "Do they lose the same boards?", note)


def gains(table: pd.DataFrame) -> go.Figure:
    """Return how much more often players win boards of a rule than of its metamers, under each choice of units.

    The table is as `learners.consistency.gains` gives it.
    """
    across = "log odds of winning, rule over metamers (easier →)"
    note = f"95 % intervals; n = {span(table.n)} first games of all players"
    return estimates(table, "Boards won: a rule over its metamers", across, note)


def gaps(table: pd.DataFrame) -> go.Figure:
    """Return whether players find a rule or its metamers easier, a row per kind of player that has been run.

    The table is as `paper.preference.gaps` gives it, in z.
    """
    table = table.dropna(subset="estimate")
    across = "z, rule minus metamers<br>(rule easier ←)"
    return estimates(table, "How much easier is a rule than its metamers?", across, "95 % t intervals over rules")


def blue_counts(runs: np.ndarray, ideal: float | None = None, you: float | None = None, title: str = "") -> go.Figure:
    """Return how many blue tiles nearest neighbour opens on one board, with the ideal observer and the reader.

    ``runs`` are blue tiles of each game of nearest neighbour; ``ideal`` is a mean.
    """
    counts = np.bincount(runs, minlength=runs.max() + 1)
    figure = theme.figure(title or "Blue tiles on this board", 396, margin={"r": 80, "t": 128})
    figure.add_bar(
        x=np.arange(len(counts)), y=counts / len(runs), marker={"color": "#C9C9C9"},
        hovertemplate="%{x} blue tiles<br>%{y:.1%} of games<extra></extra>",
    )  # fmt: skip
    lines = ((runs.mean(), "floor", "nearest neighbour"), (ideal, "observer", "ideal observer"), (you, "you", "★ you"))
    levels = [level for level in lines if level[0] is not None]
    for place, (value, kind, label) in enumerate(levels):
        figure.add_vline(x=value, line=theme.stroke(kind, 2.5))
        # Each label has its own line above the bars, because two players often need the same number.
        beside(
            figure, 1, f"{label} {value:.1f}", 4, x=value, xref=None, yref="paper", yanchor="bottom",
            yshift=17 * place, font={"color": theme.WHO[kind].colour},
        )  # fmt: skip
    figure.update_xaxes(title="blue tiles opened (fewer is better ←)", rangemode="tozero")
    figure.update_yaxes(title=f"share of {len(runs):,} games", tickformat=".0%")
    numbers = "; ".join(f"{label} {value:.1f}" for value, _, label in levels)
    return with_alt(
        figure, f"Distribution of blue tiles over {len(runs)} games of nearest neighbour. Means: {numbers}."
    )


def players(table: pd.DataFrame, metric: str = "z") -> go.Figure:
    """Return every player on one scale: a row for each player, a panel for each task.

    Parameters
    ----------
    table : DataFrame
        Result rows (`records.RESULT_COLUMNS`) of one metric or several. Rows of `published.rows` stand in the rows of
        people and of our network, the network's with a mark of its own.
    """
    part = table[table.metric == metric]
    rows = standings(part, _PRINTED, part.who.replace(_NAMES), lower=metric == "z")
    one_kind = rows.task.str.partition("/")[2].nunique() == 1
    panels = {task: task.split("/")[0] if one_kind else task.replace("/", ": ") for task in rows.task}
    paper = rows.source.str.startswith(_PRINTED)
    groups = (("boards", ~paper), ("people", paper & ~rows.printed), ("passes of one printed network", rows.printed))
    counts = ", ".join(f"{span(rows.n[those])} {unit}" for unit, those in groups if those.any())
    note = f"n = {counts}<br>lines: 95 %" + "; dashed: nearest neighbour" * (metric == "z")
    note += f"; ○ printed, {theme.coloured(theme.WHO['model'].colour, '◆')} ours" * bool(rows.printed.any())
    rows = rows.assign(panel=rows.task.map(panels), player=rows.name.astype(str) + np.where(paper, " (paper)", ""))
    words = in_words(rows.sort_values(["line", "printed"]), "player", "task", digits=2)
    return dots(
        rows, "panel", "line", "Everybody on one scale", note, _ACROSS.get(metric, metric), f"{metric}. {words}.",
        mark=partial(player_mark, size=11), series=["name", "printed", "kind"], shared=True,
        chance=0.0 if metric == "z" else None, ticks=None, wrap=4,
    )  # fmt: skip
