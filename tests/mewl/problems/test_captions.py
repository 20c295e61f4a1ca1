"""Scenes in words, by the published templates."""

from __future__ import annotations

import json

import numpy as np

from cogkit.mewl.problems import captions, observations
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.things import Thing

THINGS = (
    Thing("cube", "red", "glass", "small"),
    Thing("sphere", "blue", "metal", "large"),
    Thing("cylinder", "gray", "rubber", "small"),
)
NAMES = ["small red glass cube", "large blue metal sphere", "small gray rubber cylinder"]


def test_a_list_a_pointing_finger_and_places_are_as_published(reference):
    templates = json.loads((reference / "mewl" / "captions.json").read_text())
    scene = Scene(THINGS, ((0, 0), (1, 2), (2, -1)), (0, 0, 0))
    first, second, third = NAMES
    assert captions.caption("object", scene) == templates["scene"].format(o1=first, o2=second, o3=third)
    pointed = Scene(THINGS, scene.places, scene.turns, hand=(3, 0), target=1)
    named = templates["pragmatic"].format(o1=first, o2=second, o3=third, target=second)
    assert captions.caption("pragmatic", pointed) == named
    # right is (.656, .754) on the ground, front (.754, -.656): the second is farthest right, the third farthest front
    along = {"x": [0, 0.656 + 2 * 0.754, 2 * 0.656 - 0.754], "front": [0, 0.754 - 2 * 0.656, 2 * 0.754 + 0.656]}
    x, front = (np.argsort(along[name]) for name in ("x", "front"))
    expected = templates["spatial"].format(
        middle_depth=NAMES[front[1]], rearmost=NAMES[front[0]], frontmost=NAMES[front[2]],
        leftmost=NAMES[x[0]], middle_x=NAMES[x[1]], rightmost=NAMES[x[2]],
    )  # fmt: skip
    assert captions.caption("relation", scene) == expected


def test_prompts_end_with_an_option_and_are_as_published(made, reference):
    templates = json.loads((reference / "mewl" / "captions.json").read_text())["episode"]
    episode = made("object", "as_published", 1)[0]
    trial = episode.trial
    blocks = "".join(
        templates["context_block"].format(caption=captions.caption("object", panel.scene), utterance=panel.utterance)
        for panel in trial.panels
    )
    question = observations.question([episode], "captions")
    ((text, endings),) = captions.prompts(question, "")
    for ending, option in zip(endings, trial.options, strict=True):
        caption = captions.caption("object", trial.query)
        assert text + ending == blocks + templates["query_block"].format(caption=caption, option=option)
    assert captions.prompts(question) == [(f"{templates['prefix_gpt_only']} {text}", endings)]


def test_shuffled_things_tell_nothing_and_a_hand_is_no_thing(made):
    first, rng = [], np.random.default_rng(0)
    for episode in made("object", "as_published", 120):
        panel = episode.trial.panels[0]
        text = captions.caption("object", panel.scene, rng)
        first.append(text.startswith(f"A {episode.lexicon[panel.utterance.split()[0]]} and"))
    assert abs(np.mean(first) - 1 / 3) < 4 * np.sqrt(2 / 9 / 120)
    pointed = made("pragmatic", "verified", 1)[0].trial.query
    assert "arrow" not in captions.caption("pragmatic", pointed, rng)
