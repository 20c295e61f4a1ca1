"""Pictures against their records: sound ones pass, and every kind of wrong picture is found out."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from cogkit.extras.datasets.mewl import datasets, image_audit
from cogkit.extras.datasets.mewl.audit_item import is_true
from cogkit.mewl.problems import making
from cogkit.mewl.rendering import render as rendering
from cogkit.mewl.rendering.materials import encoded
from cogkit.mewl.world import geometry, placing
from cogkit.mewl.world.scenes import Scene, directions
from cogkit.mewl.world.things import RGB, Thing

SEEN = directions()
RIGHT, BEHIND = np.array(SEEN["right"]), np.array(SEEN["behind"])
THINGS = (
    Thing("cube", "red", "rubber", "large"),
    Thing("sphere", "blue", "metal", "large"),
    Thing("cylinder", "gray", "metal", "large"),
)
OFFSETS = ((-2.0, 0.5), (0.4, -1.2), (2.2, 1.0))  # to the right, and behind


def scene_of(things=THINGS, offsets=OFFSETS) -> Scene:
    places = tuple(tuple((a * RIGHT + b * BEHIND).tolist()) for a, b in offsets)
    return Scene(tuple(things), places, (0.3,) * len(places))


@pytest.fixture(scope="module")
def scene() -> Scene:
    return scene_of()


def faults(picture, scene) -> list[tuple[str, str]]:
    return list(image_audit.Sight(picture, scene).faults)


def test_hues_are_those_of_the_colour_circle():
    assert np.allclose(image_audit.hue([(1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1)]),
                       range(0, 360, 60))  # fmt: skip
    for name, rgb in RGB.items():  # a surface, and two walls of glass
        for light in (np.array(rgb) / 255, (np.array(rgb) / 255) ** 2):
            assert image_audit.colour(np.tile(encoded(light), (9, 1))) == name


def test_a_sound_picture_has_no_faults_and_shows_what_its_record_says(scene):
    sight = image_audit.Sight(rendering.render(scene), scene)
    assert sight.faults == () and sight.scene.things == THINGS
    assert np.abs(np.subtract(sight.scene.places, scene.places)).max() < 0.2


def test_a_thing_of_another_colour_is_found(scene):
    for k, color in ((0, "green"), (2, "purple")):
        things = list(THINGS)
        things[k] = THINGS[k]._replace(color=color)
        problem = f"the {THINGS[k]} is {color} in the picture"
        assert faults(rendering.render(replace(scene, things=tuple(things))), scene) == [(f"objects {k + 1}", problem)]


def test_a_missing_thing_is_found(scene):
    for gone in range(3):
        keep = [k for k in range(3) if k != gone]
        picture = rendering.render(scene_of([THINGS[k] for k in keep], [OFFSETS[k] for k in keep]))
        sight = image_audit.Sight(picture, scene)
        assert (f"objects {gone + 1}", f"the {THINGS[gone]} is not seen at its place") in sight.faults
        assert sight.scene.things == tuple(THINGS[k] for k in keep)


def test_one_thing_more_is_found_and_counted(scene):
    for color in ("yellow", "gray"):
        more = Thing("cube", color, "rubber", "small")
        picture = rendering.render(scene_of((*THINGS, more), (*OFFSETS, (-0.6, 2.0))))
        sight = image_audit.Sight(picture, scene)
        assert sight.faults and all("does not tell of" in problem for _, problem in sight.faults)
        lexicon = {"pado": 3}
        assert not is_true("number", "pado", sight.scene, lexicon) and is_true("number", "pado", scene, lexicon)


def test_a_thing_on_the_other_side_makes_the_statement_false(scene):
    moved = scene_of(THINGS, ((1.6, -2.4), *OFFSETS[1:]))
    sight = image_audit.Sight(rendering.render(moved), scene)
    assert ("objects 1", "the large red rubber cube is not seen at its place") in sight.faults
    lexicon = {"pado": "left"}
    statement = "red cube pado blue sphere"
    assert is_true("relation", statement, scene, lexicon) and not is_true("relation", statement, sight.scene, lexicon)
    assert np.abs(np.subtract(sight.scene.places[0], moved.places[0])).max() < 0.6  # it has moved by 4.6


def test_a_hand_that_is_turned_or_gone_is_found():
    rng = np.random.default_rng(3)
    pointed = placing.place(THINGS, rng, fit=geometry.clear, target=0)
    assert faults(rendering.render(pointed), pointed) == []
    sight = image_audit.Sight(rendering.render(replace(pointed, target=2)), pointed)
    assert sight.scene.target == 2 and ("points_to", "the hand is seen to point at 2, not at 0") in sight.faults
    gone = rendering.render(replace(pointed, hand=None, target=None))
    assert ("objects, hand", "no hand is seen at its place") in faults(gone, pointed)


def test_the_audit_looks_at_our_pictures_and_at_no_others(tmp_path):
    """A picture of one panel in the place of another's: found where our tracer drew, and not held against others."""
    *_, path = datasets.make(tmp_path, n=1, only="relation", images="browse", jobs=1)
    assert datasets.audit(tmp_path, jobs=1) == []
    episode = making.episode("relation", 0)
    folder, names = path.parent / "train/relation/0", [panel.utterance for panel in episode.trial.panels]
    Image.open(folder / f"{names[1]}.png").save(folder / f"{names[0]}.png")
    findings = [finding for finding in datasets.audit(tmp_path, jobs=1) if finding.path.endswith(f"{names[0]}.png")]
    problems = [finding.problem for finding in findings]
    assert any("not seen at its place" in problem or "in the picture" in problem for problem in problems)
    assert "name" in [finding.field for finding in findings]
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"renderer": "another renderer 1"}))
    assert [finding.field for finding in datasets.audit(tmp_path, jobs=1)] == ["sha256"]
