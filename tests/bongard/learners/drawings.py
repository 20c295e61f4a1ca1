"""A few pictures of simple programs, and how a backbone is trained on them."""

from __future__ import annotations

import numpy as np

from cogkit.bongard.learners import pretrained
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.problems.records import Question

SHAPES = [
    (Line(1.0, 0.0), Line(1.0, 120.0), Line(1.0, 120.0)),
    (Line(0.8), Line(0.8, 90.0, "circle"), Line(0.8, 90.0)),
    (Arc(0.5, 180.0, 0.0, "square"), Line(1.0, 90.0)),
    (Arc(0.3, 270.0), Arc(0.5, -90.0, 90.0)),
    (Line(0.5, 0.0, "zigzag"), Line(1.0, -60.0)),
    (Line(1.0, 0.0, "triangle"), Arc(0.4, 90.0, -30.0), Line(0.3, 150.0)),
]
PICTURES = [(Placed(program, Placement(-100, 60 - 40 * k, 30 * k, 180)),) for k, program in enumerate(SHAPES)]
PICTURES += [(Placed(SHAPES[0], Placement(-250, -50, 0, 120)), Placed(SHAPES[3], Placement(150, 100, 90, 120)))]


def tiny(name: str, **changes):
    settings = {"size": 32, "batch": 3, "optimiser": "sgd", "learning_rate": 0.03, "schedule": "constant"}
    return pretrained.config(name, "quick", **(settings | changes))


def question_of(positives, negatives, query) -> Question:
    """Return the question on which side a picture belongs, beside six pictures of both sides."""
    support, queries = np.empty((1, 2, 6), object), np.empty(1, object)
    for k in range(6):
        support[0, 0, k], support[0, 1, k] = positives[k], negatives[k]
    queries[0] = query
    return Question(support, queries)
