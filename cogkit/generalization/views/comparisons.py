"""More than mean accuracy: shared errors, the worst family, accuracy under shift, and psychometric curves.

Each function takes a table of `learners.robustness`.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.generalization.suites import PLAYERS
from cogkit.generalization.views.style import THIN, key
from cogkit.stats.psychometric import SHAPES
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.consistency_figure import consistency
from cogkit.ui.parts import beside, line, marker, marks, name_rows


def shared_errors(table: pd.DataFrame) -> go.Figure:
    """Return whether learners make errors on the same test rows, a row for each pair.

    The table is as `robustness.consistency` gives it.
    """
    note = f"n = {table.n.max():,} test rows of {table.clusters.max()} tasks; intervals resample whole tasks"
    return consistency(table, "Do they err on the same rows?", note)


def away_from_the_mean(families: pd.DataFrame, shift: pd.DataFrame) -> go.Figure:
    """Return each player's accuracy in every family of tasks, and under shift; a row for each player.

    The tables are as `robustness.worst_families` and `robustness.under_shift` give them.
    """
    shift = shift.set_index("model")
    place = {player: -k for k, player in enumerate(dict.fromkeys(families.who))}
    models = int(shift.models.iloc[0])
    notes = (
        key(("proxy", "model", "observer")),
        f"· a family (n = {families.n.min():,} to {families.n.max():,} test rows), the worst is named",
        f"grey: where one more learner would lie (95 %), by a line through {models}; n = {shift.tasks.iloc[0]} tasks",
    )
    left, right = ({"row": 1, "col": column} for column in (1, 2))
    figure = theme.figure(
        "Away from the mean: the worst family, and accuracy under shift", 232 + 36 * len(place), *notes, columns=2,
        margin={"t": 176}, shared_yaxes=True, horizontal_spacing=0.05,
        column_titles=["accuracy, all rows and by family", "effective robustness"],
    )  # fmt: skip
    words = []
    for player, part in families.groupby("who", sort=False):
        y, kind, row = place[player], part.kind.iloc[0], shift.loc[player]
        worst, mean = part[part.worst].iloc[0], part.correct.sum() / part.n.sum()
        marks(
            figure, part.accuracy, [y] * len(part), {"color": theme.QUIET, "size": 5},
            f"{player}<br>%{{customdata}} %{{x:.3f}}", customdata=part.group, **left,
        )  # fmt: skip
        text = {"text": theme.small(worst.group), "showarrow": False, "yshift": -9}
        figure.add_annotation(x=worst.accuracy, y=y, **text, **left)
        ends = row.expected_low - row.expected, row.expected_high - row.expected
        line(figure, ends, [y, y], {"color": theme.HAIRLINE, "width": 9}, "", **right)
        for cell, value, name in ((left, mean, "all rows"), (right, row.effective, "effective robustness")):
            marks(figure, value, y, marker(player, kind), f"{player}<br>{name} %{{x:.3f}}", **cell)
        words.append(
            f"{player}: {mean:.3f}, worst {worst.group} {worst.accuracy:.3f}, effective robustness {row.effective:+.3f}"
        )
    figure.add_vline(0, line=THIN, layer="below", **right)
    figure.update_xaxes(title="share of test rows right (better →)", **left)
    figure.update_xaxes(title="accuracy under shift less<br>what the line promises (better →)", **right)
    name_rows(figure, place, showgrid=False)
    return with_alt(figure, f"Accuracy in the worst family and under shift. {'; '.join(words)}.")


def psychometric_curves(answers: pd.DataFrame, curves: pd.DataFrame) -> go.Figure:
    """Return accuracy by the size of a shift, a panel for each learner, with its curve and threshold.

    ``answers`` has columns who, level, correct, n, as `robustness.shifted_answers`; ``curves`` is as
    `robustness.psychometric_curves`.
    """
    names = list(dict.fromkeys(answers.who))
    n = f"{answers.n.max():,}"
    note = f"a dot: the share of n = {n} test rows; upright: threshold, half way down to chance, and its 95 % interval"
    figure = theme.figure(
        "How much shift does it take?", 520, note, rows=2, columns=3, margin={"t": 112}, shared_xaxes=True,
        shared_yaxes=True, horizontal_spacing=0.04, vertical_spacing=0.12, subplot_titles=names,
    )  # fmt: skip
    grid, words = np.linspace(answers.level.min(), answers.level.max(), 121), []
    for k, name in enumerate(names):
        cell, colour = {"row": k // 3 + 1, "col": k % 3 + 1}, theme.WHO[PLAYERS[name]].colour
        part, fit = answers[answers.who == name], curves[curves.who == name].set_index("parameter")
        threshold, slope, lapse = fit.value[["threshold", "slope", "lapse"]]
        chance, (low, high) = fit.chance.iloc[0], fit.loc["threshold", ["low", "high"]]
        height = chance + (1 - chance - lapse) * SHAPES[fit["shape"].iloc[0]][0](slope * (grid - threshold))
        line(figure, grid.round(3), height.round(4), {"color": colour}, "", **cell)
        marks(
            figure, part.level, part.correct / part.n, marker(name, PLAYERS[name]) | {"size": 6},
            f"{name}<br>shift %{{x}} SD<br>%{{y:.3f}}", **cell,
        )  # fmt: skip
        figure.add_vrect(low, high, fillcolor=colour, opacity=0.2, line_width=0, layer="below", **cell)
        figure.add_vline(threshold, line={"color": colour, "width": 1.5}, layer="below", **cell)
        figure.add_hline(chance, line=THIN, layer="below", **cell)
        beside(figure, 0.98, f"{threshold:.2f}", 4, x=threshold, xref=None, font={"size": 12}, **cell)
        words.append(f"{name}: {threshold:.2f} from {low:.2f} to {high:.2f}")
    figure.update_yaxes(range=[0.4, 1.02])
    figure.update_yaxes(title="share right (better ↑)", col=1)
    figure.update_xaxes(title="shift of each column (SD)", row=2)
    return with_alt(
        figure, f"Shift at which accuracy is half way down to chance, in standard deviations. {'; '.join(words)}."
    )
