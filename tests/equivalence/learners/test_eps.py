"""EPS and E-EPS against plain loops, the figures of § 6 of the facts, and what the model is known to do."""

from __future__ import annotations

import heapq
import math

import numpy as np
import pytest

from cogkit.core.contracts import InputError
from cogkit.equivalence import scoring
from cogkit.equivalence.learners import eps, floors
from cogkit.equivalence.learners.eps import EPSConfig
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import STRUCTURES, Design

SMALL = [
    Design("LS", "select-reject", members=3, classes=3),
    Design("OTM", "select-only", members=3, classes=3),
    Design(("AB", "CB", "CD"), "reject-only", members=4, classes=3),
    Design("MTO", "select-reject", "standard", members=3, classes=4),
]


def named(design):
    return design.condition.replace("/", " ")


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


@pytest.mark.parametrize("changes", [{}, {"k": 0.4, "gamma": 0.01, "beta": 0.07}, {"mastery": 0.6}], ids=str)
@pytest.mark.parametrize("design", SMALL, ids=named)
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


@pytest.mark.parametrize("n", [3, 400])
@pytest.mark.parametrize("design", SMALL, ids=named)
def test_best_paths_are_dijkstras(design, n):
    config = EPSConfig(design)
    weights, _ = eps.learn(*drawn(design, n), config)
    chances = steps(weights, config.beta, loops=False)
    likelihoods = np.exp(eps.best_paths(weights, config.beta))
    for start, row in enumerate(likelihoods):
        paths = dijkstra(chances, start)
        assert row == pytest.approx([paths.get(target, 0) for target in range(len(row))])


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("design", SMALL, ids=named)
def test_diffusion_is_the_limit_of_its_steps(design, symmetric):
    config = EPSConfig(design)
    weights, _ = eps.learn(*drawn(design, 400), config)
    n, chances = len(weights), steps(weights, config.beta, loops=True)
    first = np.array([[chances[i].get(j, 0) for j in range(n)] for i in range(n)])
    t = first
    if symmetric:
        enters = first.sum(axis=0)
        t = np.array([[sum(first[i] * first[j] / enters) for j in range(n)] for i in range(n)])
        assert t == pytest.approx(t.T)
    w = first
    for _ in range(300):  # 0.9 ** 300 is below 1e-13
        w = config.alpha * t @ w @ t + (1 - config.alpha) * t
    matrix = eps.diffused(weights, config.beta, config.alpha, symmetric)
    assert matrix == pytest.approx(w, abs=1e-10)
    assert matrix.sum(axis=1) == pytest.approx(np.ones(n))


@pytest.mark.parametrize("enhancement", eps.ENHANCEMENTS)
@pytest.mark.parametrize("design", SMALL, ids=named)
def test_choices_are_the_plain_loops(design, enhancement):
    agent = eps.train(EPSConfig(design, enhancement, trials=60), seed=1)
    config, tests = agent.config, records.tests(design)
    paths = {i: dijkstra(steps(agent.weights, config.beta, loops=False), i) for i in range(len(agent.weights))}
    direct = 0
    for (sample, *options, _), answer in zip(tests.tokens.tolist(), agent.choose(tests.question()), strict=True):
        edges = [agent.weights[sample, option] for option in options]
        if enhancement != "none":
            strengths = [agent.recalled[sample, option] for option in options]
            scores = [
                math.exp(config.test_beta * strength / sum(strengths)) if sum(strengths) > 0 else 1
                for strength in strengths
            ]
        elif not any(map(math.isnan, edges)):
            scores, direct = [math.exp(config.beta * edge) for edge in edges], direct + 1
        else:
            scores = [paths[sample].get(option, 0) for option in options]
        scores = scores if sum(scores) else [1, 1, 1]
        assert answer == pytest.approx(np.array(scores) / sum(scores))
    if enhancement == "none" and design.relation == "select-reject":
        assert 0 < direct < len(tests)  # both ways were taken


def shares(config, seed=0, trials=None):
    """The share of right best answers by type of trial."""
    tests = records.tests(config.design) if trials is None else trials
    right = scoring.judge(eps.train(config, seed), tests, seed=seed).choices["argmax"] == tests.correct
    return [right[tests.types == name].mean() for name in records.TYPES]


@pytest.mark.parametrize("enhancement", eps.ENHANCEMENTS)
@pytest.mark.parametrize("relation", ["select-reject", "select-only"])
@pytest.mark.parametrize("structure", STRUCTURES)
def test_equivalence_emerges_as_in_the_facts(structure, relation, enhancement):
    """§ 6: 1 1 1 in every cell, but for one cell of the enhanced agent, which has its own test."""
    rates = shares(EPSConfig(Design(structure, relation), enhancement))
    if (structure, relation, enhancement) == ("LS", "select-only", "symmetric"):
        rates = rates[:3]
    assert rates == [1.0] * len(rates)


