"""Pre-training of the backbone: views, queue, slow encoder, contrast; programs learnt by heart; runs taken up again."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from cogkit.bongard.learners import pretrained, pretraining
from cogkit.bongard.learners.networks import backbone, momentum
from cogkit.bongard.learners.networks.backbone import ResNet15
from cogkit.bongard.learners.pretraining import moco_fit, synthesis_fit
from cogkit.bongard.logo import raster, tokens
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.bongard.logo.programs import Arc, Line
from cogkit.bongard.problems.packed import Packed
from cogkit.core.contracts import InputError
from cogkit.learning import run
from cogkit.learning.supervised import learning_rate, trained

pytestmark = pytest.mark.usefixtures("one_thread")

SHAPES = [
    (Line(1.0, 0.0), Line(1.0, 120.0), Line(1.0, 120.0)),
    (Line(0.8), Line(0.8, 90.0, "circle"), Line(0.8, 90.0)),
    (Arc(0.5, 180.0, 0.0, "square"), Line(1.0, 90.0)),
    (Arc(0.3, 270.0), Arc(0.5, -90.0, 90.0)),
    (Line(0.5, 0.0, "zigzag"), Line(1.0, -60.0)),
    (Line(1.0, 0.0, "triangle"), Arc(0.4, 90.0, -30.0), Line(0.3, 150.0)),
]
PICTURES = [(Placed(program, Placement(-100, 60 - 40 * k, 30 * k, 180)),) for k, program in enumerate(SHAPES)]
PICTURES += [(Placed(SHAPES[0], Placement(-250, -50, 0, 120)), Placed(SHAPES[3], Placement(150, 100, 90, 120)))]


@pytest.fixture(scope="module")
def images():
    return raster.images(PICTURES, 32)


def tiny(name: str, **changes):
    settings = {"size": 32, "batch": 3, "optimiser": "sgd", "learning_rate": 0.03, "schedule": "constant"}
    return pretrained.config(name, "quick", **(settings | changes))


def naive_view(picture, draws, jitter):
    """Return a view of one picture of numbers in 0 to 1, as torchvision's operations say."""
    mirrored, order, bright, contrast = draws
    view = picture[:, ::-1] if mirrored < 0.5 else picture

    def brighten(x):
        return np.clip(x * (1 - jitter + 2 * jitter * bright), 0, 1)

    def sharpen(x):
        factor = 1 - jitter + 2 * jitter * contrast
        return np.clip(factor * x + (1 - factor) * x.mean(), 0, 1)

    return sharpen(brighten(view)) if order < 0.5 else brighten(sharpen(view))


def test_views_are_those_of_a_picture_at_a_time(images):
    draws = np.random.default_rng(0).random((len(images), 4)).astype(np.float32)
    draws[:4, :2] = [[0.1, 0.1], [0.1, 0.9], [0.9, 0.1], [0.9, 0.9]]  # mirrored or not, either order
    views = momentum.views(backbone.pixels(images), torch.from_numpy(draws), 0.4)
    for k, image in enumerate(images):
        expected = 2 * naive_view(image / 255, draws[k], 0.4) - 1
        assert views[k, 0].numpy() == pytest.approx(expected, abs=1e-5)


def test_without_jitter_a_view_is_the_picture_or_its_mirror(images):
    pictures = backbone.pixels(images)
    draws = torch.rand(len(images), 4)
    draws[:, 0] = torch.arange(len(images)) % 2
    views = momentum.views(pictures, draws, 0.0)
    assert torch.allclose(views[1::2], pictures[1::2], atol=1e-6)
    assert torch.allclose(views[::2], pictures[::2].flip(-1), atol=1e-6)


def test_draws_are_uniform():
    draws = momentum.draws(np.random.default_rng(0), 4000, "cpu")
    assert draws.shape == (4000, 4) and draws.dtype == torch.float32
    assert (draws.mean(dim=0) - 0.5).abs().max() < 4 * math.sqrt(1 / 12 / 4000)


def contrast(queue: int, width: int = 2) -> momentum.Contrast:
    return momentum.Contrast(nn.Sequential(nn.Linear(3, width), nn.BatchNorm1d(width)), width, queue)


