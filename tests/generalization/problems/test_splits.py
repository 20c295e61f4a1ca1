"""Splits of the GR* tasks, and what the nearest training row gets on one of them: by hand."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.generalization.instrument import INSTRUMENT
from cogkit.generalization.problems import records


def test_the_nearest_row_of_digits_is_found_by_hand():
    made = records.problem("Digits 0", 0)
    apart = ((made.x_test[:, None] - made.x) ** 2).sum(axis=2)
    right = (made.y[apart.argmin(axis=1)] == made.y_test).mean()
    most = np.bincount(made.y_test, minlength=10)[np.bincount(made.y).argmax()] / len(made.y_test)
    assert INSTRUMENT.memory("Digits, new rows")["floor"] == pytest.approx((right - most) / (1 - most))


def test_rows_have_the_rung_of_their_family():
    rows = INSTRUMENT.results()
    assert {*rows[rows.task.str.startswith("Shift")].rung} == {"extrapolation"}
    assert {*rows[rows.task.str.startswith("Moons")].split} == {"Moons, new rows"}
