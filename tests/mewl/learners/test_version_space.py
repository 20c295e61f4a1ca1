"""A version space that learns: that order and names mean nothing to it, what it believes, and that it learns."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
import torch

from cogkit.learning import run
from cogkit.mewl import scoring
from cogkit.mewl.learners import agents, training
from cogkit.mewl.problems import making, slots, tokens
from cogkit.mewl.problems.episodes import TASKS

pytestmark = pytest.mark.usefixtures("one_thread")
NEW = tokens.NEW


@pytest.fixture(scope="module")
def mixed() -> training.Lessons:
    """Episodes of every task, three each."""
    return training.lessons(making.episodes_of_all(TASKS, "train", 3), "true slots")


def made() -> training.Agent:
    torch.manual_seed(0)
    config = agents.config("slot-word-learner", "quick")
    return training.Agent(training.build(config).eval(), config)


# What means nothing to it


def test_order_and_the_numbers_of_new_words_mean_nothing(mixed):
    agent = made()
    before = agent.weigh(mixed.observations, mixed.token_ids)
    panels, options = torch.randperm(6), torch.randperm(5)
    inputs = torch.cat([mixed.observations[:, panels], mixed.observations[:, 6:]], dim=1)
    words = torch.cat([mixed.token_ids[:, panels], mixed.token_ids[:, 6:][:, options]], dim=1)
    renamed = torch.cat([torch.arange(NEW), NEW + torch.randperm(tokens.MOST_NEW)])
    assert torch.allclose(before[:, options], agent.weigh(inputs, renamed[words]), atol=1e-4)
    other = mixed.observations[:, :, torch.randperm(slots.SLOTS)]
    order = other.any(dim=3).int().argsort(dim=2, descending=True, stable=True)  # empty slots stay last
    other = other.gather(2, order[..., None].expand_as(other))
    assert torch.allclose(before, agent.weigh(other, mixed.token_ids), atol=1e-4)


# That it learns


def test_it_fits_some_episodes_of_every_task(mixed):
    some = training.Lessons(mixed.observations[::3], mixed.token_ids[::3], mixed.answers[::3])
    config = agents.config("slot-word-learner", "quick", steps=80, batch=9, learning_rate=8e-3)
    agent = training.to_agent(run(training.fit(config, 0, some)))
    assert training.accuracy(agent, some) == 1


def test_with_shuffled_answers_it_stays_at_chance():
    # in pragmatic likeness alone, which it has before any training, gives nothing
    config = agents.config("slot-word-learner", "quick", set="pragmatic", steps=20, batch=32)
    taught = training.lessons(making.episodes_of("pragmatic", "train", 200), "true slots")
    order = torch.from_numpy(np.random.default_rng(0).permutation(len(taught)))
    shuffled = dataclasses.replace(taught, answers=taught.answers[order])
    agent = training.to_agent(run(training.fit(config, 0, shuffled)))
    score = scoring.judge(agent, making.episodes_of("pragmatic", "test", 200)).score
    assert abs(score.mean() - 1 / 5) <= 4 * math.sqrt(0.2 * 0.8 / len(score))
