"""Pre-training of the backbone: views, queue, slow encoder, contrast, and runs taken up again."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from cases import case
from learners.drawings import PICTURES, tiny
from torch import nn

from cogkit.bongard.learners import pretrained, pretraining
from cogkit.bongard.learners.networks import backbone, momentum
from cogkit.bongard.learners.networks.backbone import ResNet15
from cogkit.bongard.learners.pretraining import moco_fit, synthesis_fit
from cogkit.bongard.logo import raster
from cogkit.bongard.problems.packed import Packed
from cogkit.core.contracts import InputError
from cogkit.learning import run
from cogkit.learning.supervised import learning_rate, trained

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def images():
    return raster.images(PICTURES, 32)


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
    for jitter in (0.0, 0.4):
        views = momentum.views(backbone.pixels(images), torch.from_numpy(draws), jitter)
        for k, image in enumerate(images):
            assert views[k, 0].numpy() == pytest.approx(2 * naive_view(image / 255, draws[k], jitter) - 1, abs=1e-5)


def contrast(queue: int) -> momentum.Contrast:
    return momentum.Contrast(nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2)), 2, queue)


def test_the_queue_holds_the_latest_keys():
    network, serial = contrast(5), 0
    expected = network.queue.tolist()  # oldest first
    for n in (1, 3, 2, 5, 4, 1):
        keys = torch.arange(serial, serial + n)[:, None].repeat(1, 2).float()
        serial += n
        network.enqueue(keys)
        expected = (expected + keys.tolist())[n:]
        assert network.queue.roll(-int(network.next), 0).tolist() == expected


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
    queries, keys = network.codes(torch.randn(6, 3), torch.randn(6, 3))
    assert all(torch.allclose(codes.norm(dim=1), torch.ones(6), atol=1e-5) for codes in (queries, keys))
    assert queries.requires_grad and not keys.requires_grad


def test_the_contrast_is_that_of_a_loop():
    queries, keys, queue = (nn.functional.normalize(torch.randn(n, 5), dim=1) for n in (4, 4, 7))
    total = 0.0
    for k in range(4):
        match = math.exp(float(queries[k] @ keys[k]) / 0.07)
        rest = sum(math.exp(float(queries[k] @ queue[j]) / 0.07) for j in range(7))
        total -= math.log(match / (match + rest)) / 4
    assert momentum.info_nce(queries, keys, queue, 0.07).item() == pytest.approx(total, rel=1e-4)


def test_what_cannot_be_is_refused(images):
    rows = [
        (lambda: tiny("moco", queue=2), "queue of 2"),
        (lambda: tiny("moco", taken_at=1.5), "taken_at"),
        (lambda: tiny("synthesis", numbers="l3"), "number"),
        (lambda: tiny("moco", looks=0), "0 looks"),
        (lambda: moco_fit(tiny("moco"), 0, images[:, :30]), "images of"),
        (lambda: moco_fit(tiny("moco"), 0, images.astype(float)), "images of"),
        (lambda: synthesis_fit(tiny("synthesis"), 0, images, PICTURES[:-1]), "images of"),
        (lambda: moco_fit(tiny("moco"), 0, images[:2]), "2 examples"),
        (lambda: pretraining.backbone(tiny("synthesis"), 0, images), "SynthesisConfig without pictures"),
    ]
    for make, sentence in rows:
        with pytest.raises(InputError, match=sentence):
            make()


def test_the_papers_numbers():
    moco, synthesis = (pretrained.config(name, "paper") for name in ("moco", "synthesis"))
    shared = {"size": 512, "reduction": 1, "batch": 128, "learning_rate": 0.03, "weight_decay": 1e-4}
    for config in (moco, synthesis):
        assert (shared | {"optimiser": "sgd"}).items() <= vars(config).items()
        assert config.steps == 100 * (9300 * 14 // 128)  # epochs of the training pictures
        rates = [learning_rate(config, round(config.steps * epoch / 100)) for epoch in (19, 20, 39, 40, 59, 60, 99)]
        assert rates == pytest.approx([0.03, 3e-3, 3e-3, 3e-4, 3e-4, 3e-5, 3e-5])
    assert (moco.queue, moco.momentum, moco.temperature, moco.jitter) == (65_536, 0.999, 0.07, 0.4)
    values = (synthesis.numbers, synthesis.components, synthesis.hidden, synthesis.layers, synthesis.embedding)
    assert (*values, synthesis.dropout) == ("mixture", 5, 256, 2, 64, 0.5)


def test_a_run_taken_up_again_is_the_same_bit_for_bit(images, tmp_path):
    # dropout on, so that torch's own generator counts too
    configs = [tiny(name, steps=8, looks=2, **own) for name, own in
               (("synthesis", {"dropout": 0.3}), ("moco", {"queue": 7}))]  # fmt: skip
    for config in configs:

        def fit(seed, config=config, **options):
            if config is configs[1]:
                return moco_fit(config, seed, images, images[:4], **options)
            return synthesis_fit(config, seed, images, PICTURES, (images[:4], PICTURES[:4]), **options)

        folder = tmp_path / type(config).__name__
        straight, other, first = run(fit(2)), run(fit(3)), fit(2, checkpoint=folder)
        first.steps = 4
        run(first)
        again = run(fit(2, checkpoint=folder))
        with case(config):
            assert again.steps == straight.steps == 8 and again.log.equals(straight.log)
            for module in ("network", "best"):
                expected, weights = (result.state.modules[module].state_dict() for result in (straight, again))
                assert all(torch.equal(weights[key], value) for key, value in expected.items())
            last = [trained(result.state).backbone.out.weight for result in (straight, other)]
            assert not torch.equal(*last)


@pytest.mark.filterwarnings("error")
def test_the_weights_of_a_backbone_are_those_of_its_run_wherever_images_lie(images, tmp_path):
    np.save(tmp_path / "images.npy", images)
    config = tiny("moco", steps=3)
    expected = trained(run(moco_fit(config, 0, images, images)).state).backbone.state_dict()
    for data in (images, np.load(tmp_path / "images.npy", mmap_mode="r"), Packed.of(images)):
        weights = pretraining.backbone(config, 0, data, None, (data, None))
        ResNet15(config.reduction).load_state_dict(weights)
        assert all(torch.equal(value, expected[name]) for name, value in weights.items())
