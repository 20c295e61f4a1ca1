"""Free-form problems: the published rules against what was measured of them, the verified ones by brute force."""

from __future__ import annotations

import cmath
import itertools
import math
from collections import Counter
from dataclasses import fields
from functools import cache

import numpy as np
import pytest
import shapely

from cogkit.bongard.logo.geometry import path, stops
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import TYPES, Line
from cogkit.bongard.problems import freeform, placing

# Facts, § 3, measured over the 3,600 problems that the authors' program makes.
PUBLISHED, OURS = 3600, 600
STROKES = {("Arc", 0.0): 0.395, ("Line", 0.0): 0.304, ("Line", 90.0): 0.184, ("Line", 120.0): 0.116}
EDITS = {"type": 0.353, "kind": 0.324, "turn": 0.323}
DISTINCT = {7: 2139, 6: 1196, 5: 235, 4: 30}
REPEATED = 9
NEAR = 0.01  # of a shape's ink in all: what one figure may be off another and still be taken for it
SPREAD = {2: 0.5, 3: 0.85, 4: 0.95, 5: 0.95, 6: 1.15, 7: 1.35, 8: 1.55, 9: 1.75}
COUNTS = [(4,), (5,), (6,), (7,), (8,), (9,), (3, 3), (2, 5), (3, 4), (3, 5), (4, 4), (4, 5)]


def programs(picture):
    return tuple(placed.program for placed in picture)


def strokes(problem):
    """Return every stroke of the concept."""
    return [action for program in programs(problem.positives[0]) for action in program]


def shapes(problem):
    """Return the different programs of all pictures."""
    return {program for side in problem.sides for picture in side for program in programs(picture)}


def changed(problem):
    """Return for each negative the one stroke in which it differs from the concept: before, after, and the way."""
    concept, edits = programs(problem.positives[0]), []
    for negative in problem.negatives:
        both = zip(concept, programs(negative), strict=True)
        pairs = [pair for own, its in both for pair in zip(own, its, strict=True) if pair[0] != pair[1]]
        ((stroke, other),) = pairs
        edits.append((stroke, other, way(stroke, other)))
    return edits


def way(stroke, other):
    """Return what was changed of a stroke, or more than one thing joined."""
    if type(stroke) is not type(other):
        same = (stroke.turn, stroke.type) == (other.turn, other.type)
        return "kind" if same else "kind+"
    names = [field.name for field in fields(stroke) if getattr(stroke, field.name) != getattr(other, field.name)]
    return "+".join("size" if name in ("length", "radius", "sweep") else name for name in names)


@pytest.fixture(scope="module")
def published():
    return [freeform.problem(k, "as_published") for k in range(OURS)]


@pytest.fixture(scope="module")
def verified():
    return [freeform.problem(k) for k in range(150)]


def near(share: float, wanted: float, se: float) -> bool:
    """Return whether a share is within four standard errors of what was measured; ``se`` is that of ours alone."""
    return abs(share - wanted) <= 4 * se * math.sqrt(1 + OURS / PUBLISHED)


def test_published_strokes_are_as_common_as_measured(published):
    tallies = [Counter((type(action).__name__, action.turn) for action in strokes(problem)) for problem in published]
    counts = np.array([[*(tally[key] for key in STROKES), tally.total()] for tally in tallies])
    assert counts[:, :-1].sum() == counts[:, -1].sum()  # there are no others
    shares = counts[:, :-1].sum(axis=0) / counts[:, -1].sum()
    errors = np.sqrt(((counts[:, :-1] - shares * counts[:, -1:]) ** 2).sum(axis=0)) / counts[:, -1].sum()
    assert errors.max() < 0.013  # strokes of a problem go together
    assert all(map(near, shares, STROKES.values(), errors))
    sizes = {(a.length,) if isinstance(a, Line) else (a.radius, a.sweep) for p in published for a in strokes(p)}
    assert sizes == {(1.0,), (0.5, 90.0)}


def test_published_negatives_change_one_stroke_in_one_way_as_often_as_measured(published):
    counts = Counter(edit for problem in published for *_, edit in changed(problem))
    assert counts.keys() == EDITS.keys() and counts.total() == 7 * OURS
    for edit, share in EDITS.items():
        assert near(counts[edit] / counts.total(), share, math.sqrt(share * (1 - share) / counts.total())), edit


def test_published_negatives_and_concepts_repeat_as_often_as_measured(published):
    assert all(len(set(map(programs, problem.positives))) == 1 for problem in published)
    counts = Counter(len(set(map(programs, problem.negatives))) for problem in published)
    for distinct, count in DISTINCT.items():
        share = count / PUBLISHED
        assert near(counts[distinct] / OURS, share, math.sqrt(share * (1 - share) / OURS)), distinct
    repeats = OURS - len({programs(problem.positives[0]) for problem in published})
    expected = REPEATED * (OURS / PUBLISHED) ** 2  # as pairs of problems
    assert abs(repeats - expected) <= 4 * math.sqrt(repeats + expected)  # two counts of rare events


