"""Sets of episodes are read as they are asked for: ours to the last digit, the published layout with all its traps."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from carded import episodes as episodes_at
from cases import case
from mewl import foreign

from cogkit.core.errors import InputError
from cogkit.extras.datasets.mewl import archives, reading
from cogkit.extras.datasets.mewl.layout import Address, roots, to_files
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.words import PARTS

PROFILES = ("as_published", "verified")


def place(episode) -> tuple[int, int, int]:
    """Return where an episode comes in its set."""
    return PARTS.index(episode.part), TASKS.index(episode.task), episode.number


def put(root, episode) -> None:
    folder = root / episode.part / episode.task / str(episode.number)
    folder.mkdir(parents=True)
    for name, content in to_files(episode).items():
        (folder / name).write_bytes(content)


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A set as published, and what was written of it."""
    root = tmp_path_factory.mktemp("published") / "MEWL_Release_V1"
    return root, foreign.write_set(root, 2)


@pytest.mark.parametrize("profile", PROFILES)
def test_ours_are_the_same_again_to_the_last_digit(profile, made, tmp_path):
    episodes = [episode for task in TASKS for episode in made(task, profile, 4)]
    for episode in episodes:
        put(tmp_path, episode)
    assert episodes_at(tmp_path) == sorted(episodes, key=place)


def test_a_published_copy_is_read_with_all_its_traps(published):
    root, episodes = published
    every = archives.addresses(root)
    assert roots(root.parent) == roots(root) == [root] and len(every) == len(episodes) == 2 * 3 * 9
    assert [each for each in every if each[:2] == ("train", "color")] == [
        ("train", "color", 17), ("train", "color", 18),
    ]  # fmt: skip
    for (part, task, number), entry in episodes.items():
        episode = archives.episode(root, Address(part, task, number))
        question = episode.trial
        assert (episode.part, episode.number, episode.profile) == (part, number, "as_published")
        assert episode.certificate == {}
        utterances = [name.split(" #")[0] for name, *_ in entry["scenes"]]
        assert [panel.utterance for panel in question.panels] == utterances[:6]
        assert list(question.options) == entry["options"] and question.options[episode.answer] == entry["answer"]
        lexicon = {word: tuple(value) if isinstance(value, list) else value for word, value in entry["lexicon"].items()}
        assert episode.lexicon == lexicon
        for scene, (_, things, record, target) in zip(question.scenes, entry["scenes"], strict=True):
            assert scene.things == tuple(map(tuple, things)) and scene.target == target and scene.recorded
            assert [(*place,) for place in scene.places] == [(*body["3d_coords"][:2],) for body in record["objects"]]
            assert (scene.hand is not None) == (task == "pragmatic")
            pixels = geometry.project(scene, geometry.centres(scene))
            written_as = [body["pixel_coords"] for body in record["objects"]]
            assert np.abs(pixels - written_as).max() < 1.5  # the camera is where the pixels, whole numbers, say


def test_the_camera_is_had_back_from_things_and_their_pixels():
    """Of eleven units from the origin: to a hundredth from four things, and so that all are seen in their pixel."""
    writer, off = foreign.Writer(5), []
    for _ in range(40):
        camera = np.array([7.4811, -6.5076, 5.3437]) + writer.rng.uniform(-0.5, 0.5, 3)
        points = np.c_[writer.places(4), [0.35, 0.7, 0.35, 0.7]]
        pixels = geometry.project(Scene((), (), (), tuple(camera)), points)
        assert np.abs(np.array(reading.seen_from(points, pixels)) - camera).max() < 0.01
        integers = np.c_[pixels[:, :2].round(), pixels[:, 2]]
        estimate = reading.seen_from(points, integers)
        assert np.abs(geometry.project(Scene((), (), (), estimate), points) - integers).max() < 1
        off.append(np.abs(np.array(estimate) - camera).max())
    assert np.mean(off) < 0.01


def test_a_hand_that_a_scene_lists_is_where_it_says(tmp_path):
    record = foreign.Writer(9).episode("pragmatic")
    hand = {"name": None, **dict(zip(foreign.ORDER, foreign.ARROW, strict=True)), "3d_coords": [2.5, -1.5, 0.6],
          "rotation": 0.0, "pixel_coords": [1, 2, 3.0]}  # fmt: skip
    record["scenes"][0][2]["objects"].append(hand)
    foreign.write(tmp_path / "train" / "pragmatic" / "0", record)
    (episode,) = episodes_at(tmp_path)
    assert episode.trial.panels[0].scene.hand == (2.5, -1.5) and len(episode.trial.panels[0].scene.things) == 3
    assert episode.trial.panels[1].scene.hand == (2.15, -2.15)  # the middle of the ground kept for hands


def test_who_is_pointed_at_is_told_by_either_file(tmp_path):
    record = foreign.Writer(4).episode("pragmatic")
    for left_out in ("arrow_idx", "points_to"):
        folder = tmp_path / left_out / "test" / "pragmatic" / "5"
        foreign.write(folder, record)
        for path in folder.iterdir():
            content = json.loads(path.read_text())
            for part in [content, content.get("question", {}), *content.get("context_panels", [])]:
                part.pop(left_out, None)
            path.write_text(json.dumps(content))
        (episode,) = episodes_at(tmp_path / left_out)
        assert [scene.target for scene in episode.trial.scenes] == [target for *_, target in record["scenes"]]

    for scene in (scene for _, _, scene, _ in record["scenes"]):
        scene["objects"].reverse()  # a copy may list things of a scene in another order
        scene["points_to"] = 2 - scene["points_to"]
    foreign.write(tmp_path / "turned" / "test" / "pragmatic" / "5", record)
    (episode,) = episodes_at(tmp_path / "turned")
    for panel, (_, things, _, target) in zip(episode.trial.panels, record["scenes"], strict=False):
        assert panel.scene.things[panel.scene.target] == tuple(things[target])


