"""The GR* instrument: its front door and its cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from cogkit.core import presets
from cogkit.core.errors import InputError
from cogkit.core.instruments import Cell, Instrument
from cogkit.core.items import Exposure
from cogkit.core.splits import Split
from cogkit.data.results import shipped
from cogkit.generalization import all_rows, suites
from cogkit.generalization.problems import splits
from cogkit.generalization.suites import (
    COMPONENTS,
    MULTIVERSE,
    REPRO62,
    SHUFFLED,
    FitConfig,
    MultiverseConfig,
    Suite,
)
from cogkit.study.error_consistency import errors_cell

if TYPE_CHECKING:
    from cogkit.generalization import scoring
    from cogkit.generalization.learners.predictions import Fitted
    from cogkit.generalization.problems.records import Problem
    from cogkit.learning import Fit


def stressed(config: suites.StressConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of one kind of curves."""
    from cogkit.generalization.learners import rows  # scikit-learn takes a second to load
    from cogkit.generalization.paper import stress

    return list(rows.of_curves(stress.curves(config, seed), profile))


def multiverse(config: MultiverseConfig, profile: str, seed: int) -> list[dict]:
    """Return the statistics of the paper's claims on tasks of another recipe, the same under both profiles."""
    from cogkit.generalization.paper import multiverse  # scikit-learn, as above

    return multiverse.rows(config, seed)


def suite(config: Any, profile: str, seed: int, keep: Callable | None = None) -> list[dict]:
    """Train all learners of a suite and return the result rows; see `Cell`."""
    from cogkit.generalization.learners import training

    return training.rows_of(config, profile, seed, keep)


