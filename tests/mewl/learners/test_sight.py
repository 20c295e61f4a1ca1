"""Taught eyes: what they find and tell by brute force, that they learn, and that all learners of a seed share them."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import pytest
import torch

from cogkit.core.contracts import InputError
from cogkit.learning import run
from cogkit.learning.supervised import trained
from cogkit.mewl.learners import agents, models, sight, taught_eyes, training
from cogkit.mewl.learners.networks.sight import CELL, Spotter, as_slots, finding, peaks, shifted, telling
from cogkit.mewl.problems import making, observations, slots
from cogkit.mewl.problems.pictures import pictures_of

pytestmark = pytest.mark.usefixtures("one_thread")
WIDTH, ROWS, COLUMNS = 64, 24, 32
TINY = {"channels": 8, "episodes": 2, "validated": 1, "tested": 1, "steps": 2, "batch": 4, "looks": 1}
ATTRIBUTES = {"shape": slice(0, 3), "color": slice(3, 11), "material": slice(11, 14), "size": slice(14, 16)}
PLACE, HAND, WAY = slice(16, 19), 19, slice(20, 22)


@pytest.fixture(scope="module")
def shown() -> torch.Tensor:
    episodes = [episode for task in ("number", "pragmatic") for episode in making.episodes_of(task, "train", 2)]
    return torch.from_numpy(pictures_of(episodes, WIDTH)).flatten(0, 1)


@pytest.fixture(scope="module")
def things() -> torch.Tensor:
    episodes = [episode for task in ("number", "pragmatic") for episode in making.episodes_of(task, "train", 2)]
    return torch.from_numpy(slots.of([scene for episode in episodes for scene in episode.trial.scenes]))


@pytest.fixture
def spotter() -> Spotter:
    torch.manual_seed(0)
    return Spotter(WIDTH, 8).eval()


@pytest.fixture
def untaught(home):
    """A private COGKIT_HOME without eyes, and no eyes in memory."""
    taught_eyes.eyes_of.cache_clear()
    yield home
    taught_eyes.eyes_of.cache_clear()


def entries(things) -> list[tuple[int, torch.Tensor]]:
    return [(n, row) for n, rows in enumerate(things) for row in rows if row.any()]


# What it finds


def test_a_picture_is_shifted_with_its_things(shown, things):
    pictures, moved = shifted(shown, things, np.random.default_rng(0))
    offsets = set()
    for before, after, old, new in zip(shown, pictures, things, moved, strict=True):
        filled = old.any(dim=1)
        by = (old - new)[filled] * torch.tensor([0] * 16 + [WIDTH / 2, 24] + [0] * 4)
        x, y = by[0, 16:18].round().int().tolist()
        assert torch.allclose(by, by[:1].round(), atol=1e-4) and torch.equal(new[~filled], old[~filled])
        assert torch.equal(new[:, 18:], old[:, 18:]) and torch.equal(new[:, :16], old[:, :16])
        for row, column in np.ndindex(48, WIDTH):
            assert after[row, column].equal(before[min(max(row + y, 0), 47), min(max(column + x, 0), WIDTH - 1)])
        offsets.add((x, y))
    assert len(offsets) > 20 and max(max(abs(x), abs(y)) for x, y in offsets) == 8


def test_a_peak_is_a_cell_that_is_surer_than_its_neighbours():
    rng = np.random.default_rng(0)
    sure = torch.from_numpy(rng.random((20, ROWS, COLUMNS)) ** 4)
    taken, cells = peaks(sure)
    for n, told in enumerate(sure.numpy()):
        expected = []
        for row, column in np.ndindex(ROWS, COLUMNS):
            around = told[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
            if told[row, column] == around.max() and told[row, column] > 0.3:
                expected.append((told[row, column], [column, row]))
        expected = [place for _, place in sorted(expected, reverse=True)][:6]
        assert cells[n][taken[n]].tolist() == expected and taken[n, : len(expected)].all()


def test_a_map_made_by_hand_gives_the_slots_that_it_should(spotter, monkeypatch):
    pictures = torch.zeros(1, 7, 48, WIDTH, 3, dtype=torch.uint8)
    logits = torch.full((7, ROWS, COLUMNS), -9.0)
    logits[2, 3, 5], logits[2, 3, 6], logits[2, 10, 0], logits[6, 1, 1] = 4.0, 2.0, 3.0, 5.0
    seen = []

    def look(_, which, middles):
        seen.append((which.tolist(), middles.tolist()))
        told = torch.arange(float(len(which)))[:, None].expand(-1, slots.NUMBERS).clone()
        told[:, 16:18] = torch.tensor([0.5, -0.5])
        return told

    monkeypatch.setattr(spotter, "find", lambda _: logits)
    monkeypatch.setattr(spotter, "look", look)
    told = spotter(pictures)
    middles = [[5 * CELL + 1, 3 * CELL + 1], [1, 10 * CELL + 1], [CELL + 1, CELL + 1]]
    assert seen == [([2, 2, 6], middles), ([2, 2, 6], [[48, 12]] * 3)]  # once more, around where each was seen
    assert told.shape == (1, 7, 6, 22)
    assert told[0].any(dim=2).sum(dim=1).tolist() == [0, 0, 2, 0, 0, 0, 1]
    assert told[0, 2, :2, 18].tolist() == [0, 1] and told[0, 6, 0, 18] == 2


def test_a_cutout_lies_around_its_middle_and_repeats_the_edge(spotter, shown, monkeypatch):
    middles, which = torch.tensor([[20, 30], [0, 47], [63, 0]]), torch.tensor([3, 0, 9])
    caught = []

    def forward(cutouts):
        caught.extend(cutouts)
        return torch.zeros(len(cutouts), slots.NUMBERS)

    monkeypatch.setattr(spotter.tell, "forward", forward)
    told = spotter.look(shown, which, middles)
    for cutout, n, (x, y) in zip(caught, which, middles.tolist(), strict=True):
        for row, column in np.ndindex(spotter.side, spotter.side):
            at = np.clip(y - 8 + row, 0, 47), np.clip(x - 8 + column, 0, WIDTH - 1)
            assert torch.allclose(cutout[:, row, column], shown[n, at[0], at[1]] / 127.5 - 1)
    places = [[x / WIDTH * 2 - 1, y / 48 * 2 - 1, 0] for x, y in middles.tolist()]
    assert torch.allclose(told[:, PLACE], torch.tensor(places))  # where nothing else is told, a thing is in the middle


def test_slots_hold_the_likeliest_value_of_each_attribute_or_a_direction():
    told = torch.randn(40, slots.NUMBERS, generator=torch.Generator().manual_seed(0))
    for raw, slot in zip(told, as_slots(told), strict=True):
        expected = torch.zeros(slots.NUMBERS)
        expected[PLACE] = raw[PLACE]
        if raw[HAND] > 0:
            expected[HAND], expected[WAY] = 1, raw[WAY] / math.hypot(*raw[WAY].tolist())
        else:
            for part in ATTRIBUTES.values():
                expected[part.start + int(raw[part].argmax())] = 1
        assert torch.allclose(slot, expected)


# What it is taught


def test_the_loss_of_finding_is_the_focal_loss(spotter, shown, things):
    logits = spotter.find(shown).detach() * 3
    total, found = 0.0, entries(things)
    for n, row, column in np.ndindex(len(shown), ROWS, COLUMNS):
        sure = 1 / (1 + math.exp(-float(logits[n, row, column])))
        near, taken = 0.0, False
        for picture, slot in found:
            x, y = (float(slot[16]) + 1) / 2 * COLUMNS, (float(slot[17]) + 1) / 2 * ROWS
            if picture == n:
                near = max(near, math.exp(-((column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2) / 2))
                taken = taken or (int(x), int(y)) == (column, row)
        total -= (1 - sure) ** 2 * math.log(sure) if taken else (1 - near) ** 4 * sure**2 * math.log(1 - sure)
    assert math.isclose(float(finding(logits, things)), total / len(found), rel_tol=1e-4)


def test_the_loss_of_telling_adds_up_attributes_places_and_hands(things):
    true = torch.stack([slot for _, slot in entries(things)])
    told = torch.randn(true.shape, generator=torch.Generator().manual_seed(0))
    total = 0.0
    for raw, slot in zip(told, true, strict=True):
        missed = (8 * (raw - slot)[PLACE]).tolist()
        if slot[HAND]:
            missed += (raw - slot)[WAY].tolist()
        else:
            for part in ATTRIBUTES.values():
                total -= float(raw[part].log_softmax(dim=0)[slot[part].argmax()])
        total += math.log(1 + math.exp(-float(raw[HAND]) * (1 if slot[HAND] else -1)))
        total += sum(x * x / 0.2 if abs(x) < 0.1 else abs(x) - 0.05 for x in missed)
    assert 0 < true[:, HAND].sum() < len(true)
    assert math.isclose(float(telling(told, true)), total / len(true), rel_tol=1e-4)


def test_gradient_reaches_every_weight(spotter, shown, things):
    sum(spotter.train().losses(shown, things, np.random.default_rng(0))).backward()
    assert all(weight.grad is not None and weight.grad.abs().max() > 0 for weight in spotter.parameters())


def test_ten_pictures_are_learnt(shown, things):
    rows = slice(14, 24)  # with hands
    config = agents.SIGHT.config("quick", channels=16, steps=150, batch=10)
    state = run(taught_eyes.fit(config, 0, shown[rows], things[rows])).state
    found = sight.right(shown[rows], taught_eyes.told(trained(state), shown[rows]), things[rows])
    shares = {name: float(value.mean()) for name, value in found.items()}
    assert min(shares[name] for name in ("place", "shape", "color", "material", "size")) > 0.75, shares


def test_pictures_of_another_width_are_refused(shown, things):
    with pytest.raises(InputError, match=r"\(n, height, 128, 3\)"):
        taught_eyes.fit(agents.SIGHT.config("lab"), 0, shown, things)
    with pytest.raises(InputError, match="a multiple of 32"):
        agents.SIGHT.config("quick", pixels=100)


# How it is judged


def test_what_is_told_rightly_is_counted_for_each_true_thing(shown, things):
    told = things[:, np.random.default_rng(0).permutation(6)].clone()
    several = [n for n, rows in enumerate(things[:14]) if rows.any(dim=1).sum() > 1]  # without hands
    other, moved, lost = (told[n][told[n].any(dim=1)] for n in several[:3])
    other[0, ATTRIBUTES["shape"]] = other[0, ATTRIBUTES["shape"]].roll(1)
    moved[0, 16] += 0.2
    lost[0] = 0
    for n, rows in zip(several, (other, moved, lost), strict=False):
        told[n, told[n].any(dim=1)] = rows
    hand = told[20, :, HAND] > 0
    told[20, hand, WAY] = -told[20, hand, WAY]
    found = sight.right(shown, told, things)
    assert {name: int((~value).sum()) for name, value in found.items()} == {
        "shape": 3, "color": 2, "material": 2, "size": 2, "place": 2, "direction": 1, "count": 1, "picture": 4
    }  # fmt: skip
    everything = sight.right(shown, things.flip(1), things)
    assert all(value.all() for value in everything.values())
    assert len(found["place"]) == len(entries(things)) and len(found["direction"]) == int(things[..., HAND].sum())


# How it is shared


def test_eyes_are_taught_once_for_all_tasks_of_a_seed(untaught, monkeypatch):
    config = agents.SIGHT.config("quick", **TINY)
    first = taught_eyes.eyes_of(config, 3)
    (path,) = (untaught / "agents").iterdir()
    monkeypatch.setattr(taught_eyes, "train", None)  # nothing is taught any more
    taught_eyes.eyes_of.cache_clear()
    again = taught_eyes.eyes_of(config, 3)
    assert again is not first and path == taught_eyes.LIFE.kept(config, 3)
    weights = first.network.state_dict()
    assert all(torch.equal(value, weights[name]) for name, value in again.network.state_dict().items())
    rows = taught_eyes.assess(again, "verified", 3)
    assert rows == taught_eyes.assess(first, "verified", 3) and {row["task"].split("/")[0] for row in rows} == {
        "telling"
    }
    assert {row["n"] for row in rows if row["task"] == "telling/count"} == {63}


def test_eyes_of_something_else_are_refused(untaught):
    config = agents.SIGHT.config("quick", **TINY)
    path = taught_eyes.LIFE.kept(config, 0)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no weights")
    with pytest.raises(InputError, match="taught eyes of MEWL"):
        taught_eyes.eyes_of(config, 0)
    path.unlink()
    taught_eyes.eyes_of(config, 1)
    taught_eyes.LIFE.kept(config, 1).rename(path)
    with pytest.raises(InputError, match="another config or seed"):
        taught_eyes.eyes_of(config, 0)


def test_a_learner_reads_the_slots_that_its_eyes_tell(untaught):
    tiny = {"episodes": 12, "validated": 4, "tested": 4, "steps": 2, "batch": 4, "looks": 1, "width": 16}
    config = agents.config(
        "cnn-word-learner", "quick", set="number", sight=agents.SIGHT.config("quick", **TINY), **tiny
    )
    agent = training.learn(config, "verified", 1)
    rows = training.assess(agent, "verified", 1) + training.curve(agent)
    assert agent.config == config and agent.seed == 1
    assert {(row["inputs"], row["supervision"]) for row in rows} == {("pixels", "answers and attributes")}
    assert not any("tell" in name for name in agent.network.state_dict())  # eyes have a file of their own
    episodes = making.episodes_of("number", "test", 4)
    images = pictures_of(episodes, WIDTH)
    question = observations.question(episodes, "pixels", images)
    told = taught_eyes.eyes_of(config.sight, 1).told(torch.from_numpy(images))
    reader = models.build(config)
    reader.load_state_dict(agent.network.state_dict())
    words = models.tensors(question, "pixels")[1]
    with torch.no_grad():
        expected = reader.eval()(told, words).log_softmax(dim=1).numpy()
    assert np.allclose(agent.score(question), expected, atol=1e-5)
    assert training.LIFE.run(config, "verified", 1) == rows


@pytest.mark.parametrize("name", ["cnn-word-learner", "caption-word-learner"])
def test_a_learner_with_taught_eyes_has_the_words_of_the_slot_word_learner(name, untaught, monkeypatch):
    """One training run serves all three, and a run of its own ends at the same weights."""
    tiny = {"episodes": 12, "validated": 4, "tested": 4, "steps": 2, "batch": 4, "looks": 1, "width": 16}
    config = agents.config(name, "quick", set="shape", **tiny)
    monkeypatch.setattr(taught_eyes, "eyes_of", lru_cache(lambda *_: None))  # words are learnt without them
    own = training.to_agent(run(training.train(config, 2))).network.state_dict()
    shared = training.learn(config, "verified", 2)
    path = training.LIFE.kept(agents.words_of(config), 2)
    assert shared.config == config and training.read(path).config == agents.words_of(config) != config
    for weights in (shared.network.state_dict(), training.read(path).network.state_dict()):
        assert weights.keys() == own.keys() and all(torch.equal(value, own[key]) for key, value in weights.items())
    monkeypatch.setattr(training, "train", None)  # and nothing is trained any more
    assert training.learn(config, "verified", 2).log.equals(shared.log)


@pytest.mark.parametrize(("agent", "eyes"), [("cnn-word-learner", "sight"), ("caption-word-learner", "reading")])
def test_it_is_shipped_where_its_words_and_its_eyes_are(agent, eyes, untaught):
    name = {"name": agent, "preset": "lab", "set": "shape"}
    words, eyes = training.shipped("slot-word-learner", set="shape"), taught_eyes.LIFE.shipped(eyes)
    whole = training.shipped(**name)
    if eyes is None:
        assert whole is None
    else:
        assert whole.network is words.network and whole.config == agents.config(agent, "lab", set="shape")
    assert training.shipped(**name, width=64) is None  # no words of this size are shipped
