"""Floors of memory: players that hold the boards of a training pool, with a symmetry perhaps, and never the rule.

Each is built from the training pool of a `Split` alone. What such a player gets on the test boards of the split is what
a learner could get there without any abstraction. The paper has no such player.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from cogkit.core.compiled import compiled
from cogkit.tiles.learners.floors import nearest, words
from cogkit.tiles.rules.bits import lowest, popcount
from cogkit.tiles.rules.boards import SIZE, TILES, from_bits
from cogkit.tiles.rules.game import View
from cogkit.tiles.rules.support import Support, merge
from cogkit.tiles.rules.symmetries import images, turned

_ONE = np.uint64(1)
DOUBT = 0.1
"""How much each contradiction counts against a board that is remembered softly: it is then a tenth as likely."""
MOST_FRAGMENTS = 50_000  # the most probable ones; of most pools that is all


@compiled
def _recall(reds, blues, stored, weight, factor, closest, chance):
    """Add up the boards that fit into the chance of each covered tile; with ``closest`` those that fit best alone."""
    for i in range(len(reds)):
        opened = reds[i] | blues[i]
        total, fewest = 0.0, np.uint64(TILES)
        for k in range(len(stored)):
            covered = stored[k] & ~opened
            if not covered:  # else the game would be over
                continue
            wrong = popcount((stored[k] & opened) ^ reds[i])
            if closest:
                if wrong > fewest:
                    continue
                if wrong < fewest:
                    fewest, total = wrong, 0.0
                    chance[i] = 0.0
            share = weight[k] * factor[wrong]
            if share > 0:
                total += share
                while covered:
                    chance[i, lowest(covered)] += share
                    covered &= covered - _ONE
        if total > 0:
            chance[i] /= total


class _Floor:
    """A player that opens the tile most probably red, and where it knows nothing, plays as the nearest neighbour."""

    kind, inputs, choose = "floor", ("board",), "argmax"

    def chance(self, observations: np.ndarray) -> np.ndarray:
        """Return the probability that each tile is red, (n, 49), 0 where a tile is open or nothing is known."""
        raise NotImplementedError

    def act(self, view: View, state):
        """Return each tile's probability of being red as its score; no state."""
        board = np.asarray(view.board)
        chance = self.chance(board)
        blank = ~chance.any(axis=1)
        if blank.any():
            chance[blank] = nearest(board[blank])
        return chance, None


class Memory(_Floor):
    """A player that remembers the boards of a pool.

    Parameters
    ----------
    pool : Support
    how : {"exact", "tolerant", "soft"}
        Which boards count: those that agree with every open tile, those that contradict fewest, or all, each
        contradiction a tenth as likely. Exact memory is the ideal observer of a world that has no board but these.
    symmetries : tuple of str
        `SYMMETRIES` that the player has for free: it remembers the copies as well.

    Examples
    --------
    >>> pair = Support(np.array([0b11], np.uint64), np.ones(1))
    >>> Memory(pair, "soft", ("shift",)).name
    'memory, soft + shift'
    """

    def __init__(self, pool: Support, how: str = "exact", symmetries: tuple[str, ...] = ()) -> None:
        self.name = " + ".join(["memory, " + how, *symmetries])
        stored = images(pool, symmetries)
        reds = from_bits(stored.bits).reshape(-1, TILES).sum(axis=1)
        self._stored, self._weight = stored.bits, stored.probability / reds  # the start was drawn among the reds
        doubt = {"exact": 0.0, "soft": DOUBT}.get(how, 1.0)
        self._factor, self._closest = doubt ** np.arange(TILES + 1), how == "tolerant"

    def chance(self, observations: np.ndarray) -> np.ndarray:
        chance = np.zeros(observations.shape)
        _recall(*words(observations), self._stored, self._weight, self._factor, self._closest, chance)
        return chance


@compiled
def _complete(seen, opened, fragments, weight, centre, chance):
    for i in range(len(seen)):
        for t in range(seen.shape[1]):
            if (opened[i, t] >> centre) & _ONE:
                continue
            total = red = 0.0
            for k in range(len(fragments)):
                if (fragments[k] & opened[i, t]) == seen[i, t]:
                    total += weight[k]
                    if (fragments[k] >> centre) & _ONE:
                        red += weight[k]
            if total > 0:
                chance[i, t] = red / total


def _windows(boards: np.ndarray, size: int, beyond: int) -> np.ndarray:
    """Return the window round each tile of boards (n, 7, 7) as a bit word, (n, 49); ``beyond`` is off the board."""
    edge = size // 2
    padded = np.pad(boards, ((0, 0), (edge, edge), (edge, edge)), constant_values=beyond)
    views = sliding_window_view(padded, (size, size), axis=(1, 2)).reshape(len(boards), TILES, size * size)
    total = np.zeros((len(boards), TILES), np.uint64)
    for place in range(size * size):  # one at a time: all together would take 64 times the memory
        total |= views[..., place].astype(np.uint64) << np.uint64(place)
    return total


class Fragments(_Floor):
    """A player that remembers windows of a pool's boards, at any place and turn.

    A covered tile is as probably red as the middle of those windows that agree with what is open around it. Off the
    board counts as blue. Where no window of 5×5 agrees, those of 3×3 are asked.

    Parameters
    ----------
    pool : Support
    size : {3, 5}
    """

    def __init__(self, pool: Support, size: int = 3) -> None:
        self.name, self._size = f"fragments {size}×{size}", size
        windows = _windows(from_bits(pool.bits), size, 0)
        distinct, chance = merge(windows.ravel(), np.repeat(pool.probability, TILES))
        bits = np.arange(size * size, dtype=np.uint64)
        pictures = (distinct[:, None] >> bits & _ONE).reshape(-1, size, size)
        copies = (turned(pictures).reshape(-1, size * size) << bits).sum(axis=1, dtype=np.uint64)
        distinct, chance = merge(copies, np.tile(chance / 8, 8))
        likely = np.argsort(-chance, kind="stable")[:MOST_FRAGMENTS]
        self._fragments, self._weight = distinct[likely], chance[likely]
        self._smaller = Fragments(pool, size - 2) if size > 3 else None

    def chance(self, observations: np.ndarray) -> np.ndarray:
        boards = observations.reshape(-1, SIZE, SIZE)
        reds, blues = (
            (words_ >> np.arange(TILES, dtype=np.uint64)[:, None] & _ONE).T for words_ in words(observations)
        )
        seen = _windows(reds.reshape(boards.shape), self._size, 0)
        opened = _windows((reds | blues).reshape(boards.shape), self._size, 1)
        chance = np.full(observations.shape, np.nan)
        _complete(seen, opened, self._fragments, self._weight, np.uint64(self._size**2 // 2), chance)
        if self._smaller is not None and np.isnan(chance).any():
            chance = np.where(np.isnan(chance), self._smaller.chance(observations), chance)
        return np.nan_to_num(chance)


def floors(pool: Support) -> list:
    """Return every floor of a pool: memory of three kinds with and without each symmetry, and fragments."""
    some = ((), ("D4",), ("shift",), ("D4", "shift"))
    remembered = [Memory(pool, how, symmetries) for how, symmetries in product(("exact", "tolerant", "soft"), some)]
    return [*remembered, Fragments(pool, 3), Fragments(pool, 5)]
