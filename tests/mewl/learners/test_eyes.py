"""Eyes for pictures that learn with a learner: they find and name things, and may be trained before and frozen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from cogkit.app import experiments
from cogkit.core.instruments import Cell
from cogkit.data import results
from cogkit.learning import run
from cogkit.mewl import instrument
from cogkit.mewl.learners import agents, perception, training
from cogkit.mewl.learners.networks import eyes
from cogkit.mewl.problems import making, observations
from cogkit.mewl.problems.pictures import pictures_of

pytestmark = pytest.mark.usefixtures("one_thread")
WIDTH = 48


@pytest.fixture(scope="module")
def episodes() -> list:
    return making.episodes_of_all(("shape", "number", "pragmatic"), "train", 2)


def test_eyes_that_were_trained_before_learn_no_more(episodes):
    config = agents.config("cnn-transformer", "quick", batch=4, steps=3)
    torch.manual_seed(1)
    before = eyes.Sight(config.channels)
    pictures = training.lessons(episodes, "pixels", WIDTH)
    taught = replace(pictures, observations=perception.extract(before, pictures.observations))
    network = run(training.fit(config, 0, taught, before=before)).state.modules["network"]
    for name, value in network.eyes.before.state_dict().items():
        assert torch.equal(value, before.state_dict()[name])
    agent = training.Agent(network, config)
    assert torch.allclose(
        agent.weigh(pictures.observations, taught.token_ids),
        agent.weigh(taught.observations, taught.token_ids),
        atol=1e-5,
    )


def test_an_agent_that_looks_is_judged_by_pictures_and_is_the_same_once_kept(tmp_path):
    tiny = {"episodes": 12, "validated": 4, "tested": 6, "width": 16, "layers": 1, "steps": 3, "batch": 4, "n_evals": 1}
    config = agents.config("cnn-transformer", "quick", set="number", pixels=32, naming=2, **tiny)
    cell = Cell("mewl/cnn-transformer/number", instrument.agent, {"quick": config}, weights=True)
    path, table = experiments.ship(cell, preset="quick", folder=tmp_path)
    agent = training.read(path)
    assert agent.config == config
    rows = training.assess(agent, "verified", 0)
    assert {(row["task"], row["inputs"], row["n"]) for row in rows} == {
        ("number", "pixels", 6),
        ("train/number", "pixels", 6),
    }
    shipped = results.load(table.parent)
    assert shipped.value.tolist()[: len(rows)] == pytest.approx([row["value"] for row in rows], rel=1e-9)
    episodes = making.episodes_of("number", "test", 6)
    score = agent.score(observations.question(episodes, "pixels", pictures_of(episodes, 32)))
    right = np.mean(score.argmax(axis=1) == [episode.answer for episode in episodes])
    assert right == next(row["value"] for row in rows if (row["task"], row["metric"]) == ("number", "accuracy"))
