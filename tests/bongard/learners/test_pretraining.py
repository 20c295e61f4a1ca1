"""Pre-training of the backbone: views, queue, slow encoder, contrast, and runs taken up again."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from cases import case
from learners.drawings import PICTURES, tiny

from cogkit.bongard.learners import pretrained, pretraining
from cogkit.bongard.learners.networks.backbone import ResNet15
from cogkit.bongard.learners.pretraining import moco_fit, synthesis_fit
from cogkit.bongard.logo import raster
from cogkit.bongard.problems.packed import Packed
from cogkit.learning import run
from cogkit.learning.supervised import trained

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def images():
    return raster.images(PICTURES, 32)


def test_the_papers_numbers():
    moco, synthesis = (pretrained.config(name, "paper") for name in ("moco", "synthesis"))
    shared = {"batch": 128, "optimiser": "sgd", "learning_rate": 0.03, "weight_decay": 1e-4}
    for config in (moco, synthesis):
        assert (config.size, config.reduction) == (512, 1) and shared.items() <= vars(config.recipe).items()
        assert config.recipe.steps == 100 * (9300 * 14 // 128)  # epochs of the training pictures
        rates = [config.recipe.rate(round(config.recipe.steps * epoch / 100)) for epoch in (19, 20, 39, 40, 59, 60, 99)]
        assert rates == pytest.approx([0.03, 3e-3, 3e-3, 3e-4, 3e-4, 3e-5, 3e-5])
    assert (moco.queue, moco.momentum, moco.temperature, moco.jitter) == (65_536, 0.999, 0.07, 0.4)
    values = (synthesis.numbers, synthesis.components, synthesis.hidden, synthesis.layers, synthesis.embedding)
    assert (*values, synthesis.dropout) == ("mixture", 5, 256, 2, 64, 0.5)


def test_a_run_taken_up_again_is_the_same_bit_for_bit(images, tmp_path):
    # dropout on, so that torch's own generator counts too
    configs = [tiny(name, steps=8, n_evals=2, **own) for name, own in
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
