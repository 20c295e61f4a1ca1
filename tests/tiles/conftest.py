"""Where the published scores come from in a test: the mirror, or the bundled cells with nothing else to be had."""

from __future__ import annotations

import pytest

from cogkit.data import published
from cogkit.study.trials import Trials
from cogkit.tiles.paper import published as people


@pytest.fixture
def use_mirror(mirror, monkeypatch):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    assert published.source(people.FILE) == "mirror"


@pytest.fixture
def offline(home, monkeypatch) -> list[str]:
    """No mirror, an empty cache and no network; the lines that are said of it."""
    lines: list[str] = []
    monkeypatch.delenv("COGKIT_MIRROR", raising=False)
    monkeypatch.setenv("COGKIT_OFFLINE", "1")
    monkeypatch.setattr(published, "announce", lines.append)
    return lines


@pytest.fixture(params=["published", "bundled"])
def source(request):
    """Each source in turn; the bundled cells with nothing else to be had."""
    if request.param == "published":
        request.getfixturevalue("use_mirror")
    else:
        request.getfixturevalue("offline")
    return request.param


@pytest.fixture
def ten(monkeypatch):
    """Ten rectangles, all that there is to learn from."""
    import numpy as np

    from cogkit.tiles.learners import agents
    from cogkit.tiles.problems import records
    from cogkit.tiles.rules.boards import Items, from_bits, to_bits
    from cogkit.tiles.rules.support import Support

    bits = np.sort(to_bits(records.draw_distinct("rectangle", 10, 0)))
    items = Items(from_bits(bits), records.draw_starts(from_bits(bits), 0), "rectangle/abstract", "generated")
    pools = agents.Pools(Support(bits, np.full(10, 0.1)), items, items)
    monkeypatch.setattr(agents, "pools", lambda config, seed: pools)
    return items


@pytest.fixture
def trials(home) -> Trials:
    return Trials()
