"""Crops hold what they say, and a small network that learns to tell it is measured for what it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from cogkit.core.contracts import RESULT_COLUMNS, InputError
from cogkit.mewl.renderer_study import attribute_probe, crops
from cogkit.mewl.renderer_study.crops import SIDE, Crops, TellingConfig
from cogkit.mewl.rendering import blender
from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.rendering.blender import BlenderConfig
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.things import ATTRIBUTES, VALUES, Thing

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def painted() -> Crops:
    """96 squares and no pictures: shape as where, colour as brightness, material as channel, size as size."""
    rng = np.random.default_rng(0)
    values = np.stack([rng.integers(len(names), size=96) for names in VALUES.values()], axis=1)
    images = np.zeros((96, SIDE, SIDE, 3), np.uint8)
    for image, (shape, color, material, size) in zip(images, values, strict=True):
        wide = (24, 12)[size]
        image[(top := 4 + 16 * shape) : top + wide, 20 : 20 + wide, material] = 80 + 25 * color
    return Crops(images, values)


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


def test_what_is_cut_out_lies_in_the_window():
    for k in range(4):
        scene = crops.scene("test", k)
        left, top, right, bottom = crops.window(scene)
        assert 0 <= left < right <= 320 and 0 <= top < bottom <= 240
        picture = np.zeros((240, 320, 3), np.uint8)
        picture[top:bottom, left:right] = 9
        assert crops.cut([scene], [picture]).images.min() == 9
        picture[top + 1 : bottom - 1, left + 1 : right - 1] = 0
        assert crops.cut([scene], [picture]).images.max() == 9  # and it is no wider than need be


def test_a_thing_at_the_edge_is_cut_out_whole_and_a_hidden_one_not_at_all():
    ball = Thing("sphere", "red", "rubber", "small")
    x, y = geometry.axes((7.4811, -6.5076, 5.3437))[0][:2] * 4.5  # far to the right
    ((left, top, right, bottom),) = crops.places(Scene((ball,), ((x, y),), (0.0,))).values()
    assert right == 320 and (right - left, bottom - top) == (SIDE, SIDE)
    toward = np.array((7.4811, -6.5076)) / np.hypot(7.4811, 6.5076)
    cube = Thing("cube", "blue", "rubber", "large")
    hidden = Scene((ball, cube), ((0.0, 0.0), tuple((1.2 * toward).tolist())), (0.0, 0.0))
    assert list(crops.places(hidden)) == [1]


def test_a_network_learns_what_can_be_told_and_no_more(painted):
    network = attribute_probe.learn(TellingConfig(steps=150, batch=32, channels=(8, 12, 12, 12)), 0, painted)
    right = (attribute_probe.answers(network, painted) == painted.values).mean(axis=0)
    assert min(right[0], right[2], right[3]) > 0.95 and right[1] > 0.5
    blind = Crops(np.zeros_like(painted.images), painted.values)
    shares = [np.bincount(painted.values[:, k]).max() / 96 for k in range(4)]
    for row, most in zip(attribute_probe.assess(network, blind, "squares", "nothing"), shares, strict=True):
        assert row["value"] <= most + 1e-12  # one answer for all


def test_rows_tell_shares_of_right_answers(painted):
    class Always(torch.nn.Module):
        def forward(self, images):
            scores = torch.zeros(len(images), 16)
            scores[:, [0, 3 + 2, 3 + 8 + 1, 3 + 8 + 3 + 1]] = 1
            return scores

    rows = attribute_probe.assess(Always(), painted, "tracer", "Cycles")
    shared = {"cell", "instrument", "profile", "preset", "seed"}
    assert all(set(row) | shared == set(RESULT_COLUMNS) for row in rows)
    for row, name, value in zip(rows, ATTRIBUTES, (0, 2, 1, 1), strict=True):
        n = int((painted.values[:, ATTRIBUTES.index(name)] == value).sum())
        assert row["task"] == f"telling/{name}" and row["value"] == n / 96 and row["n"] == 96
        assert row["low"] < row["value"] < row["high"]
        assert row["who"] == "small CNN, trained on tracer, tested on Cycles"


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
