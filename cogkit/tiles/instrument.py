"""The tiles instrument as the house sees it: its cells, datasets, and players that need no training."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cogkit.core import presets
from cogkit.core.contracts import Cell, Instrument, Manifest
from cogkit.tiles import scoring
from cogkit.tiles.components import components
from cogkit.tiles.files import datasets
from cogkit.tiles.learners import agents, floors, observers, standards
from cogkit.tiles.metamers import sampling
from cogkit.tiles.problems import records, yardstick

PLAYERS = {
    "random": lambda rule: floors.Random(),
    "majority": floors.Majority,
    "nearest-neighbour": lambda rule: floors.NearestNeighbour(),
    "never-finishes": lambda rule: floors.NeverFinishes(),
    "bayes-greedy": observers.BayesGreedy.of,
}
_PASSES = {"quick": 4, "lab": 40, "paper": 400}


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
    return PLAYERS[presets.choose(name, PLAYERS, "player")](task.split("/")[0])


def player_has_a_task(name: str, task: str) -> bool:
    """Return whether a player means something on a task: the ideal observer needs the boards' true distribution."""
    return name != "bayes-greedy" or task.endswith("/abstract")


def evaluate(config: PlayConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of one player on the held-out boards of one task."""
    items = records.items(config.task)
    learner, rules = player(config.player, config.task), {"profile": profile, "seed": seed, "passes": config.passes}
    measured = _standards(items.task, items.source, config.passes, seed)
    return scoring.assess(learner, [items], standards=lambda _: measured, **rules)


@cache  # several players on one task are measured by the same
def _standards(task: str, source: str, passes: int, seed: int) -> tuple:
    return standards.standards(records.items(task, source), passes, seed)


def passes(preset: str) -> int:
    """Return how often each player plays each board under a preset.

    Examples
    --------
    >>> passes("quick")
    4
    """
    return _PASSES[presets.preset(preset)]


def conditional(config: sampling.ConditionalConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a conditional network trained now."""
    from cogkit.tiles.learners import conditional  # brings torch, which players need not

    return conditional.run(config, profile, seed)


def keep_conditional(*run) -> tuple[Path, Manifest, list[dict]]:
    """Return the file of a conditional network trained now, its manifest and its result rows."""
    from cogkit.tiles.learners import conditional  # as above

    return conditional.keep(*run)


def agent(config: agents.AgentConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of an LSTM agent trained now."""
    from cogkit.tiles.learners import training  # as above

    return training.LIFE.run(config, profile, seed)


def keep_agent(*run) -> tuple[Path, Manifest, list[dict]]:
    """Return the file of an LSTM agent trained now, its manifest and its result rows; see `Lifecycle.keep`."""
    from cogkit.tiles.learners import training  # as above

    return training.LIFE.keep(*run)


def cells() -> list[Cell]:
    """Return a cell for each player on each task (``tiles/random/copy/abstract``), each conditional network, and each
    agent (``tiles/lstm/copy/abstract``).
    """
    networks = [
        Cell(
            id=f"tiles/conditional/{rule}",
            run=conditional,
            configs={
                "quick": sampling.ConditionalConfig(rule, updates=200),
                "lab": sampling.ConditionalConfig(rule, updates=1000),
                "paper": sampling.ConditionalConfig(rule),
            },
            keep=keep_conditional,
        )
        for rule in records.RULES
    ]
    trained = [
        Cell(
            id=f"tiles/lstm/{task}",
            run=agent,
            configs={preset: agents.config(task, preset) for preset in presets.PRESETS},
            keep=keep_agent,
        )
        for task in records.CONDITIONS
    ]
    return (
        networks
        + trained
        + [
            Cell(
                id=f"tiles/{name}/{task}",
                run=evaluate,
                configs={preset: PlayConfig(task, name, passes) for preset, passes in _PASSES.items()},
            )
            for name in PLAYERS
            for task in records.CONDITIONS
            if player_has_a_task(name, task)
        ]
    )


def warm() -> None:
    """Compile and keep every loop of this instrument, so that the first board of a session comes at once."""
    for rule in ("copy", "connected"):
        items = records.items(f"{rule}/abstract", source="generated")
        yardstick.heuristic(items, runs=2)
        for name in ("bayes-greedy", "nearest-neighbour"):
            scoring.judge(player(name, rule), items)
    sampling.sample("copy", 1)


INSTRUMENT = Instrument(
    name="tiles",
    cells=cells,
    make={"tiles": datasets.make},
    audit={"tiles": (datasets.looks_like, datasets.audit)},
    learner={name: (lambda task, seed, name=name: player(name, task)) for name in PLAYERS},
    components=components,
    absent={
        "GR*": "an agent's millions of games and a person's two dozen boards have no common unit, and as n they would "
        "drown all else"
    },
    warm=warm,
)
