"""The ideal observer against classes that grow link by link, and against what a test can ask at most."""

from __future__ import annotations

import itertools

import pytest

from cogkit.equivalence import scoring
from cogkit.equivalence.learners.observers import Closure
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import RELATIONS, STRUCTURES, Design

SMALL = [
    *(Design(structure, relation, members=4, classes=3) for structure in STRUCTURES for relation in RELATIONS),
    Design(("AB", "CB", "CD"), "select-only", members=4, classes=4),
    Design(("BA", "BC"), "reject-only", "standard", members=3, classes=4),
]


def naive(design):
    """The class of each stimulus, and pairs of different classes, from one training trial after the other."""
    names = design.tokens[: design.stimuli]
    class_of, wrong = {name: frozenset([name]) for name in names}, set()
    for row in records.training(design).frame().to_dict("records"):
        for place in (1, 2, 3):
            pair = row["sample"], row[f"comparison_{place}"]
            if pair[1] not in class_of:  # a dummy
                continue
            if row["response"] == f"O_{place}":
                whole = class_of[pair[0]] | class_of[pair[1]]
                class_of |= dict.fromkeys(whole, whole)
            else:
                wrong.add(pair)
    both = {*wrong, *(pair[::-1] for pair in wrong)}
    return class_of, {pair for one, two in both for pair in itertools.product(class_of[one], class_of[two])}


@pytest.mark.parametrize("design", SMALL, ids=str)
def test_it_chooses_what_follows_from_the_trained_pairs(design):
    class_of, apart = naive(design)
    tests = records.tests(design)
    answers = Closure(design).choose(tests.question())
    for row, answer in zip(tests.frame().to_dict("records"), answers, strict=True):
        options = [row[f"comparison_{place}"] for place in (1, 2, 3)]
        scores = [1 if o in class_of[row["sample"]] else 0 if (row["sample"], o) in apart else 0.5 for o in options]
        best = scores.count(max(scores))
        assert answer.tolist() == [1 / best if score == max(scores) else 0 for score in scores], row


def test_nobody_can_do_better_where_it_is_called_a_ceiling():
    """Right in all trials of every condition of the paper, trained or tested, under both profiles; else it is none."""
    for structure, relation in itertools.product(STRUCTURES, RELATIONS):
        design = Design(structure, relation, members=4)
        learner = Closure(design)
        assert learner.kind == ("model" if relation == "reject-only" else "observer")
        if learner.kind == "observer":
            for trials, profile in itertools.product((records.tests(design), records.training(design)), scoring.RULES):
                answers = scoring.judge(learner, trials, profile=profile, seed=0)
                assert (answers.right == 1).all() and not answers.speaks
                assert all((places == trials.correct).all() for places in answers.choices.values())
