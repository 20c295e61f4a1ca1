"""Answers of which the exercises tell what is wrong, beside the mistakes of the notes, which run with the notebooks."""

from __future__ import annotations

from cases import case

from cogkit.app.exercises import check
from cogkit.stats import wilson

WRONG = [
    ("07-blind", lambda utterances, options: 7, ""),
    ("07-name", "tanse", "must be a function"),
    ("07-speaker", lambda things, target, alpha: {"red": 1.0}, "one can say"),
    ("07-above", {"Aloe, shape": 0.013}, "'Flamingo, bootstrap' is missing"),
    ("08-eliminate", lambda question: [[0.0] * 5 for _ in question.options], "were heard"),
    ("08-eliminate", lambda question: [range(5) for _ in question.options], "highest"),
    ("08-eliminate", lambda question: [[1] * 4 for _ in question.options], "five numbers"),
    ("08-above", lambda rows: {}, "leaves out"),
    # they credit what is no choice
    ("12-reader", lambda text, options: "ABCDE".find(text[:1]), ""),
    ("12-reader", lambda text, options: max("ABC".find(text[-1:]), 0), ""),
    ("12-reader", lambda text, options: next((k for k, option in enumerate(options) if option in text), -1), ""),
    ("12-reader", lambda text, options: next((k for k, letter in enumerate("ABC") if letter in text), -1), ""),
    ("12-per-token", lambda logs, sizes: [1.0] * (len(logs) - 1), ""),
    ("12-above", lambda right, n, floor, m: wilson(right, n)[0] > floor / m, ""),
    ("12-above", lambda *counts: True, ""),
]


def test_wrong_answers_are_told_what_is_wrong():
    for name, answer, phrase in WRONG:
        with case((name, phrase)):
            verdict = str(check(name, answer))
            assert verdict.startswith("Not yet") and phrase in verdict
