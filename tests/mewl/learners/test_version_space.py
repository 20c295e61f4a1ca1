"""A version space that learns: its parts by brute force, that order and names mean nothing to it, what it learns."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
import torch

from cogkit.learning import run
from cogkit.mewl import scoring
from cogkit.mewl.learners import agents, models, training
from cogkit.mewl.learners.networks import eyes
from cogkit.mewl.learners.networks.version_space import Occurrences, Pointed, Scenes, exclusive, of_some_thing
from cogkit.mewl.problems import making, slots, tokens
from cogkit.mewl.problems.episodes import TASKS
from cogkit.stats import wilson

pytestmark = pytest.mark.usefixtures("one_thread")
NEW, PAD = tokens.NEW, tokens.PAD


@pytest.fixture(scope="module")
def mixed() -> training.Lessons:
    """Episodes of every task, three each."""
    return training.lessons([e for task in TASKS for e in making.episodes_of(task, "train", 3)], "true slots")


def made() -> models.Agent:
    torch.manual_seed(0)
    config = agents.config("slot-word-learner", "quick")
    return models.Agent(models.build(config).eval(), config)


# Its parts


def test_occurrences_are_the_new_words_with_the_words_around_them():
    said = torch.full((2, 11, 3), PAD)
    said[0, 2] = torch.tensor([5, NEW + 1, 7])
    said[0, 8] = torch.tensor([NEW, NEW + 1, PAD])
    said[1, 10] = torch.tensor([NEW + 3, PAD, PAD])
    found = Occurrences.of(said)
    assert list(zip(found.episodes.tolist(), found.utterances.tolist(), found.words.tolist(), strict=True)) == [
        (0, 2, 1), (0, 8, 0), (0, 8, 1), (1, 10, tokens.MOST_NEW + 3)
    ]  # fmt: skip
    assert found.pictures.tolist() == [2, 6, 6, 13]  # options are about the seventh picture
    assert found.known.tolist() == [[True, False, True], *[[False] * 3] * 3]
    assert found.new.tolist() == [[False] * 3, [False, True, False], [True, False, False], [False] * 3]
    middle = found.offsets[0, 1]  # of the word itself
    assert (found.offsets - middle).tolist() == [[-1, 0, 1], [0, 1, 2], [-1, 0, 1], [0, 1, 2]]


def test_no_two_words_mean_the_same():
    sure, torn = [0.98, 0.01, 0.01], [0.49, 0.49, 0.02]
    beliefs = torch.tensor([[sure, torn, [1 / 3] * 3]]).log()
    heard = torch.tensor([[True, True, False]])
    after = exclusive(beliefs, heard).exp()[0].numpy()
    table = np.array([sure, torn])
    for _ in range(2):  # what a word claims is shared out, then each word's shares are made whole
        table = table / table.sum(axis=0)
        table = table / table.sum(axis=1, keepdims=True)
    assert np.allclose(after[:2], table, atol=1e-5) and table[1].argmax() == 1
    assert after[2, 0] < after[2, 1]  # a word that was never heard takes what is free


def test_a_speaker_names_what_picks_a_thing_out():
    torch.manual_seed(1)
    layer = Pointed(5, 8, ways=2, each=3)
    shown, mask = torch.randn(1, 1, 4, 5), torch.tensor([[[True, True, True, False]]])
    with torch.no_grad():
        evidence = layer(shown, mask)[0, 0].numpy()
        point, literal = layer.point(shown)[0, 0, :3].numpy(), layer.literal(shown)[0, 0, :3].numpy()
    expected = []
    for way in range(2):
        at = np.exp(point[:, way]) / np.exp(point[:, way]).sum()
        for k in range(3 * way, 3 * way + 3):
            share = np.log(np.exp(literal[:, k]) / np.exp(literal[:, k]).sum())
            expected.append((at * share.clip(-20)).sum())
    assert np.allclose(evidence, expected, atol=1e-4)


def test_counts_survive_in_a_scene():
    layer = Scenes(5, 8, 3)
    shown, mask = torch.randn(5).expand(1, 2, 6, 5), torch.arange(6) < torch.tensor([[[2], [6]]])
    few, many = layer.sums(shown, mask)[0]
    assert torch.allclose(3 * few, many, atol=1e-5)


def test_a_hypothesis_is_true_of_some_thing_that_fits():
    literal, fits = torch.randn(7, 4, 5) * 8, torch.randn(7, 4) * 8
    literal[:, 3] = -1e4  # an empty slot
    expected = np.log(np.exp((literal + fits[..., None]).double().numpy()).sum(axis=1))
    assert np.allclose(of_some_thing(literal, fits), expected, atol=1e-4)


def test_things_lie_to_a_hand_at_angles():
    hand = [0.0] * slots.PLACE + [0.5, 0.0, 0.0, 1.0, 1.0, 0.0]  # points to the right
    rows = [[1.0] + [0.0] * (slots.PLACE - 1) + [*at, 0.0, 0.0, 0.0, 0.0] for at in ((0.9, 0.0), (0.5, -0.3))]
    shown = torch.tensor([*rows, hand, [0.0] * slots.NUMBERS])
    ahead, beside, itself, none = eyes.pointed_at(shown).tolist()
    assert np.allclose(ahead, [1, 0, 0.4, 1], atol=1e-6) and np.allclose(beside, [0, 1, 0.3, math.exp(-6)], atol=1e-6)
    assert itself == none == [0] * 4
    assert not eyes.pointed_at(shown[:2]).any()  # nobody points


def test_in_training_alone_some_episodes_have_no_places_but_their_angles(mixed):
    episodes = mixed.shown.repeat(200, 1, 1, 1)
    placed, seen = eyes.SlotNumbers().eval()(episodes)[0], eyes.SlotNumbers().train()(episodes)[0]
    at = slice(slots.PLACE, slots.PLACE + 3)
    hidden = ~seen[..., at].flatten(1).any(dim=1)
    n = len(episodes)
    assert abs(hidden.float().mean() - 0.1) < 4 * (0.1 * 0.9 / n) ** 0.5
    assert torch.equal(seen[~hidden], placed[~hidden])
    placed[hidden, ..., at] = 0
    assert torch.equal(seen, placed)


# What means nothing to it


def test_order_and_the_numbers_of_new_words_mean_nothing(mixed):
    agent = made()
    before = agent.weigh(mixed.shown, mixed.said)
    panels, options = torch.randperm(6), torch.randperm(5)
    shown = torch.cat([mixed.shown[:, panels], mixed.shown[:, 6:]], dim=1)
    said = torch.cat([mixed.said[:, panels], mixed.said[:, 6:][:, options]], dim=1)
    renamed = torch.cat([torch.arange(NEW), NEW + torch.randperm(tokens.MOST_NEW)])
    assert torch.allclose(before[:, options], agent.weigh(shown, renamed[said]), atol=1e-4)


def test_the_order_of_slots_means_nothing(mixed):
    agent, things = made(), torch.randperm(slots.SLOTS)
    other = mixed.shown[:, :, things]
    order = other.any(dim=3).int().argsort(dim=2, descending=True, stable=True)  # empty slots stay last
    other = other.gather(2, order[..., None].expand_as(other))
    assert torch.allclose(agent.weigh(mixed.shown, mixed.said), agent.weigh(other, mixed.said), atol=1e-4)


def test_beliefs_are_probabilities_and_panels_that_are_not_heard_are_no_evidence(mixed):
    network = made().network
    with torch.no_grad():
        assert torch.allclose(network.read(mixed.shown, mixed.said).beliefs.exp().sum(dim=2), torch.tensor(1.0))
        unheard = mixed.said.clone()
        unheard[:, :6] = PAD
        other = mixed.shown.clone()
        other[:, :6] = mixed.shown.roll(1, dims=0)[:, :6]
        network.said.weight.zero_(), network.scenes.features[0].weight.zero_()  # what tells of all panels at once
        network.scenes.features[0].bias.zero_()
        assert torch.allclose(network(mixed.shown, unheard), network(other, unheard), atol=1e-5)


@pytest.mark.parametrize("kind", range(4))
def test_a_kind_of_hypotheses_answers_alone_as_if_there_were_no_other(kind, mixed):
    network = made().network
    network.rounds = 1  # what is believed of one word then says nothing about another
    sizes = network.hypotheses.kinds
    own = slice(sum(sizes[:kind]), sum(sizes[: kind + 1]))
    with torch.no_grad():
        whole, apart, _ = network.read(mixed.shown, mixed.said, apart=True)
        assert apart.shape[2] == len(sizes) and not network.read(mixed.shown, mixed.said).apart.numel()
        network.about[-1].bias[own] -= 100  # improbable from the start
        others, same, _ = network.read(mixed.shown, mixed.said, apart=True)
        network.about[-1].bias[own] += 200  # and now the only one
        alone, again, _ = network.read(mixed.shown, mixed.said, apart=True)
    assert torch.allclose(same, apart, atol=1e-3) and torch.allclose(again, apart, atol=1e-3)
    assert torch.allclose(alone, apart[..., kind], atol=1e-3) and not torch.allclose(whole, alone, atol=1e-3)
    assert not torch.allclose(others, whole, atol=1e-3)


def test_in_training_alone_each_episode_does_without_some_hypotheses(mixed):
    network = made().network
    with torch.no_grad():
        assert torch.equal(network(mixed.shown, mixed.said), network(mixed.shown, mixed.said))
        beliefs = network.train().read(mixed.shown, mixed.said).beliefs
    there = (beliefs > -100).any(dim=1)  # an episode's words do without the same ones
    assert torch.equal(there, (beliefs > -100).all(dim=1))
    n = there.numel()
    assert abs(there.float().mean() - 0.8) < 4 * 0.4 / n**0.5 and len(there.unique(dim=0)) == len(there)


# That it learns


def test_it_fits_some_episodes_of_every_task(mixed):
    config = agents.config("slot-word-learner", "quick", steps=120, batch=27, learning_rate=8e-3)
    agent = training.to_agent(run(training.fit(config, 0, mixed)))
    assert training.accuracy(agent, mixed) == 1


def lessons_of(task: str) -> tuple[agents.AgentConfig, training.Lessons]:
    config = agents.config("slot-word-learner", "lab", set=task, steps=300)
    return config, training.lessons(making.episodes_of(task, "train", 900), "true slots")


def test_it_learns_to_count():
    config, taught = lessons_of("number")
    agent = training.to_agent(run(training.fit(config, 0, taught)))
    score = scoring.judge(agent, making.episodes_of("number", "test", 300)).score
    assert wilson(score.sum(), len(score))[0] > 0.5  # text alone is at 1/5, and before training it is at about 1/3


def test_with_shuffled_answers_it_stays_at_chance():
    config, taught = lessons_of("pragmatic")  # here likeness alone, which it has before any training, gives nothing
    order = torch.from_numpy(np.random.default_rng(0).permutation(len(taught)))
    shuffled = dataclasses.replace(taught, answers=taught.answers[order])
    agent = training.to_agent(run(training.fit(config, 0, shuffled)))
    score = scoring.judge(agent, making.episodes_of("pragmatic", "test", 300)).score
    assert abs(score.mean() - 1 / 5) <= 4 * math.sqrt(0.2 * 0.8 / len(score))
