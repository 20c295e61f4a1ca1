"""Pictures: outlines by the id map, shadows, mirrors and glass where geometry says, things that can be told apart."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from cogkit.core.errors import InputError
from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.world import geometry, placing
from cogkit.mewl.world.scenes import Scene, directions
from cogkit.mewl.world.things import EVERY, RGB, VALUES, Thing

SEEN = directions()
RIGHT, BEHIND = np.array(SEEN["right"]), np.array(SEEN["behind"])
KEY, FILL, BACK = (6.4467, -2.9052, 4.2584), (-4.6711, -4.0136, 3.0112), (-1.1685, 2.646, 5.8157)
SUN = (166.4, -77.8, 355.6)  # 400 away, where its three turns look from


def scene_of(n: int, rng, pointed: bool = False) -> Scene:
    things = [EVERY[k] for k in rng.choice(144, n, replace=False)]
    if pointed:
        return placing.place(things[:3], rng, fit=geometry.clear, target=int(rng.integers(3)))
    return placing.place(things, rng, fit=geometry.clear)


def linear(picture: np.ndarray) -> np.ndarray:
    values = picture / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def beside(*pairs) -> Scene:
    """Return a scene of things, each so far to the right and so far behind."""
    things, offsets = zip(*pairs, strict=True)
    places = [tuple((a * RIGHT + b * BEHIND).tolist()) for a, b in offsets]
    return Scene(tuple(things), tuple(places), tuple(math.atan2(BEHIND[1], BEHIND[0]) for _ in things))


def test_outlines_are_those_of_the_id_map():
    rng = np.random.default_rng(0)
    for pointed in (False, False, True):
        original = scene_of(6, rng, pointed)
        things = tuple(Thing(t.shape, "red", "rubber", t.size) for t in original.things)
        scene = replace(original, things=things)
        picture = rendering.render(scene).astype(int)
        # the ground is nearly grey, even beside red things
        coloured = 1 - picture.min(axis=2) / picture.max(axis=2) > 0.3
        mask = geometry.id_map(scene) >= 0
        inner, outer = (f(mask, np.ones((3, 3))) for f in (ndimage.binary_erosion, ndimage.binary_dilation))
        # but for the grey gloss of a rim and the red light on the ground right before a thing
        assert (inner & ~coloured).sum() < 0.005 * mask.sum() > (coloured & ~outer).sum() and mask.sum() > 1000


def test_shadows_lie_where_a_ball_is_before_a_lamp():
    scene = Scene((Thing("sphere", "blue", "rubber", "large"),), ((0.4, 0.2),), (0.0,))
    share = linear(rendering.render(scene)).mean(axis=2) / linear(rendering.render(Scene((), (), ()))).mean(axis=2)
    middle, ids, rows = np.array((0.4, 0.2, 0.7)), geometry.id_map(scene), []
    power = np.array((75 * 0.916, 20 * 0.86, 37.5, 0.45 * np.dot(SUN, SUN)))  # their mean colours
    for angle, far in product(np.linspace(0, 2 * np.pi, 72, endpoint=False), (1.0, 1.3, 1.7, 2.2)):
        point = np.array((0.4 + far * math.cos(angle), 0.2 + far * math.sin(angle), 0))
        toward = np.array((KEY, FILL, BACK, SUN)) - point
        long = np.linalg.norm(toward, axis=1)
        leaves = np.einsum("ij,ij->i", toward, np.array((KEY, FILL, BACK, SUN)))
        leaves /= long * np.linalg.norm((KEY, FILL, BACK, SUN), axis=1)
        light = power * leaves * toward[:, 2] / long**3
        along = toward @ (middle - point) / long
        gap = np.where(along > 0, np.sqrt(np.maximum(((middle - point) ** 2).sum() - along**2, 0)), 9)
        across, down, _ = geometry.project(scene, point)
        if ids[int(down), int(across)] < 0 and ((gap < 0.5) | (gap > 0.95)).all():  # surely before, or surely beside
            hidden = gap < 0.5
            rows.append((*hidden, share[int(down), int(across)], 1 - light[hidden].sum() / (light.sum() + 0.52)))
    rows = np.array(rows)
    # what the ball hides of the dome is not foretold
    assert np.abs(rows[:, 4] - rows[:, 5]).max() < 0.17 and np.median(np.abs(rows[:, 4] - rows[:, 5])) < 0.02
    dark = rows[:, :4].sum(axis=1) > 0
    assert rows[:, 0].sum() > 2 and rows[:, 2].sum() > 2 and np.corrcoef(rows[dark, 4], rows[dark, 5])[0, 1] > 0.8


def test_a_metal_ball_shows_its_neighbour_on_the_side_where_it_stands():
    ball, neighbour = Thing("sphere", "gray", "metal", "large"), Thing("cube", "red", "rubber", "large")
    for side in (-1, 1):
        scene = beside((ball, (0, 0)), (neighbour, (1.9 * side, 0)))
        light, mask = linear(rendering.render(scene)), geometry.id_map(scene) == 0
        red = np.where(mask, light[..., 0] - light[..., 1], 0)
        same = (np.arange(320) + 0.5 > geometry.project(scene, (0, 0, 0.7))[0]) == (side > 0)
        near, opposite = red[:, same].sum(), red[:, ~same].sum()
        assert near > 5 and near > 5 * abs(opposite)


def test_glass_lets_through_what_is_behind_it_in_its_own_colour():
    glass, neighbour = Thing("cube", "cyan", "glass", "large"), Thing("cube", "yellow", "rubber", "large")
    behind = beside((glass, (0, -0.9)), (neighbour, (0, 1.4)))
    alone = Scene(behind.things[1:], behind.places[1:], behind.turns[1:])
    front = Scene(behind.things[:1], behind.places[:1], behind.turns[:1])
    both = (geometry.id_map(behind) == 0) & (geometry.id_map(alone) == 0)
    both = ndimage.binary_erosion(both, np.ones((9, 9)))
    assert both.sum() > 100
    through, empty, direct = (linear(rendering.render(scene))[both] for scene in (behind, front, alone))
    assert np.median(through[:, 1] / empty[:, 1]) > 1.1  # yellow rubber is lighter than the ground
    red, green, _ = np.median(through / direct, axis=0)
    tint = np.array(RGB["cyan"]) / 255
    # a boundary on the way in and one on the way out; the glass takes light from what is behind it, and its front
    # reflects 2 % of a light grey
    assert tint[1] ** 2 * 0.65 < green < tint[1] ** 2 * 1.1 and red < tint[0] ** 2 + 0.05


def test_rubber_has_its_own_colour():
    rng, palette = np.random.default_rng(7), np.array(list(RGB.values())) / 255
    palette = palette / palette.sum(axis=1, keepdims=True)
    for size, colours in product(VALUES["size"], (list(RGB)[:4], list(RGB)[4:])):
        things = [Thing(VALUES["shape"][rng.integers(3)], colour, "rubber", size) for colour in colours]
        scene = placing.place(things, rng, fit=geometry.clear)
        light, ids = linear(rendering.render(scene)), geometry.id_map(scene)
        for number, thing in enumerate(things):
            mean = light[ids == number].mean(axis=0)
            nearest = np.linalg.norm(palette - mean / mean.sum(), axis=1).argmin()
            assert list(RGB)[nearest] == thing.color


def test_the_same_scene_is_the_same_bytes_and_a_coarse_picture_is_near():
    scene = scene_of(3, np.random.default_rng(5), pointed=True)
    for quality, width in (("browse", 320), ("final", 160)):
        expected = rendering.render(scene, quality, width)
        assert expected.shape == (width * 3 // 4, width, 3) and expected.dtype == np.uint8
        assert np.array_equal(rendering.render(scene, quality, width), expected)
        coarse = rendering.coarse(scene, width)
        assert np.abs(coarse.astype(int) - expected[::4, ::4]).mean() < 12 and coarse.shape == expected[::4, ::4].shape


def test_files_hold_the_picture():
    picture = rendering.render(scene_of(6, np.random.default_rng(8)))
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(rendering.png(picture)))), picture)
    small = rendering.webp(picture)
    assert len(small) <= 10_000 and np.abs(np.asarray(Image.open(io.BytesIO(small))).astype(int) - picture).mean() < 3
    noise = np.random.default_rng(0).integers(0, 256, picture.shape, dtype=np.uint8)
    assert len(rendering.webp(noise)) > 10_000  # nothing makes noise that small, and it is given all the same


def test_a_size_or_a_quality_that_cannot_be_is_told():
    for change, message in (
        ({"quality": "best"}, "browse or final.*got 'best'"),
        ({"width": 321}, "a multiple of 4 from 32 to 2048 pixels, got width 321"),
        ({"width": "320"}, "got width '320'"),
    ):
        with pytest.raises(InputError, match=message):
            rendering.render(Scene((), (), ()), **change)
