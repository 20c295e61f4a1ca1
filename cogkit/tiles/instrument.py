"""The declaration of the tiles instrument: its cells, datasets, and players that need no training."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from cogkit.core import presets
from cogkit.core.instruments import Cell, Instrument
from cogkit.core.items import PARTS, Exposure
from cogkit.core.splits import Split
from cogkit.core.study import Study
from cogkit.data.results import shipped
from cogkit.study.error_consistency import ErrorsConfig, errors_cell
from cogkit.tiles import scoring
from cogkit.tiles.components import components
from cogkit.tiles.learners import agents, standards, transfer
from cogkit.tiles.learners.observers import PLAYERS, player_has_a_task
from cogkit.tiles.metamers import sampling
from cogkit.tiles.problems import records, splits, yardstick
from cogkit.tiles.rules.boards import Items

if TYPE_CHECKING:
    import pandas as pd

    from cogkit.learning import Fit

NETWORKS = (*agents.KINDS, "conditional")
_PASSES = {"quick": 4, "lab": 40, "paper": 400}
_GAMES = {"quick": 1, "lab": 4, "paper": 15}  # on each board of another task
_STEPS = {"quick": {"steps": 200}, "lab": {"steps": 1000}, "paper": {}}  # of the conditional networks


@dataclass(frozen=True)
class PlayConfig:
    """The size of one player's evaluation on one task."""

    task: str
    player: str
    passes: int


def config(name: str, task: str, preset: str = "quick", **changes) -> agents.AgentConfig | sampling.ConditionalConfig:
    """Return how a network is trained under a preset; ``changes`` are fields to set otherwise.

    Examples
    --------
    >>> config("conditional", "tree/metamer", steps=10).recipe.steps
    10
    """
    presets.choose(name, NETWORKS, "network")
    if name == "conditional":
        rule = presets.choose(task, records.CONDITIONS, "condition").partition("/")[0]
        return presets.changed(sampling.ConditionalConfig(rule), **_STEPS[presets.preset(preset)] | changes)
    return agents.config(name, preset, task=task, **changes)


