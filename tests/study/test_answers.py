"""The core of all answers: what is checked, how ties are counted and drawn, and what stands in rows."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from cogkit.core.errors import InputError
from cogkit.core.records import RESULT_COLUMNS, TRIAL_COLUMNS
from cogkit.study import answers
from cogkit.study.answers import OUTCOMES, Answers, checked, described, drawn, shares

RUNNER = {"cell", "instrument", "profile", "preset", "seed", "split", "rung"}  # columns that the runner knows


@dataclass(frozen=True, eq=False, kw_only=True)
class Said(Answers):
    """Yes or no, by number; NaN is no answer."""

    instrument = "parity"
    choices: np.ndarray

    @property
    def missing(self):
        return np.isnan(self.choices)

    def _trials(self):
        for k, value in enumerate(self.choices):
            response = None if np.isnan(value) else int(value)
            yield {"item": f"number {k}", "response": response, "correct": int(value == k % 2), "extra": {}}


def make_answers(*values, **changes) -> Said:
    fields = {"who": "me", "kind": "model", "inputs": "symbols", "task": "even", "seed": 3} | changes
    return Said(choices=np.array(values, float), **fields)


# What a learner gives


def test_what_is_no_answer_is_refused_in_one_sentence():
    table = (
        ([[1, 2], [3]], "wanted two each, got scores .setting an array element"),
        (None, "got scores .of type object, and no numbers"),
        (np.full((2, 2), "a"), "got scores .of type <U1"),
        (np.zeros((2, 3)), r"wanted two each, got scores .of shape \(2, 3\)"),
        (0.5, r"got scores .of shape \(\)"),
        ([[np.nan, np.nan], [1, 1]], "some are not finite"),
        ([[1, -np.inf], [1, 1]], "some are not finite"),
        (torch.ones(2, 2, requires_grad=True), "wanted two each, got scores .Can't call numpy.*detach"),
    )
    for values, words in table:
        with pytest.raises(InputError, match=words):
            checked(values, (2, 2), "scores", "two each")


def test_numbers_of_the_right_shape_come_back_as_they_are():
    for values in ([[1, 2], [3, 4]], np.zeros((2, 2), bool), np.ones((2, 2), np.float16)):
        assert (checked(values, (2, 2), "scores", "two each") == np.asarray(values)).all()
    assert checked([-np.inf], (1,), "scores", "one each", finite=False)[0] == -np.inf  # where an instrument says so


def test_more_columns_only_where_they_are_welcome():
    assert checked(np.zeros((2, 5)), (2, 3), "chances", "three or more", wider=True).shape == (2, 5)
    for shape in ((2, 2), (3, 3), (2,), (2, 3, 1)):
        with pytest.raises(InputError, match="three or more"):
            checked(np.zeros(shape), (2, 3), "chances", "three or more", wider=True)


def test_chances_lie_between_0_and_1_but_for_rounding():
    assert checked([0, 1.0005], (2,), "chances", "one each", over=1e-3).tolist() == [0, 1.0005]
    for value in (-1e-9, 1.002, np.nan, np.inf):
        with pytest.raises(InputError, match="got chances .some are negative or not finite"):
            checked([0.5, value], (2,), "chances", "one each", over=1e-3)


def test_a_row_of_nan_is_no_answer_for_a_learner_that_abstains_and_half_a_row_is_a_fault():
    values = np.array([[np.nan, np.nan], [0.2, 0.8]])
    assert checked(values, (2, 2), "chances", "two each", over=0, missing=True) is values
    with pytest.raises(InputError, match="not finite"):
        checked([[np.nan, 1.0], [0.2, 0.8]], (2, 2), "chances", "two each", over=0, missing=True)


# Who it is


def test_a_learner_says_who_it_is_or_its_class_does():
    class Bare:
        pass

    class Full:
        name, kind, inputs, supervision = "full", "floor", "symbols", "answers"

    kinds = ("pixels", "symbols")
    bare = {"who": "Bare", "kind": "model", "inputs": "pixels", "supervision": ""}
    assert described(Bare(), "pixels", kinds) == bare
    full = {"who": "full", "kind": "floor", "inputs": "symbols", "supervision": "answers"}
    assert described(Full(), "pixels", kinds) == full
    near = {"kind": ("flor", "floor"), "inputs": ("pixel", "pixels"), "supervision": ("answer", "answers")}
    for attribute, (value, meant) in near.items():
        learner = Full()
        setattr(learner, attribute, value)
        with pytest.raises(InputError, match=f"did you mean '{meant}'"):
            described(learner, "pixels", kinds)


# Ties


def test_ties_share_and_fall_evenly():
    best = np.array([[True, False, True, True], [False, True, False, False], [False] * 4])
    assert np.allclose(shares(best), [[1 / 3, 0, 1 / 3, 1 / 3], [0, 1, 0, 0], [0, 0, 0, 0]])
    many = np.tile(best[0], (n := 9000, 1))
    counts = np.bincount(drawn(many, np.random.default_rng(0)), minlength=4)
    assert counts[1] == 0 and (abs(counts[[0, 2, 3]] - n / 3) <= 4 * np.sqrt(n * 2 / 9)).all()
    assert (drawn(many, np.random.default_rng(1)) == drawn(many, np.random.default_rng(1))).all()


# Rows


def test_trial_rows_have_the_columns_of_the_house_and_no_more_rows_than_asked():
    trials = make_answers(0, 1, 1, np.nan).to_trials()
    assert list(trials) == list(TRIAL_COLUMNS) and trials.order.tolist() == [0, 1, 2, 3]
    assert trials.correct.tolist() == trials.score.tolist() == [1, 1, 0, 0]
    assert trials.response.isna().tolist() == [False, False, False, True]
    assert set(trials.sitting) == {"me-3"} and set(trials.instrument) == {"parity"} and set(trials.seed) == {3}
    assert len(make_answers(0, 1, 1).to_trials(limit=2)) == 2
    assert list(make_answers().to_trials()) == list(TRIAL_COLUMNS)


def test_a_result_row_lacks_what_the_runner_knows():
    row = make_answers(0, 1).row("accuracy", np.float32(0.5), np.int64(2), (0.1, 0.9), "95% Wilson")
    assert set(row) == set(RESULT_COLUMNS) - RUNNER
    assert (row["who"], row["task"], row["value"], row["n"]) == ("me", "even", 0.5, 2)
    assert (row["low"], row["high"], row["interval"], row["source"]) == (0.1, 0.9, "95% Wilson", "cogkit")
    assert {type(row["value"]), type(row["low"])} == {float} and type(row["n"]) is int
    bare = make_answers(0, 1).row("accuracy", None, 2, interval="95% Wilson", task="even/large")
    assert (bare["value"], bare["low"], bare["high"], bare["interval"]) == (None, None, None, "")
    assert bare["task"] == "even/large"


def test_the_share_of_answers_that_did_not_come_is_told():
    assert make_answers(0, 1).unanswered() == []
    (row,) = make_answers(0, np.nan, np.nan, 1).unanswered()
    assert (row["metric"], row["value"], row["n"]) == (answers.NO_ANSWER, 0.5, 4)
    (row,) = make_answers(np.nan).unanswered(", as published")
    assert (row["metric"], row["value"]) == ("no answer, as published", 1)


def test_shares_of_replies_are_of_those_that_were_asked():
    """A model was asked three of four: one reply was read, one refused and one unparsed."""

    replies = np.array([SimpleNamespace(outcome=name) for name in OUTCOMES[:3]] + [None])
    rows = make_answers(0, np.nan, np.nan, np.nan, replies=replies)
    by_metric = {row["metric"]: (row["value"], row["n"]) for row in rows.unanswered()}
    assert by_metric == {name: (1 / 3 if name in OUTCOMES[1:3] else 0, 3) for name in OUTCOMES[1:]}


def test_rows_may_say_a_source_of_their_own():
    rows = [make_answers(1).row("accuracy", 1, 1)]
    assert answers.sourced(rows, "") == rows and answers.sourced(rows, "here")[0]["source"] == "here"
    assert rows[0]["source"] == "cogkit"
