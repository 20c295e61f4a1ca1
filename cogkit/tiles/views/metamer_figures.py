"""Figures of task metamers: chains, networks, and what rule boards and metamers share. Tables in, figures out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.tiles.metamers.sampling import Chain
from cogkit.tiles.rules import PAPER_RULES
from cogkit.tiles.rules.boards import SIZE, TILES
from cogkit.tiles.views.figures import gallery
from cogkit.tiles.views.scene import ORDERS
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.figures import Level, bars, dots, lines
from cogkit.ui.parts import in_words, span

_STRIP = 808  # pixels: a page of a notebook without the margins
_KINDS = {  # grey, for the colours of `theme.WHO` stand for players
    "abstract": ("boards of the rule", "#6B6B6B", "■"),
    "metamer": ("its metamers", "#FFFFFF", "□"),
}
_SHARES = {  # metrics of `metamer_quality.summary`, and the panels that show them
    "accuracy": "hidden tile<br>guessed right", "kept": "chains kept", "rule pass": "of these,<br>follow the rule",
    "distinct": "of these,<br>all different",
}  # fmt: skip
_SIGNS = {"model": "◆ network", "yours": "◆ your network", "floor": "┃ always blue", "printed": "○ published metamers"}
_BAR = {"color": theme.INK}
_VERDICTS = {
    "equivalent": {"color": theme.INK, "symbol": "circle", "size": 8, "bar": _BAR},
    "different": {"color": "#E69F00", "symbol": "diamond", "line": {"color": theme.INK, "width": 1}, "bar": _BAR},
    "undecided": {"color": theme.QUIET, "symbol": "circle-open", "size": 8, "line": {"width": 2}, "bar": _BAR},
}


def _rules(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with its rules in the order of the paper."""
    return table.sort_values("rule", key=lambda names: names.map(PAPER_RULES.index), kind="stable")


