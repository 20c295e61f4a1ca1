"""The exercises of notebook 08: right answers pass, near misses are told what is the matter."""

from __future__ import annotations

import pandas as pd
import pytest

from cogkit.app.exercises import check
from cogkit.mewl.learner_exercises import EXERCISES
from cogkit.mewl.paper import reported


def eliminating(question, keep=1.0, drop=0.0):
    scores = []
    for utterances, options in zip(question.utterances, question.options, strict=True):
        heard = {word for text in utterances for word in text.split()}
        scores.append([keep if heard.issuperset(option.split()) else drop for option in options])
    return scores


def above(rows, by=("profile", "task"), metric="accuracy"):
    rows = rows[rows.metric == metric]
    text = rows[rows.who == "text alone"]
    shares = {}
    for row in rows.itertuples():
        same = text
        for name in by:
            same = same[same[name] == getattr(row, name)]
        floor = same.value.mean()
        shares[row.who, row.task] = (row.value - floor) / (1 - floor)
    return shares


def hidden(shares, away=abs):
    """By nine means of eight tasks."""
    tasks = {}
    for who in shares.index:
        moved = {task: shares.loc[who].drop(task).mean() - shares.loc[who].mean() for task in shares.columns}
        tasks[who] = max(moved, key=lambda task: away(moved[task]))
    return tasks


RIGHT = {"08-eliminate": [eliminating], "08-above": [above], "08-hidden": [hidden]}
WRONG = {
    "08-eliminate": [
        (lambda question: [[0] * 5 for _ in question.options], "were heard"),
        (lambda question: eliminating(question, 0.0, 1.0), "were heard"),
        (lambda question: [range(5) for _ in question.options], "highest"),
        (lambda question: [[1] * 4 for _ in question.options], "five numbers"), (None, "must be a function"),
    ],
    "08-above": [
        (lambda rows: above(rows, by=("task",)), "is not"),
        (lambda rows: above(rows, metric="loss"), "leaves out"),
        (lambda rows: {(row.who, row.task): row.value for row in rows.itertuples()}, "is not"),
        (0.5, "must be a function"),
    ],
    "08-hidden": [
        (lambda shares: hidden(shares, away=lambda moved: moved), "moves"),
        (lambda shares: shares.idxmax(axis=1), "moves"), ("number", "must be a function"),
    ],
}  # fmt: skip


def test_all_are_tested():
    assert set(EXERCISES) == set(RIGHT) == set(WRONG)


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_pass(name):
    for answer in RIGHT[name]:
        assert str(check(name, answer)).startswith("Correct")


@pytest.mark.parametrize("name", WRONG)
def test_wrong_answers_are_told_what_is_wrong(name):
    for answer, phrase in WRONG[name]:
        verdict = str(check(name, answer))
        assert verdict.startswith("Not yet") and phrase in verdict, verdict


def test_a_table_as_a_series_is_an_answer_too():
    assert str(check("08-hidden", lambda shares: pd.Series(hidden(shares)))).startswith("Correct")


def test_of_the_printed_machines_the_average_hides_what_it_is_said_to():
    printed = reported.published().pivot(index="who", columns="task", values="value")
    # By hand from Table 2: Flamingo 84.2 on number, of a mean of 41.0; BERT 19.5 on object, of 68.3.
    tasks = hidden(printed)
    assert (tasks["Flamingo-1.1B"], tasks["BERT"]) == ("number", "object")
