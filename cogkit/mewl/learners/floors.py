"""Learners of MEWL that need no training: shortcuts, counting, guessing and reasoning.

Jiang et al. (2023) test none of them, and take 20 % as chance. Words alone allow a higher accuracy (facts, § 6).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from cogkit.core.presets import choose
from cogkit.mewl.learners.crosssituational import Associative, ProposeButVerify
from cogkit.mewl.problems import tasks
from cogkit.mewl.problems.episodes import OPTIONS, TASKS, Question, Trial
from cogkit.mewl.problems.tasks import pragmatic
from cogkit.mewl.scoring import TEXT


class Reference:
    """A learner that scores the options of one question after another.

    ``weigh(trial) -> five numbers``: a higher number means a more probable option. ``known`` are the tasks that it can
    answer.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episodes_of
    >>> from cogkit.mewl.scoring import judge
    >>> judge(reference("ideal-learner"), episodes_of("shape", n=20)).score.mean()
    np.float64(1.0)
    """

    inputs = "symbols"

    def __init__(self, name: str, kind: str, weigh: Callable[[Trial], object], known: tuple[str, ...] = TASKS) -> None:
        self.name, self.kind, self.weigh, self.tasks = name, kind, weigh, known

    def score(self, question: Question) -> np.ndarray:
        """Return the score of each option, (n, 5)."""
        return np.array([self.weigh(trial) for trial in question.trials()], float)


def shortcut(name: str, leaks: Mapping[str, str]) -> Reference:
    """Return the floor that uses one leak in each task, and guesses among the options that remain.

    ``leaks`` names for each task one of the leaks in the task's module.
    """

    def weigh(trial: Trial) -> tuple[bool, ...]:
        return tasks.module(trial.task).leaks(trial)[leaks[trial.task]]

    return Reference(name, "floor", weigh, tuple(leaks))


def solver(name: str, kind: str, which: str, known: tuple[str, ...] = TASKS) -> Reference:
    """Return the learner that guesses among the options that a solver of the task allows."""
    return Reference(name, kind, lambda trial: tasks.module(trial.task).SOLVERS[which](trial)[1], known)


def rational_listener(alpha: float = 1.0) -> Reference:
    """Return the listener that assumes a rational speaker, as `pragmatic.rational` does."""
    name, weigh = f"pragmatic listener, α = {alpha:g}", lambda trial: pragmatic.rational(trial, alpha)
    return Reference(name, "model", weigh, ("pragmatic",))


REFERENCES = {  # by name, in the order of tables
    "random": lambda: Reference("random", "floor", lambda trial: [0] * OPTIONS),
    "elimination": lambda: shortcut(
        "elimination", {task: leak for task, leak in TEXT.items() if leak in ("elimination", "unsaid")}
    ),
    "reversal": lambda: shortcut("reversal", {"relation": "order"}),
    "converse-pair": lambda: shortcut("converse pair", {"relation": "converse"}),
    "order-graph": lambda: shortcut("order graph", {"bootstrap": "joint"}),
    "text-alone": lambda: shortcut("text alone", TEXT),
    "query-alone": lambda: shortcut("query alone", {"relation": "query"}),
    "literal-listener": lambda: solver("literal listener", "model", "literal", ("pragmatic",)),
    "informative-listener": lambda: solver("informative listener", "model", "informative", ("pragmatic",)),
    "pragmatic-listener": rational_listener,
    "pragmatic-listener-4": lambda: rational_listener(4.0),
    "associative-learner": Associative,
    "propose-but-verify": ProposeButVerify,
    "ideal-learner": lambda: solver("ideal learner", "observer", "exact"),
}


def reference(name: str):
    """Return a learner that needs no training, by its name in `REFERENCES`."""
    return REFERENCES[choose(name, REFERENCES, "learner that needs no training")]()
