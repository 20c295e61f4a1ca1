"""A taught reader: what it is taught and what it tells by brute force, that it learns, and that a learner uses it."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from cogkit.learning import run
from cogkit.learning.supervised import trained
from cogkit.mewl.learners import agents, models, reading, taught_eyes, training
from cogkit.mewl.learners.networks import eyes
from cogkit.mewl.problems import making, observations, slots, tokens
from cogkit.mewl.problems.episodes import TASKS

pytestmark = pytest.mark.usefixtures("one_thread")
TINY = {"width": 16, "layers": 1, "episodes": 2, "validated": 1, "tested": 1, "steps": 2, "batch": 4, "looks": 1}
ATTRIBUTES = {"shape": slice(0, 3), "color": slice(3, 11), "material": slice(11, 14), "size": slice(14, 16)}
PLACE, HAND, WAY, LYING = slice(16, 19), 19, slice(20, 22), slice(22, 26)


@pytest.fixture(scope="module")
def episodes():
    return [episode for task in TASKS for episode in making.episodes_of(task, "train", 2)]


@pytest.fixture(scope="module")
def taught(episodes):
    return reading.lessons(agents.READING.config("quick"), episodes)


@pytest.fixture
def reader():
    torch.manual_seed(0)
    return reading.build(agents.READING.config("quick")).eval()


# What it is taught


def test_things_come_in_the_order_in_which_a_caption_names_them(episodes, taught):
    captions = [text for texts in observations.question(episodes, "captions").shown for text in texts]
    scenes = [scene for episode in episodes for scene in episode.trial.scenes]
    for text, scene, things in zip(captions, scenes, taught[1], strict=True):
        told = []
        for row in things[: len(scene.things)]:
            shape, color, material, size = (slots.VALUES[k] for k in row[:16].nonzero()[:, 0])
            told.append(f"{size} {color} {material} {shape}")
        places = [text.index(name) for name in told]
        assert sorted(told) == sorted(map(str, scene.things)) and places == sorted(places)
        assert int(things.any(dim=1).sum()) == len(scene.things) + (scene.hand is not None)
        assert things[:, HAND].nonzero().flatten().tolist() == [len(scene.things)] * (scene.hand is not None)


def test_slots_of_captions_have_the_angles_that_follow_from_true_slots(episodes):
    seen = training.lessons(episodes, "true slots").shown
    with_angles = torch.cat([seen, eyes.pointed_at(seen)], dim=3)
    for direct, told in zip(eyes.SlotNumbers().eval()(seen), eyes.SlotNumbers().eval()(with_angles), strict=True):
        assert torch.equal(direct, told)


def test_the_loss_adds_up_things_their_attributes_places_and_angles(reader, taught):
    captions, things = taught
    sure, told = (value.detach() for value in reader.read(captions))
    counting = telling = 0.0
    filled = things.any(dim=2)
    for n, k in np.ndindex(*sure.shape):
        counting += math.log(1 + math.exp(-float(sure[n, k]) * (1 if filled[n, k] else -1)))
        if filled[n, k]:
            raw, slot = told[n, k], things[n, k]
            missed = [*(8 * (raw - slot)[PLACE]).tolist(), *(raw - slot)[LYING].tolist()]
            if slot[HAND]:
                missed += (raw - slot)[WAY].tolist()
            else:
                for part in ATTRIBUTES.values():
                    telling -= float(raw[part].log_softmax(dim=0)[slot[part].argmax()])
            telling += math.log(1 + math.exp(-float(raw[HAND]) * (1 if slot[HAND] else -1)))
            telling += sum(x * x / 0.2 if abs(x) < 0.1 else abs(x) - 0.05 for x in missed)
    losses = reader.losses(captions, things, np.random.default_rng(0))
    expected = counting / int(filled.sum()), telling / int(filled.sum())
    assert np.allclose([loss.item() for loss in losses], expected, rtol=1e-4)


def test_gradient_reaches_every_weight_of_a_word_that_is_read(reader, taught):
    sum(reader.train().losses(*taught, np.random.default_rng(0))).backward()
    assert all(weight.grad is not None and weight.grad.abs().max() > 0 for weight in reader.parameters())


def test_ten_captions_are_learnt(taught):
    rows = torch.cat([torch.arange(7 * 2 * k, 7 * 2 * k + 2) for k in (3, 4, 6, 7, 8)])
    captions, things = (value[rows] for value in taught)
    config = agents.READING.config("quick", steps=200, batch=10)
    network = trained(run(taught_eyes.fit(config, 0, captions, things)).state)
    assert reading.right(captions, taught_eyes.told(network, captions), things)["picture"].all()


# What it tells


def test_what_stands_behind_a_caption_changes_nothing(reader, taught):
    captions = taught[0][:14]
    padded = torch.nn.functional.pad(captions, (0, 5), value=tokens.PAD)
    alone = torch.stack([reader(caption[caption != tokens.PAD]) for caption in captions])
    assert torch.allclose(reader(captions), reader(padded), atol=1e-5)
    assert torch.allclose(reader(captions), alone, atol=1e-5)
    assert taught_eyes.told(reader, captions.view(2, 7, -1)).shape == (2, 7, 6, 26)


def test_what_is_told_rightly_is_counted(taught):
    captions, things = taught
    several = things[..., :16].any(dim=2).sum(dim=1) > 1
    hands, lying = things[..., HAND].any(dim=1), (captions == tokens.KNOWN["front"]).any(dim=1)
    assert hands.sum() == 14 and lying.sum() == 28
    told = things.clone()
    bare = torch.where(several & ~hands & ~lying)[0]
    told[bare[0], 0, ATTRIBUTES["shape"]] = told[bare[0], 0, ATTRIBUTES["shape"]].roll(1)
    told[bare[1], 0] = 0
    pointed = torch.where(hands)[0]
    told[pointed[0], :2, 22] = told[pointed[0], :2, 22].flip(0)  # the two nearest may be others
    crossed = torch.where(lying)[0]
    told[crossed[0], :2, 16] = told[crossed[0], :2, 16].flip(0)
    found = reading.right(captions, told, things)
    best = things[pointed[0], :2, 22] == things[pointed[0], : int(several.sum()), 22].max()
    wrong = {name: int((~value).sum()) for name, value in found.items()}
    assert wrong == {
        "shape": 2, "color": 1, "material": 1, "size": 1, "count": 1, "across": 1, "away": 0,
        "pointed": int(best.any()), "picture": 3 + int(best.any()),
    }  # fmt: skip
    assert all(value.all() for value in reading.right(captions, things, things).values())


def test_a_learner_gets_its_slots_from_the_reader(home):
    taught_eyes.eyes_of.cache_clear()
    tiny = {"episodes": 12, "validated": 4, "tested": 4, "steps": 2, "batch": 4, "looks": 1, "width": 16}
    sight = agents.READING.config("quick", **TINY)
    config = agents.config("caption-word-learner", "quick", set="pragmatic", sight=sight, **tiny)
    agent = training.learn(config, "verified", 1)
    rows = training.LIFE.run(config, "verified", 1)
    assert agent.config == config and {row["inputs"] for row in rows} == {"captions"}
    assert {row["supervision"] for row in rows} == {"answers and attributes"}
    question = observations.question(making.episodes_of("pragmatic", "test", 4), "captions")
    shown, said = models.tensors(question, "captions")
    told = taught_eyes.eyes_of(sight, 1).told(shown)
    assert told.shape == (4, 7, 6, 26)
    with torch.no_grad():
        expected = agent.network(told, said).log_softmax(dim=1).numpy()
    assert np.allclose(agent.score(question), expected, atol=1e-5)
    assert training.assess(agent, "verified", 1) == rows
    taught_eyes.eyes_of.cache_clear()
