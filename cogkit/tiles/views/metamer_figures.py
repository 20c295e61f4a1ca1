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
from cogkit.ui.dots import dots, player_mark
from cogkit.ui.parts import error_bars, line, marks, name_rows, span

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
_VERDICTS = {
    "equivalent": {"color": theme.INK, "symbol": "circle", "size": 8},
    "different": {"color": "#E69F00", "symbol": "diamond", "size": 9, "line": {"color": theme.INK, "width": 1}},
    "undecided": {"color": theme.QUIET, "symbol": "circle-open", "size": 8, "line": {"width": 2}},
}


def _panels(title: str, height: float, note: str, titles, margin: dict[str, int] | None = None, **options) -> go.Figure:
    """Return empty panels, with the title of each at its left."""
    figure = theme.figure(title, height, note, subplot_titles=titles, margin=margin or {"t": 96}, **options)
    for label, axis in zip(figure.layout.annotations, figure.select_xaxes(), strict=False):
        label.update(x=axis.domain[0], xanchor="left", yshift=4, align="left")
    return figure


def _rules(table: pd.DataFrame) -> list[str]:
    """Return the rules of a table in the order of the paper."""
    return sorted(set(table.rule), key=PAPER_RULES.index)


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
    table = table.assign(share=table.value, shift=0.0, panel=table.metric.map(_SHARES), printed=table.kind == "printed")
    table[line] = rows
    note = ", ".join(sign for kind, sign in _SIGNS.items() if kind in set(table.kind))
    numbers = "; ".join(f"{row.who}, {getattr(row, line)}: {row.metric} {row.value:.3f}" for row in table.itertuples())
    figure = dots(
        table.sort_values("metric", key=lambda names: names.map(list(_SHARES).index), kind="stable"), "panel", line,
        title, f"{note}<br>lines: 95 %; n = {span(table.n, ' to ')}", "share →", f"Shares. {numbers}.",
        mark=player_mark, series=["who", "kind"], shared=True, ticks=(0, 0.5, 1),
    )  # fmt: skip
    return two_lines(figure)


def two_lines(figure: go.Figure) -> go.Figure:
    """Make room above the panels of `ui.dots.dots` for names of two lines, and return the figure."""
    figure.update_annotations(font={"size": 11})
    return figure.update_layout(height=figure.layout.height + 24, margin={"t": figure.layout.margin.t + 24})


def orders(table: pd.DataFrame) -> go.Figure:
    """Return the statistics of rule boards and metamers, a panel per order, bars with 95 % intervals (Fig. 2C).

    Columns are ``rule, kind (abstract | metamer), order, mean, low, high, n``: one row per bar.
    """
    names = [order for order in ORDERS if order in set(table.order)]
    rules = _rules(table)
    label = ", ".join(f"{sign} {text}" for text, _, sign in _KINDS.values())
    titles = [f"{ORDERS[order][0]} {theme.small(ORDERS[order][1])}" for order in names]
    figure = _panels(
        "Statistics of rules and their metamers", 150 + 150 * len(names),
        f"{label}; means with 95 % intervals, n = {span(table.n)} a bar", titles, rows=len(names), shared_xaxes=True,
        vertical_spacing=0.06, bargap=0.3, bargroupgap=0.08,
    )  # fmt: skip
    for row, order in enumerate(names, 1):
        for kind, (text, colour, _) in _KINDS.items():
            part = table[(table.order == order) & (table.kind == kind)].set_index("rule").reindex(rules)
            figure.add_bar(
                x=rules, y=part["mean"], row=row, col=1,
                marker={"color": colour, "line": {"color": theme.INK, "width": 1}},
                error_y=error_bars(part, "mean", width=3) | {"color": theme.INK},
                hovertemplate=f"%{{x}}, {text}<br>{ORDERS[order][0].lower()} %{{y:.2f}}<extra></extra>",
            )  # fmt: skip
    figure.update_xaxes(showline=False, ticks="", tickfont={"size": 11})
    figure.update_yaxes(nticks=5)
    wide = table.pivot(index=["order", "rule"], columns="kind", values="mean")
    numbers = "; ".join(
        f"{order}: "
        + ", ".join(f"{rule} {wide.abstract[order, rule]:.1f} and {wide.metamer[order, rule]:.1f}" for rule in rules)
        for order in names
    )
    return with_alt(figure, f"Mean of each order on boards of the rule and on its metamers. {numbers}.")


