"""Scenes keep the published rules, by arithmetic that the program does not use."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from cogkit.mewl.world import placing, scenes
from cogkit.mewl.world.things import EVERY, HALF

OPPOSITE = {"left": "right", "right": "left", "front": "behind", "behind": "front"}


def drawn(profile: str, n: int, count: int, pointed: bool = False):
    rng = np.random.default_rng(7)
    for _ in range(count):
        things = [EVERY[k] for k in rng.choice(144, n, replace=False)]
        yield placing.place(things, rng, profile, target=int(rng.integers(3)) if pointed else None)


def width(thing, profile: str) -> float:
    corner = math.sqrt(2) if thing.shape == "cube" and profile == "verified" else 1
    return HALF[thing.size] * corner


@pytest.mark.parametrize("n", [1, 3, 6])
def test_things_are_on_the_ground_apart_and_clearly_beside_and_before_one_another(profile, n, reference):
    rules = json.loads((reference / "mewl" / "scene_params.json").read_text())
    placement, recorded = rules["placement"], rules["directions_recorded"]
    for scene in drawn(profile, n, 150):
        points = np.array(scene.places)
        assert (np.abs(points) <= placement["x_range"][1]).all()
        assert np.abs(np.subtract(scene.camera, rules["camera"]["location"])).max() <= 0.5
        assert np.abs(scene.lamps).max() <= 1 and max(scene.turns) < 2 * math.pi
        if profile == "as_published":
            assert all(list(way) == recorded[name][:2] for name, way in scene.directions.items())
        for i in range(n):
            for j in range(i):
                far = float(np.linalg.norm(points[i] - points[j]))
                assert far - width(scene.things[i], profile) - width(scene.things[j], profile) >= placement["min_gap"]
                for first, second in (("left", "right"), ("front", "behind")):
                    along = abs((points[i] - points[j]) @ scene.directions[first])
                    assert along >= placement["min_axis_margin"]
                    statements = [(a, name) for a, name, b in scenes.true_statements(scene) if {a, b} == {i, j}]
                    assert sum(name in (first, second) for _, name in statements) == 2  # one each way round


def test_positions_are_uniform_where_one_thing_has_the_ground():
    places = np.array([scene.places[0] for scene in drawn("verified", 1, 1500)])
    share = (places > 0).mean(axis=0)
    assert np.abs(share - 0.5).max() < 4 * math.sqrt(0.25 / 1500)
    assert np.abs(places.mean(axis=0)).max() < 4 * math.sqrt(3 / 1500) and np.abs(places).max() > 2.9


def test_a_hand_and_three_things_are_each_in_their_corner(profile, reference):
    boxes = json.loads((reference / "mewl" / "scene_params.json").read_text())["pointer_placement"]["world_boxes"]
    boxes = [(box["x"], box["y"]) for box in boxes.values()]
    for scene in drawn(profile, 3, 150, pointed=True):
        for (x, y), (across, deep) in zip([*scene.places, scene.hand], boxes, strict=True):
            assert across[0] <= x <= across[1] and deep[0] <= y <= deep[1]
        (x, y), (a, b) = scene.hand, scene.places[scene.target]
        assert math.atan2(b - y, a - x) == pytest.approx(scene.heading)
        for (a, b), thing in zip(scene.places, scene.things, strict=True):
            assert math.hypot(a - x, b - y) >= 0.25 + 0.6 + width(thing, profile)


def test_directions_are_those_of_the_camera_that_looks():
    directions = scenes.directions(tuple(np.add(scenes.CAMERA, (0.5, 0.5, -0.3))))
    assert np.round(directions["behind"], 3).tolist() == [-0.799, 0.601]  # as Blender has it after an update
    for name, way in scenes.directions().items():
        assert np.allclose(way, scenes.RECORDED[name], atol=1e-5)
        assert np.allclose(way, np.negative(scenes.directions()[OPPOSITE[name]]))


def test_the_true_view_is_off_the_recorded_one_as_much_as_measured(reference):
    measures = json.loads((reference / "mewl" / "audit.json").read_text())["geometry"]
    turned = []
    for scene in drawn("verified", 1, 1500):
        (x, y), (a, b) = scene.directions["behind"], scenes.RECORDED["behind"]
        turned.append(math.degrees(math.atan2(x * b - y * a, x * a + y * b)))
    sd, most = measures["camera_yaw_error_deg_sd"], measures["camera_yaw_error_deg_max"]
    assert abs(np.std(turned) - sd) < 4 * sd / math.sqrt(2 * 1500) and np.abs(turned).max() <= most + 0.01
