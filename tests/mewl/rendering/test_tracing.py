"""Light by hand: laws of optics by textbook values, densities by quadrature, shadows and culling by brute force."""

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
    assert (
        materials.fresnel(math.cos(critical + 0.01), 1 / 1.1)
        == 1
        > materials.fresnel(math.cos(critical - 0.01), 1 / 1.1)
    )
    assert materials.fresnel(1e-6, 1.5) == pytest.approx(1, abs=1e-4)


def test_refraction_is_snells():
    entering = materials.refract((math.sqrt(0.5), 0.0, -math.sqrt(0.5)), UP, 1.5)
    assert (
        entering[0] == pytest.approx(math.sqrt(0.5) / 1.5)
        and entering[1] == 0
        and np.linalg.norm(entering) == (pytest.approx(1))
    )
    leaving = materials.refract(entering, UP, 1 / 1.5)
    assert np.allclose(leaving, (math.sqrt(0.5), 0, -math.sqrt(0.5)))
    assert np.allclose(materials.mirror((0.6, 0.0, -0.8), UP), (0.6, 0, 0.8))


def hemisphere(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return directions, closer together near the normal, (n · 64, 3), and the solid angle of each."""
    far, turn = np.meshgrid((np.arange(n) + 0.5) / n, (np.arange(64) + 0.5) / 64 * 2 * np.pi)
    cosine = 1 - far**2
    sine = np.sqrt(1 - cosine**2)
    directions = np.stack([sine * np.cos(turn), sine * np.sin(turn), cosine], axis=-1).reshape(-1, 3)
    return directions, (2 * far / n * 2 * np.pi / 64).ravel()


@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 1.0), (0.35, 0.35), (0.15, 0.267)])
def test_facets_cover_the_surface_once(alpha, beta):
    directions, areas = hemisphere(300)
    covered = [materials.facets(z, x, alpha, beta) * z for x, _, z in directions.tolist()] @ areas
    assert covered == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize("slant", [0.0, 0.7])
def test_white_facets_under_a_white_sky_are_nearly_white(slant):
    # lost is what meets a second facet, and what is sent below the surface: 1 / 26 of the facets lean by over 45°
    directions, areas = hemisphere(200)
    view, sent = np.array([math.sin(slant), 0, math.cos(slant)]), []
    for light in directions:
        half = (light + view) / np.linalg.norm(light + view)
        sent.append(materials.lobe(light[2], view[2], half[2], half[0], 0.2, 0.2))
    assert 0.9 < sent @ areas < 1.002


@pytest.mark.parametrize("cosine", [0.5, 0.8, 1.0])
def test_a_ball_takes_its_share_of_the_view(cosine):
    directions, areas = hemisphere(300)
    middle, size = np.array([math.sqrt(1 - cosine**2), 0, cosine]), 0.45
    inside = directions @ middle > math.cos(size)
    assert lighting.ball_share(cosine, math.sin(size)) == pytest.approx(
        directions[inside, 2] @ areas[inside] / math.pi, rel=0.03
    )


def test_blurred_lamps_keep_their_light():
    steps = np.linspace(-3, 3, 6001)
    assert np.trapezoid([materials.spot(x, 0.25, 0.3) for x in steps], steps) == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize("pointed", [False, True])
def test_culling_loses_no_body(pointed):
    rng, met = np.random.default_rng(1), 0
    for seed in range(4):
        world = lighting.world(scene_of(seed, pointed))
        for _ in range(500):
            origin, aim = rng.normal(size=3) * 4 + (0, 0, 5), np.append(rng.uniform(-3, 3, 2), rng.uniform(0, 1))
            direction = (aim - origin) / np.linalg.norm(aim - origin)
            brute = min(solids.meet(body, tuple(origin), tuple(direction), 1e-6)[0] for body in world[0])
            distance, body, *_ = tracing.nearest(world, tuple(origin), tuple(direction), 1e-6)
            assert distance == brute and (body >= 0) == (brute < solids.FAR)
            met += brute < solids.FAR
    assert met > 300


def test_the_ground_is_met_where_its_profile_is():
    rng, bent = np.random.default_rng(2), 0
    behind = np.array([*lighting.BEHIND, 0])
    for _ in range(500):
        origin, direction = np.array([7.5, -6.5, 5.3]) + rng.normal(size=3), rng.normal(size=3)
        direction /= np.linalg.norm(direction)
        distance, normal = lighting.floor(tuple(origin), tuple(direction))
        path = origin + np.linspace(0, 80, 4001)[:, None] * direction
        along, high = path @ behind, path[:, 2] + lighting.LIFT
        over = np.clip(along - lighting.BEND, 0, lighting.BOW)
        under = high < lighting.BOW - np.sqrt(lighting.BOW**2 - over**2)
        under |= along > lighting.BEND + lighting.BOW
        if not under.any():
            assert distance > 79
            continue
        assert distance == pytest.approx(under.argmax() * 0.02, abs=0.021)
        assert np.linalg.norm(normal) == pytest.approx(1, abs=1e-5) and np.dot(normal, direction) <= 0
        bent += 0.05 < normal[2] < 0.95
    assert bent > 20


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
