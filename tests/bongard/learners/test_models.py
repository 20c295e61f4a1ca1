"""The whole network, the learner around it, and the configs."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from cases import case

from cogkit.bongard.learners import agents, models
from cogkit.bongard.problems.records import Question
from cogkit.core.errors import InputError

pytestmark = pytest.mark.usefixtures("one_thread")
SIZE = 32


def learner(agent: str = "protonet", **changes) -> models.Agent:
    """Return an untrained agent whose answers differ, since its normalisation has seen pictures."""
    torch.manual_seed(0)
    config = agents.config(agent, "quick", size=SIZE, **changes)
    network = models.build(config)
    for part in network.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.momentum = 1.0
    with torch.no_grad():
        network.backbone(torch.rand(20, network.head.channels, SIZE, SIZE) * 2 - 1)
        network.backbone.out.weight.mul_(0.02)
    return models.Agent(network.eval(), config)


def drawn(n: int) -> np.ndarray:
    """Return pictures of n problems, blots on paper: (n, 2, 7, size, size)."""
    rng = np.random.default_rng(0)
    return np.kron(rng.integers(0, 2, (n, 2, 7, 8, 8)), np.ones((SIZE // 8,) * 2)).astype(np.uint8) * 255


def make_question(pictures: np.ndarray) -> Question:
    """Return both questions of every problem, in an order of no meaning."""
    support = pictures[:, :, :6].repeat(2, axis=0)
    order = np.random.default_rng(1).permutation(2 * len(pictures))
    return Question(support[order], pictures[:, :, 6].reshape(-1, *pictures.shape[3:])[order])


def tensor(pictures: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(pictures).float()[..., None, :, :] / 127.5 - 1


def test_an_agent_answers_what_its_network_says_of_questions_and_of_whole_problems():
    pictures = drawn(5)
    question = make_question(pictures)
    for agent in agents.NAMES:
        model = learner(agent)
        with case(agent), torch.no_grad():
            logits = model.network(tensor(question.support), tensor(question.query[:, None]))[:, 0].double()
            chances = model.predict(question)
            assert chances == pytest.approx(logits.softmax(dim=1)[:, 0].numpy(), abs=1e-4)
            assert chances.dtype == np.float32 and chances.std() > 1e-6
            whole = model.chances(pictures)
            for side in range(2):
                expected = model.predict(Question(pictures[:, :, :6], pictures[:, side, 6]))
                np.testing.assert_allclose(whole[:, side], expected, atol=1e-5)
            assert model.name == agents.NAMES[agent] and (model.inputs, model.size) == ("pixels", SIZE)
            assert len(model.predict(question[:0])) == 0


def test_it_is_asked_out_of_training_and_left_as_it_was():
    model, question = learner("set-transformer"), make_question(drawn(5))
    calm = model.predict(question)
    model.network.train()
    before = {name: value.clone() for name, value in model.network.state_dict().items()}
    assert (model.predict(question) == calm).all() and model.network.training
    assert all(torch.equal(value, before[name]) for name, value in model.network.state_dict().items())


# configs


def test_the_paper_preset_is_the_papers():
    for agent in agents.NAMES:
        config = agents.config(agent, "paper")
        recipe = config.recipe
        assert (config.size, config.reduction, config.queries, config.contrastive) == (512, 1, "one", 0)
        assert (recipe.optimiser, recipe.learning_rate, recipe.weight_decay) == ("sgd", 1e-3, 5e-4)
        assert recipe.schedule == "constant"
        assert (recipe.batch, recipe.steps) == ((32, 28_200) if agent == "cnn" else (8, 112_500))
        assert config.problems is config.validated is config.tested is None
    assert agents.config("metaoptnet", "paper").c == 0.1 and agents.config("anil", "paper").rate == 0.4
    assert agents.config("meta-baseline-sc", "paper").temperature == 10
    with pytest.raises(InputError, match="CNN-Baseline has no features of single pictures"):
        agents.config("cnn", "paper", queries="all")


def test_the_published_profile_mirrors_every_picture_unless_told_otherwise():
    config, still = (agents.config("protonet", "lab", **changes) for changes in ({}, {"flip": "none"}))
    assert agents.under(config, "verified") == config and config.flip == "problem"
    assert agents.under(config, "as_published") == dataclasses.replace(config, flip="picture")
    assert agents.under(still, "as_published") == still
