"""Figures draw what is in the table: every dot, every mean, every board, and say so in words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cogkit.tiles.rules import RULES
from cogkit.tiles.views import figures
from cogkit.ui.alt import describe


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    rows = [
        {"rule": rule, "kind": kind, "who": who, "z": rng.normal()}
        for rule in RULES for kind in ("abstract", "metamer")
        for who, n in (("person", 6), ("agent", 3)) for _ in range(n)
    ]  # fmt: skip
    return pd.DataFrame(rows)


@pytest.fixture
def cells(frame):
    return frame.groupby(["rule", "kind", "who"]).z.agg(n="size", mean="mean", sd="std").reset_index()


def points(figure, template):
    return np.concatenate(
        [np.asarray(t.y, float) for t in figure.data if t.hovertemplate and template in t.hovertemplate]
    )


def test_every_person_and_pass_is_a_dot_and_every_cell_has_its_mean(frame, cells):
    figure = figures.people_and_agents(cells, frame)
    dots = np.concatenate([np.asarray(t.y) for t in figure.data if t.mode == "markers" and t.marker.opacity == 0.45])
    assert sorted(dots) == sorted(frame.z)
    means = points(figure, "mean of")
    assert sorted(means) == pytest.approx(sorted(frame.groupby(["rule", "kind", "who"]).z.mean()))


def test_pinned_cells_are_hollow_and_said(frame, cells):
    pinned = pd.DataFrame([{"rule": "copy", "kind": "abstract"}])
    figure = figures.people_and_agents(cells, frame, pinned=pinned)
    hollow = [t for t in figure.data if str(t.marker.symbol).endswith("-open")]
    assert len(hollow) == 2  # its dots and its mean
    assert [a.text for a in figure.layout.annotations].count("pinned") == 1
    assert "1 agent cells are pinned" in describe(figure)


def test_the_reader_is_a_star_at_their_own_score(cells):
    you = pd.DataFrame([{"task": "tree/metamer", "metric": m, "value": v} for m, v in (("z", -2.5), ("blue", 3.0))])
    figure = figures.people_and_agents(cells, you=you)
    stars = [t for t in figure.data if t.marker.symbol == "star" and len(t.y)]
    assert [list(t.y) for t in stars] == [[-2.5]] and list(stars[0].x) == [1]


def test_the_gallery_holds_every_board_in_place():
    boards = {rule: np.stack([np.eye(7), np.tri(7)]) for rule in RULES[:3]}
    sheet = np.asarray(figures.gallery(boards, "t").data[0].z, float)
    assert (sheet[:7, :7] == np.eye(7)).all() and (sheet[18:25, 9:16] == np.tri(7)).all()
    assert np.isnan(sheet[7:9]).all()


def test_blue_counts_are_shares_of_the_runs():
    figure = figures.blue_counts(np.array([1, 1, 3, 3]), ideal=0.5, you=2)
    assert list(figure.data[0].y) == [0, 0.5, 0, 0.5]
    assert "ideal observer 0.5" in describe(figure) and "★ you 2.0" in describe(figure)


def result(who: str, kind: str, task: str, value: float, source: str = "published", metric: str = "z") -> dict:
    """Return what a figure needs of a result row."""
    limits = {"value": value, "low": value - 1, "high": value + 1, "n": 25}
    return {"who": who, "kind": kind, "task": task, "metric": metric, "source": source} | limits


def test_everybody_stands_in_a_labelled_row_and_the_star_is_the_reader_alone():
    printed = "Kumar et al. 2023, bundled scores"
    rows = [
        ("random", "floor", 8.0), ("nearest neighbour", "floor", 0.0), ("LSTM", "model", -3.0),
        ("lstm (Kumar et al. 2023)", "model", 6.2, printed), ("people (Kumar et al. 2023)", "person", -1.5, printed),
        ("your LSTM", "model", -0.5), ("you", "person", -2.0), ("Bayes-greedy", "observer", -6.0),
    ]  # fmt: skip
    table = pd.DataFrame([result(who, kind, "copy/abstract", *rest) for who, kind, *rest in rows])
    figure = figures.players(pd.concat([table, table.assign(metric="blue", value=99.0)]))
    names = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    assert list(names.values()) == [
        "ideal observer", "you", "your LSTM", "people", "LSTM", "nearest neighbour", "random",
    ]  # fmt: skip
    marks = {(names[t.y[0]], t.marker.symbol): list(t.x) for t in figure.data}
    assert marks == {
        ("ideal observer", "line-ns-open"): [-6.0], ("you", "star"): [-2.0], ("your LSTM", "diamond"): [-0.5],
        ("people", "circle"): [-1.5], ("LSTM", "diamond"): [-3.0], ("LSTM", "circle-open"): [6.2],
        ("nearest neighbour", "line-ns-open"): [0.0], ("random", "line-ns-open"): [8.0],
    }  # fmt: skip
    assert "LSTM: copy/abstract -3.00" in describe(figure) and "LSTM (paper): copy/abstract 6.20" in describe(figure)


def test_eight_tasks_are_two_lines_of_panels_with_the_same_rows():
    table = pd.DataFrame([result("random", "floor", f"{rule}/abstract", float(k)) for k, rule in enumerate(RULES)])
    figure = figures.players(table)
    assert [note.text for note in figure.layout.annotations[:8]] == list(RULES)
    assert [trace.x[0] for trace in figure.data] == list(range(8))
    bottoms = [figure.layout[f"yaxis{n if n > 1 else ''}"].domain[0] for n in range(1, 9)]
    assert len(set(bottoms[:4])) == len(set(bottoms[4:])) == 1 and bottoms[0] > bottoms[4]


def test_the_rules_in_words_are_closed_until_they_are_asked_for():
    fold = figures.rules()
    page = fold._repr_html_()
    assert all(rule in page for rule in RULES) and "<details" in page and "<details open" not in page
    assert not any(rule in repr(fold) for rule in RULES) and "outline of a rectangle" in page


@pytest.mark.parametrize("height", [figures.differences, figures.estimates])
def test_tables_become_one_mark_a_row(height):
    if height is figures.differences:
        table = pd.DataFrame(
            [{"rule": r, "who": w, "difference": d, "low": d - 1, "high": d + 1, "pinned": r == "copy"}
             for w, d in (("person", -1.0), ("agent", 1.0)) for r in RULES]
        )  # fmt: skip
        values, expected = [y for t in height(table).data for y in t.y], [-1.0] * 8 + [1.0] * 8
    else:
        table = pd.DataFrame(
            {"analysis": ["a", "b"], "estimate": [1.0, 2.0], "low": [0, 1], "high": [2, 3], "note": ["", ""]}
        )
        values, expected = list(height(table).data[0].x), [1.0, 2.0]
    assert sorted(values) == sorted(expected)
