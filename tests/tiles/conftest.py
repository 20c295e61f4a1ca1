"""Where the published scores come from in a test: the mirror, or the bundled cells with nothing else to be had."""

from __future__ import annotations

import pytest

from cogkit.data import published
from cogkit.tiles.paper import published as people


@pytest.fixture
def use_mirror(mirror, monkeypatch):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    assert published.source(people.FILE) == "mirror"


@pytest.fixture(params=["published", "bundled"])
def source(request, monkeypatch, home):
    """Each source in turn; the bundled cells with nothing else to be had."""
    if request.param == "published":
        request.getfixturevalue("use_mirror")
    else:
        monkeypatch.delenv("COGKIT_MIRROR", raising=False)
        monkeypatch.setenv("COGKIT_OFFLINE", "1")
    return request.param
