"""Sheets show every picture with its text, and figures hold what is in the table, cell by cell, and say so in words."""

from __future__ import annotations

import base64
import re

import pandas as pd
import pytest

from cogkit.bongard.logo import raster
from cogkit.bongard.paper import reported
from cogkit.bongard.people import published as people
from cogkit.bongard.problems.properties import Shown
from cogkit.bongard.shapes import attributes as geometry
from cogkit.bongard.shapes.inventory import ATTRIBUTES
from cogkit.bongard.views import figures
from cogkit.core.records import RESULT_COLUMNS
from cogkit.ui.alt import describe


def images(sheet):
    """Return (PNG bytes, text) of every picture on a sheet, in order."""
    matches = re.findall(r'<img src="data:image/png;base64,([^"]+)" alt="([^"]*)"', sheet._repr_html_())
    return [(base64.b64decode(data), alt) for data, alt in matches]


def test_a_problem_shows_its_fourteen_pictures_and_tells_its_concept_only_when_told(numbered):
    (problem,) = numbered(1)
    for reveal in (False, True):
        sheet = figures.problem(problem, show_concept=reveal)
        assert [data for data, _ in images(sheet)] == [raster.png(p, 216) for side in problem.sides for p in side]
        titles = [f"{side} {k} of 7" for side in ("Positive", "Negative") for k in range(1, 8)]
        assert [alt.partition(":")[0] for _, alt in images(sheet)] == titles
        assert ("4 strokes" in sheet._repr_html_()) == reveal and ("4 strokes" in repr(sheet)) == reveal


def test_pairs_tell_side_and_concept_of_each(numbered):
    first, second = numbered(2)
    sheet = figures.pairs({"here": [Shown(first, 0, 2), Shown(second, 1, 6)]}, "Two")
    assert [alt for _, alt in images(sheet)] == [
        "here: positive for “the free-form shape of 4 strokes”",
        "here: negative for “the free-form shape of 5 strokes”",
    ]  # fmt: skip
    assert images(sheet)[1][0] == raster.png(second.negatives[6], 320)


def test_attributes_show_labels_and_agreement(two_shapes):
    figure = figures.attributes(two_shapes)
    labels = figure.layout.yaxis.ticktext
    assert sum(sum(bar.x) for bar in figure.data if bar.type == "bar") == 2 * len(ATTRIBUTES)
    measured = {name.replace("_", " "): geometry.ACCURACY[name][3] for name in ATTRIBUTES}
    assert dict(zip(labels, figure.data[-1].x, strict=True)) == measured
    assert "exist sector 0.959" in describe(figure) and "convex" not in describe(figure)


def test_strokes_stand_beside_the_authors_own_and_faults_have_a_panel_a_kind():
    def counted(profile, shares):
        rows = [("g", value, share, 100, share - 0.1, share + 0.1) for value, share in shares.items()]
        return pd.DataFrame(rows, columns=["group", "value", "share", "n", "low", "high"]).assign(profile=profile)

    released = counted("released", {"arc": 0.4, "line": 0.6}).drop(columns=["profile", "low", "high"])
    figure = figures.strokes(counted("as_published", {"arc": 0.5, "line": 0.3, "dot": 0.2}), released)
    assert [list(trace.x) for trace in figure.data] == [[0.4, 0.6], [0.5, 0.3, 0.2]]
    assert "as published, g: arc 0.50, line 0.30, dot 0.20" in describe(figure)
    columns = ["profile", "kind", "fault", "count", "n", "share", "low", "high"]
    rows = [
        (profile, kind, fault, 3, 10, 0.3, 0.1, 0.6)
        for profile in ("as_published", "verified") for kind in ("ff", "hd") for fault in ("alike", "else")
    ]  # fmt: skip
    figure = figures.faults(pd.DataFrame(rows, columns=columns))
    assert [list(trace.x) for trace in figure.data] == [[0.3, 0.3]] * 4 and "free-form 10" in figure.layout.title.text
    assert "as published, free-form: alike 0.30, else 0.30" in describe(figure)


@pytest.fixture
def players():
    """A floor and an observer on two tests, the paper's people, and the reader on one type."""
    base = {"metric": "accuracy", "n": 80, "source": "cogkit", "interval": "95% Wilson, problems"}
    rows = [
        dict.fromkeys(RESULT_COLUMNS) | base
        | {"who": who, "kind": kind, "task": task, "value": value, "low": value - 0.1, "high": value + 0.05}
        for who, kind, task, value in (
            ("ink amount", "floor", "FF", 0.55), ("ink amount", "floor", "NV", 0.5),
            ("ink amount", "floor", "NV/with convex", 0.9), ("program oracle", "observer", "FF", 0.95),
            ("you", "person", "abstract", 0.75),
        )
    ]  # fmt: skip
    return pd.concat([pd.DataFrame(rows), people.published()])


def test_everybody_stands_in_a_row_of_their_own(players):
    figure = figures.everybody(players)
    values = [value for trace in figure.data for value in trace.x]
    assert set(values) >= {0.5, 0.55, 0.95, 0.993} and values.count(0.75) == 2  # CM and NV mixed stand in both
    assert figure.layout.yaxis.ticktext == ("observer of programs", "you", "experts", "amateurs", "ink amount")
    assert "n = 80 answers a mark; n = 6 people a mark" in figure.layout.title.text
    assert "ink amount: FF 0.550, NV 0.500" in describe(figure)


def test_what_the_article_prints_of_a_model_stands_in_its_row(players):
    printed = reported.result_rows("Table 1").query("who == 'ProtoNet'")
    figure = figures.everybody(pd.concat([players, printed, printed.assign(source="cogkit", value=0.61)]))
    marks = {trace.marker.symbol: list(trace.x) for trace in figure.data if "ProtoNet" in str(trace.customdata)}
    assert marks == {"circle-open": [printed.set_index("task").value["NV"]], "diamond": [0.61]}
    assert figure.layout.yaxis.ticktext.count("ProtoNet") == 1
    assert "ProtoNet (printed): FF 0.646" in describe(figure)
