"""A language model as a classifier: what it reads, and that its answers are scored like those of any classifier."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from saying import Numbered

from cogkit.extras.models import generalization as lm_generalization
from cogkit.generalization import scoring
from cogkit.generalization.instrument import INSTRUMENT
from cogkit.generalization.scoring import SHIFTS

LETTERS = re.compile(r"^([A-Z])\. (\w+)$", re.M)


def read(prompt):
    """Return the labelled rows in a prompt, their groups, the row to classify, and the letter of each group."""
    _, table, last, *_ = prompt.text.split("\n\n")
    columns, *lines = table.split("\n")
    rows = [line.split(", ") for line in lines]
    names, row = last.split("\n")[1:]
    assert columns == f"{names}, group" and names == ", ".join(f"x{k + 1}" for k in range(len(rows[0]) - 1))
    letters = {group: letter for letter, group in LETTERS.findall(prompt.text)}
    numbers = np.array([[float(number) for number in row[:-1]] for row in rows])
    return numbers, [row[-1] for row in rows], np.array([float(number) for number in row.split(", ")]), letters


def nearest(prompt, number=0):
    """Answer with the group of the nearest labelled row."""
    numbers, groups, row, letters = read(prompt)
    return f"ANSWER: {letters[groups[((numbers - row) ** 2).sum(axis=1).argmin()]]}"


class OneNearest:
    """The same on arrays: the nearest of the rows that a learner shows, all numbers rounded."""

    kind, name = "floor", "nearest shown row"

    def __init__(self, learner, problem, prompt):
        self.rows, groups, *_ = read(prompt)
        self.classes = np.array([learner.groups.index(group) for group in groups])

    def predict(self, X):
        gaps = np.round(X, 2)[:, None] - self.rows
        return self.classes[(gaps**2).sum(axis=2).argmin(axis=1)]


def judged(task, answer, n=30, how="text", seed=0, profile="verified"):
    participant = Numbered(answer)
    learner = lm_generalization.Classifier(participant, how=how, seed=seed)
    problem = lm_generalization.INTERVIEW.items(task, n, profile=profile, seed=seed)
    answers = lm_generalization.judge(learner, problem, profile=profile, seed=seed)
    return answers, learner, participant.prompts


@pytest.mark.parametrize("task", ["Linear 0", "Moons 3", "Imbalance 0", "Iris 0"])
def test_a_reader_of_the_prompts_is_the_same_as_a_classifier_of_the_numbers(task):
    answers, learner, prompts = judged(task, nearest, seed=2)
    assert len(prompts) == (1 + len(SHIFTS)) * 30
    same = scoring.judge(OneNearest(learner, answers.items, prompts[0]), answers.items, seed=2)
    assert (answers.predicted == same.predicted).all() and (answers.under_shift == same.under_shift).all()
    assert not answers.missing.any() and answers.shuffled is None is same.shuffled
    rows, others = (scoring.result_rows(each) for each in (answers, same))
    values, expected = ([(row["metric"], row["value"], row["low"]) for row in part] for part in (rows, others))
    assert values == expected + [(name, 0, None) for name in ("refused", "unparsed", "truncated", "failed")]


@pytest.mark.parametrize(("task", "n"), [("Linear 0", 2), ("Imbalance 3", 2), ("Iris 0", 3), ("Digits 0", 10)])
def test_the_shown_rows_are_training_rows_balanced_and_rounded(task, n):
    answers, learner, prompts = judged(task, nearest, 3, seed=4, profile="as_published")
    problem = answers.items
    numbers, groups, _, letters = read(prompts[0])
    assert len(learner.groups) == n == len(letters) == len(set(learner.groups))
    assert Counter(groups) == dict.fromkeys(learner.groups, lm_generalization.SHOWN // n)
    known = Counter(zip(map(tuple, (np.round(problem.x, 2) + 0.0).tolist()), problem.y.tolist(), strict=True))
    rows = Counter(zip(map(tuple, numbers.tolist()), map(learner.groups.index, groups), strict=True))
    assert not rows - known  # each as often as it is among the training rows
    for prompt, row in zip(prompts, problem.x_test, strict=True):
        assert (read(prompt)[2] == np.round(row, 2)).all()
        assert not re.search(r"-0\.00\b|\d\.\d{3}", prompt.text) and problem.task not in prompt.text
    assert len({prompt.text[: prompt.text.index("One more thing")] for prompt in prompts}) == 1


def test_rows_and_names_are_drawn_by_the_seed():
    problem, starts = INSTRUMENT.items("Moons 0", 1), []
    for seed in (0, 0, 1):
        learner = lm_generalization.Classifier(participant := Numbered(nearest), seed=seed)
        learner.fit(problem.x, problem.y).predict(problem.x_test)
        starts.append((learner.groups, participant.prompts[0].text))
    assert starts[0] == starts[1] and starts[0][0] != starts[2][0] and starts[0][1] != starts[2][1]


def test_letters_turn_round_and_the_first_one_is_right_by_chance():
    answers, learner, prompts = judged("Moons 0", lambda prompt, number: "ANSWER: A", 180)
    n = len(prompts)
    first = np.array([learner.groups.index(prompt.options[0]) for prompt in prompts])
    assert abs(first.mean() - 0.5) <= 4 * 0.5 / np.sqrt(n)
    assert (answers.predicted == first[:180]).all() and (answers.under_shift.ravel() == first[180:]).all()
    assert abs(answers.right.mean() - 0.5) <= 4 * 0.5 / np.sqrt(180)
