"""What people are asked: an episode of the problems, or an attention check made of one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from cogkit.core import presets, seeding
from cogkit.core.contracts import InputError
from cogkit.mewl.problems import making
from cogkit.mewl.problems.drafts import shuffled
from cogkit.mewl.problems.episodes import OPTIONS, SIZES, TASKS, Asked, Episode
from cogkit.mewl.problems.tasks import module
from cogkit.mewl.world.words import PARTS

POOL = SIZES["test"]  # episodes of a part that items are drawn from
SAME = "same"  # ends the name of an item whose query is one of its six pictures


@dataclass(frozen=True)
class Item:
    """One question as a person gets it.

    Attributes
    ----------
    name : str
        Profile, part, task and number of its episode; ``same`` at the end of an attention check's.
    episode : Episode
        What is asked, and what is right.
    """

    name: str
    episode: Episode

    @property
    def asked(self) -> Asked:
        """What a person may know."""
        return self.episode.asked

    @property
    def attention(self) -> bool:
        """Whether the query is one of the six pictures."""
        return self.name.endswith(f"/{SAME}")


@lru_cache(maxsize=1024)
def item(name: str) -> Item:
    """Return an item by its name.

    Raises
    ------
    InputError
        No such name.

    Examples
    --------
    >>> item("verified/test/number/0003").asked.task, item("verified/test/number/0003/same").attention
    ('number', True)
    """
    profile, part, task, number, *same = name.split("/") if name.count("/") in (3, 4) else [""] * 4
    known = profile in presets.PROFILES and part in PARTS and task in TASKS and same in ([], [SAME])
    if not known or not (number.isascii() and number.isdigit() and len(number) == 4 and int(number) < POOL):
        raise InputError(repr(name), "the name of an item, such as 'verified/test/shape/0007'")
    episode = making.episode(task, int(number), profile, part=part)
    return Item(name, attended(episode, seeding.stream(0, f"mewl/{name}")) if same else episode)


def attended(episode: Episode, rng: np.random.Generator) -> Episode:
    """Return an attention check made of an episode: its query is one of the six pictures, whose name is right.

    The other options are names of the other five pictures, and then the episode's own options, such that the task's
    exact solver finds none of them to be right; so who recognises the picture has but to read what is written there.

    Notes
    -----
    Differs from the paper, or may: it does not say what the other options of its checks were.

    Examples
    --------
    >>> check = attended(making.episode("object", 0), np.random.default_rng(0))
    >>> [panel.utterance for panel in check.asked.panels if panel.scene == check.asked.query] == [
    ...     check.asked.options[check.answer]]
    True
    """
    asked = episode.asked
    for panel in shuffled(asked.panels, rng):
        others = shuffled([each.utterance for each in asked.panels], rng) + shuffled(asked.options, rng)
        others = [text for text in dict.fromkeys(others) if text != panel.utterance]
        fits = module(asked.task).solve(replace(asked, query=panel.scene, options=tuple(others)))[1]
        wrong = [text for text, fit in zip(others, fits, strict=True) if not fit][: OPTIONS - 1]
        if len(wrong) == OPTIONS - 1:
            options = tuple(shuffled([panel.utterance, *wrong], rng))
            check, answer = replace(asked, query=panel.scene, options=options), options.index(panel.utterance)
            return replace(episode, asked=check, answer=answer, certificate=making.certificate(check, answer))
    raise InputError(f"{asked.task} episode {episode.number}", "an episode with a picture that four options do not fit")
