"""What the sixth instrument offers: cells that spin, one that fails, a dataset of one file, a chance level, a loop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from cogkit.core import seeding
from cogkit.core.compiled import compiled
from cogkit.core.contracts import Cell, Finding, Instrument
from cogkit.stats import scale

OPTIONS = {"pairs": 2, "fours": 4}  # by task: which of so many numbers comes next


@dataclass(frozen=True)
class Spin:
    """How long to spin."""

    rounds: int


def spin(config: Spin, profile: str, seed: int) -> list[dict]:
    """Return one row whose value depends on the seed alone, after some work."""
    draws = seeding.stream(seed, "spin").random((config.rounds, 5000))
    row = {"task": "spin", "kind": "floor", "who": "spinner", "inputs": "symbols", "n": config.rounds}
    return [{**row, "metric": "mean", "value": float(draws.mean())}]


def fail(config: Spin, profile: str, seed: int) -> list[dict]:
    """Raise, as a cell with a mistake in it would."""
    raise ZeroDivisionError("the cell's own mistake")


def cells() -> list[Cell]:
    """Return two cells that spin and one that fails."""
    configs = {"quick": Spin(400), "lab": Spin(2000)}
    spinning = [Cell(f"counting/spinner/{name}", spin, configs) for name in ("left", "right")]
    return [*spinning, Cell("counting/broken/left", fail, configs)]


def make(out: Path, *, n: int = 5, seed: int = 0) -> list[Path]:
    """Return the one file written."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / "count.txt"
    path.write_text(" ".join(map(str, range(n))))
    return [path]


def looks_like(folder: Path) -> bool:
    """Return whether the folder holds this dataset."""
    return (folder / "count.txt").exists()


def audit(folder: Path) -> list[Finding]:
    """Return a finding where the numbers do not count up from 0."""
    good = counts_up(np.array((folder / "count.txt").read_text().split(), dtype=np.int64))
    return [] if good else [Finding("count.txt", "numbers", "do not count up from 0")]


@compiled
def counts_up(numbers):
    """Return whether numbers count up from 0."""
    for place in range(len(numbers)):
        if numbers[place] != place:
            return False
    return True


def chance(task: str) -> float:
    """Return the chance level of a task."""
    return 1 / OPTIONS[task]


def components(rows: pd.DataFrame, trials: pd.DataFrame | None = None) -> Iterator[dict]:
    """Yield accuracy, A_c and P, and say why there is no S."""
    yield from scale.of_accuracy(rows, trials, chance=chance)
    for _, row in rows.iterrows():
        why = "not there: nobody was asked under a shift"
        yield scale.component(row, "S", np.nan, scale.NOWHERE, "", chance(row.task), why)


def warm() -> None:
    """Compile the one loop."""
    counts_up(np.arange(3))


INSTRUMENT = Instrument(
    "counting",
    cells,
    {"counting": make},
    {"counting": (looks_like, audit)},
    chance=chance,
    components=components,
    absent={"GR*": "counting has no template to align with"},
    warm=warm,
)
