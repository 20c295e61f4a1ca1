"""From answers to numbers: every share counted again by a plain loop."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from cogkit.core.errors import InputError
from cogkit.core.identity import unhashed
from cogkit.mewl import scoring
from cogkit.mewl.problems.episodes import SIZES
from cogkit.mewl.problems.making import episodes_of
from cogkit.mewl.scoring import judge, result_rows


class Says:
    """Gives what it was told to, whatever is asked."""

    name, kind, inputs = "says", "model", "symbols"

    def __init__(self, scores):
        self.scores, self.at = np.asarray(scores), 0

    def score(self, question):
        scores = self.scores[self.at : self.at + len(question)]
        self.at += len(question)
        return scores


def test_a_part_is_as_large_as_published_and_its_beginning_is_the_same():
    assert SIZES == {"train": 3000, "val": 600, "test": 600}
    assert episodes_of("number", n=3) == episodes_of("number", n=5)[:3]
    assert {episode.part for episode in episodes_of("number", "val", 2)} == {"val"}
    for n in (0, 601):
        with pytest.raises(InputError, match="1 to 600"):
            episodes_of("number", n=n)


def test_answers_count_once_and_ties_by_their_share():
    episodes = episodes_of("shape", n=100)
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 3, (100, 5))
    answers = judge(Says(scores), episodes)
    right = 0.0
    for episode, row, choice, score in zip(episodes, scores, answers.choices, answers.score, strict=True):
        best = [k for k in range(5) if row[k] == max(row)]
        assert choice in best and score == (episode.answer in best) / len(best)
        right += score
    summary, above = result_rows(answers)
    assert summary["metric"] == "accuracy" and summary["n"] == 100 and np.isclose(summary["value"], right / 100)
    low, high = proportion_confint(right, 100, method="wilson")
    assert np.allclose((summary["low"], summary["high"]), (low, high))
    # the floor of shape is a third, since two of five words were never heard
    assert np.isclose(above["value"], (right / 100 - 1 / 3) / (2 / 3))
    assert np.allclose((above["low"], above["high"]), ((low - 1 / 3) * 1.5, (high - 1 / 3) * 1.5))


def test_trials_hold_what_was_chosen_and_what_is_right():
    trials = judge(Says(np.eye(5)[[0, 1, 2]]), episodes_of("color", n=3)).to_trials(2)
    others = judge(Says(np.eye(5)), episodes_of("color", n=5, seed=1)).to_trials(2)
    assert len({*trials["item"], *others["item"]}) == 4
    for row, episode in zip(trials.itertuples(), episodes_of("color", n=3), strict=False):
        options = episode.trial.options
        assert row.response == options[row.order] and row.extra["answer"] == options[episode.answer]
        assert row.correct == (row.response == row.extra["answer"]) and unhashed(row.item) == f"test/color/{row.order}"


def test_composite_says_whether_the_pair_was_said_before():
    rows = result_rows(judge(Says(np.zeros((40, 5))), episodes_of("composite", n=40)))
    counts = {row["task"]: row["n"] for row in rows if row["metric"] == "accuracy"}
    assert counts == {"composite": 40, "composite/unseen pair": 40}
    for episode in episodes_of("composite", n=40):
        right = episode.trial.options[episode.answer]
        assert right not in [panel.utterance for panel in episode.trial.panels]


def test_one_task_at_a_time_and_one_that_the_learner_knows():
    with pytest.raises(InputError, match="2 tasks"):
        judge(Says(np.zeros((2, 5))), [*episodes_of("number", n=1), *episodes_of("shape", n=1)])
    with pytest.raises(InputError, match="0 tasks"):
        judge(Says(np.zeros((0, 5))), [])
    learner = Says(np.zeros((1, 5)))
    learner.tasks = ("shape",)
    with pytest.raises(InputError, match="number for says"):
        judge(learner, episodes_of("number", n=1))
    assert scoring.assess(learner, ("number",), n=1) == []
