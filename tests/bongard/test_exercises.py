"""Each exercise of notebooks 05 and 06 takes right answers, and tells every wrong one what is the matter."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from cases import case

from cogkit.app.exercises import check
from cogkit.bongard.exercises import EXERCISES
from cogkit.bongard.learner_exercises import EXERCISES as ON_LEARNERS
from cogkit.bongard.logo.geometry import path
from cogkit.bongard.logo.pictures import Placed
from cogkit.bongard.logo.programs import Line

DIAGONAL = math.sqrt(0.5)
# A bow tie, by hand: up the left side of a square, down a diagonal, up the right side, down the other diagonal.
BOW_TIE = [Line(0.5, 90.0), Line(DIAGONAL, -135.0), Line(0.5, 135.0), Line(DIAGONAL, 135.0)]
CUT_SQUARE = [Line(0.5), Line(0.5), Line(1.0, 90.0), Line(0.5, 90.0), Line(0.5), Line(1.0, 90.0)]


@pytest.fixture(params=["published", "catalogue"])
def source(request, home, mirror, monkeypatch):
    """The published shapes, or our own, as whoever has neither mirror nor network gets them."""
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    if request.param == "catalogue":
        monkeypatch.delenv("COGKIT_MIRROR")
        monkeypatch.setenv("COGKIT_OFFLINE", "1")
    return request.param


def refused(name: str, answer, message: str) -> None:
    with case((name, message)):
        verdict = check(name, answer)
        assert not verdict.passed and message in verdict.text, verdict.text


def test_crossing_lines_are_counted_in_two_ways():
    for program in (BOW_TIE, tuple(replace(action, type="zigzag") for action in BOW_TIE)):
        assert check("05-two-readings", program).passed
    for program, message in (
        ([Line(0.5, 90.0)] * 4, "six straight lines"),
        (CUT_SQUARE, "6 strokes"),
        ([Line(2.0)] * 4, "a length of 2.0 in action 1"),
        ("line_normal_1.000-0.500", "action 1"),
    ):
        refused("05-two-readings", program, message)


def plain(picture):
    return tuple(tuple(replace(action, type="normal") for action in program) for program in picture)


def reads_context(positives, negatives, query):
    if len(set(positives)) == 1:
        return query == positives[0]
    return plain(query) == plain(positives[0])


def test_one_solver_for_both_types(source):
    assert check("05-solver", reads_context).passed
    for solver, message in (
        (lambda pos, neg, query: plain(query) == plain(pos[0]), "free-form problems"),  # misses a change of type
        (lambda pos, neg, query: True, "right in 0.50"),
        (lambda pos, query: True, "belongs(positives, negatives, query), and yours takes (pos, query)"),
    ):
        refused("05-solver", solver, message)


def holes(program, width):
    ink = shapely.union_all([shapely.LineString(stroke) for stroke in path(Placed(program))]).buffer(width)
    return sum(len(part.interiors) for part in shapely.get_parts(ink))


def test_holes_in_the_ink_are_what_people_see(source):
    assert check("05-two-parts", lambda program: holes(program, 4.0) == 2).passed
    refused("05-two-parts", lambda program: True, "says yes too often.")


def test_answers_that_hang_together_count_once():
    # By hand: √(.8 · .2 / 40) = √.004 and √(.8 · .2 / 20) = √.008.
    right = {"each on its own": 0.06325, "the second from the first": 0.08944}
    assert check("05-standard-errors", right).passed
    for changed, message in (
        ({"the second from the first": 0.06325}, "too low"),
        ({"each on its own": 0.08944}, "too high"),
    ):
        refused("05-standard-errors", right | changed, message)
    refused("05-standard-errors", {"each on its own": 0.06325}, "'the second from the first' is missing")


def test_nothing_makes_a_check_raise():
    for name in (name for name in EXERCISES if name.startswith("05-")):
        for answer in (None, 3, "text", [], {}, lambda: None):
            assert not check(name, answer).passed


# Notebook 06


def towards_means(support, query):
    far = ((query[:, None] - support.mean(axis=2)) ** 2).sum(axis=-1)
    return 1 / (1 + np.exp(far[:, 0] - far[:, 1]))


def most_similar(support, query):
    far = ((query[:, None, None] - support) ** 2).sum(axis=-1).min(axis=2)
    return (far[:, 0] < far[:, 1]).astype(float)


def test_a_head_that_takes_the_means_passes_and_one_that_learns_nothing_is_told_so():
    verdict = ON_LEARNERS["06-own-head"].check
    assert verdict(towards_means) is True
    for head, message in (
        (most_similar, "the one most similar picture"),
        (lambda support, query: 1 - towards_means(support, query), "right in 0.2"),
        (lambda support, query: query, "an answer of shape (1000, 16)"),
    ):
        assert message in verdict(head)


def standardise(support, query, axes=(1, 2), least=1e-6):
    mean = support.mean(axis=axes, keepdims=True)
    spread = np.maximum(support.std(axis=axes, keepdims=True), least)
    return (support - mean) / spread, (query - mean[:, 0, 0]) / spread[:, 0, 0]


def without_a_least(support, query):
    with np.errstate(invalid="ignore"):  # 0 / 0 is what is wrong with it
        return standardise(support, query, least=0.0)


def each_side_by_itself(support, query):
    spread = np.maximum(support.std(axis=2, keepdims=True), 1e-6)
    return (support - support.mean(axis=2, keepdims=True)) / spread, standardise(support, query)[1]


def test_standardising_is_over_both_sides_and_survives_what_never_varies():
    verdict = ON_LEARNERS["06-standardise"].check
    assert verdict(standardise) is True
    for answer, message in (
        (without_a_least, "are not finite"),
        (lambda support, query: (standardise(support, query)[0], query), "measured with the support's"),
        (each_side_by_itself, "what tells them apart is lost"),
        (lambda support, query: (query, support), "shapes"),
    ):
        assert message in verdict(answer)
    same = ON_LEARNERS["06-mirrored"].check((lambda program: program, 2 / 2**7))
    assert "is not the mirror image" in same