def strip(chain: Chain | np.ndarray, rule: str, every: int = 2) -> go.Figure:
    """Return one chain as a row of boards, a board each second sweep, the number of reds under each (Fig. S3).

    Parameters
    ----------
    chain : metamers.Chain, or (sweeps + 1, 7, 7) array
        A recorded chain, or its boards: the start, then one after each sweep.
    """
    # Not `as_boards`: a chain may reach a board without a red tile.
    boards = chain.states[::TILES].reshape(-1, SIZE, SIZE) if isinstance(chain, Chain) else np.asarray(chain)
    sweeps = np.arange(0, len(boards), every)
    side = len(sweeps) * (SIZE + 2) - 2
    tile = max(3, min(10, _STRIP // side))
    figure = gallery({"": boards[sweeps]}, f"One Gibbs chain of {rule}", tile)
    reds = boards[sweeps].sum(axis=(1, 2))
    figure.update_xaxes(
        visible=True, showline=False, ticks="", tickvals=np.arange(len(sweeps)) * (SIZE + 2) + SIZE / 2 - 0.5,
        tickangle=0, ticktext=[f"{sweep}<br>{n} red" for sweep, n in zip(sweeps, reds, strict=True)],
        tickfont={"size": 11}, title="sweeps done",
    )  # fmt: skip
    figure.update_layout(height=120 + SIZE * tile, margin={"l": 16, "b": 64})
    numbers = ", ".join(f"{n} after sweep {sweep}" for sweep, n in zip(sweeps, reds, strict=True))
    return with_alt(figure, f"{len(sweeps)} boards of one Gibbs chain of {rule}. Red tiles: {numbers}.")


def quality(
    table: pd.DataFrame, line: str = "rule", title: str = "What the networks know, and what their chains give"
) -> go.Figure:
    """Return how good networks and their chains are: a panel for each share, a row for each rule or network.

    Columns are ``who, kind, metric, value, low, high, n`` and ``line``, which names the rows, as
    `metamer_quality.summary` gives them; rows of the paper's metamers have the kind ``printed``.
    """
    table = table[table.metric.isin(_SHARES)]
    rows = pd.Categorical(table[line], list(dict.fromkeys(table[line])))
    panels = pd.Categorical(table.metric.map(_SHARES), list(_SHARES.values()))
    signs = ", ".join(sign for kind, sign in _SIGNS.items() if kind in set(table.kind))
    figure = dots(
        table.assign(panel=panels, row=rows, printed=table.kind == "printed"), y="row", panel="panel", title=title,
        notes=[signs, f"lines: 95 %; n = {span(table.n, ' to ')}"], across="share →", reach=(-0.06, 1.06),
        ticks=(0, 0.5, 1),
    )  # fmt: skip
    numbers = "; ".join(f"{row.who}, {getattr(row, line)}: {row.metric} {row.value:.3f}" for row in table.itertuples())
    return with_alt(figure, f"Shares. {numbers}.")


def orders(table: pd.DataFrame) -> go.Figure:
    """Return the statistics of rule boards and metamers, a panel per order, bars with 95 % intervals (Fig. 2C).

    Columns are ``rule, kind (abstract | metamer), order, mean, low, high, n``: one row per bar.
    """
    names = [order for order in ORDERS if order in set(table.order)]
    titles = {order: f"{ORDERS[order][0]} {theme.small(ORDERS[order][1])}" for order in names}
    table = _rules(table)
    table = table.assign(
        panel=pd.Categorical(table.order.map(titles), list(titles.values())),
        boards=table.kind.map({kind: text for kind, (text, _, _) in _KINDS.items()}),
    ).sort_values("kind", kind="stable")  # fmt: skip
    label = ", ".join(f"{sign} {text}" for text, _, sign in _KINDS.values())
    figure = bars(
        table, "rule", "mean", panel="panel", wrap=1, group="boards", height=96, gap=56,
        colours={text: colour for text, colour, _ in _KINDS.values()}, title="Statistics of rules and their metamers",
        notes=[f"{label}; means with 95 % intervals, n = {span(table.n)} a bar"],
    )  # fmt: skip
    figure.update_xaxes(showline=False, ticks="", tickfont={"size": 11}).update_yaxes(nticks=5)
    numbers = in_words(table.assign(name=table.order + ", " + table.rule), "name", "boards", "mean", digits=1)
    return with_alt(figure, f"Mean of each order. {numbers}.")


def convergence(table: pd.DataFrame, rule: str = "") -> go.Figure:
    """Return the statistics of chains sweep by sweep: means with 95 % intervals, and R̂.

    Columns are ``sweep, statistic, mean, low, high, rhat, ess_bulk``: one row a sweep and statistic, as
    `diagnostics.chains` gives them; rhat is NaN in most sweeps.
    """
    suffix, parts = f" of {rule}" if rule else "", []
    ends = table.sort_values("sweep").groupby("statistic", sort=False).last()  # of each column, its last number
    for name, part in table.groupby("statistic", sort=False):
        label, counts = ORDERS.get(name, (name.capitalize(), ""))
        end = theme.small(f"{ends.rhat[name]:.3f}, worth {ends.ess_bulk[name]:,.0f} boards")
        parts.append(part.assign(panel=f"{label} {theme.small(counts)}", value=part["mean"]))
        part = part.dropna(subset=["rhat"])
        parts.append(part.assign(panel=f"R̂ of {name}, {end}", value=part.rhat, low=np.nan, high=np.nan))
    figure = lines(
        pd.concat(parts), "sweep", panel="panel", wrap=2, group="statistic", band=True, named=False, shared=False,
        title=f"Gibbs chains{suffix}, sweep by sweep", height=88, gap=60, across="sweep", up="", digits=3,
        notes=["left: mean over chains, with its 95 % interval; right: R̂ so far, and at the end (better ↓)"],
        looks=dict.fromkeys(ends.index, {"size": 4}),
    )  # fmt: skip
    figure.add_hline(1, line={"color": theme.QUIET, "dash": "dot", "width": 1}, row="all", col=2)
    figure.update_yaxes(zeroline=False, nticks=4)
    numbers = "; ".join(f"{name} {end['mean']:.2f}, R̂ {end.rhat:.3f}" for name, end in ends.iterrows())
    return with_alt(figure, f"Gibbs chains{suffix} after the last sweep: {numbers}.")


def verdicts(table: pd.DataFrame) -> pd.Series:
    """Return the result of each comparison of rule boards and metamers: equivalent, different or undecided.

    Equivalent is what the two one-sided tests show, however sure a smaller difference may be; different is any
    other whose interval leaves out zero.

    Examples
    --------
    >>> rows = pd.DataFrame({"equivalent": [True, False, False], "low": [0.01, 0.2, -1.0], "high": [0.1, 0.9, 1.0]})
    >>> verdicts(rows).tolist()
    ['equivalent', 'different', 'undecided']
    """
    apart = np.where((table.low > 0) | (table.high < 0), "different", "undecided")
    return pd.Series(np.where(table.equivalent, "equivalent", apart), index=table.index)


def equivalence(table: pd.DataFrame) -> go.Figure:
    """Return the standardised differences between rule boards and metamers, and the margin of equivalence.

    Columns are ``rule, order, d, low, high, margin, equivalent``: one row per rule and order, as
    `metamer_quality.against` gives them with one source; ``margin`` in the unit of d.
    """
    table = table.assign(
        outcome=verdicts(table),
        panel=table.order.map({order: f"{name}<br>{theme.small(note.partition(',')[0])}" for order, (name, note) in
                               ORDERS.items()}),
    )  # fmt: skip
    table = _rules(table).sort_values("order", key=lambda names: names.map(list(ORDERS).index), kind="stable")
    counts = ", ".join(
        f"{theme.coloured(look['color'], sign)} {name} ({(table.outcome == name).sum()})"
        for sign, (name, look) in zip("●◆○", _VERDICTS.items(), strict=True)
    )
    reach, margin = 1.15 * max(table.high.max(), -table.low.min(), table.margin.max()), table.margin.max()
    figure = dots(
        table, "d", "rule", panel="panel", group="outcome", looks=_VERDICTS, levels=[Level(0, "zero")], digits=2,
        title="Rule boards minus metamers, in standard deviations", reach=(-reach, reach), across="d, rule − metamers",
        notes=[counts, "lines: 95 % intervals; band: the margin of equivalence"],
    )  # fmt: skip
    band = {"fillcolor": "#E4E4E4", "line_width": 0, "layer": "below"}
    figure.add_vrect(-margin, margin, row="all", col="all", **band).update_xaxes(nticks=5)
    numbers = "; ".join(f"{row.rule} {row.order} {row.d:.2f} ({row.outcome})" for row in table.itertuples())
    return with_alt(figure, f"Standardised differences between rule boards and metamers: {numbers}.")
