"""Floors of matching to sample: agents that remember the trained pairs, and infer nothing.

The paper has none. Its authors added such agents later (arXiv 2507.00265). If the wrong comparisons of a test were
wrong in training too, an agent can find the right one by exclusion, without any equivalence.
"""

from __future__ import annotations

import numpy as np

from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import Design, Question

REINFORCED, UNSEEN, REJECTED = 1.0, 0.5, 0.0


class Associative:
    """The floor that does not generalise: it knows which comparisons were right or wrong with each sample.

    A comparison scores 1 if it was right with this sample in training, 0 if it was wrong, and 0.5 if the two never
    occurred together. The floor chooses the highest score, and splits ties. No pair of a design is both right and
    wrong: right comparisons belong to the sample's class and wrong ones to others, and a dummy is always right or
    always wrong. ``undirected`` counts a pair in both orders, so that symmetry needs no inference. ``scores`` (stimuli
    + dummies, stimuli + dummies) float32 are by token of the sample (row) and of the comparison.

    Examples
    --------
    >>> Associative(Design("LS")).scores[0, [1, 8, 2]].tolist()  # A1 with B1, B2 and C1
    [1.0, 0.0, 0.5]
    """

    kind, inputs = "floor", "symbols"

    def __init__(self, design: Design, undirected: bool = False) -> None:
        self.name = f"associative, {'undirected' if undirected else 'directed'}"
        trials = records.training(design)
        comparisons = trials.tokens[:, 1:4]
        sample = np.broadcast_to(trials.tokens[:, :1], comparisons.shape)
        is_right = trials.correct[:, None] == np.arange(records.OPTIONS)
        self.scores = np.full((design.stimuli + design.dummies,) * 2, UNSEEN, np.float32)
        for part, score in ((~is_right, REJECTED), (is_right, REINFORCED)):
            self.scores[sample[part], comparisons[part]] = score
            if undirected:
                self.scores[comparisons[part], sample[part]] = score

    def choose(self, question: Question) -> np.ndarray:
        """Return the probability of each comparison, (n, 3): 1 for the highest score, divided among ties."""
        return highest(self.scores[question.sample[:, None], question.comparisons])


def highest(scores: np.ndarray) -> np.ndarray:
    """Return probabilities from scores, (n, k): 1 for the highest in a row, divided among ties.

    Examples
    --------
    >>> highest(np.array([[1.0, 0.5, 1.0]])).tolist()
    [[0.5, 0.0, 0.5]]
    """
    best = scores == scores.max(axis=1, keepdims=True)
    return best / best.sum(axis=1, keepdims=True)
