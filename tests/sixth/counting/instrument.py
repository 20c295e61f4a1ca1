"""What the sixth instrument offers: cells that spin, one that fails, a chance level, a loop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cogkit.core import seeding
from cogkit.core.compiled import compiled
from cogkit.core.instruments import Cell, Instrument
from cogkit.data import results
from cogkit.stats import scale
from cogkit.study.error_consistency import MOST, SAME

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


@compiled
def counts_up(numbers):
    """Return whether numbers count up from 0."""
    for place in range(len(numbers)):
        if numbers[place] != place:
            return False
    return True


class Counting(Instrument):
    """Cells that spin, one that fails, a chance level, a loop."""

    name = "counting"
    absent = {"GR*": "counting has no template to align with"}

    def chance(self, task: str) -> float:
        """Return the chance level of a task."""
        return 1 / OPTIONS[task]

    def cells(self) -> list[Cell]:
        """Return two cells that spin and one that fails."""
        configs = {"quick": Spin(400), "lab": Spin(2000)}
        spinning = [Cell(f"counting/spinner/{name}", spin, configs) for name in ("left", "right")]
        return [*spinning, Cell("counting/broken/left", fail, configs)]

    def components(self, rows: pd.DataFrame, trials: pd.DataFrame | None = None) -> Iterator[dict]:
        """Yield accuracy, A_c and P, and say why there is no S."""
        yield from scale.of_accuracy(rows, trials, chance=self.chance)
        for _, row in rows.iterrows():
            why = "not there: nobody was asked under a shift"
            yield scale.component(row, "S", np.nan, scale.NOWHERE, "", self.chance(row.task), why)

    def all_rows(self, profile: str) -> pd.DataFrame:
        """Return result rows of a floor, a network with two runs, a group of people, and of errors that two share."""
        common = {"cell": "counting/all", "instrument": "counting", "profile": profile, "preset": "lab", "seed": 0}
        common |= {
            "task": "pairs",
            "inputs": "symbols",
            "metric": "accuracy",
            "interval": "95% t",
            "n": 200,
            "source": "",
        }
        players = (
            ("last digit", "floor", 0, 0.6, 0.55), ("net", "model", 0, 0.7, 0.6), ("net", "model", 1, 0.9, 0.85),
            ("pupils", "person", 0, 0.95, 0.9),
        )  # fmt: skip
        names = ("who", "kind", "seed", "value", "low")
        rows = [common | dict(zip(names, player, strict=True)) for player in players]
        rows = [row | {"high": row["value"] + 0.04, "supervision": ""} for row in rows]
        for metric, value in ((SAME, 0.3), (MOST, 0.8)):
            rows.append(
                rows[1] | {"task": "all", "metric": f"{metric}last digit", "value": value, "low": 0.1, "high": 0.5}
            )
        return results.table(rows)

    def warm(self) -> bool:
        """Compile the one loop."""
        counts_up(np.arange(3))
        return True


INSTRUMENT = Counting()
