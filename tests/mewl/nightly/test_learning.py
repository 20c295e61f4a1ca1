"""Networks learn what no shortcut gives: trainings of some seconds each."""

from __future__ import annotations

import pytest

from cogkit.learning import run
from cogkit.mewl import scoring
from cogkit.mewl.learners import agents, training
from cogkit.mewl.problems import making
from cogkit.stats import wilson

pytestmark = pytest.mark.usefixtures("one_thread")


def test_a_transformer_learns_words_that_elimination_does_not_give():
    config = agents.config("slot-transformer", "lab", set="shape", episodes=800, validated=100, steps=220, looks=4)
    agent = training.learn(config, "verified", 0)
    score = scoring.judge(agent, making.episodes_of("shape", "test", 200)).score
    assert wilson(score.sum(), len(score))[0] > 1 / 3 and agent.log.validation.max() > 0.5


def test_a_version_space_learns_to_count():
    config = agents.config("slot-word-learner", "lab", set="number", steps=300)
    taught = training.lessons(making.episodes_of("number", "train", 900), "true slots")
    agent = training.to_agent(run(training.fit(config, 0, taught)))
    score = scoring.judge(agent, making.episodes_of("number", "test", 300)).score
    assert wilson(score.sum(), len(score))[0] > 0.5  # text alone is at 1/5, and before training it is at about 1/3
