"""Associative floors against the exact figures of § 4.1 of the facts and a plain loop."""

from __future__ import annotations

import itertools
from collections import defaultdict

import pytest

from cogkit.equivalence import scoring
from cogkit.equivalence.learners import floors
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


def naive(design, undirected):
    """What was right and wrong with each sample, as names, from one trial after the other."""
    right, wrong = defaultdict(set), defaultdict(set)
    for row in records.training(design).frame().to_dict("records"):
        answer = int(row["response"].removeprefix("O_"))
        for place in (1, 2, 3):
            links, comparison = right if place == answer else wrong, row[f"comparison_{place}"]
            links[row["sample"]].add(comparison)
            if undirected:
                links[comparison].add(row["sample"])
    return right, wrong


def naive_answers(trials, right, wrong):
    """The chance of each comparison, trial by trial, from what `naive` returns."""
    for row in trials.frame().to_dict("records"):
        sample, options = row["sample"], [row[f"comparison_{place}"] for place in (1, 2, 3)]
        scores = [1 if c in right[sample] else 0 if c in wrong[sample] else 0.5 for c in options]
        best = scores.count(max(scores))
        yield [1 / best if score == max(scores) else 0 for score in scores]


SMALL = [
    *(Design(*condition, members=3, classes=3) for condition in zip(STRUCTURES, RELATIONS, strict=True)),
    Design(("AB", "CB", "CD"), "select-reject", members=4, classes=3),
    Design(("BA", "BC"), "reject-only", "standard", members=3, classes=4),
]


@pytest.mark.parametrize("design", SMALL, ids=str)
def test_every_answer_is_the_plain_loops(design):
    for undirected in (False, True):
        right, wrong = naive(design, undirected)
        assert not any(right[sample] & wrong[sample] for sample in list(right))  # so that no score has to win
        floor = floors.Associative(design, undirected)
        for part in (records.tests(design), records.training(design)):
            assert floor.choose(part.question()).tolist() == list(naive_answers(part, right, wrong))
