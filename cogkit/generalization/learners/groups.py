"""The paper's score of both sides on every task: GR* of the mean accuracy of three learners."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from cogkit.core.presets import choose
from cogkit.generalization.learners.predictions import Fitted
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.metric import relevance
from cogkit.generalization.metric.gr_star import Constants
from cogkit.generalization.problems import records
from cogkit.generalization.suites import SIDES, family_of


@dataclass(frozen=True)
class Choices:
    """Choices that the paper leaves open. The defaults are those that its printed numbers suggest.

    Attributes
    ----------
    source : {"mutual information", "correlation"}
        Measure of the relevance of a column.
    onto : {"half", "clip"}
        How the cosine is mapped to [0, 1].
    training_rows : bool
        Whether n counts only the training rows.
    """

    source: str = "mutual information"
    direction: str = "decreasing"
    onto: str = "half"
    training_rows: bool = False
    constants: Constants = field(default_factory=Constants)

    def __post_init__(self) -> None:
        choose(self.source, relevance.SOURCES, "source of relevance")
        choose(self.direction, relevance.DIRECTIONS, "direction of the template")
        choose(self.onto, relevance.MAPS, "map of the cosine")


def score(fitted: Fitted, choices: Choices | None = None, columns: np.ndarray | None = None) -> pd.DataFrame:
    """Return the score of each side on each task, without training.

    ``columns``, (T, D), is a new order of the columns of each task, to show its effect.

    Columns task, family, side ("human proxies" | "machines"), kind, accuracy, alignment, abstraction, n, s, classes,
    gr_star. Tasks are in order, with the two sides of a task in adjacent rows.
    """
    choices = choices or Choices()
    weights = fitted.relevance[list(relevance.SOURCES).index(choices.source)]
    if columns is not None:
        weights = np.take_along_axis(weights, columns, axis=1)
    alignment, spread = relevance.alignment(weights, choices.direction, choices.onto), relevance.entropy(weights)
    n, s, classes = fitted.sizes.T
    rows = n - np.ceil(n * records.TEST).astype(int) if choices.training_rows else n
    table, accuracy, parts = pd.DataFrame({"task": fitted.names}), fitted.accuracy(), []
    for kind, name in SIDES.items():
        if places := fitted.places(kind):
            mean = accuracy[:, places].mean(axis=1)
            parts.append(table.assign(
                family=table.task.map(family_of), side=name, kind=kind, accuracy=mean, alignment=alignment,
                abstraction=spread, n=rows, s=s, classes=classes,
                gr_star=metric.gr_star(mean, alignment, spread, rows, s, choices.constants),
            ))  # fmt: skip
    return pd.concat(parts).sort_index(kind="stable").reset_index(drop=True)


def wide(scores: pd.DataFrame, value: str = "gr_star") -> pd.DataFrame:
    """Return one row per task with a column per side, from a table as `score` gives it."""
    return scores.pivot(index="task", columns="side", values=value).loc[list(dict.fromkeys(scores.task))]
