"""Light by hand: laws of optics by textbook values, lamps as published, shadows and culling by brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cogkit.mewl.rendering import lighting, materials, tracing
from cogkit.mewl.world import placing, solids
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.things import EVERY, Thing
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


def test_shadows_are_the_share_of_a_lamp_that_is_hidden():
    things = [Thing(shape, "red", "rubber", "large") for shape in ("cube", "sphere", "cylinder")]
    world = lighting.world(Scene(tuple(things), ((-1.5, -1.5), (0.0, 1.0), (1.8, -0.5)), (0.3, 0.0, 0.0)))
    rng, n, partly = np.random.default_rng(3), 200, 0
    for _ in range(300):
        x, y = rng.uniform(-3.5, 3.5, 2)
        lamp = int(rng.integers(4))
        row, open_ = world[4][lamp], 0
        for u, v in rng.uniform(-1, 1, (n, 2)):
            toward = row[:3] + u * row[3:6] + v * row[6:9] - (x, y, 0)
            far = np.linalg.norm(toward)
            open_ += all(solids.meet(body, (x, y, 0.0), tuple(toward / far), 1e-6)[0] >= far for body in world[0])
        share, estimate = open_ / n, lighting.passed(world, (x, y, 0.0), lamp, 256, np.uint64(7))[0]
        if 0 < estimate < 1:
            partly += 1
            error = math.sqrt(max(share * (1 - share), 1 / n) / n)
            assert abs(estimate - share) < 4 * error + 0.02  # 256 even points miss an edge by a row of them at most
        else:  # its corners and middle agree: all of it does but for a sliver
            assert abs(estimate - share) < 0.1
    assert partly > 15


def test_light_without_shadows_is_an_integral_over_lamps():
    world, rng = lighting.world(Scene((), (), ())), np.random.default_rng(4)
    for point in ((0.0, 0.0, 0.0), (2.0, -2.5, 0.0), (-2.0, 1.0, 0.7)):
        expected = np.zeros(3)
        for row in world[4]:
            on = row[:3] + rng.uniform(-1, 1, (20_000, 2)) @ row[3:9].reshape(2, 3) - point
            far = np.linalg.norm(on, axis=1)
            cosines = np.clip(on[:, 2] / far, 0, None) * np.clip(-(on @ row[9:12]) / far, 0, None)
            expected += row[12:15] * np.mean(cosines / far**2)
        light, shine = lighting.direct(world, point, UP, UP, (0.0, 0.0), 0.0, 0.0, 16, np.uint64(0))
        assert np.allclose(light, expected, rtol=0.02) and shine == (0, 0, 0)


def test_the_lamps_are_as_published():
    rows = lighting.lamps(Scene((), (), (), lamps=((0.5, 0, 0), (0, 0, 0), (0, 0, -1))))
    assert np.allclose(rows[0, :3], (6.9467, -2.9052, 4.2584)) and rows[2, 2] == pytest.approx(4.8157)
    # 300 W, 80 W and 150 W of a lamp that sends a quarter of that over its area, and a sun of 0.45
    assert np.allclose(rows[:3, 12:15].max(axis=1), (75, 20, 37.5)) and np.allclose(rows[:3, 15], (0.25, 0.25, 1))
    sun = rows[3, :3] / np.linalg.norm(rows[3, :3])
    assert np.allclose(sun, np.array((11.6608, -6.628, 25.8232)) / 29.0976, atol=0.05)
    assert rows[3, 12] / (rows[3, :3] ** 2).sum() == pytest.approx(0.45)
    assert rows[3, 15] / (rows[3, :3] ** 2).sum() == pytest.approx(math.pi * (0.199 / 2) ** 2)
