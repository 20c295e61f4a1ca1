"""The four pictures: every number of a table is drawn where it belongs, in the mark of its player."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cogkit.ui import theme
from cogkit.ui.alt import describe
from cogkit.ui.dots import standings
from cogkit.ui.figures import Level, bars, consistency, dots, heatmap, lines, series

ROWS = pd.DataFrame({
    "who": ["people", "LSTM", "LSTM", "you", "people", "LSTM"], "kind": ["person", "model"] * 2 + ["person", "model"],
    "task": ["a", "a", "a", "a", "b", "b"], "value": [0.9, 0.5, 0.6, 0.8, 0.7, np.nan], "n": [40] * 4 + [20] * 2,
    "printed": [False, False, True, False, False, False],
}).assign(low=lambda t: t.value - 0.1, high=lambda t: t.value + 0.05)  # fmt: skip


def test_dots_stand_in_the_row_and_panel_of_their_names_with_their_marks():
    figure = dots(ROWS, panel="task", unit="answers", title="t", across="share (better →)", levels=[Level(0.5)])
    names = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    there = {(t.xaxis, names[y], t.marker.symbol, x) for t in figure.data for x, y in zip(t.x, t.y, strict=True)}
    assert there == {
        ("x", "people", "circle", 0.9), ("x", "LSTM", "diamond", 0.5), ("x", "LSTM", "circle-open", 0.6),
        ("x", "you", "star", 0.8), ("x2", "people", "circle", 0.7),
    }  # fmt: skip
    ends = [(t.x[0] - t.error_x.arrayminus[0], t.x[0] + t.error_x.array[0]) for t in figure.data]
    assert ends[0] == pytest.approx((0.8, 0.95))
    assert [(note.text, note.y) for note in figure.layout.annotations if "not there" in note.text][0][1] == -1
    assert {shape.x0 for shape in figure.layout.shapes} == {0.5} and "n = 20 to 40 answers" in figure.layout.title.text
    assert describe(figure) == "people: a 0.900, b 0.700; LSTM: a 0.550; you: a 0.800."


def test_marks_that_are_missing_in_one_row_have_one_label_between_them():
    lost = ROWS.assign(value=np.nan, shift=[-0.2, 0.3, 0.1, 0, 0, 0], low=np.nan, high=np.nan)
    notes = dots(lost[lost.task == "a"], shift="shift").layout.annotations
    assert sorted(note.y for note in notes if "not there" in note.text) == pytest.approx([-2, -0.8, -0.2])


def test_rows_of_a_heading_follow_it_and_long_names_have_room():
    table = pd.DataFrame({"who": ["a<br>b", "c", "c"], "sort": ["one", "one", "two"], "value": [1.0, 2, 3]})
    axis = dots(table, head="sort").layout.yaxis
    assert list(axis.ticktext) == ["<b>one</b>", "a<br>b", "c", "<b>two</b>", "c"]
    assert np.diff(axis.tickvals) == pytest.approx([-1.3, -1.3, -1, -1])


def test_lines_join_the_values_of_a_name_in_order_and_are_named_apart():
    table = pd.DataFrame({"step": [10, 0, 0, 10], "who": ["x", "x", "y", "y"], "kind": "model"})
    figure = lines(table.assign(value=[0.5, 0.1, 0.2, 0.5]), "step", across="step", up="share",
                   levels=[Level(0.5, label="chance")])  # fmt: skip
    drawn = {t.name: (list(t.x), list(t.y)) for t in figure.data}
    assert drawn == {"x": ([0, 10], [0.1, 0.5]), "y": ([0, 10], [0.2, 0.5])}
    heights = sorted(note.y for note in figure.layout.annotations)
    assert len(heights) == 3 and np.diff(heights).min() > 0.02 and heights[-1] <= figure.layout.yaxis.range[1]


def test_several_lines_of_a_group_are_one_trace_with_gaps():
    table = pd.DataFrame({"end": [0, 1, 0, 1], "pair": list("aabb"), "who": "x", "value": [1.0, 2, 3, 4]})
    (trace,) = lines(table, "end", each="pair", across="", up="").data
    assert np.array(trace.y, float) == pytest.approx(np.array([1, 2, np.nan, 3, 4, np.nan]), nan_ok=True)


def test_a_heatmap_has_its_rows_from_the_top_and_gaps_where_nothing_is():
    table = pd.DataFrame({"row": list("rrs"), "column": list("cdd"), "value": [1.0, 2, 3], "box": ["", "dot", ""]})
    heat, box = heatmap(table, "column", "row", box="box").data
    assert np.array(heat.z) == pytest.approx(np.array([[1, 2], [np.nan, 3]]), nan_ok=True)
    assert (min(box.x[:5]), max(box.x[:5]), min(box.y[:5])) == pytest.approx((0.55, 1.45, -0.45))
    kinds = table.assign(value=["good", "bad", "bad"])
    figure = heatmap(kinds, "column", "row", colours={"bad": "#111111", "good": "#222222"})
    assert np.array(figure.data[0].z) == pytest.approx(np.array([[1, 0], [np.nan, 0]]), nan_ok=True)
    assert "r: 1 good; r: 1 bad; s: 1 bad" in describe(figure)


def test_bars_lie_or_stand_with_their_groups_in_their_colours():
    table = pd.DataFrame({"rule": list("aabb"), "sort": ["u", "v"] * 2, "value": [1.0, 2, 3, 4]})
    for upright in (True, False):
        figure = bars(table, "rule", group="sort", colours={"u": "red", "v": "blue"}, upright=upright)
        drawn = {(t.marker.color, tuple(t.y if upright else t.x)) for t in figure.data}
        assert drawn == {("red", (1, 3)), ("blue", (2, 4))}


def test_consistency_keeps_a_row_for_a_pair_without_kappa():
    table = pd.DataFrame({"first": ["a", "a"], "second": ["b", "c"], "group": "g", "kappa": [0.3, np.nan],
                          "low": [0.2, np.nan], "high": [0.4, np.nan], "kappa_max": [0.8, np.nan]})  # fmt: skip
    figure = consistency(table, "t", "note")
    assert list(figure.layout.yaxis.ticktext) == ["<b>g</b>", "a · b", "a · c"]
    assert {t.marker.symbol: list(t.x) for t in figure.data} == {"line-ns-open": [0.8], "circle": [0.3]}
    assert {t.marker.color for t in figure.data} == {theme.WHO["floor"].colour, theme.INK}


PLAYERS = pd.DataFrame({
    "who": ["random", "LSTM", "GRU", "LSTM", "your LSTM", "people", "you"],
    "kind": ["floor", "model", "model", "model", "model", "person", "person"],
    "value": [9.0, 1.0, 4.0, 2.0, 3.0, 0.0, 5.0], "source": ["", "", "", "Kumar 2023", "", "Kumar 2023", ""],
})  # fmt: skip


def test_the_better_of_a_kind_stands_above_and_the_reader_above_people():
    for lower, models in ((True, ["LSTM", "GRU"]), (False, ["GRU", "LSTM"])):
        lines = standings(PLAYERS, "Kumar", lower=lower).line.cat.categories.tolist()
        assert lines == ["you", "your LSTM", "people", *models, "random"]


def test_only_a_printed_model_is_an_open_circle_and_only_the_reader_a_star():
    table = standings(PLAYERS, "Kumar")
    marks = [next(series(table.iloc[[k]], "name", {}))[2] for k in range(len(table))]
    signs = ["line-ns-open", "diamond", "diamond", "circle-open", "diamond", "circle", "star"]
    assert [mark["symbol"] for mark in marks] == signs
    assert marks[4]["color"] == marks[6]["color"] != "#D55E00"
