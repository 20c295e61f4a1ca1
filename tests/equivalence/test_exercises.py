"""Each exercise takes the right answer, and tells every wrong one what is the matter; nothing makes a check raise."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from cogkit.app.exercises import check, unanswered
from cogkit.equivalence.exercises import EXERCISES
from cogkit.equivalence.problems.records import Design

OWN = Design(("AB", "CB", "CD"), members=4)
# By hand: trained A to B, C to B, C to D.
TOLD = {
    "AB": ("baseline", 0), "DD": ("reflexivity", 0), "DC": ("symmetry", 0), "AC": ("equivalence", 1),
    "DA": ("equivalence", 2),
}  # fmt: skip
SERIES = Design(("DC", "CB", "BA"), members=4)
SERIES_TOLD = {
    "CB": ["baseline", 0], "AA": ("reflexivity", np.int64(0)), "BC": ("symmetry", 0), "DA": ("transitivity", 2),
    "AC": ("equivalence", 1),
}  # fmt: skip


def seen(trained, directed=True):
    """How every comparison fared beside every sample: 1 right, 0 wrong, a half never met."""
    tokens = len(trained.design.tokens)
    matrix = np.full((tokens, tokens), 0.5)
    samples, rows = trained.tokens[:, 0], np.arange(len(trained))
    for place in (1, 2, 3):
        matrix[samples, trained.tokens[:, place]] = 0
    right = trained.tokens[rows, 1 + trained.correct]
    matrix[samples, right] = 1
    if not directed:
        matrix[right, samples] = 1
    return matrix


def exclusion(trained, question):
    return seen(trained)[question.sample[:, None], question.comparisons]


def pairs_both_ways(trained, question):
    return seen(trained, directed=False)[question.sample[:, None], question.comparisons]


def rote(trained, question):
    """Knows what was right, and nothing of what was wrong."""
    return (seen(trained)[question.sample[:, None], question.comparisons] == 1).astype(int)


def knows_classes(trained, question):
    members = trained.design.members
    return question.comparisons // members == question.sample[:, None] // members


def guesses(trained, question):
    return np.zeros((len(question), 3))


def one_table(stimuli, width, rng):
    table = rng.normal(size=(stimuli, width))
    return table, table


def views_of_one(stimuli, width, rng):
    table = rng.normal(size=(stimuli, width))
    return table[:], table


def two_tables(stimuli, width, rng):
    return rng.normal(size=(stimuli, width)), rng.normal(size=(stimuli, width))


def a_copy(stimuli, width, rng):
    table = rng.normal(size=(stimuli, width))
    return table, table.copy()


def too_narrow(stimuli, width, rng):
    table = rng.normal(size=(stimuli, width - 1))
    return table, table


def limit(n: int) -> float:
    """The smallest share with 99.9 % of all random responders at or below it, by adding up their chances."""
    below, term, k = Fraction(0), Fraction(2, 3) ** n, 0
    while (below := below + term) < Fraction(999, 1000):
        term, k = term * (n - k) / (2 * (k + 1)), k + 1
    return k / n


RIGHT = {
    "09-which-agent": [exclusion, lambda trained, question: exclusion(trained, question).tolist()],
    "09-pair-type": [(OWN, TOLD), [SERIES, SERIES_TOLD]],
    "09-random-limit": [limit(4 * 1260), 0.354, "0.3540", np.float32(0.35396826)],
    "09-shared-table": [one_table, views_of_one],
    "11-perfect-shortcut": ["LS/select-only/symmetry", "MTO/select-reject/transitivity", "OTM/select-reject/symmetry"],
}
WRONG = {
    "09-which-agent": [pairs_both_ways, rote, knows_classes, guesses],
    "09-pair-type": [
        (OWN, {}),
        (OWN, {name: TOLD[name] for name in ("AB", "DD", "DC")}),
        (OWN, TOLD | {"AC": ("transitivity", 1)}),
        (OWN, TOLD | {"DA": ("equivalence", 1)}),
        (OWN, TOLD | {"AE": ("equivalence", 1)}),
        (Design(), {"AB": ("baseline", 0)}),
        (("AB", "BC"), TOLD),
    ],
    "09-random-limit": [limit(1260), 1 / 3, 0, 1784, 35.4, -1],
    "09-shared-table": [two_tables, a_copy, too_narrow],
    "11-perfect-shortcut": [
        "LS/select-only/transitivity",
        "LS/select-reject/baseline",
        "LS/select-only",
        "symmetry",
        7,
    ],
}
JUNK = [
    None, ..., [...], True, float("nan"), float("inf"), "", "abc", b"abc", [], {}, {1: 2}, [[]], [None], object(), int,
    print, 1j, 10**5000, np.zeros((0, 3)), np.array(None), np.array([...]), Exception("what"), iter(()), lambda: 1 / 0,
    [1, "a"], range(3), lambda *a: None, lambda *a: "abc", lambda *a: np.full((3, 3), np.nan), (OWN, None),
    lambda trained, question: np.full((len(question), 3), np.nan), (OWN, {"AB": 1}),
]  # fmt: skip


def test_limits_by_addition_are_the_known_ones():
    assert (round(limit(1260), 4), round(limit(5040), 4)) == (0.3746, 0.3540)  # facts § 1


def test_every_exercise_is_tested():
    assert set(EXERCISES) == set(RIGHT) == set(WRONG)


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_pass(name):
    for answer in RIGHT[name]:
        verdict = check(name, answer)
        assert verdict.passed and verdict.text == f"Correct. {EXERCISES[name].why}", (answer, verdict.text)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_answers_are_told_what_is_the_matter(name):
    for answer in WRONG[name]:
        message = EXERCISES[name].check(answer)
        assert isinstance(message, str) and message and "\n" not in message and len(message) < 160, answer
        verdict = check(name, answer)
        assert not verdict.passed and message in verdict.text and EXERCISES[name].hint in verdict.text
        assert verdict.text.startswith("Not yet: ")


@pytest.mark.parametrize("name", EXERCISES)
def test_nothing_makes_a_check_raise_and_no_junk_passes(name):
    for answer in JUNK:
        verdict = check(name, answer)
        assert not verdict.passed and (unanswered(answer) or EXERCISES[name].hint in verdict.text), answer
    assert check(name, ...).text.startswith("Not answered yet.")


@pytest.mark.parametrize(
    ("agent", "known"),
    [(rote, "0.33 of reflexivity"), (pairs_both_ways, "1.00 of symmetry"), (guesses, "0.33 of baseline")],
)
def test_an_agent_is_told_its_share(agent, known):
    assert known in EXERCISES["09-which-agent"].check(agent)


def test_what_is_asked_for_in_a_structure_is_every_relation_it_has():
    message = EXERCISES["09-pair-type"].check((SERIES, {"CB": ("baseline", 0), "AA": ("reflexivity", 0)}))
    assert message == "there is no pair yet for equivalence and symmetry and transitivity"
