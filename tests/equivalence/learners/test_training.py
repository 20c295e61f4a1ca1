"""Training of the networks: the floors of the loss, what they learn, exact resuming, and the rows a cell gives."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
import torch

from cogkit.equivalence import scoring
from cogkit.equivalence.learners import agents, models, training
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import Design
from cogkit.learning import run

TINY = {"gpt": {"width": 16}, "bert": {"width": 16}, "pointer": {"width": 16}, "invariant": {"width": 16}}
DERIVED = ("reflexivity", "symmetry", "transitivity")


def trained(agent: str, design: Design, **changes) -> models.Agent:
    """Return an agent trained at ``quick``."""
    config = agents.config(agent, "quick", design=design, **changes)
    return training.to_agent(run(training.train(config, seed=0, evaluate=None)))


def floor(trials: records.Trials) -> float:
    """Return the least mean loss in nats of a causal model: the entropy of each token given those before it."""
    total = 0.0
    for place in range(1, 5):
        before = Counter(tuple(row[:place]) for row in trials.tokens.tolist())
        upto = Counter(tuple(row[: place + 1]) for row in trials.tokens.tolist())
        total -= sum(count * math.log(count / before[beginning[:place]]) for beginning, count in upto.items())
    return total / len(trials) / 4


def mean_loss(agent: models.Agent, trials: records.Trials) -> float:
    """Return the mean loss over all trials, dropout off."""
    network, sums = agent.network.eval(), 0.0
    with torch.no_grad():
        for part in np.array_split(trials.tokens, 30):
            sums += network.loss(torch.from_numpy(part).long()).item() * len(part)
    return sums / len(trials)


@pytest.mark.parametrize(
    ("structure", "relation", "wanted"),
    [("LS", "select-reject", 1.785), ("MTO", "select-reject", 1.785), ("OTM", "select-reject", 2.233),
     ("LS", "select-only", 1.785), ("MTO", "select-only", 1.785), ("OTM", "select-only", 2.233)],
)  # fmt: skip
def test_the_floors_of_the_loss_are_those_of_the_facts(structure, relation, wanted):
    assert floor(records.training(Design(structure, relation))) == pytest.approx(wanted, abs=5e-4)


@pytest.fixture(scope="module")
def quick():
    """Networks of the ``quick`` size trained on dummies, where 150 steps are enough to come near the floor."""
    runs = {}

    def give(agent: str, structure: str, **changes) -> models.Agent:
        key = (agent, structure, *changes.items())
        if key not in runs:
            runs[key] = trained(agent, Design(structure, "select-only"), iterations=150, **changes)
        return runs[key]

    return give


@pytest.mark.parametrize(("structure", "wanted"), [("LS", 1.785), ("OTM", 2.233)])
def test_a_causal_model_comes_near_its_floor_and_not_below(quick, structure, wanted):
    trials = records.training(Design(structure, "select-only"))
    assert wanted - 5e-4 <= mean_loss(quick("gpt", structure), trials) <= wanted + 0.15


def test_an_unmasked_model_copies_and_falls_below(quick):
    assert mean_loss(quick("bert", "LS"), records.training(Design("LS", "select-only"))) < 0.3


def test_asked_for_the_last_place_alone_the_floor_is_zero(quick):
    trials = records.training(Design("LS", "select-only"))
    agent = quick("gpt", "LS", loss="last")
    assert mean_loss(agent, trials) < 0.05
    assert (scoring.judge(agent, trials).choices["argmax"] == trials.correct).mean() > 0.98


@pytest.mark.parametrize("agent", agents.NAMES)
def test_a_run_taken_up_again_is_the_same_bit_for_bit(agent, tmp_path):
    config = agents.config(agent, "quick", design=Design(members=3), iterations=8, **TINY.get(agent, {}))
    straight = run(training.train(config, seed=2))
    first = training.train(config, seed=2, checkpoint=tmp_path / "run")
    first.steps = 3
    run(first)
    again = run(training.train(config, seed=2, checkpoint=tmp_path / "run"))
    other = run(training.train(config, seed=3))
    expected, result, foreign = (fit.state.modules["network"].state_dict() for fit in (straight, again, other))
    assert all(torch.equal(result[name], value) for name, value in expected.items())
    assert not all(torch.equal(foreign[name], value) for name, value in expected.items())
    assert again.log.equals(straight.log) and again.steps == 8


def test_looking_on_does_not_change_what_is_learnt():
    config = agents.config("gpt", "quick", design=Design(members=3), iterations=6, width=16)
    evaluated = run(training.train(config, seed=0, evaluate_every=1))
    plain = run(training.train(config, seed=0, evaluate=None))
    assert list(evaluated.log) == ["step", "loss", *records.TYPES, "hallucinations"]
    assert (evaluated.log.loss == plain.log.loss).all() and list(plain.log) == ["step", "loss"]


def test_the_heatmap_fills_at_the_first_evaluation():
    config = agents.config("embedding", "quick", design=Design(members=3), iterations=4)
    views = [progress.view() for progress in training.train(config, seed=0, evaluate_every=4)]
    assert np.isnan(views[0]).all() and views[0].shape == (3, 3)
    assert ((views[-1] >= 0) & (views[-1] <= 1)).all()


@pytest.fixture(scope="module")
def shares():
    """Share of right best answers by type of trial: embedding agents at ``quick`` under each condition."""
    rates = {}
    for agent, structure, relation in itertools.product(
        ("embedding", "separate"), records.STRUCTURES, ("select-reject", "select-only")
    ):
        design = Design(structure, relation)
        tests = records.probe(design, 120, np.random.default_rng(0))
        right = scoring.judge(trained(agent, design), tests).choices["argmax"] == tests.correct
        rates[agent, structure, relation] = {name: right[tests.types == name].mean() for name in records.TYPES}
    return rates


@pytest.mark.parametrize("structure", records.STRUCTURES)
def test_one_code_for_both_roles_makes_classes(shares, structure):
    # § 6 of the facts: 1 1 1 in every cell but the transitivity of LS select-only, .722; at least 840 trials a type.
    for relation in ("select-reject", "select-only"):
        for name in DERIVED:
            share = shares["embedding", structure, relation][name]
            if (structure, relation, name) == ("LS", "select-only", "transitivity"):
                assert 0.55 < share < 0.95
            else:
                assert share >= 0.98, (relation, name)


def test_two_codes_for_two_roles_do_not(shares):
    for key, rates in shares.items():
        if key[0] == "separate":
            assert rates["baseline"] > 0.95
    # Of LS select-reject exclusion is enough (§ 4.1: .905 .889 .889); elsewhere it is not, or is not found.
    assert all(0.8 <= shares["separate", "LS", "select-reject"][name] <= 0.96 for name in DERIVED)
    assert all(shares["separate", "OTM", "select-reject"][name] < 0.6 for name in DERIVED)
    assert all(
        0.1 < shares["separate", structure, "select-only"][name] < 0.65
        for structure in records.STRUCTURES
        for name in DERIVED
    )


def test_a_feed_forward_net_learns_what_it_is_trained_on_and_no_more():
    design = Design("OTM")
    tests = records.probe(design, 120, np.random.default_rng(0))
    right = scoring.judge(trained("feed-forward", design), tests).choices["argmax"] == tests.correct
    assert right[tests.types == "baseline"].mean() > 0.95
    assert all(right[tests.types == name].mean() < 0.65 for name in DERIVED)


@pytest.mark.parametrize("profile", ["verified", "as_published"])
def test_a_cell_gives_what_the_agent_reached_and_how_it_came_about(profile):
    design = Design(members=3, classes=3)
    rows = training.LIFE.run(agents.config("gpt", "quick", design=design, iterations=40, width=16), profile, seed=0)
    assert {(row["who"], row["kind"], row["inputs"], row["source"]) for row in rows} == {
        ("GPT", "model", "symbols", "cogkit, float32")
    }
    by_metric = {row["metric"]: row for row in rows if row["task"] == f"{design.condition}/symmetry"}
    assert ("accuracy, as published" in by_metric) == (profile == "as_published")
    assert {"accuracy, argmax", "accuracy, forced choice", "accuracy, expected", "hallucinations, argmax"} <= set(
        by_metric
    )
    curve = [metric for metric in by_metric if "iteration" in metric]
    assert [int(metric.split()[-1]) for metric in curve] == list(range(2, 41, 2))
    assert all(by_metric[metric]["n"] == 2 * 3 * 6 for metric in curve)  # pairs, classes, trials asked
    assert by_metric["accuracy, argmax"]["n"] == 2 * 3 * 3 * 6 * 5  # pairs, classes, places, ordered wrong comparisons
