"""The stimulus-equivalence instrument as the house sees it: its cells, datasets, and learners that need no training."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pandas as pd

from cogkit.core import presets
from cogkit.core.contracts import RESULT_COLUMNS, Cell, Instrument, Manifest
from cogkit.equivalence import scoring
from cogkit.equivalence.components import CHANCE, components
from cogkit.equivalence.files import datasets
from cogkit.equivalence.learners import agents, eps, floors
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import Design


@dataclass(frozen=True)
class FloorConfig:
    """A floor on one design.

    Attributes
    ----------
    design : Design
        What it remembers.
    undirected : bool
        Whether it remembers a pair in both orders.
    """

    design: Design
    undirected: bool = False


REFERENCES = {  # who needs no network: they are the same under every preset
    "associative": FloorConfig,
    "associative-undirected": lambda design: FloorConfig(design, undirected=True),
    "eps": lambda design: eps.EPSConfig(design, "none"),
    "e-eps": eps.EPSConfig,
}


def reference(name: str, design: Design, seed: int = 0):
    """Return a floor or an observer by its name in `REFERENCES`, trained on a design.

    Examples
    --------
    >>> reference("e-eps", Design("OTM")).name
    'E-EPS'
    """
    return _trained(REFERENCES[presets.choose(name, REFERENCES, "floor or observer")](design), seed)


def _trained(config: FloorConfig | eps.EPSConfig, seed: int):
    if isinstance(config, FloorConfig):
        return floors.Associative(config.design, config.undirected)
    return eps.train(config, seed)


def judged(config: FloorConfig | eps.EPSConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a floor or an observer."""
    return scoring.assess(_trained(config, seed), config.design, profile=profile, seed=seed)


def compare(names, designs, seed: int, profile: str = "verified", preset: str = "quick") -> pd.DataFrame:
    """Return the result rows of several floors and observers on several designs, made now.

    Parameters
    ----------
    names : iterable of str
        In `REFERENCES`.
    designs : iterable of Design
    seed : int
        Of training, of draws, and of how ties fall.

    Examples
    --------
    >>> compare(["associative"], [Design(members=3, classes=3)], seed=0).who.unique().tolist()
    ['associative, directed']
    """
    known = {"instrument": "equivalence", "profile": profile, "preset": presets.preset(preset), "seed": seed}
    rows = [
        {"cell": agents.cell_id(name, design)} | known | row
        for design in designs
        for name in names
        for row in scoring.assess(reference(name, design, seed), design, profile=profile, seed=seed)
    ]
    return pd.DataFrame(rows, columns=list(RESULT_COLUMNS))


def agent(config: agents.AgentConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a network trained now."""
    from cogkit.equivalence.learners import training  # brings torch, which no other cell of this instrument needs

    return training.LIFE.run(config, profile, seed)


def keep(*run) -> tuple[Path, Manifest, list[dict]]:
    """Return the file of a network trained now, its manifest and its result rows; see `Lifecycle.keep`."""
    from cogkit.equivalence.learners import training  # as above

    return training.LIFE.keep(*run)


def cells() -> list[Cell]:
    """Return a cell for each agent, floor and observer under each condition."""
    found = []
    for condition in product(records.STRUCTURES, records.RELATIONS, records.NEGATIVES):
        design = Design(*condition)
        for name, config in REFERENCES.items():
            configs = dict.fromkeys(presets.PRESETS, config(design))
            found.append(Cell(id=agents.cell_id(name, design), run=judged, configs=configs))
        for name in agents.NAMES:
            configs = {preset: agents.config(name, preset, design=design) for preset in presets.PRESETS}
            found.append(Cell(id=agents.cell_id(name, design), run=agent, configs=configs, keep=keep))
    return found


def warm() -> None:
    """Compile and keep every loop of this instrument."""
    eps.train(eps.EPSConfig(Design(), trials=1), seed=0)


INSTRUMENT = Instrument(
    name="equivalence",
    cells=cells,
    make={"mts": datasets.make},
    audit={"mts": (datasets.looks_like, datasets.audit)},
    learner={
        name: (lambda task, seed, name=name: reference(name, Design(*task.split("/")), seed)) for name in REFERENCES
    },
    chance=CHANCE,
    components=components,
    absent={
        "GR*": "far below one half its Acc (1 - U) rises as accuracy falls: GPT, right in .016 of symmetry after OTM "
        "select-only, would come out above BERT at .469 on reflexivity after OTM select-reject, where chance is .333"
    },
    warm=warm,
)
