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

from cogkit.bongard.logo.geometry import path
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import TYPES, Line
from cogkit.bongard.problems import freeform, placing
from cogkit.core.contracts import InputError

# Facts, § 3, measured over the 3,600 problems that the authors' program makes.
PUBLISHED, OURS = 3600, 1500
STROKES = {("Arc", 0.0): 0.395, ("Line", 0.0): 0.304, ("Line", 90.0): 0.184, ("Line", 120.0): 0.116}
EDITS = {"type": 0.353, "kind": 0.324, "turn": 0.323}
DISTINCT = {7: 2139, 6: 1196, 5: 235, 4: 30}
REPEATED = 9
NEAR = 0.01  # of a shape's ink in all: what one figure may be off another and still be taken for it
SPREAD = {2: 0.5, 3: 0.85, 4: 0.95, 5: 0.95, 6: 1.15, 7: 1.35, 8: 1.55, 9: 1.75}
COUNTS = [(4,), (5,), (6,), (7,), (8,), (9,), (3, 3), (2, 5), (3, 4), (3, 5), (4, 4), (4, 5)]


def programs(picture):
    return tuple(placed.program for placed in picture)


def changed(one, other):
    """Return the pairs of strokes in which two pictures' programs differ."""
    return [
        pair for own, its in zip(one, other, strict=True) for pair in zip(own, its, strict=True) if pair[0] != pair[1]
    ]


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
    return [freeform.problem(k) for k in range(300)]


def near(found: float, wanted: float, se: float) -> bool:
    """Return whether a share is within four standard errors of what was measured; ``se`` is that of ours alone."""
    return abs(found - wanted) <= 4 * se * math.sqrt(1 + OURS / PUBLISHED)


def test_published_strokes_are_as_common_as_measured(published):
    counts = np.array(
        [
            [*(tally[key] for key in STROKES), tally.total()]
            for tally in (
                Counter(
                    (type(action).__name__, action.turn)
                    for program in programs(problem.positives[0])
                    for action in program
                )
                for problem in published
            )
        ]
    )
    assert counts[:, :-1].sum() == counts[:, -1].sum()  # there are no others
    shares = counts[:, :-1].sum(axis=0) / counts[:, -1].sum()
    errors = np.sqrt(((counts[:, :-1] - shares * counts[:, -1:]) ** 2).sum(axis=0)) / counts[:, -1].sum()
    assert errors.max() < 0.008  # strokes of a problem go together
    for share, expected, error in zip(shares, STROKES.values(), errors, strict=True):
        assert near(share, expected, error)


def test_published_negatives_change_one_stroke_in_one_way_as_often_as_measured(published):
    counts = Counter()
    for problem in published:
        for negative in problem.negatives:
            pairs = changed(programs(problem.positives[0]), programs(negative))
            assert len(pairs) == 1
            counts[way(*pairs[0])] += 1
    assert counts.keys() == EDITS.keys() and counts.total() == 7 * OURS
    for edit, share in EDITS.items():
        assert near(counts[edit] / counts.total(), share, math.sqrt(share * (1 - share) / counts.total()))


def test_published_turns_change_by_more_than_45_degrees_and_never_the_first(published):
    for problem in published[:600]:
        for negative in problem.negatives:
            ((stroke, other),) = changed(programs(problem.positives[0]), programs(negative))
            if stroke.turn != other.turn:
                assert abs(stroke.turn - other.turn) > 45 and other.turn % 30 == 0 and abs(other.turn) <= 150
                assert not any(program[0] is stroke for program in programs(problem.positives[0]))


def test_published_negatives_repeat_as_often_as_measured(published):
    counts = Counter(len({programs(negative) for negative in problem.negatives}) for problem in published)
    for distinct, count in DISTINCT.items():
        share = count / PUBLISHED
        assert near(counts[distinct] / OURS, share, math.sqrt(share * (1 - share) / OURS))


def test_published_concepts_repeat_as_rarely_as_measured(published):
    repeats = OURS - len({programs(problem.positives[0]) for problem in published})
    expected = REPEATED * (OURS / PUBLISHED) ** 2  # as pairs of problems
    assert abs(repeats - expected) <= 4 * math.sqrt(repeats + expected)  # two counts of rare events


def test_published_positives_are_one_program_of_one_length_and_one_arc(published):
    for problem in published:
        assert len({programs(picture) for picture in problem.positives}) == 1
        assert {
            (a.length if isinstance(a, Line) else (a.radius, a.sweep))
            for p in programs(problem.positives[0])
            for a in p
        } <= {
            1.0,
            (0.5, 90.0),
        }


