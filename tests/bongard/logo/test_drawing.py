"""The draw list against a turtle's own ink, and each number of the painter by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from cases import case
from turtles import Ink, any_picture, paint

from cogkit.bongard.logo import drawing
from cogkit.bongard.logo.drawing import PREVIEW, PROBLEM, draw_list
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import TYPES, Line


def one(action, scale: float = 180.0, pens: drawing.Pens = PROBLEM) -> list[drawing.Mark]:
    return draw_list((Placed((action,), Placement(scale=scale)),), pens)


def away(points: np.ndarray, segments: np.ndarray) -> float:
    """Return how far the farthest point is from the nearest of some segments (k, 2, 2)."""
    start, step = segments[:, 0], segments[:, 1] - segments[:, 0]
    share = ((points[:, None] - start) * step).sum(axis=2) / np.maximum((step**2).sum(axis=1), 1e-300)
    nearest = start + np.clip(share, 0, 1)[..., None] * step
    return np.linalg.norm(points[:, None] - nearest, axis=2).min(axis=1).max()


@pytest.mark.parametrize(
    ("pens", "options"), [(PROBLEM, {}), (PREVIEW, {"stamp_pitch": 25, "zigzag_pitch": 20, "magnify": False})]
)
def test_marks_are_what_a_turtle_lays_in_that_order(pens, options):
    for seed in range(24):
        with case(f"seed {seed}"):
            picture = any_picture(seed)
            marks = iter(draw_list(picture, pens))
            for shape, placed in enumerate(picture):
                for number in range(len(placed.program)):
                    for lines, stamp in laid(placed, number, options):
                        mark = next(marks)
                        assert (mark.stamp, mark.shape, mark.action) == (stamp, shape, number)
                        if stamp:
                            np.testing.assert_allclose(mark.points, lines, rtol=0, atol=1e-8)
                            continue
                        np.testing.assert_allclose(mark.points[[0, -1]], lines[[0, -1], [0, 1]], rtol=0, atol=1e-8)
                        assert away(mark.points, lines) < 1e-7
                        assert away(np.concatenate(lines), np.stack([mark.points[:-1], mark.points[1:]], axis=1)) < 1e-7
            assert next(marks, None) is None


def laid(placed: Placed, number: int, options: dict):
    """Yield what a turtle lays in one action: each stamp, or all its lines; and whether it is a stamp."""
    before, so_far = Ink(), Ink()
    for ink, end in ((before, number), (so_far, number + 1)):
        paint((Placed(placed.program[:end], placed.at),), ink, **options)
    lines = [np.array(points) for points in so_far.laid[len(before.laid) :]]
    if not so_far.stamped[-1]:
        yield np.array(lines), False
        return
    for k, corners in enumerate(lines):
        # A piece of an arc begins with the stamp that the piece before ended with: twice is once.
        if not k or not np.allclose(corners, lines[k - 1], atol=1e-9):
            yield corners, True


def test_repeats_are_rounded_half_up_and_one_at_least():
    for length, places in ((0.01, 2), (0.25, 2), (0.5, 4), (0.49, 3), (0.7, 5), (0.69, 4)):
        marks = one(Line(length, 0.0, "circle"), 100.0, replace(PREVIEW, stamp_pitch=20.0))
        middles = [mark.points.mean(axis=0)[0] for mark in marks]
        np.testing.assert_allclose(middles, np.linspace(0, 100 * length, places), atol=1e-9)


def test_width_is_the_nominal_one_and_what_a_raster_adds():
    thin = replace(PROBLEM, spread=0.0)
    widths = {kind: one(Line(1.0, 0.0, kind), 300.0, thin)[0].width for kind in TYPES}
    assert widths == {"normal": 8.0, "zigzag": 8.0, "circle": 2.5, "square": 2.5, "triangle": 2.5}
    # § 2 of the facts: 6.4 and 2.8 pixels where 5.2 and 1.6 are nominal.
    assert one(Line(1.0))[0].width * 0.6522 == pytest.approx(6.4, abs=0.05)
    assert one(Line(1.0, 0.0, "circle"))[0].width * 0.6522 == pytest.approx(2.8, abs=0.05)
