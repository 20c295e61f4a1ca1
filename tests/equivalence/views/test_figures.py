"""Figures hold what is in the matrix or the table, cell by cell, and say so in words."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from cogkit.core.contracts import InputError
from cogkit.equivalence.problems.records import TYPES, Design
from cogkit.equivalence.views import comparisons, figures, style
from cogkit.ui import theme
from cogkit.ui.alt import describe

FULL = 5040
# Machado, Oliveira & Fernandes (2009), severity 1, on linear RGB.
EYES = {
    "normal": np.eye(3),
    "protanope": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranope": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanope": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


def linear(colour: str) -> np.ndarray:
    values = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ rgb.clip(0, 1)
    f = [v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz / [0.9505, 1, 1.089]]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("eye", EYES)
def test_no_two_bands_look_alike_to_anyone(eye):
    colours = [lab(np.asarray(EYES[eye]) @ linear(colour)) for colour in style.BANDS.values()]
    assert min(math.dist(a, b) for a, b in itertools.combinations(colours, 2)) > 24


def test_each_band_is_darker_than_the_one_before():
    light = [linear(colour) @ [0.2126, 0.7152, 0.0722] for colour in style.BANDS.values()]
    assert light == sorted(light, reverse=True)


@pytest.fixture
def matrix():
    """A share in every band, at its edges, and one that was not tested; the rest is below chance."""
    matrix = np.full((7, 7), 0.1)
    matrix[0] = [0.3539, 0.3541, 0.699, 0.7, 0.899, 0.9, np.nan]
    return matrix


def test_the_bands_are_the_papers_with_the_limit_of_the_trials_at_hand(matrix):
    bands = style.bands(matrix, FULL, Design())
    expected = ["random", "above random", "above random", "soft mastery", "soft mastery", "mastery", ""]
    assert bands[0].tolist() == expected  # the 99.9 % point is 1,784 of 5,040, .35397
    assert style.bands(matrix, 1260, Design())[0, 1] == "random"  # .3746 in one class
    assert (bands[1:] == "random").all()
    with pytest.raises(InputError, match="shares right by sample and comparison"):
        style.bands(matrix[:3], FULL, Design())


def test_the_heatmap_holds_every_share_in_its_place_in_its_band(matrix):
    figure = figures.panel(matrix, Design(), FULL)
    heat = figure.data[0]
    assert np.asarray(heat.z, float)[0, :6].tolist() == [0, 1, 1, 2, 2, 3] and math.isnan(heat.z[0][6])
    texts = {
        (y, x): text
        for t in figure.data
        if t.type == "scatter" and t.mode == "text"
        for x, y, text in zip(t.x, t.y, t.text, strict=True)
    }
    assert len(texts) == 49
    for (row, column), text in texts.items():
        share = matrix[row, column]
        assert text == ("–" if np.isnan(share) else f"{share:.3f}")
    assert heat.customdata[2][1][0] == "C → B, symmetry" and heat.customdata[3][0][0] == "D → A, equivalence"
    assert "n = 5,040" in figure.layout.title.text and "random ≤ 0.354" in figure.layout.title.text
    assert "not tested" in figure.layout.title.text
    assert "reflexivity 7 random; baseline 5 random, 1 above random; transitivity 10 random" in describe(
        figure
    )  # AB .3541, and the other five .1


@pytest.mark.parametrize("structure", ["LS", "OTM", "MTO"])
def test_boxes_are_round_the_cells_of_their_type(structure, matrix):
    design, boxed = Design(structure), {}
    for trace in figures.panel(matrix, design, FULL).data:
        if trace.type == "scatter" and trace.mode == "lines" and trace.x and trace.xaxis == "x":
            x, y = (np.array(side, float).reshape(-1, 6)[:, :5] for side in (trace.x, trace.y))
            assert (np.ptp(x, axis=1) < 1).all() and (np.ptp(y, axis=1) < 1).all()  # one cell each
            centres = {
                (round((r.min() + r.max()) / 2), round((c.min() + c.max()) / 2)) for c, r in zip(x, y, strict=True)
            }
            boxed.setdefault(trace.line.dash, set()).update(centres)
    letters = "ABCDEFG"
    trained = {(letters.index(a), letters.index(b)) for a, b in design.trained}
    assert boxed.pop("solid") == trained and boxed.pop("4px,2px") == {(b, a) for a, b in trained}
    along = {(a, b) for a in range(7) for b in range(a + 2, 7)} if structure == "LS" else set()
    assert boxed.get("1px,2px", set()) == along  # with one middle member, no way leads forwards only


def test_an_arrow_for_every_pair_from_sample_to_comparison(matrix):
    design = Design("OTM")
    places, arrows = style.nodes(design), list(style.arrows(design))
    assert len(arrows) == 49
    for arrow in arrows:
        start, end = (np.hypot(*(places - point).T) for point in (arrow.path[0], arrow.path[-1]))
        assert start.argmin() == arrow.sample and end.argmin() == arrow.comparison
        members = np.delete(places, [arrow.sample, arrow.comparison], axis=0)
        near = np.hypot(*(arrow.path[:, None] - members).transpose(2, 0, 1)).min()
        assert near > 0.1  # no line runs through a third member
    forward, reverse = (next(a for a in arrows if (a.sample, a.comparison) == pair) for pair in ((0, 3), (3, 0)))
    assert math.dist(forward.path[len(forward.path) // 2], reverse.path[len(reverse.path) // 2]) > 0.1
    figure = figures.panel(matrix, design, FULL)
    graph = [t for t in figure.data if t.xaxis == "x2"]
    heads = [t for t in graph if t.marker.symbol == "arrow"]
    labels = {label: share for t in heads for label, share in t.customdata}
    assert len(labels) == 48 and "A → G, baseline" not in labels  # not tested, so not drawn
    assert labels["A → E, baseline"] == "0.899, soft mastery" and labels["B → C, equivalence"] == "0.100, random"
    lines = {(t.line.color, t.line.dash) for t in graph if t.mode == "lines"}
    assert ("#56B4E9", "solid") in lines and ("#C4C4C4", "dot") in lines and ("#C4C4C4", "dash") in lines


def test_the_panel_has_both_and_several_heatmaps_keep_their_own_design(matrix):
    figure = figures.panel(matrix, Design(), FULL)
    assert {t.type for t in figure.data if t.xaxis == "x"} == {"heatmap", "scatter"}
    assert sum(t.marker.symbol == "arrow" for t in figure.data if t.xaxis == "x2") > 4
    many = [(f"{k}", np.full((7, 7), k / 12), Design(s)) for k, s in enumerate(["LS", "OTM", "MTO"] * 4)]
    sheet = figures.heatmaps(many, FULL, "Twelve")
    heats = [t for t in sheet.data if t.type == "heatmap"]
    assert [float(t.customdata[0][0][1]) for t in heats] == [round(k / 12, 3) for k in range(12)]
    assert heats[1].customdata[0][6][0] == "A → G, baseline" and heats[2].customdata[6][0][0] == "G → A, baseline"
    assert len(sheet.to_json()) < 120_000


def test_people_asked_a_few_trials_a_pair_have_limits_of_their_own():
    counts = np.zeros((7, 7), int)
    counts[0, 1:3] = 4, 40
    matrix = np.where(counts > 0, 0.5, np.nan)
    figure = figures.panel(matrix, Design(), counts)
    # P(more than 20 of 40 right by chance) is .01, of 4 trials half right is nothing
    assert style.bands(matrix, counts, Design())[0, 1:3].tolist() == ["random", "random"]
    assert "n = 4 to 40" in figure.layout.title.text and "random by n" in figure.layout.title.text


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
    marks = [(t.xaxis, t.marker.symbol, x, y) for t in figure.data for x, y in zip(t.x, t.y, strict=True)]
    assert len(marks) == 11
    column = {"x": "baseline", "x2": "reflexivity", "x3": "symmetry", "x4": "transitivity"}
    labels = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    points = {(labels[y], column[axis], symbol, round(x, 3)) for axis, symbol, x, y in marks}
    assert ("associative", "symmetry", "line-ns-open", 0.889) in points
    assert {("you", "symmetry", "star", 0.75), ("you", "symmetry", "star", 0.5)} <= points
    assert {("GPT", name, "diamond", round(0.1 * k, 3)) for k, name in enumerate(TYPES)} <= points
    top_down = [labels[level] for level in sorted(labels, reverse=True)]
    assert top_down == ["<b>LS/select-reject</b>", "GPT", "associative", "you", "<b>OTM/select-reject</b>", "you"]
    assert "you, OTM/select-reject: symmetry 0.500" in describe(figure)
    with pytest.raises(InputError, match="result rows of this rule"):
        comparisons.players(pd.DataFrame(rows[:1]), "expected")


def test_the_key_names_only_bands_that_a_cell_can_have():
    few, many = (figures.panel(np.eye(3), Design(members=3), n).layout.title.text for n in (6, 5040))
    # of six trials, one guesser in a thousand and more gets all right: (1/3)**6 > 0.001
    assert "above random" not in few and "random < 0.7" in few and "soft mastery < 0.9" in few
    assert "random ≤ 0.354" in many and "above random < 0.7" in many


def test_emergence_gives_each_learner_a_row_with_every_run_and_the_floors_of_its_type():
    steps = pd.DataFrame({"step": [10, 20, 30], "loss": 1.0})
    log = pd.concat([
        steps.assign(who=who, seed=seed, **{name: [0.3, 0.4 + seed / 10, np.nan] for name in TYPES})
        for who in ("GPT", "BERT") for seed in (0, 1)
    ])  # fmt: skip
    floors = pd.DataFrame([row("directed", "floor", name, 0.8 + k / 100) for k, name in enumerate(TYPES)])
    figure = comparisons.emergence(log, floors)
    assert len(figure.data) == 4 * 4
    titles = [figure.layout[axis].title.text for axis in ("yaxis", "yaxis5")]
    assert [title.split("<")[0] for title in titles] == ["GPT", "BERT"] and all("2 runs" in title for title in titles)
    assert all(list(t.x) == [10, 20] and t.y[1] in (0.4, 0.5) for t in figure.data)
    levels = {(s.xref.split()[0], round(s.y0, 3)) for s in figure.layout.shapes}
    axes = ["x", "x2", "x3", "x4", "x5", "x6", "x7", "x8"]
    assert levels == {(axis, y) for k, axis in enumerate(axes) for y in (0.333, 0.9, round(0.8 + k % 4 / 100, 3))}
    assert "BERT, seed 1, iteration 20: baseline 0.500" in describe(figure)
    assert len(comparisons.emergence(steps.assign(**dict.fromkeys(TYPES, 0.5))).data) == 4  # a log as it is
    mine = comparisons.emergence(pd.concat([log, log[log.seed == 0].assign(who="your GPT", kind="yours")]))
    assert {t.line.color for t in mine.data[-4:]} == {theme.WHO["yours"].colour} != {mine.data[0].line.color}


def test_logs_are_what_the_rows_of_a_run_hold():
    rows = [
        row("GPT", "model", name, k / 10 + step / 1e5, f"accuracy, argmax, iteration {step}")
        for k, name in enumerate(TYPES) for step in (250, 500)
    ]  # fmt: skip
    log = comparisons.logs(pd.DataFrame([*rows, row("GPT", "model", "symmetry", 1.0)]))
    assert log.step.tolist() == [250, 500] and log[list(TYPES)].iloc[1].tolist() == pytest.approx(
        [0.005, 0.105, 0.205, 0.305]
    )


def test_nodal_distance_means_seeds_and_labels():
    rows = [
        row("GPT", "model", f"nodes {k}", 0.9 - k / 10 + seed / 100, seed=seed) for k in (1, 2, 3) for seed in (0, 2)
    ]
    rows += [row("associative", "floor", f"nodes {k}", 0.5) for k in (1, 2, 3)]
    figure = comparisons.nodal(pd.DataFrame(rows))
    lines = [t for t in figure.data if t.mode == "lines"]
    assert [list(np.round(t.y, 6)) for t in lines] == [[0.81, 0.71, 0.61], [0.5, 0.5, 0.5]]
    assert sum(len(t.x) for t in figure.data if t.mode == "markers") == 9
    assert [note.text for note in figure.layout.annotations] == ["GPT", "associative"]  # the best first
    assert [t.xaxis for t in lines] == ["x", "x2"]
    with pytest.raises(InputError, match="2 conditions"):
        comparisons.nodal(pd.DataFrame([*rows, row("GPT", "model", "nodes 1", 0.5, condition="OTM/select-only")]))


def test_published_and_ours_are_drawn_cell_by_cell():
    rng = np.random.default_rng(0)
    table = pd.DataFrame([
        {"simulation": k, "transformer": "GPT", "structure": "LS", "relation": "select-only", "group": group,
         "metric": metric, "published": rng.random(), "ours": rng.random(), "low": np.nan, "high": np.nan}
        for metric in ("accuracy", "hallucinations") for k in (1, 2, 3) for group in ("trained", "symmetry")
    ])  # fmt: skip
    table.loc[0, ["low", "high"]] = table.ours[0] - 0.1, table.ours[0] + 0.2
    figure = comparisons.against_published(table)
    marks = {t.marker.symbol: [] for t in figure.data if t.mode == "markers"}
    for trace in figure.data:
        if trace.mode == "markers":
            marks[trace.marker.symbol] += list(trace.x)
    assert sorted(marks["circle-open"]) == sorted(table.published) and sorted(marks["diamond"]) == sorted(table.ours)
    first = next(t for t in figure.data if t.marker.symbol == "diamond")
    assert first.error_x.array[0] == pytest.approx(0.2) and first.error_x.arrayminus[0] == pytest.approx(0.1)
    gap = (table.ours - table.published)[table.metric == "hallucinations"].abs().max()
    assert "hallucinations: median difference" in describe(figure) and f"largest {gap:.3f}" in describe(figure)
