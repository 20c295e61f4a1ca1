"""Floors and the ideal observer of the tile game: players that need no training.

The nearest-neighbour heuristic is also the yardstick of the paper's z-scores, so it exists twice: as a player like
any other, and compiled as `heuristic`; a test holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from cogkit import seeding
from cogkit.compiled import compiled, item_state, item_word, mix
from cogkit.tiles import problems
from cogkit.tiles.bits import WINDOWS, lowest, popcount, select
from cogkit.tiles.boards import TILES, to_bits
from cogkit.tiles.game import BLUE, RED, View

_ONE, _HALF = np.uint64(1), np.uint64(32)


@njit(inline="always")
def _frontier(opened, reds):
    """Return the covered tiles nearest to any open red one: the smallest Chebyshev distance that holds any."""
    for distance in range(1, len(WINDOWS)):
        near = np.uint64(0)
        rest = reds
        while rest:
            near |= WINDOWS[distance, lowest(rest)]
            rest &= rest - _ONE
        near &= ~opened
        if near:
            return near
    return np.uint64(0)


@compiled
def _run_heuristic(boards, starts, key, runs, blue):
    for b in range(len(boards)):
        board, start = boards[b], np.uint64(starts[b])
        stream = key ^ mix(board) ^ start  # a board's runs are the same whichever boards stand beside it
        for run in range(runs):
            state = item_state(stream, np.uint64(run))
            opened = _ONE << start
            near = WINDOWS[1, start]
            left = board & ~opened
            draw = np.uint64(0)
            blues = 0
            while left:
                choices = near & ~opened
                if not choices:
                    choices = _frontier(opened, board & opened)
                rank = ((item_word(state, draw) >> _HALF) * popcount(choices)) >> _HALF
                draw += _ONE
                tile = select(choices, rank)
                bit = _ONE << tile
                opened |= bit
                if board & bit:
                    left &= ~bit
                    near |= WINDOWS[1, tile]
                else:
                    blues += 1
            blue[b, run] = blues


@dataclass(frozen=True)
class Yardstick:
    """Blue tiles that the nearest-neighbour heuristic opens on each board: mean and sd (ddof 1) over its runs."""

    mean: np.ndarray
    sd: np.ndarray
    runs: int


def heuristic_blue(items, runs: int = 1000, seed: int = 0) -> np.ndarray:
    """Return the blue tiles that each run of the nearest-neighbour heuristic opens, (boards, runs) int16.

    Each click opens, at random, a covered tile within the smallest Chebyshev distance of any open red tile at which
    there is one, until all reds are open (Kumar et al. 2023, "Tile-revealing task").

    Parameters
    ----------
    items : Items
        Boards and start tiles.
    runs : int
        Games a board; the paper ran 1,000.
    seed : int
        Seed of the runs. A board's runs do not depend on the boards beside it.

    Examples
    --------
    >>> from cogkit.tiles.boards import Items
    >>> heuristic_blue(Items(np.eye(7), [24], "diagonal/abstract", "doctest"), runs=50).shape
    (1, 50)

    Notes
    -----
    Differs from the paper: "adjacent" in its text hides the eight neighbours and the widening distance, which the
    published scores confirm.
    """
    blue = np.empty((len(items), runs), np.int16)
    _run_heuristic(to_bits(items.boards), items.starts, seeding.item_key(seed, "nearest-neighbour"), runs, blue)
    return blue


def heuristic(items, runs: int = 1000, seed: int = 0) -> Yardstick:
    """Return mean and sd of the heuristic's blue tiles on each board (see `heuristic_blue`), the yardstick of z.

    Examples
    --------
    >>> from cogkit.tiles.boards import Items
    >>> items = Items(np.eye(7), [24], "diagonal/abstract", "doctest")
    >>> 10 < heuristic(items).mean[0] < 30
    np.True_
    """
    blue = heuristic_blue(items, runs, seed)
    return Yardstick(blue.mean(axis=1), blue.std(axis=1, ddof=1), runs)


def _words(shown: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the open red and the open blue tiles of views (n, 49) as bit words."""
    return to_bits(shown == RED), to_bits(shown == BLUE)