@given(st.integers(3, 9), st.lists(st.integers(1, 3), max_size=12))
@settings(deadline=None, max_examples=50)
def test_the_queue_holds_the_latest_keys(size, batches):
    network, serial = contrast(size), 0
    expected = [tuple(row) for row in network.queue.tolist()]  # oldest first
    for n in batches:
        keys = torch.arange(serial, serial + n)[:, None].repeat(1, 2).float()
        serial += n
        network.enqueue(keys)
        expected = (expected + [tuple(row) for row in keys.tolist()])[n:]
    at = int(network.next)
    rows = network.queue.tolist()
    assert [tuple(row) for row in rows[at:] + rows[:at]] == expected


def test_the_slow_encoder_follows_by_the_formula():
    network = contrast(4)
    before = {name: value.clone() for name, value in network.slow.named_parameters()}
    with torch.no_grad():
        for value in network.backbone.parameters():
            value.add_(torch.randn_like(value))
    ahead = {name: value.clone() for name, value in network.backbone.named_parameters()}
    network.follow(0.9)
    for name, value in network.slow.named_parameters():
        assert torch.allclose(value, 0.9 * before[name] + 0.1 * ahead[name], atol=1e-6)
        assert not torch.equal(value, before[name]) and not value.requires_grad
    assert all(torch.equal(value, ahead[name]) for name, value in network.backbone.named_parameters())


def test_the_contrast_is_that_of_a_loop():
    queries, keys, queue = (nn.functional.normalize(torch.randn(n, 5), dim=1) for n in (4, 4, 7))
    total = 0.0
    for k in range(4):
        match = math.exp(float(queries[k] @ keys[k]) / 0.07)
        rest = sum(math.exp(float(queries[k] @ queue[j]) / 0.07) for j in range(7))
        total -= math.log(match / (match + rest)) / 4
    assert momentum.info_nce(queries, keys, queue, 0.07).item() == pytest.approx(total, rel=1e-4)


def test_codes_have_length_one_and_keys_no_graph():
    network = contrast(4)
    queries, keys = network.codes(torch.randn(6, 3), torch.randn(6, 3))
    for codes in (queries, keys):
        assert torch.allclose(codes.norm(dim=1), torch.ones(6), atol=1e-5)
    assert queries.requires_grad and not keys.requires_grad


def test_a_step_contrasts_with_the_queue_as_it_was(images):
    config = tiny("moco", steps=1, queue=5)
    fit = moco_fit(config, 0, images)
    network = fit.result.state.modules["network"]
    before = network.queue.clone()
    run(fit)
    assert torch.equal(network.queue[3:], before[3:]) and not torch.equal(network.queue[:3], before[:3])
    assert int(network.next) == 3 and torch.allclose(network.queue.norm(dim=1), torch.ones(5), atol=1e-5)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"queue": 2}, "queue of 2"),
        ({"taken_at": 1.5}, "taken_at"),
        ({"numbers": "l3"}, "number"),
        ({"looks": 0}, "0 looks"),
        ({"schedule": "steps"}, "schedule"),
        ({"optimiser": "adam"}, "adamw"),
    ],
)
def test_settings_that_cannot_be_are_refused(changes, said):
    with pytest.raises(InputError, match=said):
        tiny("synthesis" if "numbers" in changes else "moco", **changes)


def test_images_of_another_size_or_kind_are_refused(images):
    for wrong in (images[:, :30], images.astype(float), images[0]):
        with pytest.raises(InputError, match="images of"):
            moco_fit(tiny("moco"), 0, wrong)
    with pytest.raises(InputError, match="images of"):
        synthesis_fit(tiny("synthesis"), 0, images, PICTURES[:-1])
    with pytest.raises(InputError, match="2 examples"):
        moco_fit(tiny("moco"), 0, images[:2])
    with pytest.raises(InputError, match="SynthesisConfig without pictures"):
        pretraining.backbone(tiny("synthesis"), 0, images)