class Generalization(Instrument):
    """The GR* metric: classifiers and proxies of people on 62 small tables."""

    name = "generalization"
    run_items = "own"
    references = suites.PLAYERS

    def tasks(self) -> tuple[str, ...]:
        """Return the names of the paper's 62 tasks.

        Examples
        --------
        >>> from cogkit import generalization
        >>> len(generalization.tasks()), generalization.tasks()[0]
        (62, 'Linear 0')
        """
        return tuple(Suite().names)

    def items(
        self, task: str, n: int | None = None, *, profile: str = "verified", seed: int = 0, part: str = "test"
    ) -> Problem:
        """Return one task: standardised training rows and test rows.

        Parameters
        ----------
        task : str
            One of `tasks`.
        n : int, optional
            Number of test rows, from the first on. All by default.
        profile : str
            Tasks are the same under every profile.
        seed : int
            Of the suite.
        part : str
            ``test`` alone: a task holds its training rows too, ``x`` and ``y``.

        Examples
        --------
        >>> from cogkit import generalization
        >>> generalization.items("Circles 3", 20).x_test.shape
        (20, 2)
        """
        from cogkit.generalization.problems import records  # scikit-learn takes a second to load

        presets.profile(profile)
        if part != "test":
            raise InputError(f"part={part!r}", "test", "a task holds its training rows too: .x and .y")
        problem = records.problem(presets.choose(task, self.tasks(), "task"), seed)
        if n is None:
            return problem
        if not 1 <= n <= len(problem.y_test):
            raise InputError(f"{n} test rows of {task}", f"1 to {len(problem.y_test)}")
        return problem[:n]

    def learner(
        self, name: str, task: str | None = None, *, profile: str = "verified", seed: int = 0
    ) -> scoring.Learner:
        """Return a classifier that is trained on one task.

        Parameters
        ----------
        name : str
            One of `suites.PLAYERS`: three proxies, three machines, two floors, and the observer ``recipe``.
        task : str
            One of `tasks`.
        profile : str
            Learners are the same under every profile.
        seed : int
            Of the suite.

        Raises
        ------
        InputError
            The name is unknown or no task, or ``recipe`` is asked for Iris or Digits, whose recipe is unknown.

        Examples
        --------
        >>> from cogkit import generalization
        >>> generalization.learner("naive Bayes", "Moons 0").predict([[2.0, -1.0]])
        array([1])
        """
        from cogkit.generalization.learners import players  # scikit-learn, as above

        presets.choose(name, suites.PLAYERS, "learner")
        if task is None:
            raise InputError("no task", "the task that it shall learn", "name one of tasks()")
        problem = self.items(task, profile=profile, seed=seed)
        if (classifier := players.trained(name, problem, problem.y, seed, Suite())) is None:
            raise InputError(f"{name!r} on {task}", "a task whose recipe is known", "choose another task")
        return classifier

    def train_suite(self, preset: str = "quick", *, profile: str = "verified", seed: int = 0, checkpoint=None) -> Fit:
        """Return the run that trains all learners on all tasks. One step is one task.

        Parameters
        ----------
        preset, profile, seed
            Size of the families, whether all components are scored, and the seed.
        checkpoint : path, optional
            A file to write, and to continue from.

        Examples
        --------
        >>> from cogkit import generalization
        >>> generalization.train_suite().steps
        14
        """
        from cogkit.generalization.learners import training  # brings torch

        config = FitConfig(Suite(suites.TASKS[presets.preset(preset)]))
        config = suites.measured(config) if presets.profile(profile) == "verified" else config
        return training.suite_fit(config, seed, checkpoint=checkpoint)

    def load_suite(self) -> Fitted:
        """Return the answers of all learners on the 62 tasks of seed 0, which come with the package.

        Examples
        --------
        >>> from cogkit import generalization
        >>> len(generalization.load_suite().names)
        62
        """
        from cogkit.generalization.learners import predictions  # scikit-learn, as above

        return predictions.shipped()

    def results(self, preset: str = "lab", profile: str = "verified", *, tasks=None, who=None) -> pd.DataFrame:
        """Return the result rows that come with the package, from our own runs; see `data.results.shipped`.

        Examples
        --------
        >>> from cogkit import generalization
        >>> generalization.results(tasks="Moons").metric.nunique() > 0
        True
        """
        return shipped("generalization", preset, profile, tasks=tasks, who=who)

    def splits(self) -> tuple[str, ...]:
        return splits.names()

    def split(self, name: str) -> Split:
        return splits.split(name)

    def memory(self, name: str) -> Mapping[str, Any]:
        from cogkit.generalization.learners import ladder  # scikit-learn, as above

        return ladder.row(name)

    def place(self, cell: str, task: str) -> tuple[str, str]:
        return splits.place(task)

    def cells(self) -> list[Cell]:
        """Return the cells: the 62 tasks, the same with shuffled labels, three kinds of curves, and other recipes."""
        whole = {preset: FitConfig(Suite(tasks)) for preset, tasks in suites.TASKS.items()}
        changes = {"labels": "shuffled", "players": suites.side("model")}
        shuffled = {preset: replace(config, **changes) for preset, config in whole.items()}
        rows = [Cell(REPRO62, suite, whole, weights=True), Cell(SHUFFLED, suite, shuffled)]
        for kind in suites.STRESSES:
            sizes = {preset: suites.StressConfig(kind, tasks) for preset, tasks in suites.TASKS.items()}
            rows.append(Cell(f"generalization/{kind}", stressed, sizes))
        recipes = {preset: MultiverseConfig(Suite(tasks)) for preset, tasks in suites.TASKS.items()}
        rows.append(Cell(MULTIVERSE, multiverse, recipes))
        return [*rows, errors_cell("generalization", all_rows.errors, 20, 300, 300)]

    def exposures(self, config: Any, profile: str, seed: int) -> Iterator[Exposure]:
        """Yield the rows of each task; of curves, those of their Linear tasks, whose spurious column is drawn anew."""
        from cogkit.generalization.problems import records  # scikit-learn, as above

        if isinstance(config, suites.StressConfig):
            config = FitConfig(Suite(config.tasks, ("Linear",)))
        if isinstance(config, FitConfig):
            yield from (records.exposure(name, seed, config.suite) for name in config.suite.names)

    def components(self, rows: pd.DataFrame, trials: pd.DataFrame | None = None) -> Iterator[dict]:
        """Yield rows of A_c, P, S and L unchanged, because the results of this instrument are components already."""
        from cogkit.stats import scale  # scipy takes a second to load

        note = "chance is the most frequent class, task by task"
        for _, row in scale.selected(rows, rows.metric.isin(COMPONENTS), " or ".join(COMPONENTS)).iterrows():
            yield scale.component(row, row.metric, row.value, (row.low, row.high), row.interval, np.nan, note)

    def all_rows(self, profile: str) -> pd.DataFrame:
        return all_rows.rows(profile)


INSTRUMENT = Generalization()
