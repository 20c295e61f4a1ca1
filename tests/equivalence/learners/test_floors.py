"""Associative floors and the ideal observer against plain loops and the exact figures of § 4.1 of the facts."""

from __future__ import annotations

import itertools
from collections import defaultdict

import pytest

from cogkit.equivalence import scoring
from cogkit.equivalence.learners import floors
from cogkit.equivalence.learners.observers import Closure
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import RELATIONS, STRUCTURES, Design

# § 4.1 of the facts: structure, relation, undirected; then reflexivity, symmetry, transitivity as printed there.
PRINTED = [
    ("LS", "select-reject", False, [0.905, 0.889, 0.889]),
    ("LS", "select-reject", True, [0.980, 1.000, 0.977]),
    ("OTM", "select-reject", False, [0.429, 0.333, 0.333]),
    ("OTM", "select-reject", True, [0.473, 1.000, 0.386]),
    ("MTO", "select-reject", False, [0.905, 0.333, 1.000]),
    *[(structure, "select-only", False, [0.333, 0.333, 0.333]) for structure in STRUCTURES],
]


def expected(design, undirected=False):
    """The exact share of right answers by type of trial, over every test."""
    tests = records.tests(design)
    right = scoring.judge(floors.Associative(design, undirected), tests).right
    return {name: right[tests.types == name].mean(dtype=float) for name in records.TYPES}


def test_the_table_of_the_facts():
    for structure, relation, undirected, row in PRINTED:
        rates = expected(Design(structure, relation), undirected)
        assert [round(rates[name], 3) for name in records.TYPES] == [1, *row], (structure, relation, undirected)


def test_standard_negatives_leave_chance():
    for structure, relation in itertools.product(STRUCTURES, RELATIONS):
        for undirected, row in ((False, [0.333, 0.333, 0.333]), (True, [0.333, 1.000, 0.333])):
            rates = expected(Design(structure, relation, "standard"), undirected)
            assert [round(rates[name], 3) for name in records.TYPES] == [1, *row], (structure, relation, undirected)


def options_of(trials):
    """Yield of each trial, as names, the sample and the comparisons, and the place of the right one."""
    for row in trials.frame().to_dict("records"):
        yield row["sample"], [row[f"comparison_{place}"] for place in (1, 2, 3)], int(row["response"][-1]) - 1


def answers(trials, right, wrong):
    """The chances of the comparisons of each trial, given what is right and what is wrong with each sample."""
    chances = []
    for sample, options, _ in options_of(trials):
        scores = [1 if option in right[sample] else 0 if option in wrong[sample] else 0.5 for option in options]
        best = scores.count(max(scores))
        chances.append([1 / best if score == max(scores) else 0 for score in scores])
    return chances


def naive(design, undirected):
    """What was right and wrong with each sample, from one trial after the other."""
    right, wrong = defaultdict(set), defaultdict(set)
    for sample, options, answer in options_of(records.training(design)):
        for place, comparison in enumerate(options):
            links = right if place == answer else wrong
            links[sample].add(comparison)
            if undirected:
                links[comparison].add(sample)
    return right, wrong


SMALL = [
    *(Design(*condition, members=4, classes=3) for condition in itertools.product(STRUCTURES, RELATIONS)),
    Design(("AB", "CB", "CD"), "select-reject", members=4, classes=3),
    Design(("AB", "CB", "CD"), "select-only", members=4, classes=4),
    Design(("BA", "BC"), "reject-only", "standard", members=3, classes=4),
]


@pytest.mark.parametrize("design", SMALL, ids=str)
def test_every_answer_is_the_plain_loops(design):
    for undirected in (False, True):
        right, wrong = naive(design, undirected)
        assert not any(right[sample] & wrong[sample] for sample in list(right))  # so that no score has to win
        floor = floors.Associative(design, undirected)
        for part in (records.tests(design), records.training(design)):
            assert floor.choose(part.question()).tolist() == answers(part, right, wrong)


# The ideal observer


def classes(design):
    """The class of each stimulus, and all of other classes, from one training trial after the other."""
    names = design.tokens[: design.stimuli]
    class_of, wrong, apart = {name: frozenset([name]) for name in names}, set(), defaultdict(set)
    for sample, options, answer in options_of(records.training(design)):
        for place, comparison in enumerate(options):
            if comparison in class_of and place == answer:  # and no dummy
                whole = class_of[sample] | class_of[comparison]
                class_of |= dict.fromkeys(whole, whole)
            elif comparison in class_of:
                wrong |= {(sample, comparison), (comparison, sample)}
    for one, other in wrong:
        for name in class_of[one]:
            apart[name] |= class_of[other]
    return class_of, apart


@pytest.mark.parametrize("design", SMALL, ids=str)
def test_the_observer_chooses_what_follows_from_the_trained_pairs(design):
    tests = records.tests(design)
    assert Closure(design).choose(tests.question()).tolist() == answers(tests, *classes(design))


def test_nobody_can_do_better_where_it_is_called_a_ceiling():
    """Right in all trials of every condition of the paper, trained or tested, under both profiles; else it is none."""
    for structure, relation in itertools.product(STRUCTURES, RELATIONS):
        design = Design(structure, relation, members=4)
        learner = Closure(design)
        assert learner.kind == ("model" if relation == "reject-only" else "observer")
        if learner.kind == "observer":
            for trials, profile in itertools.product((records.tests(design), records.training(design)), scoring.RULES):
                result = scoring.judge(learner, trials, profile=profile, seed=0)
                assert (result.right == 1).all() and not result.speaks
                assert all((places == trials.correct).all() for places in result.choices.values())
