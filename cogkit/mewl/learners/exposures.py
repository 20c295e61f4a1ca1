"""What each learner has met of MEWL, beside what it is tested on; see `Instrument.exposures`.

No test episode may be a training episode in other words (`captions.outline`), and no test scene a training scene, also
of those from which eyes, readers and a MONet learn. A reader is tested on captions that it has not read.

Not counted: things, values, relations and numbers recur in every part of the split, as published, and a word means
something else in each episode. A caption of one thing recurs too, since there are 144 of them; to a learner of words
the episode is new. A learner that trains without a family meets nothing of it, but eyes that all learners share have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from cogkit.core.items import Exposure
from cogkit.mewl.learners import agents
from cogkit.mewl.learners.agents import MonetConfig, ReadingConfig, SightConfig
from cogkit.mewl.problems import captions, making, observations
from cogkit.mewl.problems.episodes import TASKS, Episode

_LEARNT_BY = {SightConfig: agents.SEEN_FIRST, ReadingConfig: agents.READ_FIRST, MonetConfig: TASKS}
Episodes = list[Episode]


def exposures(config: Any, profile: str) -> Iterator[Exposure]:
    """Yield what the learner of a config, or its eyes, met in training and validation, beside the test.

    Examples
    --------
    >>> config = agents.config("slot-word-learner", "quick", set="number", episodes=9, validated=2, tested=3)
    >>> [exposure.what for exposure in exposures(config, "verified")]
    ['scenes', 'episodes']
    """
    if type(config) in _LEARNT_BY:
        test = making.episodes_of_all(TASKS, "test", config.tested, profile)
        yield Exposure("scenes", _scenes(_learnt(config, _LEARNT_BY[type(config)], profile)), _scenes(test))
        if isinstance(config, ReadingConfig):
            yield Exposure("captions", _read(config, profile), _captions(test)[unread(config, profile)])
    elif hasattr(config, "set"):
        tasks = agents.SETS[config.set]
        learnt, test = _learnt(config, tasks, profile), making.episodes_of_all(tasks, "test", config.tested, profile)
        eyes = [kind for kind in (getattr(config, name, None) for name in ("sight", "monet")) if kind]
        seen = [episode for kind in eyes for episode in _learnt(kind, _LEARNT_BY[type(kind)], "verified")]
        yield Exposure("scenes", _scenes(learnt + seen), _scenes(test))
        yield Exposure("episodes", *([captions.outline(trial) for trial in _trials(part)] for part in (learnt, test)))


def unread(config: ReadingConfig, profile: str) -> np.ndarray:
    """Return which captions of its test a reader has not met in training or validation, (n,) bool.

    Most captions of a single thing it has met.
    """
    test = making.episodes_of_all(TASKS, "test", config.tested, profile)
    read = {*_read(config, profile)}
    return np.array([text not in read for text in _captions(test)])


def _read(config: ReadingConfig, profile: str) -> np.ndarray:
    return _captions(_learnt(config, agents.READ_FIRST, profile))


def _learnt(config: Any, tasks: Sequence[str], profile: str) -> Episodes:
    """Return the episodes of training and of validation, which chooses the weights."""
    parts = (("train", config.episodes), ("val", config.validated))
    return [episode for part, n in parts for episode in making.episodes_of_all(tasks, part, n, profile)]


def _trials(episodes: Episodes) -> list:
    return [episode.trial for episode in episodes]


def _scenes(episodes: Episodes) -> list:
    return [scene for trial in _trials(episodes) for scene in trial.scenes]


def _captions(episodes: Episodes) -> np.ndarray:
    """Return the seven captions of each episode as a reader gets them, one episode after another."""
    return np.array(observations.question(episodes, "captions").observations, object).ravel()
