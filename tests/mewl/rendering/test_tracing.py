"""Light by hand: laws of optics by textbook values, lamps as published, culling by brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cogkit.mewl.rendering import lighting, materials, tracing
from cogkit.mewl.world import placing, solids
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.things import EVERY
from cogkit.mewl.world.vectors import UP


def scene_of(seed: int, pointed: bool = False) -> Scene:
    rng = np.random.default_rng(seed)
    things = [EVERY[k] for k in rng.choice(144, 3 if pointed else 6, replace=False)]
    return placing.place(things, rng, target=1) if pointed else placing.place(things, rng)


def test_fresnel_at_known_angles():
    assert materials.fresnel(1.0, 1.5) == pytest.approx(0.04)
    assert materials.fresnel(1.0, 1.1) == pytest.approx((0.1 / 2.1) ** 2)
    brewster = math.cos(math.atan(1.5))  # light polarised in the plane passes whole; of the rest (n² - 1)² / (n² + 1)²
    assert materials.fresnel(brewster, 1.5) == pytest.approx(0.5 * (1.25 / 3.25) ** 2)
    critical = math.asin(1 / 1.1)
    near, far = (materials.fresnel(math.cos(critical + lean), 1 / 1.1) for lean in (-0.01, 0.01))
    assert near < 1 == far
    assert materials.fresnel(1e-6, 1.5) == pytest.approx(1, abs=1e-4)


def test_refraction_is_snells():
    entering = materials.refract((math.sqrt(0.5), 0.0, -math.sqrt(0.5)), UP, 1.5)
    assert entering[:2] == (pytest.approx(math.sqrt(0.5) / 1.5), 0) and np.linalg.norm(entering) == pytest.approx(1)
    leaving = materials.refract(entering, UP, 1 / 1.5)
    assert np.allclose(leaving, (math.sqrt(0.5), 0, -math.sqrt(0.5)))
    assert np.allclose(materials.mirror((0.6, 0.0, -0.8), UP), (0.6, 0, 0.8))


@pytest.mark.parametrize("pointed", [False, True])
def test_culling_loses_no_body(pointed):
    rng, met = np.random.default_rng(1), 0
    for seed in range(4):
        world = lighting.world(scene_of(seed, pointed))
        for _ in range(250):
            origin, aim = rng.normal(size=3) * 4 + (0, 0, 5), np.append(rng.uniform(-3, 3, 2), rng.uniform(0, 1))
            direction = (aim - origin) / np.linalg.norm(aim - origin)
            brute = min(solids.meet(body, tuple(origin), tuple(direction), 1e-6)[0] for body in world[0])
            distance, body, *_ = tracing.nearest(world, tuple(origin), tuple(direction), 1e-6)
            assert distance == brute and (body >= 0) == (brute < solids.FAR)
            met += brute < solids.FAR
    assert met > 150


def test_the_lamps_are_as_published():
    rows = lighting.lamps(Scene((), (), (), lamps=((0.5, 0, 0), (0, 0, 0), (0, 0, -1))))
    assert np.allclose(rows[0, :3], (6.9467, -2.9052, 4.2584)) and rows[2, 2] == pytest.approx(4.8157)
    # 300 W, 80 W and 150 W of a lamp that sends a quarter of that over its area, and a sun of 0.45
    assert np.allclose(rows[:3, 12:15].max(axis=1), (75, 20, 37.5)) and np.allclose(rows[:3, 15], (0.25, 0.25, 1))
    sun = rows[3, :3] / np.linalg.norm(rows[3, :3])
    assert np.allclose(sun, np.array((11.6608, -6.628, 25.8232)) / 29.0976, atol=0.05)
    assert rows[3, 12] / (rows[3, :3] ** 2).sum() == pytest.approx(0.45)
    assert rows[3, 15] / (rows[3, :3] ** 2).sum() == pytest.approx(math.pi * (0.199 / 2) ** 2)
