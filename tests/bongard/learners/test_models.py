"""The whole network, the learner around it, the configs, and the file that it is kept in."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest
import torch
from cases import case
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from cogkit.bongard.learners import agents, models, training
from cogkit.bongard.problems.records import Question
from cogkit.core.errors import InputError
from cogkit.data.results import manifest
from cogkit.learning import weights

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
        assert (config.size, config.reduction, config.recipe.optimiser, config.recipe.schedule) == (
            512,
            1,
            "sgd",
            "constant",
        )
        assert (config.recipe.learning_rate, config.recipe.weight_decay, config.queries, config.contrastive) == (
            1e-3,
            5e-4,
            "one",
            0,
        )
        assert (config.recipe.batch, config.recipe.steps) == ((32, 28_200) if agent == "cnn" else (8, 112_500))
        assert config.problems is config.validated is config.tested is None
    assert agents.config("metaoptnet", "paper").c == 0.1 and agents.config("anil", "paper").rate == 0.4
    assert agents.config("meta-baseline-sc", "paper").temperature == 10


def test_the_published_profile_mirrors_every_picture_unless_told_otherwise():
    config, still = (agents.config("protonet", "lab", **changes) for changes in ({}, {"flip": "none"}))
    assert agents.under(config, "verified") == config and config.flip == "problem"
    assert agents.under(config, "as_published") == dataclasses.replace(config, flip="picture")
    assert agents.under(still, "as_published") == still


def test_a_wrong_setting_is_one_sentence():
    rows = [
        ("protonets", {}, "did you mean 'protonet'"),
        ("cnn", {"queries": "all"}, "CNN-Baseline has no features of single pictures"),
    ]
    for agent, changes, sentence in rows:
        with pytest.raises(InputError, match=sentence):
            agents.config(agent, "lab", **changes)


# files

LOG = pd.DataFrame({"step": [100, 200], "accuracy": [0.5, 0.75], "loss": [0.5, 0.25], "validation": [0.5, 0.625]})


def saved(path, agent: str = "protonet"):
    model = learner(agent)
    record = manifest(agents.cell_id(agent), model.config, "verified", "quick", 7, 1.5)
    model.log = LOG
    return training.save(model, path, record), model, record


def test_saved_is_read_again_rounded_once(tmp_path):
    for agent in agents.NAMES:
        path, model, record = saved(tmp_path / "there" / f"{agent}.safetensors", agent)
        copy = training.read(path)
        with case(agent):
            assert copy.config == model.config and copy.name == model.name and copy.manifest == record
            assert (copy.log == LOG).all(axis=None) and list(copy.log) == list(LOG)
            for name, value in model.network.state_dict().items():
                assert torch.equal(copy.network.state_dict()[name], value.half().to(value.dtype))


def spoilt(path, **changes):
    """Write an agent's file with some tensors replaced, or left out where they are None."""
    saved(path)
    with safe_open(path, framework="numpy") as file:
        metadata = file.metadata()
    arrays = load_file(path) | {name.replace("__", "."): array for name, array in changes.items()}
    save_file({name: array for name, array in arrays.items() if array is not None}, path, metadata)


def test_a_file_that_holds_no_agent_is_one_sentence(tmp_path):
    def foreign(path):
        weights.write(path, torch.nn.Linear(2, 2), LOG, manifest("a/b", {"task": "copy"}, "verified", "quick", 0, 1.0))

    nan = np.full(128, np.nan, np.float16)
    rows = [
        (lambda path: None, "a safetensors file of an agent of Bongard-LOGO"),
        (lambda path: path.write_bytes(saved(path)[0].read_bytes()[:-1]), "a safetensors file"),
        (lambda path: spoilt(path, backbone__out__bias=None), "backbone.out.bias"),
        (lambda path: spoilt(path, backbone__out__bias=nan), "not finite"),
        (foreign, "wanted one of an agent of Bongard-LOGO, got the config"),
    ]
    for number, (write, sentence) in enumerate(rows):
        write(path := tmp_path / f"{number}.safetensors")
        with pytest.raises(InputError, match=sentence) as caught:
            training.read(path)
        assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="an agent that is shipped .*got anil-free-form-lab-s99"):
        training.load("anil", set="free-form", seed=99)
