"""Each exercise of notebook 05 takes right answers, and tells every wrong one what is the matter."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import shapely

from cogkit.app.exercises import check
from cogkit.bongard.exercises import EXERCISES
from cogkit.bongard.logo.geometry import path
from cogkit.bongard.logo.pictures import Placed
from cogkit.bongard.logo.programs import Arc, Line

DIAGONAL = math.sqrt(0.5)
# A bow tie, by hand: up the left side of a square, down a diagonal, up the right side, down the other diagonal.
BOW_TIE = [Line(0.5, 90.0), Line(DIAGONAL, -135.0), Line(0.5, 135.0), Line(DIAGONAL, 135.0)]
HEXAGON = [Line(0.4, 60.0)] * 6
CUT_SQUARE = [Line(0.5), Line(0.5), Line(1.0, 90.0), Line(0.5, 90.0), Line(0.5), Line(1.0, 90.0)]


@pytest.fixture
def catalogue_alone(home, monkeypatch):
    """Our own shapes, as whoever has neither mirror nor network gets them."""
    monkeypatch.delenv("COGKIT_MIRROR", raising=False)
    monkeypatch.setenv("COGKIT_OFFLINE", "1")


def plain(picture):
    return tuple(tuple(replace(action, type="normal") for action in program) for program in picture)


def reads_context(positives, negatives, query):
    if len(set(positives)) == 1:
        return query == positives[0]
    return plain(query) == plain(positives[0])


def never_types(positives, negatives, query):
    return plain(query) == plain(positives[0])


def always_types(positives, negatives, query):
    return query in positives


def holes(program, width):
    ink = shapely.union_all([shapely.LineString(stroke) for stroke in path(Placed(program))]).buffer(width)
    return sum(len(part.interiors) for part in shapely.get_parts(ink))


def faces(program):
    lines = shapely.union_all([shapely.LineString(stroke) for stroke in path(Placed(program))])
    return len(shapely.get_parts(shapely.polygonize(list(shapely.get_parts(lines)))))


@pytest.mark.parametrize("program", [BOW_TIE, tuple(replace(action, type="zigzag") for action in BOW_TIE)])
def test_crossing_lines_are_counted_in_two_ways(program):
    assert check("05-two-readings", program).passed


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ([Line(0.5, 90.0)] * 4, "six straight lines"),
        (HEXAGON, "four straight lines"),
        ([Line(0.5), Arc(0.5, 90.0)], "four or six"),
        (CUT_SQUARE, "6 strokes"),
        ([Line(2.0)] * 4, "a length of 2.0 in action 1"),
        ("line_normal_1.000-0.500", "action 1"),
    ],
)
def test_another_shape_is_told_what_it_lacks(program, said):
    verdict = check("05-two-readings", program)
    assert not verdict.passed and said in verdict.text


def test_one_solver_for_both_types(use_mirror):
    assert check("05-solver", reads_context).passed


def test_one_solver_for_both_types_without_the_published_shapes(catalogue_alone):
    assert check("05-solver", reads_context).passed


@pytest.mark.parametrize(
    ("solver", "said"),
    [
        (never_types, "free-form problems"),  # a negative that differs in a type alone is missed
        (always_types, "basic problems"),
        (lambda positives, negatives, query: True, "right in 0.50"),
        (lambda positives, query: True, "belongs(positives, negatives, query), and yours takes (positives, query)"),
    ],
)
def test_a_solver_for_one_type_alone_is_found_out(solver, said, use_mirror):
    verdict = check("05-solver", solver)
    assert not verdict.passed and said in verdict.text


@pytest.mark.parametrize("width", [2.0, 4.0])
def test_holes_in_the_ink_are_what_people_see(width, use_mirror):
    assert check("05-two-parts", lambda program: holes(program, width) == 2).passed


@pytest.mark.parametrize(("answer", "fault"), [(True, "says yes too often"), (False, "misses parts that people see")])
def test_what_a_count_of_parts_lacks_is_told_in_short_sentences(answer, fault, catalogue_alone):
    problem = check("05-two-parts", lambda program: answer).text.partition(" Hint:")[0]
    sentences = problem.split(". ")
    assert len(sentences) == 2 and max(len(sentence.split()) for sentence in sentences) <= 30
    assert sentences[1].endswith(f"and your function {fault}.")


def test_holes_in_the_ink_serve_our_own_shapes_too(catalogue_alone):
    assert check("05-two-parts", lambda program: holes(program, 4.0) == 2).passed


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (lambda program: faces(program) == 2, "misses parts"),  # ends that nearly meet leave a face open
        (lambda program: True, "yes too often"),
        (lambda program: 2, "2 for "),
        (lambda program: len(program) > 6, "0.97 are needed"),  # the stub
    ],
)
def test_other_ways_to_count_parts_fall_short(rule, said, use_mirror):
    verdict = check("05-two-parts", rule)
    assert not verdict.passed and said in verdict.text


# By hand: √(.8 · .2 / 40) = √.004 and √(.8 · .2 / 20) = √.008.
RIGHT = {"each on its own": 0.06325, "the second from the first": 0.08944}


def test_answers_that_hang_together_count_once():
    assert check("05-standard-errors", RIGHT).passed


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"the second from the first": 0.06325}, "too small"),
        ({"each on its own": 0.08944}, "too large"),
        ({"each on its own": "much"}, "ValueError"),
    ],
)
def test_another_error_is_told_which_way(changed, said):
    verdict = check("05-standard-errors", RIGHT | changed)
    assert not verdict.passed and said in verdict.text


def test_a_missing_error_is_named():
    assert (
        "the number for 'the second from the first' is missing"
        in check("05-standard-errors", {"each on its own": 0.06325}).text
    )


@pytest.mark.parametrize("name", [name for name in EXERCISES if name.startswith("05-")])
@pytest.mark.parametrize("answer", [None, 3, "text", [], {}, lambda: None])
def test_nothing_makes_a_check_raise(name, answer):
    assert not check(name, answer).passed
