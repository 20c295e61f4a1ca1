"""The GR* instrument as the house sees it: its cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from cogkit.core.contracts import Cell, Instrument, Manifest
from cogkit.generalization.metric.calibrated import COMPONENTS
from cogkit.generalization.suites import (
    REPRO62,
    SHUFFLED,
    STRESSES,
    TASKS,
    FitConfig,
    StressConfig,
    Suite,
    side,
)
from cogkit.stats import scale


def suite(config: FitConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a suite, trained now: GR* of both sides, or every player's components."""
    # torch comes along with training, and most commands need none of it.
    from cogkit.generalization.learners import training

    return training.answer_rows(training.learn(config, profile, seed), profile, seed)


def keep(*run) -> tuple[Path, Manifest, list[dict]]:
    """Return the file of answers on a suite made now, their manifest and their result rows."""
    from cogkit.generalization.learners import training  # as above

    return training.keep(*run)


def stressed(config: StressConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of one kind of curves."""
    from cogkit.generalization.learners import rows  # scikit-learn takes a second to load
    from cogkit.generalization.paper import stress

    return list(rows.of_curves(stress.curves(config, seed), profile))


def cells() -> list[Cell]:
    """Return the cells: the 62 tasks, the same with shuffled labels, and three kinds of curves."""
    suites = {preset: FitConfig(Suite(tasks)) for preset, tasks in TASKS.items()}
    shuffled = {preset: replace(each, labels="shuffled", players=side("model")) for preset, each in suites.items()}
    found = [Cell(REPRO62, suite, suites, keep), Cell(SHUFFLED, suite, shuffled)]
    for kind in STRESSES:
        sizes = {preset: StressConfig(kind, tasks) for preset, tasks in TASKS.items()}
        found.append(Cell(f"generalization/{kind}", stressed, sizes))
    return found


def components(rows: pd.DataFrame, trials: pd.DataFrame | None = None) -> Iterator[dict]:
    """Yield rows of A_c, P, S and L as they are: this instrument's own results are components already."""
    note = "chance is the most frequent class, task by task"
    for _, row in scale.selected(rows, rows.metric.isin(COMPONENTS), " or ".join(COMPONENTS)).iterrows():
        yield scale.component(row, row.metric, row.value, (row.low, row.high), row.interval, np.nan, note)


INSTRUMENT = Instrument(name="generalization", cells=cells, components=components)
