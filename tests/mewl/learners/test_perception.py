"""Taught eyes and readers: how they are judged, and that all learners of a seed share them; they learn by night."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
import torch

from cogkit.learning import run
from cogkit.mewl.learners import agents, perception, training
from cogkit.mewl.problems import making, observations, slots, tokens
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.problems.pictures import pictures_of

pytestmark = pytest.mark.usefixtures("one_thread")
WIDTH = 64
LITTLE = {"episodes": 2, "validated": 1, "tested": 1, "steps": 2, "batch": 4, "n_evals": 1}
SIGHT = agents.SIGHT.config("quick", channels=8, **LITTLE)
READING = agents.READING.config("quick", width=16, layers=1, **LITTLE)
FEW = {"episodes": 12, "validated": 4, "tested": 4, "steps": 2, "batch": 4, "n_evals": 1, "width": 16}
SHAPE, HAND, WAY = slice(0, 3), 19, slice(20, 22)


@pytest.fixture(scope="module")
def seen() -> tuple[torch.Tensor, torch.Tensor]:
    """Pictures of four episodes, the last two of which have hands, and their true slots."""
    episodes = making.episodes_of_all(("number", "pragmatic"), "train", 2)
    return torch.from_numpy(pictures_of(episodes, WIDTH)).flatten(0, 1), torch.from_numpy(slots.of_episodes(episodes))


@pytest.fixture(scope="module")
def episodes():
    return making.episodes_of_all(TASKS, "train", 2)


@pytest.fixture(scope="module")
def read(episodes) -> tuple[torch.Tensor, torch.Tensor]:
    """Captions of two episodes of each task, and the things of which they tell."""
    return perception.lessons(READING, episodes)


@pytest.fixture
def untaught(home):
    """A private COGKIT_HOME without eyes, and no eyes in memory."""
    perception.eyes_of.cache_clear()
    yield home
    perception.eyes_of.cache_clear()


def test_things_come_in_the_order_in_which_a_caption_names_them(episodes, read):
    captions = [text for texts in observations.question(episodes, "captions").observations for text in texts]
    scenes = [scene for episode in episodes for scene in episode.trial.scenes]
    for text, scene, things in zip(captions, scenes, read[1], strict=True):
        names = []
        for row in things[: len(scene.things)]:
            shape, color, material, size = (slots.VALUES[k] for k in row[:16].nonzero()[:, 0])
            names.append(f"{size} {color} {material} {shape}")
        places = [text.index(name) for name in names]
        assert sorted(names) == sorted(map(str, scene.things)) and places == sorted(places)
        assert int(things.any(dim=1).sum()) == len(scene.things) + (scene.hand is not None)
        assert things[:, HAND].nonzero().flatten().tolist() == [len(scene.things)] * (scene.hand is not None)


# How they are judged


def test_what_is_rightly_told_of_pictures_is_counted_for_each_true_thing(seen):
    images, things = seen
    predictions = things[:, np.random.default_rng(0).permutation(6)].clone()
    several = [n for n, rows in enumerate(things[:14]) if rows.any(dim=1).sum() > 1]  # without hands
    other, moved, lost = (predictions[n][predictions[n].any(dim=1)] for n in several[:3])
    other[0, SHAPE] = other[0, SHAPE].roll(1)
    moved[0, 16] += 0.2
    lost[0] = 0
    for n, rows in zip(several, (other, moved, lost), strict=False):
        predictions[n, predictions[n].any(dim=1)] = rows
    hand = predictions[20, :, HAND] > 0
    predictions[20, hand, WAY] = -predictions[20, hand, WAY]
    hits = perception.right(images, predictions, things)
    wrong = dict.fromkeys(("color", "material", "size", "place"), 2)
    wrong |= {"shape": 3, "direction": 1, "count": 1, "picture": 4}
    assert {name: int((~value).sum()) for name, value in hits.items()} == wrong
    assert all(value.all() for value in perception.right(images, things.flip(1), things).values())
    assert len(hits["place"]) == things.any(dim=2).sum() and len(hits["direction"]) == things[..., HAND].sum()


def test_what_is_rightly_told_of_captions_is_counted(read):
    captions, things = read
    several = things[..., :16].any(dim=2).sum(dim=1) > 1
    hands, lying = things[..., HAND].any(dim=1), (captions == tokens.KNOWN["front"]).any(dim=1)
    assert hands.sum() == 14 and lying.sum() == 28
    predictions = things.clone()
    bare = torch.where(several & ~hands & ~lying)[0]
    predictions[bare[0], 0, SHAPE] = predictions[bare[0], 0, SHAPE].roll(1)
    predictions[bare[1], 0] = 0
    pointed = torch.where(hands)[0]
    predictions[pointed[0], :2, 22] = predictions[pointed[0], :2, 22].flip(0)  # the two nearest may be others
    crossed = torch.where(lying)[0]
    predictions[crossed[0], :2, 16] = predictions[crossed[0], :2, 16].flip(0)
    most = bool((things[pointed[0], :2, 22] == things[pointed[0], :3, 22].max()).any())
    expected = dict.fromkeys(("color", "material", "size", "count", "across"), 1)
    expected |= {"shape": 2, "away": 0, "pointed": most, "picture": 3 + most}
    assert {name: (~value).sum() for name, value in perception.right(captions, predictions, things).items()} == expected
    assert all(value.all() for value in perception.right(captions, things, things).values())


# How they are shared


def test_eyes_are_taught_once_for_all_tasks_of_a_seed(untaught, monkeypatch):
    first = perception.eyes_of(SIGHT, 3)
    perception.eyes_of.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(perception, "train", None)  # nothing is taught any more
        again = perception.eyes_of(SIGHT, 3)
    rows = perception.assess(again, "verified", 3)
    assert again is not first and rows == perception.assess(first, "verified", 3)
    assert {row["task"].split("/")[0] for row in rows} == {"telling"}
    assert {row["n"] for row in rows if row["task"] == "telling/count"} == {63}


@pytest.mark.parametrize(("name", "eyes"), [("cnn-word-learner", SIGHT), ("caption-word-learner", READING)])
def test_a_learner_reads_the_slots_that_its_eyes_tell(name, eyes, untaught):
    config = agents.config(name, "quick", set="pragmatic", sight=eyes, **FEW)
    agent = training.learn(config, "verified", 1)
    rows = training.assess(agent, "verified", 1) + training.curve(agent)
    assert agent.config == config and agent.seed == 1
    assert {(row["inputs"], row["supervision"]) for row in rows} == {(agent.inputs, "answers and attributes")}
    assert not any("tell" in weight for weight in agent.network.state_dict())  # eyes have a file of their own
    episodes = making.episodes_of("pragmatic", "test", 4)
    images = pictures_of(episodes, WIDTH) if agent.inputs == "pixels" else None
    question = observations.question(episodes, agent.inputs, images)
    inputs, words = training.tensors(question, agent.inputs)
    predictions = perception.eyes_of(eyes, 1).extract(inputs)
    reader = training.build(config)
    reader.load_state_dict(agent.network.state_dict())
    with torch.no_grad():
        expected = reader.eval()(predictions, words).log_softmax(dim=1).numpy()
    assert np.allclose(agent.score(question), expected, atol=1e-5)
    assert training.REGISTRY.run(config, "verified", 1) == rows


@pytest.mark.parametrize("name", ["cnn-word-learner", "caption-word-learner"])
def test_a_learner_with_taught_eyes_has_the_words_of_the_slot_word_learner(name, untaught, monkeypatch):
    """One training run serves all three, and a run of its own ends at the same weights."""
    config = agents.config(name, "quick", set="shape", **FEW)
    monkeypatch.setattr(perception, "eyes_of", lru_cache(lambda *_: None))  # words are learnt without them
    own = training.to_agent(run(training.train(config, 2))).network.state_dict()
    shared = training.learn(config, "verified", 2)
    path = training.REGISTRY.weights_path(agents.words_of(config), 2)
    assert shared.config == config and training.read(path).config == agents.words_of(config) != config
    for weights in (shared.network.state_dict(), training.read(path).network.state_dict()):
        assert weights.keys() == own.keys() and all(torch.equal(value, own[key]) for key, value in weights.items())
    monkeypatch.setattr(training, "train", None)  # and nothing is trained any more
    assert training.learn(config, "verified", 2).log.equals(shared.log)
