"""Items are those that shipped results are about, whatever versions of numpy, scipy, scikit-learn or shapely make them.

``items.json`` holds the hash of some of every generator's items, floats to six decimals. Where one differs, results on
the old items are not to be compared with results on new ones: raise ``GENERATOR`` in the instrument's ``problems``, run
what is shipped again, and write the file anew with ``python tests/house/test_items.py``.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cogkit.bongard.problems import sets
from cogkit.bongard.shapes import inventory
from cogkit.core import registry
from cogkit.core.identity import content, items_of
from cogkit.core.presets import PROFILES
from cogkit.equivalence.problems import records as trials
from cogkit.generalization.problems import records as columns
from cogkit.mewl.problems import making
from cogkit.mewl.problems.episodes import TASKS
from cogkit.mewl.world.words import PARTS
from cogkit.tiles.problems import records as boards

TABLE = Path(__file__).with_name("items.json")
N = 8


def tiles() -> Iterator[tuple[str, Any]]:
    for task in boards.CONDITIONS:
        items = boards.items(task, "generated", n=N)
        yield task, [items.boards, items.starts, items.task, items.source]


def bongard() -> Iterator[tuple[str, Any]]:
    yield "catalogue", inventory.catalogue().table
    for profile in PROFILES:
        for kind in ("ff", "bd", "hd"):
            specs = sets.specs(profile, (kind,), n=N, source="catalogue")
            yield f"{profile}/{kind}", [sets.problem(spec) for spec in specs]


def mewl() -> Iterator[tuple[str, Any]]:
    for profile in PROFILES:
        for task in TASKS:
            yield f"{profile}/{task}", [making.episode(task, k, profile, part=part) for part in PARTS for k in range(N)]


def equivalence() -> Iterator[tuple[str, Any]]:
    for structure in trials.STRUCTURES:
        for relation in trials.RELATIONS:
            for negatives in trials.NEGATIVES:
                design = trials.Design(structure, relation, negatives, members=4)
                probes = trials.probe(design, 2, np.random.default_rng(0))
                sets = [trials.training(design), trials.tests(design), probes]
                name = f"{negatives}/{structure}/{relation}"
                yield name, [[each.design, each.tokens, each.pair] for each in sets]


def generalization() -> Iterator[tuple[str, Any]]:
    for name in ("Linear 0", "Poly 0", "Moons 0", "Circles 0", "Imbalance 0", "Shift 0", "Iris 0", "Digits 0"):
        made = columns.problem(name, 0)
        parts = ("task", "family", "x", "y", "x_test", "y_test", "columns", "truth", "centre", "spread", "state")
        yield name, [getattr(made, part) for part in parts]


GENERATORS = {made.__name__: made for made in (tiles, bongard, mewl, equivalence, generalization)}


def hashes(instrument: str) -> dict[str, str]:
    return {
        name: hashlib.sha256(json.dumps(content(items)).encode()).hexdigest()[:12]
        for name, items in GENERATORS[instrument]()
    }


@pytest.mark.parametrize("instrument", GENERATORS)
def test_items_are_those_that_shipped_results_are_about(instrument):
    record = json.loads(TABLE.read_text())[instrument]
    assert importlib.import_module(f"cogkit.{instrument}.problems").GENERATOR == record["generator"]
    now = hashes(instrument)
    assert now.keys() == record["items"].keys()
    other = [name for name, value in record["items"].items() if now[name] != value]
    assert not other, f"other items: raise GENERATOR in cogkit.{instrument}.problems, see {Path(__file__).name}"


def test_every_instrument_declares_its_generator():
    assert set(GENERATORS) == set(registry.instruments())
    assert all(items_of(name, "verified", 0).startswith("1-") for name in GENERATORS)


if __name__ == "__main__":
    table = {
        name: {"generator": importlib.import_module(f"cogkit.{name}.problems").GENERATOR, "items": hashes(name)}
        for name in GENERATORS
    }
    TABLE.write_text(json.dumps(table, indent=1) + "\n")
