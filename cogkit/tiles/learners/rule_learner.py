"""The rule learner: Bayes over a small language of rules, learnt from the boards of a split's training pool alone.

A sentence of the language names a rule and the sizes of its boards. The rule is one of the paper's, or a motif under
an operator of `rules.grammar`. The sizes are a range for the shorter side of the box round the reds, and one for the
longer side. Short sentences are more probable beforehand. The learner meets some hundred boards, works out how
probable each sentence is after them, and plays by all of them, each by its probability. The paper has no such player.

Its language has a name for the rule that is tested, so all it must learn is which rule it is, and which sizes. It shows
that a split can be played without memory, and not how one comes by a language. A second one lacks that name.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np

from cogkit.tiles.learners.observers import BayesGreedy
from cogkit.tiles.problems import records, splits
from cogkit.tiles.rules import PAPER_RULES, grammar
from cogkit.tiles.rules.boards import SIZE, to_bits
from cogkit.tiles.rules.support import Support, merge
from cogkit.tiles.rules.symmetries import sides

_RANGES = [*combinations_with_replacement(range(SIZE), 2)]  # from a to b, of sides of 1 to 7 tiles
DOUBT = 0.1
"""How many boards a rule counts as met before any is."""
_ROUNDS = 50  # of expectation and maximisation


class RuleLearner(BayesGreedy):
    """A player that has learnt which rules make the boards of a pool.

    Parameters
    ----------
    pool : Support
        The boards that it may meet in training.
    n : int
        How many it meets, drawn by their probabilities.
    seed : int
    without : collection of str
        Rules of `language` that it has no name for.

    Attributes
    ----------
    rules : dict of str to float
        How probable each rule is after training.

    Examples
    --------
    >>> learner = RuleLearner(records.support("zigzag"))
    >>> max(learner.rules, key=learner.rules.get)
    'zigzag'
    """

    name, kind, supervision = "rule learner", "model", "boards"

    def __init__(self, pool: Support, n: int = 300, seed: int = 0, without: Collection[str] = ()) -> None:
        if without:
            self.name = "rule learner without the rule"
        met = to_bits(pool.sample(n, seed, "rule learner"))
        rules = {name: support for name, support in language().items() if name not in without}
        chance = np.array([support.chance(met) for support in rules.values()])  # (rules, boards)
        explained = chance.any(axis=0)
        chance, met = chance[:, explained], met[explained]
        bits = np.array([-_description(name) for name in rules])
        prior = DOUBT * 2.0**bits / (2.0**bits).sum() * len(rules)
        weight = prior / prior.sum()
        for _ in range(_ROUNDS):
            shares = weight[:, None] * chance
            shares /= shares.sum(axis=0)
            weight = prior + shares.sum(axis=1)
            weight /= weight.sum()
        owner = shares.argmax(axis=0)
        words, weights = [], []
        for k, support in enumerate(rules.values()):
            words.append(support.bits)
            weights.append(weight[k] * support.probability * _by_size(support, met[owner == k]))
        distinct, whole = merge(np.concatenate(words), np.concatenate(weights))
        super().__init__(Support(distinct, whole / whole.sum()))
        self.rules = dict(zip(rules, weight.tolist(), strict=True))


@cache
def language() -> dict[str, Support]:
    """Return the rules that a sentence can name, and their boards.

    Examples
    --------
    >>> len(language()), [*language()][-1]
    (55, 'tee under framed')
    """
    return {rule: records.support(rule) for rule in PAPER_RULES} | grammar.rules()


def rules_of(split: str) -> list[str]:
    """Return the rules of the language whose boards a split tests.

    Examples
    --------
    >>> rules_of("zigzag, step 1"), rules_of("grammar, motif plus")
    (['zigzag'], ['plus under single', 'plus under copy'])
    """
    rule, _, which = split.partition(", ")
    return grammar.some(which) if rule == splits.GRAMMAR else [rule]


def _description(rule: str) -> float:
    """Return the bits that name a rule: a coin, and then one of the paper's, or a motif and an operator."""
    return 1 + np.log2(len(PAPER_RULES) if rule in PAPER_RULES else len(grammar.MOTIFS) * len(grammar.OPERATORS))


def _by_size(support: Support, met: np.ndarray) -> np.ndarray:
    """Return by how much the sizes of the boards met make each board of a rule more probable, (boards,).

    Half of the prior is on boards of any size, the rest on all other ranges of both sides. Each board met is as much
    more probable under a range as the rule has fewer boards in it.
    """
    cells = tuple(side - 1 for side in sides(support.bits))
    mass = np.zeros((SIZE, SIZE))
    np.add.at(mass, cells, support.probability)
    least, most = np.full(2, SIZE - 1), np.zeros(2, int)  # without a board any range would do
    if len(met):
        least, most = ([edge(side) - 1 for side in sides(met)] for edge in (np.min, np.max))
    ranges, log = [], []
    for (a, b), (c, d) in product(_RANGES, repeat=2):
        inside = mass[a : b + 1, c : d + 1].sum()
        if inside and a <= least[0] and most[0] <= b and c <= least[1] and most[1] <= d:
            ranges.append((slice(a, b + 1), slice(c, d + 1), inside))
            prior = 0.5 if (a, c, b, d) == (0, 0, SIZE - 1, SIZE - 1) else 0.5 / (len(_RANGES) ** 2 - 1)
            log.append(np.log(prior) - len(met) * np.log(inside))
    share, by_size = np.exp(np.array(log) - max(log)), np.zeros((SIZE, SIZE))
    for (short, long, inside), one in zip(ranges, share / share.sum(), strict=True):
        by_size[short, long] += one / inside
    return by_size[cells]
