"""Crops hold what they say, and a small network that learns to tell it is measured for what it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.extras.datasets.blender import attribute_probe, blender, crops
from cogkit.extras.datasets.blender.blender import BlenderConfig
from cogkit.extras.datasets.blender.crops import SIDE, TellingConfig
from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.world import geometry
from cogkit.mewl.world.things import ATTRIBUTES, VALUES, Thing

pytestmark = pytest.mark.usefixtures("one_thread")


def test_every_scene_has_six_things_that_can_be_seen_and_parts_share_none():
    train, test = ([crops.scene(part, k) for k in range(6)] for part in ("train", "test"))
    for scene in train + test:
        assert len(scene.things) == 6 and geometry.visible(scene).min() >= geometry.VISIBLE
    assert not {scene.places for scene in train} & {scene.places for scene in test}
    assert crops.scene("test", 3) == test[3] != crops.scene("test", 3, seed=1)
    with pytest.raises(InputError, match=r"a picture \(240, 320, 3\) uint8"):
        crops.cut(train[:1], [np.zeros((48, 64, 3), np.uint8)])


def test_a_crop_holds_its_thing_in_the_middle_and_says_what_it_is():
    scenes = [crops.scene("train", k) for k in range(6)]
    maps = [geometry.id_map(scene) for scene in scenes]
    pictures = [np.repeat((1 + ids[..., None]).astype(np.uint8), 3, axis=2) for ids in maps]  # things by number
    cuts = crops.cut(scenes, pictures)
    shares = [geometry.visible(scene) / geometry.unhidden(scene) for scene in scenes]
    assert len(cuts) == sum(int((share >= 0.5).sum()) for share in shares) < 36  # of some too much is hidden
    owners = [k for k, scene in enumerate(scenes) for _ in crops.places(scene)]
    for image, values, k in zip(cuts.images, cuts.values, owners, strict=True):
        target = Thing(*(VALUES[name][value] for name, value in zip(ATTRIBUTES, values, strict=True)))
        numbers = [n for n, thing in enumerate(scenes[k].things) if thing == target]
        inside = np.isin(image[..., 0], [n + 1 for n in numbers])
        size = max((maps[k] == n).sum() for n in numbers)
        assert inside[SIDE // 2 - 12 : SIDE // 2 + 12, SIDE // 2 - 12 : SIDE // 2 + 12].sum() > 0.3 * min(size, 400)


def test_pictures_of_both_renderers_are_of_the_same_things(tmp_path):
    config, n = BlenderConfig(samples=1), 2
    scenes = [crops.scene("test", k) for k in range(n)]
    for scene in scenes:  # as if Blender had drawn them
        name = blender.file_name(scene, config, crops.window(scene))
        (tmp_path / name).write_bytes(rendering.png(255 - rendering.render(scene)))
    ours = attribute_probe.pictured("tracer", "test", n)
    theirs = attribute_probe.pictured("Cycles", "test", n, tmp_path, config, "/nowhere/python")
    assert np.array_equal(ours.values, theirs.values) and np.array_equal(ours.images, 255 - theirs.images)
    for wrong in ({"renderer": "etching"}, {"tested_on": ("etching",)}, {"scenes": 0}, {"steps": 0}):
        with pytest.raises(InputError):
            TellingConfig(**wrong)


def test_a_matrix_has_every_network_on_every_renderer(tmp_path):
    config, n, black = BlenderConfig(samples=16), 2, rendering.png(np.zeros((240, 320, 3), np.uint8))
    for scene in (crops.scene("test", k) for k in range(n)):
        (tmp_path / blender.file_name(scene, config, crops.window(scene))).write_bytes(black)
    few = TellingConfig(scenes=3, tested=n, steps=3, batch=8, channels=(4, 4, 4, 4))
    both = replace(few, tested_on=crops.RENDERERS)
    rows = attribute_probe.told_apart(both, "verified", 0, tmp_path, "/nowhere/python")
    assert [row["who"].split(", tested on ")[1] for row in rows] == ["tracer"] * 4 + ["Cycles"] * 4
    assert {row["who"].split(", tested")[0] for row in rows} == {"small CNN, trained on 3 scenes by tracer"}
    assert attribute_probe.told_apart(few, "verified", 0) == rows[:4]  # the same run gives the same numbers
