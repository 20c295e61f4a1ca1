"""Each exercise of the notebooks takes right answers, and tells every wrong one what is the matter."""

from __future__ import annotations

import math
from itertools import permutations

import pandas as pd
from cases import case

from cogkit.app.exercises import check
from cogkit.extras.models.lm.prompts import Prompt
from cogkit.extras.models.lm.replies import named
from cogkit.mewl import exercises
from cogkit.stats import wilson


def first_comes_first(utterances, options):
    """Order of mention, by trying every order of six words."""
    pairs, ends = ([(text.split()[0], text.split()[2]) for text in texts] for texts in (utterances, options))
    words = sorted({word for pair in (*pairs, *ends) for word in pair})
    votes = [0] * 5
    for order in permutations(words):
        place = {word: k for k, word in enumerate(order)}
        if all(place[a] < place[b] for a, b in pairs):
            fits = [place[a] < place[b] for a, b in ends]
            if sum(fits) == 1:
                votes[fits.index(True)] += 1
    return votes.index(max(votes))


def by_tables(panels, query, options):
    """The one option whose word, of one attribute in which words and values go together, has the query's value."""
    for place in (0, 1, 2):
        pairs = {(word, thing[place]) for thing, word in panels}
        if len(pairs) == len({word for word, _ in pairs}) == len({value for _, value in pairs}):
            return next(k for k, word in enumerate(options) if (word, query[place]) in pairs)
    return 0


def rational(things, target, alpha):
    chances = {value: 1.0 / len([thing for thing in things if value in thing]) for value in things[target]}
    total = sum(chance**alpha for chance in chances.values())
    return {value: chance**alpha / total for value, chance in chances.items()}


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


def as_the_program(text, options):
    return named(Prompt("", (("user", "Which name?"),), tuple(options), labelled=True), text)[1]


def per_token(logs, sizes):
    weights = [math.exp(log / size) for log, size in zip(logs, sizes, strict=True)]
    return [weight / sum(weights) for weight in weights]


def apart(right, n, floor_right, floor_n):
    return wilson(right, n)[0] > wilson(floor_right, floor_n)[1]


RIGHT = {
    "07-blind": [first_comes_first],
    "07-name": [by_tables],
    "07-speaker": [rational],
    # (34.2 - 33.3) / 66.7 and (57.3 - 58.9) / 41.1, by hand
    "07-above": [{"Aloe, shape": 0.0130, "Flamingo, bootstrap": -0.0389}],
    "08-eliminate": [eliminating],
    "08-above": [above],
    "08-hidden": [hidden, lambda shares: pd.Series(hidden(shares))],
    "12-reader": [as_the_program],
    "12-per-token": [per_token],
    "12-above": [apart],
}
WRONG = {
    "07-blind": [(lambda utterances, options: 0, "right in 0."), (None, "must be a function"),
                 (lambda utterances, options: 7, "")],
    "07-name": [(lambda panels, query, options: 0, "60 episodes of shape"), ("tanse", "must be a function")],
    "07-speaker": [
        (lambda things, target, alpha: dict.fromkeys(things[target], 0.25), "it says"),
        (lambda things, target, alpha: {"red": 1.0}, "one can say"), (0.25, "must be a function"),
    ],
    "07-above": [
        ({"Aloe, shape": 0.342, "Flamingo, bootstrap": -0.0389}, "Aloe, shape: 0.342 is too high"),
        ({"Aloe, shape": 0.013}, "'Flamingo, bootstrap' is missing"), (0.1, "Aloe"),
    ],
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
    "12-reader": [  # they credit what is no choice
        (lambda text, options: "ABCDE".find(text[:1]), ""),
        (lambda text, options: max("ABC".find(text[-1:]), 0), ""),
        (lambda text, options: next((k for k, option in enumerate(options) if option in text), -1), ""),
        (lambda text, options: next((k for k, letter in enumerate("ABC") if letter in text), -1), ""),
    ],
    "12-per-token": [
        (lambda logs, sizes: per_token(logs, [1] * len(logs)), ""),
        (lambda logs, sizes: per_token(logs, sizes)[:-1], ""),
    ],
    "12-above": [
        (lambda right, n, floor, m: right / n > floor / m, ""),
        (lambda right, n, floor, m: wilson(right, n)[0] > floor / m, ""), (lambda *counts: True, ""),
    ],
}  # fmt: skip


def test_all_are_tested():
    names = {name for name in exercises.EXERCISES if name[:2] in ("07", "08")}
    assert names == {name for name in RIGHT if name[:2] in ("07", "08")} and names < set(WRONG)


def test_right_answers_pass():
    for name, answers in RIGHT.items():
        for answer in answers:
            with case(name):
                assert str(check(name, answer)).startswith("Correct")


def test_wrong_answers_are_told_what_is_wrong():
    for name, answers in WRONG.items():
        for answer, phrase in answers:
            with case((name, phrase)):
                verdict = str(check(name, answer))
                assert verdict.startswith("Not yet") and phrase in verdict
