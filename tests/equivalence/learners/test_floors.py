"""Associative floors against the exact figures of § 4.1 of the facts, fractions by hand, and a plain loop."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from cogkit.equivalence import scoring
from cogkit.equivalence.learners import floors
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import RELATIONS, STRUCTURES, Design

# § 4.1 of the facts: structure, relation, undirected; then reflexivity, symmetry, transitivity as printed there.
PRINTED = [
    ("LS", "select-reject", False, ".905 .889 .889"),
    ("LS", "select-reject", True, ".980 1.000 .977"),
    ("OTM", "select-reject", False, ".429 .333 .333"),
    ("OTM", "select-reject", True, ".473 1.000 .386"),
    ("MTO", "select-reject", False, ".905 .333 1.000"),
    *[(structure, "select-only", False, ".333 .333 .333") for structure in STRUCTURES],
]


def expected(floor, design):
    """The exact share of right answers by type of trial, over every test."""
    tests = records.tests(design)
    right = scoring.judge(floor, tests).right
    return {name: right[tests.types == name].mean(dtype=float) for name in records.TYPES}


def printed(share):
    return f"{share:.3f}".removeprefix("0")


@pytest.mark.parametrize(("structure", "relation", "undirected", "row"), PRINTED)
def test_the_table_of_the_facts(structure, relation, undirected, row):
    design = Design(structure, relation)
    rates = expected(floors.Associative(design, undirected), design)
    assert [printed(rates[name]) for name in records.TYPES] == ["1.000", *row.split()]


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(("undirected", "row"), [(False, ".333 .333 .333"), (True, ".333 1.000 .333")])
def test_standard_negatives_leave_chance(structure, relation, undirected, row):
    design = Design(structure, relation, "standard")
    rates = expected(floors.Associative(design, undirected), design)
    assert [printed(rates[name]) for name in records.TYPES] == ["1.000", *row.split()]


def by_exclusion(known, of=21):
    """The chance of a right comparison never met, where ``known`` of the 21 wrong ones are known to be wrong."""
    ways, unmet = of * (of - 1), of - known
    return Fraction(known * (known - 1) + Fraction(2 * known * unmet, 2) + Fraction(unmet * (unmet - 1), 3), ways)


# Who is not known to be wrong with the sample, by hand: in LS only G is never a sample, in OTM only A ever is one.
BY_HAND = [
    ("LS", False, "reflexivity", (6 + by_exclusion(0)) / 7),
    ("LS", False, "transitivity", (25 + 5 * by_exclusion(0)) / 30),
    ("LS", True, "reflexivity", (6 + by_exclusion(18)) / 7),
    ("LS", True, "transitivity", (25 + 5 * by_exclusion(18)) / 30),
    ("OTM", False, "reflexivity", (1 + 6 * by_exclusion(0)) / 7),
    ("OTM", True, "reflexivity", (1 + 6 * by_exclusion(3)) / 7),
    ("OTM", True, "transitivity", by_exclusion(3)),
    ("MTO", False, "reflexivity", (6 + by_exclusion(0)) / 7),
    ("MTO", True, "reflexivity", (6 + by_exclusion(18)) / 7),
]


@pytest.mark.parametrize(("structure", "undirected", "group", "share"), BY_HAND)
def test_fractions_by_hand(structure, undirected, group, share):
    design = Design(structure)
    rates = expected(floors.Associative(design, undirected), design)
    assert rates[group] == pytest.approx(float(share), abs=1e-6)


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


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize(
    "design",
    [
        Design("LS", "select-reject", members=3, classes=3),
        Design("OTM", "reject-only", members=3, classes=3),
        Design("MTO", "select-only", members=3, classes=4),
        Design(("AB", "CB", "CD"), "select-reject", members=4, classes=3),
        Design(("BA", "BC"), "reject-only", "standard", members=3, classes=4),
    ],
    ids=lambda design: design.condition.replace("/", " "),
)
def test_every_answer_is_the_plain_loops(design, undirected):
    right, wrong = naive(design, undirected)
    assert not any(right[sample] & wrong[sample] for sample in list(right))  # so that no score has to win
    trials = [records.tests(design), records.training(design)]
    floor = floors.Associative(design, undirected)
    for part in trials:
        assert floor.choose(part.question()).tolist() == list(naive_answers(part, right, wrong))


def test_trained_trials_are_all_right():
    for structure in STRUCTURES:
        for relation in RELATIONS:
            trials = records.training(Design(structure, relation))
            assert scoring.judge(floors.Associative(trials.design), trials).right.min() == 1


def test_rows_say_who_it_is():
    design = Design(members=3, classes=3)
    rows = scoring.summarise(scoring.judge(floors.Associative(design, undirected=True), records.tests(design)))
    assert {(row["who"], row["kind"], row["inputs"]) for row in rows} == {
        ("associative, undirected", "floor", "symbols")
    }
    assert not any("hallucinations" in row["metric"] for row in rows)


def test_more_than_256_tokens():
    """Tokens are wider numbers then."""
    design = Design("LS", "select-only", "standard", members=26, classes=6)
    assert len(design.tokens) > 256
    assert expected(floors.Associative(design), design)["baseline"] == 1


def test_all_tests_of_the_paper_at_once():
    design = Design()
    chances = floors.Associative(design).choose(records.tests(design).question())
    assert chances.shape == (246_960, 3) and np.allclose(chances.sum(axis=1), 1)
