"""Eyes for pictures that learn with a learner: they find and name things, and may be trained before and frozen."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from cogkit.core.contracts import InputError
from cogkit.learning import run
from cogkit.learning.supervised import trained
from cogkit.mewl.learners import agents, models, sight, training
from cogkit.mewl.learners.networks import eyes
from cogkit.mewl.problems import making, observations, slots
from cogkit.mewl.problems.pictures import pictures_of

pytestmark = pytest.mark.usefixtures("one_thread")
WIDTH = 48


@pytest.fixture(scope="module")
def episodes() -> list:
    return making.episodes_of_all(("shape", "number", "pragmatic"), "train", 4)


@pytest.fixture(scope="module")
def shown(episodes) -> torch.Tensor:
    return torch.from_numpy(pictures_of(episodes, WIDTH))


def test_pictures_and_what_was_told_of_them_give_the_same_tokens_and_gradient_reaches_every_weight(episodes, shown):
    torch.manual_seed(0)
    looker, things = eyes.CNNEyes(32, eyes.Sight(16)), torch.from_numpy(slots.of_episodes(episodes))
    for first, second in zip(looker(shown), looker(looker.before.told(shown)), strict=True):
        assert torch.equal(first, second)
    features = looker.before.told(shown)
    (looker(features)[0].square().sum() + eyes.naming(features.flatten(0, 1), things)).backward()
    assert all(weight.grad is not None and weight.grad.abs().max() > 0 for weight in looker.parameters())


def test_eyes_that_are_told_learn_to_find_and_to_name():
    colour = slice(3, 11)
    (taught, things), (images, told_of) = (
        sight.lessons(agents.SIGHT.config("quick", pixels=64), making.episodes_of("color", part, n))
        for part, n in (("train", 64), ("val", 24))
    )
    config = agents.config("cnn-transformer", "quick", naming=80, batch=28, learning_rate=5e-3, looks=2)
    named = trained(run(training.naming_fit(config, 0, taught, things, (images, told_of))).state)
    logits = training.told(named, images)
    rows, columns = logits.shape[2:]
    right, colours = [], []
    for told, (thing, *_) in zip(logits, told_of, strict=True):
        row, column = int((thing[17] + 1) / 2 * rows), int((thing[16] + 1) / 2 * columns)
        right.append(bool(told[0].argmax() == row * columns + column))
        colours.append(bool(told[1:, row, column][colour].argmax() == thing[colour].argmax()))
    # a picture has 48 places and a thing one of eight colours; 168 pictures
    assert np.mean(right) > 0.5 and np.mean(colours) > 1 / 8 + 4 * math.sqrt(7 / 64 / 168), (right, colours)


def test_eyes_that_were_trained_before_learn_no_more(episodes):
    config = agents.config("cnn-transformer", "quick", batch=4, steps=3)
    torch.manual_seed(1)
    before = eyes.Sight(config.channels)
    pictures = training.lessons(episodes, "pixels", WIDTH)
    taught = replace(pictures, shown=training.told(before, pictures.shown))
    network = run(training.fit(config, 0, taught, before=before)).state.modules["network"]
    for name, value in network.eyes.before.state_dict().items():
        assert torch.equal(value, before.state_dict()[name])
    agent = models.Agent(network, config)
    assert torch.allclose(agent.weigh(pictures.shown, taught.said), agent.weigh(taught.shown, taught.said), atol=1e-5)


def test_eyes_are_trained_before_where_the_config_says_so_and_only_there(episodes):
    taught = training.lessons(episodes, "pixels", WIDTH)
    for changes, before in (({}, None), ({"naming": 0}, eyes.Sight(16))):
        config = agents.config("cnn-transformer", "quick", batch=4, **changes)
        with pytest.raises(InputError, match="trained before"):
            training.fit(config, 0, taught, before=before)


def test_an_agent_that_looks_is_judged_by_pictures_and_is_the_same_once_kept(tmp_path):
    tiny = {"episodes": 12, "validated": 4, "tested": 6, "width": 16, "layers": 1, "steps": 3, "batch": 4, "looks": 1}
    config = agents.config("cnn-transformer", "quick", set="number", pixels=32, naming=2, **tiny)
    path, _, table = training.LIFE.keep("mewl/cnn-transformer/number", config, "verified", "quick", 0, tmp_path)
    agent = training.read(path)
    assert agent.config == config
    rows = training.assess(agent, "verified", 0)
    assert {(row["task"], row["inputs"], row["n"]) for row in rows} == {
        ("number", "pixels", 6),
        ("train/number", "pixels", 6),
    }
    assert table[: len(rows)] == rows
    episodes = making.episodes_of("number", "test", 6)
    score = agent.score(observations.question(episodes, "pixels", pictures_of(episodes, 32)))
    right = np.mean(score.argmax(axis=1) == [episode.answer for episode in episodes])
    assert right == next(row["value"] for row in rows if (row["task"], row["metric"]) == ("number", "accuracy"))
