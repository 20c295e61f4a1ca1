"""Some cells of the stored table of coverage, simulated anew with other numbers."""

from __future__ import annotations

import coverages
import numpy as np
import pytest

from cogkit.app import one_scale
from cogkit.data.facts import facts


@pytest.mark.parametrize("rule", coverages.RULES)
def test_a_cell_is_as_stored(rule):
    stored = facts(one_scale.__file__, "coverage").query("rule == @rule")
    for row in stored.iloc[:: max(1, len(stored) // 6)].itertuples():
        cell = (row.rule, row.p, row.run_spread, row.item_spread, row.runs, row.items)
        fresh = coverages.coverage(*cell, 1000, np.random.default_rng(12))
        share = (row.coverage * row.repetitions + 2) / (row.repetitions + 4)  # else no error where all of them hold
        spread = np.sqrt(share * (1 - share) * (1 / row.repetitions + 1 / 1000))
        assert abs(fresh["coverage"] - row.coverage) <= 4 * spread, cell
        assert fresh["width"] == pytest.approx(row.width, rel=0.15), cell
