"""Figures of what networks learnt: what is drawn is what the tables hold."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest

from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Line
from cogkit.bongard.paper import reported
from cogkit.bongard.problems.records import Problem
from cogkit.bongard.scoring import Answers
from cogkit.bongard.views import comparisons, learner_figures
from cogkit.ui.alt import describe


def row(who, task, value, kind="model", seed=0, metric="accuracy", n=80):
    limits = {"low": value - 0.05, "high": value + 0.05, "interval": "95%", "source": "cogkit"}
    return {"who": who, "kind": kind, "task": task, "value": value, "seed": seed, "metric": metric, "n": n} | limits


def problem(name, concept, shapes=("nail", "fish")):
    def picture(shape, k):
        return (Placed((Line(1.0),), Placement(-100.0, 10.0 * k, 0.0, 200.0), name=shape),)

    sides = [tuple(picture(shape, k) for k in range(7)) for shape in shapes]
    return Problem(name, "hd", concept, *sides)


PROBLEMS = [problem(f"hd_convex_{k:04d}", ("convex",)) for k in range(3)]


def answers(chance):
    chance = np.array(chance, np.float32)
    names, concepts = zip(*((problem.name, problem.concept) for problem in PROBLEMS), strict=True)
    return Answers(
        who="ProtoNet", kind="model", inputs="pixels", task="CM", names=names, concepts=concepts,
        places=np.full(chance.shape, 6), chance=chance, choices=chance > 0.5,
    )  # fmt: skip


def test_concepts_has_a_line_for_each_kind_and_no_pairs():
    rows = pd.DataFrame([
        row("ProtoNet", "FF/nact9", 0.6), row("ProtoNet", "BA/hexagon", 0.7), row("ProtoNet", "CM/with convex", 0.8),
        row("ProtoNet", "NV/with convex", 0.4), row("ProtoNet", "CM/convex-necked", 0.9), row("ProtoNet", "CM", 0.5),
        row("Hu-moment prototype", "BA/hexagon", 0.55, "floor"), row("Hu-moment prototype", "BA/sector", 0.5, "floor"),
    ])  # fmt: skip
    figure = learner_figures.concepts(rows)
    assert sorted(value for trace in figure.data for value in trace.x) == [0.4, 0.55, 0.6, 0.7, 0.8]
    assert "BA/hexagon 0.70" in describe(figure)


def test_embedding_shows_pictures_and_a_dot_for_each(two_shapes):
    features = np.random.default_rng(0).normal(size=(3, 2, 7, 5)) * [5, 2, 0.1, 0.1, 0.1]
    figure = learner_figures.embedding(features, PROBLEMS, "convex", two_shapes, place=1)
    assert len(figure.layout.images) == 14
    assert "21 with convex: yes, 21 with convex: no" in describe(figure)


def test_mistakes_come_worst_first_and_keep_concept_and_answers_in_a_closed_fold():
    first, second = learner_figures.mistakes(answers([(0.9, 0.1), (0.2, 0.95), (0.4, 0.3)]), PROBLEMS, most=2)
    # an odd number in the name, 0001: its positive is asked about first; 0002: its negative
    for sheet, number, order, chances in ((first, 1, (0, 1), (0.20, 0.95)), (second, 2, (1, 0), (0.30, 0.40))):
        *_, queries = sheet.groups.values()
        assert [picture for picture, _, _ in queries] == [PROBLEMS[number].sides[side][6] for side in order]
        visible, _, fold = sheet._repr_html_().partition("<details")
        assert "convex" not in visible + repr(sheet) and not re.search(r"Query [AB] is", visible)
        sides = [("positive", "negative")[side] for side in order]
        for letter, side, chance in zip("AB", sides, chances, strict=True):
            assert f"Query {letter} is a {side}. ProtoNet gave a chance of {chance:.2f}" in fold
        assert "The concept: convex." in fold and " open>" not in fold


def test_learning_draws_each_run_and_yours():
    looks = [(seed, k) for seed in (0, 1) for k in (2, 1)]
    steps = [row("ProtoNet", "val", 0.5 + k / 50, seed=s, metric=f"accuracy, step {150 * k}") for s, k in looks]
    mine = [row("your ProtoNet", "val", 0.52, "yours", metric="accuracy, step 30"), row("ProtoNet", "val", 0.9)]
    figure = comparisons.learning(pd.DataFrame(steps + mine), {"Hu moments": 0.57})
    assert sorted(list(trace.y) for trace in figure.data) == [[0.52], *[[0.52, 0.54]] * 2]
    assert "ProtoNet, seed 1: 0.520, 0.540; yours: 0.520" in describe(figure)


def test_sizes_has_the_widths_that_were_trained_and_names_the_others():
    plain = [row("ProtoNet", "FF", v, seed=s) | {"source": "cogkit, 64 px, α = 8"} for s, v in enumerate((0.6, 0.64))]
    rows = [*plain, row("ProtoNet, α = 16", "FF", 0.55), row("ProtoNet", "FF", 0.9), row("ANIL", "FF", 0.9)]
    figure = comparisons.sizes(pd.DataFrame(rows))
    marks, line = figure.data
    assert list(marks.y) == [0.6, 0.64, 0.55] and sorted(line.y) == pytest.approx([0.55, 0.62])
    assert "also has α = 1, 2, 4, not trained" in figure.layout.title.text


def test_ways_of_asking_have_a_line_each():
    rows = [row("ProtoNet", "FF", v) | {"asked": "in draws", "low": None, "high": None} for v in (0.5, 0.55, 0.6)]
    figure = comparisons.ways(pd.DataFrame([row("ProtoNet", "FF", 0.7) | {"asked": "mirrored"}, *rows]))
    assert list(figure.data[0].x) == [0.7, 0.5, 0.55, 0.6]
    assert "in draws: 0.550" in describe(figure)


def test_printed_has_the_paper_beside_ours():
    rows = pd.DataFrame([row("ProtoNet", "BA", value, seed=s) for s, value in enumerate((0.70, 0.72, 0.77))])
    rows = rows.assign(profile="verified", preset="lab")
    table = comparisons.printed(reported.beside(rows, ["Table 1"]))
    sd = math.sqrt(((0.03**2) + (0.01**2) + (0.04**2)) / 2)  # about their mean, .73
    assert table.loc["ProtoNet", ("BA", "printed")] == "0.724 ± 0.008"
    assert table.loc["ProtoNet", ("BA", "ours")] == f"0.730 ± {sd:.3f}"
    assert table.loc["ProtoNet", ("FF", "ours")] == "" and table.loc["ProtoNet", ("seeds", "")] == "3"
    assert table.loc["SNAIL", ("seeds", "")] == "none"
