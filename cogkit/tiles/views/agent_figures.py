"""Figures of agents that learn: learning curves, and transfer to other boards."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.parts import beside, error_bars, line, marks, span

_CURVES = {"blue": ("boards it trains on", "solid"), "validation": ("boards it has not seen", "dot")}
_YOURS = "yours"


def learning_curves(logs: Mapping[str, pd.DataFrame], references: Mapping[str, float], task: str = "") -> go.Figure:
    """Return blue tiles a board over training, a line for each agent, on the boards it trains on and on others.

    Parameters
    ----------
    logs : mapping of str to DataFrame
        Training logs with columns clicks, blue and validation, by the agent's name; one named ``yours`` is drawn in the
        reader's colour. Drawn are the steps at which both were taken.
    references : mapping
        Blue tiles a board of the ``floor`` (nearest neighbour) and of the ``observer`` (ideal player).
    task : str
        Named in the title.
    """
    caption = "solid: boards it trains on, dotted: validation boards; one line an agent"
    title = f"Learning {task}: {len(logs)} agent{'s' * (len(logs) != 1)}"
    figure = theme.figure(title, 440, caption, margin={"r": 165, "t": 84})
    ends = {}
    for name, log in logs.items():
        colour = theme.WHO["you" if name == _YOURS else "model"].colour
        points = log.dropna(subset=list(_CURVES))
        for metric, (boards, dash) in _CURVES.items():
            line(
                figure, points.clicks / 1e6, points[metric],
                {"color": colour, "dash": dash, "width": 2 if name == _YOURS else 1.2},
                f"{name}, {boards}<br>%{{x:.2f}} million clicks<br>%{{y:.2f}} blue", name=name,
            )  # fmt: skip
        ends[name] = points.iloc[-1]
    for kind, value in references.items():
        label = {"floor": "nearest neighbour", "observer": "ideal player"}[kind]
        figure.add_hline(y=value, line=theme.stroke(kind, 1.5))
        beside(figure, value, f"{label} {value:.1f}", font={"size": 11, "color": theme.WHO[kind].colour})
    figure.update_xaxes(title="million clicks", rangemode="tozero")
    figure.update_yaxes(title="blue tiles a board (fewer is better ↓)", rangemode="tozero")
    words = "; ".join(
        f"{name} ends at {end.blue:.2f} blue tiles on training boards and {end.validation:.2f} on validation boards"
        for name, end in ends.items()
    )
    return with_alt(figure, f"{words}. {'; '.join(f'{kind} {value:.2f}' for kind, value in references.items())}.")


def transfer(table: pd.DataFrame) -> go.Figure:
    """Return how agents of a rule and of its metamers do on both kinds of boards, with 95 % intervals over boards.

    Parameters
    ----------
    table : DataFrame
        ``rule, trained, tested`` (abstract or metamer), ``value, low, high, n``: z of one agent a row.
    """
    rules, kinds = list(dict.fromkeys(table.rule)), ("abstract", "metamer")
    names = {"abstract": "the rule", "metamer": "its metamers"}
    figure = theme.figure(
        "Trained on one kind of boards, tested on both", 420,
        f"◆ trained on the rule, ◇ on its metamers; one agent a mark, 95 % intervals over n = {span(table.n)} boards",
        margin={"t": 84, "b": 72},
    )  # fmt: skip
    for source, symbol, shift in (("abstract", "diamond", -0.18), ("metamer", "diamond-open", 0.18)):
        rows = table[table.trained == source]
        x = [rules.index(row.rule) * 2.6 + kinds.index(row.tested) + shift for row in rows.itertuples()]
        marks(
            figure, x, rows.value,
            {"color": theme.WHO["model"].colour, "symbol": symbol, "size": 11, "line": {"width": 2}},
            f"trained on {names[source]}<br>tested on %{{customdata[0]}}/%{{customdata[1]}}<br>z %{{y:.2f}}",
            error_y=error_bars(rows, "value", 4), customdata=rows[["rule", "tested"]],
        )  # fmt: skip
    figure.add_hline(y=0, line=theme.stroke("floor"))
    places = [(r * 2.6 + k, kind) for r in range(len(rules)) for k, kind in enumerate(("rule", "met."))]
    figure.update_xaxes(
        tickvals=[x for x, _ in places] + [r * 2.6 + 0.5 for r in range(len(rules))], tickangle=0,
        ticktext=[label for _, label in places] + [f"<br><b>{rule}</b>" for rule in rules],
        range=[-0.7, (len(rules) - 1) * 2.6 + 1.7], ticks="",
    )  # fmt: skip
    figure.update_yaxes(title="z of blue tiles opened (fewer is better ↓)", zeroline=False)
    words = "; ".join(
        f"{row.rule}, trained on {names[row.trained]}, tested on {names[row.tested]}: z {row.value:.2f}"
        for row in table.itertuples()
    )
    return with_alt(figure, f"{words}.")
