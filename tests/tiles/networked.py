"""Result rows of networks with scores that a test chooses, and those of the floor that they are measured by."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pandas as pd

from cogkit.core.records import RESULT_COLUMNS
from cogkit.tiles.rules import RULES

TASKS = [f"{rule}/{kind}" for rule in RULES for kind in ("abstract", "metamer")]
NEAREST = 12.5  # blue tiles of the nearest neighbour, on every task


def result_rows(
    z: Callable[[str, str, int], float], whos: Iterable[str], seeds: int = 3,
    blue: Callable[[str, str, int], float] = lambda who, task, seed: 5.0,
    skill: Callable[[str, str, int], float] = lambda who, task, seed: 0.9, tasks: Iterable[str] = TASKS,
) -> pd.DataFrame:  # fmt: skip
    """Return result rows of networks: each value is ``f(who, task, seed)``."""
    rows = [("floor", "nearest neighbour", task, 0, "blue", NEAREST) for task in tasks]
    for who in whos:
        for task in tasks:
            for seed in range(seeds):
                metrics = {"blue": blue, "z": z, "finished": lambda *_: 1.0, "blue, click 1536": lambda *_: 30.0}
                metrics |= {"skill": skill} if task.endswith("abstract") else {}
                rows += [("model", who, task, seed, name, f(who, task, seed)) for name, f in metrics.items()]
    table = pd.DataFrame(rows, columns=["kind", "who", "task", "seed", "metric", "value"])
    table["cell"] = "tiles/" + table.who.str.lower().str.replace(" ", "-") + "/" + table.task
    return table.assign(source="published").reindex(columns=list(RESULT_COLUMNS))
