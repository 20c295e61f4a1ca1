"""The MEWL instrument for the rest of the package: its cells, its dataset, and learners that need no training."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from cogkit.core import presets
from cogkit.core.instruments import Cell, Instrument
from cogkit.core.items import Exposure
from cogkit.core.splits import Split
from cogkit.core.study import Study
from cogkit.data.results import shipped
from cogkit.mewl import scoring
from cogkit.mewl.learners import agents, exposures, floors, pretrained
from cogkit.mewl.problems import splits
from cogkit.mewl.problems.episodes import CHANCE, TASKS
from cogkit.mewl.problems.families import FAMILIES
from cogkit.mewl.problems.making import Items
from cogkit.mewl.rendering import render
from cogkit.mewl.world import geometry
from cogkit.mewl.world.scenes import Scene
from cogkit.mewl.world.things import EVERY
from cogkit.study.error_consistency import ErrorsConfig, errors_cell

if TYPE_CHECKING:
    from cogkit.learning import Fit

SIZES = {"quick": 40, "lab": None, "paper": None}  # test episodes of each task; None means all 600


@dataclass(frozen=True)
class ReferenceConfig:
    """A learner that needs no training, on every task that it knows.

    Attributes
    ----------
    reference : str
        Name in `floors.REFERENCES`.
    episodes : int or None
        Number of test episodes of each task; None for all.
    """

    reference: str
    episodes: int | None = None


def judged(config: ReferenceConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a learner that needs no training."""
    return scoring.assess(floors.reference(config.reference), n=config.episodes, profile=profile, seed=seed)


def trained(module: str, config: Any, profile: str, seed: int, keep: Callable | None = None) -> list[dict]:
    """Train a learner of ``training`` or ``perception`` and return the result rows; see `Cell`."""
    registry = importlib.import_module(f"cogkit.mewl.learners.{module}").REGISTRY  # imports torch
    return registry.run(config, profile, seed, keep)


agent, eyes = (partial(trained, module) for module in ("training", "perception"))


@dataclass(frozen=True)
class MemoryConfig:
    """The split whose floors of memory are measured."""

    split: str


