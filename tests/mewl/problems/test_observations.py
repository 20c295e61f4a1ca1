"""What a learner is shown holds what its input says, and never the answer."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from cogkit.core.errors import InputError
from cogkit.mewl.problems import making, observations, slots
from cogkit.mewl.problems.episodes import TASKS, Episode, Question
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import Scene


@pytest.fixture(scope="module")
def episodes() -> list[Episode]:
    return [making.episode(task, k, "verified", part="test") for task in TASKS for k in range(2)]


def test_two_episodes_that_differ_in_the_answer_alone_are_shown_alike(episodes):
    assert {field.name for field in dataclasses.fields(Question)} == {"tasks", "observations", "utterances", "options"}
    for inputs in ("symbols", "captions", "true slots"):
        for episode in episodes:
            twin = dataclasses.replace(episode, answer=(episode.answer + 1) % 5, lexicon={}, certificate={})
            first, second = observations.question([episode], inputs), observations.question([twin], inputs)
            assert inputs == "symbols" or not isinstance(first.observations[0][0], Scene)
            assert (first.tasks, first.utterances, first.options) == (second.tasks, second.utterances, second.options)
            assert np.array_equal(np.asarray(first.observations, object), np.asarray(second.observations, object))


def test_slots_say_what_each_thing_is_and_where_it_is_seen(episodes):
    question = observations.question(episodes, "true slots")
    assert question.observations.shape == (len(episodes), 7, slots.SLOTS, slots.NUMBERS)
    for table, episode in zip(question.observations, episodes, strict=True):
        for rows, scene in zip(table, episode.trial.scenes, strict=True):
            ids = geometry.id_map(scene)
            count = len(scene.things) + (scene.hand is not None)
            assert not rows[count:].any()
            for k, (row, thing) in enumerate(zip(rows, scene.things, strict=False)):
                assert {slots.VALUES[j] for j in np.flatnonzero(row[: slots.PLACE])} == set(thing)
                across, down = (row[slots.PLACE : slots.PLACE + 2] + 1) * (160, 120)
                pixels = np.argwhere(ids == k)
                # the middle of what is seen of a thing is near its middle, unless another hides a part
                assert abs(pixels.mean(axis=0) - (down, across)).max() < 30
            if scene.hand is not None:
                hand = rows[len(scene.things)]
                assert hand[slots.PLACE + 3] == 1 and not hand[: slots.PLACE].any()
                middle = (hand[slots.PLACE : slots.PLACE + 2] + 1) * (160, 120)
                to = (rows[: len(scene.things), slots.PLACE : slots.PLACE + 2] + 1) * (160, 120) - middle
                # it points at the foot of a thing from its own height: seen from above, some degrees off the middle
                assert (to @ hand[-2:] / np.linalg.norm(to, axis=1)).argmax() == scene.target


def test_pictures_of_another_shape_are_refused(episodes):
    for inputs, images, message in (
        ("pixels", None, "no pictures"),
        ("pixels", np.zeros((1, 7, 24, 32, 3), np.float32), "float32"),
        ("pixels", np.zeros((1, 7, 24, 30, 3), np.uint8), "square, or 4 wide"),
    ):
        with pytest.raises(InputError, match=message):
            observations.question(episodes[:1], inputs, images)
