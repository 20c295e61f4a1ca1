"""Rows of players and panels: their order, their wrapping, and the marks of the reader."""

from __future__ import annotations

import pandas as pd

from cogkit.ui.dots import dots, player_mark, standings

ROWS = pd.DataFrame({
    "who": ["random", "LSTM", "GRU", "LSTM", "your LSTM", "people", "you"],
    "kind": ["floor", "model", "model", "model", "model", "person", "person"],
    "value": [9.0, 1.0, 4.0, 2.0, 3.0, 0.0, 5.0], "source": ["", "", "", "Kumar 2023", "", "Kumar 2023", ""],
})  # fmt: skip


def test_the_better_of_a_kind_stands_above_and_the_reader_above_people():
    for lower, models in ((True, ["LSTM", "GRU"]), (False, ["GRU", "LSTM"])):
        lines = standings(ROWS, "Kumar", lower=lower).line.cat.categories.tolist()
        assert lines == ["you", "your LSTM", "people", *models, "random"]


def test_only_a_printed_model_is_an_open_circle_and_only_the_reader_a_star():
    table = standings(ROWS, "Kumar")
    signs = [player_mark(table.iloc[[k]])["symbol"] for k in range(len(table))]
    assert signs == ["line-ns-open", "diamond", "diamond", "circle-open", "diamond", "circle", "star"]
    assert player_mark(table.iloc[[4]])["color"] == player_mark(table.iloc[[6]])["color"] != "#D55E00"


def test_panels_that_do_not_fit_side_by_side_follow_below():
    table = pd.DataFrame({"panel": list("abcde"), "who": "LSTM", "line": "LSTM", "share": range(5)})
    table = table.assign(low=0.0, high=9.0, n=25, shift=0.0, kind="model", printed=False)
    options = {"mark": player_mark, "series": ["who"], "shared": True, "ticks": None}
    for wrap, deep in ((9, 1), (3, 2), (2, 3)):
        figure = dots(table, "panel", "line", "t", "", "z (better ←)", "words", wrap=wrap, **options)
        assert [note.text for note in figure.layout.annotations] == [*"abcde", "z (better ←)"]
        bottoms = [figure.layout[f"yaxis{k if k > 1 else ''}"].domain[0] for k in range(1, 6)]
        assert bottoms == sorted(bottoms, reverse=True) and len(set(bottoms)) == deep
        assert [trace.x[0] for trace in figure.data] == [0, 1, 2, 3, 4]
