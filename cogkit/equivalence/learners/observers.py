"""The ideal observer of matching to sample: it draws every conclusion that the trained pairs allow."""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import connected_components

from cogkit.equivalence.learners.floors import REINFORCED, REJECTED, UNSEEN, Associative, highest
from cogkit.equivalence.problems.records import Design, Question


class Closure:
    """The observer that answers by the equivalence closure of the trained pairs; nothing is learnt or forgotten.

    The closure is the smallest relation that holds every trained pair and is reflexive, symmetric and transitive. A
    comparison scores 1 if the closure holds it with the sample, 0 if it follows that the two are of different classes
    (a member of one was wrong with a member of the other), and 0.5 otherwise. Dummies are of no class. The observer
    chooses the highest score, and splits ties. ``scores`` are in the form of `floors.Associative`.

    Notes
    -----
    The trained pairs of a design connect each class, so after select-reject and select-only training every test has
    one comparison in the closure, and the observer is right in every trial of every structure, under every answer rule.
    After *reject-only* training no pair of stimuli was right, so it can only exclude. It does not know how many classes
    there are, and who knows that can conclude more: then it is no observer, and its ``kind`` is model.

    Examples
    --------
    >>> Closure(Design("LS", "select-only")).scores[0, [6, 7]].tolist()  # A1 with G1 and A2
    [1.0, 0.5]
    """

    name, inputs = "closure of the trained pairs", "symbols"

    def __init__(self, design: Design) -> None:
        self.kind = "model" if design.relation == "reject-only" else "observer"
        self.scores = Associative(design, undirected=True).scores
        known = self.scores[: design.stimuli, : design.stimuli]
        _, classes = connected_components(known == REINFORCED)
        member = np.eye(classes.max() + 1)[classes]  # (stimuli, classes)
        apart = member @ (member.T @ (known == REJECTED) @ member > 0) @ member.T
        known[:] = np.where(apart, REJECTED, UNSEEN)
        known[classes[:, None] == classes] = REINFORCED

    def choose(self, question: Question) -> np.ndarray:
        """Return the probability of each comparison, (n, 3): 1 for the highest score, divided among ties."""
        return highest(self.scores[question.sample[:, None], question.comparisons])
