"""Pictures: outlines by the id map, shadows, mirrors and glass where geometry says, things that can be told apart."""

from __future__ import annotations

import io
import math
from itertools import islice, product

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from cogkit.core.contracts import InputError
from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.world import geometry, placing
from cogkit.mewl.world.scenes import Scene, directions
from cogkit.mewl.world.things import ATTRIBUTES, EVERY, RGB, VALUES, Thing

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
        scene = Scene(
            things, original.places, original.turns, original.camera, original.lamps, original.hand, original.target
        )
        picture = rendering.render(scene).astype(int)
        coloured = (
            1 - picture.min(axis=2) / picture.max(axis=2) > 0.3
        )  # the ground is nearly grey, even beside red things
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


@pytest.mark.parametrize("side", [-1, 1])
def test_a_metal_ball_shows_its_neighbour_on_the_side_where_it_stands(side):
    ball, neighbour = Thing("sphere", "gray", "metal", "large"), Thing("cube", "red", "rubber", "large")
    scene = beside((ball, (0, 0)), (neighbour, (1.9 * side, 0)))
    light, mask = linear(rendering.render(scene)), geometry.id_map(scene) == 0
    red = np.where(mask, light[..., 0] - light[..., 1], 0)
    middle = geometry.project(scene, (0, 0, 0.7))[0]
    columns = np.arange(320) + 0.5
    near = red[:, (columns > middle) == (side > 0)].sum()
    opposite = red[:, (columns > middle) != (side > 0)].sum()
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


@pytest.mark.parametrize("size", VALUES["size"])
def test_rubber_has_its_own_colour(size):
    rng, palette = np.random.default_rng(7), np.array(list(RGB.values())) / 255
    palette = palette / palette.sum(axis=1, keepdims=True)
    for _ in range(2):
        things = [Thing(VALUES["shape"][rng.integers(3)], colour, "rubber", size) for colour in RGB]
        for part in (things[:4], things[4:]):
            scene = placing.place(part, rng, fit=geometry.clear)
            light, ids = linear(rendering.render(scene)), geometry.id_map(scene)
            for number, thing in enumerate(part):
                mean = light[ids == number].mean(axis=0)
                nearest = np.linalg.norm(palette - mean / mean.sum(), axis=1).argmin()
                assert list(RGB)[nearest] == thing.color


def outside(picture: np.ndarray, scene: Scene, number: int) -> np.ndarray:
    """Return a crop about the middle of a thing, made small, and how steep it is: what tells its size and shape."""
    across, down, depth = geometry.project(scene, geometry.centres(scene)[number])
    wide = 30 * 11 / depth
    box = max(across - wide, 0), max(down - wide, 0), min(across + wide, 320), min(down + wide, 240)
    crop = Image.fromarray(picture).resize((28, 28), Image.Resampling.BOX, box=box)
    small = np.asarray(crop.resize((14, 14), Image.Resampling.BOX), float) / 255
    grey = np.asarray(crop, float).mean(axis=2) / 255
    steep = sum(np.abs(np.gradient(grey, axis=axis))[::2, ::2] for axis in (0, 1))
    return np.concatenate([0.3 * small.ravel(), steep.ravel()])


