"""The Bongard-LOGO instrument for the rest of cogkit: its cells, datasets, and learners that need no training."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pandas as pd

from cogkit.bongard import scoring
from cogkit.bongard.learners import agents, exposures, floors, pretrained
from cogkit.bongard.learners.observers import REFERENCES
from cogkit.bongard.paper import claims
from cogkit.bongard.problems import sets, splits
from cogkit.bongard.problems.records import CHANCE, Items
from cogkit.bongard.shapes import inventory
from cogkit.core import presets
from cogkit.core.errors import InputError
from cogkit.core.instruments import Cell, Instrument
from cogkit.core.items import PARTS, Exposure
from cogkit.core.splits import Split
from cogkit.core.study import Study
from cogkit.data.results import shipped
from cogkit.stats import scale
from cogkit.study.error_consistency import ErrorsConfig, errors_cell

if TYPE_CHECKING:
    from cogkit.learning import Fit

SIZES = {"quick": 40, "lab": None, "paper": None}  # problems of each test; None for all
SIZED = ("protonet", "meta-baseline-sc")  # the networks that Fig. 5 trains at several widths
_EVERYBODY = ("human", "humans", "people", "person", "persons")


@dataclass(frozen=True)
class ReferenceConfig:
    """A floor or an observer on the four tests.

    Attributes
    ----------
    reference : str
        Name in `REFERENCES`.
    problems : int or None
        Number of problems of each test; None for all.
    size : int
        Pixels a side, for learners that see pixels.
    """

    reference: str
    problems: int | None = None
    size: int = floors.SIZE


def _module(name: str, task: str, changes: dict[str, Any]) -> tuple[ModuleType, dict[str, Any]]:
    """Return the module that trains an agent, and its config's changes with the set of problems, if it has several."""
    from cogkit.bongard.learners import reasoners, training  # torch, which solving and judging do not need

    presets.choose(name, agents.NAMES | agents.REASONERS, "agent that is trained")
    task = next((kinds for kinds in agents.SETS if task in agents.tests_of(kinds)), task)
    if name not in agents.REASONERS:
        return training, changes | {"set": task}
    return reasoners, changes | {"set": presets.choose(task, pretrained.SETS, "set of problems for a reasoner")}


@dataclass(frozen=True)
class MemoryConfig:
    """The split whose floors of memory are measured."""

    split: str


