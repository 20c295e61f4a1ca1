"""Basic problems against the published tables, read anew here, and what was measured of the authors' problems."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import replace

import pytest
from measured import normal_share

from cogkit.bongard.logo.programs import TYPES
from cogkit.bongard.problems import basic
from cogkit.bongard.shapes import inventory

# Facts, § 3.
CONCEPTS, SINGLE, PAIRS = 4000, 627, 3373
NORMAL = 0.676  # of all strokes
OFFICIAL = ("isosceles_trapezoid", "no_obtuse_angle_six_lines2")  # the one name of two shapes in the authors' README
ALIKE = {"sector180", "closed_semi_circle"}


@pytest.fixture(scope="module", params=["as_published", "verified"])
def made(request, shape_set):
    """Profile, and 202 problems spread over all concepts."""
    every = [*range(0, CONCEPTS, 25), *range(3, 627, 15)]
    return request.param, [basic.problem(k, request.param, 1, shape_set) for k in every]


def names(picture):
    return tuple(placed.name for placed in picture)


def places(problem):
    """Return for each place of the concept its fourteen shapes."""
    return [[picture[place] for side in problem.sides for picture in side] for place in range(len(problem.concept))]


def plain(program):
    return tuple(replace(action, type="normal") for action in program)


def is_plain(placed):
    return placed.program == plain(placed.program)


def test_published_concepts_are_every_shape_and_the_pairs_of_the_published_set(shape_set, rows):
    concepts = basic.concepts(shape_set, "as_published")
    assert [concept for concept in concepts if len(concept) == 1] == [(name,) for name in rows]
    pairs = concepts[SINGLE:]
    assert len(pairs) == PAIRS and all(len(pair) == 2 for pair in pairs)
    assert len({frozenset(pair) for pair in pairs}) == PAIRS and all(one != other for one, other in pairs)
    assert OFFICIAL in pairs
    assert concepts == basic.concepts(shape_set, "as_published", seed=7)


def test_verified_concepts_are_different_figures_with_relatives_to_spare(shape_set, rows):
    concepts = basic.concepts(shape_set, seed=1)
    assert len(concepts) == CONCEPTS == len({frozenset(concept) for concept in concepts})
    few = {name for name, row in rows.items() if row["super_class"] == "triangle*"}  # four shapes in all
    assert {name for name in rows if (name,) not in concepts} == few | {"closed_semi_circle"}
    assert not {name for concept in concepts for name in concept} & (few | {"closed_semi_circle"})
    assert concepts[:622] == basic.concepts(shape_set, seed=2)[:622] and concepts != basic.concepts(shape_set, seed=2)


def test_positives_are_the_shapes_and_negatives_a_relative_in_the_place_of_one(made, shape_set, rows):
    for problem in made[1]:
        assert all(names(picture) == problem.concept for picture in problem.positives)
        counts = Counter()
        for negative in problem.negatives:
            pairs = enumerate(zip(names(negative), problem.concept, strict=True))
            ((slot, (name, target)),) = [(k, pair) for k, pair in pairs if pair[0] != pair[1]]
            counts[slot] += 1
            assert rows[name]["super_class"] == rows[target]["super_class"]
        assert sorted(counts.values()) == ([7] if len(problem.concept) == 1 else [3, 4])
        for placed in itertools.chain(*places(problem)):
            assert plain(placed.program) == shape_set[placed.name].program


def test_either_shape_of_a_pair_is_changed_the_seventh_time(shape_set):
    counts = Counter()
    for index in range(700, 900):
        problem = basic.problem(index, "as_published", 0, shape_set)
        counts[sum(names(negative)[0] != problem.concept[0] for negative in problem.negatives)] += 1
    assert counts.keys() == {3, 4} and abs(counts[3] - 100) <= 4 * math.sqrt(200) / 2


def test_published_negatives_are_any_relative_alike(shape_set, rows):
    """Of the four shapes of triangle* each stands for each other as often, whatever the other negatives are."""
    few = [name for name, row in rows.items() if row["super_class"] == "triangle*"]
    index = list(rows).index(few[0])
    problems = [basic.problem(index, "as_published", seed, shape_set) for seed in range(60)]
    counts = Counter(names(negative)[0] for problem in problems for negative in problem.negatives)
    assert counts.keys() == set(few[1:])
    assert all(abs(count - 140) <= 4 * math.sqrt(420 * 2 / 9) for count in counts.values())


def test_as_many_strokes_are_normal_as_measured(shape_set):
    """Of the authors' 4,000 problems 67.6 %; strokes of a problem go together, so problems are what is counted."""
    problems = [[basic.problem(index, "as_published", 3, shape_set)] for index in range(0, CONCEPTS, 20)]
    share, error = normal_share(problems)
    assert error < 0.025 and abs(share - NORMAL) <= 4 * error * math.sqrt(1 + len(problems) / CONCEPTS)


def test_types_are_all_as_likely_where_a_shape_can_bear_them(made, rows):
    profile, problems = made
    counts = Counter()
    for problem in problems:
        for target, shapes in zip(problem.concept, places(problem), strict=True):
            for placed in shapes:
                if rows[placed.name]["stampable"] == "0" or rows[target]["stampable"] == "0":
                    assert is_plain(placed)
                elif profile == "as_published" or not all(map(is_plain, shapes)):
                    counts.update(action.type for action in placed.program)
    share = counts.total() / 5
    assert counts.keys() == set(TYPES)
    assert all(abs(count - share) <= 4 * math.sqrt(share * 4 / 5) for count in counts.values())


def test_verified_types_tell_nothing_about_the_side_and_negatives_never_repeat(shape_set, rows):
    """In each place either all fourteen shapes can bear types, or all are drawn in normal strokes."""
    bearing = 0
    for index in range(0, CONCEPTS, 20):
        problem = basic.problem(index, "verified", 0, shape_set)
        for shapes in places(problem):
            bare = all(map(is_plain, shapes))
            assert bare or all(rows[shape.name]["stampable"] == "1" for shape in shapes)
            bearing += not bare
        contents = [frozenset(Counter(names(picture)).items()) for picture in problem.negatives]
        assert len(set(contents)) == 7
        assert not any(ALIKE <= {name for name, _ in one | other} for one, other in itertools.combinations(contents, 2))
    assert bearing > 90  # and many do


def test_a_set_of_few_shapes_has_few_concepts_and_more_problems_of_each(shape_set):
    few = inventory.Shapes("catalogue", shape_set.super_classes["hexagon"] + shape_set.super_classes["octagon"])
    concepts = basic.concepts(few, "as_published")
    assert len(concepts) == 43 + 43 * 42 // 2 == len({frozenset(concept) for concept in concepts})
    first, second = (basic.problem(index, "as_published", 0, few) for index in (5, 5 + len(concepts)))
    assert (first.name, second.name) == (f"bd_{concepts[5][0]}_0000", f"bd_{concepts[5][0]}_0001")
    assert first.concept == second.concept and first.positives != second.positives
