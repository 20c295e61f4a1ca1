"""Eyes for pictures: what they tell of, what they are told, and that they learn to find and to name things."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn.functional import logsigmoid

from cogkit.core.contracts import InputError
from cogkit.learning import run
from cogkit.learning.supervised import trained
from cogkit.mewl.learners import agents, models, training
from cogkit.mewl.learners.networks import eyes
from cogkit.mewl.problems import making, observations, slots
from cogkit.mewl.problems.pictures import pictures_of

pytestmark = pytest.mark.usefixtures("one_thread")
WIDTH, ROWS, COLUMNS = 48, 5, 6  # of pictures of 48 × 36 pixels, and the last map of eyes


@pytest.fixture(scope="module")
def episodes() -> list:
    return [episode for task in ("shape", "number", "pragmatic") for episode in making.episodes_of(task, "train", 4)]


@pytest.fixture(scope="module")
def shown(episodes) -> torch.Tensor:
    return torch.from_numpy(pictures_of(episodes, WIDTH))


@pytest.fixture(scope="module")
def things(episodes) -> torch.Tensor:
    return torch.from_numpy(slots.of([scene for episode in episodes for scene in episode.trial.scenes]))


@pytest.fixture
def looker() -> eyes.CNNEyes:
    torch.manual_seed(0)
    return eyes.CNNEyes(32, eyes.Sight(16))


def cells(things) -> list[tuple[int, int, int, torch.Tensor]]:
    """Picture, row, column and slot of every thing, one by one."""
    return [
        (n, int((row[17] + 1) / 2 * ROWS), int((row[16] + 1) / 2 * COLUMNS), row)
        for n, rows in enumerate(things)
        for row in rows
        if row.any()
    ]


def test_tokens_are_the_places_most_surely_taken(looker, shown):
    features = looker.before.told(shown)
    assert features.shape[:2] == shown.shape[:2] and features.shape[3:] == (ROWS, COLUMNS)
    surely = features[:, :, 0].detach()
    for share in (0.0, 0.1, 0.5, 1.0):
        raised = features.detach().clone()
        raised[:, :, 0] = surely - surely.quantile(1 - share)
        tokens, mask = looker(raised)
        counts = (raised[:, :, 0] > 0).sum(dim=(2, 3)).clamp(1, 6)
        assert mask.sum(dim=2).equal(counts) and tokens.shape[2] == mask.shape[2] == counts.max()


def test_a_token_tells_what_is_told_of_its_place_and_where_that_is(looker):
    features = torch.full((1, 7, 1 + eyes.NAMED + 15, ROWS, COLUMNS), -30.0)
    features[:, :, 1 + eyes.NAMED :] = 0
    features[0, :, [0, 1, 9], 2, 4] = 30.0  # something is there, and it has the first and the ninth value
    tokens, mask = looker(features)
    position = torch.tensor([(4 + 0.5) / COLUMNS * 2 - 1, (2 + 0.5) / ROWS * 2 - 1])
    expected = looker.see.weight[:, [0, 8]].sum(dim=1) + looker.see.bias + looker.places.weight @ position
    assert mask.shape == (1, 7, 1) and torch.allclose(tokens[0, :, 0], expected.expand(7, -1), atol=1e-5)


def test_pictures_and_what_was_told_of_them_give_the_same_tokens(looker, shown):
    for first, second in zip(looker(shown), looker(looker.before.told(shown)), strict=True):
        assert torch.equal(first, second)


def test_naming_is_the_surprise_of_each_place_and_each_value(looker, shown, things):
    logits = looker.before(shown.flatten(0, 1)).detach()
    entries = cells(things)
    places = {entry[:3] for entry in entries}
    total = 0.0
    for n, row, column in np.ndindex(len(logits), ROWS, COLUMNS):
        sure = logits[n, 0, row, column]
        total -= float(logsigmoid(sure if (n, row, column) in places else -sure))
    for n, row, column, slot in entries:
        for k, value in enumerate([*slot[:16], slot[19]]):
            sure = logits[n, 1 + k, row, column]
            total -= float(logsigmoid(sure if value else -sure))
    assert {int(slot[19]) for *_, slot in entries} == {0, 1}  # a hand is among them
    assert math.isclose(float(eyes.naming(logits, things)), total / len(entries), rel_tol=1e-4)


def test_gradient_reaches_every_weight_of_eyes(looker, shown, things):
    features = looker.before.told(shown)
    (looker(features)[0].square().sum() + eyes.naming(features.flatten(0, 1), things)).backward()
    assert all(weight.grad is not None and weight.grad.abs().max() > 0 for weight in looker.parameters())


def test_without_naming_the_answer_alone_reaches_the_first_layer(episodes):
    config = agents.config("cnn-transformer", "quick", naming=0, batch=8)
    taught = training.lessons(episodes, "pixels", WIDTH)
    state = run(training.fit(replace(config, steps=1), 0, taught)).state
    torch.manual_seed(0)
    network = models.build(config)
    torch.nn.functional.cross_entropy(network(taught.shown, taught.said), taught.answers).backward()
    assert network.eyes.before.shrink[0][0][0].weight.grad.abs().max() > 0
    assert all(weight.requires_grad for weight in state.modules["network"].parameters())


def test_eyes_that_are_told_learn_to_find_and_to_name(episodes):
    colour = slice(3, 11)
    (taught, things), (images, told_of) = (_seen(part, n) for part, n in (("train", 64), ("val", 24)))
    config = agents.config("cnn-transformer", "quick", naming=80, batch=28, learning_rate=5e-3, looks=2)
    fit = training.naming_fit(config, 0, taught, things, (images, told_of))
    sight = trained(run(fit).state)
    logits, entries = training.told(sight, images), cells(told_of)
    right = [logits[n, 0].argmax() == row * COLUMNS + column for n, row, column, _ in entries]
    colours = [logits[n, 1:, row, column][colour].argmax() == slot[colour].argmax() for n, row, column, slot in entries]
    # a picture has 30 places and a thing one of eight colours; 168 pictures
    assert np.mean(right) > 0.5 and np.mean(colours) > 1 / 8 + 4 * math.sqrt(7 / 64 / 168), (
        np.mean(right),
        np.mean(colours),
    )


def _seen(part: str, n: int) -> tuple[torch.Tensor, torch.Tensor]:
    episodes = making.episodes_of("color", part, n)
    images = torch.from_numpy(pictures_of(episodes, WIDTH)).flatten(0, 1)
    return images, torch.from_numpy(slots.of([scene for episode in episodes for scene in episode.trial.scenes]))


def test_eyes_that_were_trained_before_learn_no_more(episodes):
    config = agents.config("cnn-transformer", "quick", batch=4, steps=3)
    torch.manual_seed(1)
    sight = eyes.Sight(config.channels)
    pictures = training.lessons(episodes, "pixels", WIDTH)
    taught = replace(pictures, shown=training.told(sight, pictures.shown))
    network = run(training.fit(config, 0, taught, before=sight)).state.modules["network"]
    for name, value in network.eyes.before.state_dict().items():
        assert torch.equal(value, sight.state_dict()[name])
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
