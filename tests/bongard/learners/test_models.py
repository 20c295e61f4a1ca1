"""The whole network, the learner around it, the configs, and the file that it is kept in."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest
import torch
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from cogkit.bongard.learners import agents, models, pretrained, training
from cogkit.bongard.problems.records import Question
from cogkit.core.contracts import InputError
from cogkit.core.identity import plain
from cogkit.data.results import manifest
from cogkit.learning import weights as kept

SIZE = 32


def network(agent: str = "protonet", **changes) -> models.Network:
    """Return a small network, not in training, whose answers differ."""
    torch.manual_seed(0)
    net = models.build(agents.config(agent, "quick", size=SIZE, **changes))
    norms = [part for part in net.modules() if isinstance(part, torch.nn.BatchNorm2d)]
    for part in norms:
        part.momentum = 1.0
    with torch.no_grad():
        net.backbone(torch.rand(20, net.head.channels, SIZE, SIZE) * 2 - 1)
        net.backbone.out.weight.mul_(0.02)
    return net.eval()


def learner(agent: str = "protonet", **changes) -> models.Agent:
    return models.Agent(network(agent, **changes), agents.config(agent, "quick", size=SIZE, **changes))


def drawn(n: int, size: int = SIZE, seed: int = 0) -> np.ndarray:
    """Return pictures of n problems, blots on paper: (n, 2, 7, size, size)."""
    rng = np.random.default_rng(seed)
    return np.kron(rng.integers(0, 2, (n, 2, 7, 8, 8)), np.ones((size // 8,) * 2)).astype(np.uint8) * 255


def asked(pictures: np.ndarray) -> Question:
    """Return both questions of every problem, in an order of no meaning."""
    support = pictures[:, :, :6].repeat(2, axis=0)
    order = np.random.default_rng(1).permutation(2 * len(pictures))
    return Question(support[order], pictures[:, :, 6].reshape(-1, *pictures.shape[3:])[order])


@pytest.mark.parametrize("agent", agents.NAMES)
def test_an_agent_answers_what_its_network_says(agent):
    model, pictures = learner(agent), drawn(9)
    question = asked(pictures)
    chances = model.predict(question)
    for k in range(len(question)):
        inputs = (torch.from_numpy(part[k]).float()[None, ..., None, :, :] / 127.5 - 1 for part in
               (question.support, question.query[:, None]))  # fmt: skip
        with torch.no_grad():
            logits = model.network(*inputs)[0, 0].double()
        assert chances[k] == pytest.approx(1 / (1 + np.exp(float(logits[1] - logits[0]))), abs=1e-4)
    assert chances.dtype == np.float32 and chances.std() > 1e-6
    assert model.name == agents.NAMES[agent] and (model.kind, model.inputs, model.size) == ("model", "pixels", SIZE)
    assert len(model.predict(question[:0])) == 0


@pytest.mark.parametrize("agent", ["protonet", "cnn"])
def test_questions_in_parts_are_the_questions_at_once(agent, monkeypatch):
    model, question = learner(agent), asked(drawn(10))
    at_once = model.predict(question)
    monkeypatch.setitem(models._VALUES, "cpu", 5000)
    torch.testing.assert_close(torch.tensor(model.predict(question)), torch.tensor(at_once), atol=1e-5, rtol=0)


def test_a_support_is_seen_once_however_many_ask(monkeypatch):
    model, sizes = learner(), []
    forward = model.network.backbone.forward
    monkeypatch.setattr(model.network.backbone, "forward", lambda x: (sizes.append(len(x)), forward(x))[1])
    model.predict(asked(drawn(9)))  # as many as it answers at once
    assert sizes == [9 * 12 + 18]


@pytest.mark.parametrize("agent", agents.NAMES)
def test_whole_problems_are_asked_about_the_seventh_pictures(agent):
    model, pictures = learner(agent), drawn(7)
    chances = model.chances(pictures)
    for side in range(2):
        expected = model.predict(Question(pictures[:, :, :6], pictures[:, side, 6]))
        np.testing.assert_allclose(chances[:, side], expected, atol=1e-5)


@pytest.mark.parametrize("agent", [name for name in agents.NAMES if name != "cnn"])
def test_every_picture_in_turn_is_what_seven_questions_are(agent):
    net = network(agent)
    pictures = torch.from_numpy(drawn(3)).float()[..., None, :, :] / 127.5 - 1
    with torch.no_grad():
        logits, features = net.course(pictures, every=True)
        last, again = net.course(pictures)
        logits = logits.unflatten(0, (3, 7))
        assert torch.equal(features, again) and features.shape == (3, 2, 7, 128)
        torch.testing.assert_close(last, logits[:, 6], atol=1e-4, rtol=1e-4)
        for k in range(7):
            places = [place for place in range(7) if place != k]
            torch.testing.assert_close(
                logits[:, k], net(pictures[:, :, places], pictures[:, :, k]), atol=1e-4, rtol=1e-4
            )


def test_features_are_the_backbones():
    model, images = learner(), drawn(2).reshape(-1, SIZE, SIZE)
    with torch.no_grad():
        expected = model.network.backbone(torch.from_numpy(images).float()[:, None] / 127.5 - 1)
    features = model.features(images)
    assert features.shape == (28, 128) and np.abs(features - expected.numpy()).max() < 1e-4
    assert model.features(images[:0]).shape == (0, 128)
    with pytest.raises(InputError, match="sees pictures one by one, got CNN-Baseline"):
        learner("cnn").features(images)


def test_it_is_asked_out_of_training_and_left_as_it_was():
    model = learner("set-transformer")
    question = asked(drawn(5))
    calm = model.predict(question)
    model.network.train()
    before = {name: value.clone() for name, value in model.network.state_dict().items()}
    assert (model.predict(question) == calm).all() and model.network.training
    assert all(torch.equal(value, before[name]) for name, value in model.network.state_dict().items())


def test_standardised_features_know_no_shift_nor_scale():
    net, plain_one = network("protonet", standardised=True), network("protonet")
    support, query = torch.randn(4, 2, 6, 128), torch.randn(4, 2, 128)
    for of, same in ((net, True), (plain_one, False)):
        shifted = of._decide(support * 2 + 1, query * 2 + 1)
        assert torch.allclose(shifted, of._decide(support, query), rtol=1e-3, atol=1e-3) is same


# configs


def test_the_paper_preset_is_the_papers():
    for agent in agents.NAMES:
        config = agents.config(agent, "paper")
        assert (config.size, config.reduction, config.optimiser, config.schedule) == (512, 1, "sgd", "constant")
        assert (config.learning_rate, config.weight_decay, config.asked, config.crowd) == (1e-3, 5e-4, "one", 0)
        assert (config.batch, config.steps) == ((32, 28_200) if agent == "cnn" else (8, 112_500))
        assert config.problems is config.validated is config.tested is None
    assert agents.config("metaoptnet", "paper").c == 0.1 and agents.config("anil", "paper").rate == 0.4
    assert agents.config("meta-baseline-sc", "paper").temperature == 10


WEIGHTS = {"protonet": 1, "meta-baseline-sc": 1, "metaoptnet": 1, "anil": 258}


@pytest.mark.parametrize("agent", WEIGHTS)
def test_at_full_width_it_has_the_papers_weights(agent):
    net = models.build(agents.config(agent, "paper"))
    assert sum(weights.numel() for weights in net.parameters()) == 8_100_032 + WEIGHTS[agent]


def test_what_is_trained_before_has_the_same_eyes():
    for agent, name in agents.PRETRAINED.items():
        for preset in ("quick", "lab", "paper"):
            config = agents.config(agent, preset)
            assert isinstance(config.pretrained, type(pretrained.config(name, preset)))
            assert (config.pretrained.size, config.pretrained.reduction) == (config.size, config.reduction)
    assert agents.config("meta-baseline-ps", "lab", reduction=4).pretrained.reduction == 4
    configs = [agents.config(agent, "lab").pretrained for agent in agents.NAMES if agent not in agents.PRETRAINED]
    assert configs == [None] * 8


@pytest.mark.parametrize("agent", agents.NAMES)
@pytest.mark.parametrize("preset", ["quick", "lab", "paper"])
def test_a_config_is_restored_from_plain_values(agent, preset):
    config = agents.config(agent, preset)
    assert training.LIFE.restored(plain(config)) == config


def test_the_published_profile_mirrors_every_picture_unless_told_otherwise():
    config = agents.config("protonet", "lab")
    assert agents.under(config, "verified") == config and config.flip == "problem"
    assert agents.under(config, "as_published") == dataclasses.replace(config, flip="picture")
    still = agents.config("protonet", "lab", flip="none")
    assert agents.under(still, "as_published") == still


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: agents.config("protonets", "lab"), "did you mean 'protonet'"),
        (lambda: agents.config("anil", "labs"), "did you mean 'lab'"),
        (lambda: agents.config("anil", "lab", flip="images"), r"a flip \(problem, picture or none\), got 'images'"),
        (lambda: agents.config("anil", "lab", c=1), "a setting of ANIL .*got 'c'"),
        (lambda: agents.config("anil", "lab", steps=0), "at least one of each, got 0 steps of 8 problems"),
        (lambda: agents.config("cnn", "lab", asked="all"), "CNN-Baseline has no features of single pictures"),
        (lambda: agents.config("cnn", "lab", standardised=True), "wanted False, got standardised=True"),
        (lambda: agents.cell_id("protonet", "some"), r"a set \(all, free-form or sectors\)"),
    ],
)
def test_a_wrong_setting_is_one_sentence(make, said):
    with pytest.raises(InputError, match=said):
        make()


# files


LOG = pd.DataFrame({"step": [100, 200], "accuracy": [0.5, 0.75], "loss": [0.5, 0.25], "validation": [0.5, 0.625]})


def saved(path, agent: str = "protonet"):
    model = learner(agent)
    record = manifest(agents.cell_id(agent), model.config, "verified", "quick", 7, 1.5)
    model.log = LOG
    return training.save(model, path, record), model, record


@pytest.mark.parametrize("agent", agents.NAMES)
def test_saved_is_read_again_rounded_once(agent, tmp_path):
    path, model, record = saved(tmp_path / "there" / "agent.safetensors", agent)
    copy = training.read(path)
    assert copy.config == model.config and copy.name == model.name and copy.manifest == record
    assert (copy.log == LOG).all(axis=None) and list(copy.log) == list(LOG)
    for name, value in model.network.state_dict().items():
        assert torch.equal(copy.network.state_dict()[name], value.half().to(value.dtype))
    question = asked(drawn(4))
    assert np.abs(copy.predict(question) - model.predict(question)).max() < 0.05


def spoilt(path, **changes):
    """Write an agent's file with some tensors replaced, or left out where they are None."""
    saved(path)
    with safe_open(path, framework="numpy") as file:
        metadata = file.metadata()
    arrays = load_file(path) | {name.replace("__", "."): array for name, array in changes.items()}
    save_file({name: array for name, array in arrays.items() if array is not None}, path, metadata)


