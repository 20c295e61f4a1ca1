"""Beliefs panel by panel: a word learner's by hand on its network, and the ideal observer's by enumeration."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch

from cogkit.mewl.learners import agents, beliefs, training
from cogkit.mewl.learners.floors import reference
from cogkit.mewl.problems import making, observations, slots, tokens
from cogkit.mewl.problems.episodes import TASKS, Episode
from cogkit.mewl.world.things import VALUES

pytestmark = pytest.mark.usefixtures("one_thread")
SMALL = {"things": 6, "scenes": 5, "pointers": 2, "pointed": 3, "namings": 2, "relations": 2, "width": 16}
TOTAL = 6 + 2 * 3 + 5 + 2 * 2


def agent_of(name: str = "slot-word-learner", **changes) -> training.Agent:
    torch.manual_seed(0)
    config = agents.config(name, "quick", **SMALL | changes)
    return training.Agent(training.build(config).eval(), config)


@pytest.mark.parametrize("task", ["composite", "relation"])
def test_beliefs_are_those_of_the_network_and_later_panels_change_nothing(task):
    agent, episode = agent_of(set=task), making.episode(task, 3)
    table = beliefs.learnt(agent, episode)
    new_words = [word for panel in episode.trial.panels for word in panel.utterance.split() if word not in tokens.KNOWN]
    assert list(dict.fromkeys(table.word)) == list(dict.fromkeys(new_words)) and list(table) == beliefs.LEARNT
    assert np.allclose(table.groupby(["word", "panels"]).probability.sum(), 1)
    assert table.groupby(["word", "panels"]).size().eq(TOTAL).all()
    inputs, words = training.tensors(observations.question([episode], "true slots"), "true slots")
    with torch.no_grad():
        read = agent.network.read(inputs, words).beliefs[0].exp().numpy()
    last = table[table.panels == 6].groupby("word", sort=False).probability.apply(list)
    np.testing.assert_allclose(np.stack(last), read[: len(last)], atol=1e-5)
    for k in (2, 4):
        panels = episode.trial.panels[:k] + episode.trial.panels[k:][::-1]
        changed = beliefs.learnt(agent, replace(episode, trial=replace(episode.trial, panels=panels)))
        first, second = (
            each[each.panels == k].sort_values(["word", "hypothesis"]).probability for each in (table, changed)
        )
        assert len(first) >= TOTAL
        np.testing.assert_allclose(first, second, atol=1e-5)


def test_a_word_that_was_neither_said_nor_offered_is_not_known():
    agent, episode = agent_of(set="number"), making.episode("number", 0)
    (unasked,) = set(episode.lexicon) - set(episode.trial.options)
    first = [panel.utterance for panel in episode.trial.panels].index(unasked) + 1
    table = beliefs.learnt(agent, episode)
    assert sorted(set(table[table.word == unasked].panels)) == list(range(first, 7))
    assert set(table[table.word == episode.trial.options[0]].panels) == set(range(7))


def test_the_probe_finds_what_a_learner_was_taught():
    agent = training.load("slot-word-learner", set="color")
    meanings = beliefs.meanings(agent)
    assert set(meanings.meaning[meanings.purity >= beliefs.PURE]) >= set(VALUES["color"])
    table = beliefs.learnt(agent, making.episode("color", 0))
    one = table[(table.panels == 6) & (table.word == table.word.iloc[0])].reset_index(drop=True)
    assert one[list(meanings)].equals(meanings)


class Taught:
    """Eyes that tell the true slots of an episode, of a picture or caption that is not empty."""

    def __init__(self, episode: Episode) -> None:
        self.true = torch.from_numpy(slots.of(episode.trial.scenes))

    def extract(self, inputs: torch.Tensor) -> torch.Tensor:
        return (self.true * inputs.flatten(2).any(dim=2)[0, :, None, None])[None]


@pytest.mark.parametrize("name", ["caption-word-learner", "cnn-word-learner"])
def test_beliefs_behind_eyes_that_tell_the_truth_are_those_over_true_slots(name, monkeypatch):
    episode = making.episode("composite", 1)
    first, other = agent_of(set="composite"), agent_of(name, set="composite")
    other.eyes = Taught(episode)
    monkeypatch.setattr(other, "draw", other.draw and (lambda episodes: np.ones((1, 7, 6, 8, 3), np.uint8)))
    expected, table = beliefs.learnt(first, episode), beliefs.learnt(other, episode)
    assert expected.drop(columns="probability").equals(table.drop(columns="probability"))
    np.testing.assert_allclose(table.probability, expected.probability, atol=1e-6)


# The ideal observer


def test_what_a_word_means_is_never_struck_out():
    names = {"left": "left of", "right": "right of", "front": "in front of", "behind": "behind"}
    for task, profile in product(TASKS, ("verified", "as_published")):
        episode = making.episode(task, 4, profile)
        table = beliefs.possible(episode)
        assert np.allclose(table.groupby(["word", "panels"]).probability.sum(), 1)
        for word in dict.fromkeys(table.word):
            meaning = str(names.get(episode.lexicon[word], episode.lexicon[word]))
            assert (table[(table.word == word) & (table.meaning == meaning)].probability > 0).sum() == 7, (task, word)


def test_a_learner_without_hypotheses_has_no_beliefs():
    config = agents.config("slot-transformer", "quick", width=16, layers=1, heads=2)
    transformer = training.Agent(training.build(config), config)
    for learner in (transformer, reference("ideal-learner")):
        assert not beliefs.has_beliefs(learner)