def evaluate(config: PlayConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of one player on the held-out boards of one task."""
    boards, player = INSTRUMENT.items(config.task), INSTRUMENT.learner(config.player, config.task)
    standards = _standards(boards.task, boards.source, config.passes, seed)
    rules = {"profile": profile, "seed": seed, "passes": config.passes}
    return scoring.assess(player, [boards], standards=lambda _: standards, **rules)


@dataclass(frozen=True)
class MemoryConfig:
    """The split whose floors of memory are measured."""

    split: str


def memory(config: MemoryConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of floors of memory and of ideal observers on the test of a split."""
    from cogkit.tiles.learners import ladder  # as in `Tiles.memory`

    return ladder.rows(config.split, seed)


@dataclass(frozen=True)
class RuleLearnerConfig:
    """The split whose training boards a rule learner meets, how many of them, and its games on each test board."""

    split: str
    passes: int
    boards: int = 300


def rule_learner(config: RuleLearnerConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of two rule learners on the test of a split: with a name for its rule, and without."""
    from cogkit.tiles.learners import ladder, rule_learner  # as in `Tiles.memory`

    parts, rows = splits.split(config.split), []
    for without in ((), rule_learner.rules_of(config.split)):
        learner = rule_learner.RuleLearner(parts.train, config.boards, seed, without)
        rows += ladder.assess(learner, parts.test, profile, config.passes, seed)
    return rows


@cache  # several players on one task share the same standards
def _standards(task: str, source: str, passes: int, seed: int) -> tuple:
    return standards.standards(records.items(task, source), passes, seed)


def _configs(name: str, task: str) -> dict[str, agents.AgentConfig | sampling.ConditionalConfig]:
    return {preset: config(name, task, preset) for preset in presets.PRESETS}


def agent(config: Any, profile: str, seed: int, keep: Callable | None = None) -> list[dict]:
    """Train an agent and return the result rows; see `Cell`."""
    from cogkit.tiles.learners.training import REGISTRY

    return REGISTRY.run(config, profile, seed, keep)


def conditional(config: Any, profile: str, seed: int, keep: Callable | None = None) -> list[dict]:
    """Train a conditional network and return the result rows; see `Cell`."""
    from cogkit.tiles.learners import conditional

    return conditional.run(config, profile, seed, keep)


def errors(config: ErrorsConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of errors that learners share."""
    from cogkit.tiles import all_rows

    return all_rows.errors(config, profile, seed)


class Tiles(Instrument):
    """The tile game: boards of eight rules and their metamers, and players that open tiles (Kumar et al. 2023)."""

    name = "tiles"
    run_items = "fixed"  # the boards of the paper
    references = tuple(PLAYERS)
    networks = NETWORKS
    absent = {
        "GR*": "an agent's millions of games and a person's two dozen boards have no common unit, and as n they would "
        "drown all else"
    }

    def tasks(self) -> tuple[str, ...]:
        """Return the names of the sixteen conditions: each rule with boards of its own, and with metamers.

        Examples
        --------
        >>> from cogkit import tiles
        >>> tiles.tasks()[:2]
        ('copy/abstract', 'copy/metamer')
        """
        return records.CONDITIONS

    def items(
        self, task: str, n: int | None = None, *, profile: str = "verified", seed: int = 0, part: str = "test"
    ) -> Items:
        """Return boards of one condition with their start tiles.

        Parameters
        ----------
        task : str
            One of `tasks`; or a family that training never holds, such as ``rectangle/short-side-3``.
        n : int, optional
            How many boards of our own, all different; of a family, up to 120. By default the paper's 25, or 25 of our
            own where those cannot be had, with one printed line that says so.
        profile : str
            Boards are the same under every profile.
        seed : int
            Of boards of our own.
        part : str
            ``test``; or ``train``, 25 or ``n`` of the boards that an agent learns from, drawn as it draws them; or
            ``val``, those by which its weights are chosen. No board is in two parts. A test of more than 25 boards of
            our own, or of another seed, may have boards that agents have met: `judge` refuses it.

        Examples
        --------
        >>> from cogkit import tiles
        >>> tiles.items("pyramid/metamer", 3).boards.shape
        (3, 7, 7)
        """
        presets.profile(profile)
        presets.choose(part, PARTS, "part")
        if part == "test" and task in splits.TASKS:
            return splits.of_task(task).test[:n]
        if part != "test":
            pools = agents.pools(agents.reachable(agents.config("lstm", "lab", task=task)), seed)
            if part == "val":
                return replace(pools.validation[:n], seed=seed)
            boards, place = pools.train.sample(25 if n is None else n, seed), pools.held_out
            starts = records.draw_starts(boards, seed)
            return Items(boards, starts, task, "generated", "train", seed, place.split, place.rung)
        return records.items(task, seed=seed) if n is None else records.items(task, "generated", n=n, seed=seed)

    def learner(self, name: str, task: str | None = None):
        """Return a floor or the ideal observer.

        Parameters
        ----------
        name : str
            One of `PLAYERS`.
        task : str, optional
            The condition whose rule the player knows; ``majority`` and ``bayes-greedy`` need one.

        Examples
        --------
        >>> from cogkit import tiles
        >>> tiles.learner("bayes-greedy", "copy/abstract").name
        'Bayes-greedy'
        """
        return PLAYERS[presets.choose(name, PLAYERS, "player")]((task or "").partition("/")[0])

    def train(
        self, name: str, task: str = "copy/abstract", preset: str = "quick", *, profile: str = "verified",
        seed: int = 0, checkpoint=None, **changes,
    ) -> Fit:  # fmt: skip
        """Return the training run of a network: iterate it, watch it with ``live``, stop and continue it.

        Where the published boards cannot be had, an agent trains on a fixed half of all boards, is tested on the other
        half, and one printed line says so.

        Parameters
        ----------
        name : str
            One of `NETWORKS`: an agent that plays, such as ``lstm``, or ``conditional``, the network that draws a
            rule's metamers.
        task : str
            One of `tasks`; of ``conditional`` only the rule counts.
        checkpoint : path, optional
            A file to write, and to resume from.
        **changes
            Fields of the config that differ from the preset, such as ``steps=100``.

        Examples
        --------
        >>> from cogkit import tiles
        >>> tiles.train("conditional", "tree/metamer", steps=5).steps
        5
        """
        from cogkit.tiles.learners import conditional, training  # bring torch, which playing and judging do not need

        settings = config(name, task, preset, **changes)
        if isinstance(settings, agents.AgentConfig):
            settings = settings if "holdout" in changes else agents.reachable(settings)
            return training.train(settings, seed, presets.profile(profile), checkpoint=checkpoint)
        return conditional.train(settings, seed, checkpoint=checkpoint)

    def load(self, name: str, task: str, *, profile: str = "verified", seed: int = 0):
        """Return a trained network that comes with the package: an agent, or the network that draws a rule's metamers.

        Parameters
        ----------
        name, task
            As in `train`.
        profile, seed
            Of the agent's training.

        Raises
        ------
        InputError
            None is shipped.

        Examples
        --------
        >>> from cogkit import tiles
        >>> tiles.load("lstm", "rectangle/abstract").manifest.cell
        'tiles/lstm/rectangle/abstract'
        """
        from cogkit.tiles.learners import training  # as above

        if presets.choose(name, NETWORKS, "network") == "conditional":
            return sampling.load(presets.choose(task, records.CONDITIONS, "condition").partition("/")[0])
        return training.load(name, seed=seed, profile=profile, task=task)

    def results(self, preset: str = "lab", profile: str = "verified", *, tasks=None, who=None) -> pd.DataFrame:
        """Return the result rows that come with the package; see `data.results.shipped`.

        Rows of families that training never holds, and of floors of memory, stand apart: `learners.ladder.table`.

        Examples
        --------
        >>> from cogkit import tiles
        >>> tiles.results(tasks="copy/", who="LSTM").task.unique().tolist()
        ['copy/abstract', 'copy/metamer']
        """
        rows = shipped("tiles", preset, profile, tasks=tasks, who=who)
        return rows[~(rows.task.isin(splits.TASKS) | rows.cell.str.startswith("tiles/memory/"))]

    def cells(self) -> list[Cell]:
        """Return a cell for each player on each task (``tiles/random/copy/abstract``), conditional network, and kind of
        agent (``tiles/lstm/copy/abstract``).
        """
        networks = [
            Cell(f"tiles/conditional/{rule}", conditional, _configs("conditional", f"{rule}/metamer"), weights=True)
            for rule in records.RULES
        ]
        networks += [
            Cell(f"tiles/{name}/{task}", agent, _configs(name, task), weights=True)
            for name in agents.KINDS
            for task in agents.TASKS
        ]
        players = [
            Cell(f"tiles/{name}/{task}", evaluate, {preset: PlayConfig(task, name, n) for preset, n in _PASSES.items()})
            for name in PLAYERS
            for task in records.CONDITIONS
            if player_has_a_task(name, task)
        ]
        games = {preset: transfer.TransferConfig("lstm", n) for preset, n in _GAMES.items()}
        floors = [
            Cell(f"tiles/memory/{splits.task_of(name)}", memory, dict.fromkeys(presets.PRESETS, MemoryConfig(name)))
            for name in splits.names()
        ]
        floors += [
            Cell(
                f"tiles/rule-learner/{task}", rule_learner, {p: RuleLearnerConfig(name, n) for p, n in _PASSES.items()}
            )
            for task, name in splits.TASKS.items()
        ]
        once = transfer.TransferConfig(transfer.MEMORY, 1)  # a floor opens the likeliest tile, so that one game tells
        others = [Cell("tiles/transfer/lstm", transfer.transferred, games), errors_cell("tiles", errors, 5, 25, 25)]
        others.append(Cell("tiles/transfer/memory", transfer.transferred, dict.fromkeys(presets.PRESETS, once)))
        return networks + players + floors + others

    def exposures(self, config: Any, profile: str, seed: int) -> Iterator[Exposure]:
        """Yield the boards of agents; a network that draws metamers is asked no board, and knows all of its rule.

        Agents that are carried over to another rule are asked no board that they have met: `transfer.matrix` leaves it
        out.
        """
        if isinstance(config, agents.AgentConfig):
            yield from agents.exposures(config, seed)
        if isinstance(config, RuleLearnerConfig):
            parts = splits.split(config.split)
            yield Exposure(f"boards of {parts.task}", parts.train.bits, parts.test)

    def splits(self) -> tuple[str, ...]:
        return splits.names()

    def split(self, name: str) -> Split:
        return splits.split(name)

    def place(self, cell: str, task: str) -> tuple[str, str]:
        return splits.place(cell, task)

    def memory(self, name: str) -> Mapping[str, Any]:
        from cogkit.tiles.learners import ladder  # brings tables, which playing does not need

        return ladder.summary(name)

    def warm(self) -> bool:
        """Compile every loop of this instrument and keep it, so that the first board of a session appears at once."""
        for rule in ("copy", "connected"):
            boards = self.items(f"{rule}/abstract", 25)
            yardstick.heuristic(boards, runs=2)
            for name in ("bayes-greedy", "nearest-neighbour"):
                scoring.judge(self.learner(name, rule), boards)
        sampling.sample("copy", 1)
        from cogkit.learning import run  # brings torch, which listing cells does not need

        run(self.train("lstm", "tree/abstract", steps=1, batch=2))
        return True

    def components(self, rows: pd.DataFrame, trials: pd.DataFrame | None = None, **own: Any) -> Iterable[dict]:
        return components(rows, trials, **own)

    def all_rows(self, profile: str) -> pd.DataFrame:
        from cogkit.tiles import all_rows

        return all_rows.rows(profile)

    def study(self, row: Mapping[str, Any]) -> Study | None:
        from cogkit.tiles.people import climb, study

        return study.of_row(row) or climb.of_row(row)

    def people(self, trials: pd.DataFrame) -> pd.DataFrame:
        from cogkit.tiles.people import study

        return study.rows(trials)


INSTRUMENT = Tiles()
