"""Items for people: an episode of the problems, or an attention check made from one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from cogkit.core import presets, seeding
from cogkit.core.errors import InputError
from cogkit.mewl.problems import making
from cogkit.mewl.problems.drafts import shuffled
from cogkit.mewl.problems.episodes import OPTIONS, SIZES, TASKS, Episode, Trial
from cogkit.mewl.problems.tasks import module
from cogkit.mewl.world.words import PARTS

POOL = SIZES["test"]  # episodes in the part that items are drawn from
SAME = "same"  # at the end of an item's name: its query is one of its six pictures
_PROFILE, _PART, _TASK = ("|".join(names) for names in (presets.PROFILES, PARTS, TASKS))
_NAME = re.compile(f"({_PROFILE})/({_PART})/({_TASK})/(?P<number>[0-9]{{4}})(/{SAME})?")


@dataclass(frozen=True)
class Item:
    """One question for a person.

    Attributes
    ----------
    name : str
        Profile, part, task and number of its episode; ``same`` at the end of an attention check's.
    episode : Episode
        The question, and the right answer.
    """

    name: str
    episode: Episode

    @property
    def trial(self) -> Trial:
        """The part of the episode that the person may see."""
        return self.episode.trial

    @property
    def attention(self) -> bool:
        """Whether the query is one of the six pictures."""
        return self.name.endswith(f"/{SAME}")


@lru_cache(maxsize=1024)
def item(name: str) -> Item:
    """Return an item by its name.

    Raises `InputError` if there is no item of this name.

    Examples
    --------
    >>> item("verified/test/number/0003").trial.task, item("verified/test/number/0003/same").attention
    ('number', True)
    """
    match = _NAME.fullmatch(name)
    if not match or int(match["number"]) >= POOL:
        raise InputError(repr(name), "the name of an item, such as 'verified/test/shape/0007'")
    profile, part, task, number, ending = match.groups()
    episode = making.episode(task, int(number), profile, part=part)
    return Item(name, attended(episode, seeding.stream(0, f"mewl/{name}")) if ending else episode)


def attended(episode: Episode, rng: np.random.Generator) -> Episode:
    """Return an attention check made from an episode: its query is one of the six pictures, whose name is right.

    The other options are names of the other five pictures, and then the episode's own options. Only names that the
    task's exact solver rejects are used. So a person who recognises the picture only needs to read its name.

    Notes
    -----
    May differ from the paper, which does not describe the other options of its checks.

    Examples
    --------
    >>> check = attended(making.episode("object", 0), np.random.default_rng(0))
    >>> [panel.utterance for panel in check.trial.panels if panel.scene == check.trial.query] == [
    ...     check.trial.options[check.answer]]
    True
    """
    trial = episode.trial
    for panel in shuffled(trial.panels, rng):
        names = shuffled([other.utterance for other in trial.panels], rng) + shuffled(trial.options, rng)
        names = [text for text in dict.fromkeys(names) if text != panel.utterance]
        fits = module(trial.task).solve(replace(trial, query=panel.scene, options=tuple(names)))[1]
        distractors = [text for text, fit in zip(names, fits, strict=True) if not fit][: OPTIONS - 1]
        if len(distractors) == OPTIONS - 1:
            options = tuple(shuffled([panel.utterance, *distractors], rng))
            check, answer = replace(trial, query=panel.scene, options=options), options.index(panel.utterance)
            return replace(episode, trial=check, answer=answer, certificate=making.certificate(check, answer))
    raise LookupError(f"no picture of {trial.task} episode {episode.number} has four options that do not fit")
