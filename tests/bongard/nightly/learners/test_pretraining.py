"""Backbones trained before: programs are learnt by heart, and pictures are known again in another view."""

from __future__ import annotations

import math

import numpy as np
import pytest
from learners.drawings import PICTURES, SHAPES, tiny

from cogkit.bongard.learners.pretraining import moco_fit, synthesis_fit
from cogkit.bongard.logo import raster
from cogkit.bongard.logo.pictures import Placed, Placement
from cogkit.learning import run

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.parametrize("numbers", ["mixture", "l2"])
def test_a_handful_of_pictures_is_learnt_by_heart(numbers):
    images = raster.images(PICTURES, 32)
    adam = {"optimiser": "adamw", "learning_rate": 5e-3, "schedule": "cycle"}
    config = tiny("synthesis", numbers=numbers, batch=7, steps=200, n_evals=1, reduction=8, **adam)
    result = run(synthesis_fit(config, 0, images, PICTURES, (images, PICTURES), log_every=1))
    last = result.log.iloc[-1]
    assert last.loss < result.log.loss[:5].mean() / 3
    # a mean squared error of a ten-thousandth, or a likelihood per action far above any flat density
    assert last.nll < (-2 if numbers == "mixture" else 0.1)


def test_pictures_are_known_again():
    rng = np.random.default_rng(0)
    many = [(Placed(SHAPES[k % 6], Placement(*rng.uniform(-150, 150, 2), 60.0 * k, 150)),) for k in range(64)]
    images = raster.images(many, 32)
    config = tiny("moco", batch=16, steps=240, n_evals=4, queue=32, momentum=0.9, reduction=8)
    result = run(moco_fit(config, 0, images, images[:32], log_every=1))
    looks = result.log.dropna()
    assert result.log.loss[-5:].mean() < result.log.loss[5:10].mean() / 2
    assert looks.found.iloc[-1] > 0.5 and looks.validation.iloc[-1] < math.log(32) / 2  # by chance .03 and log 32
