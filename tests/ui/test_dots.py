"""Rows of players: their order, and the marks of the reader."""

from __future__ import annotations

import pandas as pd

from cogkit.ui import figures
from cogkit.ui.dots import standings

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
    marks = [next(figures.series(table.iloc[[k]], "name", {}))[2] for k in range(len(table))]
    signs = ["line-ns-open", "diamond", "diamond", "circle-open", "diamond", "circle", "star"]
    assert [mark["symbol"] for mark in marks] == signs
    assert marks[4]["color"] == marks[6]["color"] != "#D55E00"
