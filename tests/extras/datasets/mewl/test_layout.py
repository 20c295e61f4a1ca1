"""The files of an episode are those of the published layout, field by field, and agree with their coordinates."""

from __future__ import annotations

import json
import re
from collections import Counter

import numpy as np
import pytest

from cogkit.extras.datasets.mewl import layout
from cogkit.mewl.problems.episodes import TASKS

PROFILES = ("as_published", "verified")
N = 8
NAME = {
    "object": r"\w+ and \w+ and \w+", "composite": r"\w+ \w+( #2)?", "bootstrap": r"\w+ (left|right|front|behind) \w+",
    "relation": r"\w+ (cube|sphere|cylinder) \w+ \w+ (cube|sphere|cylinder)", "number": r"\w+", "pragmatic": r"\w+",
} | dict.fromkeys(("shape", "color", "material"), r"\w+ #\d+")  # fmt: skip
IN_A_PICTURE = {"object": {3}, "relation": {3}, "bootstrap": {3}, "pragmatic": {4}, "number": set(range(1, 7))}
THING = ["shape", "color", "material", "size"]


def files(episode) -> dict:
    return {name: json.loads(content) for name, content in layout.to_files(episode).items()}


@pytest.fixture(scope="module")
def episode_files(made):
    """Episodes of every task and profile, each with its files."""
    rows = [(task, profile) for task in TASKS for profile in PROFILES]
    return [(episode, files(episode)) for task, profile in rows for episode in made(task, profile, N)]


def test_files_and_fields_are_the_published_ones(episode_files, reference):
    schema = json.loads((reference / "mewl" / "episode_schema.json").read_text())
    assert schema["object_tuple"] == THING and schema["files_per_episode"] == 15  # with pictures
    for episode, files in episode_files:
        task, info = episode.task, files["info.json"]
        names = [panel["name"] for panel in info["context_panels"]]
        assert files.keys() == {"info.json", "question.json", *(f"{name}.json" for name in names)} and len(files) == 8
        assert all(re.fullmatch(NAME[task], name) and name.isascii() for name in names)
        assert list(info) == ["objects", "word-concept", "context_panels", "question", "cogkit"]
        question, hand = info["question"], ["arrow_idx"] * (task == "pragmatic")
        assert list(question) == ["objects", *hand, "choices", "answer"]
        assert len(set(question["choices"])) == 5 and question["answer"] in question["choices"]
        for panel, name in zip([*info["context_panels"], question], [*names, "question"], strict=True):
            scene = files[f"{name}.json"]
            assert len(panel["objects"]) in IN_A_PICTURE.get(task, {1})
            assert [[row[field] for field in THING] for row in scene["objects"]] == panel["objects"]
            assert (panel["objects"][-1] == ["arrow", "yellow", "rubber", "small"]) == (task == "pragmatic")
            assert ("arrow_idx" in panel) == ("points_to" in scene) == (task == "pragmatic")
            assert panel.get("arrow_idx") == scene.get("points_to")
            assert set(scene["directions"]) == {"left", "right", "front", "behind", "above", "below"}


def test_what_info_lists_as_objects_is_as_the_task_has_it(episode_files):
    for episode, files in episode_files:
        task, info = episode.task, files["info.json"]
        objects, panels = info["objects"], info["context_panels"]
        told_of = [(panel["name"], panel["objects"]) for panel in panels]
        if task in THING:
            assert len(objects) == (54 if task == "color" else 144)
            assert [int(name.split(" #")[1]) for name in objects] == list(range(len(objects)))
            assert all(objects[name] == things[0] for name, things in told_of)
            place = THING.index(task)
            assert all(info["word-concept"][name.split()[0]] == thing[place] for name, thing in objects.items())
        elif task in ("object", "bootstrap"):
            assert objects == info["word-concept"] and len(objects) == 6
        elif task == "composite":
            assert all(objects[name] == things[0] for name, things in told_of)
            assert objects[info["question"]["answer"]] == info["question"]["objects"][0] and len(objects) == 7
        elif task == "number":
            assert list(objects) == [f"#{k}" for k in range(len(objects))]
        elif task == "relation":
            assert all(thing[1::-1] == name.split() for name, thing in objects.items())
            assert all(thing in objects.values() for thing in info["question"]["objects"])  # the last to be listed
        else:
            target = info["question"]["objects"][info["question"]["arrow_idx"]]
            assert len(objects) == 6 and objects[info["question"]["answer"]] == target


def test_relationships_and_pixels_follow_from_the_coordinates(episode_files):
    """X stands rel to Y if it is more than 0.2 farther along the direction; the camera looks at the origin."""
    for episode, files in episode_files:
        for scene in (files[name] for name in files if name != "info.json"):
            places = {item["name"]: np.array(item["3d_coords"]) for item in scene["objects"] if item["name"]}
            for relation, row in scene["relationships"].items():
                along = {name: item @ scene["directions"][relation] for name, item in places.items()}
                assert row == {
                    landmark: [name for name in places if along[name] - along[landmark] > 0.2] for landmark in places
                }
            camera = np.array(scene["camera"])
            forward = -camera / np.linalg.norm(camera)
            right = np.cross(forward, [0, 0, 1]) / np.linalg.norm(np.cross(forward, [0, 0, 1]))
            for item in scene["objects"]:
                u, v, w = (axis @ (item["3d_coords"] - camera) for axis in (right, np.cross(right, forward), forward))
                across, down, depth = item["pixel_coords"]
                assert abs(across - 160 - 350 * u / w) <= 0.5 and abs(down - 120 + 350 * v / w) <= 0.5
                assert type(across) is type(down) is int and depth == pytest.approx(w)
            left = scene["directions"]["left"]
            if episode.profile == "as_published":
                assert left == [-0.65631, -0.75449, 0]
            else:
                assert np.allclose(left, [*-right[:2], 0])


def test_what_has_a_name_has_it_in_its_scene(episode_files):
    """Things of number, those that nobody speaks of in bootstrap, and all but the target of pragmatic have none."""
    for episode, files in episode_files:
        task, info = episode.task, files["info.json"]
        for panel in info["context_panels"]:
            names, words = [thing["name"] for thing in files[f"{panel['name']}.json"]["objects"]], panel["name"].split()
            expected = {
                "bootstrap": [words[0], words[-1], None],
                "object": words[::2],
                "relation": [f"{color} {shape}" for shape, color, *_ in panel["objects"]],
                "number": [None] * len(names),
                "pragmatic": [panel["name"] if k == panel.get("arrow_idx") else None for k in range(len(names))],
            }.get(task, [panel["name"]])
            assert Counter(names) == Counter(expected), task
            assert task != "pragmatic" or names == expected


def test_the_whole_set_has_the_published_numbers_and_smaller_ones_are_parts_of_it(reference):
    sizes = json.loads((reference / "mewl" / "tasks.json").read_text())["splits_per_task"]
    plan = layout.plan()
    assert len(set(plan)) == len(plan) == 37_800
    assert Counter((address.part, address.task) for address in plan) == {
        (p, t): n for p, n in sizes.items() for t in TASKS
    }
    assert all({a.number for a in plan if a[:2] == (p, "object")} == set(range(n)) for p, n in sizes.items())
    assert layout.plan(500) == plan[:500]
    counts = Counter(address.part for address in layout.plan(63 * 4))
    assert counts == {"train": 180, "val": 36, "test": 36}
    assert Counter(address.task for address in layout.plan(only="color")) == {"color": 4200}
