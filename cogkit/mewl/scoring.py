"""From a learner to numbers: one path for people, floors, observers and models (Jiang et al. 2023, § 4).

A right answer by the wrong road counts for less: what text alone allows is measured on the same episodes, and beside
the share of right answers stands how much of the rest of the way a learner went.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from cogkit.core import presets, seeding
from cogkit.core.contracts import TRIAL_COLUMNS, InputError
from cogkit.mewl.problems import making, observations
from cogkit.mewl.problems.episodes import OPTIONS, SIZES, TASKS, Episode
from cogkit.stats import wilson

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


@dataclass(frozen=True, eq=False)
class Answers:
    """What a learner answered, a row an episode.

    Attributes
    ----------
    names : tuple of str
        Of the episodes, such as ``test/shape/12``.
    scores : (n, 5) float64
        What it gave to each option.
    given : (n,) int
        The option it chose: the highest score; of several as high, one at random, and `score` counts the share.
    correct : (n,) int
        The right one.
    text : (n,) float64
        How likely who hears and does not look is to be right.
    unseen : (n,) bool
        Whether the right option as a whole was not said of any picture.
    """

    who: str
    kind: str
    inputs: str
    task: str
    profile: str
    seed: int
    names: tuple[str, ...]
    options: tuple[tuple[str, ...], ...]
    scores: np.ndarray
    given: np.ndarray
    correct: np.ndarray
    text: np.ndarray
    unseen: np.ndarray

    @property
    def score(self) -> np.ndarray:
        """What each answer counts, (n,): 1 where it is right, 0 where wrong, a share where several scored as high."""
        best = self.scores == self.scores.max(axis=1, keepdims=True)
        return best[np.arange(len(best)), self.correct] / best.sum(axis=1)

    def frame(self) -> pd.DataFrame:
        """Return one row an episode: episode, task, score, text, given and correct as options."""
        said = {"given": self.given, "correct": self.correct}
        named = {name: [row[k] for row, k in zip(self.options, ks, strict=True)] for name, ks in said.items()}
        found = {"episode": self.names, "task": self.task, "score": self.score, "text": self.text}
        return pd.DataFrame(found | named)

    def to_trials(self, limit: int = 10_000) -> pd.DataFrame:
        """Return at most ``limit`` trial rows, one an episode, in the schema that people's answers have."""
        rows = [
            (
                f"{self.who}-{self.seed}", k, None, self.who, self.kind, "mewl", self.task, self.names[k],
                self.options[k][self.given[k]], int(self.given[k] == self.correct[k]),
                float(self.given[k] == self.correct[k]), None, self.seed, self.profile, None, "cogkit",
                {"phase": "test", "options": list(self.options[k]), "answer": self.options[k][self.correct[k]]},
            )
            for k in range(min(limit, len(self.names)))
        ]  # fmt: skip
        return pd.DataFrame(rows, columns=list(TRIAL_COLUMNS))


def judge(
    learner, episodes: Sequence[Episode], *, seed: int = 0,
    draw: Callable[[Sequence[Episode]], np.ndarray] | None = None,
) -> Answers:  # fmt: skip
    """Return what a learner answers to episodes of one task.

    Parameters
    ----------
    learner : object
        ``score(question) -> (n, 5)``, the higher the likelier; see `episodes.Question`. Its ``inputs`` say what it is
        shown, one of `observations.INPUTS`; its ``name``, ``kind`` and ``inputs`` stand in result rows. One that knows
        some tasks only names them in ``tasks``.
    episodes : sequence of Episode
        Of one task.
    seed : int
        Of how ties fall in trial rows.
    draw : callable, optional
        ``draw(episodes) -> (n, 7, height, width, 3) uint8``, for who looks at pictures.

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
    episodes, who = list(episodes), getattr(learner, "name", type(learner).__name__)
    tasks = {each.task for each in episodes}
    if len(tasks) != 1:
        raise InputError(f"episodes of {len(tasks)} tasks", "one episode or more, of one task")
    (task,), inputs = tasks, getattr(learner, "inputs", "pixels")
    if task not in (known := getattr(learner, "tasks", TASKS)):
        raise InputError(f"{task} for {who}", f"a task that it knows: {', '.join(known)}")
    scores = np.empty((len(episodes), OPTIONS))
    for start in range(0, len(episodes), _AT_ONCE):
        part = episodes[start : start + _AT_ONCE]
        images = draw(part) if draw and inputs in observations.SEEN else None
        scores[start : start + _AT_ONCE] = _checked(
            learner.score(observations.question(part, inputs, images)), len(part)
        )
    best = scores == scores.max(axis=1, keepdims=True)
    lots = seeding.stream(seed, f"mewl/ties/{who}/{task}").random(scores.shape)
    profiles = {each.profile for each in episodes}
    return Answers(
        who, getattr(learner, "kind", "model"), inputs, task, profiles.pop() if len(profiles) == 1 else "verified",
        seed, tuple(f"{each.part}/{each.task}/{each.number}" for each in episodes),
        tuple(each.asked.options for each in episodes), scores, np.where(best, lots, -1).argmax(axis=1),
        np.array([each.answer for each in episodes]), np.array([text_alone(each) for each in episodes]),
        np.array([_unseen(each) for each in episodes]),
    )  # fmt: skip


def _checked(scores, n: int) -> np.ndarray:
    try:
        scores = np.asarray(scores)
    except ValueError:
        raise InputError("scores in rows of different lengths", f"five numbers an episode, ({n}, {OPTIONS})") from None
    if scores.dtype.kind not in "fiub":
        raise InputError(f"scores of type {scores.dtype}", "numbers")
    if scores.shape != (n, OPTIONS):
        raise InputError(f"scores of shape {scores.shape}", f"five numbers an episode, ({n}, {OPTIONS})")
    if not np.isfinite(scores).all():
        raise InputError("scores that are not finite", "numbers")
    return scores


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


def summarise(answers: Answers, source: str = "cogkit") -> list[dict]:
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
    everything = np.ones(len(answers.names), bool)
    parts = {answers.task: everything}
    if answers.task == "composite":
        kinds = {"unseen pair": answers.unseen, "seen pair": ~answers.unseen}
        parts |= {f"composite/{kind}": rows for kind, rows in kinds.items() if rows.any()}
    told = {"kind": answers.kind, "who": answers.who, "inputs": answers.inputs, "source": source}
    rows = []
    for task, chosen in parts.items():
        score, n = answers.score[chosen], int(chosen.sum())
        low, high = wilson(score.sum(), n)
        shares = {"value": float(score.mean()), "low": float(low), "high": float(high)}
        rows.append({"task": task, "metric": ACCURACY, **shares, "interval": "95% Wilson", "n": n} | told)
        if task == answers.task:
            floor = float(answers.text.mean())  # of these very episodes, so it is no estimate
            above = {name: (share - floor) / (1 - floor) for name, share in shares.items()}
            rows.append({"task": task, "metric": CORRECTED, **above, "interval": "95% Wilson", "n": n} | told)
    return rows


def assess(
    learner, tasks: Sequence[str] = TASKS, n: int | None = None, profile: str = "verified", seed: int = 0,
    part: str = "test", source: str = "cogkit", draw: Callable[[Sequence[Episode]], np.ndarray] | None = None,
) -> list[dict]:  # fmt: skip
    """Return the result rows of a learner on tasks that it knows; ``n`` episodes each, or all."""
    known = getattr(learner, "tasks", TASKS)
    rows = []
    for task in (task for task in tasks if task in known):
        rows += summarise(judge(learner, episodes_of(task, part, n, profile), seed=seed, draw=draw), source)
    return rows