def inside(picture: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return how the colours of a thing's own pixels are spread, and by height: what tells its colour and material."""
    rgb, down = picture[mask] / 255, np.nonzero(mask)[0]
    shares = rgb / (rgb.sum(axis=1, keepdims=True) + 0.02)
    height = (down - down.mean()) / (down.std() + 1)
    bands = np.digitize(height, (-1, -0.3, 0.3, 1))
    levels = [rgb[bands == k].mean(axis=0) if (bands == k).any() else rgb.mean(axis=0) for k in range(5)]
    spread = np.quantile(rgb, [0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98], axis=0).ravel()
    return np.concatenate([rgb.mean(axis=0), rgb.std(axis=0), spread, np.median(shares, axis=0), shares.std(axis=0),
                           *levels])  # fmt: skip


def test_materials_colours_sizes_and_shapes_can_be_told_apart():
    from sklearn.pipeline import make_pipeline  # a second to import, for this test alone
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    rng, crops, pixels, things, scenes = np.random.default_rng(11), [], [], [], []
    for number in range(80):
        scene = scene_of(6, rng)
        picture, ids = rendering.render(scene), geometry.id_map(scene)
        crops += [outside(picture, scene, k) for k in range(6)]
        pixels += [inside(picture, ids == k) for k in range(6)]
        things += scene.things
        scenes += [number] * 6
    things, train = np.array(things), np.array(scenes) < 60
    n = int((~train).sum())
    # what a prototype's pictures gave to such a machine, with seven times as much to learn from
    for attribute, features, share in (
        ("material", pixels, 0.988), ("color", pixels, 0.973), ("size", crops, 0.996), ("shape", crops, 0.958),
    ):  # fmt: skip
        rows, labels = np.array(features), things[:, ATTRIBUTES.index(attribute)]
        model = make_pipeline(StandardScaler(), SVC(C=10)).fit(rows[train], labels[train])
        assert model.score(rows[~train], labels[~train]) > share - 4 * math.sqrt(share * (1 - share) / n)


def test_the_same_scene_is_the_same_bytes_and_the_last_step_is_the_picture():
    scene = scene_of(3, np.random.default_rng(5), pointed=True)
    for quality, width in (("browse", 320), ("final", 160)):
        expected = rendering.render(scene, quality, width)
        steps = list(rendering.progressive(scene, quality, width))
        assert expected.shape == (width * 3 // 4, width, 3) and expected.dtype == np.uint8
        assert np.array_equal(steps[-1], expected) and np.array_equal(rendering.render(scene, quality, width), expected)
        away = [np.abs(step.astype(int) - expected).mean() for step in steps]
        assert len(steps) == 4 and away == sorted(away, reverse=True) and away[0] < 12
        assert {step.shape for step in steps} == {expected.shape}


def test_final_is_nearer_to_many_rays_than_browse():
    scene = scene_of(6, np.random.default_rng(6))
    # the middle rays of 16 times as many pixels, averaged: no edge is looked for
    fine = next(islice(rendering.progressive(scene, "browse", 1280), 2, None))
    truth = np.sqrt(np.square(fine.astype(float)).reshape(240, 4, 320, 4, 3).mean(axis=(1, 3)))
    browse, final = (np.abs(rendering.render(scene, quality) - truth).mean() for quality in ("browse", "final"))
    assert final < browse < 1.0


def test_files_hold_the_picture():
    picture = rendering.render(scene_of(6, np.random.default_rng(8)))
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(rendering.png(picture)))), picture)
    small = rendering.webp(picture)
    assert len(small) <= 10_000 and np.abs(np.asarray(Image.open(io.BytesIO(small))).astype(int) - picture).mean() < 3
    noise = np.random.default_rng(0).integers(0, 256, picture.shape, dtype=np.uint8)
    assert len(rendering.webp(noise)) > 10_000  # nothing makes noise that small, and it is given all the same


def test_light_is_neither_lost_nor_clipped():
    empty = rendering.render(Scene((), (), ()))
    assert 90 < empty.min() and empty.max() < 235 and 130 < empty.mean() < 170
    for colour in ("yellow", "cyan", "gray"):
        scene = Scene((Thing("cube", colour, "rubber", "large"),), ((0.0, 0.0),), (0.3,))
        inside = rendering.render(scene)[geometry.id_map(scene) == 0]
        assert inside.max() < 255 and inside.max(axis=1).mean() > 100


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"quality": "best"}, "one of browse, final, got quality 'best'"),
        ({"width": 321}, "a multiple of 4 from 32 to 2048 pixels, got width 321"),
        ({"width": 4096}, "got width 4096"),
        ({"width": "320"}, "got width '320'"),
    ],
)
def test_a_wrong_size_or_quality_is_told(change, said):
    for call in (rendering.render, rendering.progressive):
        with pytest.raises(InputError, match=said):
            call(Scene((), (), ()), **change)


def test_a_scene_or_picture_that_cannot_be_is_told():
    thing, places = (Thing("cube", "red", "glass", "small"),), ((0.0, 0.0),)
    for scene, match in (
        (Scene(thing, (), (0.0,)), "1 things, 0 places and 1 turns"),
        (Scene(thing, places, (0.0,), hand=(1.0, 1.0)), "got target None"),
        (Scene(thing, ((math.nan, 0.0),), (0.0,)), "not finite"),
        (Scene(thing, places, (0.0,), camera=(0.0, 0.0, 9.0)), "not right above"),
    ):
        with pytest.raises(InputError, match=match):
            rendering.render(scene)
    for wrong in (np.zeros((240, 320), np.uint8), np.zeros((240, 320, 3)), np.zeros((0, 320, 3), np.uint8)):
        for call in (rendering.png, rendering.webp):
            with pytest.raises(InputError, match="a picture"):
                call(wrong)
