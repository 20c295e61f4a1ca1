"""The stimulus-equivalence instrument for the core: its cells, datasets, and learners that need no training."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from cogkit.core import presets, seeding
from cogkit.core.errors import InputError
from cogkit.core.instruments import Cell, Instrument
from cogkit.core.items import Exposure
from cogkit.core.splits import Split
from cogkit.core.study import Study
from cogkit.data.results import shipped
from cogkit.equivalence import all_rows, scoring
from cogkit.equivalence.components import components
from cogkit.equivalence.learners import agents, eps
from cogkit.equivalence.learners.references import REFERENCES, Config, trained
from cogkit.equivalence.people import study
from cogkit.equivalence.problems import records, splits
from cogkit.equivalence.problems.records import CHANCE, Design, Trials
from cogkit.study.error_consistency import errors_cell

if TYPE_CHECKING:
    from cogkit.learning import Fit


def design(task: str | Design | None) -> Design:
    """Return the design of a condition with the paper's size, the paper's first by default; a given one unchanged.

    Examples
    --------
    >>> design("OTM/select-only/standard").negatives
    'standard'
    """
    if task is None or isinstance(task, Design):
        return task or Design()
    return Design(*presets.choose(task, INSTRUMENT.tasks(), "condition, or a Design").split("/"))


def judged(config: Config, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a learner without a network."""
    return scoring.assess(trained(config, seed), config.design, profile=profile, seed=seed)


def agent(config: Any, profile: str, seed: int, keep: Callable | None = None) -> list[dict]:
    """Train an agent and return the result rows; see `Cell`."""
    from cogkit.equivalence.learners.training import REGISTRY

    return REGISTRY.run(config, profile, seed, keep)


