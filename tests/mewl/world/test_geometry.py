"""What is seen: rays against bodies by distance fields, masks by marching, pixels by the lens that is told."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cogkit.mewl.world import geometry, placing, solids
from cogkit.mewl.world.scenes import CAMERA, Scene, half, true_statements
from cogkit.mewl.world.things import EVERY, Thing


def scene_of(n: int, rng, pointed: bool = False) -> Scene:
    things = [EVERY[k] for k in rng.choice(144, n, replace=False)]
    return placing.place(things, rng, target=int(rng.integers(3))) if pointed else placing.place(things, rng)


def away(body, point: np.ndarray) -> float:
    """Return the signed distance of a point from a body: below 0 inside."""
    kind, high, p = int(body[0]), body[4], point - body[1:4]
    if kind == solids.SPHERE:
        return float(np.linalg.norm(p) - high)
    if kind == solids.ROD:
        axis = body[7:10] - body[1:4]
        return float(np.linalg.norm(p - np.clip(p @ axis / (axis @ axis), 0, 1) * axis) - high)
    if kind == solids.CYLINDER:
        over = np.array([math.hypot(p[0], p[1]) - high, abs(p[2]) - high])
    else:
        turned = np.array([p[0] * body[5] + p[1] * body[6], p[1] * body[5] - p[0] * body[6], p[2]])
        over = np.abs(turned) - high
    return float(np.linalg.norm(np.maximum(over, 0)) + min(over.max(), 0))


def marched(body, origin, direction) -> float:
    """Return how far along a ray a body is, by steps as long as the way is surely clear; infinity if it is not met."""
    far = 0.0
    for _ in range(4000):
        step = away(body, origin + far * direction)
        if step < 1e-7:
            return far
        far += step
        if far > 40:
            break
    return math.inf


@pytest.mark.parametrize("kind", range(4))
def test_rays_meet_bodies_where_marching_does(kind):
    rng, met = np.random.default_rng(kind), 0
    for _ in range(120):
        turn, middle = rng.uniform(0, 7), rng.uniform(-1, 1, 3)
        end = middle + rng.uniform(-1, 1, 3) if kind == solids.ROD else np.zeros(3)
        body = np.array([kind, *middle, rng.uniform(0.2, 0.8), math.cos(turn), math.sin(turn), *end])
        origin = rng.normal(size=3) * 2 + (6, 0, 0)
        direction = middle + rng.uniform(-0.6, 0.6, 3) - origin
        direction /= np.linalg.norm(direction)
        distance, normal = solids.meet(body, tuple(origin), tuple(direction), 1e-9)
        expected = marched(body, origin, direction)
        if math.isinf(expected) or distance == solids.FAR:
            least = min(away(body, origin + far * direction) for far in np.linspace(0, 20, 2000))
            assert (math.isinf(expected) and distance == solids.FAR) or abs(least) < 2e-3  # it just touches
            continue
        met += 1
        assert distance == pytest.approx(expected, abs=2e-4)
        point, push = origin + distance * direction, 1e-5
        slope = [(away(body, point + push * e) - away(body, point - push * e)) / (2 * push) for e in np.eye(3)]
        if np.linalg.norm(slope) > 0.999:  # not on an edge
            assert np.allclose(normal, slope, atol=2e-3)
    assert met > 40


def test_the_lens_is_as_told():
    scene = Scene((), (), ())
    right, up, forward = geometry.axes(CAMERA)
    side = np.linalg.norm(CAMERA) * 16 / 35  # half a sensor of 32 mm at 35 mm
    edge = geometry.project(scene, [side * right, -side * right, side * up * 0.75, -side * up * 0.75])
    assert np.allclose(edge[:, :2], [[320, 120], [0, 120], [160, 0], [160, 240]])
    assert np.allclose(edge[:, 2], np.linalg.norm(CAMERA)) and up[2] > 0.8
    assert np.allclose(np.cross(right, up), -forward) and right[2] == 0
    assert 2 * math.degrees(math.atan(16 / 35)) == pytest.approx(49.1, abs=0.05)


def test_masks_are_those_of_what_a_march_meets_first():
    rng, kinds = np.random.default_rng(2), {"sphere": solids.SPHERE, "cylinder": solids.CYLINDER, "cube": solids.CUBE}
    for _ in range(3):
        scene, flags = scene_of(4, rng), []
        right, up, forward = geometry.axes(scene.camera)
        every = zip(scene.things, scene.places, scene.turns, strict=True)
        bodies = [
            (kinds[thing.shape], *place, high := half(thing), high, math.cos(turn), math.sin(turn), 0, 0, 0)
            for thing, place, turn in every
        ]
        ids = geometry.id_map(scene)
        for row, column in np.stack([rng.integers(40, 200, 300), rng.integers(40, 280, 300)], axis=1):
            direction = forward + ((column + 0.5 - 160) * right - (row + 0.5 - 120) * up) / 350  # pixels of 35 mm
            distances = [
                marched(np.array(body), scene.camera, direction / np.linalg.norm(direction)) for body in bodies
            ]
            flags.append(ids[row, column] == (np.argmin(distances) if min(distances) < math.inf else -1))
        assert all(flags) and (ids[40:200, 40:280] >= 0).mean() > 0.03
        assert set(np.unique(ids)) <= {-1, 0, 1, 2, 3}


def test_clear_is_two_hundred_pixels_of_everything():
    for n in (1, 3, 6, 0):
        rng, flags = np.random.default_rng(4), []
        for _ in range(100):
            scene = scene_of(n or 3, rng, pointed=not n)
            flags.append(geometry.clear(scene))
            assert flags[-1] == bool((geometry.visible(scene) >= 200).all())
        assert n != 6 or 0.3 < np.mean(flags) < 1


def test_what_is_visible_hidden_and_boxed():
    near, far = Thing("cube", "red", "rubber", "large"), Thing("sphere", "blue", "rubber", "small")
    toward = np.array(CAMERA[:2]) / np.hypot(*CAMERA[:2])
    aside = 1.0 * toward[::-1] * (-1, 1)
    scene = Scene((near, far), (tuple(1.2 * toward), tuple(aside - 0.2 * toward)), (0.3, 0.0))
    counts, (alone,) = geometry.visible(scene), geometry.visible(Scene((far,), scene.places[1:], (0.0,)))
    assert counts[0] > 2000 and 0 < counts[1] < 0.9 * alone
    ids = geometry.id_map(scene)
    left, top, right, bottom = geometry.boxes(ids, 2)[0]
    assert (ids[top:bottom, left:right] == 0).sum() == counts[0]
    assert (ids[top] == 0).any() and (ids[:, right - 1] == 0).any()
    assert geometry.boxes(ids, 3)[2] is None


def test_ground_and_picture_agree_or_not():
    rng, flags = np.random.default_rng(5), []
    for _ in range(400):
        scene = scene_of(3, rng)
        pixels = geometry.project(scene, geometry.feet(scene))
        gaps = [
            (pixels[j, 0] - pixels[i, 0]) if relation == "left" else (pixels[j, 1] - pixels[i, 1])
            for i, relation, j in true_statements(scene) if relation in ("left", "behind")
        ]  # fmt: skip
        assert len(gaps) == 6
        flags.append(geometry.agrees(scene))
        assert flags[-1] == (min(gaps) >= 4)
    assert 0.8 < np.mean(flags) < 1
