"""Families of episodes: training holds nothing of them, and the test asks about them, as solvers and counts say."""

from __future__ import annotations

import pytest

from cogkit.core.errors import InputError
from cogkit.core.items import keys, overlap
from cogkit.core.splits import HIGHER
from cogkit.mewl.instrument import INSTRUMENT
from cogkit.mewl.learners import agents
from cogkit.mewl.problems import captions, making, splits
from cogkit.mewl.problems.families import FAMILIES
from cogkit.mewl.problems.tasks import composite, relation
from cogkit.mewl.scoring import judge

SHAPE, COLOR, MATERIAL, _ = range(4)


def texts(episode):
    return [captions.caption("object", scene) for scene in episode.trial.scenes]


def named(episode):
    """The attributes of the first and the second word, as the solver finds them without the lexicon."""
    (places,) = composite.solve(episode.trial)[0]
    return places


def relations(episode):
    return relation.solve(episode.trial)[0]


def answer(episode):
    return episode.trial.options[episode.answer]


HOLDS = {  # whether an episode holds what is held out, and whether it is asked about
    "color/two-unseen": (
        lambda e: any(word in text for text in texts(e) for word in ("brown", "purple")),
        lambda e: any(word in texts(e)[-1] for word in ("brown", "purple")),
    ),
    "number/5-6": (
        lambda e: max(text.count(" a ") + 1 for text in texts(e)) > 4,
        lambda e: texts(e)[-1].count(" a ") + 1 in (5, 6),
    ),
    "material/red-never-metal": (
        lambda e: any("red metal" in text for text in texts(e)),
        lambda e: "red metal" in texts(e)[-1],
    ),
    "composite/shape-and-material": (lambda e: {*named(e)} == {SHAPE, MATERIAL},) * 2,
    "composite/color-first": (lambda e: named(e)[0] == COLOR,) * 2,
    "relation/behind": (
        lambda e: any("behind" in meanings for meanings in relations(e).values()),
        lambda e: relations(e)[answer(e).split()[2]] == {"behind"},
    ),
}
HOLDS["object/two-colors-unseen"] = HOLDS["color/two-unseen"]


@pytest.mark.parametrize(
    ("task", "profile"),
    [*((task, "verified") for task in FAMILIES), ("number/5-6", "as_published"), ("relation/behind", "as_published")],
)
def test_training_and_validation_hold_nothing_of_a_family_and_the_test_asks_about_it(task, profile):
    holds, asks = HOLDS[task]
    for part in ("train", "val"):
        assert not any(map(holds, making.episodes_of(task, part, 12, profile)))
    test = splits.items(task, n=12, profile=profile)
    assert all(map(holds, test)) and all(map(asks, test))
    assert (test.split, test.rung) == splits.place(task) and test.rung in HIGHER
    assert splits.task_of(test.split) == task and judge(INSTRUMENT.learner("ideal-learner"), test).task == task


@pytest.mark.parametrize("task", ["color/two-unseen", "material/red-never-metal", "composite/color-first"])
def test_episodes_of_a_family_are_all_of_the_first_ones_of_the_task_that_fit(task):
    holds, asks = HOLDS[task]
    for part, fits in (("train", lambda episode: not holds(episode)), ("test", asks)):
        every = [making.episode(FAMILIES[task].task, k, part=part) for k in range(60)]
        expected = [captions.outline(episode.trial) for episode in every if fits(episode)]
        got = [captions.outline(episode.trial) for episode in making.episodes_of(task, part, 60)]
        assert got[: len(expected)] == expected and got[: len(expected) + 1] != expected


def test_training_up_to_four_names_every_number_and_has_words_that_are_never_heard():
    for episode in making.episodes_of("number/5-6", "train", 20):
        counts = [len(panel.scene.things) for panel in episode.trial.panels]
        assert sorted(counts) == [1, 1, 2, 2, 3, 4] and len(episode.trial.heard) == 4
        assert episode.lexicon[answer(episode)] == len(episode.trial.query.things)
        assert {*episode.trial.options} - episode.trial.heard and episode.certificate["consistent"]["exact"] == 1


@pytest.mark.parametrize("task", FAMILIES)
def test_a_learner_of_a_family_has_met_no_test_episode_of_it(task):
    config = agents.config("slot-word-learner", "quick", set=task, episodes=15, validated=5, tested=10)
    exposures = {exposure.what: exposure for exposure in INSTRUMENT.exposures(config, "verified", 0)}
    assert len(keys(exposures["episodes"].train)) == 20 and len(keys(exposures["episodes"].test)) == 10
    assert not any(overlap(exposure.train, exposure.test) for exposure in exposures.values())
    test = [captions.outline(episode.trial) for episode in INSTRUMENT.items(task, 10)]
    assert keys(exposures["episodes"].test) == test


def test_more_episodes_of_a_family_begin_with_those_that_were_made_before():
    few, more = (making.episodes_of("composite/color-first", "val", n, seed=5) for n in (4, 9))
    assert more[:4] == few and len({episode.number for episode in more}) == 9
    with pytest.raises(InputError, match="601 episodes of test"):
        INSTRUMENT.items("composite/color-first", 601)
