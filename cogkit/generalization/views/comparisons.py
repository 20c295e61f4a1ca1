"""More than mean accuracy: shared errors, the worst family, accuracy under shift, and psychometric curves.

Each function takes a table of `learners.robustness`.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cogkit.generalization.suites import PLAYERS
from cogkit.generalization.views.style import key
from cogkit.stats.psychometric import curve
from cogkit.ui import theme
from cogkit.ui.alt import with_alt
from cogkit.ui.figures import Level, consistency, dots, lines
from cogkit.ui.parts import beside


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
    models = int(shift.models.iloc[0])
    figure = theme.figure(
        "Away from the mean: the worst family, and accuracy under shift", 232 + 36 * families.who.nunique(),
        key(("proxy", "model", "observer")),
        f"· a family (n = {families.n.min():,} to {families.n.max():,} test rows), the worst is named",
        f"grey: where one more learner would lie (95 %), by a line through {models}; n = {shift.tasks.iloc[0]} tasks",
        columns=2, shared_yaxes=True, horizontal_spacing=0.05,
        column_titles=["accuracy, all rows and by family", "effective robustness"],
    )  # fmt: skip
    players = families.groupby(["who", "kind"], sort=False)[["correct", "n"]].sum().reset_index()
    players = players.assign(value=players.correct / players.n, mark="", group="all rows")
    each = families.assign(value=families.accuracy, mark="family", low=np.nan, high=np.nan)
    small = {"color": theme.QUIET, "size": 5, "symbol": "circle", "line": {"width": 0}}
    left = pd.concat([each, players])
    dots(left, group="mark", looks={"family": small}, across="share of test rows right (better →)", on=(figure, 1, 1))
    worst = families[families.worst].drop_duplicates("who").set_index("who")
    for place, row in enumerate(worst.loc[players.who].itertuples()):
        figure.add_annotation(x=row.accuracy, y=-place, text=theme.small(row.group), showarrow=False, yshift=-9,
                              row=1, col=1)  # fmt: skip
    shift = shift.assign(who=shift.model).set_index("who").loc[players.who].reset_index().assign(kind=players.kind)
    expected = shift.assign(value=0.0, mark="expected", low=shift.expected_low - shift.expected,
                            high=shift.expected_high - shift.expected)  # fmt: skip
    effective = shift.assign(value=shift.effective, mark="", low=np.nan, high=np.nan)
    band = {"expected": {"opacity": 0, "bar": {"thickness": 9, "color": theme.HAIRLINE}}}
    dots(pd.concat([expected, effective]).drop(columns="n", errors="ignore"), group="mark", looks=band,
         levels=[Level(0)], across="accuracy under shift less<br>what the line promises (better →)",
         on=(figure, 1, 2))  # fmt: skip
    words = [
        f"{who}: {mean:.3f}, worst {worst.group[who]} {worst.accuracy[who]:.3f}, effective robustness {change:+.3f}"
        for who, mean, change in zip(players.who, players.value, shift.effective, strict=True)
    ]
    return with_alt(figure, f"Accuracy in the worst family and under shift. {'; '.join(words)}.")


def psychometric_curves(answers: pd.DataFrame, curves: pd.DataFrame) -> go.Figure:
    """Return accuracy by the size of a shift, a panel for each learner, with its curve and threshold.

    ``answers`` has columns who, level, correct, n, as `robustness.shifted_answers`; ``curves`` is as
    `robustness.psychometric_curves`.
    """
    answers = answers.assign(value=answers.correct / answers.n, kind=answers.who.map(PLAYERS))
    fits = curves.pivot(index=["who", "chance"], columns="parameter", values="value").reset_index("chance")
    grid = pd.DataFrame({"level": np.linspace(answers.level.min(), answers.level.max(), 121)})
    fits = answers[["who", "kind"]].drop_duplicates().join(fits, on="who").merge(grid, how="cross")
    fits["value"] = curve(*(fits[name] for name in ("level", "threshold", "slope", "lapse", "chance"))).round(4)
    figure = lines(
        fits.round({"level": 3}), "level", panel="who", wrap=3, named=False, height=150, shared_xaxes=True,
        title="How much shift does it take?", across="shift of each column (SD)", up="share right (better ↑)",
        notes=[f"a dot: the share of n = {answers.n.max():,} test rows; upright: threshold, half way down to chance, "
               "and its 95 % interval"],
        levels=[Level(curves.chance.iloc[0])], reach=(0.4, 1.02),
    )  # fmt: skip
    words, thresholds = [], curves[curves.parameter == "threshold"].set_index("who")
    for k, (who, part) in enumerate(answers.groupby("who", sort=False)):
        place, colour = (k // 3 + 1, k % 3 + 1), theme.WHO[PLAYERS[who]].colour
        threshold, low, high = thresholds.loc[who, ["value", "low", "high"]]
        cell = dict(zip(("row", "col"), place, strict=True))
        dots(part, y="level", group="who", upright=True, looks={who: {"size": 6}}, on=(figure, *place))
        figure.add_vrect(low, high, fillcolor=colour, opacity=0.2, line_width=0, layer="below", **cell)
        figure.add_vline(threshold, line={"color": colour, "width": 1.5}, layer="below", **cell)
        beside(figure, 0.98, f"{threshold:.2f}", 4, x=threshold, xref=None, font={"size": 12}, **cell)
        words.append(f"{who}: {threshold:.2f} from {low:.2f} to {high:.2f}")
    lead = "Shift at which accuracy is half way down to chance, in standard deviations"
    return with_alt(figure, f"{lead}. {'; '.join(words)}.")