class Equivalence(Instrument):
    """Stimulus equivalence: matching trials that follow from what was learnt (Carrillo and Betancort 2024)."""

    name = "equivalence"
    references = tuple(REFERENCES)
    networks = tuple(agents.NAMES)
    chance = CHANCE
    run_items = "fixed"  # every trial of a design
    absent = {
        "GR*": "far below one half its Acc (1 - U) rises as accuracy falls: GPT, right in .016 of symmetry after OTM "
        "select-only, would come out above BERT at .469 on reflexivity after OTM select-reject, where chance is .333"
    }

    def tasks(self) -> tuple[str, ...]:
        """Return the names of the conditions, such as ``LS/select-only``; ``/standard`` means standard negatives.

        Examples
        --------
        >>> from cogkit import equivalence
        >>> equivalence.tasks()[:2]
        ('LS/select-reject', 'LS/select-reject/standard')
        """
        parts = product(records.STRUCTURES, records.RELATIONS, records.NEGATIVES)
        return tuple(Design(*part).condition for part in parts)

    def items(
        self, task: str | Design, n: int | None = None, *, profile: str = "verified", seed: int = 0, part: str = "test"
    ) -> Trials:
        """Return the trials of a condition.

        Parameters
        ----------
        task : str or Design
            One of `tasks`, or another design.
        n : int, optional
            Number of trials, drawn at random without repetition, in the original order. All by default.
        profile : str
            Trials are the same under every profile.
        seed : int
            Seed of the draw.
        part : str
            ``test``, or ``train`` for the trials that are trained. There is no ``val``: no weights are chosen.

        Examples
        --------
        >>> from cogkit import equivalence
        >>> len(equivalence.items("LS/select-only", 12))
        12
        """
        presets.profile(profile)
        if presets.choose(part, ("test", "train", "val"), "part") == "val":
            fix = "nothing is validated here: an agent learns for a fixed time"
            raise InputError("part='val'", "test or train", fix)
        trials = (records.tests if part == "test" else records.training)(design(task))
        if n is None:
            return trials
        if not 1 <= n <= len(trials):
            raise InputError(f"{n} trials", f"1 to {len(trials)}")
        return trials[np.sort(seeding.stream(seed, "equivalence/items").choice(len(trials), n, replace=False))]

    def learner(self, name: str, task: str | Design | None = None, *, profile: str = "verified", seed: int = 0):
        """Return a learner without a network by its name in `REFERENCES`, trained on the pairs of a condition.

        Examples
        --------
        >>> from cogkit import equivalence
        >>> equivalence.learner("e-eps", Design("OTM")).name
        'E-EPS'
        """
        presets.profile(profile)
        make = REFERENCES[presets.choose(name, REFERENCES, "learner without a network")]
        return trained(make(design(task)), seed)

    def train(
        self, name: str, task: str | Design | None = None, preset: str = "quick", *, profile: str = "verified",
        seed: int = 0, **changes,
    ) -> Fit:  # fmt: skip
        """Return the training run of a network. You can iterate it, watch it with ``live``, stop it and continue.

        Parameters
        ----------
        name : str
            One of `agents.NAMES`.
        task : str or Design, optional
            One of `tasks`, or another design; the paper's first by default.
        preset, profile, seed
            Size of the run, profile and seed. Training is the same under every profile.
        **changes
            Fields of the config with other values than the preset, such as ``steps=100``.
        """
        from cogkit.equivalence.learners import training  # imports torch, which sittings and judging do not need

        config = agents.config(name, preset, design=design(task), **changes)
        return training.train(config, seed, presets.profile(profile))

    def load(
        self, name: str, task: str | Design | None = None, preset: str = "lab", *, profile: str = "verified",
        seed: int = 0,
    ):  # fmt: skip
        """Return a trained network of the package; `InputError` lists the available ones."""
        from cogkit.equivalence.learners import training  # as above

        return training.load(name, preset, seed, profile, design=design(task))

    def results(self, preset: str = "lab", profile: str = "verified", *, tasks=None, who=None) -> pd.DataFrame:
        """Return the package's result rows of our runs; see `data.results.shipped`.

        Examples
        --------
        >>> from cogkit import equivalence
        >>> equivalence.results(tasks="LS/", who="GPT").metric.nunique() > 0
        True
        """
        return shipped("equivalence", preset, profile, tasks=tasks, who=who)

    def splits(self) -> tuple[str, ...]:
        return splits.names()

    def split(self, name: str) -> Split:
        return splits.split(name)

    def memory(self, name: str) -> Mapping[str, Any]:
        from cogkit.equivalence.learners import ladder  # brings statistics, which cells and items do not need

        return ladder.row(name)

    def place(self, cell: str, task: str) -> tuple[str, str]:
        return splits.place(task)

    def cells(self) -> list[Cell]:
        """Return a cell for each agent, floor and observer under each condition."""
        entries = []
        for condition in product(records.STRUCTURES, records.RELATIONS, records.NEGATIVES):
            design = Design(*condition)
            for name, config in REFERENCES.items():
                configs: dict[str, Any] = dict.fromkeys(presets.PRESETS, config(design))
                entries.append(Cell(agents.cell_id(name, design), judged, configs))
            for name, kind in agents.KINDS.items():
                entries.append(Cell(agents.cell_id(name, design), agent, kind.configs(design=design), weights=True))
        return [*entries, errors_cell("equivalence", all_rows.errors, 2, 20, 100)]

    def exposures(self, config: Any, profile: str, seed: int) -> Iterator[Exposure]:
        """Yield the trained trials and relations of a design beside the derived ones.

        Baseline trials are those that were trained, and their rows say so. A relation is a sample and its right
        comparison; its reverse is another one, which symmetry tests.
        """
        if design := getattr(config, "design", None):
            learnt, test = records.training(design), records.tests(design)
            derived = test[test.types != "baseline"]
            yield Exposure("trials", learnt, derived)
            yield Exposure("relations", learnt.relations(), derived.relations())

    def warm(self) -> bool:
        """Compile and cache every loop of this instrument."""
        eps.train(eps.EPSConfig(Design(), trials=1), seed=0)
        return True

    def components(self, rows: pd.DataFrame, trials: pd.DataFrame | None = None, **own: Any) -> Iterable[dict]:
        return components(rows, trials, **own)

    def all_rows(self, profile: str) -> pd.DataFrame:
        return all_rows.rows(profile)

    def study(self, row: Mapping[str, Any]) -> Study | None:
        return study.study_of(study.Plan.of(row))

    def people(self, trials: pd.DataFrame) -> pd.DataFrame:
        return study.rows(trials)


INSTRUMENT = Equivalence()
