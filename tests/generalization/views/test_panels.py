"""Panels hold what is in the tables, mark by mark."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from drawing import MACHINES, PEOPLE, STREAM, bars, curves, lines_at, marks, part, words

from cogkit.generalization.views import panels
from cogkit.ui.alt import describe


def test_stress_is_taken_over_each_tasks_own_start():
    # f(.9) = .36, f(.8) = .16 and f(1) = 1, the paper's Acc (1 - U) by hand
    table = curves("spurious", {"Linear 0": [0.9, 0.8], "Linear 1": [0.8, 0.8]}, ("last", "first"))
    table = pd.concat([table, curves("shift", {"Linear 0": [1.0, 0.9], "Linear 1": [1.0, 0.9]}).assign(place=np.nan)])
    figure = panels.stress(table)
    ends = {
        (axis, trace.marker.symbol, trace.line.dash): (tuple(trace.x), tuple(np.round(trace.y, 6)))
        for axis in ("x", "x2", "x3", "x4", "x5", "x6") for trace in marks(figure, axis)
    }  # fmt: skip
    assert len(ends) == 18 and {x for x, _ in ends.values()} == {(0, 1)}
    assert ends["x", "circle-open", "dot"][1] == (1, 0.944444)  # (8/9 + 1) / 2
    assert ends["x", "circle-open", "dash"][1] == (1, 0.722222)  # (.16/.36 + 1) / 2
    assert ends["x", "circle-open", "solid"][1] == (1, 1.888889) and ends["x5", "diamond", "solid"][1] == (1, 0.944444)
    assert ends["x3", "circle-open", "dash"][1] == ends["x6", "diamond", "dash"][1] == (1, 0.36)
    assert all(trace.error_y.array is None for trace in figure.data)  # an interval of two tasks would be the page's
    heads = [text.replace("<br>", " ") for text in words(figure)[:3]]
    assert heads == ["spurious column, the first", "spurious column, the last", "shift"]
    assert "n = 2 tasks" in figure.layout.title.text and figure.layout.yaxis.range[1] > 1.888889
    text = "spurious column, the last, machines, at level 1: accuracy × 0.94, f(accuracy) × 0.72, GR* × 0.94"
    assert text in describe(figure)


def test_intervals_are_there_from_five_tasks_up():
    accuracies = {f"Linear {k}": [0.9, 0.9] for k in range(4)} | {"Linear 4": [0.9, 0.8]}
    figure = panels.stress(curves("shift", accuracies))
    accuracy = next(trace for trace in marks(figure) if trace.line.dash == "dot")
    # Of 1, 1, 1, 1 and 8/9: sd √(.2/81), and t is 2.776445 with four degrees of freedom.
    assert accuracy.y[1] == pytest.approx(44 / 45)
    assert accuracy.error_y.array[1] == pytest.approx(2.776445 * (0.2 / 81) ** 0.5 / 5**0.5, abs=1e-6)
    assert "n = 5 tasks" in figure.layout.title.text and "95 % t intervals" in figure.layout.title.text


def test_one_stress_has_a_panel_a_side_and_lines_that_coincide_share_a_label():
    same = curves("shift", {"Linear 0": [1.0, 0.9]})
    figure = panels.stress(same.assign(gr_star=np.where(same.level == 0, 1.0, 0.36)))
    assert words(figure)[:2] == [PEOPLE, MACHINES] and {t.xaxis for t in figure.data} == {"x", "x2"}
    assert words(figure).count("GR* and<br>f(accuracy)") == 2
    # At one half f is 0, and nothing can be taken over that: the task is left out of f alone.
    table = curves("shift", {"Linear 0": [0.5, 0.9], "Linear 1": [0.9, 0.8]}, sides=(PEOPLE,))
    lines = {trace.line.dash: trace.y[1] for trace in panels.stress(table).data}
    assert lines["dash"] == pytest.approx(0.16 / 0.36) and lines["dot"] == pytest.approx((1.8 + 8 / 9) / 2)


def test_the_stream_shows_both_sides_now_and_before():
    figure = panels.continual(STREAM)
    now, past = ({t.marker.symbol: (list(t.x), list(t.y)) for t in marks(figure, axis)} for axis in ("x", "x2"))
    assert now == {"circle-open": ([1, 2, 3], [0.1, 0.2, 0.12]), "diamond": ([1, 2, 3], [0.15, 0.25, 0.22])}
    assert past == {"circle-open": ([2, 3], [0.61, 0.55]), "diamond": ([2, 3], [0.68, 0.56])}
    (chance,) = figure.layout.shapes
    assert (chance.y0, chance.yref) == (0.5, "y2") and figure.layout.yaxis2.range[0] < 0.5
    ends = [(note.text, note.yref, note.y) for note in figure.layout.annotations]
    assert (MACHINES, "y", 0.22) in ends and (PEOPLE, "y2", 0.55) in ends
    assert next(y for text, axis, y in ends if (text, axis) == (MACHINES, "y2")) > 0.56  # pushed off the other label
    assert "accuracy on earlier tasks, machines: 0.680, 0.560." in describe(figure)
    assert not panels.continual(STREAM.drop(columns="classes")).layout.shapes


def test_a_model_at_chance_beats_people_by_f_and_not_by_p():
    named = pd.DataFrame(
        {"name": ["people", "CLIP"], "accuracy": [0.487, 0.208], "classes": 5, "kind": ["person", "model"]}
    )
    figure = panels.chance(named)
    f, p = ({t.marker.symbol: (t.x[0], t.y[0]) for t in marks(figure, axis)} for axis in ("x", "x2"))
    assert f["diamond"] == (0.208, pytest.approx(0.039, abs=5e-4)) and f["circle"] == (
        0.487,
        pytest.approx(1.6e-4, abs=2e-5),
    )
    assert p["diamond"][1] < 1e-4 and p["circle"][1] == pytest.approx(0.0452, abs=1e-4)  # A' = .679375, by hand
    assert lines_at(figure, "x") == lines_at(figure, "x2") == {0.2}
    assert f["diamond"][1] < figure.layout.yaxis.range[1] < 0.1 and "go on to 1" in figure.layout.title.text
    assert "people: accuracy 0.487 of 5 classes, f 0.0002, P 0.0452." in describe(figure)
    many = panels.chance(named.assign(name=["people", "Aloe"], accuracy=[0.23, 0.22]))
    labels = [(note.text, note.ax) for note in many.layout.annotations if note.axref == "x2"]
    assert labels[0][0] == "Aloe<br><b>0.0002</b>" and labels[1][1] - labels[0][1] == pytest.approx(0.14)
    assert panels.chance(named.drop(columns="kind")).data[-1].marker.symbol == "star"


def test_the_two_curves_are_f_and_p_of_the_classes():
    first, second = panels.chance(classes=4).data
    f, p = (dict(zip(np.round(curve.x, 3), curve.y, strict=True)) for curve in (first, second))
    assert (f[0.5], f[1.0], f[0.9]) == (0, 1, 0.36) and f[0.145] == pytest.approx(0.0429, abs=1e-4)
    assert p[0.25] == p[0.1] == 0 and p[0.85] == 0.36 and p[1.0] == 1  # A_c .8, so A' = .9
    several = panels.chance(pd.DataFrame({"name": list("ab"), "accuracy": [0.6, 0.7], "classes": [2, 4]}))
    assert lines_at(several, "x2") == {0.5, 0.25} and len({t.line.dash for t in several.data if t.mode == "lines"}) == 2


def test_column_orders_are_a_dot_each_with_the_median():
    rho = np.linspace(0.2, 0.6, 41)
    orders = [(side, r - gap) for side, gap in ((MACHINES, 0.3), (PEOPLE, 0.0)) for r in rho[::-1]]
    figure = panels.column_orders(pd.DataFrame(orders, columns=["side", "rho"]))
    dots, middle, machines, _ = marks(figure)
    assert sorted(dots.x) == pytest.approx(rho) and dots.marker.symbol == "circle-open"
    assert sorted(machines.x) == pytest.approx(rho - 0.3) and max(dots.y) < 0.3 and max(machines.y) < min(dots.y)
    assert middle.x[0] == pytest.approx(0.4) and bars(middle.error_x, 0.4) == pytest.approx((0.21, 0.59))
    assert figure.layout.xaxis.range[0] < -0.1 and "n = 41 new orders" in figure.layout.title.text
    assert "machines: median 0.10, 95 % from -0.09 to 0.29, 41 orders" in describe(figure)


def test_components_are_a_row_for_each_player_floors_first():
    rows = [part("recipe", "observer", "A_c", 0.93), part("recipe", "observer", "L", np.nan)]
    rows += [part("random forest", "model", name, 0.5 + k / 10) for k, name in enumerate(("A_c", "P", "S", "L"))]
    rows += [part("random forest", "model", "A_c", 0.55, seed=1), part("random forest", "model", "A_c", 0.1, "Moons")]
    rows += [part("naive Bayes", "proxy", "P", 0.3), part("one column", "floor", "S", 0.2, n=12000)]
    rows += [part("majority class", "floor", "A_c", 0.0), part("mine", "model", "A_c", 0.4)]
    rows += [part("recipe", "observer", "GR*", 0.7), part("recipe", "observer", "accuracy", 0.8)]
    figure = panels.components(pd.DataFrame(rows))
    labels = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    top_down = [labels[y] for y in sorted(labels, reverse=True)]
    assert top_down == ["majority class", "one column", "naive Bayes", "random forest", "mine", "recipe"]
    column = {"x": "A_c", "x2": "P", "x3": "S", "x4": "L"}
    dots = [
        (labels[y], column[trace.xaxis], round(x, 6), trace.marker.symbol)
        for trace in figure.data for x, y in zip(trace.x, trace.y, strict=True)
    ]  # fmt: skip
    assert sorted(dots) == sorted([
        ("recipe", "A_c", 0.93, "line-ns-open"), ("random forest", "A_c", 0.5, "diamond"),
        ("random forest", "A_c", 0.55, "diamond"), ("random forest", "P", 0.6, "diamond"),
        ("random forest", "S", 0.7, "diamond"), ("random forest", "L", 0.8, "diamond"),
        ("naive Bayes", "P", 0.3, "circle-open"), ("one column", "S", 0.2, "line-ns-open"),
        ("majority class", "A_c", 0.0, "line-ns-open"), ("mine", "A_c", 0.4, "diamond"),
    ])  # fmt: skip
    empty = {(column[note.xref], labels[note.y]) for note in figure.layout.annotations if note.text == "not there"}
    assert empty == {(name, who) for name in column.values() for who in top_down} - {(c, who) for who, c, _, _ in dots}
    floor = next(trace for trace in figure.data if trace.xaxis == "x3" and trace.marker.color == "#767676")
    assert bars(floor.error_x, 0.2) == pytest.approx((0.1, 0.4))
    assert lines_at(figure, "x4") == {0.5} and "n = 9,600 to 12,000 test rows" in figure.layout.title.text
    assert "random forest: A_c 0.525, P 0.600, S 0.700, L 0.800; mine: A_c 0.400, P not there" in describe(figure)
    moons = panels.components(pd.DataFrame(rows), "Moons")
    assert len(moons.data) == 1 and moons.data[0].x[0] == 0.1 and "Moons" in moons.layout.title.text


def test_claims_say_k_of_n_with_wilsons_interval():
    table = pd.DataFrame({
        "claim": ["Ranks agree: ρ = .86", "Labels matter " + 12 * "very ", "There is an optimum"],
        "printed": [0.86, 5.04e-15, np.nan], "holds": [81, 0, np.nan], "n": [263, 20, 0],
    }, index=[5, 5, 5])  # fmt: skip
    figure = panels.claims_over_seeds(table)
    (dots,) = figure.data
    assert list(dots.x) == pytest.approx([81 / 263, 0]) and list(dots.customdata) == ["81 of 263", "0 of 20"]
    low, high = 81 / 263 - dots.error_x.arrayminus[0], 81 / 263 + dots.error_x.array[0]
    assert (low, high) == pytest.approx((0.2553, 0.3662), abs=5e-5)  # Newcombe (1998), Table I
    labels = figure.layout.yaxis.ticktext
    assert (
        labels[0] == "Ranks agree: ρ\u00a0=\u00a0.86"
        and labels[1].count("<br>") == 1
        and "printed: 5.04e-15" in labels[1]
    )
    assert words(figure) == ["81 of 263", "0 of 20", "cannot be tested"]
    assert [note.y for note in figure.layout.annotations] == list(figure.layout.yaxis.tickvals)
    assert list(dots.y) == list(figure.layout.yaxis.tickvals[:2]) == sorted(dots.y, reverse=True)
    assert "Ranks agree: ρ = .86: 81 of 263; " in describe(figure) and "n = 20 to 263 seeds" in figure.layout.title.text
