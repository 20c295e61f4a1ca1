"""Six pictures with a name each, a seventh, and five possible names for it (Jiang et al. 2023, § 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cogkit.core.errors import InputError
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.things import Thing

TASKS = ("shape", "color", "material", "object", "composite", "relation", "bootstrap", "number", "pragmatic")
SIZES = {"train": 3000, "val": 600, "test": 600}  # of each task, as published
PANELS, OPTIONS = 6, 5
CHANCE = 1 / OPTIONS
Meaning = str | int | Thing  # a value or a relation, a count, a thing


@dataclass(frozen=True)
class Panel:
    """A picture and its name."""

    scene: Scene
    utterance: str


@dataclass(frozen=True)
class Trial:
    """The question of an episode: everything but the answer.

    Attributes
    ----------
    task : str
        One of `TASKS`.
    panels : tuple of Panel
        Six.
    query : Scene
    options : tuple of str
        Five names, one of which is right for the query.
    """

    task: str
    panels: tuple[Panel, ...]
    query: Scene
    options: tuple[str, ...]

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The scenes of the panels, then that of the query."""
        return (*(panel.scene for panel in self.panels), self.query)

    @property
    def utterances(self) -> tuple[str, ...]:
        """The names of the six pictures."""
        return tuple(panel.utterance for panel in self.panels)

    @property
    def heard(self) -> frozenset[str]:
        """The words of the six utterances."""
        return frozenset(word for name in self.utterances for word in name.split())

    def option(self, number: int) -> str:
        """Return the name of an option, 0 to 4; `InputError` if there is none."""
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 0 <= number < OPTIONS:
            raise InputError(f"option {number!r}", f"one of the five, 0 to {OPTIONS - 1}")
        return self.options[number]


@dataclass(frozen=True)
class Episode:
    """A question and its answer.

    Attributes
    ----------
    trial : Trial
    answer : int
        The place of the right option.
    lexicon : mapping of str to Meaning
        What each word means.
    profile, seed, number, part
        The rules it was made by, its seed, its number, and its part of the split.
    certificate : mapping
        The results of solvers and shortcuts; empty if there are none.
    """

    trial: Trial
    answer: int
    lexicon: Mapping[str, Meaning]
    profile: str = "verified"
    seed: int = 0
    number: int = 0
    part: str | None = None
    certificate: Mapping[str, Any] = field(default_factory=dict)

    @property
    def task(self) -> str:
        """The task it belongs to."""
        return self.trial.task

    @property
    def name(self) -> str:
        """What rows of trials call it."""
        return f"{self.part}/{self.task}/{self.number}"


@dataclass(frozen=True, eq=False)
class Question:
    """What a learner sees of n episodes, without the answers.

    Attributes
    ----------
    tasks : tuple of str
        The task of each episode, because possible meanings differ between tasks.
    observations : sequence of n
        Seven pictures each; the query comes last. ``symbols``: tuples of `Scene`. ``captions``: tuples of str. ``true
        slots``: (n, 7, slots, numbers) float32, from `slots.of`. ``pixels`` and ``learned slots``: (n, 7, height,
        width, 3) uint8.
    utterances : tuple of n tuples
        The names of the first six pictures.
    options : tuple of n tuples
        Five names.
    """

    tasks: tuple[str, ...]
    observations: Any
    utterances: tuple[tuple[str, ...], ...]
    options: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.tasks)

    def trials(self) -> Iterator[Trial]:
        """Yield each episode as an `Trial`; ``observations`` must be scenes."""
        for task, scenes, utterances, options in zip(
            self.tasks, self.observations, self.utterances, self.options, strict=True
        ):
            yield Trial(task, tuple(map(Panel, scenes[:PANELS], utterances)), scenes[PANELS], options)
