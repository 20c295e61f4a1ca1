"""From a learner to numbers: the same steps for people, floors, observers and models (Jiang et al. 2023, § 4).

Text alone sometimes allows a right answer. So results have two numbers: the accuracy, and how far it lies on the way
from the accuracy of text alone, on the same episodes, to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.core.instruments import BaseLearner
from cogkit.mewl.problems import observations, splits
from cogkit.mewl.problems.episodes import OPTIONS, TASKS, Episode, Question
from cogkit.mewl.problems.making import Items
from cogkit.stats import wilson
from cogkit.study import answers as shared

TEXT = {  # for each task, the name in certificates of the shortcut that needs no picture
    "shape": "elimination", "color": "elimination", "material": "elimination", "object": "unsaid",
    "composite": "unsaid", "relation": "text", "bootstrap": "joint", "number": "elimination",
    "pragmatic": "elimination",
}  # fmt: skip
ACCURACY, CORRECTED = "accuracy", "accuracy above text alone"
_AT_ONCE = 64  # episodes


class Learner(BaseLearner, Protocol):
    """A learner of words; ``inputs`` is one of `observations.INPUTS`, pixels by default.

    A learner for some of the tasks lists them in ``tasks``.
    """

    def score(self, question: Question) -> ArrayLike:
        """Return a score for each option of each episode, (n, 5); higher scores mean likelier options."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers(shared.Answers):
    """A learner's answers, a row for each episode.

    Attributes
    ----------
    names : tuple of str
        Names of the episodes in their dataset, such as ``test/shape/12``.
    scores : (n, 5) float64
        The learner's score for each option.
    choices : (n,) int
        The chosen option, which has the highest score. If several have it, one is drawn at random, and `score` counts
        the share. -1 is no answer.
    correct : (n,) int
        The right option.
    text : (n,) float64
        The chance of a right answer from text alone.
    unseen : (n,) bool
        Whether the right option as a whole is not the name of any panel.
    """

    instrument = "mewl"
    names: tuple[str, ...]
    options: tuple[tuple[str, ...], ...]
    scores: np.ndarray
    choices: np.ndarray
    correct: np.ndarray
    text: np.ndarray
    unseen: np.ndarray

    @property
    def missing(self) -> np.ndarray:
        """Which episodes have no answer, (n,) bool."""
        return self.choices < 0

    @property
    def score(self) -> np.ndarray:
        """The value of each answer, (n,): 1 if right, 0 if wrong, a share if several options have the highest score."""
        return shared.shares(_best(self.scores))[np.arange(len(self.scores)), self.correct]

    @property
    def responses(self) -> list[str | None]:
        """The chosen name in each episode, or None."""
        return [None if k < 0 else options[k] for options, k in zip(self.options, self.choices, strict=True)]

    def _trials(self) -> Iterator[dict]:
        """Yield one row for each episode."""
        names = self.names if self.items is None else self.items.names
        for k, response in enumerate(self.responses):
            options = self.options[k]
            yield {
                "item": names[k], "response": response, "correct": int(self.choices[k] == self.correct[k]),
                "extra": {"phase": "test", "options": list(options), "answer": options[self.correct[k]]}
                | self.reply_record(k),
            }  # fmt: skip


def _best(scores: np.ndarray) -> np.ndarray:
    return scores == scores.max(axis=1, keepdims=True)