@compiled
def _frontiers(reds, blues, near):
    for i in range(len(reds)):
        word = _frontier(reds[i] | blues[i], reds[i])
        for t in range(TILES):
            near[i, t] = (word >> np.uint64(t)) & _ONE


@compiled
def _posterior(reds, blues, support, weight, red_probability, fitting):
    for i in range(len(reds)):
        seen = reds[i] | blues[i]
        total = 0.0
        for k in range(len(support)):
            if (support[k] & seen) == reds[i]:
                total += weight[k]
                fitting[i] += 1
                rest = support[k] & ~seen
                while rest:
                    red_probability[i, lowest(rest)] += weight[k]
                    rest &= rest - _ONE
        if total > 0:
            for t in range(TILES):
                red_probability[i, t] /= total


def _nearest(shown: np.ndarray) -> np.ndarray:
    near = np.empty(shown.shape, np.bool_)
    _frontiers(*_words(shown), near)
    return near


class NearestNeighbour:
    """The floor of the paper: opens a covered tile next to an open red one (see `heuristic`)."""

    name, kind, inputs, choose = "nearest neighbour", "floor", ("board",), "sample"

    def act(self, view: View, state):
        """Return equal scores for the nearest covered tiles, -inf for all others; no state."""
        return np.where(_nearest(view.board), 0.0, -np.inf), None


class Random:
    """The lowest floor: any tile that may be chosen, each equally likely."""

    name, kind, inputs, choose = "random", "floor", ("mask",), "sample"

    def act(self, view: View, state):
        """Return equal scores for every tile; no state."""
        return np.zeros(view.mask.shape), None


class Majority:
    """A first-order floor: opens the tile that is red most often over the rule's boards, whatever was revealed.

    Parameters
    ----------
    rule : str
        The rule whose boards are counted.
    """

    name, kind, inputs, choose = "majority", "floor", ("mask",), "argmax"

    def __init__(self, rule: str) -> None:
        support = problems.support(rule)
        reds = (support.bits[:, None] >> np.arange(TILES, dtype=np.uint64)) & _ONE
        self.rate = support.probability @ reds.astype(float)

    def act(self, view: View, state):
        """Return each tile's rate of being red; no state."""
        return np.broadcast_to(self.rate, view.mask.shape), None


class NeverFinishes:
    """A player stuck on one tile for ever, to show what an evaluation makes of a board that nobody ends."""

    name, kind, inputs, choose = "never finishes", "floor", ("board",), "argmax"

    def act(self, view: View, state):
        """Return a score that is highest for the first tile that is open already; no state."""
        return (view.board == RED).astype(float), None


class BayesGreedy:
    """The ideal observer: knows the rule's exact distribution and opens the tile most probably red.

    The posterior over boards is the rule's probability × 1 / reds (the start tile was drawn among the reds), kept
    to the boards that agree with every open tile. Ties are broken at random. It is a reference and not a bound: it
    looks one click ahead, and a player that looks further may beat it.

    Parameters
    ----------
    support : problems.Support
        Boards as bit words and their probabilities.

    Notes
    -----
    Where no board of the support agrees with what is open (a board of another rule), it plays as the nearest-neighbour
    heuristic does.
    Kumar et al. 2023 have no ideal observer.
    """

    name, kind, inputs, choose = "Bayes-greedy", "observer", ("board",), "argmax"

    def __init__(self, support: problems.Support) -> None:
        reds = np.array([int(word).bit_count() for word in support.bits])
        self.support, self.weight = support.bits, support.probability / reds

    @classmethod
    def of(cls, rule: str, **options) -> BayesGreedy:
        """Return the observer of a rule; ``options`` go to `problems.support`."""
        return cls(problems.support(rule, **options))

    def posterior(self, board: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return each covered tile's probability of being red (n, 49), and how many boards still fit (n,)."""
        probability, fitting = np.zeros(board.shape), np.zeros(len(board), np.int64)
        _posterior(*_words(board), self.support, self.weight, probability, fitting)
        return probability, fitting

    def act(self, view: View, state):
        """Return each tile's posterior probability of being red as its score; no state."""
        probability, fitting = self.posterior(view.board)
        lost = fitting == 0
        if lost.any():
            probability[lost] = _nearest(view.board[lost])
        return probability, None
