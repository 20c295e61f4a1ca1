"""Materials, colours, sizes and shapes of drawn things can be told apart by a plain classifier."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.world import geometry, placing
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.things import ATTRIBUTES, EVERY


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
    rng, crops, pixels, things, scenes = np.random.default_rng(11), [], [], [], []
    for number in range(80):
        scene = placing.place([EVERY[k] for k in rng.choice(144, 6, replace=False)], rng, fit=geometry.clear)
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