def test_the_papers_numbers():
    moco, synthesis = (pretrained.config(name, "paper") for name in ("moco", "synthesis"))
    shared = {
        "size": 512,
        "reduction": 1,
        "batch": 128,
        "learning_rate": 0.03,
        "weight_decay": 1e-4,
        "optimiser": "sgd",
    }
    for config in (moco, synthesis):
        assert shared.items() <= vars(config).items()
        assert config.steps == 100 * (9300 * 14 // 128)  # epochs of the training pictures
        epochs = [round(config.steps * epoch / 100) for epoch in (19, 20, 39, 40, 59, 60, 99)]
        rates = [learning_rate(config, step) for step in epochs]
        assert rates == pytest.approx([0.03, 3e-3, 3e-3, 3e-4, 3e-4, 3e-5, 3e-5])
    assert (moco.queue, moco.momentum, moco.temperature, moco.jitter) == (65_536, 0.999, 0.07, 0.4)
    expected = ("mixture", 5, 256, 2, 64, 0.5)
    values = (synthesis.numbers, synthesis.components, synthesis.hidden, synthesis.layers, synthesis.embedding)
    assert (*values, synthesis.dropout) == expected


@pytest.mark.parametrize("name", ["moco", "synthesis"])
def test_a_run_taken_up_again_is_the_same_bit_for_bit(name, images, tmp_path):
    # dropout on, so that torch's own generator counts too
    config = tiny(name, steps=100, looks=10, **({"dropout": 0.3} if name == "synthesis" else {"queue": 7}))

    def fit(**options):
        if name == "moco":
            return moco_fit(config, 2, images, images[:4], **options)
        return synthesis_fit(config, 2, images, PICTURES, (images[:4], PICTURES[:4]), **options)

    straight = run(fit())
    first = fit(checkpoint=tmp_path / "run")
    first.steps = 50
    run(first)
    again = run(fit(checkpoint=tmp_path / "run"))
    assert again.steps == straight.steps == 100 and again.log.equals(straight.log)
    for module in ("network", "best"):
        expected, weights = (result.state.modules[module].state_dict() for result in (straight, again))
        assert all(torch.equal(weights[key], value) for key, value in expected.items())
    other = run(moco_fit(config, 3, images) if name == "moco" else synthesis_fit(config, 3, images, PICTURES))
    assert not torch.equal(
        other.state.modules["network"].backbone.out.weight, trained(straight.state).backbone.out.weight
    )


@pytest.mark.parametrize("numbers", ["mixture", "l2"])
def test_a_handful_of_pictures_is_learnt_by_heart(numbers, images):
    adam = {"optimiser": "adamw", "learning_rate": 5e-3, "schedule": "cycle"}
    config = tiny("synthesis", numbers=numbers, batch=7, steps=200, looks=1, reduction=8, **adam)
    result = run(synthesis_fit(config, 0, images, PICTURES, (images, PICTURES)))
    last = result.log.iloc[-1]
    assert last.loss < result.log.loss[:5].mean() / 3
    network = trained(result.state)
    code, expected = (tokens.encode(pictures) for pictures in (network.programs(images), tokens.drawn_by(PICTURES)))
    assert (code.kinds == expected.kinds).all() and (code.types == expected.types).all()
    assert np.abs(code.numbers - expected.numbers).mean() < 0.02
    assert (last.exact, last.valid, last.kinds, last.types) == (1, 1, 1, 1)


def test_pictures_are_known_again():
    rng = np.random.default_rng(0)
    many = [(Placed(SHAPES[k % 6], Placement(*rng.uniform(-150, 150, 2), 60.0 * k, 150)),) for k in range(64)]
    images = raster.images(many, 32)
    config = tiny("moco", batch=16, steps=240, looks=4, queue=32, momentum=0.9, reduction=8)
    result = run(moco_fit(config, 0, images, images[:32]))
    looks = result.log.dropna()
    assert result.log.loss[-5:].mean() < result.log.loss[5:10].mean() / 2
    assert looks.found.iloc[-1] > 0.5 and looks.validation.iloc[-1] < math.log(32) / 2  # by chance .03 and log 32


@pytest.mark.filterwarnings("error")
def test_images_may_lie_on_the_disk_or_be_packed(images, tmp_path):
    np.save(tmp_path / "images.npy", images)
    expected = None
    for data in (images, np.load(tmp_path / "images.npy", mmap_mode="r"), Packed.of(images)):
        weights = pretraining.backbone(tiny("moco", steps=3), 0, data, None, (data, None))["out.weight"]
        assert expected is None or torch.equal(weights, expected)
        expected = weights


@pytest.mark.parametrize("name", ["moco", "synthesis"])
def test_the_weights_of_a_backbone_are_those_of_its_run(name, images):
    config = tiny(name, steps=4)
    weights = pretraining.backbone(config, 0, images, PICTURES)
    network = ResNet15(config.reduction)
    before = network.out.weight.clone()
    network.load_state_dict(weights)
    fit = moco_fit(config, 0, images) if name == "moco" else synthesis_fit(config, 0, images, PICTURES)
    expected = trained(run(fit).state).backbone.state_dict()
    assert all(torch.equal(value, expected[key]) for key, value in network.state_dict().items())
    assert not torch.equal(before, network.out.weight)
