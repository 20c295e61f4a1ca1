"""The floor of memory: it answers as the training episode did that was most like this one.

It sees every thing perfectly, but knows no meaning: words differ between episodes, so an answer is remembered as "the
word that was heard third", and pictures are compared word by word of their descriptions. The paper has no such floor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cogkit.mewl.problems.captions import described
from cogkit.mewl.problems.episodes import OPTIONS, Episode, Question, Trial

Name = tuple[int, ...]
_NEW = -1  # a word that was not heard


class Canonical(NamedTuple):
    """An episode whatever its words are, and in whatever order its panels lie: what `captions.outline` tells of it.

    Attributes
    ----------
    features : tuple
        The words of each description and each name, one place after another.
    options : tuple of Name
        The five options, each word by the number of its first appearance.
    """

    features: tuple
    options: tuple[Name, ...]


def canonical(trial: Trial) -> Canonical:
    """Return the canonical form of an episode.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> canonical(episode("shape", 0).trial).options
    ((-1,), (-1,), (1,), (0,), (2,))
    """
    query, panels, numbers = described(trial)
    features = [(0, place, word) for place, word in enumerate(query)]
    for panel, (words, name) in enumerate(panels, 1):
        features += [(panel, place, word) for place, word in enumerate((*words, *name))]
    options = tuple(tuple(numbers.get(word, _NEW) for word in option.split()) for option in trial.options)
    return Canonical(tuple(features), options)


class NearestEpisode:
    """The floor that looks up the training episodes of the same task with the most words at the same places.

    Their right answers share its answer; an option that none of them names has no share.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episodes_of
    >>> from cogkit.mewl.scoring import judge
    >>> training = episodes_of("shape", "train", 40)
    >>> judge(NearestEpisode(training), training).score.mean()
    np.float64(1.0)
    """

    name, kind, inputs = "nearest training episode", "floor", "symbols"

    def __init__(self, episodes: Sequence[Episode]) -> None:
        self._columns: dict[tuple, int] = {}
        self._answers: dict[str, list[Name]] = {}
        rows: dict[str, list[list[int]]] = {}
        for episode in episodes:
            made = canonical(episode.trial)
            columns = [self._columns.setdefault(feature, len(self._columns)) for feature in made.features]
            rows.setdefault(episode.task, []).append(columns)
            self._answers.setdefault(episode.task, []).append(made.options[episode.answer])
        self._holds = {task: self._table(parts) for task, parts in rows.items()}
        self.tasks = tuple(rows)

    def _table(self, rows: list[list[int]]) -> np.ndarray:
        """Return which features each episode has, (episodes, features) float32."""
        table = np.zeros((len(rows), len(self._columns)), np.float32)
        for row, columns in zip(table, rows, strict=True):
            row[columns] = 1
        return table

    def score(self, question: Question) -> np.ndarray:
        """Return the share of each option among the answers of the nearest episodes, (n, 5)."""
        return np.array([self._shares(trial) for trial in question.trials()])

    def _shares(self, trial: Trial) -> np.ndarray:
        made = canonical(trial)
        columns = [self._columns[feature] for feature in made.features if feature in self._columns]
        alike = self._holds[trial.task][:, columns].sum(axis=1)
        nearest = np.flatnonzero(alike == alike.max())
        shares = np.zeros(OPTIONS)
        for row in nearest:
            named = np.array([option == self._answers[trial.task][row] for option in made.options], float)
            shares += named / max(named.sum(), 1.0)
        return shares
