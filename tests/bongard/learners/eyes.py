"""What eyes might see of problems with a concept, and reasoners that are trained on it in a moment."""

from __future__ import annotations

import numpy as np

from cogkit.bongard.learners import agents, pretrained, reasoners
from cogkit.bongard.learners.perception import SEEN
from cogkit.bongard.problems.records import A_SIDE, SIDES
from cogkit.learning import run

EYES = pretrained.SIGHT.config("quick", problems=4, validated=4, tested=2, steps=2, batch=8, n_evals=1)
FASTER = {"sight": EYES, "eyes_seed": None}


def planted(n: int, seed: int, first: int = 0, signs: tuple[int, ...] = (-1, 1)) -> np.ndarray:
    """What is seen of n problems: a concept is one of eight numbers, high on one side and low on the other.

    ``first`` is the first of these numbers, and ``signs`` tells whether positives may have low ones.
    """
    rng = np.random.default_rng(seed)
    codes = rng.normal(size=(n, len(SIDES), A_SIDE, SEEN))
    for problem in codes:
        concept, sign = first + rng.integers(8), rng.choice(signs)
        problem[..., concept] = 0.3 * problem[..., concept] + 2 * sign * np.array([[1], [-1]])
    return codes.astype(np.float32)


def agent_of(name: str, codes: np.ndarray, **changes) -> reasoners.Reasoner:
    config = agents.SEEING[name].config("quick", **changes)
    return reasoners.REGISTRY.to_agent(run(reasoners.fit(config, 0, codes)))


def taught(name: str, seed: int, **changes) -> reasoners.Reasoner:
    """Return a reasoner of a few steps, on eyes of a few steps of their own."""
    config = agents.SEEING[name].config("quick", **FASTER, problems=4, validated=2, batch=4, steps=2, **changes)
    return reasoners.REGISTRY.learn(config, "verified", seed)
