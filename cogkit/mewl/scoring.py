"""From a learner to numbers: one path for people, floors, observers and models (Jiang et al. 2023, § 4).

A right answer by the wrong road counts for less: what text alone allows is measured on the same episodes, and beside
the share of right answers stands how much of the rest of the way a learner went.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from cogkit.core import contracts, presets, seeding
from cogkit.core.contracts import InputError
from cogkit.mewl.problems import making, observations
from cogkit.mewl.problems.episodes import OPTIONS, SIZES, TASKS, Episode, Question
from cogkit.stats import wilson
from cogkit.study import answers as shared

TEXT = {  # the shortcut of each task that needs no picture, as episodes are certified with it
    "shape": "elimination", "color": "elimination", "material": "elimination", "object": "unsaid",
    "composite": "unsaid", "relation": "text", "bootstrap": "joint", "number": "elimination",
    "pragmatic": "elimination",
}  # fmt: skip
ACCURACY, CORRECTED = "accuracy", "accuracy above text alone"
_AT_ONCE = 64  # episodes


@lru_cache(maxsize=64)
def episodes_of(
    task: str, part: str = "test", n: int | None = None, profile: str = "verified", seed: int = 0
) -> tuple[Episode, ...]:
    """Return the first episodes of a part of a task's set: 3,000 for training, 600 each to choose and to test.

    Parameters
    ----------
    task, part, profile, seed
        As in `making.episode`.
    n : int, optional
        By default all of them.

    Examples
    --------
    >>> [episode.task for episode in episodes_of("number", n=2)]
    ['number', 'number']
    """
    most = SIZES[presets.choose(part, SIZES, "part")]
    if n is not None and not 1 <= n <= most:
        raise InputError(f"{n} episodes of {part}", f"1 to {most}")
    return tuple(making.episode(task, k, profile, seed, part) for k in range(n or most))


class Learner(contracts.Learner, Protocol):
    """A learner of words; ``inputs`` is one of `observations.INPUTS`, pixels by default.

    One that knows some tasks only names them in ``tasks``.
    """

    def score(self, question: Question) -> ArrayLike:
        """Return a score for each option of each episode, (n, 5), the higher the likelier."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers(shared.Answers):
    """What a learner answered, a row an episode.

    Attributes
    ----------
    names : tuple of str
        Of the episodes, such as ``test/shape/12``.
    scores : (n, 5) float64
        What it gave to each option.
    given : (n,) int
        The option it chose: the highest score; of several as high, one at random, and `score` counts the share. -1 is
        no answer.
    correct : (n,) int
        The right one.
    text : (n,) float64
        How likely who hears and does not look is to be right.
    unseen : (n,) bool
        Whether the right option as a whole was not said of any picture.
    """

    instrument = "mewl"
    names: tuple[str, ...]
    options: tuple[tuple[str, ...], ...]
    scores: np.ndarray
    given: np.ndarray
    correct: np.ndarray
    text: np.ndarray
    unseen: np.ndarray

    @property
    def missing(self) -> np.ndarray:
        """Which episodes were not answered, (n,) bool."""
        return self.given < 0

    @property
    def score(self) -> np.ndarray:
        """What each answer counts, (n,): 1 where it is right, 0 where wrong, a share where several scored as high."""
        return shared.shares(_best(self.scores))[np.arange(len(self.scores)), self.correct]

    @property
    def responses(self) -> list[str | None]:
        """The name chosen in each episode; None where none was."""
        return [None if k < 0 else options[k] for options, k in zip(self.options, self.given, strict=True)]

    def frame(self) -> pd.DataFrame:
        """Return one row an episode: episode, task, score, text, given and correct as options."""
        right = [options[k] for options, k in zip(self.options, self.correct, strict=True)]
        columns = {"episode": self.names, "task": self.task, "score": self.score, "text": self.text}
        return pd.DataFrame(columns | {"given": self.responses, "correct": right})

    def _trials(self) -> Iterator[dict]:
        """Yield one row an episode."""
        for k, response in enumerate(self.responses):
            options = self.options[k]
            yield {
                "item": self.names[k], "response": response, "correct": int(self.given[k] == self.correct[k]),
                "extra": {"phase": "test", "options": list(options), "answer": options[self.correct[k]]},
            }  # fmt: skip


def _best(scores: np.ndarray) -> np.ndarray:
    return scores == scores.max(axis=1, keepdims=True)


