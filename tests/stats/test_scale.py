"""From a share of right answers to the common scale: a closed form, and what counts as a count."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cogkit.stats import scale


def test_counts_are_told_from_means():
    table = (
        (0.208, 600, 3, 125),
        (0.924, 240, 3, None),  # 222 of 240 are .925
        (0.25, 30_240, 3, None),  # 7,560, but 15 counts either side print alike
        (7560 / 30_240, 30_240, 16, 7560),
        (1 / 3, 600, 16, 200),
        (0.3334, 600, 16, None),
        (1.0, 40, 3, 40),
        (math.nan, 40, 3, None),
    )
    assert [row for *row, right in table if scale.count(*row) != right] == []


def test_p_of_two_classes_is_the_papers_formula():
    accuracy = np.linspace(0.5, 1, 11)
    paper = accuracy * (1 - 2 * np.sqrt(accuracy * (1 - accuracy)))
    assert scale.performance(scale.above_chance(accuracy, 0.5)) == pytest.approx(paper)
