"""Splits of the GR* tasks, and what the nearest training row gets on them: as measured first."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.generalization.instrument import INSTRUMENT
from cogkit.generalization.problems import records, splits

MEASURED = {"Linear": 0.80, "Poly": 0.91, "Moons": 0.96, "Circles": 0.96, "Imbalance": 0.46, "Shift": 0.77}


@pytest.mark.parametrize("family", MEASURED)
def test_the_nearest_training_row_has_the_skill_that_was_measured_first(family):
    """Ten tasks of one seed; the first measurement had a noise of about .1, as its table says."""
    (name,) = (name for name in splits.names() if name.startswith(family))
    row = INSTRUMENT.memory(name)
    assert row["floor"] == pytest.approx(MEASURED[family], abs=0.1) and row["floor"] < row["bound"]
    assert row["rung"] == ("extrapolation" if family == "Shift" else "iid") and row["copies"] == 0


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