def memory(config: MemoryConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of floors of memory and of the ideal learner on the test of a split."""
    from cogkit.mewl.learners import ladder  # as in `Mewl.memory`

    return ladder.rows(config.split, profile)


def read(config: pretrained.NounConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a learner on a frozen MiniLM, which learns now; raises `InputError` without MiniLM."""
    from cogkit.mewl.learners import training  # torch, as above
    from cogkit.mewl.learners.pretrained import learning, nouns

    learner: Any = learning.learn(config, nouns.minilm(), profile, seed)
    return training.assess(learner, profile, seed) + training.curve(learner)


def errors(config: ErrorsConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of errors that learners share."""
    from cogkit.mewl import all_rows

    return all_rows.errors(config, profile, seed)


class Mewl(Instrument):
    """MEWL: episodes in which six pictures have a name each, and a seventh is to be named (Jiang et al. 2023)."""

    name = "mewl"
    references = tuple(floors.REFERENCES)
    networks = tuple(agents.NAMES)
    chance = CHANCE
    absent = {
        "GR*": "on relation a model at chance would get about 240 times the Acc (1 - U) of people, and BERT and "
        "GPT-3.5 read captions of what others have to see"
    }

    def tasks(self) -> tuple[str, ...]:
        """Return the names of the nine tasks.

        Examples
        --------
        >>> from cogkit import mewl
        >>> mewl.tasks()[-1]
        'pragmatic'
        """
        return TASKS

    def items(
        self, task: str, n: int | None = None, *, profile: str = "verified", seed: int = 0, part: str = "test"
    ) -> Items:
        """Return the first episodes of a task; ``part`` is ``test``, ``train`` or ``val``.

        The task may also be that of a family which training never holds, such as ``color/two-unseen``.

        Examples
        --------
        >>> from cogkit import mewl
        >>> [episode.trial.query.things[0].color for episode in mewl.items("color/two-unseen", 3)]
        ['purple', 'brown', 'brown']
        """
        return splits.items(task, part, n, profile, seed)

    def learner(
        self, name: str, task: str | None = None, *, profile: str = "verified", seed: int = 0
    ) -> scoring.Learner:
        """Return a learner that needs no training, by its name in `floors.REFERENCES`.

        It is the same on every task.

        Examples
        --------
        >>> from cogkit import mewl
        >>> mewl.learner("elimination").kind
        'floor'
        """
        return floors.reference(name)

    def train(
        self, name: str, task: str = "together", preset: str = "quick", *, profile: str = "verified",
        seed: int = 0, checkpoint=None, **changes,
    ) -> Fit:  # fmt: skip
        """Return the training run of a network on new episodes: iterate it, watch it ``live``, stop or continue it.

        Parameters
        ----------
        name : str
            One of `agents.NAMES`.
        task : str
            One of `tasks`, or all nine ``together``; or the task of a family that training never holds and the test
            asks about, such as ``color/two-unseen``.
        preset, profile, seed
            The amount of training, the rules of the episodes, and the seed.
        checkpoint : path, optional
            A file to write to, and to continue from.
        **changes
            Fields of the config that differ from the preset, such as ``steps=100``.
        """
        from cogkit.mewl.learners import training  # brings torch, which sitting and judging do not need

        return training.train(agents.config(name, preset, set=task, **changes), seed, profile, checkpoint=checkpoint)

    def load(self, name: str, task: str = "together", preset: str = "lab", *, profile: str = "verified", seed: int = 0):
        """Return a trained network that comes with the package; otherwise an `InputError` lists the existing ones."""
        from cogkit.mewl.learners import training  # as above

        return training.load(name, preset, seed, profile, set=task)

    def results(self, preset: str = "lab", profile: str = "verified", *, tasks=None, who=None) -> pd.DataFrame:
        """Return the result rows that come with the package, from our own runs; see `data.results.shipped`.

        Rows of families that training never holds, and of floors of memory, stand apart: `learners.ladder.table`.

        Examples
        --------
        >>> from cogkit import mewl
        >>> mewl.results(tasks="shape", who="ideal learner").metric.nunique() > 0
        True
        """
        rows = shipped("mewl", preset, profile, tasks=tasks, who=who)
        return rows[~(rows.cell.str.endswith(tuple(FAMILIES)) | rows.cell.str.startswith("mewl/memory/"))]

    def splits(self) -> tuple[str, ...]:
        return splits.names()

    def split(self, name: str) -> Split:
        return splits.split(name)

    def memory(self, name: str) -> Mapping[str, Any]:
        from cogkit.mewl.learners import ladder  # brings statistics, which cells and items do not need

        return ladder.summary(name)

    def place(self, cell: str, task: str) -> tuple[str, str]:
        return splits.place(task)

    def cells(self) -> Sequence[Cell]:
        """Return a cell for each learner that needs no training, and for each agent on all tasks together and on each.

        Each split has a cell with its floors of memory, such as ``mewl/memory/color/two-unseen``. Three more teach the
        eyes, the reader and the MONet that learners share; these have met all families, so that no cell tests a learner
        behind them on a family. The cells of MiniLM need a package of its own (extra ``[reader]``).
        """
        entries = [
            Cell(f"mewl/{name}", judged, {preset: ReferenceConfig(name, n) for preset, n in SIZES.items()})
            for name in floors.REFERENCES
        ]
        entries += [Cell(f"mewl/{name}", eyes, kind.configs(), weights=True) for name, kind in agents.EYES.items()]
        for name, kind in agents.KINDS.items():
            own = not issubclass(kind.make, agents.WithTaughtEyes)  # else its weights are in other files
            sets = [set for set in agents.SETS if not (kind.eyes and set in FAMILIES)]
            entries += [Cell(agents.cell_id(name, set), agent, kind.configs(set=set), own) for set in sets]
        entries += [
            Cell(f"mewl/memory/{splits.task_of(name)}", memory, dict.fromkeys(presets.PRESETS, MemoryConfig(name)))
            for name in splits.names()
        ]
        entries += [
            Cell(f"mewl/{name}/{task}", read, pretrained.KINDS[kind].configs(set=task, **pretrained.MINILM))
            for name, kind in (("minilm-word-learner", "nouns"), ("minilm-pairs", "pairs"))
            for task in TASKS
        ]
        return [*entries, errors_cell("mewl", errors, 20, 200, 600)]

    def exposures(self, config: Any, profile: str, seed: int) -> Iterator[Exposure]:
        return exposures.exposures(config, profile)

    def warm(self) -> bool:
        """Compile and cache every loop of this instrument, so that the first picture of a session needs no wait."""
        scene = Scene(EVERY[:1], ((0.0, 0.0),), (0.0,))
        geometry.clear(scene)
        render.render(scene)
        return True

    def all_rows(self, profile: str) -> pd.DataFrame:
        from cogkit.mewl import all_rows

        return all_rows.rows(profile)

    def study(self, row: Mapping[str, Any]) -> Study | None:
        from cogkit.mewl.people import study

        return study.of_row(row)

    def people(self, trials: pd.DataFrame) -> pd.DataFrame:
        from cogkit.mewl.people import published

        return published.of_people(trials)


INSTRUMENT = Mewl()
