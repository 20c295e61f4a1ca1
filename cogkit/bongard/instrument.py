"""The Bongard-LOGO instrument as the house sees it: its cells, datasets, and learners that need no training."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

import pandas as pd

from cogkit.bongard import scoring
from cogkit.bongard.files import datasets
from cogkit.bongard.learners import agents, floors, observers, pretrained
from cogkit.bongard.paper import claims
from cogkit.bongard.problems import abstract
from cogkit.bongard.problems.records import SIDES
from cogkit.bongard.shapes import inventory
from cogkit.bongard.shapes.inventory import ATTRIBUTES
from cogkit.core import presets
from cogkit.core.contracts import RESULT_COLUMNS, Cell, InputError, Instrument, Manifest
from cogkit.stats import scale

SIZES = {"quick": 40, "lab": None, "paper": None}  # problems of each test, and None for all
SIZED = ("protonet", "meta-baseline-sc")  # of Fig. 5
CAPABILITIES = ("convex", "has_two_parts")
CHANCE = 1 / len(SIDES)
_EVERYBODY = ("human", "humans", "people", "person", "persons")


@dataclass(frozen=True)
class ReferenceConfig:
    """A floor or an observer on the four tests.

    Attributes
    ----------
    reference : str
        Name in `REFERENCES`.
    problems : int or None
        Of each test; None for all.
    size : int
        Pixels a side, for those that look.
    """

    reference: str
    problems: int | None = None
    size: int = floors.SIZE


def _table(profile: str) -> observers.AttributeOracle:
    known = inventory.known()
    concepts = [tuple(map(ATTRIBUTES.index, concept)) for concept in abstract.concepts(known, profile)]
    return observers.AttributeOracle(known.table, concepts)


REFERENCES = {  # by name: ``make(size, profile)``
    "pixel-prototype": lambda size, profile: floors.pixel_prototype(size),
    "hu-prototype": lambda size, profile: floors.hu_prototype(size),
    "ink-amount": lambda size, profile: floors.ink_amount(size),
    "majority": lambda size, profile: floors.Majority(),
    "program-oracle": lambda size, profile: observers.ProgramOracle(),
    "attribute-oracle": lambda size, profile: _table(profile),
}


def reference(name: str, profile: str = "verified", size: int = floors.SIZE):
    """Return a floor or an observer by its name in `REFERENCES`.

    Examples
    --------
    >>> reference("ink-amount").name
    'ink amount'
    """
    make = REFERENCES[presets.choose(name, REFERENCES, "floor or observer")]
    return make(size, presets.profile(profile))


def judged(config: ReferenceConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a floor or an observer on the four tests."""
    sets = {task: scoring.problems_of(task, config.problems, profile) for task in scoring.TESTS}
    learner = reference(config.reference, profile, config.size)
    return scoring.assess(learner, sets, profile=profile, seed=seed, shapes=inventory.known())


def compare(
    names: Iterable[str],
    n: int | None = SIZES["quick"],
    profile: str = "verified",
    preset: str = "quick",
    seed: int = 0,
) -> pd.DataFrame:
    """Return the result rows of several floors and observers, made now.

    Parameters
    ----------
    names : iterable of str
        In `REFERENCES`.
    n : int, optional
        Problems of each test; None for all.
    profile, preset, seed
        As the rows say.

    Examples
    --------
    >>> table = compare(["program-oracle"], n=2)
    >>> table[table.task.isin(["FF", "BA"])].value.tolist()
    [1.0, 1.0]
    """
    known = {"instrument": "bongard", "profile": profile, "preset": presets.preset(preset), "seed": seed}
    rows = [
        {"cell": f"bongard/{name}"} | known | row
        for name in names
        for row in judged(ReferenceConfig(name, n), profile, seed)
    ]
    return pd.DataFrame(rows, columns=list(RESULT_COLUMNS))


