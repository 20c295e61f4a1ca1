"""What a learner is shown holds what its input says, and never the answer."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

from cogkit.core.contracts import InputError
from cogkit.mewl.problems import making, observations, slots
from cogkit.mewl.problems.episodes import TASKS, Asked, Episode, Panel, Question
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.things import Thing

SECRETS = ("answer", "lexicon", "certificate")


@pytest.fixture(scope="module")
def episodes() -> list[Episode]:
    return [making.episode(task, k, "verified", part="test") for task in TASKS for k in range(2)]


def walked(value, path="question"):
    """Every field and element of what a learner is handed, with how one gets there."""
    yield path, value
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from walked(getattr(value, field.name), f"{path}.{field.name}")
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from walked(each, f"{path}[{name!r}]")
    elif isinstance(value, tuple | list):
        for k, each in enumerate(value):
            yield from walked(each, f"{path}[{k}]")


@pytest.mark.parametrize("inputs", observations.INPUTS)
def test_the_answer_is_nowhere_in_what_is_shown(episodes, inputs):
    images = np.zeros((len(episodes), 7, 24, 32, 3), np.uint8)
    question = observations.question(episodes, inputs, images)
    for path, value in walked(question):
        assert not isinstance(value, Episode)
        assert not any(secret in path for secret in SECRETS)
        if not inputs == "symbols":
            assert not isinstance(value, Scene | Thing | Asked | Panel)
    assert {field.name for field in dataclasses.fields(Question)} == {"tasks", "shown", "utterances", "options"}


def test_two_episodes_that_differ_in_the_answer_alone_are_shown_alike(episodes):
    for inputs in ("symbols", "captions", "true slots"):
        for episode in episodes:
            other = dataclasses.replace(episode, answer=(episode.answer + 1) % 5, lexicon={}, certificate={})
            one, two = observations.question([episode], inputs), observations.question([other], inputs)
            assert (one.tasks, one.utterances, one.options) == (two.tasks, two.utterances, two.options)
            assert np.array_equal(np.asarray(one.shown, object), np.asarray(two.shown, object))


def test_captions_name_every_thing_once_and_none_else(episodes):
    question = observations.question(episodes, "captions")
    for told, episode in zip(question.shown, episodes, strict=True):
        assert len(told) == 7
        for text, scene in zip(told, episode.asked.scenes, strict=True):
            named = re.findall(r"(?:large|small) \w+ \w+ (?:cube|sphere|cylinder)", text)
            assert set(named) == {str(each) for each in scene.things}
            assert "arrow" not in text


def test_slots_say_what_each_thing_is_and_where_it_is_seen(episodes):
    question = observations.question(episodes, "true slots")
    assert question.shown.shape == (len(episodes), 7, slots.SLOTS, slots.NUMBERS)
    for found, episode in zip(question.shown, episodes, strict=True):
        for rows, scene in zip(found, episode.asked.scenes, strict=True):
            seen = geometry.id_map(scene)
            count = len(scene.things) + (scene.hand is not None)
            assert not rows[count:].any()
            for k, (row, thing) in enumerate(zip(rows, scene.things, strict=False)):
                assert {slots.VALUES[j] for j in np.flatnonzero(row[: slots.PLACE])} == set(thing)
                across, down = (row[slots.PLACE : slots.PLACE + 2] + 1) * (160, 120)
                where = np.argwhere(seen == k)
                # the middle of what is seen of a thing is near its middle, unless another hides a part
                assert abs(where.mean(axis=0) - (down, across)).max() < 30
            if scene.hand is not None:
                hand = rows[len(scene.things)]
                assert hand[slots.PLACE + 3] == 1 and not hand[: slots.PLACE].any()
                middle = (hand[slots.PLACE : slots.PLACE + 2] + 1) * (160, 120)
                turns = [_turn(hand[-2:], (each[slots.PLACE : slots.PLACE + 2] + 1) * (160, 120) - middle)
                         for each in rows[: len(scene.things)]]  # fmt: skip
                # it points at the foot of a thing from its own height: seen from above, some degrees off the middle
                assert np.argmin(turns) == scene.target


def _turn(one, other) -> float:
    cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    return float(np.degrees(np.arccos(np.clip(cosine, -1, 1))))


@pytest.mark.parametrize(
    ("images", "said"),
    [
        (None, "no pictures"),
        (np.zeros((1, 7, 24, 32, 3), np.float32), "float32"),
        (np.zeros((1, 6, 24, 32, 3), np.uint8), r"\(1, 6, 24, 32, 3\)"),
        (np.zeros((1, 7, 24, 30, 3), np.uint8), "30 × 24 pixels"),
    ],
)
def test_pictures_of_another_shape_are_refused(episodes, images, said):
    with pytest.raises(InputError, match=said):
        observations.question(episodes[:1], "pixels", images)


def test_another_kind_of_input_is_refused(episodes):
    with pytest.raises(InputError, match="kind of input"):
        observations.question(episodes[:1], "smells")
