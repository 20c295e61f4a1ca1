"""Each exercise takes the right answer, and tells every wrong one what is the matter; nothing makes a check raise."""

from __future__ import annotations

import numpy as np
import pytest

from cogkit.app.exercises import check, unanswered
from cogkit.equivalence.exercises import EXERCISES
from cogkit.equivalence.learners.floors import Associative
from cogkit.equivalence.problems.records import Design

OWN = Design(("AB", "CB", "CD"), members=4)
# By hand: trained A to B, C to B, C to D.
TOLD = {
    "AB": ("baseline", 0), "DD": ("reflexivity", 0), "DC": ("symmetry", 0), "AC": ("equivalence", 1),
    "DA": ("equivalence", 2),
}  # fmt: skip


def pairs_both_ways(trained, question):
    return associative(trained, question, undirected=True)


def associative(trained, question, undirected=False):
    return Associative(trained.design, undirected).scores[question.sample[:, None], question.comparisons]


def rote(trained, question):
    """Knows what was right, and nothing of what was wrong."""
    return (associative(trained, question) == 1).astype(int)


def knows_classes(trained, question):
    members = trained.design.members
    return question.comparisons // members == question.sample[:, None] // members


def guesses(trained, question):
    return np.zeros((len(question), 3))


def one_table(stimuli, width, rng):
    table = rng.normal(size=(stimuli, width))
    return table, table


def two_tables(stimuli, width, rng):
    return rng.normal(size=(stimuli, width)), rng.normal(size=(stimuli, width))


def a_copy(stimuli, width, rng):
    table, _ = one_table(stimuli, width, rng)
    return table, table.copy()


RIGHT = {
    "09-which-agent": [associative, lambda trained, question: associative(trained, question).tolist()],
    "09-pair-type": [(OWN, TOLD), [OWN, {pair: list(answer) for pair, answer in TOLD.items()}]],
    "09-random-limit": [1784 / 5040, 0.354, "0.3540", np.float32(0.35396826)],
    "09-shared-table": [one_table, lambda *args: tuple(table[:] for table in one_table(*args))],
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
    "09-random-limit": [472 / 1260, 1 / 3, 0, 1784, 35.4, -1],
    "09-shared-table": [two_tables, a_copy, lambda stimuli, width, rng: one_table(stimuli, width - 1, rng)],
    "11-perfect-shortcut": ["LS/select-only/transitivity", "LS/select-reject/baseline", "LS/select-only", 7],
}
JUNK = [
    None, ..., [...], True, float("nan"), float("inf"), "", "abc", b"abc", [], {}, {1: 2}, [[]], [None], object(), int,
    print, 1j, 10**5000, np.zeros((0, 3)), np.array(None), np.array([...]), Exception("what"), iter(()), lambda: 1 / 0,
    [1, "a"], range(3), lambda *a: None, lambda *a: "abc", lambda *a: np.full((3, 3), np.nan), (OWN, None),
    lambda trained, question: np.full((len(question), 3), np.nan), (OWN, {"AB": 1}),
]  # fmt: skip


@pytest.mark.parametrize("name", EXERCISES)
def test_right_answers_pass_wrong_ones_are_told_why_and_no_junk_raises(name):
    why, hint = EXERCISES[name].why, EXERCISES[name].hint
    for answer in RIGHT[name]:
        verdict = check(name, answer)
        assert verdict.passed and verdict.text == f"Correct. {why}", (answer, verdict.text)
    for answer in WRONG[name]:
        message = EXERCISES[name].check(answer)
        assert isinstance(message, str) and message and "\n" not in message and len(message) < 160, answer
        verdict = check(name, answer)
        assert not verdict.passed and message in verdict.text and hint in verdict.text
    for answer in JUNK:
        verdict = check(name, answer)
        assert not verdict.passed and (unanswered(answer) or hint in verdict.text), answer


def test_the_share_of_an_agent_is_told():
    shares = {"0.33 of reflexivity": rote, "1.00 of symmetry": pairs_both_ways, "0.33 of baseline": guesses}
    for share, agent in shares.items():
        assert share in EXERCISES["09-which-agent"].check(agent)
