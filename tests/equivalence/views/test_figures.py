"""Figures hold what is in the matrix or the table, cell by cell, and say so in words."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from cogkit.equivalence.problems.records import TYPES, Design
from cogkit.equivalence.views import comparisons, figures, style
from cogkit.ui.alt import describe

FULL = 5040
BANDS = ["random", "above random", "above random", "soft mastery", "soft mastery", "mastery", ""]


def test_the_panel_holds_every_share_in_its_place_in_its_band_and_every_pair_as_an_arrow():
    """A share in every band, at its edges, and one that was not tested; the rest is below chance."""
    matrix = np.full((7, 7), 0.1)
    matrix[0] = [0.3539, 0.3541, 0.699, 0.7, 0.899, 0.9, np.nan]
    assert style.bands(matrix, FULL)[0].tolist() == BANDS  # the 99.9 % point is 1,784 of 5,040, .35397
    assert style.bands(matrix, 1260)[0, 1] == "random"  # .3746 in one class
    figure = figures.panel(matrix, Design(), FULL, "one")
    heat = figure.data[0]
    assert np.asarray(heat.z, float)[0, :6].tolist() == [0, 1, 1, 2, 2, 3] and math.isnan(heat.z[0][6])
    assert (heat.text == np.where(np.isnan(matrix), "–", np.char.mod("%.3f", matrix))).all()
    assert heat.customdata[2][1] == "C → B, symmetry<br>0.100, random"
    heads = [trace for trace in figure.data if trace.xaxis == "x2" and trace.marker.symbol == "arrow"]
    labels = [label for trace in heads for label in trace.customdata]
    assert len(labels) == 48 and not any("A → G" in label for label in labels)  # not tested, so not drawn
    assert {"A → E, transitivity<br>0.899, soft mastery", "D → A, equivalence<br>0.100, random"} <= set(labels)
    title = figure.layout.title.text
    assert all(words in title for words in ("n = 5,040", "random ≤ 0.354", "not tested"))
    sentence = "reflexivity 7 random; baseline 5 random, 1 above random; transitivity 10 random"
    assert sentence in describe(figure)  # AB .3541, and the other five .1
    assert "1 not tested" in describe(figure)


def test_several_heatmaps_and_graphs_keep_their_own_design():
    many = [(f"{k}", np.full((7, 7), k / 3), Design(name)) for k, name in enumerate(["LS", "OTM", "MTO"])]
    heats = [trace for trace in figures.heatmaps(many, FULL, "Three").data if trace.type == "heatmap"]
    assert [trace.text[0][0] for trace in heats] == [".00", ".33", ".67"]
    starts = [heats[1].customdata[0][6], heats[2].customdata[6][0]]
    assert [start.split("<")[0] for start in starts] == ["A → G, baseline", "G → A, baseline"]
    traces = figures.graphs(many, FULL, "Three").data
    heads = [trace for trace in traces if trace.marker.symbol == "arrow"]
    assert {(trace.xaxis, trace.marker.color) for trace in heads} == {("x3", style.BANDS["above random"])}
    labels = [label for trace in heads for label in trace.customdata]
    assert len({*labels}) == 49 and "G → A 0.667" in labels  # of MTO alone: the others are at random


def test_people_asked_a_few_trials_a_pair_have_limits_of_their_own():
    counts = np.zeros((7, 7), int)
    counts[0, 1:3] = 4, 40
    matrix = np.where(counts > 0, 0.5, np.nan)
    title = figures.panel(matrix, Design(), counts, "few").layout.title.text
    # P(more than 20 of 40 right by chance) is .01, of 4 trials half right is nothing
    assert style.bands(matrix, counts)[0, 1:3].tolist() == ["random", "random"]
    assert "n = 4 to 40" in title and "random by n" in title
    few = figures.panel(np.eye(3), Design(members=3), 6, "few").layout.title.text
    # of six trials, one guesser in a thousand and more gets all right: (1/3)**6 > 0.001
    assert "above random" not in few and "random < 0.7" in few and "soft mastery < 0.9" in few


def row(who, kind, group, value, metric="accuracy, argmax", seed=0, n=30_240, condition="LS/select-reject"):
    fields = {"task": f"{condition}/{group}", "who": who, "kind": kind, "metric": metric, "value": value, "n": n}
    return fields | {"low": value - 0.01, "high": value + 0.01, "seed": seed}


def test_every_player_seed_and_type_is_a_mark():
    rows = [row("GPT", "model", name, 0.1 * k, seed=seed) for k, name in enumerate(TYPES) for seed in (0, 1)]
    sitting = row("cb1aa784", "you", "symmetry", 0.5, "accuracy", condition="OTM/select-reject")  # the reader's
    rows.insert(1, sitting)  # out of order
    rows += [row("associative", "floor", "symmetry", 0.889), row("you", "person", "symmetry", 0.75, "accuracy")]
    rows += [row("GPT", "model", "symmetry", 0.99, "accuracy, forced choice"), row("GPT", "model", "AB", 0.98)]
    figure = comparisons.players(pd.DataFrame(rows))
    column = {"x": "baseline", "x2": "reflexivity", "x3": "symmetry", "x4": "transitivity"}
    labels = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    marks = [(trace, x, y) for trace in figure.data for x, y in zip(trace.x, trace.y, strict=True)]
    points = [(labels[y], column[trace.xaxis], trace.marker.symbol, round(x, 3)) for trace, x, y in marks]
    expected = [("GPT", name, "diamond", round(0.1 * k, 3)) for k, name in enumerate(TYPES)] * 2
    expected += [("associative", "symmetry", "line-ns-open", 0.889)]
    assert sorted(points) == sorted([*expected, *(("you", "symmetry", "star", share) for share in (0.75, 0.5))])
    top_down = [labels[level] for level in sorted(labels, reverse=True)]
    assert top_down == ["<b>LS/select-reject</b>", "GPT", "associative", "you", "<b>OTM/select-reject</b>", "you"]
    assert "OTM/select-reject, you: symmetry 0.500" in describe(figure)


def test_emergence_gives_each_learner_a_row_with_every_run_and_the_floors_of_its_type():
    steps = pd.DataFrame({"step": [10, 20, 30], "loss": 1.0})
    runs = [(who, seed) for who in ("GPT", "BERT") for seed in (0, 1)]
    shares = {seed: dict.fromkeys(TYPES, [0.3, 0.4 + seed / 10, np.nan]) for seed in (0, 1)}
    log = pd.concat([steps.assign(who=who, seed=seed, **shares[seed]) for who, seed in runs])
    floors = pd.DataFrame([row("directed", "floor", name, 0.8 + k / 100) for k, name in enumerate(TYPES)])
    figure = comparisons.emergence(log, floors)
    titles = [figure.layout[axis].title.text for axis in ("yaxis", "yaxis5")]
    assert [title.split("<")[0] for title in titles] == ["GPT", "BERT"] and all("2 runs" in title for title in titles)
    runs, levels = ([t for t in figure.data if (t.line.dash == "solid") is is_run] for is_run in (True, False))
    assert len(runs) == len(levels) == 8
    for trace in runs:  # two runs with a gap
        np.testing.assert_array_equal(trace.y, [0.3, 0.4, np.nan, 0.3, 0.5, np.nan])
    assert [trace.y[0] for trace in levels] == pytest.approx([0.8, 0.81, 0.82, 0.83] * 2)
    assert {round(shape.y0, 3) for shape in figure.layout.shapes} == {0.333, 0.9}
    assert "BERT, baseline, BERT: 0.300, 0.400, 0.300, 0.500" in describe(figure)


def test_logs_are_what_the_rows_of_a_run_hold():
    cases = [(name, k, step) for k, name in enumerate(TYPES) for step in (250, 500)]
    rows = [row("GPT", "model", name, k + step / 1e5, f"accuracy, argmax, iteration {step}") for name, k, step in cases]
    log = comparisons.logs(pd.DataFrame([*rows, row("GPT", "model", "symmetry", 1.0)]))
    assert log.step.tolist() == [250, 500]
    assert log[list(TYPES)].iloc[1].tolist() == pytest.approx([0.005, 1.005, 2.005, 3.005])


def test_nodal_distance_means_seeds_and_labels():
    cells = [(k, seed) for k in (1, 2, 3) for seed in (0, 2)]
    rows = [row("GPT", "model", f"nodes {k}", 0.9 - k / 10 + seed / 100, seed=seed) for k, seed in cells]
    rows += [row("associative", "floor", f"nodes {k}", 0.5) for k in (1, 2, 3)]
    figure = comparisons.nodal(pd.DataFrame(rows))
    lines = [list(np.round(trace.y, 6)) for trace in figure.data if trace.mode == "lines"]
    assert lines == [[0.81, 0.71, 0.61], [0.5, 0.5, 0.5]]
    assert sum(len(trace.x) for trace in figure.data if trace.mode == "markers") == 9
    assert [note.text for note in figure.layout.annotations][:2] == ["GPT", "associative"]  # the best first


def test_published_and_ours_are_drawn_cell_by_cell():
    cells = [(metric, k) for metric in ("accuracy", "hallucinations") for k in (1, 2, 3)]
    table = pd.DataFrame(cells, columns=["metric", "simulation"])
    table = table.assign(transformer="GPT", structure="LS", relation="select-only", group="symmetry")
    table[["published", "ours"]] = np.random.default_rng(0).random((6, 2))
    table[["low", "high"]] = np.nan
    table.loc[0, ["low", "high"]] = table.ours[0] - 0.1, table.ours[0] + 0.2
    figure = comparisons.against_published(table)
    marks = {"circle-open": [], "diamond": []}
    for trace in figure.data:
        if trace.mode == "markers":
            marks[trace.marker.symbol] += list(trace.x)
    assert sorted(marks["circle-open"]) == sorted(table.published) and sorted(marks["diamond"]) == sorted(table.ours)
    first = next(trace for trace in figure.data if trace.marker.symbol == "diamond").error_x
    assert (first.array[0], first.arrayminus[0]) == pytest.approx((0.2, 0.1))
    gap = (table.ours - table.published)[table.metric == "hallucinations"].abs().max()
    assert "hallucinations: median difference" in describe(figure) and f"largest {gap:.3f}" in describe(figure)