def agent(config: agents.AgentConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a network trained now."""
    from cogkit.bongard.learners import training  # brings torch, which no other cell of this instrument needs

    return training.LIFE.run(config, profile, seed)


def keep(*run) -> tuple[Path, Manifest, list[dict]]:
    """Return the file of a network trained now, its manifest and its result rows; see `Lifecycle.keep`."""
    from cogkit.bongard.learners import training  # as above

    return training.LIFE.keep(*run)


def variant(how: str, config: agents.AgentConfig, profile: str, seed: int) -> list[dict]:
    """Return the rows of `agent`, of one whose name says how it differs from the agent of that name."""
    return [row | {"who": f"{row['who']}, {how}"} for row in agent(config, profile, seed)]


def capable(config: pretrained.CapabilityConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a backbone that was taught one attribute; of one tried on new shapes, who says so."""
    from cogkit.bongard.learners import capability  # brings torch

    rows = capability.run(config, profile, seed)
    return [row | {"who": f"{row['who']}, new shapes"} for row in rows] if config.held_out == "shapes" else rows


def cells() -> Sequence[Cell]:
    """Return a cell for each floor, observer and agent, and for the paper's other experiments."""
    found = [
        Cell(f"bongard/{name}", judged, {preset: ReferenceConfig(name, n) for preset, n in SIZES.items()})
        for name in REFERENCES
    ]
    for name in agents.NAMES:
        for kinds in agents.SETS:
            found.append(Cell(agents.cell_id(name, kinds), agent, _configs(name, set=kinds), keep))
    for name in SIZED:
        for alpha in claims.ALPHAS:
            configs = _configs(name, presets.PRESETS if alpha >= 8 else ("paper",), reduction=alpha)
            told = {preset: made for preset, made in configs.items() if made != agents.config(name, preset)}
            if told:  # the plain cells have the width of their preset
                found.append(Cell(f"bongard/{name}/alpha-{alpha}", partial(variant, f"α = {alpha}"), told))
    run = partial(variant, "L2")  # its decoder names numbers under squared error, without a mixture
    found.append(Cell("bongard/meta-baseline-ps/l2", run, {preset: _unmixed(preset) for preset in presets.PRESETS}))
    run = partial(variant, "each picture flipped")
    found.append(Cell("bongard/protonet/flip-picture", run, _configs("protonet", flip="picture")))
    for attribute, (end, held_out) in product(CAPABILITIES, (("", "pictures"), ("/new-shapes", "shapes"))):
        settings = {"attribute": attribute, "held_out": held_out}
        configs = {name: pretrained.config("capability", name, **settings) for name in presets.PRESETS}
        found.append(Cell(f"bongard/resnet-15/{attribute}{end}", capable, configs))
    return found


def _configs(name: str, sizes: Iterable[str] = presets.PRESETS, **changes) -> dict[str, agents.AgentConfig]:
    return {preset: agents.config(name, preset, **changes) for preset in sizes}


def _unmixed(preset: str) -> agents.AgentConfig:
    """Return the config of Meta-Baseline-PS under a preset, with squared error in place of the mixture."""
    mixed = agents.config("meta-baseline-ps", preset)
    eyes = {"size": mixed.size, "reduction": mixed.reduction, "half": mixed.half}
    before = pretrained.config("synthesis", preset, numbers="l2", **eyes)
    return agents.config("meta-baseline-ps", preset, pretrained=before)


def components(rows: pd.DataFrame, trials: pd.DataFrame | None = None) -> Iterator[dict]:
    """Yield accuracy, A_c and P against `CHANCE`; `InputError` where experts and amateurs are pooled."""
    pooled = rows[(rows.kind == "person") & rows.who.str.lower().isin(_EVERYBODY)]
    if len(pooled):
        raise InputError(f"people called {pooled.who.iloc[0]!r}", "experts and amateurs apart, each group by its name")
    yield from scale.of_accuracy(rows, trials, chance=CHANCE)


INSTRUMENT = Instrument(
    name="bongard",
    cells=cells,
    make={"bongard": datasets.make},
    audit={"bongard": (datasets.looks_like, datasets.audit)},
    learner={name: (lambda task, seed, name=name: reference(name)) for name in REFERENCES},
    chance=CHANCE,
    components=components,
    absent={
        "GR*": "nothing tells how relevant each feature of an image is, so that D_align and D̃, both made of that, are "
        "undefined"
    },
)