SPOILT = {
    "missing": (lambda path: None, "a safetensors file of an agent of Bongard-LOGO"),
    "cut": (lambda path: path.write_bytes(saved(path)[0].read_bytes()[:-1]), "a safetensors file"),
    "a layer too few": (lambda path: spoilt(path, backbone__out__bias=None), "without backbone.out.bias"),
    "a layer too many": (lambda path: spoilt(path, twin=np.zeros(3, np.float16)), "which has no twin"),
    "not a number": (
        lambda path: spoilt(path, backbone__out__bias=np.full(128, np.nan, np.float16)), "not finite"
    ),
    "another instrument": (
        lambda path: kept.write(
            path, torch.nn.Linear(2, 2), LOG, manifest("a/b", {"task": "copy"}, "verified", "quick", 0, 1.0)
        ),
        "wanted one of an agent of Bongard-LOGO, got the config",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", SPOILT)
def test_a_file_that_holds_no_agent_is_one_sentence(kind, tmp_path):
    path = tmp_path / "agent.safetensors"
    write, sentence = SPOILT[kind]
    write(path)
    with pytest.raises(InputError, match=sentence) as caught:
        training.read(path)
    assert "\n" not in str(caught.value)


def test_what_is_not_shipped_is_named():
    with pytest.raises(InputError, match="an agent that is shipped .*got anil-free-form-lab-s99"):
        training.load("anil", set="free-form", seed=99)
