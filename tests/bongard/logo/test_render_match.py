"""Pictures against programs of which nobody knows where they were placed."""

from __future__ import annotations

import math
from itertools import cycle

import numpy as np
import pytest
from turtles import Ink, paint, pixels

from cogkit.bongard.logo import raster, render_match
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Line
from cogkit.bongard.problems import sets
from cogkit.bongard.problems.records import pictures


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_a_picture_is_like_its_own_programs(mirror, profile):
    problems = [sets.problem(spec) for spec in sets.specs(profile, n=6, seed=5, source="published")]
    for picture, size in zip(pictures(problems), cycle((128, 512))):
        distance = render_match.distance(raster.image(picture, size), tuple(placed.program for placed in picture))
        assert distance < 0.75 * render_match.UNLIKE


def test_a_picture_of_the_published_painter_is_like_its_programs(mirror):
    """Such as a copy of the published set holds."""
    problems = [sets.problem(spec) for spec in sets.specs("as_published", n=12, seed=9, source="published")]
    for picture in pictures(problems)[::7]:
        paint(picture, ink := Ink())
        assert render_match.distance(pixels(ink), tuple(placed.program for placed in picture)) < render_match.UNLIKE / 2


def test_a_picture_is_unlike_most_other_programs(mirror):
    """Of random other pictures with as many shapes, surely more than half are told apart: by four standard errors."""
    problems = [sets.problem(spec) for spec in sets.specs("as_published", n=170, seed=6, source="published")]
    sample, rng = [side[0] for problem in problems for side in problem.sides], np.random.default_rng(0)
    verdicts = {1: [], 2: []}
    for picture in sample:
        others = [other for other in sample if len(other) == len(picture) and other[0].program != picture[0].program]
        other = tuple(placed.program for placed in others[rng.integers(len(others))])
        verdicts[len(picture)].append(render_match.distance(raster.image(picture, 256), other) > render_match.UNLIKE)
    for flags in verdicts.values():
        share, n = np.mean(flags), len(flags)
        assert share - 4 * math.sqrt(share * (1 - share) / n) > 0.5, (share, n)


def test_a_shape_that_leaves_the_paper_is_no_fault_but_too_much_ink_is():
    line = (Line(1.0), Line(1.0), Line(1.0))
    image = raster.image((Placed(line, Placement(100.0, 0.0, 0.0, 140.0)),), 512)
    assert render_match.distance(image, (line,)) == 0
    assert render_match.distance(np.zeros_like(image), (line,)) > 0.5
    assert render_match.distance(np.full_like(image, 255), (line,)) == 1
