"""EPS and E-EPS against plain loops, the figures of § 6 of the facts, and what the model is known to do."""

from __future__ import annotations

import heapq
import itertools
import math

import numpy as np
import pytest

from cogkit.equivalence import scoring
from cogkit.equivalence.learners import eps
from cogkit.equivalence.learners.eps import EPSConfig
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import STRUCTURES, Design

SMALL = [
    Design("LS", "select-reject", members=3, classes=3),
    Design("OTM", "select-only", members=3, classes=3),
    Design(("AB", "CB", "CD"), "reject-only", members=4, classes=3),
    Design("MTO", "select-reject", "standard", members=3, classes=4),
]


def naive_training(trials, uniforms, config):
    """The facts' § 6 trial by trial: edges by name of their ends, and the answers that were right."""
    edges, right = {}, []
    for row, uniform in zip(trials.frame().to_dict("records"), uniforms, strict=True):
        sample, options = row["sample"], [row[f"comparison_{place}"] for place in (1, 2, 3)]
        for option in options:
            edges.setdefault((sample, option), 1.0)
            edges.setdefault((option, sample), 1.0)
        chances = [math.exp(config.beta * edges[sample, option]) for option in options]
        passed = [uniform * sum(chances) >= sum(chances[:k]) for k in (1, 2, 3)]
        choice = sum(passed)
        good = row["response"] == f"O_{choice + 1}"
        for edge in edges:
            edges[edge] *= 1 - config.gamma
        edges[sample, options[choice]] += 1 if good else -1
        edges[options[choice], sample] += config.k if good else -config.k
        right.append(good)
        block = right[-(len(right) % config.block or config.block) :]
        if config.mastery and len(block) == config.block and np.mean(block) >= config.mastery:
            break
    return edges, right


def drawn(design, n, seed=0):
    trials, rng = records.training(design), np.random.default_rng(seed)
    return trials[rng.integers(len(trials), size=n)], rng.random(n)


CHANGES = {"k": 0.4, "gamma": 0.01, "beta": 0.07}, {}, {"mastery": 0.6}, {"k": 0.4, "mastery": 0.6}


@pytest.mark.parametrize(("design", "changes"), list(zip(SMALL, CHANGES, strict=True)), ids=str)
def test_training_is_the_plain_loop(design, changes):
    trials, uniforms = drawn(design, 430)
    config = EPSConfig(design, block=50, **changes)
    weights, blocks = eps.learn(trials, uniforms, config)
    edges, right = naive_training(trials, uniforms, config)
    assert blocks == pytest.approx([np.mean(right[k : k + 50]) for k in range(0, len(right), 50)])
    names = design.tokens[: len(weights)]
    for row, first in zip(weights, names, strict=True):
        for weight, second in zip(row, names, strict=True):
            assert weight == pytest.approx(edges.get((first, second), np.nan), nan_ok=True)


def steps(weights, beta, loops):
    """The chance of each step, as a dict of dicts; with ``loops`` as strong as the strongest edge."""
    chances = {}
    for i, row in enumerate(weights.tolist()):
        edges = {j: weight for j, weight in enumerate(row) if not math.isnan(weight)}
        if loops:
            edges[i] = max(edges.values(), default=0)
        total = sum(math.exp(beta * weight) for weight in edges.values())
        chances[i] = {j: math.exp(beta * weight) / total for j, weight in edges.items()}
    return chances


def dijkstra(chances, start):
    """The chance of the most probable path to each stimulus that can be reached."""
    best, queue = {}, [(0.0, start)]
    while queue:
        cost, node = heapq.heappop(queue)
        if node not in best:
            best[node] = cost
            for target, chance in chances[node].items():
                heapq.heappush(queue, (cost - math.log(chance), target))
    return {target: math.exp(-cost) for target, cost in best.items()}


def test_diffusion_is_the_limit_of_its_steps():
    config = EPSConfig(SMALL[2])
    weights, _ = eps.learn(*drawn(SMALL[2], 400), config)
    n, chances = len(weights), steps(weights, config.beta, loops=True)
    first = np.array([[chances[i].get(j, 0) for j in range(n)] for i in range(n)])
    enters = first.sum(axis=0)
    normalised = np.array([[sum(first[i] * first[j] / enters) for j in range(n)] for i in range(n)])
    w = normalised
    for _ in range(300):  # 0.9 ** 300 is below 1e-13
        w = config.alpha * normalised @ w @ normalised + (1 - config.alpha) * normalised
    matrix = eps.diffused(weights, config.beta, config.alpha)
    assert matrix == pytest.approx(w, abs=1e-10) and matrix.sum(axis=1) == pytest.approx(np.ones(n))


@pytest.mark.parametrize("enhancement", eps.ENHANCEMENTS)
def test_choices_are_the_plain_loops(enhancement):
    """After few trials, so that some have met nobody."""
    for design in SMALL:
        agent = eps.train(EPSConfig(design, enhancement, trials=60), seed=1)
        config, tests = agent.config, records.probe(design, 20, np.random.default_rng(0))
        paths = {i: dijkstra(steps(agent.weights, config.beta, loops=False), i) for i in range(len(agent.weights))}
        direct = 0
        for (sample, *options, _), answer in zip(tests.tokens.tolist(), agent.choose(tests.question()), strict=True):
            edges = agent.weights[sample, options]
            if enhancement != "none":
                strengths = agent.recalled[sample, options]
                scores = np.exp(config.test_beta * strengths / max(strengths.sum(), 1e-300))
            elif not np.isnan(edges).any():
                scores, direct = np.exp(config.beta * edges), direct + 1
            else:
                scores = np.array([paths[sample].get(option, 0) for option in options])
            scores = scores if sum(scores) else np.ones(3)
            assert answer == pytest.approx(scores / sum(scores)), design
        if enhancement == "none" and design.relation == "select-reject":
            assert 0 < direct < len(tests)  # both ways were taken


def shares(config, seed=0, trials=None):
    """The share of right best answers by type of trial."""
    tests = records.tests(config.design) if trials is None else trials
    right = scoring.judge(eps.train(config, seed), tests, seed=seed).choices["argmax"] == tests.correct
    return [right[tests.types == name].mean() for name in records.TYPES]


@pytest.mark.parametrize("enhancement", eps.ENHANCEMENTS)
def test_equivalence_emerges_as_in_the_facts(enhancement):
    """§ 6: 1 1 1 in every cell, but for the transitivity of LS select-only in the enhanced agent."""
    for structure, relation in itertools.product(STRUCTURES, ("select-reject", "select-only")):
        design = Design(structure, relation)
        trials = records.probe(design, 30, np.random.default_rng(0))
        rates = shares(EPSConfig(design, enhancement), 0, trials)
        if (structure, relation, enhancement) == ("LS", "select-only", "symmetric"):
            assert 0.75 < rates.pop() < 0.95  # .843
        assert rates == [1.0] * len(rates), (structure, relation)


@pytest.mark.parametrize("structure", [*STRUCTURES, ("AB", "CB", "CD")])
def test_it_is_no_exclusion(structure):
    """With standard negatives the associative floor is at chance on what was not trained; these agents are not."""
    design = Design(structure, negatives="standard", members=7 if structure in STRUCTURES else 4)
    assert shares(EPSConfig(design, "none")) == shares(EPSConfig(design, "symmetric")) == [1.0] * 4
