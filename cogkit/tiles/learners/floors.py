"""Floors of the tile game: players that need no training and ignore the rule.

The nearest-neighbour heuristic is also the yardstick of the paper's z-scores, so it exists twice: as a player like
any other, and compiled as `yardstick.heuristic`; a test checks that the two agree.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from cogkit.core.compiled import compiled
from cogkit.tiles.problems import records
from cogkit.tiles.problems.yardstick import frontier
from cogkit.tiles.rules.boards import TILES, to_bits
from cogkit.tiles.rules.game import BLUE, RED, View

_ONE = np.uint64(1)


def words(observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the open red and the open blue tiles of views (n, 49) as bit words."""
    return to_bits(observations == RED), to_bits(observations == BLUE)


@compiled
def _frontiers(reds, blues, near):
    for i in range(len(reds)):
        word = frontier(reds[i] | blues[i], reds[i])
        for t in range(TILES):
            near[i, t] = (word >> np.uint64(t)) & _ONE


def nearest(observations: np.ndarray) -> np.ndarray:
    near = np.empty(observations.shape, np.bool_)
    _frontiers(*words(observations), near)
    return near


class NearestNeighbour:
    """The floor of the paper: opens a covered tile next to an open red one (see `heuristic`)."""

    name, kind, inputs, choose = "nearest neighbour", "floor", ("board",), "sample"

    def act(self, view: View, state):
        """Return equal scores for the nearest covered tiles, -inf for all others; no state."""
        return np.where(nearest(view.board), 0.0, -np.inf), None


class Random:
    """The lowest floor: any tile that may be chosen, each equally likely."""

    name, kind, inputs, choose = "random", "floor", ("mask",), "sample"

    def act(self, view: View, state):
        """Return equal scores for every tile; no state."""
        return np.zeros(view.mask.shape), None


class Majority:
    """A first-order floor: opens the tile that is red most often over the rule's boards, whatever was revealed.

    Its rates are given, not learnt: those of all boards of the rule, test boards among them, which makes it stronger.
    """

    name, kind, inputs, choose = "majority", "floor", ("mask",), "argmax"

    def __init__(self, rule: str) -> None:
        self.rate = _rates(rule)

    def act(self, view: View, state):
        """Return each tile's rate of being red; no state."""
        return np.broadcast_to(self.rate, view.mask.shape), None


@cache  # of 155,284 boards it takes 60 MB on the way
def _rates(rule: str) -> np.ndarray:
    support = records.support(rule)
    reds = np.empty((len(support), TILES))
    for tile in range(TILES):  # all at once would take three times the memory
        reds[:, tile] = (support.bits >> np.uint64(tile)) & _ONE
    rates = support.probability @ reds
    rates.flags.writeable = False
    return rates


class NeverFinishes:
    """A player that clicks one tile for ever, to show how an evaluation treats unfinished boards."""

    name, kind, inputs, choose = "never finishes", "floor", ("board",), "argmax"

    def act(self, view: View, state):
        """Return a score that is highest for the first tile that is open already; no state."""
        return (view.board == RED).astype(float), None
