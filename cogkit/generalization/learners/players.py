"""All players: the paper's six learners, the floors and the observer, trained and tested on a task."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from cogkit.core import seeding
from cogkit.generalization import scoring
from cogkit.generalization.learners import floors, models
from cogkit.generalization.metric import relevance
from cogkit.generalization.problems import records
from cogkit.generalization.problems.records import Problem
from cogkit.generalization.suites import PLAYERS, FitConfig, Suite


@dataclass(frozen=True, eq=False)
class Played:
    """One task with the answers of all players: ``answers`` by player, ``relevance`` by source."""

    problem: Problem
    answers: dict[str, scoring.Answers]
    relevance: dict[str, np.ndarray]


def play(config: FitConfig, seed: int, name: str) -> Played:
    """Return one task of the suite, with the answers of every player that was trained on it.

    Examples
    --------
    >>> found = play(FitConfig(Suite(1), players=("3 nearest neighbours", "recipe")), 0, "Moons 0")
    >>> list(found.answers), found.relevance["correlation"].shape
    (['3 nearest neighbours', 'recipe'], (2,))
    """
    problem = records.problem(name, seed, config.suite)
    y = problem.y
    if config.labels == "shuffled":
        y = seeding.stream(seed, f"generalization/{name}/shuffled").permutation(y)
    answers = {}
    with threadpool_limits(1):  # for small matrices several threads are slower, and much slower on a busy machine
        for player in config.players:
            classifier = trained(player, problem, y, seed, config.suite)
            if classifier is not None:
                answers[player] = scoring.judge(
                    classifier, problem, profile="verified" if config.components else "as_published", seed=seed,
                    name=player, kind=PLAYERS[player],
                )  # fmt: skip
    weights = {source: relevant(problem.x, y, seed) for source, relevant in relevance.SOURCES.items()}
    return Played(problem, answers, weights)


def trained(player: str, problem: Problem, y: np.ndarray, seed: int, suite: Suite):
    """Return a player trained on a task's rows with the classes ``y``, or None if the task has no such player."""
    if player in models.LEARNERS:
        return models.fitted(player, problem.x, y, problem.state)
    if PLAYERS[player] == "floor":
        return floors.floor(player, problem, y)
    return floors.observer(problem, seed, suite)