def test_published_shapes_spread_as_far_as_they_are_asked_to(published):
    """Ends of strokes at a scale of 200, from the middle on and up to where the pen first leaves the paper."""
    narrow = total = 0
    for problem in published[:400]:
        for program in {program for side in problem.sides for picture in side for program in programs(picture)}:
            places, place, heading = [0j], 0j, 0.0
            for action in program:
                heading += action.turn
                if isinstance(action, Line):
                    place += cmath.rect(200, math.radians(heading))
                else:
                    place += 100 * (cmath.rect(1, math.radians(heading)) + 1j * cmath.rect(1, math.radians(heading)))
                    heading += 90
                if max(abs(place.real), abs(place.imag)) > 360:
                    break
                places.append(place)
            x, y = np.real(places), np.imag(places)
            narrow += max(np.ptp(x), np.ptp(y)) <= SPREAD[len(program)] * 200
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
            assert len(side) == 7
            assert {tuple(map(len, programs(picture))) for picture in side} == {counts}


def test_a_problem_is_another_with_another_seed_or_profile():
    problem = freeform.problem(5)
    assert problem == freeform.problem(5) and problem != freeform.problem(5, seed=1)
    assert programs(problem.positives[0]) != programs(freeform.problem(5, seed=1).positives[0])
    with pytest.raises(InputError, match="0 or more"):
        freeform.problem(-1)
    with pytest.raises(InputError, match="profile"):
        freeform.problem(0, "as published")


def test_verified_strokes_come_in_all_sizes_types_hands_and_turns(verified):
    strokes = [action for problem in verified for program in programs(problem.positives[0]) for action in program]
    lines = [action for action in strokes if isinstance(action, Line)]
    arcs = [action for action in strokes if not isinstance(action, Line)]
    assert {action.length for action in lines} == {0.4, 0.7, 1.0}
    assert {(action.radius, abs(action.sweep)) for action in arcs} == set(
        itertools.product((0.25, 0.35, 0.6), (90, 180, 270))
    )
    assert {action.sweep > 0 for action in arcs} == {True, False}
    assert {action.type for action in strokes} == set(TYPES)
    assert {action.turn for action in strokes} == set(range(-150, 181, 30))


def test_verified_negatives_change_one_stroke_in_one_way(verified):
    counts = Counter()
    for problem in verified:
        concept = programs(problem.positives[0])
        assert len({programs(picture) for picture in problem.positives}) == 1
        for negative in problem.negatives:
            pairs = changed(concept, programs(negative))
            assert len(pairs) == 1
            (stroke, other), edit = pairs[0], way(*pairs[0])
            counts[edit] += 1
            if edit == "turn":
                assert 45 < abs(stroke.turn - other.turn) < 315 and -180 < other.turn <= 180 and other.turn % 30 == 0
                assert not any(program[0] is stroke for program in concept)
    assert counts.keys() == {"kind", "turn", "type", "size"} and min(counts.values()) > 0.15 * counts.total()


# --- the same figure: strokes of a type laid upon one another, whatever the place, size, turn and mirror image ---


@cache
def lines_of(program) -> dict[str, shapely.Geometry]:
    """Return what is drawn in each type of stroke, of length 1 in all and about its middle."""
    strokes = [stroke @ (1, 1j) for stroke in path(Placed(program, Placement(scale=1.0)), 3.0)]
    pieces = np.concatenate([np.stack([stroke[:-1], stroke[1:]], axis=1) for stroke in strokes])
    lengths = np.abs(np.diff(pieces, axis=1))[:, 0]
    middle, length = lengths @ pieces.mean(axis=1) / lengths.sum(), lengths.sum()
    groups = {}
    for stroke, action in zip(strokes, program, strict=True):
        groups.setdefault(action.type, []).append((stroke - middle) / length)
    return groups


@cache
def amounts(program) -> np.ndarray:
    """Return for each type how much is drawn in it and how far from the middle it reaches: alike for like figures."""
    table = np.zeros((len(TYPES), 2))
    for type_, strokes in lines_of(program).items():
        reach = max(np.abs(stroke).max() for stroke in strokes)
        table[TYPES.index(type_)] = sum(np.abs(np.diff(stroke)).sum() for stroke in strokes), reach
    return table


def same_figure(one, other) -> bool:
    """Return whether two shapes can be laid upon one another: all turns are multiples of 30°, so 24 ways are all."""
    first, second = lines_of(one), lines_of(other)
    figures = {type_: shapely.MultiLineString([to_xy(s) for s in strokes]) for type_, strokes in first.items()}
    for turn, mirror in itertools.product(range(12), (False, True)):
        by = cmath.rect(1, math.radians(30 * turn))
        images = {
            t: shapely.MultiLineString([to_xy((s.conj() if mirror else s) * by) for s in strokes])
            for t, strokes in second.items()
        }
        if all(shapely.hausdorff_distance(figures[t], images[t]) < NEAR for t in figures):
            return True
    return False


def to_xy(places):
    return np.stack([places.real, places.imag], axis=1)


def same_pictures(one, other) -> bool:
    ways = [other] if len(other) == 1 else [other, other[::-1]]
    return any(
        all(np.abs(amounts(a) - amounts(b)).max() < 2 * NEAR for a, b in zip(one, way, strict=True))
        and all(same_figure(a, b) for a, b in zip(one, way, strict=True))
        for way in ways
    )