def test_published_shapes_spread_as_far_as_they_are_asked_to(published):
    """Ends of strokes at a scale of 200, from the middle on and up to where the pen first leaves the paper."""
    narrow = total = 0
    for program in (program for problem in published[:300] for program in shapes(problem)):
        ends = [(0.0, 0.0), *stops(Placed(program, Placement(scale=200.0)))]
        places = [*itertools.takewhile(lambda end: np.abs(end).max() <= 360, ends)]
        narrow += np.ptp(places, axis=0).max() <= SPREAD[len(program)] * 200
        total += 1
    assert narrow <= total / 1000  # a hundred tries are nearly always enough


@pytest.mark.parametrize("profile", ["as_published", "verified"])
def test_the_twelve_configurations_take_turns(profile):
    for index in (*range(24), 3599):
        problem = freeform.problem(index, profile)
        counts, number = COUNTS[index % 12], index // 12
        concept = "nact" + "_".join(map(str, counts))
        assert (problem.name, problem.concept) == (f"ff_{concept}_{number:04d}", (concept,))
        assert (problem.kind, problem.profile) == ("ff", profile)
        for side in problem.sides:
            assert [tuple(map(len, programs(picture))) for picture in side] == [counts] * 7


def test_a_problem_is_another_with_another_seed_or_profile():
    problem = freeform.problem(5)
    assert problem == freeform.problem(5) != freeform.problem(5, seed=1)
    assert programs(problem.positives[0]) != programs(freeform.problem(5, seed=1).positives[0])
    later = [freeform.problem(index, "verified", 9) for index in (241, 1)]
    assert [freeform.problem(index, "verified", 9) for index in (1, 241)] == later[::-1]  # whichever is made first


def test_verified_strokes_come_in_all_sizes_types_hands_and_turns(verified):
    actions = [action for problem in verified for action in strokes(problem)]
    arcs = [action for action in actions if not isinstance(action, Line)]
    assert {action.length for action in actions if isinstance(action, Line)} == {0.4, 0.7, 1.0}
    sizes = set(itertools.product((0.25, 0.35, 0.6), (90, 180, 270)))
    assert {(action.radius, abs(action.sweep)) for action in arcs} == sizes
    assert {action.sweep > 0 for action in arcs} == {True, False}
    assert {action.type for action in actions} == set(TYPES)
    assert {action.turn for action in actions} == set(range(-150, 181, 30))


def test_verified_negatives_change_one_stroke_in_one_way(verified):
    counts = Counter(edit for problem in verified for *_, edit in changed(problem))
    assert counts.keys() == {"kind", "turn", "type", "size"} and min(counts.values()) > 0.15 * counts.total()
    assert all(len(set(map(programs, problem.positives))) == 1 for problem in verified)


def test_another_turn_is_plain_to_see_and_never_that_of_the_first_stroke(published, verified):
    for problem, most in (*((problem, 150) for problem in published), *((problem, 180) for problem in verified)):
        first = [program[0] for program in programs(problem.positives[0])]
        for stroke, other, edit in changed(problem):
            if edit == "turn":
                assert 45 < abs(stroke.turn - other.turn) < 315 and -150 <= other.turn <= most and other.turn % 30 == 0
                assert not any(stroke is one for one in first)


# --- the same figure: strokes of a type laid upon one another, whatever the place, size, turn and mirror image ---


@cache
def lines_of(program) -> dict[str, list[np.ndarray]]:
    """Return what is drawn in each type of stroke, of length 1 in all and about its middle."""
    drawn = [stroke @ (1, 1j) for stroke in path(Placed(program, Placement(scale=1.0)), 3.0)]
    pieces = np.concatenate([np.stack([stroke[:-1], stroke[1:]], axis=1) for stroke in drawn])
    lengths = np.abs(np.diff(pieces, axis=1))[:, 0]
    middle, length = lengths @ pieces.mean(axis=1) / lengths.sum(), lengths.sum()
    groups = {}
    for stroke, action in zip(drawn, program, strict=True):
        groups.setdefault(action.type, []).append((stroke - middle) / length)
    return groups


@cache
def amounts(program) -> np.ndarray:
    """Return for each type how much is drawn in it and how far from the middle it reaches: alike for like figures."""
    table = np.zeros((len(TYPES), 2))
    for type_, lines in lines_of(program).items():
        reach = max(np.abs(stroke).max() for stroke in lines)
        table[TYPES.index(type_)] = sum(np.abs(np.diff(stroke)).sum() for stroke in lines), reach
    return table


def figure(lines, turn: int = 0, mirror: bool = False) -> shapely.MultiLineString:
    """Return strokes, some steps of 30° turned, and perhaps mirrored."""
    by = cmath.rect(1, math.radians(30 * turn))
    moved = [(stroke.conj() if mirror else stroke) * by for stroke in lines]
    return shapely.MultiLineString([np.stack([stroke.real, stroke.imag], axis=1) for stroke in moved])


