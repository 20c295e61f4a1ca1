"""Figures of the tile game. Each takes tidy tables or boards and returns a figure with a text alternative."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.stats import Sample, mean_interval
from cogkit.tiles.paper.published import sample
from cogkit.tiles.rules import PAPER_RULES
from cogkit.tiles.rules.boards import SIZE
from cogkit.tiles.views.scene import IN_WORDS
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.dots import standings
from cogkit.ui.figures import Level, bars, consistency, dots
from cogkit.ui.parts import in_words, marks, span
from cogkit.ui.tables import VALUES, Fold, folded

_KINDS, _PLAYERS = ("abstract", "metamer"), {"person": "people", "agent": "agents"}
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
    stuck = set() if pinned is None else set(zip(pinned.rule, pinned.kind, strict=True))
    means = _placed(cells, stuck)
    limits = np.array([mean_interval(Sample(cell.n, cell.mean, cell.sd)) for cell in cells.itertuples()])
    parts = [means.assign(value=cells["mean"], low=limits[:, 0], high=limits[:, 1], mark="mean of " + means.mark)]
    if scores is not None:
        one_each = _placed(scores, stuck)
        jitter = np.random.default_rng(0).uniform(-0.28, 0.28, len(scores))
        parts.insert(0, one_each.assign(value=scores.z, place=one_each.place + jitter))
    points = [] if you is None else [(you.assign(low=np.nan, high=np.nan), "you", "you", 0.0)]
    if players is not None:  # known exactly, as far as the width of a stroke goes
        ideal = players[players.kind == "observer"].assign(low=np.nan, high=np.nan)
        points.append((ideal, "ideal observer", "observer", 0.0))
    if ours is not None:
        points.append((ours, "trained here", "model", 4.8))
    for rows, mark, kind, left in points:
        rule, boards = ([task.split("/")[k] for task in rows.task] for k in (0, 1))
        rows = rows.assign(rule=rule, place=left + (np.array(boards) == "metamer"), mark=mark, kind=kind)
        parts.append(rows[rows.metric == "z"])
    table = pd.concat(parts).assign(rule=lambda table: pd.Categorical(table.rule, PAPER_RULES))
    people, passes = (span(cells.n[cells.who == who]) for who in _PLAYERS)
    figure = dots(
        table[["rule", "place", "value", "low", "high", "mark", "kind", "n"]], y="place", panel="rule", wrap=4,
        group="mark", upright=True, shared=False, height=250, looks=_looks(), levels=[Level(0, "floor")], up=BETTER,
        title="People and agents: each rule and its metamers", digits=2,
        horizontal_spacing=0.05, notes=[
            f"n = {people} people and {passes} passes of one network a cell; means with 95 % t intervals",
            "r: the rule, m: its metamers" + f"; {theme.coloured(theme.WHO['observer'].colour, '━')} ideal observer"
            * (players is not None) + "; hollow: pinned at one score" * bool(stuck),
        ],
    )  # fmt: skip
    # The groups' names stand on a second line between the two ticks that they belong to.
    columns = ["people", "agents"] + ["ours"] * (ours is not None)
    figure.update_xaxes(
        tickvals=[2.4 * g + step for g in range(len(columns)) for step in (0, 0.5, 1)], tickangle=0, ticks="",
        ticktext=[text for group in columns for text in ("r", f"<br>{group}", "m")], matches=None,
        tickfont={"size": 11 - 2 * (ours is not None)}, range=[-0.6, 2.4 * len(columns) - 0.8],
    )  # fmt: skip
    figure.update_yaxes(zeroline=False, nticks=6, matches=None)  # the dashed line of the nearest neighbour is the zero
    words = {(who, kind): sample(cells, who=who, kind=kind).mean for who in _PLAYERS for kind in _KINDS}
    return with_alt(
        figure,
        "Z-scores of people and agents on eight rules. Mean over rules: "
        + "; ".join(f"{who} {kind} {z:.2f}" for (who, kind), z in words.items())
        + f". {len(stuck)} agent cells are pinned at one constant. Zero is the nearest neighbour.",
    )


def _placed(cells: pd.DataFrame, stuck: set) -> pd.DataFrame:
    """Return cells or scores with the place, kind and name of their marks."""
    is_agent, pairs = cells.who == "agent", zip(cells.rule, cells.kind, strict=True)
    is_stuck = is_agent & np.array([pair in stuck for pair in pairs])
    return cells.assign(
        place=2.4 * is_agent + (cells.kind == "metamer"), kind=np.where(is_agent, "model", "person"),
        mark=cells.who.map(_PLAYERS) + ", " + cells.kind + np.where(is_stuck, ", pinned", ""),
    )  # fmt: skip


def _looks() -> dict[str, dict]:
    """Return the marks of figure 3A, by name: small and pale for one person or pass, large for a mean."""
    edge = {"color": theme.INK, "width": 1}
    looks = {"ideal observer": {"size": 26, "line": {"width": 2.5}}, "you": {"size": 14, "line": edge}}
    for (who, kind), pinned in product(product(_PLAYERS.values(), _KINDS), ("", ", pinned")):
        name, hollow = f"{who}, {kind}{pinned}", {"symbol": "diamond-open"} if pinned else {}
        looks[name] = {"size": 4.5, "opacity": 0.45} | hollow
        looks[f"mean of {name}"] = {"size": 10, "line": edge, "bar": {"color": theme.INK, "width": 4}} | hollow
    return looks


def differences(table: pd.DataFrame) -> go.Figure:
    """Return the inset of Fig. 3A: abstract minus metamer for people and agents, with 95 % Welch intervals.

    Columns are ``rule, who (person | agent), difference, low, high, pinned``: one row per rule and group.
    """
    table = table.assign(
        mark=table.who.map(_PLAYERS) + np.where(table.pinned, ", a cell is pinned", ""),
        shift=np.where(table.who == "person", -0.12, 0.12), value=table.difference,
        kind=np.where(table.who == "person", "person", "model"), rule=pd.Categorical(table.rule, PAPER_RULES),
    )  # fmt: skip
    figure = dots(
        table.drop(columns="who"), y="rule", upright=True, group="mark", shift="shift", height=260, digits=2,
        looks={"agents, a cell is pinned": {"symbol": "diamond-open"}, "people, a cell is pinned":
               {"symbol": "circle-open"}}, title="The rule minus its metamers", levels=[Level(0, "zero")],
        notes=["● people, ◆ agents; below zero, the rule itself was easier",
               "95 % Welch intervals; hollow: a cell is pinned"], up="difference in z (better on the rule ↓)",
    )  # fmt: skip
    figure.update_xaxes(tickfont={"size": 10})  # eight names side by side, in a narrow window too
    hollow = table.rule[table.pinned].unique()
    words = in_words(table.assign(who=table.who.map(_PLAYERS)), "who", "rule", "value", 2)
    return with_alt(
        figure, f"Difference in z between abstract and metamer boards. {words}. "
        f"Hollow marks hold a pinned cell: {', '.join(hollow)}.",
    )  # fmt: skip


def estimates(
    table: pd.DataFrame, title: str = "One contrast, several analyses",
    across: str = "people's gain minus agents', in z<br>(for the paper ←)", note: str = "",
) -> go.Figure:  # fmt: skip
    """Return a forest plot: the same contrast under several analyses.

    Columns are ``analysis, estimate, low, high, note``: one row per analysis, in the order to draw from the top.
    """
    names = [f"{row.analysis}<br>{theme.small(row.note)}" for row in table.itertuples()]
    figure = dots(
        table.assign(name=names), "estimate", "name", title=title, notes=[note] * bool(note), across=across, digits=2,
        levels=[Level(0, "zero")],
    )  # fmt: skip
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
    known = ((runs.mean(), "floor", "nearest neighbour"), (ideal, "observer", "ideal observer"), (you, "you", "★ you"))
    levels = [Level(value, kind, f"{name} {value:.1f}") for value, kind, name in known if value is not None]
    figure = bars(
        pd.DataFrame({"blue": np.arange(len(counts)), "value": counts / len(runs)}), "blue", levels=levels,
        title=title or "Blue tiles on this board", margin={"r": 96, "t": 128}, digits=3,
        across="blue tiles opened (fewer is better ←)", up=f"share of {len(runs):,} games",
    )  # fmt: skip
    figure.update_xaxes(rangemode="tozero").update_yaxes(tickformat=".0%")
    numbers = "; ".join(level.label for level in levels)
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
    figure = dots(
        rows, y="line", panel="panel", wrap=4, title="Everybody on one scale", notes=note.split("<br>"), digits=2,
        levels=[Level(0, "floor")] * (metric == "z"), across=_ACROSS.get(metric, metric),
    )  # fmt: skip
    words = in_words(rows.sort_values(["line", "printed"]), "player", "task", digits=2)
    return with_alt(figure, f"{metric}. {words}.")
