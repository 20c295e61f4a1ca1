"""Asks a language model the items of any instrument, and turns its answers into rows: ``cogkit ask``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cogkit.app import experiments
from cogkit.core import presets
from cogkit.core.contracts import InputError, Interview, slug
from cogkit.core.identity import items_of
from cogkit.data import results
from cogkit.lm.kept import Participant
from cogkit.lm.prompts import Prompt
from cogkit.lm.replies import Reply, Said, outcomes
from cogkit.study.answers import Answers
from cogkit.study.trials import Trials

DEVELOPMENT = 0
"""The seed whose items are for trying out; report results on any other seed, whose items nobody has seen."""
COUNT = 200  # items of a task


@dataclass(frozen=True)
class Asking:
    """What to ask: everything that a run depends on but the model.

    Attributes
    ----------
    task : str
        Instrument and task, such as ``mewl/shape``.
    n : int
        How many items.
    seed : int
        Seed of the items, and of the order in which options are shown.
    how : str
        One of `lm.learner.HOW`.
    pictures : bool
        Whether items are shown as pictures.
    profile : str
        Which rules.
    """

    task: str
    n: int = COUNT
    seed: int = DEVELOPMENT
    how: str = "text"
    pictures: bool = False
    profile: str = "verified"

    @property
    def instrument(self) -> str:
        """The instrument's name."""
        return self.task.partition("/")[0]

    @property
    def own_task(self) -> str:
        """The task, as its instrument names it."""
        return self.task.partition("/")[2]

    @property
    def item_set(self) -> str:
        """The hash of the items: two runs with the same one had the same items."""
        return items_of(self.instrument, self.profile, self.seed, self.n)


@dataclass(frozen=True, eq=False)
class Asked:
    """What came of asking.

    Attributes
    ----------
    answers : study.answers.Answers
        As the instrument's ``judge`` returns them.
    rows : list of dict
        Result rows, as the instrument's ``summarise`` returns them; their source names the set of items.
    """

    asking: Asking
    answers: Answers
    rows: list[dict[str, Any]]

    @property
    def replies(self) -> list[Reply]:
        """Every reply, in the order of the answers."""
        told = self.answers.replies
        return [] if told is None else [reply for reply in told.ravel() if reply is not None]

    @property
    def outcomes(self) -> pd.DataFrame:
        """How many questions were answered, refused, …; see `lm.replies.outcomes`."""
        return outcomes(self.replies)

    def trials(self) -> pd.DataFrame:
        """Return every answer as a trial row, with prompt, words and outcome in ``extra``."""
        trials = self.answers.to_trials(limit=10**9)
        trials["sitting"] = f"{slug(self.answers.who)}-{slug(self.asking.task)}-{self.asking.item_set}"
        trials["extra"] = [{**extra, "items": self.asking.item_set} for extra in trials["extra"]]
        return trials


def tasks(*names: str) -> list[str]:
    """Return every task that a language model can be asked, as ``instrument/task``; of these instruments, or of all.

    Examples
    --------
    >>> tasks("mewl")[0]
    'mewl/shape'
    """
    chosen = names or tuple(experiments.instruments())
    return [f"{name}/{task}" for name in chosen if (talk := experiments.instrument(name).interview)
            for task in talk.tasks()]  # fmt: skip


def interview(task: str) -> Interview:
    """Return how the instrument of a task asks; `InputError` if there is no such task."""
    presets.choose(task, tasks(), "task to ask")
    talk = experiments.instrument(task.partition("/")[0]).interview
    assert talk is not None  # else `tasks` had not listed it
    return talk


def ask(participant: Participant, asking: Asking, items: Any = None) -> Asked:
    """Return a model's answers to the items of a task, and their result rows.

    ``items`` are those of the task, its number and its seed by default.
    """
    talk = interview(asking.task)
    presets.profile(asking.profile)
    if asking.pictures and not talk.pictures:
        raise InputError(f"pictures of {asking.task}", "a task with pictures", "ask it in words")
    if items is None:
        items = talk.items(asking.own_task, asking.n, profile=asking.profile, seed=asking.seed)
    how = {"how": asking.how, "pictures": asking.pictures, "seed": asking.seed}
    learner = talk.learner(participant, asking.own_task, **how)
    answers = talk.judge(learner, items, profile=asking.profile, seed=asking.seed)
    source = f"cogkit ask, items {asking.item_set}"
    return Asked(asking, answers, [row | {"source": source} for row in talk.summarise(answers)])


class Prompts:
    """A participant that answers nothing and remembers what it was asked: for a dry run."""

    name = "nobody"
    identity: dict[str, Any] = {}

    def __init__(self) -> None:
        self.asked: list[Prompt] = []

    def say(self, prompts: Sequence[Prompt], begin=lambda number: None):
        """Yield an empty answer to each prompt."""
        self.asked += prompts
        blank = [Said(logs=(0.0,) * len(prompt.endings), sizes=(1,) * len(prompt.endings)) for prompt in prompts]
        yield from enumerate(blank)


def dry(asking: Asking) -> list[Prompt]:
    """Return the prompts that asking would send; a game that goes on after an answer is counted up to its first."""
    nobody = Prompts()
    ask(nobody, asking)
    return nobody.asked


def store(asked: Asked, trials: Trials | None = None, root="results") -> None:
    """Write result rows and trial rows of a run to the stores; those of the same run before are replaced."""
    asking, answers = asked.asking, asked.answers
    cell = f"{asking.instrument}/{slug(answers.who)}/{asking.own_task}"
    made = results.manifest(
        cell, asking, asking.profile, "lab", asking.seed, sum(r.said.seconds for r in asked.replies)
    )
    results.Store(root).write(made, asked.rows)
    (trials or Trials()).replace(asked.trials().to_dict("records"))


def shown(asked: Asked) -> pd.DataFrame:
    """Return the table that ``cogkit ask`` prints: each result row's task, metric, value, interval and n."""
    table = pd.DataFrame(asked.rows)[["task", "metric", "value", "low", "high", "n"]]
    return table.astype({name: float for name in ("value", "low", "high")}).replace({np.nan: None})
