"""A finite set of boards with exact probabilities, and how to draw from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cogkit.core import seeding
from cogkit.tiles.rules.boards import as_boards, from_bits, to_bits


@dataclass(frozen=True)
class Support:
    """Boards, each once, with exact probabilities.

    Attributes
    ----------
    bits : (k,) uint64
        The boards as bit words, ascending (see `boards.to_bits`).
    probability : (k,) float64
        Summing to 1.
    """

    bits: np.ndarray
    probability: np.ndarray

    def __len__(self) -> int:
        return len(self.bits)

    @cached_property
    def _cumulative(self) -> np.ndarray:
        return self.probability.cumsum()

    def sample(self, n: int, seed: int, name: str = "boards", first: int = 0) -> np.ndarray:
        """Return boards ``first`` to ``first + n - 1`` of a seed's endless series: (n, 7, 7) uint8.

        Each board depends on the seed, the name and its own number only, by the inverse of the distribution
        function.
        """
        numbers = np.arange(first, first + n, dtype=np.uint64)
        uniform = seeding.item_uniforms(seed, name, numbers, 1)[:, 0]
        places = np.searchsorted(self._cumulative, uniform, side="right")
        return from_bits(self.bits[np.minimum(places, len(self) - 1)])  # rounding may leave the last sum below 1

    def chance(self, words: np.ndarray) -> np.ndarray:
        """Return how probable boards are, given as bit words: (n,) float64."""
        places = np.searchsorted(self.bits[:-1], words)
        return np.where(self.bits[places] == words, self.probability[places], 0.0)

    def holds(self, boards: np.ndarray) -> np.ndarray:
        """Return for each board (n, 7, 7) whether it is one of the boards: (n,) bool."""
        bits = to_bits(boards)
        return self.bits[np.searchsorted(self.bits[:-1], bits)] == bits

    def without(self, boards) -> Support:
        """Return the support without some boards, matched by content; its probabilities again sum to 1."""
        return self.only(~np.isin(self.bits, to_bits(as_boards(boards))))

    def only(self, which) -> Support:
        """Return the support of some boards, by number or as (k,) bool; its probabilities again sum to 1."""
        return Support(self.bits[which], self.probability[which] / self.probability[which].sum())


def mixture(parts: Sequence[Support]) -> Support:
    """Return the boards of several supports, each support equally likely.

    Examples
    --------
    >>> one, other = (Support(np.array(words, np.uint64), np.ones(1)) for words in ([1], [2]))
    >>> mixture([one, other]).probability.tolist()
    [0.5, 0.5]
    """
    weights = np.concatenate([part.probability for part in parts]) / len(parts)
    return Support(*merge(np.concatenate([part.bits for part in parts]), weights))


def merge(words: np.ndarray, chance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct words, ascending, with the chances of equal ones added up.

    Examples
    --------
    >>> [part.tolist() for part in merge(np.array([7, 3, 7]), np.array([0.25, 0.5, 0.25]))]
    [[3, 7], [0.5, 0.5]]
    """
    distinct, places = np.unique(words, return_inverse=True)
    return distinct, np.bincount(places, chance)
