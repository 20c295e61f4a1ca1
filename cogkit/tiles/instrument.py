"""The tiles instrument as the house sees it: its cells, datasets, and players that need no training."""

from __future__ import annotations

from dataclasses import dataclass

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
    """

    task: str
    player: str
    passes: int


def player(name: str, task: str):
    """Return a player that needs no training, built for the rule of a task such as ``copy/abstract``."""
    return PLAYERS[name](task.split("/")[0])


def player_has_a_task(name: str, task: str) -> bool:
    """Return whether a player means something on a task: the ideal observer needs the boards' true distribution."""
    return name != "bayes-greedy" or task.endswith("/abstract")


def evaluate(config: PlayConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of one player on the held-out boards of one task."""
    items = problems.items(config.task)
    answers = scoring.judge(
        player(config.player, config.task), items, profile=profile, passes=config.passes, seed=seed
    )
    ideal = None
    if player_has_a_task("bayes-greedy", config.task):
        ideal = scoring.expectations(items, config.passes, seed).ideal.to_numpy()
    return scoring.summarise(answers, references.heuristic(items, seed=seed), ideal)


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
