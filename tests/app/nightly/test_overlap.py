"""No learner of a shipped run was tested on what it was trained on, each made again from its manifest."""

from __future__ import annotations

import pytest

from cogkit.app import experiments
from cogkit.core import registry
from cogkit.data import results

FRESH = ("errors", "by-likelihood")  # cells of what was trained elsewhere, or is asked as it is


@pytest.mark.parametrize("name", registry.names())
def test_the_overlap_of_every_shipped_run_is_0(name, use_mirror):
    table = experiments.shipped_overlaps(name)
    assert (table.train > 0).all() and (table.test > 0).all()
    assert not table.overlap.any(), table[table.overlap > 0]
    rows = results.shipped(name)
    taught = rows[(rows.kind == "model") & (rows.supervision != "") & ~rows.cell.str.contains("|".join(FRESH))]
    known = {cell.id for cell in registry.instrument(name).cells()}
    assert {*taught.cell} & known - {*table.cell} <= {f"tiles/conditional/{rule}" for rule in ("",)}
