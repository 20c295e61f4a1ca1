"""Equivalence projective simulation (EPS, E-EPS): an agent that learns a network of stimuli and derives relations.

EPS is by Mofrad et al. (2020), Neural Computation 32(5), 912-968; E-EPS by Mofrad et al. (2021), 33(2), 483-527.
Carrillo & Betancort (2024) run neither; their later programs name it as the agent in which relations do emerge. Both
are models: training can leave them short of what follows from the trained pairs, which `observers.Closure` draws.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cogkit.core import seeding
from cogkit.core.compiled import compiled
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import OPTIONS, Design, Question

ENHANCEMENTS = {"none": "EPS", "symmetric": "E-EPS"}


@dataclass(frozen=True)
class EPSConfig:
    """How an agent learns and recalls.

    Attributes
    ----------
    design : Design
        The design that it is trained on.
    enhancement : {"none", "symmetric"}
        Change of the network after training. ``none`` is EPS: it derives relations when a test asks for them. The
        other is E-EPS: diffusion over the network, in its doubly normalised form.
    trials, block : int
        Most training trials, and number of trials in a block.
    mastery : float or None
        Share of right answers in a block that ends training; with None, training uses all trials.
    beta : float
        Inverse temperature of choices in training, and of the probabilities of steps.
    gamma : float
        Share that every weight loses in each trial.
    k : float
        Share of a reward that the edge from comparison back to sample gets.
    alpha : float
        Share of the diffusion that continues; E-EPS only.
    test_beta : float
        Inverse temperature of choices in tests; E-EPS only.

    Notes
    -----
    ``gamma``, ``k`` and ``test_beta`` are those of the authors' program. Differs from it: its ``alpha`` is 0.8, and its
    ``beta`` is 0.07, with which training on these mixed trials does not reach mastery.
    """

    design: Design
    enhancement: str = "symmetric"
    trials: int = 6000
    block: int = 120
    mastery: float | None = None
    beta: float = 0.2
    gamma: float = 0.001
    k: float = 1.0
    alpha: float = 0.9
    test_beta: float = 8.0


class EPS:
    """The learner: a network of stimuli and dummies, and a strength for any two of them.

    ``weights`` (stimuli + dummies, stimuli + dummies) float64 are those of the edge from row to column; NaN where the
    two never met. ``blocks`` are the share of right answers in each block of training. ``recalled``, in the form of
    ``weights``, are the strengths for tests, by sample and comparison: the log probability of the best path, or the
    diffused strength.

    Notes
    -----
    If every comparison has an edge with the sample, EPS chooses by the weights, as in training. Otherwise its
    probabilities are proportional to those of the most probable paths from sample to comparison. A path from a stimulus
    to itself has no step and probability 1, so reflexivity is built in and not learned. Differs from Mofrad et al.
    (2020): of their agents it is the one with negative weights, and its memory is equally sharp at every nodal
    distance.

    E-EPS chooses by each comparison's share of the diffused strengths. Differs from Mofrad et al. (2021): the limit of
    the diffusion is computed directly and not by iteration.
    """

    kind, inputs, supervision = "model", "symbols", "rewards"

    def __init__(self, config: EPSConfig, weights: np.ndarray, blocks: np.ndarray) -> None:
        self.config, self.weights, self.blocks = config, weights, blocks
        self.name = ENHANCEMENTS[config.enhancement]
        if config.enhancement == "none":
            self.recalled = best_paths(weights, config.beta)
        else:
            self.recalled = diffused(weights, config.beta, config.alpha)

    def choose(self, question: Question) -> np.ndarray:
        """Return the probability of each comparison, (n, 3); equal if nothing is known about any of them."""
        cells = question.sample[:, None], question.comparisons
        strengths = self.recalled[cells]
        if self.config.enhancement == "none":
            edges = self.weights[cells]
            mask = ~np.isnan(edges).any(axis=1, keepdims=True)
            strengths[np.isneginf(strengths).all(axis=1)] = 0
            return np.exp(_log_softmax(np.where(mask, self.config.beta * edges, strengths)))
        total = strengths.sum(axis=1, keepdims=True)
        shares = np.divide(strengths, total, out=np.zeros_like(strengths), where=total > 0)
        return np.exp(_log_softmax(self.config.test_beta * shares))


def train(config: EPSConfig, seed: int) -> EPS:
    """Return an agent after training on single trials of all pairs, drawn with replacement.

    Differs from Mofrad et al., who train one pair after another. Every agent here is trained on the same trials.

    Examples
    --------
    >>> agent = train(EPSConfig(Design("OTM", members=3), trials=600), seed=0)
    >>> agent.name, agent.blocks.shape
    ('E-EPS', (5,))
    """
    rng = seeding.stream(seed, f"eps/{config.design.condition}")
    trials = records.training(config.design)
    sequence = trials[rng.integers(len(trials), size=config.trials)]
    return EPS(config, *learn(sequence, rng.random(config.trials), config))


def learn(trials: records.Trials, uniforms: np.ndarray, config: EPSConfig) -> tuple[np.ndarray, np.ndarray]:
    """Learn from trials in their order; return the weights, and the share of right answers in each block.

    When sample and comparison first meet, two edges of weight 1 are made, one in each direction. The agent chooses
    among the three with probabilities proportional to exp(beta × weight), by one uniform number for each trial. Then
    all weights shrink by gamma. The chosen edge gets 1 or -1, and the reverse edge gets k times that.
    """
    size = config.design.stimuli + config.design.dummies
    weights, tokens = np.full((size, size), np.nan), trials.tokens[:, : 1 + OPTIONS].astype(np.int64)
    mastery = np.inf if config.mastery is None else config.mastery
    choice = config.beta, config.gamma, config.k, config.block
    blocks = _learn(tokens, trials.correct, uniforms, weights, *choice, mastery)
    return weights, blocks


@compiled
def _learn(tokens, correct, uniforms, weights, beta, gamma, k, block, mastery):
    """Change the weights in place; return the share of right answers in each block."""
    blocks = np.zeros((len(tokens) + block - 1) // block)
    for b in range(len(blocks)):
        start, stop = b * block, min(len(tokens), (b + 1) * block)
        for trial in range(start, stop):
            sample, comparisons = tokens[trial, 0], tokens[trial, 1:]
            for comparison in comparisons:
                if np.isnan(weights[sample, comparison]):
                    weights[sample, comparison] = weights[comparison, sample] = 1.0
            answer = _draw(weights[sample], comparisons, beta, uniforms[trial])
            for row in range(len(weights)):
                for column in range(len(weights)):
                    weights[row, column] *= 1 - gamma
            reward = 1.0 if answer == correct[trial] else -1.0
            weights[sample, comparisons[answer]] += reward
            weights[comparisons[answer], sample] += k * reward
            blocks[b] += answer == correct[trial]
        blocks[b] /= stop - start
        if blocks[b] >= mastery:
            return blocks[: b + 1]
    return blocks


@compiled
def _draw(edges, comparisons, beta, uniform):
    """Return the place of a comparison, drawn with probabilities proportional to exp(beta × weight)."""
    highest = -np.inf
    for comparison in comparisons:
        highest = max(highest, edges[comparison])
    below = np.empty(len(comparisons))
    total = 0.0
    for place in range(len(comparisons)):
        total += np.exp(beta * (edges[comparisons[place]] - highest))
        below[place] = total
    return np.searchsorted(below, uniform * total, side="right")


def best_paths(weights: np.ndarray, beta: float) -> np.ndarray:
    """Return the log probability of the most probable path from row to column, -inf if there is none.

    The probabilities of a step are the softmax of beta × weight over the edges that leave a stimulus. A path without a
    step, from a stimulus to itself, has probability 1.

    Examples
    --------
    >>> chain = np.full((3, 3), np.nan)
    >>> chain[0, 1] = chain[1, 0] = chain[1, 2] = chain[2, 1] = 1.0
    >>> np.exp(best_paths(chain, beta=1.0)).tolist()
    [[1.0, 1.0, 0.5], [0.5, 1.0, 0.5], [0.5, 1.0, 1.0]]
    """
    edges = ~np.isnan(weights)
    logits = np.where(edges, beta * weights, -np.inf)
    np.fill_diagonal(logits, np.where(edges.any(axis=1), -np.inf, 0))  # a stimulus without edges stays
    best = _log_softmax(logits)
    np.fill_diagonal(best, 0)
    for middle in range(len(best)):
        np.maximum(best, best[:, middle, None] + best[middle], out=best)
    return best


def diffused(weights: np.ndarray, beta: float, alpha: float) -> np.ndarray:
    """Return the limit W of W ← alpha T W T + (1 - alpha) T, which is (1 - alpha) T (I - alpha T²)⁻¹.

    Every stimulus first gets an edge to itself, as strong as its strongest edge. T is the doubly normalised
    form of the probabilities P of a step (see `best_paths`), T[i, j] = Σₖ P[i, k] P[j, k] / Σₗ P[l, k]. Rows of W sum
    to 1.

    Examples
    --------
    >>> pair = np.array([[np.nan, 1.0], [1.0, np.nan]])
    >>> diffused(pair, beta=1.0, alpha=0.5).round(3).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    edges = ~np.isnan(weights)
    logits = np.where(edges, beta * weights, -np.inf)
    np.fill_diagonal(logits, np.where(edges.any(axis=1), logits.max(axis=1), 0))
    steps = np.exp(_log_softmax(logits))
    steps = (steps / steps.sum(axis=0)) @ steps.T
    return np.linalg.solve(np.eye(len(steps)) - alpha * steps @ steps, (1 - alpha) * steps)


def _log_softmax(logits: np.ndarray) -> np.ndarray:
    differences = logits - logits.max(axis=1, keepdims=True)
    return differences - np.log(np.exp(differences).sum(axis=1, keepdims=True))
