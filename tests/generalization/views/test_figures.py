"""Figures hold what is in the tables, mark by mark, say so in words, and refuse tables that lack something."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from drawing import (
    CORRELATIONS,
    EYES,
    FAMILIES,
    GOOD,
    MACHINES,
    MATCHED,
    PEOPLE,
    STREAM,
    SWEEPS,
    TASKS,
    bars,
    curves,
    lab,
    lines_at,
    marks,
    part,
    scored,
    slopes,
    words,
)

from cogkit.generalization.views import figures, panels, style
from cogkit.ui import parts, theme
from cogkit.ui.alt import describe


@pytest.mark.parametrize("eye", EYES)
def test_no_two_families_look_alike_to_anyone(eye):
    colours = {colour for colour, _ in figures.FAMILIES.values()}
    assert len(colours) == 7  # Iris and Digits share ink
    assert min(math.dist(lab(a, eye), lab(b, eye)) for a, b in itertools.combinations(colours, 2)) > 22
    assert not colours & {mark.colour for mark in theme.WHO.values()}
    assert len({symbol for _, symbol in figures.FAMILIES.values()}) == 8


def test_the_map_has_a_mark_for_each_task_at_its_two_scores():
    mixed = scored(TASKS).sample(frac=1, random_state=3)  # sides of a task are found by name, not by place
    row = pd.DataFrame({"rho": [0.861], "n": [4], "low": [0.7], "high": [0.9]})
    figure = figures.map_of_tasks(mixed, row)
    points = {
        facts[0]: (x, y, trace.name, *map(float, facts[1:]))
        for trace in figure.data for x, y, facts in zip(trace.x, trace.y, trace.customdata, strict=True)
    }  # fmt: skip
    assert {task: value[:2] for task, value in points.items()} == TASKS
    assert points["Linear 1"][2:] == ("Linear (2)", 0.8, 0.9, 0.25) and points["Iris 0"][2] == "Iris (1)"
    looks = {trace.name: (trace.marker.color, trace.marker.symbol) for trace in figure.data}
    assert looks["Linear (2)"] == figures.FAMILIES["Linear"] and len(set(looks.values())) == 3
    (diagonal,) = figure.layout.shapes
    assert (diagonal.x0, diagonal.x1) == (diagonal.y0, diagonal.y1)
    assert figure.layout.xaxis.range == figure.layout.yaxis.range
    assert "ρ = 0.86, 95 % [0.70, 0.90], n = 4 tasks" in figure.layout.title.text
    assert "ρ 0.86, 95 % [0.70, 0.90]. Machines score higher in 3 of 4 tasks" in describe(figure)
    assert "Linear 0.150 and 0.250" in describe(figure) and "Circles 0.050 and 0.040" in describe(figure)
    assert "ρ" not in figures.map_of_tasks(mixed).layout.title.text


def test_families_show_every_difference_and_test_no_single_task():
    figure = figures.families(scored(TASKS), FAMILIES)
    dots = {
        name: (x, y)
        for trace in marks(figure) if trace.customdata is not None
        for name, x, y in zip(trace.customdata, trace.x, trace.y, strict=True)
    }  # fmt: skip
    assert {name: round(y, 9) for name, (_, y) in dots.items()} == {
        "Linear 0": 0.05, "Linear 1": 0.15, "Circles 0": -0.01, "Iris 0": 0.01
    }  # fmt: skip
    assert [round(dots[name][0]) for name in TASKS] == [0, 0, 1, 2] and dots["Linear 0"][0] != dots["Linear 1"][0]
    (box,) = (trace for trace in figure.data if trace.type == "box")
    assert list(np.round(box.y, 9)) == [0.05, 0.15]
    (mean,) = (trace for trace in marks(figure) if trace.marker.symbol == "line-ew-open")
    assert mean.y[0] == 0.1 and bars(mean.error_y, 0.1) == pytest.approx((0.02, 0.19))
    assert list(figure.layout.xaxis.ticktext) == [
        "<b>Linear</b><br>n = 2<br>p = 2.1·10⁻⁵", "<b>Circles</b><br>n = 1<br>no test",
        "<b>Iris</b><br>n = 1<br>no test",
    ]  # fmt: skip
    assert "Linear mean 0.100, median 0.100, n 2, p 2.1e-05; Circles" in describe(figure)
    assert "Iris mean 0.010, median 0.010, n 1, no inference." in describe(figure)
    assert figure.to_json() == figures.families(scored(TASKS), FAMILIES).to_json()


def test_sweeps_have_a_panel_for_each_constant_with_the_papers_marked():
    values = {
        "alpha": (0.25, 1.0, 4.0),
        "beta": (0.0, 0.5, 2.0),
        "gamma": (0.5, 1),
        "tau": (0.0, 0.2),
        "c0": (0.05, 0.6),
    }
    table = pd.DataFrame([
        {"constant": name, "value": value, "side": side, "rho": 1 - value / 40 - (side == MACHINES) / 100, "n": 62}
        for name, series in values.items() for side in (MACHINES, PEOPLE) for value in series[::-1]
    ])  # fmt: skip
    figure = figures.rank_stability(table)
    axes = ["x", "x2", "x3", "x4", "x5"]
    for (name, series), axis in zip(values.items(), axes, strict=True):
        by_side = {trace.marker.symbol: trace for trace in marks(figure, axis)}
        assert list(by_side["diamond"].x) == list(series)
        assert list(by_side["diamond"].y) == pytest.approx([0.99 - value / 40 for value in series])
        assert list(by_side["circle-open"].y) == pytest.approx([1 - value / 40 for value in series])
        scale = figure.layout[axis.replace("x", "xaxis")]
        assert scale.type == ("linear" if name in ("beta", "tau") else "log") and set(scale.tickvals) == {
            series[0],
            series[-1],
            *lines_at(figure, axis),
        }
    assert [lines_at(figure, axis) for axis in axes] == [{1.0}, {0.5}, {1.0}, {0.2}, {0.15}]  # the paper, § 2
    assert figure.layout.yaxis.range[0] < 0.89 and "n = 62 tasks" in figure.layout.title.text
    assert "alpha, machines: least ρ 0.890, at 4" in describe(figure)


def test_correlations_stand_beside_what_is_printed():
    printed = pd.DataFrame({"side": [MACHINES, PEOPLE], "with_accuracy": [0.54, 0.64], "partial_rank": [0.95, 0.85]})
    table = CORRELATIONS.assign(partial_rank_low=[0.9, 0.95], partial_rank_high=[0.93, 0.98])
    figure = figures.beyond_accuracy(table, printed)
    rows = {}
    for trace in marks(figure):
        rows.setdefault(trace.y[0], {})[trace.marker.symbol] = trace
    top_down = [rows[y] for y in sorted(rows, reverse=True)]
    ours = [next(t.x[0] for symbol, t in row.items() if symbol != "line-ns-open") for row in top_down]
    assert ours == [0.71, 0.27, 0.92, 0.97, 0.81, -0.2]
    theirs = [row["line-ns-open"].x[0] if "line-ns-open" in row else None for row in top_down]
    assert theirs == [0.64, 0.54, 0.85, 0.95, None, None]
    assert [set(row) - {"line-ns-open"} for row in top_down] == [{"circle-open"}, {"diamond"}] * 3
    assert bars(top_down[3]["diamond"].error_x, 0.97) == pytest.approx((0.95, 0.98))
    assert math.isnan(top_down[0]["circle-open"].error_x.array[0]) and figure.layout.xaxis.range[0] < -0.2
    assert "0.27, printed 0.54" in words(figure) and "0.81" in words(figure)
    assert "GR* with accuracy (Spearman), machines: 0.270, printed 0.54;" in describe(figure)
    assert "(linear), machines: -0.200." in describe(figure)
    plain = figures.beyond_accuracy(CORRELATIONS)
    assert len(marks(plain)) == 6 and "printed" not in plain.to_json()


def test_permutations_pair_tasks_by_name_and_count_p():
    before = scored({"Linear 0": (0, 0.30), "Moons 0": (0, 0.10), "Moons 1": (0, 0.20), "Poly 0": (0, 0.9)})
    after = scored({"Moons 1": (0, 0.02), "Linear 0": (0, 0.01), "Moons 0": (0, 0.03)})
    p = [0.04999, 0.05, 0.5, 0.97, 0.99, 1.0, 0.01]
    figure = figures.permutations(before, after[after.side == MACHINES], pd.DataFrame({"p": p}))
    pairs, first, second = marks(figure)
    tasks = np.column_stack([pairs.customdata, pairs.x, pairs.y]).reshape(-1, 3, 3)
    assert {task[0][0]: (task[0][2], task[1][2]) for task in tasks} == {
        "Linear 0": (0.3, 0.01), "Moons 0": (0.1, 0.03), "Moons 1": (0.2, 0.02)
    }  # fmt: skip
    assert tasks[:, 0, 1].tolist() == [0] * 3 and tasks[:, 1, 1].tolist() == [1] * 3
    assert (first.y[0], second.y[0]) == pytest.approx((0.2, 0.02))
    half = 4.302653 * 0.1 / math.sqrt(3)  # t(.975; 2), sd .1
    assert bars(first.error_y, 0.2) == pytest.approx((0.2 - half, 0.2 + half), abs=1e-6)
    (counts,) = (trace for trace in figure.data if trace.type == "bar")
    heights = {round(x - 0.025, 3): y for x, y in zip(counts.x, counts.y, strict=True) if y}
    assert heights == {0.0: 2, 0.05: 1, 0.5: 1, 0.95: 3}
    assert lines_at(figure, "x2") == {0.05} and "2 of 7 below .05" in words(figure)
    text = "0.200 with true labels, 0.020 with shuffled ones"
    assert text in describe(figure) and "median p 0.500, 2 of 7 below .05" in describe(figure)


def test_pairs_run_from_the_linear_to_the_poly_task():
    figure = figures.matched_pairs(MATCHED)
    # a row for each side, the proxies above
    assert slopes(figure, "x") == {"circle-open": [[0, 0.01], [0, -0.03]]} and slopes(figure, "x4") == {
        "diamond": [[0, 0]]
    }
    assert slopes(figure, "x3") == {"circle-open": [[0, 0.1], [0, 0.2]]} and slopes(figure, "x6") == {
        "diamond": [[0, 0.3]]
    }
    assert [list(t.x[:2]) for axis in ("x", "x4") for t in marks(figure, axis)] == [[0, 1], [0, 1]]
    levels = scored({"Linear 0": (0.05, 0.06), "Linear 1": (0.07, 0.08)})
    figure = figures.matched_pairs(MATCHED, levels)
    assert slopes(figure, "x3") == {"circle-open": [[0.05, 0.15], [0.07, 0.27]]}
    assert slopes(figure, "x6") == {"diamond": [[0.08, 0.38]]}
    assert slopes(figure, "x2")["circle-open"] == [[0.25, 0.45], [0.25, 0.65]]
    ticks = figure.layout.xaxis3.ticktext
    half = 12.706205 * 0.1 / 2  # t(.975; 1), sd .1/√2, n 2
    assert "+0.150<br>" in ticks[1] and f"−{half - 0.15:.3f} to +{0.15 + half:.3f}" in ticks[1]
    below = figure.layout.xaxis6.ticktext[1]
    assert "+0.300" in below and "no interval" in below and "n = 1" in figure.layout.yaxis4.title.text
    assert "D_align, human proxies: mean difference +0.300, 2 pairs" in describe(figure)
    rest = figures.matched_pairs(MATCHED[2:])
    assert set(slopes(rest, "x")) == {"diamond"} and "no pair of human proxies" in rest.layout.title.text.replace(
        "<br>", " "
    )


@pytest.mark.parametrize("name", GOOD)
def test_every_figure_is_slim_says_itself_and_is_alike_twice(name):
    draw, tables = GOOD[name]
    figure = draw(*tables)
    assert describe(figure) != figure.layout.title.text and len(describe(figure)) > 20
    assert len(figure.to_json()) < 16_000 and figure.layout.template == theme.TEMPLATE
    assert figure.to_json() == draw(*tables).to_json()


@pytest.mark.parametrize(("name", "k"), [(name, k) for name, (_, tables) in GOOD.items() for k in range(len(tables))])
def test_a_table_that_lacks_something_is_refused_by_name(name, k, refused):
    draw, tables = GOOD[name]
    for column in tables[k]:
        with refused(f"without {column}", "the columns"):
            draw(*[table.drop(columns=column) if j == k else table for j, table in enumerate(tables)])
    with refused("without a row"):
        draw(*[table.iloc[:0] if j == k else table for j, table in enumerate(tables)])
    with refused("list", "DataFrame"):
        draw(*[[1, 2] if j == k else table for j, table in enumerate(tables)])


def test_tables_that_do_not_fit_are_refused(refused):
    scores = scored(TASKS)
    with refused("people"):
        figures.map_of_tasks(scores.replace(PEOPLE, "people"))
    with refused("several scores", "one seed"):
        figures.map_of_tasks(pd.concat([scores, scores]))
    with refused("one side alone"):
        figures.families(scores[scores.side == MACHINES], FAMILIES)
    with refused("one side alone"):
        figures.map_of_tasks(scores.iloc[1:])
    with refused("families Linear, Circles", "Linear, Circles, Iris"):
        figures.families(scores, FAMILIES[:2])
    with refused("family", "Spirals"):
        figures.map_of_tasks(scores.replace({"family": {"Iris": "Spirals"}}))
    with refused("constant", "delta"):
        figures.rank_stability(SWEEPS.assign(constant="delta"))
    with refused("shuffled labels", "machines"):
        figures.permutations(scores, scores[scores.side == PEOPLE], pd.DataFrame({"p": [0.5]}))
    with refused("Poly 9", "true labels"):
        figures.permutations(scores, scored({"Poly 9": (0.1, 0.2)}), pd.DataFrame({"p": [0.5]}))
    with refused("Linear 1 of human proxies"):
        figures.matched_pairs(MATCHED, scores[scores.task != "Linear 1"])


def test_curves_of_another_kind_are_refused(refused):
    shift = curves("shift", {"Linear 0": [0.9, 0.8]})
    with refused("level 0"):
        panels.stress(shift[shift.level > 0])
    with refused("one seed"):
        panels.stress(pd.concat([shift, shift]))
    with refused("continual"):
        panels.stress(shift.assign(curve="continual"))
    with refused("spurious middle"):
        panels.stress(shift.assign(curve="spurious", place="middle"))
    with refused("one stream"):
        panels.continual(pd.concat([STREAM, STREAM]))


def test_accuracies_components_and_claims_that_cannot_be_are_refused(refused):
    with refused("accuracies from 0 to 1"):
        panels.chance(pd.DataFrame({"name": ["a"], "accuracy": [48.7], "classes": [5]}))
    with refused("1 classes"):
        panels.chance(classes=1)
    with refused("kind of player", "human"):
        panels.chance(pd.DataFrame({"name": ["a"], "accuracy": [0.4], "classes": [5], "kind": ["human"]}))
    rows = pd.DataFrame([part("recipe", "observer", "A_c", 0.9)])
    with refused("Moon", "set of tasks"):
        panels.components(rows, "Moon")
    with refused("without a component"):
        panels.components(rows.assign(metric="GR*"))
    with refused("holds"):
        panels.claims_over_seeds(pd.DataFrame({"claim": ["a"], "printed": [np.nan], "holds": [3], "n": [2]}))


@pytest.mark.parametrize(
    ("p", "said"),
    [(0.0312, "p = .031"), (1.0, "p = 1.000"), (5.04e-15, "p = 5.0·10⁻¹⁵"), (0.0, "p = 0"), (math.nan, "no p")],
)
def test_p_in_words(p, said):
    assert style.p_in_words(p) == said


def test_labels_keep_apart_and_dots_do_not_meet():
    assert list(parts.apart([0.3, 0.1, 0.12, 0.31], 0.05)) == pytest.approx([0.3, 0.1, 0.15, 0.35])
    aside = style.spread(100, 0.4)
    assert abs(aside).max() <= 0.2 and np.diff(np.sort(aside)).min() > 0.4 / 300
