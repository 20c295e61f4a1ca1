"""What Blender is told: the published lamps, things and a hand; and what its pictures are called by."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.extras.datasets.blender import blender
from cogkit.extras.datasets.blender.blender import BlenderConfig
from cogkit.mewl.world.scenes import CAMERA, Scene
from cogkit.mewl.world.things import RGB, Thing

SMALL = BlenderConfig(samples=1, width=64)
BALL = Thing("sphere", "red", "rubber", "large")
SCENES = [Scene((BALL,), ((0.5 * k, 0.0),), (0.0,)) for k in range(3)]


def test_blender_is_told_of_the_published_lamps():
    *squares, sun = blender.description(Scene((), (), (), lamps=((0.5, 0.0, 0.0), (0.0,) * 3, (0.0,) * 3)))["lamps"]
    watts = [math.pi * max(lamp["power"]) for lamp in squares]
    assert np.allclose(watts, (235.6, 62.8, 117.8), atol=0.05)
    assert [lamp["side"] for lamp in squares] == pytest.approx([0.5, 0.5, 1.0])
    places = [(6.947, -2.905, 4.258), (-4.671, -4.014, 3.011), (-1.169, 2.646, 5.816)]  # the first is moved
    assert np.allclose([lamp["at"] for lamp in squares], places, atol=1e-3)
    for lamp in squares:
        assert np.allclose(np.cross(lamp["at"], lamp["toward"]), 0) and np.dot(lamp["at"], lamp["toward"]) < 0
    assert np.allclose(np.array(squares[0]["power"]) / squares[0]["power"][0], (1, 0.932, 0.817), atol=1e-3)
    assert sun["side"] == 0 and sun["angle"] == pytest.approx(0.199, abs=1e-3)
    assert sun["power"] == pytest.approx([0.45] * 3)


def test_blender_is_told_of_things_and_a_hand():
    things = (BALL, Thing("cube", "cyan", "glass", "small"), Thing("cylinder", "gray", "metal", "small"))
    scene = Scene(things, ((-1.0, -2.0), (-1.0, 1.0), (2.0, 1.0)), (0.1, 0.2, 0.3), hand=(2.0, -2.0), target=1)
    message = blender.description(scene)
    assert json.loads(json.dumps(message)) == message
    assert message["camera"] == list(CAMERA)
    *three, hand = message["things"]
    for row, thing, (x, y), turn in zip(three, things, scene.places, scene.turns, strict=True):
        ((_, ax, ay, az, half, cosine, sine, *_),) = row["bodies"]
        assert (ax, ay) == (x, y) and az == half == {"large": 0.7, "small": 0.35}[thing.size]
        assert math.atan2(sine, cosine) == pytest.approx(turn)
        assert row["material"] == thing.material and row["colour"] == [part / 255 for part in RGB[thing.color]]
    assert len({row["bodies"][0][0] for row in three}) == 3
    assert hand["material"] == "rubber" and np.allclose(np.array(hand["colour"]) * 255, (240, 191, 29))
    rods = np.array(hand["bodies"])
    finger = rods[np.argmax(np.linalg.norm(rods[:, 7:] - rods[:, 1:4], axis=1))]  # the longest
    along = (finger[7:] - finger[1:4])[:2]
    assert along[0] < 0 < along[1] and along.sum() == pytest.approx(0)  # toward the cube, from (2, -2) to (-1, 1)


def test_a_file_is_called_by_all_that_its_picture_depends_on():
    moved = replace(SCENES[0], camera=(7.0, -6.5, 5.3))
    configs = [replace(SMALL, samples=2), replace(SMALL, width=128), replace(SMALL, seed=1)]
    files = {blender.file_name(SCENES[0], config) for config in (SMALL, *configs)}
    files |= {blender.file_name(scene, SMALL) for scene in (moved, *SCENES[1:])}
    assert len(files) == 7
    unlike = replace(SMALL, threads=2, patience=5)
    assert blender.file_name(SCENES[0], unlike) == blender.file_name(SCENES[0], SMALL)


def test_settings_that_are_none_are_refused_before_anything_starts():
    for wrong in ({"samples": 0}, {"width": 66}, {"threads": 0}, {"patience": 0}, {"seed": -1}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            BlenderConfig(**wrong)