def test_the_one_cell_that_falls_short():
    """§ 6: transitivity of LS select-only is .843 with enhancement, one seed; it lies within what seeds give here."""
    tests = records.tests(Design("LS", "select-only"))
    many = [shares(EPSConfig(tests.design), seed, tests)[3] for seed in range(8)]
    spread = np.std(many, ddof=1) * math.sqrt(1 + 1 / len(many))
    assert abs(0.843 - np.mean(many)) < 4 * spread
    assert 0 < spread < 0.03


@pytest.mark.parametrize("enhancement", ["none", "symmetric"])
@pytest.mark.parametrize("structure", STRUCTURES)
def test_it_is_no_exclusion(structure, enhancement):
    """With standard negatives the associative floor is at chance on what was not trained; these agents are not."""
    design = Design(structure, negatives="standard")
    assert shares(EPSConfig(design, enhancement)) == [1.0] * 4
    tests = records.tests(design)
    floor = scoring.judge(floors.Associative(design), tests).right
    assert floor[tests.types != "baseline"].mean() == pytest.approx(1 / 3)


@pytest.mark.parametrize("enhancement", eps.ENHANCEMENTS)
def test_who_has_met_nobody_is_guessed(enhancement):
    """After one trial three pairs have edges; of others the chances are equal."""
    design = Design("LS", members=3, classes=3)
    agent = eps.train(EPSConfig(design, enhancement, trials=1), 0)
    tests, met = records.tests(design), ~np.isnan(agent.weights)
    assert met.sum() == 6
    unmet = ~met.any(axis=0)[tests.tokens[:, 0]]
    strange = unmet & (tests.tokens[:, 1:4] != tests.tokens[:, :1]).all(axis=1)  # itself is known without meeting
    assert strange.sum() > 100
    assert agent.choose(tests[strange].question()) == pytest.approx(np.full((strange.sum(), 3), 1 / 3))


def test_pairs_of_ones_own_three_members_three_classes():
    design = Design(("AB", "CB"), negatives="standard", members=3, classes=3)
    assert shares(EPSConfig(design)) == [1.0] * 4


def test_without_the_edge_back_there_is_no_symmetry():
    """With k = 0 the way back keeps the weight it was made with, whichever comparison it leads to."""
    design = Design("OTM", negatives="standard")
    tests = records.tests(design)
    right = scoring.judge(eps.train(EPSConfig(design, "none", k=0.0), 0), tests).right
    assert right[tests.types == "baseline"].mean() > 0.99
    assert right[tests.types == "symmetry"].mean() == pytest.approx(1 / 3, abs=0.01)


def test_far_stimuli_are_told_apart_less():
    """The nodal effect: E-EPS chooses the right one with less chance the more members lie between."""
    design = Design("LS", negatives="standard")
    tests = records.tests(design)
    table = scoring.judge(eps.train(EPSConfig(design, beta=0.07, alpha=0.8), 0), tests).cells("expected")
    by_nodes = table[table.type == "transitivity"].groupby("nodes")[["right", "n"]].sum()
    assert by_nodes.index.tolist() == [1, 2, 3, 4, 5]
    assert (np.diff(by_nodes.right / by_nodes.n) < 0).all()


def test_relations_go_on_emerging_after_mastery():
    """Training that ends at the criterion knows the trained pairs, and the far ones not yet."""
    tests = records.tests(Design("LS"))
    config = EPSConfig(tests.design, mastery=0.9)
    agent = eps.train(config, 0)
    assert agent.blocks[-1] >= 0.9 and (agent.blocks[:-1] < 0.9).all() and len(agent.blocks) < 20
    baseline, *_, transitivity = shares(config, 0, tests)
    assert baseline > 0.95
    assert transitivity < 0.75 < shares(EPSConfig(tests.design), 0, tests)[3]


def test_a_seed_is_an_agent():
    config = EPSConfig(Design("MTO", members=3, classes=3), trials=500)
    same = [eps.train(config, seed).weights for seed in (3, 3, 4)]
    assert np.array_equal(same[0], same[1], equal_nan=True)
    assert not np.array_equal(same[0], same[2], equal_nan=True)


def test_who_it_says_it_is():
    design = Design(members=3, classes=3)
    agents = [eps.train(EPSConfig(design, name, trials=1), 0) for name in ("none", "directed", "symmetric")]
    assert [(agent.name, agent.kind, agent.inputs) for agent in agents] == [
        ("EPS", "model", "symbols"),
        ("E-EPS, directed", "observer", "symbols"),
        ("E-EPS", "observer", "symbols"),
    ]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"enhancement": "symmetrical"},
            "wanted a network enhancement (none, directed or symmetric), got 'symmetrical': did you mean 'symmetric'?",
        ),
        ({"alpha": 1.0}, "wanted alpha from 0 to below 1, got alpha=1.0"),
        ({"gamma": -0.1}, "wanted gamma from 0 to below 1, got gamma=-0.1"),
        ({"block": 0}, "wanted block of 1 or more, got block=0"),
    ],
)
def test_bad_configs_are_told_in_a_sentence(changes, sentence):
    with pytest.raises(InputError) as error:
        EPSConfig(Design(), **changes)
    assert str(error.value) == sentence


def test_six_thousand_trials_are_fifty_blocks():
    assert len(eps.train(EPSConfig(Design("LS", "select-only")), 0).blocks) == 50
