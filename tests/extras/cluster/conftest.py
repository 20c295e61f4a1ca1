"""A search that several files of tests look at."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def small_search(tmp_path_factory, one_thread):
    """A search for settings that nobody ended: its journal and its table; only the nightly and weekly tests need it."""
    from searching import SMALL, search

    path = tmp_path_factory.mktemp("search") / "here" / "small.journal"
    return path, search(SMALL, path)
