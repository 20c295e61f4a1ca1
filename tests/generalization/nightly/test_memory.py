"""What the nearest training row gets on each family of the GR* tasks: as measured first."""

from __future__ import annotations

import pytest

from cogkit.generalization.instrument import INSTRUMENT
from cogkit.generalization.problems import splits

MEASURED = {"Linear": 0.80, "Poly": 0.91, "Moons": 0.96, "Circles": 0.96, "Imbalance": 0.46, "Shift": 0.77}


@pytest.mark.parametrize("family", MEASURED)
def test_the_nearest_training_row_has_the_skill_that_was_measured_first(family):
    """Ten tasks of one seed; the first measurement had a noise of about .1, as its table says."""
    (name,) = (name for name in splits.names() if name.startswith(family))
    row = INSTRUMENT.memory(name)
    assert row["floor"] == pytest.approx(MEASURED[family], abs=0.1) and row["floor"] < row["bound"]
    assert row["rung"] == ("extrapolation" if family == "Shift" else "iid") and row["copies"] == 0