def panel(info: dict) -> dict:
    return info["context_panels"][1]


BROKEN = [  # task, file, change, field, words of the sentence
    ("shape", "info", lambda doc: doc["question"].update(answer="nobody"), "question, answer", "one of the five"),
    ("shape", "info", lambda doc: doc["question"]["choices"].pop(), "question, choices", "a list of 5"),
    ("number", "info", lambda doc: doc["question"].update(choices=["aa"] * 5), "question, choices 2", "different"),
    ("object", "info", lambda doc: doc["question"]["choices"].__setitem__(2, "a and b"), "question, choices 3", ""),
    ("color", "info", lambda doc: panel(doc)["objects"].clear(), "context_panels 2, objects", "one or more"),
    ("color", "info", lambda doc: panel(doc)["objects"].append(["cube", "red", "glass", "small"]),
     "context_panels 2, objects", "1 of color"),
    ("color", "info", lambda doc: panel(doc).update(name="../../escape #1"), "context_panels 2, name", "color"),
    ("color", "info", lambda doc: panel(doc).update(name="unheardof #4"), "context_panels 2, name", "word-concept"),
    ("number", "info", lambda doc: panel(doc).update(doc["context_panels"][0]), "context_panels", "six names"),
    ("bootstrap", "info", lambda doc: panel(doc).update(name="a above b"), "context_panels 2, name", "bootstrap"),
    ("number", "info", lambda doc: doc["word-concept"].update(x=7), "word-concept, x", "one of 1, 2"),
    ("bootstrap", "info", lambda doc: doc["word-concept"].update(x=["cube", "red"]), "word-concept, x", "list of 4"),
    ("composite", "info", lambda doc: doc["objects"].update(x=[{}, 1, 2, 3]), "objects, x", "shape"),
    ("pragmatic", "info", lambda doc: panel(doc).update(arrow_idx=3), "context_panels 2, arrow_idx", "0, 1 or 2"),
    ("pragmatic", "question", lambda doc: doc.update(points_to=(doc["points_to"] + 1) % 3), "points_to", "info"),
    ("object", "question", lambda doc: doc["objects"][1].update(color="pink"), "objects 2", "pink"),
    ("object", "question", lambda doc: doc["objects"].pop(), "objects", "those of info.json"),
    ("object", "question", lambda doc: doc["objects"][0].update({"3d_coords": [0, 1]}), "objects 1, 3d_coords", "3"),
    ("object", "question", lambda doc: doc["objects"][0].update({"3d_coords": [0, 9e9, 0]}), "objects 1, 3d_coords",
     "5 or less"),
    ("object", "question", lambda doc: doc["objects"][2].update(rotation=None), "objects 3, rotation", "a number"),
    ("object", "question", lambda doc: doc["objects"][2].update(pixel_coords=[1, 2, True]), "objects 3, pixel_coords",
     "True"),
    ("object", "question", lambda doc: doc["objects"][2].update(name=4), "objects 3, name", "a name or null"),
    ("object", "question", lambda doc: doc["directions"].update(left=[1, 0, 0]), "directions", "those of its camera"),
    ("object", "question", lambda doc: doc.update(camera=[1, 2, 3]), "camera", "7.4811"),
    ("object", "question", lambda doc: doc.update(camera=[7.4, -6.5, 5.3]), "lamps", "a list of 3"),
]  # fmt: skip


def test_what_is_none_of_an_episode_is_a_sentence_with_file_and_field(tmp_path):
    for number, (task, file, change, field, words) in enumerate(BROKEN):
        root = tmp_path / str(number)
        foreign.write(root / "val" / task / "0", foreign.Writer(3).episode(task))
        path = root / "val" / task / "0" / f"{file}.json"
        content = json.loads(path.read_text())
        change(content)
        path.write_text(json.dumps(content))
        with case((number, field)):
            with pytest.raises(InputError) as caught:
                archives.episode(root, Address("val", task, 0))
            assert f"({field} in {path})" in str(caught.value) and words in str(caught.value)
            again = pickle.loads(pickle.dumps(caught.value))  # it comes back whole from a worker
            assert (str(again), again.field, again.path) == (str(caught.value), field, str(path))


def test_what_only_ours_say_is_checked_too(made, tmp_path):
    put(tmp_path, made("number", "verified", 4)[0])
    path = tmp_path / "train/number/0/info.json"
    content = json.loads(path.read_text())
    for field in ("profile", "part", "seed", "number", "certificate"):
        path.write_text(json.dumps(content | {"cogkit": content["cogkit"] | {field: "x"}}))
        with pytest.raises(InputError, match=f"cogkit, {field} in .*info.json"):
            archives.episode(tmp_path, Address("train", "number", 0))


def test_a_file_that_is_missing_or_none_is_a_sentence(tmp_path):
    folder = tmp_path / "val" / "shape" / "0"
    foreign.write(folder, foreign.Writer(3).episode("shape"))
    for name in ("info", "question"):
        path = folder / f"{name}.json"
        sound = path.read_bytes()
        path.unlink()
        for content in (None, b"", b"[]", b"\xff", b"{" * 5000, b"[" * 200000):
            if content is not None:
                path.write_bytes(content)
            with pytest.raises(InputError, match=f"{name}.json"):
                archives.episode(tmp_path, Address("val", "shape", 0))
        path.write_bytes(sound)
    assert roots(folder) == []
