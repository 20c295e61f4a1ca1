"""Figures of agents that learn: what is drawn is what the tables hold."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cogkit.tiles.views import agent_figures
from cogkit.ui import theme
from cogkit.ui.alt import describe

CLICKS = np.array([1e5, 2e5, 3e5])


def log(shift: float) -> pd.DataFrame:
    return pd.DataFrame({"clicks": CLICKS, "blue": [20, 10, 5 + shift], "validation": [np.nan, 12, 7 + shift]})


def test_learning_curves_draw_both_kinds_of_boards_and_the_levels():
    logs = {"seed 0": log(0), "yours": log(1)}
    figure = agent_figures.learning_curves(logs, {"floor": 11.85, "observer": 2.27}, "rectangle/abstract")
    assert len(figure.data) == 4
    for line, (name, metric) in zip(figure.data, [(n, m) for n in logs for m in ("blue", "validation")], strict=True):
        points = logs[name].dropna()  # where both were taken
        assert np.allclose(line.x, points.clicks / 1e6) and np.allclose(line.y, points[metric])
        assert line.line.dash == {"blue": "solid", "validation": "dot"}[metric]
        assert line.line.color == theme.WHO["you" if name == "yours" else "model"].colour
    assert sorted(shape.y0 for shape in figure.layout.shapes) == [2.27, 11.85]
    assert "rectangle/abstract" in figure.layout.title.text and "fewer is better" in figure.layout.yaxis.title.text
    assert "yours ends at 6.00 blue tiles on training boards and 8.00" in describe(figure)
    with pytest.raises(KeyError):
        agent_figures.learning_curves(logs, {"nobody": 1.0})


def test_transfer_draws_each_agent_on_both_kinds_of_boards():
    rows = [
        (rule, trained, tested, k - 4.0, k - 5.0, k - 2.5, 25)
        for k, (rule, trained, tested) in enumerate(
            (r, a, b) for r in ("copy", "tree") for a in ("abstract", "metamer") for b in ("abstract", "metamer")
        )
    ]
    table = pd.DataFrame(rows, columns=["rule", "trained", "tested", "value", "low", "high", "n"])
    figure = agent_figures.transfer(table)
    solid, hollow = figure.data
    assert (solid.marker.symbol, hollow.marker.symbol) == ("diamond", "diamond-open")
    for trace, trained in ((solid, "abstract"), (hollow, "metamer")):
        part = table[table.trained == trained]
        assert np.allclose(trace.y, part.value) and np.allclose(trace.error_y.array, part.high - part.value)
        assert np.allclose(trace.error_y.arrayminus, part.value - part.low)
        assert [tuple(row) for row in trace.customdata] == list(zip(part.rule, part.tested, strict=True))
    names = dict(zip(figure.layout.xaxis.tickvals, figure.layout.xaxis.ticktext, strict=True))
    for x, (rule, tested) in zip(solid.x, solid.customdata, strict=True):
        tick = min((place for place in names if "<b>" not in names[place]), key=lambda place: abs(place - x))
        assert names[tick] == {"abstract": "rule", "metamer": "met."}[tested]
        group = min((place for place in names if "<b>" in names[place]), key=lambda place: abs(place - x))
        assert rule in names[group]
    assert "tree, trained on its metamers, tested on the rule: z 2.00" in describe(figure)
