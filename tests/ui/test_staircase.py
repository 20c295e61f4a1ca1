"""The staircase: steps stand in the order of their rungs, and everybody where the numbers say."""

from __future__ import annotations

import pandas as pd
import pytest

from cogkit.ui.staircase import staircase

ROWS = [
    ("far", "rule", "net", "model", 0.1, 3), ("near", "orbit", "net", "model", 0.9, 3),
    ("between", "interpolation", "net", "model", -2.0, 3), ("near", "orbit", "people", "person", 0.7, 40),
    ("near", "orbit", "exact", "floor", 0.95, 1), ("near", "orbit", "soft", "floor", 0.8, 1),
    ("between", "interpolation", "soft", "floor", 0.2, 1), ("between", "interpolation", "ideal", "observer", 1.0, 1),
    ("between", "interpolation", "ideal of the family", "observer", 1.07, 1),
]  # fmt: skip


@pytest.fixture
def figure():
    table = pd.DataFrame(ROWS, columns=["split", "rung", "who", "kind", "value", "n"])
    return staircase(table.assign(low=table.value - 0.1, high=table.value + 0.1), title="t")


def test_steps_stand_in_the_order_of_their_rungs(figure):
    bold = [note for note in figure.layout.annotations if note.text.startswith("<b>")]
    places = {note.text.removeprefix("<b>").removesuffix("</b>"): note.x for note in bold}
    assert places == {"orbit": 0, "interpolation": 1, "rule": 2} and list(figure.layout.xaxis.tickvals) == [0, 1, 2]


def test_the_band_goes_up_to_the_best_floor_of_each_step(figure):
    boxes = {round((shape.x0 + shape.x1) / 2): shape.y1 for shape in figure.layout.shapes if shape.type == "rect"}
    assert boxes == pytest.approx({0: 0.95, 1: 0.2})  # the last step has none


def test_everybody_stands_where_the_numbers_say_and_what_is_too_low_at_the_bottom(figure):
    there = {trace.name: dict(zip(trace.x, trace.y, strict=True)) for trace in figure.data if trace.name}
    assert there["net"] == pytest.approx({0: 0.9, 1: -0.5, 2: 0.1}) and there["people"] == {0: 0.7}
    observers = [trace.y[0] for trace in figure.data if trace.line.dash == "dot"]
    assert sorted(observers) == pytest.approx([1.0, 1.07])
    assert "between (interpolation): soft 0.20, net -2.00, ideal 1.00" in figure.layout.meta["alt"]
    assert "n = 3 to 40 items a mark" in figure.layout.title.text
