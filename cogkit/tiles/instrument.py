"""The tiles instrument as the house sees it: its cells, datasets, and players that need no training."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from cogkit.contracts import Cell, Instrument
from cogkit.tiles import problems, references, scoring

PLAYERS = {
    "random": lambda rule: references.Random(),
    "majority": references.Majority,
    "nearest-neighbour": lambda rule: references.NearestNeighbour(),
    "never-finishes": lambda rule: references.NeverFinishes(),
    "bayes-greedy": references.BayesGreedy.of,
}


@dataclass(frozen=True)
class PlayConfig:
    """The size of one player's evaluation on one task.

    Attributes
    ----------
    task : str
        Rule and kind.
    player : str
        Name in `PLAYERS`.
    passes : int
        Times that every board is played.
    yardstick_runs : int
        Heuristic games a board behind z; the paper's number is 1,000.
    """

    task: str
    player: str
    passes: int
    yardstick_runs: int = 1000


def player(name: str, task: str):
    """Return a player that needs no training, built for the rule of a task such as ``copy/abstract``."""
    return PLAYERS[name](task.split("/")[0])


def player_has_a_task(name: str, task: str) -> bool:
    """Return whether a player means something on a task: the ideal observer needs the boards' true distribution."""
    return name != "bayes-greedy" or task.endswith("/abstract")


@cache
def ideal_blue(task: str, passes: int, seed: int) -> np.ndarray | None:
    """Return the ideal observer's mean blue tiles on each published board of a task, None where there is no observer."""
    if not player_has_a_task("bayes-greedy", task):
        return None
    return scoring.judge(player("bayes-greedy", task), problems.items(task), passes=passes, seed=seed).blue.mean(axis=0)


def evaluate(config: PlayConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of one player on the held-out boards of one task."""
    items = problems.items(config.task)
    answers = scoring.judge(
        player(config.player, config.task), items, profile=profile, passes=config.passes, seed=seed
    )
    yardstick = references.heuristic(items, runs=config.yardstick_runs, seed=seed)
    return scoring.summarise(answers, yardstick, ideal_blue(config.task, config.passes, seed))


def cells() -> list[Cell]:
    """Return one cell for each player on each of the sixteen tasks, such as ``tiles/random/copy/abstract``."""
    sizes = {"quick": 4, "lab": 40, "paper": 400}
    return [
        Cell(
            id=f"tiles/{name}/{task}",
            run=evaluate,
            configs={preset: PlayConfig(task, name, passes) for preset, passes in sizes.items()},
        )
        for name in PLAYERS
        for task in problems.CONDITIONS
        if player_has_a_task(name, task)
    ]


INSTRUMENT = Instrument(
    name="tiles",
    cells=cells,
    make={"tiles": problems.make},
    audit={"tiles": (problems.looks_like, problems.audit)},
    learner={name: (lambda task, seed, name=name: player(name, task)) for name in PLAYERS},
)