def judge(
    learner: Learner, items: Sequence[Episode], *, profile: str | None = None, seed: int | None = None,
    draw: Callable[[Sequence[Episode]], np.ndarray] | None = None,
) -> Answers:  # fmt: skip
    """Return a learner's answers to episodes of one task.

    Parameters
    ----------
    items : sequence of Episode
        Episodes of one task, or of one family, whose task the answers then have.
    profile : {"verified", "as_published"}, optional
        The rules of the episodes, for trial rows; by default those of the items. Answers count the same under both.
    seed : int, optional
        Seed of the random choice between ties in trial rows; by default that of the items.
    draw : callable, optional
        ``draw(episodes) -> (n, 7, height, width, 3) uint8``, for learners that look at pictures.

    Raises
    ------
    InputError
        There are no episodes, several tasks, a task that the learner does not know, or scores with a wrong shape or
        with infinite values.

    Examples
    --------
    >>> class First:
    ...     inputs, kind, name = "symbols", "floor", "first option"
    ...     def score(self, question): return [[1, 0, 0, 0, 0]] * len(question)
    >>> judge(First(), splits.items("number", n=3)).choices.tolist()
    [0, 0, 0]
    """
    episodes, identity = tuple(items), shared.described(learner, "pixels", observations.INPUTS)
    tasks = {episode.task for episode in episodes}
    if len(tasks) != 1:
        raise InputError(f"episodes of {len(tasks)} tasks", "one episode or more, of one task")
    (kind,), rules, shape = tasks, shared.rules_of(items, profile, seed), f"five numbers an episode, (n, {OPTIONS})"
    known_tasks = getattr(learner, "tasks", TASKS)
    if kind not in {each.partition("/")[0] for each in known_tasks}:
        raise InputError(f"{kind} for {identity['who']}", f"a task that it knows: {', '.join(known_tasks)}")
    items = items if isinstance(items, Items) else Items(episodes, "mewl", kind)
    scores, replies = np.empty((len(episodes), OPTIONS)), []
    for start in range(0, len(episodes), _AT_ONCE):
        part = episodes[start : start + _AT_ONCE]
        images = draw(part) if draw and identity["inputs"] in observations.SEEN else None
        answers = learner.score(observations.question(part, identity["inputs"], images))
        rows, abstains = (len(part), OPTIONS), shared.abstains(learner)
        scores[start : start + _AT_ONCE] = shared.checked(answers, rows, "scores", shape, missing=abstains)
        replies.append(shared.replies(learner, len(part)))
    choices = shared.drawn(_best(scores), seeding.stream(rules["seed"], f"mewl/ties/{identity['who']}/{items.task}"))
    return Answers(
        **identity, **rules, task=items.task, items=items,
        names=tuple(episode.name for episode in episodes),
        options=tuple(episode.trial.options for episode in episodes), scores=scores,
        choices=np.where(np.isnan(scores).any(axis=1), -1, choices),
        correct=np.array([episode.answer for episode in episodes]),
        text=np.array([episode.certificate["floors"][TEXT[kind]] for episode in episodes]),
        unseen=np.array([each.trial.options[each.answer] not in each.trial.utterances for each in episodes]),
        replies=shared.joined(replies),
    )  # fmt: skip


def summarise(answers: Answers) -> pd.DataFrame:
    """Return result rows: the accuracy, and how far it lies on the way from the accuracy of text alone to 1.

    Ties count by their share. ``composite`` has another row for each kind of query that occurs: those whose name is
    also a panel's, and the others.

    Examples
    --------
    >>> class Last:
    ...     inputs, kind, name = "symbols", "floor", "last option"
    ...     def score(self, question): return [[0, 0, 0, 0, 1]] * len(question)
    >>> summarise(judge(Last(), splits.items("number", n=3))).metric.tolist()
    ['accuracy', 'accuracy above text alone']
    """
    return answers.table(result_rows(answers))


def result_rows(answers: Answers) -> list[dict]:
    """Return the rows of `summarise` as dicts, without the columns that a runner fills in."""
    score, task = answers.score, answers.task

    def metric_row(metric, task, rows: Any = slice(None), floor=0.0):
        n, right = len(score[rows]), score[rows].sum()
        value, *limits = ((share - floor) / (1 - floor) for share in (score[rows].mean(), *wilson(right, n)))
        return answers.row(metric, value, n, limits, "95% Wilson", task=task)

    # The floor comes from these same episodes, so it has no sampling error.
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
    """Return the result rows of a learner on the tasks that it knows, with ``n`` episodes each, or all."""
    known_tasks = getattr(learner, "tasks", TASKS)
    rows = []
    for task in (task for task in items if task in known_tasks):
        episodes = splits.items(task, part, n, profile)
        rows += result_rows(judge(learner, episodes, profile=profile, seed=seed, draw=draw))
    return shared.sourced(rows, source)
