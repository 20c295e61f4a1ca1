"""The stimulus-equivalence instrument for the core: its cells, datasets, and learners that need no training."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from cogkit.core import imports, presets, seeding
from cogkit.core.contracts import Cell, InputError, Instrument
from cogkit.data.results import shipped
from cogkit.equivalence import scoring
from cogkit.equivalence.components import components
from cogkit.equivalence.learners import agents, eps
from cogkit.equivalence.learners.references import REFERENCES, FloorConfig, trained
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import CHANCE, Design, Trials
from cogkit.study.error_consistency import errors_cell

if TYPE_CHECKING:
    from cogkit.learning import Fit


agent, keep = (imports.later(f"cogkit.equivalence.learners.training:REGISTRY.{name}") for name in ("run", "keep"))
errors = imports.later("cogkit.equivalence.all_rows:errors")


def tasks() -> tuple[str, ...]:
    """Return the names of the conditions, such as ``LS/select-only``; ``/standard`` means standard negatives.

    Examples
    --------
    >>> tasks()[:2]
    ('LS/select-reject', 'LS/select-reject/standard')
    """
    parts = product(records.STRUCTURES, records.RELATIONS, records.NEGATIVES)
    return tuple(Design(*part).condition for part in parts)


def design(task: str | Design) -> Design:
    """Return the design of a condition with the paper's size, or a given design unchanged.

    Examples
    --------
    >>> design("OTM/select-only/standard").negatives
    'standard'
    """
    if isinstance(task, Design):
        return task
    return Design(*presets.choose(task, tasks(), "condition, or a Design").split("/"))


def items(task: str | Design, n: int | None = None, *, profile: str = "verified", seed: int = 0) -> Trials:
    """Return the trials that test a condition.

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

    Examples
    --------
    >>> len(items("LS/select-only", 12))
    12
    """
    presets.profile(profile)
    trials = records.tests(design(task))
    if n is None:
        return trials
    if not 1 <= n <= len(trials):
        raise InputError(f"{n} trials", f"1 to {len(trials)}")
    return trials[np.sort(seeding.stream(seed, "equivalence/items").choice(len(trials), n, replace=False))]


def learner(name: str, task: str | Design | None = None, *, profile: str = "verified", seed: int = 0):
    """Return a floor or an observer by its name in `REFERENCES`, trained on the pairs of a condition.

    Examples
    --------
    >>> learner("e-eps", Design("OTM")).name
    'E-EPS'
    """
    presets.profile(profile)
    make = REFERENCES[presets.choose(name, REFERENCES, "floor or observer")]
    return trained(make(design(Design() if task is None else task)), seed)


def train(
    name: str, task: str | Design | None = None, preset: str = "quick", *, profile: str = "verified", seed: int = 0,
    **changes,
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
        Fields of the config with other values than the preset, such as ``iterations=100``.
    """
    from cogkit.equivalence.learners import training  # imports torch, which sittings and judging do not need

    chosen_design = design(Design() if task is None else task)
    return training.train(agents.config(name, preset, design=chosen_design, **changes), seed, presets.profile(profile))


def load(name: str, task: str | Design | None = None, preset: str = "lab", *, profile: str = "verified", seed: int = 0):
    """Return a trained network of the package; `InputError` lists the available ones."""
    from cogkit.equivalence.learners import training  # as above

    return training.load(name, preset, seed, profile, design=design(Design() if task is None else task))


def results(preset: str = "lab", profile: str = "verified", *, tasks=None, who=None) -> pd.DataFrame:
    """Return the package's result rows of our runs; see `data.results.shipped`.

    Examples
    --------
    >>> results(tasks="LS/", who="GPT").metric.nunique() > 0
    True
    """
    return shipped("equivalence", preset, profile, tasks=tasks, who=who)


def judged(config: FloorConfig | eps.EPSConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a floor or an observer."""
    return scoring.assess(trained(config, seed), config.design, profile=profile, seed=seed)


def cells() -> list[Cell]:
    """Return a cell for each agent, floor and observer under each condition."""
    entries = []
    for condition in product(records.STRUCTURES, records.RELATIONS, records.NEGATIVES):
        design = Design(*condition)
        for name, config in REFERENCES.items():
            configs: dict[str, Any] = dict.fromkeys(presets.PRESETS, config(design))
            entries.append(Cell(agents.cell_id(name, design), judged, configs))
        for name, kind in agents.KINDS.items():
            entries.append(Cell(agents.cell_id(name, design), agent, kind.configs(design=design), keep))
    return [*entries, errors_cell("equivalence", errors, 2, 20, 100)]


def warm() -> None:
    """Compile and cache every loop of this instrument."""
    eps.train(eps.EPSConfig(Design(), trials=1), seed=0)


INSTRUMENT = Instrument(
    name="equivalence",
    cells=cells,
    learner={name: (lambda task, seed, name=name: learner(name, task, seed=seed)) for name in REFERENCES},
    chance=CHANCE,
    components=components,
    absent={
        "GR*": "far below one half its Acc (1 - U) rises as accuracy falls: GPT, right in .016 of symmetry after OTM "
        "select-only, would come out above BERT at .469 on reflexivity after OTM select-reject, where chance is .333"
    },
    all_rows=imports.later("cogkit.equivalence.all_rows:rows"),
    study=imports.later("cogkit.equivalence.people.study:of_row"),
    people=imports.later("cogkit.equivalence.people.study:rows"),
    warm=warm,
)
