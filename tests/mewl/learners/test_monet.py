"""MONet: masks that share out every pixel, a loss that is what the paper says, and that it learns to take apart."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from cogkit.app import experiments
from cogkit.core.instruments import Cell
from cogkit.learning import run
from cogkit.mewl import instrument, scoring
from cogkit.mewl.learners import agents, perception, training
from cogkit.mewl.problems import making, slots

pytestmark = pytest.mark.usefixtures("one_thread")
SMALL = {"size": 16, "levels": 3, "channels": 8}


def squares(n: int, seed: int) -> torch.Tensor:
    """Pictures of 16 × 16 pixels of a coloured square on grey."""
    rng, images = np.random.default_rng(seed), np.full((n, 16, 16, 3), 110, np.uint8)
    for image in images:
        y, x = rng.integers(1, 10, 2)
        image[y : y + 5, x : x + 5] = rng.integers(30, 250, 3)
    return torch.from_numpy(images)


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(0)
    return perception.build(agents.MONET.config("quick", **SMALL))


def test_masks_share_out_every_pixel(network):
    apart = network(squares(5, 2))
    masks = apart.masks.exp()
    assert (
        masks.shape == (5, 7, 16, 16) and masks.min() >= 0 and torch.allclose(masks.sum(dim=1), torch.ones(5, 16, 16))
    )
    assert apart.painted.shape == (5, 7, 3, 16, 16) and 0 <= apart.painted.min() < apart.painted.max() <= 1


def test_the_loss_is_the_published_one(network):
    images = squares(3, 3)
    network.eval()
    with torch.no_grad():
        apart = network(images)
        pixels = network.pixels(images)
        means, logs = network.codes(pixels, apart.masks)
        logits = network.decode(means.flatten(0, 1), 16)[1].view(3, 7, 16, 16).double().numpy()
    pixels, masks, painted = (array.double().numpy() for array in (pixels, apart.masks.exp(), apart.painted))
    means, spreads = means.double().numpy(), np.exp(logs.double().numpy())
    spread = np.array([0.09] + [0.11] * 6)[:, None, None]
    apart_by = ((pixels[:, None] - painted) ** 2).sum(axis=2)
    apiece = np.exp(-apart_by / 2 / spread**2) / (spread * math.sqrt(2 * math.pi)) ** 3
    assert np.allclose(apart.surprise, -np.log((masks * apiece).sum(axis=1)).sum(axis=(1, 2)), rtol=1e-4)
    between = (means**2 + spreads - np.log(spreads) - 1).sum(axis=(1, 2)) / 2
    assert np.allclose(apart.divergence, between, rtol=1e-4)
    guessed = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    assert np.allclose(apart.mismatch, (masks * np.log(masks / guessed)).sum(axis=(1, 2, 3)), rtol=1e-4)


def test_codes_are_drawn_in_training_alone_and_gradient_reaches_every_weight(network):
    images = squares(4, 5)
    first, second = (network.eval()(images).painted for _ in range(2))
    apart = network.train()(images)
    assert torch.equal(first, second) and not torch.equal(apart.painted, first)
    network.zero_grad()
    (apart.surprise + apart.divergence + apart.mismatch).sum().backward()
    assert all(weight.grad is not None and weight.grad.abs().max() > 0 for weight in network.parameters())


def test_it_learns_to_take_pictures_apart():
    config = agents.MONET.config("quick", **SMALL, slots=4, steps=40, batch=8, learning_rate=3e-3)
    log = run(perception.fit(config, 0, squares(32, 0), torch.zeros(32, 6, 22), log_every=1)).log
    assert log.loss.iloc[-10:].mean() < 0.9 * log.loss.iloc[:10].mean()


def test_agents_of_a_seed_share_a_monet_and_are_the_same_once_kept(home, tmp_path):
    name, little = "monet-word-learner", {"steps": 2, "batch": 4, "n_evals": 1, "episodes": 1, "validated": 1}
    eyes = agents.MONET.config("quick", **SMALL, **little, pixels=32, tested=2)
    tiny = {"episodes": 12, "validated": 4, "tested": 4, "width": 16, "steps": 3, "batch": 4, "n_evals": 1}
    configs = [agents.config(name, "quick", set=task, **tiny, monet=eyes) for task in ("number", "shape")]
    perception.eyes_of.cache_clear()
    first, second = (training.learn(config, "verified", 0) for config in configs)
    assert first.eyes is second.eyes and first.supervision == "answers and pictures"
    assert not any("decode" in weight for weight in first.network.state_dict())  # its file has no MONet
    cell = Cell(f"mewl/{name}/number", instrument.agent, {"quick": configs[0]}, weights=True)
    path, _ = experiments.ship(cell, preset="quick", folder=tmp_path)
    perception.eyes_of.cache_clear()  # eyes come from their file
    episodes, copy = making.episodes_of("number", "val", 3), training.read(path)
    assert np.array_equal(*(scoring.judge(agent, episodes, draw=agent.draw).scores for agent in (first, copy)))


def test_a_probe_reads_a_code_that_holds_everything_and_none_that_holds_nothing(network, monkeypatch):
    """With true slots for codes it is always right; with codes of noise it guesses."""
    config = agents.MONET.config("quick", **SMALL, pixels=32, tested=8)
    n, values = 8 * 3 * 7, {"shape": 3, "color": 8, "material": 3, "size": 2}
    true = torch.from_numpy(slots.of_episodes(making.episodes_of_all(("shape", "color", "material"), "train", 8)))
    tests = torch.from_numpy(slots.of_episodes(making.episodes_of_all(("shape", "color", "material"), "test", 8)))
    for codes, sure in (([true, tests], True), ([torch.randn(n, 6, 22), torch.randn(n, 6, 22)], False)):
        outputs = iter(codes)
        eyes = perception.Eyes(network, config)
        monkeypatch.setattr(eyes, "extract", lambda images, outputs=outputs: next(outputs).reshape(len(images), -1, 22))
        rows = perception.assess(eyes, "verified", 0)
        assert [row["task"] for row in rows] == [f"telling/{name}" for name in slots.ATTRIBUTES]
        for row in rows:
            chance = 1 / values[row["task"].removeprefix("telling/")]
            spread = np.sqrt(chance * (1 - chance) / 24)  # things of an episode are alike, so episodes count
            assert row["n"] == n and (row["value"] == 1 if sure else abs(row["value"] - chance) < 4 * spread), row
