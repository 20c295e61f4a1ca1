"""A program that runs a small search, so that it can be killed at any moment."""

from __future__ import annotations

import sys

from cogkit.learning import one_thread
from cogkit.tiles.learners.search import SearchConfig, search

SMALL = SearchConfig("lstm-2m", rules=("pyramid",), trials=3, clicks=6000, looks=2, seed=5)

if __name__ == "__main__":
    with one_thread():
        search(SMALL, sys.argv[1])
