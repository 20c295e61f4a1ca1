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


@pytest.mark.parametrize("steps", [0, 2])
def test_a_run_that_was_stopped_before_its_first_validation_is_drawn(steps):
    short = pd.DataFrame({"clicks": CLICKS[:2], "blue": [30.0, 28.0]}).head(steps)
    figure = agent_figures.learning_curves({"yours": short}, {"floor": 11.85})
    assert list(figure.data[0].y) == [30.0, 28.0][:steps]
    assert ("yours ends at 28.00 blue tiles on training boards." in describe(figure)) == (steps > 0)


def test_an_agent_that_knows_boards_by_heart_has_its_marks_far_apart():
    table = pd.DataFrame({
        "rule": ["tree", "copy"], "boards": [237, 22272], "trained": [1.5, 9.0], "held_out": [5.0, 8.0],
        "low": [3.0, 7.0], "high": [7.0, 9.0], "n": [25, 25],
    })  # fmt: skip
    figure = agent_figures.by_heart(table)
    hollow, solid = sorted(figure.data, key=lambda trace: trace.marker.symbol, reverse=True)
    assert (hollow.marker.symbol, solid.marker.symbol) == ("diamond-open", "diamond")
    rows = dict(zip(figure.layout.yaxis.ticktext, figure.layout.yaxis.tickvals, strict=True))
    for trace, column in ((hollow, "trained"), (solid, "held_out")):
        drawn = dict(zip(trace.y, trace.x, strict=True))
        assert [drawn[rows[f"{rule} boards)"]] for rule in ("tree (237", "copy (22,272")] == list(table[column])
    assert np.allclose(solid.error_x.array, [2.0, 1.0]) and "held out: tree 5.0, copy 8.0" in describe(figure)


def test_each_pinned_cell_has_its_score_beside_what_repeats_it():
    pinned = pd.DataFrame({"rule": ["copy", "cross"], "kind": ["abstract", "metamer"], "constant": [6.2, 8.8]})
    tasks = ["copy/abstract", "cross/metamer"]
    never = pd.DataFrame({"task": [*tasks, tasks[0]], "metric": ["z", "z", "blue"], "value": [6.1, 8.9, 30.0]})
    ours = pd.DataFrame({
        "task": np.repeat(tasks, 2), "profile": ["as_published", "verified"] * 2, "z": [6.0, -5.7, 8.7, -3.1],
    })  # fmt: skip
    figure = agent_figures.stuck(pinned, never, ours)
    assert [note.text for note in figure.layout.annotations][:2] == ["copy, abstract", "cross, metamer"]
    names = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    drawn = {(trace.xaxis, names[trace.y[0]]): (trace.x[0], trace.marker.symbol) for trace in figure.data}
    rows = {  # as the two tables hold them: copy, cross
        "the paper's repeated score": (6.2, 8.8, "circle-open"),
        "a player that never finishes": (6.1, 8.9, "line-ns-open"),
        "our network, the paper's test": (6.0, 8.7, "diamond-open"),
        "our network, corrected test": (-5.7, -3.1, "diamond"),
    }
    assert drawn == {
        (axis, name): (values[k], values[2]) for name, values in rows.items() for k, axis in enumerate(("x", "x2"))
    }


def test_transfer_draws_each_agent_on_both_kinds_of_boards():
    rows = [
        (rule, trained, tested, k - 4.0, k - 5.0, k - 2.5, 25)
        for k, (rule, trained, tested) in enumerate(
            (r, a, b) for r in ("copy", "tree") for a in ("abstract", "metamer") for b in ("abstract", "metamer")
        )
    ]
    table = pd.DataFrame(rows, columns=["rule", "trained", "tested", "value", "low", "high", "n"])
    figure = agent_figures.transfer(table.assign(who="EPN"))
    assert figure.layout.title.text.startswith("Trained on one kind of boards, tested on both: EPN")
    assert [note.text for note in figure.layout.annotations[:2]] == ["copy", "tree"]
    names = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    words = {"abstract": "rule", "metamer": "metamers"}
    drawn = {(trace.xaxis, names[trace.y[0]]): trace for trace in figure.data}
    assert len(drawn) == len(table)
    for row in table.itertuples():
        trace = drawn["x" if row.rule == "copy" else "x2", f"{words[row.trained]} → {words[row.tested]}"]
        assert list(trace.x) == [row.value] and trace.marker.symbol.endswith("open") == (row.trained == "metamer")
        assert list(trace.error_x.array) == [row.high - row.value]
        assert list(trace.error_x.arrayminus) == [row.value - row.low]
    assert "metamers → rule: copy -2.00, tree 2.00" in describe(figure)


def test_agents_of_all_rules_stand_below_one_another():
    rows = [
        (who, rule, "all rules", tested, k - 4.0, k - 5.0, k - 2.5, 25)
        for k, (who, rule, tested) in enumerate(
            (w, r, t) for w in ("EPN", "LSTM") for r in ("copy", "tree") for t in ("abstract", "metamer")
        )
    ]
    table = pd.DataFrame(rows, columns=["who", "rule", "trained", "tested", "value", "low", "high", "n"])
    figure = agent_figures.transfer(table)
    assert figure.layout.title.text.startswith("Trained on all rules, tested on both kinds of boards")
    names = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    drawn = {(trace.xaxis, names[trace.y[0]]): (list(trace.x), trace.marker.symbol) for trace in figure.data}
    words, symbols = {"abstract": "rule", "metamer": "metamers"}, {"abstract": "diamond", "metamer": "diamond-open"}
    assert drawn == {
        ("x" if row.rule == "copy" else "x2", f"{row.who} → {words[row.tested]}"): ([row.value], symbols[row.tested])
        for row in table.itertuples()
    }