def judge(
    learner: Learner, items: Sequence[Episode], *, profile: str = "verified", seed: int = 0,
    draw: Callable[[Sequence[Episode]], np.ndarray] | None = None,
) -> Answers:  # fmt: skip
    """Return what a learner answers to episodes of one task.

    Parameters
    ----------
    learner : Learner
    items : sequence of Episode
        Of one task.
    profile : {"verified", "as_published"}
        The rules that the episodes were made by, for trial rows: answers count the same under both.
    seed : int
        Seed of how ties fall in trial rows.
    draw : callable, optional
        ``draw(episodes) -> (n, 7, height, width, 3) uint8``, for learners that look at pictures.

    Raises
    ------
    InputError
        No episodes, several tasks, a task that the learner does not know, or scores of another shape or not finite.

    Examples
    --------
    >>> class First:
    ...     inputs, kind, name = "symbols", "floor", "first option"
    ...     def score(self, question): return [[1, 0, 0, 0, 0]] * len(question)
    >>> judge(First(), episodes_of("number", n=3)).given.tolist()
    [0, 0, 0]
    """
    episodes, identity = list(items), shared.described(learner, "pixels", observations.INPUTS)
    tasks = {episode.task for episode in episodes}
    if len(tasks) != 1:
        raise InputError(f"episodes of {len(tasks)} tasks", "one episode or more, of one task")
    (task,), shape = tasks, f"five numbers an episode, (n, {OPTIONS})"
    if task not in (known_tasks := getattr(learner, "tasks", TASKS)):
        raise InputError(f"{task} for {identity['who']}", f"a task that it knows: {', '.join(known_tasks)}")
    scores = np.empty((len(episodes), OPTIONS))
    for start in range(0, len(episodes), _AT_ONCE):
        part = episodes[start : start + _AT_ONCE]
        images = draw(part) if draw and identity["inputs"] in observations.SEEN else None
        answers = learner.score(observations.question(part, identity["inputs"], images))
        scores[start : start + _AT_ONCE] = shared.checked(
            answers, (len(part), OPTIONS), "scores", shape, missing=shared.abstains(learner)
        )
    choices = shared.drawn(_best(scores), seeding.stream(seed, f"mewl/ties/{identity['who']}/{task}"))
    return Answers(
        **identity, task=task, profile=presets.profile(profile), seed=seed,
        names=tuple(f"{episode.part}/{episode.task}/{episode.number}" for episode in episodes),
        options=tuple(episode.asked.options for episode in episodes), scores=scores,
        given=np.where(np.isnan(scores).any(axis=1), -1, choices),
        correct=np.array([episode.answer for episode in episodes]),
        text=np.array([text_alone(episode) for episode in episodes]),
        unseen=np.array([_unseen(episode) for episode in episodes]),
    )  # fmt: skip


def text_alone(episode: Episode) -> float:
    """Return how likely who hears all and sees nothing is to be right, by the best shortcut of the task.

    Examples
    --------
    >>> round(text_alone(making.episode("shape", 0)), 3)
    0.333
    """
    return episode.certificate["floors"][TEXT[episode.task]]


def _unseen(episode: Episode) -> bool:
    return episode.asked.options[episode.answer] not in {panel.utterance for panel in episode.asked.panels}


def summarise(answers: Answers) -> list[dict]:
    """Return result rows: the share of right answers, and how much of the way from text alone to all right that is.

    Ties count by their share. For ``composite`` there is a row more for each kind of query, said before as a whole or
    not, where there are both, or else one that says which all are.

    Examples
    --------
    >>> class Last:
    ...     inputs, kind, name = "symbols", "floor", "last option"
    ...     def score(self, question): return [[0, 0, 0, 0, 1]] * len(question)
    >>> [row["metric"] for row in summarise(judge(Last(), episodes_of("number", n=3)))]
    ['accuracy', 'accuracy above text alone']
    """
    score, task = answers.score, answers.task

    def metric_row(metric, task, rows=slice(None), floor=0.0):
        n, right = len(score[rows]), score[rows].sum()
        value, *limits = ((share - floor) / (1 - floor) for share in (score[rows].mean(), *wilson(right, n)))
        return answers.row(metric, value, n, limits, "95% Wilson", task=task)

    # The floor is that of these very episodes, so it is no estimate.
    rows = [metric_row(ACCURACY, task), metric_row(CORRECTED, task, floor=float(answers.text.mean()))]
    if task == "composite":
        kinds = {"unseen pair": answers.unseen, "seen pair": ~answers.unseen}
        rows += [metric_row(ACCURACY, f"composite/{kind}", mask) for kind, mask in kinds.items() if mask.any()]
    return rows + answers.unanswered()


def assess(
    learner: Learner, items: Sequence[str] = TASKS, *, profile: str = "verified", seed: int = 0,
    source: str = "", n: int | None = None, part: str = "test",
    draw: Callable[[Sequence[Episode]], np.ndarray] | None = None,
) -> list[dict]:  # fmt: skip
    """Return the result rows of a learner on tasks that it knows; ``n`` episodes each, or all."""
    known_tasks = getattr(learner, "tasks", TASKS)
    rows = []
    for task in (task for task in items if task in known_tasks):
        episodes = episodes_of(task, part, n, profile)
        rows += summarise(judge(learner, episodes, profile=profile, seed=seed, draw=draw))
    return shared.sourced(rows, source)
