"""The rule learner: it finds the rule of each family, weighs sizes as Bayes does, and needs a name for the rule."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from cogkit.app import experiments
from cogkit.tiles.learners.rule_learner import RuleLearner, language, rules_of
from cogkit.tiles.problems import records, splits
from cogkit.tiles.rules import PAPER_RULES
from cogkit.tiles.rules.boards import from_bits, to_bits


@pytest.mark.parametrize("rule", PAPER_RULES)
def test_it_finds_the_rule_of_a_family(rule):
    name = next(name for name in splits.HELD if name.startswith(f"{rule}, "))
    learner = RuleLearner(splits.split(name).train)
    # of connected, only rings round straight lines are trained, and these are boxes
    assert max(learner.rules, key=learner.rules.get) == ("ring under single" if rule == "connected" else rule)
    assert sum(learner.rules.values()) == pytest.approx(1) and len(learner.rules) == len(language()) == 8 + 47


def test_a_size_is_as_probable_as_all_ranges_make_it():
    """Pyramids of width 5 and 7 were met, and a third of all are of width 3: every range of sides, one by one."""
    support = records.support("pyramid")
    pool = support.without(from_bits(support.bits[splits.held("pyramid", support.bits)]))
    learner = RuleLearner(pool, 6, without=[name for name in language() if name != "pyramid"])
    boards = from_bits(support.bits)
    sides = np.array([sorted(np.ptp(k) + 1 for k in np.nonzero(board)) for board in boards])
    met = np.array([sorted(np.ptp(k) + 1 for k in np.nonzero(board)) for board in pool.sample(6, 0, "rule learner")])
    weights, total = np.zeros(len(boards)), 0.0
    ranges = [*combinations_with_replacement(range(1, 8), 2)]
    for (a, b), (c, d) in product(ranges, repeat=2):
        prior = 0.5 if (a, b, c, d) == (1, 7, 1, 7) else 0.5 / (len(ranges) ** 2 - 1)
        inside = np.array([a <= short <= b and c <= long <= d for short, long in sides])
        if all(a <= short <= b and c <= long <= d for short, long in met):
            chance = support.probability[inside].sum()
            share = prior / chance ** len(met)
            weights[inside] += share * support.probability[inside] / chance
            total += share
    assert learner.rules == {"pyramid": 1.0}
    reds = boards.sum(axis=(1, 2))  # the start was drawn among them
    assert learner.weight == pytest.approx(weights / total / reds)


def test_with_a_name_for_the_rule_it_is_near_the_ideal_and_without_it_is_not():
    rows = experiments.compare("tiles/rule-learner/tree/beyond-a-chain")
    above = rows[rows.metric == "above memory"].set_index("who")
    assert above.low["rule learner"] > 0.5 and above.high["rule learner without the rule"] < 0
    assert {*rows.kind} == {"model"} and {*rows.supervision} == {"boards"} and {*rows.rung} == {"extrapolation"}


def test_a_language_without_the_tested_rules_has_no_board_of_them_alone():
    name = "grammar, operator framed"
    learner = RuleLearner(splits.split(name).train, without=rules_of(name))
    held = splits.boards(name).held
    alone = ~np.isin(held.bits, np.concatenate([records.support(rule).bits for rule in PAPER_RULES]))
    assert alone.any() and not np.isin(held.bits[alone], learner.support).any()
    assert np.isin(to_bits(splits.split(name).train.sample(50, 0)), learner.support).all()
