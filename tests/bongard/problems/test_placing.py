"""Where shapes lie: against a plain sampler of the published rules, and against the ink that is drawn."""

from __future__ import annotations

import cmath
import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from cases import case
from scipy import stats

from cogkit.bongard.logo import outlines
from cogkit.bongard.logo.drawing import draw_list
from cogkit.bongard.logo.geometry import path, stops
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import TYPES, Arc, Line
from cogkit.bongard.problems import placing
from cogkit.core import seeding

HOOK = (Line(1.0), Line(0.6, 90.0), Arc(0.4, -120.0, 30.0))
BOW = (Arc(0.5, 200.0), Line(0.8, -60.0))
EDGE = 389.0  # the visible paper: facts, § 2


def plain(programs, rng, scales):
    """Place as the facts say (§ 2), one try after the other."""
    for _ in range(300):
        theta = rng.uniform(0, 360)
        if len(programs) == 1:
            starts, headings = [cmath.rect(rng.uniform(1, 250), math.radians(theta))], [theta]
        else:
            first, away = cmath.rect(rng.uniform(125, 250), math.radians(theta)), 0j
            while not (abs(away) >= 300 and abs(away.real) >= 45 and abs(away.imag) >= 45):
                second = complex(rng.uniform(-300, 300), rng.uniform(-300, 300))
                away = second - first
            starts, headings = [first, second], [theta, theta + rng.uniform(-60, 60)]
        picture = tuple(
            Placed(program, Placement(at.real, at.imag, heading, rng.uniform(*scales)))
            for program, at, heading in zip(programs, starts, headings, strict=True)
        )
        if all((abs(stops(placed)) <= 360).all() for placed in picture):
            break
    return picture


def numbers(picture):
    """Return what can be compared of a picture: how far from the middle it begins, where it looks, and its size."""
    values = []
    for placed in picture:
        at = placed.at
        values += [math.hypot(at.x, at.y), at.heading % 360, at.scale, at.x, at.y]
    return [*values, (picture[-1].at.heading - picture[0].at.heading + 180) % 360]


@pytest.mark.parametrize(("programs", "scales"), [((BOW,), (150, 320)), ((HOOK, BOW), (150, 260))])
def test_published_placements_are_those_of_a_plain_sampler(programs, scales):
    rng, n = seeding.stream(1, "test/placing"), 1000
    ours = np.array([numbers(placing.place(programs, rng, scales)) for _ in range(n)])
    theirs = np.array([numbers(plain(programs, rng, scales)) for _ in range(n)])
    pvalues = [stats.ks_2samp(*columns).pvalue for columns in zip(ours.T, theirs.T, strict=True)]
    assert min(pvalues) > 1e-4, pvalues


def test_what_never_fits_is_kept_as_published_and_refused_otherwise():
    long = (Line(1.0),) * 9
    (shape,) = placing.place([long], np.random.default_rng(0), (200, 200))
    assert abs(stops(shape)).max() > 360
    with pytest.raises(placing.NoRoom, match="300 tries"):
        placing.place([long], np.random.default_rng(0), (200, 200), verified=True)


def ink(picture):
    """Return what is drawn of each shape: strokes as wide as their ink, stamps with their outlines."""
    groups = {}
    for mark in draw_list(picture):
        shape = shapely.Polygon(mark.points) if mark.stamp else shapely.LineString(mark.points)
        groups.setdefault(mark.shape, []).append(shape.buffer(mark.width / 2))
    return [shapely.union_all(groups[k]) for k in sorted(groups)]


def test_no_ink_reaches_farther_than_half_ink_says():
    for type_ in TYPES:
        rng = seeding.stream(3, f"test/placing/{type_}")
        for _ in range(40):
            length, sweep, radius = rng.uniform(0.07, 1), rng.uniform(-360, 360), rng.uniform(0.07, 1)
            program = (Line(length, 0.0, type_), Arc(radius, sweep, 40.0, type_))
            placed = Placed(program, Placement(scale=rng.uniform(80, 320)))
            middle = shapely.union_all([shapely.LineString(line) for line in path(placed, 1.0)])
            # a normal arc is drawn in chords, which lie up to 0.3 inside it
            band = middle.buffer(outlines.half_ink(placed.program, placed.at.scale) + 0.3, quad_segs=32)
            with case(placed):
                assert band.covers(ink((placed,))[0])


def test_verified_shapes_are_wholly_on_the_paper_and_never_touch():
    rng = seeding.stream(4, "test/placing")
    for _ in range(100):
        programs = [tuple(replace(a, type=TYPES[rng.integers(5)]) for a in program) for program in (HOOK, BOW)]
        picture = placing.place(programs, rng, (80, 320), verified=True)
        first, second = ink(picture)
        assert shapely.distance(first, second) >= placing.GAP - 0.5
        assert placing.gap(*picture) <= shapely.distance(first, second) + 0.5  # a lower bound of what is drawn
        assert np.abs(np.array([first.bounds, second.bounds])).max() < EDGE
        assert max(np.abs(line).max() for placed in picture for line in path(placed)) <= 360 + 1e-9


def test_a_verified_shape_lies_in_any_place_that_it_fits_alike():
    rng = seeding.stream(5, "test/placing")
    points = [placing.place([HOOK], rng, (100, 100), verified=True)[0] for _ in range(1500)]
    assert stats.kstest([placed.at.heading / 360 for placed in points], "uniform").pvalue > 1e-4
    low, high = (np.array([f(np.concatenate(path(placed)), axis=0) for placed in points]) for f in (np.min, np.max))
    for axis in (0, 1):  # how much of the free room lies before the shape is uniform
        share = (low[:, axis] + 360) / (720 - (high - low)[:, axis])
        assert stats.kstest(share, "uniform").pvalue > 1e-4


def test_a_problem_without_room_is_drawn_anew_and_given_up_loudly():
    tried = []

    def sides(_, rng, enough=3):
        tried.append(rng.integers(1 << 30))
        if len(tried) < enough:
            raise placing.NoRoom
        return [[([HOOK], ())] * 7] * 2

    rules = ("ff", 5, [("nact4",)], "verified", 0)
    assert placing.problem(*rules, sides).name == "ff_nact4_0005" and len(set(tried)) == 3
    with pytest.raises(RuntimeError, match="no room on the paper for the shapes of bongard/verified/ff/5 with seed 0"):
        placing.problem(*rules, lambda concept, rng: sides(concept, rng, math.inf))