def same_figure(one, other) -> bool:
    """Return whether two shapes can be laid upon one another: all turns are multiples of 30°, so 24 ways are all."""
    first, second = lines_of(one), lines_of(other)
    return any(
        all(shapely.hausdorff_distance(figure(first[t]), figure(second[t], turn, mirror)) < NEAR for t in first)
        for turn, mirror in itertools.product(range(12), (False, True))
    )


def same_pictures(one, other) -> bool:
    return any(
        all(np.abs(amounts(a) - amounts(b)).max() < 2 * NEAR for a, b in zip(one, way, strict=True))
        and all(same_figure(a, b) for a, b in zip(one, way, strict=True))
        for way in ((other, other[::-1]) if len(other) == 2 else (other,))
    )


def test_verified_concepts_and_negatives_are_all_different_figures(verified):
    for problem in verified:
        pictures = [programs(problem.positives[0]), *map(programs, problem.negatives)]
        assert not any(same_pictures(one, other) for one, other in itertools.combinations(pictures, 2)), problem.name


def test_verified_concepts_of_a_seed_are_all_different_figures():
    alike = {}
    for index in range(1200):
        concept = freeform.concept(index)
        key = sorted(amounts(program).round(3).tolist() for program in concept)
        alike.setdefault((index % 12, str(key)), []).append(concept)
    assert max(map(len, alike.values())) > 1  # so that there is something to compare
    for group in alike.values():
        assert not any(same_pictures(one, other) for one, other in itertools.combinations(group, 2))


def test_stored_refusals_give_the_concepts_that_comparing_all_of_them_gives():
    """Of every configuration the first forty, of one the first 240."""
    last = {3: 240}
    wrong = [
        (configuration, number)
        for configuration in range(len(freeform.COUNTS))
        for number in range(last.get(configuration, 40))
        if freeform.concept(index := number * len(freeform.COUNTS) + configuration) != freeform.search_concept(index)
    ]
    assert not wrong


def test_a_concept_beyond_the_stored_ones_and_one_of_another_seed_are_found(monkeypatch):
    concepts = [freeform.concept(index) for index in range(36)]
    monkeypatch.setattr(freeform, "REFUSED", freeform.REFUSED[:, :2])
    assert [freeform.concept(index) for index in range(36)] == concepts
    assert freeform.concept(5, seed=1) == freeform.search_concept(5, seed=1) != concepts[5]


def test_verified_strokes_can_all_be_seen(verified):
    """Of no stroke does more than a third lie under the ink of others, corners left out; shapely measures it."""
    ink = 0.07  # half a width at a scale of 110
    for program in {program for problem in verified[:48] for program in shapes(problem)}:
        lines = [shapely.LineString(stroke) for stroke in path(Placed(program, Placement(scale=1.0)), 3.0)]
        covers = [line.buffer(ink) for line in lines]
        for k, line in enumerate(lines):
            inks = []
            for j in (j for j in range(len(lines)) if j != k):
                joint = shapely.Point(line.coords[0 if j < k else -1]).buffer(2 * ink if abs(j - k) == 1 else 0)
                inks.append(covers[j].difference(joint))
            share = line.intersection(shapely.union_all(inks)).length / line.length
            assert share <= 1 / 3 + 2 * 0.04 / line.length  # points 0.04 apart are counted, at either end


def test_verified_strokes_of_one_type_never_go_on_as_one(verified):
    def ends(action, stroke):
        """Return both ends of a stroke with where it goes from there, and how it bends."""
        for points in (stroke, stroke[::-1]):
            first, second = points[1] - points[0], points[2] - points[1]
            yield points[0], first / abs(first), cmath.phase(second / first) / abs(first), action.type

    for program in (program for problem in verified[:120] for program in programs(problem.positives[0])):
        lines = path(Placed(program, Placement(scale=1.0)), 0.5)
        drawn = [line @ (1, 1j) if len(line) > 2 else np.linspace(*(line @ (1, 1j)), 4) for line in lines]
        tips = [end for pair in zip(program, drawn, strict=True) for end in ends(*pair)]
        for (place, goes, bend, type_), (other, comes, bends, its) in itertools.combinations(tips, 2):
            meets = abs(place - other) < 1e-6 and type_ == its
            assert not (meets and abs(goes + comes) < 0.02 and abs(bend + bends) < 0.1)


def test_verified_shapes_fit_the_paper_at_every_scale(verified):
    assert placing.SCALES["verified"]["ff"] == (110.0, 190.0)
    for program in (program for problem in verified for program in shapes(problem)):
        points = np.concatenate(path(Placed(program, Placement(scale=190.0))))
        assert np.ptp(points, axis=0).max() <= 720
    scales = [placed.at.scale for problem in verified for picture in problem.negatives for placed in picture]
    assert abs(np.mean(scales) - 150) <= 4 * 80 / math.sqrt(12 * len(scales))  # so no size is favoured