def memory(config: MemoryConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of floors of memory and of observers on the test of a split."""
    from cogkit.bongard.learners import ladder  # as in `Bongard.memory`

    return ladder.rows(config.split, profile)


def judged(config: ReferenceConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a floor or an observer on the four tests."""
    problems = {task: sets.problems(task, config.problems, profile) for task in sets.TESTS}
    reference = INSTRUMENT.learner(config.reference, profile=profile, size=config.size)
    return scoring.assess(reference, problems, profile=profile, seed=seed, shapes=inventory.available())


def variant(how: str, config: agents.AgentConfig, profile: str, seed: int) -> list[dict]:
    """Return the rows of `agent`, with ``how`` it differs from the plain agent added to its name."""
    return [row | {"who": f"{row['who']}, {how}"} for row in agent(config, profile, seed)]


def _unmixed(preset: str) -> agents.AgentConfig:
    """Return the config of Meta-Baseline-PS under a preset, with squared error instead of the mixture."""
    config = agents.config("meta-baseline-ps", preset)
    return replace(config, pretrained=replace(config.pretrained, numbers="l2"))


def _narrowed(name: str, alpha: int) -> dict[str, agents.AgentConfig]:
    """Return the configs of an agent whose widths are divided by α; presets of this width have the plain cells."""
    sizes = presets.PRESETS if alpha >= 8 else ("paper",)
    configs = {preset: agents.config(name, preset, reduction=alpha) for preset in sizes}
    return {preset: config for preset, config in configs.items() if config != agents.config(name, preset)}


def trained(module: str, config: Any, profile: str, seed: int, keep: Callable | None = None) -> list[dict]:
    """Train a learner of ``training``, ``reasoners`` or ``perception`` and return the result rows; see `Cell`."""
    registry = importlib.import_module(f"cogkit.bongard.learners.{module}").REGISTRY  # imports torch
    return registry.run(config, profile, seed, keep)


agent, reasoner, eyes = (partial(trained, module) for module in ("training", "reasoners", "perception"))


def errors(config: ErrorsConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of errors that learners share."""
    from cogkit.bongard import all_rows

    return all_rows.errors(config, profile, seed)


class Bongard(Instrument):
    """Bongard-LOGO: problems of six pictures with a concept and six without it (Nie et al. 2020)."""

    name = "bongard"
    references = tuple(REFERENCES)
    networks = (*agents.NAMES, *agents.REASONERS)
    chance = CHANCE
    absent = {
        "GR*": "nothing tells how relevant each feature of an image is, so that D_align and D̃, both made of that, are "
        "undefined"
    }

    def tasks(self) -> tuple[str, ...]:
        """Return the names of the four tests.

        Examples
        --------
        >>> from cogkit import bongard
        >>> bongard.tasks()
        ('FF', 'BA', 'CM', 'NV')
        """
        return sets.TESTS

    def items(
        self, task: str, n: int | None = None, *, profile: str = "verified", seed: int = 0, part: str = "test",
        source: str = "any",
    ) -> Items:  # fmt: skip
        """Return problems of a test, or of ``train`` or ``val``; see `sets.problems`.

        A test is one of `tasks`, or one with new shapes, such as ``new-shapes/CM``. With ``part`` it is those problems
        of ``train`` or ``val`` that are of the test's kind.

        Examples
        --------
        >>> from cogkit import bongard
        >>> [problem.kind for problem in bongard.items("NV", 2)]
        ['hd', 'hd']
        >>> bongard.items("BA", 2, part="train").names[0][:2]
        'bd'
        """
        where = inventory.available(source).source
        if presets.choose(part, PARTS, "part") == "test" or task == part:
            part = task if task in ("train", "val") else part
            problems = sets.problems(task, n, profile, seed, source)
        else:
            specs = splits.specs(task, part, profile, seed, source)
            problems = tuple(map(sets.problem, specs[:n]))
        return Items(problems, "bongard", task, part, profile, seed, where, *splits.place(task))

    def learner(
        self, name: str, task: str | None = None, *, profile: str = "verified", size: int = floors.SIZE
    ) -> scoring.Learner:
        """Return a floor or an observer.

        Parameters
        ----------
        name : str
            One of `REFERENCES`.
        task : str, optional
            These learners are the same on every test.
        profile : str
            The profile of the concepts that ``attribute-oracle`` knows.
        size : int
            Pixels a side, for learners that see pixels.

        Examples
        --------
        >>> from cogkit import bongard
        >>> bongard.learner("ink-amount").name
        'ink amount'
        """
        make = REFERENCES[presets.choose(name, REFERENCES, "floor or observer")]
        return make(size, presets.profile(profile))

    def train(
        self, name: str, task: str = "all", preset: str = "quick", *, profile: str = "verified",
        seed: int = 0, checkpoint=None, **changes,
    ) -> Fit:  # fmt: skip
        """Return the training run of a network on new problems. Iterate it, watch it ``live``, stop it and resume.

        Parameters
        ----------
        name : str
            One of `agents.NAMES`, or of `agents.REASONERS`, which decide by what taught eyes see. These eyes are taught
            first, if they are not at hand; that takes a quarter of an hour under ``lab``. Those of seed 0 come with the
            package.
        task : str
            The training set, or one of its tests: ``all``, or ``free-form`` or ``sectors`` alone; or ``new-shapes``,
            whose tests have shapes that training never has. Reasoners know only ``all`` and ``new-shapes``, and teach
            eyes of their own for the latter.
        preset, profile, seed
            The amount of training, the rules by which problems are made, and the seed.
        checkpoint : path, optional
            A file to save the run to and to resume it from.
        **changes
            Fields of the config with other values than in the preset, such as ``steps=100``.
        """
        module, changes = _module(name, task, changes)
        return module.train(module.REGISTRY.config(name, preset, **changes), seed, profile, checkpoint=checkpoint)

    def load(self, name: str, task: str = "all", preset: str = "lab", *, profile: str = "verified", seed: int = 0):
        """Return a trained network that comes with the package; for others, the `InputError` names those available."""
        module, changes = _module(name, task, {})
        return module.REGISTRY.load(name, preset, seed, profile, **changes)

    def results(self, preset: str = "lab", profile: str = "verified", *, tasks=None, who=None) -> pd.DataFrame:
        """Return the result rows that come with the package, from our own runs; see `data.results.shipped`.

        Rows of learners of new shapes, and of floors of memory, stand apart: `learners.ladder.table`.

        Examples
        --------
        >>> from cogkit import bongard
        >>> bongard.results(tasks=("FF", "BA"), who="ProtoNet").metric.nunique() > 0
        True
        """
        rows = shipped("bongard", preset, profile, tasks=tasks, who=who)
        return rows[~(rows.cell.str.startswith("bongard/memory/") | rows.cell.str.endswith(f"/{sets.NEW}"))]

    def splits(self) -> tuple[str, ...]:
        return splits.names()

    def split(self, name: str) -> Split:
        return splits.split(name)

    def memory(self, name: str) -> Mapping[str, Any]:
        from cogkit.bongard.learners import ladder  # brings statistics, which cells and items do not need

        return ladder.summary(name)

    def place(self, cell: str, task: str) -> tuple[str, str]:
        return splits.place(task)

    def cells(self) -> Sequence[Cell]:
        """Return a cell for each floor, observer and agent, for eyes and memory, and for other experiments."""
        references = {
            f"bongard/{name}": {preset: ReferenceConfig(name, n) for preset, n in SIZES.items()} for name in REFERENCES
        }
        networks = {
            f"bongard/{pretrained.named(name, kinds)}": (eyes if name == "sight" else reasoner, kind.configs(set=kinds))
            for name, kind in {"sight": pretrained.SIGHT, **agents.SEEING}.items() for kinds in pretrained.SETS
        }  # fmt: skip
        networks |= {
            agents.cell_id(name, kinds): (agent, kind.configs(set=kinds))
            for name, kind in agents.KINDS.items() for kinds in agents.SETS
        }  # fmt: skip
        variants = {
            f"bongard/{name}/alpha-{alpha}": (f"α = {alpha}", _narrowed(name, alpha))
            for name in SIZED for alpha in claims.ALPHAS
        }  # fmt: skip
        variants["bongard/meta-baseline-ps/l2"] = "L2", {preset: _unmixed(preset) for preset in presets.PRESETS}
        floors = {f"bongard/memory/{task}": MemoryConfig(test.split) for task, test in splits.TESTS.items()}
        flipped = agents.KINDS["protonet"].configs(flip="picture")
        variants["bongard/protonet/flip-picture"] = "each picture flipped", flipped
        return [
            *(Cell(name, judged, configs) for name, configs in references.items()),
            *(Cell(name, run, configs, weights=True) for name, (run, configs) in networks.items()),
            *(Cell(name, partial(variant, how), configs) for name, (how, configs) in variants.items() if configs),
            *(Cell(name, memory, dict.fromkeys(presets.PRESETS, config)) for name, config in floors.items()),
            errors_cell("bongard", errors, 5, 40, 200),
        ]

    def exposures(self, config: Any, profile: str, seed: int) -> Iterator[Exposure]:
        return exposures.exposures(config, profile)

    def components(self, rows: pd.DataFrame, trials: pd.DataFrame | None = None) -> Iterator[dict]:
        """Yield accuracy, A_c and P against `CHANCE`; pooled experts and amateurs are an `InputError`."""
        pooled = rows[(rows.kind == "person") & rows.who.str.lower().isin(_EVERYBODY)]
        if len(pooled):
            raise InputError(
                f"people called {pooled.who.iloc[0]!r}", "experts and amateurs apart, each group by its name"
            )
        yield from scale.of_accuracy(rows, trials, chance=CHANCE)

    def all_rows(self, profile: str) -> pd.DataFrame:
        from cogkit.bongard import all_rows

        return all_rows.rows(profile)

    def study(self, row: Mapping[str, Any]) -> Study | None:
        from cogkit.bongard.people import study

        return study.of_row(row)

    def people(self, trials: pd.DataFrame) -> pd.DataFrame:
        from cogkit.bongard.people import published

        return published.rows(trials)


INSTRUMENT = Bongard()
