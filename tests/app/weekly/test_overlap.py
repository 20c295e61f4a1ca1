"""No learner of a shipped run was tested on what it was trained on: each is made again from its manifest."""

from __future__ import annotations

import pytest

from cogkit.app import experiments
from cogkit.core import registry
from cogkit.data import results

# They ask others, are asked as they are, are asked no item, or nothing that they have met (`transfer.matrix`).
UNTAUGHT = r"/errors|by-likelihood|tiles/conditional|tiles/transfer"


@pytest.mark.timeout(7200)  # all episodes and metamers are made again: 9 CPU-minutes those of MEWL
@pytest.mark.parametrize("name", ("bongard", "equivalence", "generalization", "mewl", "tiles"))
def test_the_overlap_of_every_shipped_run_is_0(name, mirror, monkeypatch):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    table = experiments.shipped_overlaps(name)
    assert (table.train > 0).all() and (table.test > 0).all()
    assert not table.overlap.any(), table[table.overlap > 0]
    rows, known = results.shipped(name), {cell.id for cell in registry.instrument(name).cells()}
    taught = rows[(rows.kind == "model") & (rows.supervision != "") & ~rows.cell.str.contains(UNTAUGHT)]
    assert {*taught.cell} & known <= {*table.cell}, "a learner that does not say what it has met"
