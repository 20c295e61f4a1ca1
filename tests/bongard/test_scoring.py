"""From answers to numbers: every share counted again by a plain loop, every interval against what it must hold."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from cases import case
from statsmodels.stats.proportion import proportion_confint

from cogkit.bongard import scoring
from cogkit.bongard.learners import floors
from cogkit.bongard.problems.records import Items
from cogkit.bongard.scoring import assess, groups, interval, judge, result_rows
from cogkit.core.errors import InputError
from cogkit.core.identity import unhashed


class Fixed:
    """Answers each query by a function of its picture's number: problem, side, place."""

    name, kind, inputs = "fixed", "model", "programs"

    def __init__(self, number, chance):
        self.number, self.chance, self.batches = number, chance, []

    def predict(self, question):
        support = [[[self.number(picture) for picture in side] for side in sides] for sides in question.support]
        queries = [self.number(picture) for picture in question.query]
        self.batches.append(list(zip(support, queries, strict=True)))
        return np.array([self.chance(*query) for query in queries])


# Who is asked what


def test_every_problem_is_asked_both_queries_with_the_first_six_in_view(numbered, number):
    learner = Fixed(number, lambda *_: 0.3)
    judge(learner, Items(tuple(numbered(150)), "bongard", "FF"))
    questions = [question for batch in learner.batches for question in batch]
    assert Counter(query for _, query in questions) == {(k, side, 6): 1 for k in range(150) for side in (0, 1)}
    for support, (k, *_) in questions:
        assert support == [[(k, side, place) for place in range(6)] for side in (0, 1)]


def test_as_published_draws_batches_of_eight_and_any_picture(numbered, number):
    learner = Fixed(number, lambda *_: 0.3)
    answers = judge(learner, Items(tuple(numbered(83)), "bongard", "FF"), evaluation="as_published", seed=4)
    assert len(answers.names) == 80 and answers.chance.shape == (80, 2)
    rows = [int(name[-4:]) for name in answers.names]
    batches = [rows[k : k + 8] for k in range(0, 80, 8)]
    assert all(len(set(batch)) == 8 for batch in batches) and len(set(rows)) < 75  # 80 of 83 drawn give about 51
    for support, (k, side, place) in (question for batch in learner.batches for question in batch):
        assert support[side] == [(k, side, other) for other in range(7) if other != place]
        assert len(support[1 - side]) == 6 and {picture[0] for picture in support[1 - side]} == {k}
    again = judge(learner, Items(tuple(numbered(83)), "bongard", "FF"), evaluation="as_published", seed=4)
    other = judge(learner, Items(tuple(numbered(83)), "bongard", "FF"), evaluation="as_published", seed=5)
    assert again.names == answers.names and (again.places == answers.places).all()
    assert other.names != answers.names


def test_as_published_any_of_the_seven_is_as_likely(numbered, number):
    learner = Fixed(number, lambda *_: 0.3)
    places = np.concatenate([
        judge(learner, numbered(80), evaluation="as_published", seed=seed).places.ravel() for seed in range(10)
    ])  # fmt: skip
    counts, n = np.bincount(places, minlength=7), len(places)
    assert n == 1600 and (np.abs(counts - n / 7) < 4 * math.sqrt(n * 6 / 49)).all()


# Answers and ties


def chances(k, side, place) -> float:
    """Uneven, so that each problem has none, one or two right."""
    return ((37 * k + 11 * side) % 100 + 0.25) / 100


def test_every_answer_is_a_plain_loops(numbered, number):
    answers = judge(Fixed(number, chances), Items(tuple(numbered(140)), "bongard", "FF"))
    for k in range(140):
        pair = [chances(k, side, 6) for side in (0, 1)]
        assert answers.chance[k] == pytest.approx(pair)
        assert answers.right[k].tolist() == [pair[0] > 0.5, pair[1] < 0.5]
    right = sum((chances(k, 0, 6) > 0.5) + (chances(k, 1, 6) < 0.5) for k in range(140))
    (row, *_) = result_rows(answers)
    assert row["value"] == right / 280 and row["n"] == 280 and row["task"] == "FF"


def test_one_half_falls_at_random_by_seed(numbered, number):
    problems = numbered(500)
    results = [judge(Fixed(number, lambda *_: 0.5), problems, seed=seed) for seed in (0, 0, 1)]
    assert (results[0].choices == results[1].choices).all() and (results[0].choices != results[2].choices).any()
    assert abs(results[0].right.mean() - 0.5) < 4 * 0.5 / math.sqrt(1000)
    assert abs((results[0].choices[:, 0] == results[0].choices[:, 1]).mean() - 0.5) < 4 * 0.5 / math.sqrt(500)
    assert [result_rows(answers)[0]["value"] for answers in results] == [0.5] * 3  # a guess counts one half
    assert abs(results[0].to_trials().correct.mean() - 0.5) < 4 * 0.5 / math.sqrt(1000)  # in rows it is an answer


def test_what_is_no_probability_is_refused(numbered, number):
    two = r"one number a query, \(4,\), got probabilities .of shape \(4, 2\)"
    for chance, words in ((1.01, "or above 1"), ((0.5, 0.5), two)):
        with case(words), pytest.raises(InputError, match=words):
            judge(Fixed(number, lambda *_, chance=chance: chance), numbered(2))


