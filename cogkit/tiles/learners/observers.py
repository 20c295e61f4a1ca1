"""The ideal observer of the tile game, which knows the rule; and every player that needs no training, by name."""

from __future__ import annotations

import numpy as np

from cogkit.core.compiled import compiled
from cogkit.tiles.learners import floors
from cogkit.tiles.learners.floors import nearest, words
from cogkit.tiles.problems import records
from cogkit.tiles.rules.bits import lowest
from cogkit.tiles.rules.boards import TILES
from cogkit.tiles.rules.game import View
from cogkit.tiles.rules.support import Support

_ONE = np.uint64(1)


@compiled
def _posterior(reds, blues, support, weight, red_probability, fitting):
    for i in range(len(reds)):
        opened = reds[i] | blues[i]
        total = 0.0
        for k in range(len(support)):
            if (support[k] & opened) == reds[i] and support[k] != reds[i]:  # else the game would be over
                total += weight[k]
                fitting[i] += 1
                covered = support[k] & ~opened
                while covered:
                    red_probability[i, lowest(covered)] += weight[k]
                    covered &= covered - _ONE
        if total > 0:
            for t in range(TILES):
                red_probability[i, t] /= total


class BayesGreedy:
    """The ideal observer: knows the rule's exact distribution and opens the tile most probably red.

    The posterior over boards is the rule's probability × 1 / reds (the start tile was drawn among the reds), kept
    to the boards that agree with every open tile and have a red one left. Ties are broken at random. It is a reference
    and not a bound: it looks one click ahead, and a player that plans further may do better.

    Notes
    -----
    Where no board of the support agrees with what is open (a board of another rule), it plays as the nearest
    neighbour does.
    Kumar et al. 2023 have no ideal observer.
    """

    name, kind, inputs, choose = "Bayes-greedy", "observer", ("board",), "argmax"

    def __init__(self, support: Support) -> None:
        reds = np.array([int(word).bit_count() for word in support.bits])
        self.support, self.weight = support.bits, support.probability / reds

    @classmethod
    def of(cls, rule: str) -> BayesGreedy:
        """Return the observer of a rule."""
        return cls(records.support(rule))

    def posterior(self, board: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return each covered tile's probability of being red (n, 49), and how many boards still fit (n,)."""
        probability, fitting = np.zeros(board.shape), np.zeros(len(board), np.int64)
        _posterior(*words(board), self.support, self.weight, probability, fitting)
        return probability, fitting

    def act(self, view: View, state):
        """Return each tile's posterior probability of being red as its score; no state."""
        probability, fitting = self.posterior(view.board)
        stuck = fitting == 0
        if stuck.any():
            probability[stuck] = nearest(view.board[stuck])
        return probability, None


PLAYERS = {  # by name: ``make(rule)``
    "random": lambda rule: floors.Random(),
    "majority": floors.Majority,
    "nearest-neighbour": lambda rule: floors.NearestNeighbour(),
    "never-finishes": lambda rule: floors.NeverFinishes(),
    "bayes-greedy": BayesGreedy.of,
}


def player_has_a_task(name: str, task: str) -> bool:
    """Return whether a player can play a task: the ideal observer needs the boards' true distribution."""
    return name != "bayes-greedy" or task.endswith("/abstract")
