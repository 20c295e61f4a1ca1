"""Pre-training of the backbone: views, queue, slow encoder, contrast, and runs taken up again."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import torch
from cases import case
from learners.bars import same, taken_up
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
    moco, synthesis = tiny("moco", steps=8, n_evals=2, queue=7), tiny("synthesis", steps=8, n_evals=2, dropout=0.3)
    held_out = images[:4], PICTURES[:4]
    for config, make in (
        (moco, lambda seed, **how: moco_fit(moco, seed, images, images[:4], **how)),
        (synthesis, lambda seed, **how: synthesis_fit(synthesis, seed, images, PICTURES, held_out, **how)),
    ):
        straight, again = taken_up(partial(make, 2), tmp_path / type(config).__name__, 4)
        with case(config):
            assert again.steps == straight.steps == 8 and again.log.equals(straight.log)
            assert all(same(straight, again, module) for module in ("network", "best"))
            assert not same(straight, run(make(3)), "network")


@pytest.mark.filterwarnings("error")
def test_the_weights_of_a_backbone_are_those_of_its_run_wherever_images_lie(images, tmp_path):
    np.save(tmp_path / "images.npy", images)
    config = tiny("moco", steps=3)
    expected = trained(run(moco_fit(config, 0, images, images)).state).backbone.state_dict()
    for data in (images, np.load(tmp_path / "images.npy", mmap_mode="r"), Packed.of(images)):
        weights = pretraining.backbone(config, 0, data, None, (data, None))
        ResNet15(config.reduction).load_state_dict(weights)
        assert all(torch.equal(value, expected[name]) for name, value in weights.items())