def test_too_few_problems_and_other_pictures_are_refused(numbered, number):
    with pytest.raises(InputError, match="8 or more, got 7 problems"):
        judge(Fixed(number, lambda *_: 0.5), numbered(7), evaluation="as_published")
    with pytest.raises(InputError, match=r"of uint8, got images of shape \(2, 2, 7, 16, 16\)"):
        judge(floors.Majority(), numbered(2), images=np.zeros((2, 2, 7, 16, 16), np.uint8))


# Intervals


def test_intervals_are_wilsons_of_as_many_observations_as_there_are():
    for right, n in ((0, 40), (40, 40), (13, 40), (399, 400), (1, 1)):  # both answers to a problem alike
        shares = np.array([1.0] * right + [0.0] * (n - right))
        assert interval(shares) == pytest.approx(proportion_confint(right, n, method="wilson"), abs=1e-12)
    shares = np.repeat([0.0, 0.5, 1.0], [100, 200, 100])  # as independent as four hundred pairs can be
    assert interval(shares) == pytest.approx(proportion_confint(400, 800, method="wilson"), abs=1e-4)
    # Answers that exclude one another are no more than answers.
    assert interval(np.full(50, 0.5)) == pytest.approx(proportion_confint(50, 100, method="wilson"), abs=1e-12)


@pytest.mark.parametrize("n", [20, 400])
@pytest.mark.parametrize("alike", [0.0, 0.5, 1.0])
def test_intervals_hold_the_truth_as_often_as_they_say(n, alike):
    """The second answer repeats the first with a chance of ``alike``, else it is drawn anew."""
    rng, hits, tries, share = np.random.default_rng(0), 0, 2000, 0.9
    for _ in range(tries):
        first, anew = rng.random((2, n)) < share
        second = np.where(rng.random(n) < alike, first, anew)
        low, high = interval((first + second.astype(float)) / 2)
        hits += low <= share <= high
    assert hits / tries > (0.93 if n == 400 else 0.91) - 4 * math.sqrt(0.05 * 0.95 / tries)
    assert hits / tries < 0.995


# Rows


def concepts(names) -> scoring.Answers:
    """Answers to problems of these names and concepts; the first query of each is right."""
    responses = np.tile([True, True], (len(names), 1))
    places = np.full((len(names), 2), 6)
    words = [tuple(name.split("_", 1)[1].rsplit("_", 1)[0].split("-")) for name in names]
    return scoring.Answers(
        who="a", kind="model", inputs="pixels", task="CM", names=tuple(names), concepts=tuple(words), places=places,
        chance=np.where(responses, 0.9, 0.1), choices=responses,
    )  # fmt: skip


def test_concepts_strokes_and_super_classes_have_rows_of_their_own(two_shapes):
    def members(names, *shapes) -> dict:
        return {group: rows.tolist() for group, rows in groups(concepts(names), *shapes).items()}

    names = ["hd_convex-necked_0000", "hd_convex-necked_0001", "hd_necked_0003", "hd_symmetric_0001"]
    assert members(names) == {
        "convex-necked": [0, 1], "necked": [2], "symmetric": [3],
        "with convex": [0, 1], "with necked": [0, 1, 2], "with symmetric": [3],
    }  # fmt: skip
    tasks = {row["task"]: row["n"] for row in result_rows(concepts(names))}
    assert tasks["CM"] == 8 and tasks["CM/with necked"] == 6 and len(tasks) == 7
    assert [row["task"] for row in result_rows(concepts(names), concepts=False)] == ["CM"]
    assert members(["ff_nact4_5_0001", "ff_nact9_0001"]) == {"nact4_5": [0], "nact9": [1]}
    basic = ["bd_nail-fish_0000", "bd_nail_0000", "bd_fish_0000"]
    assert members(basic, two_shapes) == {"triangle": [0, 1], "arc": [0, 2]} and members(basic) == {}
    assert members(["ff_nact9_0000", "ff_nact9_0001"]) == {}  # all alike


def test_rows_are_whole(numbered, number):
    learner = Fixed(number, chances)
    problems = {"FF": numbered(20), "train": numbered(16)}
    table = pd.DataFrame(assess(learner, problems, profile="as_published", seed=3, source="here"))
    assert sorted(table.task.unique()) == ["FF", "FF/nact4", "FF/nact5", "train"]
    assert table.groupby("task").metric.nunique()[["FF", "train"]].tolist() == [2, 2]
    shares = table[table.metric == "accuracy, as published"]
    assert shares.low.isna().all() and (shares.interval == "").all() and shares.n.tolist() == [32, 32]
    assert [row["metric"] for row in assess(learner, problems) if row["task"] == "train"] == ["accuracy"]


def test_trial_rows_tell_what_the_answers_are(numbered, number):
    answers = judge(Fixed(number, chances), Items(tuple(numbered(60)), "bongard", "FF"))
    trials = answers.to_trials()
    assert len(trials) == 120 and trials.correct.mean() == answers.right.mean()
    rows = trials.to_dict("records")
    for row in rows:
        name = unhashed(row["item"])
        assert name[:-2] in answers.names and name[-2:] in ("/1", "/2") and len(row["item"]) == len(name) + 9
        assert row["correct"] == (row["response"] == row["extra"]["side"])
        side = ("positive", "negative").index(row["extra"]["side"])
        assert row["extra"]["chance"] == pytest.approx(chances(int(name[-6:-2]), side, 6))
    firsts = [row["extra"]["side"] for row in rows if row["item"].endswith("/1")]
    assert abs(firsts.count("positive") - 30) < 4 * math.sqrt(15)
