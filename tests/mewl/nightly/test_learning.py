"""Networks learn what no shortcut gives: trainings of some seconds each."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from cogkit.learning import run
from cogkit.learning.supervised import trained
from cogkit.mewl import scoring
from cogkit.mewl.learners import agents, perception, training
from cogkit.mewl.problems import making, slots
from cogkit.mewl.problems.episodes import TASKS
from cogkit.stats import wilson

pytestmark = pytest.mark.usefixtures("one_thread")


def test_a_transformer_learns_words_that_elimination_does_not_give():
    config = agents.config("slot-transformer", "lab", set="shape", episodes=800, validated=100, steps=220, n_evals=4)
    agent = training.learn(config, "verified", 0)
    score = scoring.judge(agent, making.episodes_of("shape", "test", 200)).score
    assert wilson(score.sum(), len(score))[0] > 1 / 3 and agent.log.validation.max() > 0.5


def test_a_version_space_learns_to_count():
    config = agents.config("slot-word-learner", "lab", set="number", steps=300)
    taught = training.lessons(making.episodes_of("number", "train", 900), "true slots")
    agent = training.to_agent(run(training.fit(config, 0, taught)))
    score = scoring.judge(agent, making.episodes_of("number", "test", 300)).score
    assert wilson(score.sum(), len(score))[0] > 0.5  # text alone is at 1/5, and before training it is at about 1/3


def test_eyes_that_are_told_learn_to_find_and_to_name():
    colour = slice(3, 11)
    (taught, things), (images, told_of) = (
        perception.lessons(agents.SIGHT.config("quick", pixels=64), making.episodes_of("color", part, n))
        for part, n in (("train", 64), ("val", 24))
    )
    config = agents.config("cnn-transformer", "quick", naming=80, batch=28, learning_rate=5e-3, n_evals=2)
    named = trained(run(training.naming_fit(config, 0, taught, things, (images, told_of))).state)
    logits = perception.extract(named, images)
    rows, columns = logits.shape[2:]
    right, colours = [], []
    for output, (thing, *_) in zip(logits, told_of, strict=True):
        row, column = int((thing[17] + 1) / 2 * rows), int((thing[16] + 1) / 2 * columns)
        right.append(bool(output[0].argmax() == row * columns + column))
        colours.append(bool(output[1:, row, column][colour].argmax() == thing[colour].argmax()))
    # a picture has 48 places and a thing one of eight colours; 168 pictures
    assert np.mean(right) > 0.5 and np.mean(colours) > 1 / 8 + 4 * math.sqrt(7 / 64 / 168), (right, colours)


def test_ten_pictures_are_learnt():
    lessons = perception.lessons(agents.SIGHT.config("quick", pixels=64), making.episodes_of("pragmatic", "train", 2))
    images, things = (value[:10] for value in lessons)  # with hands
    config = agents.SIGHT.config("quick", channels=16, steps=150, batch=10)
    network = trained(run(perception.fit(config, 0, images, things)).state)
    hits = perception.right(images, perception.extract(network, images), things)
    shares = {name: float(value.mean()) for name, value in hits.items()}
    assert min(shares[name] for name in ("place", *slots.ATTRIBUTES)) > 0.75, shares


def test_ten_captions_are_learnt():
    rows = torch.cat([torch.arange(7 * 2 * k, 7 * 2 * k + 2) for k in (3, 4, 6, 7, 8)])
    config = agents.READING.config("quick", steps=200, batch=10)
    lessons = perception.lessons(config, making.episodes_of_all(TASKS, "train", 2))
    captions, things = (value[rows] for value in lessons)
    network = trained(run(perception.fit(config, 0, captions, things)).state)
    assert perception.right(captions, perception.extract(network, captions), things)["picture"].all()