def convergence(table: pd.DataFrame, rule: str = "") -> go.Figure:
    """Return the statistics of chains sweep by sweep: means with 95 % intervals, and split-R̂.

    Columns are ``sweep, statistic, mean, low, high, rhat``: one row a sweep and statistic, as `diagnostics.chains`
    gives them; rhat is NaN in the first sweeps.
    """
    names = list(dict.fromkeys(table.statistic))
    suffix = f" of {rule}" if rule else ""
    note = "left: mean over chains with its 95 % interval; right: split-R̂ of the chains so far (better ↓)"
    ends = table.sort_values("sweep").groupby("statistic").last()  # of each column, its last number
    titles = []
    for name in names:
        label, counts = ORDERS.get(name, (name.capitalize(), ""))
        titles += [f"{label} {theme.small(counts)}", f"R̂ {ends.rhat[name]:.3f} {theme.small('at the end')}"]
    figure = _panels(
        f"Gibbs chains{suffix}, sweep by sweep", 160 + 98 * len(names), note, titles, rows=len(names), columns=2,
        shared_xaxes=True, vertical_spacing=0.08, horizontal_spacing=0.09, column_widths=[0.62, 0.38],
    )  # fmt: skip
    style = {"mode": "lines+markers", "marker": {"size": 4}}
    for row, name in enumerate(names, 1):
        part = table[table.statistic == name].sort_values("sweep")
        figure.add_scatter(
            x=np.concatenate([part.sweep, part.sweep[::-1]]), y=np.concatenate([part.high, part.low[::-1]]),
            mode="none", fill="toself", fillcolor="rgba(34,34,34,0.18)", hoverinfo="skip", row=row, col=1,
        )  # fmt: skip
        for column, values, label, digits in ((1, part["mean"], name, 2), (2, part.rhat, f"R̂ of {name}", 3)):
            hover = f"{label}<br>sweep %{{x}}: %{{y:.{digits}f}}"
            line(figure, part.sweep, values, {"color": theme.INK, "width": 1.5}, hover, **style, row=row, col=column)
        figure.add_hline(y=1, line={"color": theme.QUIET, "dash": "dot", "width": 1}, row=row, col=2)
    figure.update_yaxes(zeroline=False, nticks=4)
    figure.update_xaxes(title="sweep", row=len(names))
    numbers = "; ".join(f"{name} {ends['mean'][name]:.2f}, R̂ {ends.rhat[name]:.3f}" for name in names)
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
    names = [order for order in ORDERS if order in set(table.order)]
    rules = _rules(table)[::-1]
    outcomes = verdicts(table)
    counts = [
        f"{theme.coloured(look['color'], sign)} {name} ({(outcomes == name).sum()})"
        for sign, (name, look) in zip("●◆○", _VERDICTS.items(), strict=True)
    ]
    titles = [f"{ORDERS[order][0]}<br>{theme.small(ORDERS[order][1].partition(',')[0])}" for order in names]
    figure = _panels(
        "Rule boards minus metamers, in standard deviations", 200 + 36 * len(rules),
        f"{', '.join(counts)}<br>lines: 95 % intervals; band: the margin of equivalence", titles, columns=len(names),
        margin={"t": 128}, shared_yaxes=True, horizontal_spacing=0.03,
    )  # fmt: skip
    for column, order in enumerate(names, 1):
        for verdict, look in _VERDICTS.items():
            part = table[(table.order == order) & (outcomes == verdict)]
            marks(
                figure, part.d, [rules.index(rule) for rule in part.rule], look,
                f"%{{customdata}}: {verdict}<br>d %{{x:.2f}}", customdata=part.rule,
                error_x=error_bars(part, "d") | {"color": theme.INK}, row=1, col=column,
            )  # fmt: skip
        for row in table[table.order == order].itertuples():
            place = rules.index(row.rule)
            figure.add_shape(
                type="rect", x0=-row.margin, x1=row.margin, y0=place - 0.5, y1=place + 0.5, layer="below",
                fillcolor="#E4E4E4", line={"width": 0}, row=1, col=column,
            )  # fmt: skip
        figure.add_vline(x=0, line={"color": theme.QUIET, "width": 1}, row=1, col=column)
    reach = 1.15 * max(table.high.max(), -table.low.min(), table.margin.max())
    figure.update_xaxes(range=[-reach, reach], nticks=5)
    figure.update_xaxes(title="d, rule − metamers", col=1)
    name_rows(figure, {rule: k for k, rule in enumerate(rules)}, pad=0.5, showgrid=False)
    pairs = zip(table.itertuples(), outcomes, strict=True)
    numbers = "; ".join(f"{row.rule} {row.order} {row.d:.2f} ({outcome})" for row, outcome in pairs)
    return with_alt(figure, f"Standardised differences between rule boards and metamers: {numbers}.")
