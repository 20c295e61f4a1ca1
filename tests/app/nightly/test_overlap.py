"""No learner of a shipped run was tested on what it was trained on: each is made again from its manifest."""

from __future__ import annotations

import pytest

from cogkit.app import experiments
from cogkit.core import registry
from cogkit.data import results

UNTAUGHT = r"/errors|by-likelihood|tiles/conditional"  # they ask others, are asked as they are, or are asked no item


@pytest.mark.timeout(3600)  # all episodes and metamers are made again: some CPU-minutes
@pytest.mark.parametrize("name", ("bongard", "equivalence", "generalization", "mewl", "tiles"))
def test_the_overlap_of_every_shipped_run_is_0(name, mirror, monkeypatch):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    table = experiments.shipped_overlaps(name)
    assert (table.train > 0).all() and (table.test > 0).all()
    assert not table.overlap.any(), table[table.overlap > 0]
    rows, known = results.shipped(name), {cell.id for cell in registry.instrument(name).cells()}
    taught = rows[(rows.kind == "model") & (rows.supervision != "") & ~rows.cell.str.contains(UNTAUGHT)]
    assert {*taught.cell} & known <= {*table.cell}, "a learner that does not say what it has met"