def test_the_brute_force_knows_a_figure_again():
    concept = (Line(1.0, 0.0, "zigzag"), Line(0.5, 60.0), Line(0.7, -90.0, "circle"))
    other = (Line(0.7, 30.0, "circle"), Line(0.5, 90.0), Line(1.0, -60.0, "zigzag"))
    mirrored = tuple(Line(action.length, -action.turn, action.type) for action in concept)
    assert same_pictures((concept,), (other,)) and same_pictures((concept, other), (other, mirrored))
    assert not same_pictures((concept,), ((*concept[:2], Line(0.7, 90.0, "circle")),))


def test_verified_concepts_and_negatives_are_all_different_figures(verified):
    for problem in verified:
        pictures = [programs(problem.positives[0]), *map(programs, problem.negatives)]
        assert not any(same_pictures(one, other) for one, other in itertools.combinations(pictures, 2))


def test_verified_concepts_of_a_seed_are_all_different_figures():
    alike = {}
    for index in range(1200):
        concept = freeform.concept(index)
        key = sorted(amounts(program).round(3).tolist() for program in concept)
        alike.setdefault((index % 12, str(key)), []).append(concept)
    assert max(map(len, alike.values())) > 1  # so that there is something to compare
    for group in alike.values():
        assert not any(same_pictures(one, other) for one, other in itertools.combinations(group, 2))


@pytest.mark.parametrize("configuration", range(len(freeform.COUNTS)))
def test_stored_refusals_give_the_concepts_that_comparing_all_of_them_gives(configuration):
    last = 240 if configuration == 3 else 40  # of one configuration, as many as take a second
    for number in range(last):
        index = number * len(freeform.COUNTS) + configuration
        assert freeform.concept(index) == freeform.found(index)


def test_a_concept_beyond_the_stored_ones_and_one_of_another_seed_are_found(monkeypatch):
    concepts = [freeform.concept(index) for index in range(36)]
    monkeypatch.setattr(freeform, "REFUSED", freeform.REFUSED[:, :2])
    assert [freeform.concept(index) for index in range(36)] == concepts
    assert freeform.concept(5, seed=1) == freeform.found(5, seed=1) != concepts[5]


def test_verified_strokes_can_all_be_seen(verified):
    """Of no stroke does more than a third lie under the ink of others, corners left out; shapely measures it."""
    ink, worst = 0.07, 0.0  # half a width at a scale of 110
    pool = {
        program
        for problem in verified[:84]
        for side in problem.sides
        for picture in side
        for program in programs(picture)
    }
    for program in pool:
        strokes = [shapely.LineString(stroke) for stroke in path(Placed(program, Placement(scale=1.0)), 3.0)]
        covers = [stroke.buffer(ink) for stroke in strokes]
        for k, stroke in enumerate(strokes):
            inks = []
            for j in range(len(strokes)):
                if j != k:
                    joint = shapely.Point(stroke.coords[0 if j < k else -1]).buffer(2 * ink if abs(j - k) == 1 else 0)
                    inks.append(covers[j].difference(joint))
            share = stroke.intersection(shapely.union_all(inks)).length / stroke.length
            worst = max(worst, share - 2 * 0.04 / stroke.length)  # points 0.04 apart are counted, at either end
    assert worst <= 1 / 3


def test_verified_strokes_of_one_type_never_go_on_as_one(verified):
    def ends(action, stroke):
        """Return both ends of a stroke with where it goes from there, and how it bends."""
        for points in (stroke, stroke[::-1]):
            first, second = points[1] - points[0], points[2] - points[1]
            yield points[0], first / abs(first), cmath.phase(second / first) / abs(first), action.type

    for problem in verified[:120]:
        for program in programs(problem.positives[0]):
            lines = path(Placed(program, Placement(scale=1.0)), 0.5)
            strokes = [line @ (1, 1j) if len(line) > 2 else np.linspace(*(line @ (1, 1j)), 4) for line in lines]
            tips = [end for pair in zip(program, strokes, strict=True) for end in ends(*pair)]
            for (place, goes, bend, type_), (other, comes, bends, its) in itertools.combinations(tips, 2):
                meets = abs(place - other) < 1e-6 and type_ == its
                assert not (meets and abs(goes + comes) < 0.02 and abs(bend + bends) < 0.1)


def test_verified_shapes_fit_the_paper_at_every_scale(verified):
    assert placing.SCALES["verified"]["ff"] == (110.0, 190.0)
    for problem in verified:
        for side in problem.sides:
            for program in {program for picture in side for program in programs(picture)}:
                points = np.concatenate(path(Placed(program, Placement(scale=190.0))))
                assert np.ptp(points, axis=0).max() <= 720
    scales = [placed.at.scale for problem in verified for picture in problem.negatives for placed in picture]
    assert 149 <= np.mean(scales) <= 151 + 4 * 80 / math.sqrt(12 * len(scales))  # so no size is favoured
