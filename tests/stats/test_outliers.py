"""Grubbs' test against a worked example, printed critical values and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cogkit.stats import grubbs

RNG = np.random.default_rng(1969)
WORKED = [199.31, 199.53, 200.19, 200.82, 201.92, 201.95, 202.18, 245.57]  # Tietjen & Moore 1972, in NIST's handbook


def test_the_worked_example_of_the_handbook():
    """It prints G = 2.4687, and 2.032 for the upper side alone: that of both sides at twice the alpha."""
    row = grubbs(WORKED, alpha=0.10).iloc[0]
    assert (row.g, row.critical) == (pytest.approx(2.4687, abs=1e-4), pytest.approx(2.032, abs=5e-4))
    assert (row.place, row.score, row.outlier, row.n) == (7, 245.57, True, 8)


def test_critical_values_are_those_of_printed_tables():
    """Of both sides at .05, which tables print under .025 of one side."""
    printed = {3: 1.155, 8: 2.126, 10: 2.290, 15: 2.549, 20: 2.709, 30: 2.908}
    critical = {n: grubbs(np.arange(n)).critical.item() for n in printed}
    assert critical == pytest.approx(printed, abs=1.2e-3)  # the tables are of 1972


def test_p_is_the_alpha_at_which_it_turns():
    scores = RNG.normal(size=15)
    p = grubbs(scores).p.item()
    assert 0 < p < 1
    assert grubbs(scores, p * 1.001).outlier.item() and not grubbs(scores, p * 0.999).outlier.item()


def test_as_far_as_can_be_and_not_at_all():
    far = grubbs([1.0, 1.0, 1.0, 1.0, 0.0]).iloc[0]
    assert far.g == pytest.approx(4 / math.sqrt(5)) and far.p == pytest.approx(0, abs=1e-6) and far.outlier
    none = grubbs([0.7, 0.7, 0.7]).iloc[0]
    assert math.isnan(none.g) and not none.outlier
